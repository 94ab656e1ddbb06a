//! The trait of states that can be interpolated.

/// A state that can be drawn between two of its values.
///
/// `older.blend(&newer, t)` is `older` at `t ≤ 0` and `newer` at `t ≥ 1`, both bit-identical, and on the straight or the
/// shortest way between them otherwise. Equal states blend to a bit-identical state, so resting bodies do not tremble: numbers
/// are finite for that.
///
/// Floats, integers (rounded to the nearest), arrays, tuples and `Option` blend element by element; `None` beside `Some`
/// is not blended, the newer one counts. A matrix as an array of arrays shears on that way: keep it as
/// [`Affine2`](crate::poses::Affine2) or [`Affine3`](crate::poses::Affine3). For types of your own there is `#[derive(Blend)]`, with the feature `derive`:
/// every field is blended, but those marked `#[blend(step)]` take the newer value, those marked `#[blend(skip)]` are
/// left at their default, and `#[blend(with = path)]` names a function to use.
///
/// ```
/// use evenstep::{Angle, Blend};
///
/// assert_eq!([0.0, 10.0].blend(&[1.0, 20.0], 0.25), [0.25, 12.5]);
/// assert_eq!(Some(3_u8).blend(&None, 0.5), None);
/// // 350° to 10° goes through 0°, not back through 180°.
/// let (older, newer) = (Angle::degrees(350.0), Angle::degrees(10.0));
/// assert!((older.blend(&newer, 0.5).radians() - Angle::degrees(360.0).radians()).abs() < 1e-12);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be drawn between two states: it is no `Blend`",
    note = "glam: the feature `glam` of evenstep is for glam 0.33, as in Bevy 0.20, `glam-032` for ggez 0.10, `glam-027` for macroquad 0.4",
    note = "a vector of any other version or crate: its array, or a function by `#[blend(with = path)]` of the field",
    note = "a type of your own: `#[derive(Blend)]`, with the feature `derive`"
)]
pub trait Blend {
    /// The state at `t` of the way from this one to `newer`.
    #[must_use]
    fn blend(&self, newer: &Self, t: f64) -> Self;
}

/// Reproduces both ends bit-identically.
#[inline]
pub(crate) fn between<T: Copy>(older: T, newer: T, t: f64, inside: impl FnOnce() -> T) -> T {
    if t <= 0.0 {
        older
    } else if t >= 1.0 {
        newer
    } else {
        inside()
    }
}

/// Implements [`Blend`] field by field.
macro_rules! blend_fields {
    ($($ty:ident $(<$param:ident>)? { $($name:ident)* })*) => {$(
        impl $(<$param: Blend>)? Blend for $ty $(<$param>)? {
            #[inline]
            fn blend(&self, newer: &Self, t: f64) -> Self {
                Self { $($name: self.$name.blend(&newer.$name, t)),* }
            }
        }
    )*};
}
pub(crate) use blend_fields;

macro_rules! blend_floats {
    ($($float:ty)*) => {$(
        impl Blend for $float {
            #[inline]
            fn blend(&self, newer: &Self, t: f64) -> Self {
                // Written as a subtracted offset, so that a resting value of -0.0 keeps its sign.
                between(*self, *newer, t, || self - (self - newer) * t as $float)
            }
        }
    )*};
}

macro_rules! blend_integers {
    ($($integer:ty)*) => {$(
        impl Blend for $integer {
            #[inline]
            fn blend(&self, newer: &Self, t: f64) -> Self {
                between(*self, *newer, t, || {
                    let way = (*newer as i128 - *self as i128) as f64 * t;
                    (*self as i128 + (way + 0.5_f64.copysign(way)) as i128) as $integer
                })
            }
        }
    )*};
}

blend_floats! { f32 f64 }
blend_integers! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

impl<T: Blend, const N: usize> Blend for [T; N] {
    #[inline]
    fn blend(&self, newer: &Self, t: f64) -> Self {
        core::array::from_fn(|index| self[index].blend(&newer[index], t))
    }
}

impl<T: Blend + Clone> Blend for Option<T> {
    #[inline]
    fn blend(&self, newer: &Self, t: f64) -> Self {
        match (self, newer) {
            (Some(older), Some(newer)) => Some(older.blend(newer, t)),
            _ if t <= 0.0 => self.clone(),
            _ => newer.clone(),
        }
    }
}

impl Blend for () {
    fn blend(&self, (): &Self, _: f64) -> Self {}
}

macro_rules! blend_tuples {
    ($(($($name:ident $index:tt),*))*) => {$(
        impl<$($name: Blend),*> Blend for ($($name,)*) {
            #[inline]
            fn blend(&self, newer: &Self, t: f64) -> Self {
                ($(self.$index.blend(&newer.$index, t),)*)
            }
        }
    )*};
}

blend_tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn both_ends_are_reproduced_bit_for_bit() {
        for (older, newer) in [
            (-0.0, 1.0),
            (1.0, -0.0),
            (f64::INFINITY, 1.0),
            (1e-320, 1e308),
            (0.1, 0.3),
        ] {
            assert_eq!(older.blend(&newer, 0.0).to_bits(), older.to_bits());
            assert_eq!(older.blend(&newer, 1.0).to_bits(), newer.to_bits());
        }
    }

    #[test]
    fn integers_round_to_the_nearest() {
        assert_eq!(0_i32.blend(&-3, 0.5), -2);
        assert_eq!(10_u8.blend(&0, 0.26), 7);
        assert_eq!(u64::MIN.blend(&u64::MAX, 0.5), 1 << 63);
        assert_eq!(i64::MIN.blend(&i64::MAX, 1.0), i64::MAX);
    }

    proptest! {
        #[test]
        fn floats_move_steadily_from_one_to_the_other(a in -1e6..1e6_f64, b in -1e6..1e6_f64, s in 0.0..1.0_f64, t in 0.0..1.0_f64) {
            let (first, second) = if s <= t { (s, t) } else { (t, s) };
            let (x, y) = (a.blend(&b, first), a.blend(&b, second));
            let ordered = if a <= b { x <= y } else { x >= y };
            prop_assert!(ordered);
        }

        #[test]
        fn equal_states_blend_to_the_same_bits(a in any::<f32>(), b in any::<f64>(), c in any::<i64>(), t in 0.0..1.0_f64) {
            prop_assume!(a.is_finite() && b.is_finite());
            for (a, b) in [(a, b), (0.0, 0.0), (-0.0, -0.0)] {
                prop_assert_eq!(a.blend(&a, t).to_bits(), a.to_bits());
                prop_assert_eq!(b.blend(&b, t).to_bits(), b.to_bits());
                let all = ([a; 3], Some(b), c);
                let blended = all.blend(&all, t);
                prop_assert_eq!(blended.0.map(f32::to_bits), [a.to_bits(); 3]);
                prop_assert_eq!((blended.1.map(f64::to_bits), blended.2), (Some(b.to_bits()), c));
            }
        }

        #[test]
        fn integers_stay_between_their_ends(a in any::<i64>(), b in any::<i64>(), t in 0.0..1.0_f64) {
            let blended = a.blend(&b, t);
            prop_assert!(a.min(b) <= blended && blended <= a.max(b));
        }
    }
}
