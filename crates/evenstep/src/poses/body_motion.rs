//! A pose with velocities.

use crate::drawing::blend::{between, blend_fields};
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

blend_fields! {
    Motion2 { pose velocity angular_velocity }
    Motion3 { pose velocity angular_velocity }
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

    /// The angular velocities decide how many times it turned.
    fn hermite(&self, newer: &Self, t: f64, dt: f64) -> Self {
        between(*self, *newer, t, || {
            let turn = |position: f32, velocity: f32| PositionVelocity { position, velocity };
            let by_velocity = (0.5 * self.angular_velocity + 0.5 * newer.angular_velocity) * dt as f32;
            let rest = self.pose.rotation.turned(by_velocity).turn_to(newer.pose.rotation);
            let end = turn(by_velocity + rest, newer.angular_velocity);
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

impl Extrapolate for Motion3 {
    fn extrapolate(&self, seconds: f64) -> Self {
        let position = self.linear().extrapolate(seconds).position;
        let turn = Quat::from_scaled_axis(self.angular_velocity.map(|part| part * seconds as f32));
        Self {
            pose: Pose3::new(position, turn.after(self.pose.rotation)),
            ..*self
        }
    }

    /// The angular velocities decide how many times it turned. Exact for rotations about one axis; the turn is treated as a vector, which
    /// for other turns within a step is as good.
    fn hermite(&self, newer: &Self, t: f64, dt: f64) -> Self {
        between(*self, *newer, t, || {
            let rotation = self.pose.rotation;
            let velocities = |first: f32, last: f32| {
                core::array::from_fn(|axis| self.angular_velocity[axis] * first + newer.angular_velocity[axis] * last)
            };
            // The turn by the velocities, and the small one that is left from there to the end.
            let half = 0.5 * dt as f32;
            let by_velocity = Quat::from_scaled_axis(velocities(half, half)).after(rotation);
            let rest = newer.pose.rotation.after(by_velocity.inverse()).to_scaled_axis();
            // Of the curve whose end is the turn by the velocities.
            let (way, first, last) = hermite_weights(t);
            let (first, last) = ((first + 0.5 * way) * dt, (last + 0.5 * way) * dt);
            let turned = Quat::from_scaled_axis(velocities(first as f32, last as f32)).after(rotation);
            let rest = Quat::from_scaled_axis(rest.map(|part| part * way as f32));
            let linear = self.linear().hermite(&newer.linear(), t, dt);
            Self {
                pose: Pose3::new(linear.position, rest.after(turned)),
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
    fn a_wheel_that_turns_by_more_than_half_a_turn_in_a_step_is_drawn_along_its_turn() {
        // Half a turn, whole turns and what is between, in both directions, at an even and at a growing speed.
        let dt = 1.0 / 60.0;
        for turn in (-80..=80).map(|quarters| quarters as f32 * core::f32::consts::FRAC_PI_4 + 0.1) {
            for speed_up in [0.0, 0.4] {
                let angle = |t: f32| turn * (t + speed_up * t * t);
                let velocity = |t: f32| turn * (1.0 + 2.0 * speed_up * t) / dt;
                let flat = |t: f32| Motion2 {
                    pose: Pose2::new([0.0; 2], Rot2::from_radians(1.0 + angle(t))),
                    velocity: [0.0; 2],
                    angular_velocity: velocity(t),
                };
                let along = |turn: f32| [0.6, 0.0, 0.8].map(|part| part * turn);
                let deep = |t: f32| Motion3 {
                    pose: Pose3::new([0.0; 3], Quat::from_scaled_axis(along(1.0 + angle(t)))),
                    velocity: [0.0; 3],
                    angular_velocity: along(velocity(t)),
                };
                for t in (1..10).map(|tenth| tenth as f32 / 10.0) {
                    let (flat_drawn, deep_drawn) = (
                        flat(0.0).hermite(&flat(1.0), f64::from(t), f64::from(dt)).pose.rotation,
                        deep(0.0).hermite(&deep(1.0), f64::from(t), f64::from(dt)).pose.rotation,
                    );
                    let off = deep(t).pose.rotation.after(deep_drawn.inverse()).to_scaled_axis();
                    let off = [flat_drawn.turn_to(flat(t).pose.rotation), off[0], off[1], off[2]];
                    assert!(off.iter().all(|off| off.abs() < 1e-3), "{off:?} for {turn} at {t}");
                }
            }
        }
    }

    #[test]
    fn a_body_whose_velocities_do_not_explain_its_turn_is_drawn_from_its_first_pose_to_its_last() {
        let at = |angle: f32, angular_velocity: f32| Motion3 {
            pose: Pose3::new([0.0; 3], Quat::from_scaled_axis([angle, 0.0, 0.0])),
            velocity: [0.0; 3],
            angular_velocity: [0.0, angular_velocity, 0.0],
        };
        let (older, newer) = (at(0.0, 50.0), at(2.0, -7.0));
        for (t, end) in [(1e-4, older), (1.0 - 1e-4, newer)] {
            let drawn = older.hermite(&newer, t, 0.1).pose.rotation;
            let off = end.pose.rotation.after(drawn.inverse()).to_scaled_axis();
            assert!(off.iter().all(|off| off.abs() < 1e-2), "{off:?} at {t}");
        }
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
