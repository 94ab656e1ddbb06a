//! Rotations in the plane and in space.

use crate::drawing::Blend;
use crate::drawing::blend::between;
use crate::math;
use crate::poses::slerp::Slerp;

/// A rotation in the plane, as the cosine and the sine of its angle. For a number of radians that keeps its windings, there is
/// [`Angle`](crate::Angle).
///
/// Blending takes the shorter way at an even speed, within 10⁻⁶ rad, and after half a turn the counter-clockwise one.
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
        between(*self, *newer, t, || {
            let [cos, sin] = Slerp::at(t as f32).plane([self.cos, self.sin], [newer.cos, newer.sin]);
            Self { cos, sin }
        })
    }
}

/// A rotation in space, as a unit quaternion.
///
/// Blending takes the shorter arc at an even speed (*slerp*, K. Shoemake 1985), within 10⁻⁶ rad.
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
        let angle = math::sqrt_f32(axis.iter().map(|part| part * part).sum());
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
        let sin = math::sqrt_f32(shorter.x * shorter.x + shorter.y * shorter.y + shorter.z * shorter.z);
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
            let ends = [self, newer].map(|quat| [quat.x, quat.y, quat.z, quat.w]);
            let [x, y, z, w] = Slerp::at(t as f32).space(ends[0], ends[1]);
            Self::new(x, y, z, w)
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

    #[test]
    fn half_a_turn_in_the_plane_goes_counter_clockwise() {
        let half = Rot2 { cos: -1.0, sin: 0.0 };
        for t in [0.1, 0.25, 0.5, 0.9] {
            let way = Rot2::IDENTITY.blend(&half, t).radians();
            assert!((way - t as f32 * PI).abs() < 1e-6, "{way} at {t}");
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
        fn an_axis_survives_the_way_through_a_quaternion(axis in [-1.5..1.5_f32, -1.5..1.5, -1.5..1.5]) {
            let back = Quat::from_scaled_axis(axis).to_scaled_axis();
            for (one, other) in axis.iter().zip(back) {
                prop_assert!((one - other).abs() < 1e-4);
            }
        }
    }
}
