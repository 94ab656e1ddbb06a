//! `#[derive(Blend)]` on every kind of type.

use std::collections::BTreeMap;

use evenstep::{Blend, Inspect, Smoothed, inspect};

#[derive(Blend, Clone, Debug, PartialEq)]
struct Pair(f32, #[blend(step)] &'static str);

#[derive(Blend, Clone, Debug, PartialEq)]
struct Unit;

#[derive(Blend, Clone, Debug, PartialEq)]
struct Generic<T, const N: usize> {
    values: [T; N],
    inner: Option<T>,
}

#[derive(Blend, Clone, Debug, PartialEq)]
enum Door {
    Closed,
    Moving {
        angle: f64,
        #[blend(skip)]
        sound: Option<u8>,
    },
    Open(f64),
}

#[derive(Blend, Clone, Debug, PartialEq)]
enum Maybe<T> {
    Nothing,
    Just(T),
}

/// Parameters of every kind, and fields with every attribute.
#[derive(Blend, Clone, Debug, PartialEq)]
enum Mixed<'a, T: Copy, U, F, const N: usize = 2>
where
    U: PartialOrd<U> + Copy,
    F: Fn(f32) -> f32,
{
    Values([T; N], f32),
    Marked {
        #[blend(step)]
        name: &'a str,
        #[blend(step)]
        ease: F,
        #[blend(skip)]
        notes: Vec<U>,
        #[blend(with = half_way)]
        stage: (U, T),
    },
}

fn half_way<U: Copy, T: Copy>(older: &(U, T), newer: &(U, T), t: f64) -> (U, T) {
    if t < 0.5 { *older } else { *newer }
}

/// Bounds on parameters that are not blended themselves.
#[derive(Blend, Clone, Debug, PartialEq)]
struct Bounded<'a, T: Iterator + ?Sized, const N: usize>
where
    T::Item: Blend,
{
    value: T::Item,
    #[blend(step)]
    label: &'a [u8; N],
    #[blend(skip)]
    source: std::marker::PhantomData<T>,
    plain: [f64; N],
}

#[derive(Blend, Clone, Debug, PartialEq)]
enum Borrowed<'a> {
    Name(#[blend(step)] &'a str),
    Size(f32),
}

#[derive(Blend, Clone, Debug, PartialEq)]
enum Arrays<const N: usize> {
    Many([f32; N]),
    One { r#type: f32 },
}

/// A single variant needs no `Clone`.
#[derive(Blend, Debug, PartialEq)]
enum Single<T> {
    Only(T),
}

/// A type that implements `Blend` but not `Clone`.
#[derive(Blend, Debug, PartialEq)]
struct Unique(f32);

#[test]
fn tuple_and_unit_structs_blend() {
    assert_eq!(Pair(0.0, "walk").blend(&Pair(2.0, "run"), 0.25), Pair(0.5, "run"));
    assert_eq!(Unit.blend(&Unit, 0.5), Unit);
}

#[test]
fn generic_types_blend_where_their_parameters_do() {
    let generic = |values, inner| Generic { values, inner };
    let (older, newer) = (generic([0.0, 1.0], Some(4.0)), generic([1.0, 3.0], Some(8.0)));
    assert_eq!(older.blend(&newer, 0.5), generic([0.5, 2.0], Some(6.0)));
}

#[test]
fn generic_enums_blend_within_a_variant_and_switch_between_variants() {
    for t in [0.0, 0.25, 1.0] {
        let drawn = Maybe::Just(0.0_f64).blend(&Maybe::Just(4.0), t);
        assert_eq!(drawn, Maybe::Just(4.0 * t));
        let switched = if t == 0.0 { Maybe::Nothing } else { Maybe::Just(1.5_f32) };
        assert_eq!(Maybe::Nothing.blend(&Maybe::Just(1.5), t), switched);
    }
    let nested = |value| Maybe::Just(Maybe::Just([value; 3]));
    assert_eq!(nested(0.0_f32).blend(&nested(1.0), 0.5), nested(0.5));
}

#[test]
fn lifetimes_bounds_constants_and_where_clauses_are_kept() {
    fn plain(x: f32) -> f32 {
        x
    }
    type Plain<'a> = Mixed<'a, f64, u8, fn(f32) -> f32>;
    let marked = |name, stage| Plain::Marked {
        name,
        ease: plain,
        notes: vec![],
        stage: (stage, f64::from(stage)),
    };
    assert_eq!(marked("old", 1).blend(&marked("new", 2), 0.25), marked("new", 1));
    let values = |value| Plain::Values([value; 2], value as f32);
    assert_eq!(values(0.0).blend(&values(2.0), 0.25), values(0.5));
    assert_eq!(values(0.0).blend(&marked("new", 2), 0.25), marked("new", 2));

    type Bytes = Bounded<'static, std::vec::IntoIter<f32>, 2>;
    let bounded = |value: f32| Bytes {
        value,
        label: b"ab",
        source: std::marker::PhantomData,
        plain: [f64::from(value); 2],
    };
    assert_eq!(bounded(0.0).value.blend(&bounded(1.0).value, 0.5), 0.5);
    assert_eq!(bounded(0.0).blend(&bounded(1.0), 0.5).plain, [0.5; 2]);

    assert_eq!(
        Borrowed::Size(0.0).blend(&Borrowed::Size(1.0), 0.5),
        Borrowed::Size(0.5)
    );
    assert_eq!(
        Borrowed::Size(0.0).blend(&Borrowed::Name("n"), 0.5),
        Borrowed::Name("n")
    );
    let (many, one) = (Arrays::Many([1.0; 4]), Arrays::One { r#type: 3.0 });
    assert_eq!(many.blend(&one, 0.0), many);
    assert_eq!(one.blend(&many, 0.1), many);
}

#[test]
fn an_enum_of_one_variant_needs_no_clone() {
    assert_eq!(
        Single::Only(Unique(0.0)).blend(&Single::Only(Unique(1.0)), 0.5),
        Single::Only(Unique(0.5))
    );
}

#[test]
fn the_same_variant_is_blended_and_a_different_one_is_the_newer_value() {
    let moving = |angle, sound| Door::Moving { angle, sound };
    assert_eq!(
        moving(0.0, Some(1)).blend(&moving(1.0, Some(1)), 0.5),
        moving(0.5, None)
    );
    assert_eq!(moving(0.0, None).blend(&Door::Open(1.0), 0.1), Door::Open(1.0));
    assert_eq!(Door::Closed.blend(&Door::Open(1.0), 0.0), Door::Closed);
    assert_eq!(Door::Closed.blend(&Door::Closed, 0.5), Door::Closed);
}

#[test]
fn a_derived_state_is_interpolated_and_its_ends_are_bit_identical() {
    let mut state = Smoothed::new(Pair(-0.0, "stand"));
    state.begin_step();
    state.set(Pair(1.0, "walk"));
    assert_eq!(state.at(0.0).0.to_bits(), (-0.0_f32).to_bits());
    assert_eq!(state.at(0.0).1, "stand");
    assert_eq!(state.at(0.5), Pair(0.5, "walk"));
}

// Generic types that contain themselves: in containers, under another order of parameters, beside associated types.

#[derive(Inspect)]
struct Node<T> {
    value: T,
    children: Vec<Node<T>>,
}

#[derive(Inspect)]
enum Tree<K, T: Iterator, const N: usize>
where
    T::Item: Inspect,
{
    Leaf([K; N]),
    Twins(Box<(Self, Tree<K, T, N>)>),
    Named(BTreeMap<K, Self>),
    Marked(Vec<(T::Item, Tree<K, T, N>)>),
}

#[derive(Inspect)]
struct Chain<A, B> {
    link: A,
    next: Option<Box<Chain<B, A>>>,
}

#[derive(Inspect)]
struct Member<'a, T: ?Sized> {
    name: &'a T,
    parent: Option<&'a Member<'a, T>>,
}

/// Blends as far as both lists reach.
#[derive(Debug, PartialEq)]
struct List<T>(Vec<T>);

impl<T: Blend> Blend for List<T> {
    fn blend(&self, newer: &Self, t: f64) -> Self {
        Self(
            self.0
                .iter()
                .zip(&newer.0)
                .map(|(older, newer)| older.blend(newer, t))
                .collect(),
        )
    }
}

#[derive(Blend, Debug, PartialEq)]
struct Limb<T> {
    angle: T,
    limbs: List<Limb<T>>,
}

#[test]
fn generic_types_that_contain_themselves_implement_both_traits() {
    let node = |value| Node {
        value,
        children: vec![Node {
            value: 2.0,
            children: vec![],
        }],
    };
    assert_ne!(inspect::hash(&node(1.0)), inspect::hash(&node(3.0)));

    type Words<'a> = Tree<u8, std::str::Chars<'a>, 2>;
    let leaf = |value| Words::Leaf([value; 2]);
    let tree = |value| {
        Words::Twins(Box::new((
            Words::Named(BTreeMap::from([(1, leaf(value))])),
            Words::Marked(vec![('a', leaf(0))]),
        )))
    };
    assert_ne!(inspect::hash(&tree(1)), inspect::hash(&tree(2)));

    let chain = |link| Chain {
        link: 1_u8,
        next: Some(Box::new(Chain { link, next: None })),
    };
    assert_ne!(inspect::hash(&chain('a')), inspect::hash(&chain('b')));

    let root = Member {
        name: "root",
        parent: None,
    };
    let branch = Member {
        name: "root",
        parent: Some(&root),
    };
    assert_ne!(inspect::hash(&root), inspect::hash(&branch));

    let limb = |angle| Limb {
        angle,
        limbs: List(vec![Limb {
            angle,
            limbs: List(vec![]),
        }]),
    };
    assert_eq!(limb(0.0).blend(&limb(2.0), 0.5), limb(1.0));
}

#[test]
fn a_variant_is_hashed_by_its_place_and_not_by_its_name() {
    #[derive(Inspect)]
    enum Kind {
        Walks(u8),
        Swims(u8),
        Flies { height: u8 },
    }
    #[derive(Inspect)]
    enum Renamed {
        Goes(u8),
        Dives(u8),
        Soars { height: u8 },
    }
    let kinds = [Kind::Walks(1), Kind::Swims(1), Kind::Flies { height: 1 }].map(|kind| inspect::hash(&kind));
    let renamed = [Renamed::Goes(1), Renamed::Dives(1), Renamed::Soars { height: 1 }];
    assert_eq!(kinds, renamed.map(|kind| inspect::hash(&kind)));
    assert!(kinds[0] != kinds[1] && kinds[1] != kinds[2] && kinds[0] != kinds[2]);
}
