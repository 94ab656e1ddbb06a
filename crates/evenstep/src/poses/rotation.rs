//! Rotations in the plane and in space.

use crate::drawing::Blend;
use crate::drawing::blend::{between, unless_equal};
use crate::numeric::math;

/// Below this angle between two unit quaternions, as the cosine of half of it, a normalised straight line is as good
/// as the arc: it deviates by less than 10⁻⁶ rad.
pub(crate) const NEARLY_EQUAL: f32 = 0.9995;

/// How far the square of a length may be from 1 for [`inverse_root_near_one`]: a turn of 15° from end to end.
const NEARLY_ONE: f32 = 0.018;

/// 1/√x. Many at once, as [`Poses2`](crate::poses::Poses2) blends them, must come to the same bits.
#[inline]
pub(crate) fn inverse_root(x: f32) -> f32 {
    if is_nearly_one(x) {
        inverse_root_near_one(x)
    } else {
        1.0 / math::sqrt(x)
    }
}

#[inline]
pub(crate) fn is_nearly_one(x: f32) -> bool {
    (1.0 - x).abs() <= NEARLY_ONE
}

/// The first terms of the series of 1/√(1 − e). The next one is less than half a rounding, up to [`NEARLY_ONE`]; roots and
/// divisions take longer than all of a blend.
#[inline]
pub(crate) fn inverse_root_near_one(x: f32) -> f32 {
    let e = 1.0 - x;
    1.0 + e * (0.5 + e * (0.375 + e * 0.3125))
}

/// A rotation in the plane, as the cosine and the sine of its angle. For a number of radians that keeps its windings, there is
/// [`Angle`](crate::Angle).
///
/// Blending takes the shorter way, along the chord and back onto the circle: for the turns of a few degrees that
/// happen within a step, the speed along it is even to within a thousandth.
///
/// ```
/// use evenstep::Blend;
/// use evenstep::poses::Rot2;
///
/// let quarter = Rot2::IDENTITY.blend(&Rot2::from_radians(std::f32::consts::PI / 2.0), 0.5);
/// assert!((quarter.radians() - std::f32::consts::PI / 4.0).abs() < 1e-6);
/// ```
///
/// Exhaustive: no field will be added.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rot2 {
    /// Cosine of the angle.
    pub cos: f32,
    /// Sine of the angle.
    pub sin: f32,
}

impl Rot2 {
    /// No rotation.
    pub const IDENTITY: Self = Self { cos: 1.0, sin: 0.0 };

    /// A rotation by an angle in radians, counter-clockwise. Its parts are NaN if the angle is not finite.
    #[must_use]
    pub fn from_radians(radians: f32) -> Self {
        let (sin, cos) = math::sin_cos(radians);
        Self { cos, sin }
    }

    /// Its angle in radians, from −π to π.
    #[must_use]
    pub fn radians(self) -> f32 {
        math::atan2(self.sin, self.cos)
    }

    /// The turn from this rotation to another in radians, from −π to π.
    #[must_use]
    pub fn turn_to(self, other: Self) -> f32 {
        let cross = self.cos * other.sin - self.sin * other.cos;
        let dot = self.cos * other.cos + self.sin * other.sin;
        math::atan2(cross, dot)
    }

    /// This rotation turned further by an angle in radians.
    #[must_use]
    pub fn turned(self, radians: f32) -> Self {
        let turn = Self::from_radians(radians);
        turn.after(self)
    }

    /// The rotation that turns the other way.
    #[must_use]
    pub const fn inverse(self) -> Self {
        Self {
            cos: self.cos,
            sin: -self.sin,
        }
    }

    /// The rotation that turns by `first`, then by this one.
    #[must_use]
    pub fn after(self, first: Self) -> Self {
        Self {
            cos: first.cos * self.cos - first.sin * self.sin,
            sin: first.sin * self.cos + first.cos * self.sin,
        }
    }

    /// A point or direction, turned.
    #[must_use]
    pub fn rotate(self, [x, y]: [f32; 2]) -> [f32; 2] {
        [self.cos * x - self.sin * y, self.sin * x + self.cos * y]
    }
}

impl Default for Rot2 {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Blend for Rot2 {
    #[inline]
    fn blend(&self, newer: &Self, t: f64) -> Self {
        let inside = || {
            let t = t as f32;
            let cos = self.cos - (self.cos - newer.cos) * t;
            let sin = self.sin - (self.sin - newer.sin) * t;
            let square = cos * cos + sin * sin;
            // Half a turn has no shorter way; its chord leads through the centre.
            if square < 1e-6 {
                return if t < 0.5 { *self } else { *newer };
            }
            let scale = inverse_root(square);
            Self {
                cos: cos * scale,
                sin: sin * scale,
            }
        };
        between(*self, *newer, t, || unless_equal(*self, *newer, inside))
    }
}

/// A rotation in space, as a unit quaternion.
///
/// Blending takes the shorter arc at an even speed (*slerp*, K. Shoemake 1985), and the normalised straight line where
/// the two are nearly equal.
///
/// ```
/// use evenstep::Blend;
/// use evenstep::poses::Quat;
///
/// let two_radians = Quat::from_scaled_axis([0.0, 2.0, 0.0]);
/// let one_radian = Quat::IDENTITY.blend(&two_radians, 0.5);
/// assert!((one_radian.to_scaled_axis()[1] - 1.0).abs() < 1e-6);
/// ```
///
/// Exhaustive: no field will be added.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Quat {
    /// Axis x × sine of half the angle.
    pub x: f32,
    /// Axis y × sine of half the angle.
    pub y: f32,
    /// Axis z × sine of half the angle.
    pub z: f32,
    /// Cosine of half the angle.
    pub w: f32,
}

impl Quat {
    /// No rotation.
    pub const IDENTITY: Self = Self::new(0.0, 0.0, 0.0, 1.0);

    /// A quaternion from its parts, whose squares must add up to 1.
    #[must_use]
    pub const fn new(x: f32, y: f32, z: f32, w: f32) -> Self {
        Self { x, y, z, w }
    }

    /// A rotation about the direction of `axis` by its length in radians: none for zero, and of parts that are NaN if it is not finite.
    #[must_use]
    pub fn from_scaled_axis(axis: [f32; 3]) -> Self {
        let angle = math::sqrt(axis.iter().map(|part| part * part).sum());
        if angle == 0.0 {
            return Self::IDENTITY;
        }
        let (sin, cos) = math::sin_cos(angle * 0.5);
        let [x, y, z] = axis.map(|part| part * (sin / angle));
        Self::new(x, y, z, cos)
    }

    /// Its axis times its angle in radians, at most π long.
    #[must_use]
    pub fn to_scaled_axis(self) -> [f32; 3] {
        let shorter = if self.w < 0.0 { self.negated() } else { self };
        let sin = math::sqrt(shorter.x * shorter.x + shorter.y * shorter.y + shorter.z * shorter.z);
        // For small angles the sine is the angle.
        let scale = if sin < 1e-6 {
            2.0
        } else {
            2.0 * math::atan2(sin, shorter.w) / sin
        };
        [shorter.x * scale, shorter.y * scale, shorter.z * scale]
    }

    /// The rotation that turns the other way.
    #[must_use]
    pub const fn inverse(self) -> Self {
        Self::new(-self.x, -self.y, -self.z, self.w)
    }

    /// The rotation that turns by `first`, then by this one.
    #[must_use]
    pub fn after(self, first: Self) -> Self {
        let (a, b) = (self, first);
        Self::new(
            a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
            a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
        )
    }

    /// A point or direction, turned.
    #[must_use]
    pub fn rotate(self, point: [f32; 3]) -> [f32; 3] {
        let cross = |[a, b, c]: [f32; 3]| {
            [
                self.y * c - self.z * b,
                self.z * a - self.x * c,
                self.x * b - self.y * a,
            ]
        };
        let once = cross(point);
        let twice = cross(once);
        core::array::from_fn(|axis| point[axis] + 2.0 * (self.w * once[axis] + twice[axis]))
    }

    fn negated(self) -> Self {
        Self::new(-self.x, -self.y, -self.z, -self.w)
    }

    fn dot(self, other: Self) -> f32 {
        self.x * other.x + self.y * other.y + self.z * other.z + self.w * other.w
    }

    fn towards(self, other: Self, t: f32) -> Self {
        Self::new(
            self.x - (self.x - other.x) * t,
            self.y - (self.y - other.y) * t,
            self.z - (self.z - other.z) * t,
            self.w - (self.w - other.w) * t,
        )
    }

    fn weighted(self, own: f32, other: Self, others: f32) -> Self {
        Self::new(
            self.x * own + other.x * others,
            self.y * own + other.y * others,
            self.z * own + other.z * others,
            self.w * own + other.w * others,
        )
    }

    fn normalized(self) -> Self {
        let scale = inverse_root(self.dot(self));
        Self::new(self.x * scale, self.y * scale, self.z * scale, self.w * scale)
    }
}

impl Default for Quat {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Blend for Quat {
    #[inline]
    fn blend(&self, newer: &Self, t: f64) -> Self {
        between(*self, *newer, t, || {
            let t = t as f32;
            let dot = self.dot(*newer);
            // A quaternion and its negative are the same rotation; the nearer of the two is the shorter way.
            let (target, cos) = if dot < 0.0 {
                (newer.negated(), -dot)
            } else {
                (*newer, dot)
            };
            let inside = || {
                if cos > NEARLY_EQUAL {
                    return self.towards(target, t).normalized();
                }
                let angle = math::acos(cos);
                let (sin_rest, sin_way) = (math::sin_of_quarter((1.0 - t) * angle), math::sin_of_quarter(t * angle));
                self.weighted(sin_rest, target, sin_way).normalized()
            };
            unless_equal(*self, target, inside)
        })
    }
}

#[cfg(test)]
mod tests {
    use core::f32::consts::PI;

    use proptest::prelude::*;

    use super::*;

    fn any_quat() -> impl Strategy<Value = Quat> {
        [-3.0..3.0_f32, -3.0..3.0, -3.0..3.0].prop_map(Quat::from_scaled_axis)
    }

    fn angle_between(a: Quat, b: Quat) -> f32 {
        let [x, y, z] = b.after(a.inverse()).to_scaled_axis();
        (x * x + y * y + z * z).sqrt()
    }

    #[test]
    fn half_a_turn_in_the_plane_has_no_way_and_jumps_in_the_middle() {
        let half = Rot2 { cos: -1.0, sin: 0.0 };
        assert_eq!(Rot2::IDENTITY.blend(&half, 0.4999), Rot2::IDENTITY);
        assert_eq!(Rot2::IDENTITY.blend(&half, 0.5001), half);
    }

    #[test]
    fn the_series_is_as_near_to_one_over_the_root_as_a_root_and_a_division() {
        let mut x = 1.0 - NEARLY_ONE;
        while is_nearly_one(x) {
            let exact = 1.0 / f64::from(x).sqrt();
            let error = (f64::from(inverse_root(x)) - exact).abs();
            assert!(error <= f64::from(f32::EPSILON), "{error:e} at {x}");
            x += 1e-6;
        }
    }

    proptest! {
        #[test]
        fn a_rotation_that_rests_keeps_every_bit(
            angle in -10.0..10.0_f32, turn in any_quat(), size in 0.9..1.1_f32, t in 0.0..1.0_f64,
        ) {
            let plane = Rot2::from_radians(angle);
            // As engines leave them: not quite of length 1.
            for rot in [plane, Rot2 { cos: plane.cos * size, sin: plane.sin * size }, Rot2 { cos: -0.0, sin: -1.0 }] {
                let drawn = rot.blend(&rot, t);
                prop_assert_eq!([drawn.cos.to_bits(), drawn.sin.to_bits()], [rot.cos.to_bits(), rot.sin.to_bits()]);
            }
            let bits = |quat: Quat| [quat.x, quat.y, quat.z, quat.w].map(f32::to_bits);
            let scaled = Quat::new(turn.x * size, turn.y * size, turn.z * size, turn.w * size);
            for quat in [turn, scaled, Quat::new(-0.0, 1.0, -0.0, 0.0)] {
                prop_assert_eq!(bits(quat.blend(&quat, t)), bits(quat));
                prop_assert_eq!(bits(quat.blend(&quat.negated(), t)), bits(quat), "the same turn by its other name");
            }
        }

        #[test]
        fn a_rotation_in_the_plane_stays_on_the_circle_and_turns_the_shorter_way(
            a in -PI..PI, turn in -3.0..3.0_f32, t in 0.0..1.0_f64,
        ) {
            let older = Rot2::from_radians(a);
            let blended = older.blend(&older.turned(turn), t);
            prop_assert!((math::sqrt(blended.cos * blended.cos + blended.sin * blended.sin) - 1.0).abs() < 1e-5);
            let way = older.turn_to(blended);
            prop_assert!(way * turn >= -1e-5 && way.abs() <= turn.abs() + 1e-4, "{way} of {turn}");
        }

        #[test]
        fn a_rotation_in_space_stays_a_unit_and_turns_evenly(a in any_quat(), b in any_quat(), t in 0.0..1.0_f64) {
            let blended = a.blend(&b, t);
            prop_assert!((blended.dot(blended) - 1.0).abs() < 1e-5);
            let whole = angle_between(a, b);
            prop_assert!((angle_between(a, blended) - whole * t as f32).abs() < 3e-3, "{whole}");
        }

        #[test]
        fn a_quaternion_and_its_negative_are_the_same_target(a in any_quat(), b in any_quat(), t in 0.01..0.99_f64) {
            prop_assume!(angle_between(a, b) < 3.1);
            prop_assert!(angle_between(a.blend(&b, t), a.blend(&b.negated(), t)) < 2e-3);
        }

        #[test]
        fn an_axis_survives_the_way_through_a_quaternion(axis in [-1.5..1.5_f32, -1.5..1.5, -1.5..1.5]) {
            let back = Quat::from_scaled_axis(axis).to_scaled_axis();
            for (one, other) in axis.iter().zip(back) {
                prop_assert!((one - other).abs() < 1e-4);
            }
        }
    }
}
