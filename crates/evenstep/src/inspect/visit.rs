//! The traits of states that are read field by field, and of their readers.

use core::fmt;

/// A state whose values can be visited in a fixed order, each with its path.
///
/// Use it to find the field in which two machines differ. Derive it with the feature `derive`. `#[inspect(skip)]` leaves out a field
/// that no step reads. There are implementations for the numbers, `bool`, `char`, strings, arrays, tuples, `Option`, `Box`, `Vec`,
/// `VecDeque`, `BTreeMap` and `BTreeSet`, for evenstep's own states, and with its features for the vectors of `glam`.
///
/// `HashMap` and `HashSet` have none, because two machines iterate over them in different orders:
///
#[cfg_attr(feature = "std", doc = "```compile_fail")]
#[cfg_attr(not(feature = "std"), doc = "```ignore")]
/// let scores = std::collections::HashMap::from([("ann", 1)]);
/// evenstep::inspect::hash(&scores);
/// ```
///
/// By hand, for a type whose fields are private to another crate:
///
/// ```
/// use evenstep::inspect::{self, Inspect, Visitor};
///
/// struct Body {
///     mass: f32,
///     position: [f32; 2],
/// }
///
/// impl Inspect for Body {
///     fn visit(&self, visitor: &mut impl Visitor) {
///         visitor.field("mass", &self.mass);
///         visitor.field("position", &self.position);
///     }
/// }
///
/// let body = Body { mass: 0.0, position: [1.0, 2.0] };
/// assert_ne!(inspect::hash(&body), inspect::hash(&Body { mass: -0.0, ..body }));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read field by field",
    label = "does not implement `Inspect`",
    note = "for a type of your own: `#[derive(Inspect)]`, or `#[inspect(skip)]` on a field that no step reads",
    note = "`HashMap` and `HashSet` have no order that two machines share: use `BTreeMap` and `BTreeSet`, or sort first"
)]
pub trait Inspect {
    /// Visits every value, in an order that depends on the state alone.
    fn visit(&self, visitor: &mut impl Visitor);
}

/// Implements [`Inspect`] field by field.
macro_rules! inspect_fields {
    ($($ty:ident $(<$param:ident>)? { $($name:ident)* })*) => {$(
        impl $(<$param: Inspect>)? Inspect for $ty $(<$param>)? {
            #[inline]
            fn visit(&self, visitor: &mut impl Visitor) {
                $(visitor.field(stringify!($name), &self.$name);)*
            }
        }
    )*};
}
pub(crate) use inspect_fields;

/// A reader of a [`Inspect`]: a hash, a dump, or an implementation of your own.
///
/// Only [`leaf`](Self::leaf) must be implemented. The other methods say where the following leaves are; by default they visit the
/// values and ignore where they are.
pub trait Visitor: Sized {
    /// A value without fields, at the present path.
    fn leaf(&mut self, leaf: Leaf<'_>);

    /// A field of a struct or of an enum's variant; for a tuple its index.
    #[inline]
    fn field(&mut self, name: &'static str, value: &(impl Inspect + ?Sized)) {
        let _ = name;
        value.visit(self);
    }

    /// An element of a sequence.
    #[inline]
    fn element(&mut self, index: usize, value: &(impl Inspect + ?Sized)) {
        let _ = index;
        value.visit(self);
    }

    /// An entry of a map.
    #[inline]
    fn entry(&mut self, key: &(impl Inspect + ?Sized), value: &(impl Inspect + ?Sized)) {
        key.visit(self);
        value.visit(self);
    }
}

/// A value without fields. Its `Display` is the text of a dump: a float has its bits beside it, because NaNs differ by them alone.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Leaf<'a> {
    /// Something without a value: `()`, a struct without fields, an array without elements.
    Unit,
    /// A truth value.
    Bool(bool),
    /// A character.
    Char(char),
    /// An unsigned integer of at most 64 bits; `usize` is one of 64 bits on every machine.
    Unsigned(u64),
    /// A signed integer of at most 64 bits.
    Signed(i64),
    /// A `u128`.
    Unsigned128(u128),
    /// An `i128`.
    Signed128(i128),
    /// An `f32`, which counts by its bits.
    F32(f32),
    /// An `f64`, which counts by its bits.
    F64(f64),
    /// A string.
    Text(&'a str),
    /// The number of elements that follow.
    Length(usize),
    /// The variant of an enum, whose fields follow.
    Variant {
        /// Its place among the variants, from 0.
        index: u32,
        /// Its name.
        name: &'static str,
    },
}

impl fmt::Display for Leaf<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unit => f.write_str("()"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Char(value) => write!(f, "{value:?}"),
            Self::Unsigned(value) => write!(f, "{value}"),
            Self::Signed(value) => write!(f, "{value}"),
            Self::Unsigned128(value) => write!(f, "{value}"),
            Self::Signed128(value) => write!(f, "{value}"),
            Self::F32(value) => write!(f, "{value:?} ({:#010X})", value.to_bits()),
            Self::F64(value) => write!(f, "{value:?} ({:#018X})", value.to_bits()),
            Self::Text(value) => write!(f, "{value:?}"),
            Self::Length(value) => write!(f, "{value}"),
            Self::Variant { name, .. } => f.write_str(name),
        }
    }
}
