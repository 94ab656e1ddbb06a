//! A pose with velocities.

use crate::drawing::blend::between;
use crate::drawing::motion::hermite_weights;
use crate::drawing::{Blend, Extrapolate, PositionVelocity};
use crate::poses::{Pose2, Pose3, Quat};

/// A pose in the plane with its velocities.
///
/// ```
/// use evenstep::Extrapolate;
/// use evenstep::poses::{Motion2, Pose2};
///
/// let wheel = Motion2 { pose: Pose2::IDENTITY, velocity: [2.0, 0.0], angular_velocity: 1.0 };
/// let ahead = wheel.extrapolate(0.5);
/// assert_eq!(ahead.pose.position, [1.0, 0.0]);
/// assert!((ahead.pose.rotation.radians() - 0.5).abs() < 1e-6);
/// ```
///
/// Exhaustive: no field will be added.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Motion2 {
    /// Where it is.
    pub pose: Pose2,
    /// Units of length per second.
    pub velocity: [f32; 2],
    /// Radians per second, counter-clockwise.
    pub angular_velocity: f32,
}

impl Motion2 {
    fn linear(&self) -> PositionVelocity<[f32; 2]> {
        PositionVelocity {
            position: self.pose.position,
            velocity: self.velocity,
        }
    }
}

impl Blend for Motion2 {
    #[inline]
    fn blend(&self, newer: &Self, t: f64) -> Self {
        Self {
            pose: self.pose.blend(&newer.pose, t),
            velocity: self.velocity.blend(&newer.velocity, t),
            angular_velocity: self.angular_velocity.blend(&newer.angular_velocity, t),
        }
    }
}

impl Extrapolate for Motion2 {
    fn extrapolate(&self, seconds: f64) -> Self {
        let position = self.linear().extrapolate(seconds).position;
        let rotation = self.pose.rotation.turned(self.angular_velocity * seconds as f32);
        Self {
            pose: Pose2::new(position, rotation),
            ..*self
        }
    }

    fn hermite(&self, newer: &Self, t: f64, dt: f64) -> Self {
        between(*self, *newer, t, || {
            let turn = |position: f32, velocity: f32| PositionVelocity { position, velocity };
            let end = turn(self.pose.rotation.turn_to(newer.pose.rotation), newer.angular_velocity);
            let turned = turn(0.0, self.angular_velocity).hermite(&end, t, dt);
            let linear = self.linear().hermite(&newer.linear(), t, dt);
            Self {
                pose: Pose2::new(linear.position, self.pose.rotation.turned(turned.position)),
                velocity: linear.velocity,
                angular_velocity: turned.velocity,
            }
        })
    }
}

/// A pose in space with its velocities.
///
/// ```
/// use evenstep::Extrapolate;
/// use evenstep::poses::{Motion3, Pose3};
///
/// let top = Motion3 { pose: Pose3::IDENTITY, velocity: [0.0; 3], angular_velocity: [0.0, 4.0, 0.0] };
/// let ahead = top.extrapolate(0.25);
/// assert!((ahead.pose.rotation.to_scaled_axis()[1] - 1.0).abs() < 1e-6);
/// ```
///
/// Exhaustive: no field will be added.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Motion3 {
    /// Where it is.
    pub pose: Pose3,
    /// Units of length per second.
    pub velocity: [f32; 3],
    /// Radians per second about the world's axes.
    pub angular_velocity: [f32; 3],
}

impl Motion3 {
    fn linear(&self) -> PositionVelocity<[f32; 3]> {
        PositionVelocity {
            position: self.pose.position,
            velocity: self.velocity,
        }
    }
}

impl Blend for Motion3 {
    #[inline]
    fn blend(&self, newer: &Self, t: f64) -> Self {
        Self {
            pose: self.pose.blend(&newer.pose, t),
            velocity: self.velocity.blend(&newer.velocity, t),
            angular_velocity: self.angular_velocity.blend(&newer.angular_velocity, t),
        }
    }
}

impl Extrapolate for Motion3 {
    fn extrapolate(&self, seconds: f64) -> Self {
        let position = self.linear().extrapolate(seconds).position;
        let turn = Quat::from_scaled_axis(self.angular_velocity.map(|part| part * seconds as f32));
        Self {
            pose: Pose3::new(position, turn.after(self.pose.rotation)),
            ..*self
        }
    }

    /// Exact for rotations about one axis; the turn is treated as a vector, which for the turns within a step is as
    /// good.
    fn hermite(&self, newer: &Self, t: f64, dt: f64) -> Self {
        between(*self, *newer, t, || {
            let rotation = self.pose.rotation;
            let end = newer.pose.rotation.after(rotation.inverse()).to_scaled_axis();
            let (way, first, last) = hermite_weights(t);
            let (way, first, last) = (way as f32, (first * dt) as f32, (last * dt) as f32);
            let turn = core::array::from_fn(|axis| {
                end[axis] * way + self.angular_velocity[axis] * first + newer.angular_velocity[axis] * last
            });
            let linear = self.linear().hermite(&newer.linear(), t, dt);
            Self {
                pose: Pose3::new(linear.position, Quat::from_scaled_axis(turn).after(rotation)),
                velocity: linear.velocity,
                angular_velocity: self.angular_velocity.blend(&newer.angular_velocity, t),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poses::Rot2;

    #[test]
    fn a_wheel_that_turns_evenly_is_drawn_where_it_is() {
        let at = |time: f32| Motion2 {
            pose: Pose2::new([3.0 * time, 0.0], Rot2::from_radians(2.0 * time)),
            velocity: [3.0, 0.0],
            angular_velocity: 2.0,
        };
        let drawn = at(0.0).hermite(&at(0.5), 0.3, 0.5);
        assert!((drawn.pose.rotation.radians() - 0.3).abs() < 1e-6);
        assert!((drawn.pose.position[0] - 0.45).abs() < 1e-6);
    }

    #[test]
    fn a_top_that_spins_up_is_drawn_on_its_curve() {
        // Angle t², so angular velocity 2t, about z.
        let at = |time: f32| Motion3 {
            pose: Pose3::new([0.0; 3], Quat::from_scaled_axis([0.0, 0.0, time * time])),
            velocity: [0.0; 3],
            angular_velocity: [0.0, 0.0, 2.0 * time],
        };
        let drawn = at(0.0).hermite(&at(1.0), 0.5, 1.0);
        assert!((drawn.pose.rotation.to_scaled_axis()[2] - 0.25).abs() < 1e-6);
    }
}
