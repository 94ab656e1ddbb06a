//! `Inspect` for the types of the standard library.

#[cfg(feature = "alloc")]
use alloc::{
    boxed::Box,
    collections::{BTreeMap, BTreeSet, VecDeque},
    string::String,
    vec::Vec,
};
use core::marker::PhantomData;
use core::num::{
    NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroU8, NonZeroU16, NonZeroU32, NonZeroU64, NonZeroUsize,
    Wrapping,
};
use core::time::Duration;

use crate::inspect::visit::{Inspect, Leaf, Visitor};

macro_rules! leaves {
    ($($ty:ty: |$value:ident| $leaf:expr;)*) => {$(
        impl Inspect for $ty {
            #[inline]
            fn visit(&self, visitor: &mut impl Visitor) {
                let $value = *self;
                visitor.leaf($leaf);
            }
        }
    )*};
}

leaves! {
    bool: |value| Leaf::Bool(value);
    char: |value| Leaf::Char(value);
    u8: |value| Leaf::Unsigned(value.into());
    u16: |value| Leaf::Unsigned(value.into());
    u32: |value| Leaf::Unsigned(value.into());
    u64: |value| Leaf::Unsigned(value);
    usize: |value| Leaf::Unsigned(value as u64);
    i8: |value| Leaf::Signed(value.into());
    i16: |value| Leaf::Signed(value.into());
    i32: |value| Leaf::Signed(value.into());
    i64: |value| Leaf::Signed(value);
    isize: |value| Leaf::Signed(value as i64);
    u128: |value| Leaf::Unsigned128(value);
    i128: |value| Leaf::Signed128(value);
    f32: |value| Leaf::F32(value);
    f64: |value| Leaf::F64(value);
    NonZeroU8: |value| Leaf::Unsigned(value.get().into());
    NonZeroU16: |value| Leaf::Unsigned(value.get().into());
    NonZeroU32: |value| Leaf::Unsigned(value.get().into());
    NonZeroU64: |value| Leaf::Unsigned(value.get());
    NonZeroUsize: |value| Leaf::Unsigned(value.get() as u64);
    NonZeroI8: |value| Leaf::Signed(value.get().into());
    NonZeroI16: |value| Leaf::Signed(value.get().into());
    NonZeroI32: |value| Leaf::Signed(value.get().into());
    NonZeroI64: |value| Leaf::Signed(value.get());
}

impl Inspect for str {
    #[inline]
    fn visit(&self, visitor: &mut impl Visitor) {
        visitor.leaf(Leaf::Text(self));
    }
}

impl Inspect for () {
    #[inline]
    fn visit(&self, visitor: &mut impl Visitor) {
        visitor.leaf(Leaf::Unit);
    }
}

impl<T: ?Sized> Inspect for PhantomData<T> {
    #[inline]
    fn visit(&self, visitor: &mut impl Visitor) {
        visitor.leaf(Leaf::Unit);
    }
}

impl<T: Inspect> Inspect for Wrapping<T> {
    #[inline]
    fn visit(&self, visitor: &mut impl Visitor) {
        self.0.visit(visitor);
    }
}

impl Inspect for Duration {
    #[inline]
    fn visit(&self, visitor: &mut impl Visitor) {
        visitor.field("secs", &self.as_secs());
        visitor.field("nanos", &self.subsec_nanos());
    }
}

macro_rules! same_as_target {
    ($([$($param:tt)*] $ty:ty)*) => {$(
        impl<$($param)*> Inspect for $ty {
            #[inline]
            fn visit(&self, visitor: &mut impl Visitor) {
                (**self).visit(visitor);
            }
        }
    )*};
}

same_as_target! { [T: Inspect + ?Sized] &T }

#[cfg(feature = "alloc")]
same_as_target! { [T: Inspect + ?Sized] Box<T> [] String [T: Inspect] Vec<T> }

impl<T: Inspect> Inspect for Option<T> {
    #[inline]
    fn visit(&self, visitor: &mut impl Visitor) {
        let (index, name) = match self {
            None => (0, "None"),
            Some(_) => (1, "Some"),
        };
        visitor.leaf(Leaf::Variant { index, name });
        if let Some(value) = self {
            visitor.field("0", value);
        }
    }
}

#[inline]
fn elements<'a, T: Inspect + 'a>(values: impl IntoIterator<Item = &'a T>, visitor: &mut impl Visitor) {
    for (index, value) in values.into_iter().enumerate() {
        visitor.element(index, value);
    }
}

impl<T: Inspect, const N: usize> Inspect for [T; N] {
    #[inline]
    fn visit(&self, visitor: &mut impl Visitor) {
        if N == 0 {
            visitor.leaf(Leaf::Unit);
        }
        elements(self, visitor);
    }
}

impl<T: Inspect> Inspect for [T] {
    #[inline]
    fn visit(&self, visitor: &mut impl Visitor) {
        visitor.leaf(Leaf::Length(self.len()));
        elements(self, visitor);
    }
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),*))*) => {$(
        impl<$($name: Inspect),*> Inspect for ($($name,)*) {
            #[inline]
            fn visit(&self, visitor: &mut impl Visitor) {
                $(visitor.field(stringify!($index), &self.$index);)*
            }
        }
    )*};
}

tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
}

#[cfg(feature = "alloc")]
impl<T: Inspect> Inspect for VecDeque<T> {
    #[inline]
    fn visit(&self, visitor: &mut impl Visitor) {
        visitor.leaf(Leaf::Length(self.len()));
        elements(self, visitor);
    }
}

#[cfg(feature = "alloc")]
impl<K: Inspect, T: Inspect> Inspect for BTreeMap<K, T> {
    fn visit(&self, visitor: &mut impl Visitor) {
        visitor.leaf(Leaf::Length(self.len()));
        for (key, value) in self {
            visitor.entry(key, value);
        }
    }
}

/// Its values are the keys of entries without a value.
#[cfg(feature = "alloc")]
impl<K: Inspect> Inspect for BTreeSet<K> {
    fn visit(&self, visitor: &mut impl Visitor) {
        visitor.leaf(Leaf::Length(self.len()));
        for key in self {
            visitor.entry(key, &());
        }
    }
}
