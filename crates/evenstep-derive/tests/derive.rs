//! What `#[derive(Blend)]` makes of every kind of type.

use evenstep::{Blend, Smoothed};

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
fn the_same_variant_blends_and_a_different_one_is_drawn_as_it_is() {
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
fn a_derived_state_is_smoothed_and_its_ends_come_back_to_the_bit() {
    let mut state = Smoothed::new(Pair(-0.0, "stand"));
    state.begin_step();
    state.set(Pair(1.0, "walk"));
    assert_eq!(state.at(0.0).0.to_bits(), (-0.0_f32).to_bits());
    assert_eq!(state.at(0.0).1, "stand");
    assert_eq!(state.at(0.5), Pair(0.5, "walk"));
}
