//! An angle that blends along the shorter arc.

use core::f64::consts::{PI, TAU};

use crate::drawing::Blend;
use crate::drawing::blend::between;

/// An angle in radians, of any winding, which is blended the shortest way round. For the rotation of a body, which turns vectors, there is
/// `poses::Rot2`.
///
/// ```
/// use evenstep::{Angle, Blend};
///
/// let blended = Angle::degrees(170.0).blend(&Angle::degrees(-170.0), 0.5);
/// assert!((blended.radians() - std::f64::consts::PI).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Angle(f64);

impl Angle {
    /// An angle in radians.
    #[must_use]
    pub const fn new(radians: f64) -> Self {
        Self(radians)
    }

    /// An angle in degrees.
    #[must_use]
    pub const fn degrees(degrees: f64) -> Self {
        Self(degrees.to_radians())
    }

    /// The angle in radians, with its windings.
    #[must_use]
    pub const fn radians(self) -> f64 {
        self.0
    }

    /// The shortest turn from this angle to another: radians from −π to π. NaN if one of them is; beyond 2^63 windings it says nothing.
    #[must_use]
    pub const fn turn_to(self, other: Self) -> f64 {
        let turn = other.0 - self.0;
        let windings = turn / TAU;
        // Rounding by conversion needs no maths library; beyond 2^63 windings an angle has no direction any more.
        let nearest = (windings + 0.5_f64.copysign(windings)) as i64 as f64;
        (turn - nearest * TAU).clamp(-PI, PI)
    }
}

impl Blend for Angle {
    #[inline]
    fn blend(&self, newer: &Self, t: f64) -> Self {
        between(*self, *newer, t, || Self(self.0 - newer.turn_to(*self) * t))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_way_is_never_longer_than_half_a_turn(a in -1e4..1e4_f64, b in -1e4..1e4_f64, t in 0.0..1.0_f64) {
            let (older, newer) = (Angle::new(a), Angle::new(b));
            let blended = older.blend(&newer, t);
            prop_assert!((blended.radians() - a).abs() <= PI + 1e-9);
            let arrived = a + older.turn_to(newer);
            prop_assert!(((arrived - b) / TAU - ((arrived - b) / TAU).round()).abs() < 1e-9);
        }
    }

    proptest! {
        #[test]
        fn an_angle_that_rests_keeps_every_bit(a in any::<f64>(), t in 0.0..1.0_f64) {
            prop_assume!(a.is_finite());
            for angle in [a, a % TAU, 0.0, -0.0].map(Angle::new) {
                prop_assert_eq!(angle.blend(&angle, t).radians().to_bits(), angle.radians().to_bits());
            }
        }
    }

    #[test]
    fn windings_make_no_difference() {
        let turn = Angle::new(0.1).turn_to(Angle::new(0.3 + 7.0 * TAU));
        assert!((turn - 0.2).abs() < 1e-12);
    }
}
