//! The trait that makes the world generic over two and three dimensions: the motion of a body.

use evenstep::poses::{Body, Motion2, Motion3, Pose2, Pose3};
use evenstep::{Extrapolate, Inspect};

use crate::vector::PhysicsVector;

/// A body's pose and velocities, in the plane ([`Motion2`]) or in space ([`Motion3`]).
pub trait BodyMotion: Extrapolate + Inspect + Copy + PartialEq + std::fmt::Debug + 'static {
    /// The type of a position and rotation.
    type Pose: Body + Inspect + PartialEq + std::fmt::Debug;
    /// The type of lengths, velocities and forces.
    type Vector: PhysicsVector;
    /// The type of angular velocities and torques.
    type Angular: PhysicsVector;

    /// A body at rest at a pose.
    fn at(pose: Self::Pose) -> Self;
    /// The pose.
    fn pose(&self) -> Self::Pose;
    /// The same velocities at another pose.
    #[must_use]
    fn with_pose(self, pose: Self::Pose) -> Self;
    /// The position of the body's origin.
    fn position(&self) -> Self::Vector;
    /// The velocity in m/s. For the bodies of an engine, it is the velocity of the centre of mass.
    fn velocity(&self) -> Self::Vector;
    /// The same motion with another velocity.
    #[must_use]
    fn with_velocity(self, velocity: Self::Vector) -> Self;
    /// The angular velocity in radians per second.
    fn angular_velocity(&self) -> Self::Angular;
    /// The torque of a force that acts at the offset `arm` from the centre of mass: `arm × force`.
    fn torque(arm: Self::Vector, force: Self::Vector) -> Self::Angular;
    /// The velocity of a point at the offset `arm` from the axis of a rotation: `angular_velocity × arm`.
    fn tangential_velocity(angular_velocity: Self::Angular, arm: Self::Vector) -> Self::Vector;
    /// All components: position, rotation, velocity, angular velocity.
    fn components(&self) -> impl Iterator<Item = f32>;

    /// Whether all components are finite.
    fn is_finite(&self) -> bool {
        self.components().all(f32::is_finite)
    }
}

/// The types of a motion, and the methods that read and replace its fields.
macro_rules! fields {
    ($pose:ty, $vector:ty, $angular:ty) => {
        type Pose = $pose;
        type Vector = $vector;
        type Angular = $angular;

        #[inline]
        fn at(pose: $pose) -> Self {
            Self {
                pose,
                ..Self::default()
            }
        }

        #[inline]
        fn pose(&self) -> $pose {
            self.pose
        }

        #[inline]
        fn with_pose(self, pose: $pose) -> Self {
            Self { pose, ..self }
        }

        #[inline]
        fn position(&self) -> $vector {
            self.pose.position
        }

        #[inline]
        fn velocity(&self) -> $vector {
            self.velocity
        }

        #[inline]
        fn with_velocity(self, velocity: $vector) -> Self {
            Self { velocity, ..self }
        }

        #[inline]
        fn angular_velocity(&self) -> $angular {
            self.angular_velocity
        }
    };
}

impl BodyMotion for Motion2 {
    fields!(Pose2, [f32; 2], f32);

    #[inline]
    fn torque(arm: [f32; 2], force: [f32; 2]) -> f32 {
        arm[0] * force[1] - arm[1] * force[0]
    }

    #[inline]
    fn tangential_velocity(angular_velocity: f32, arm: [f32; 2]) -> [f32; 2] {
        [-angular_velocity * arm[1], angular_velocity * arm[0]]
    }

    #[inline]
    fn components(&self) -> impl Iterator<Item = f32> {
        let ([x, y], turn, [vx, vy]) = (self.pose.position, self.pose.rotation, self.velocity);
        [x, y, turn.cos, turn.sin, vx, vy, self.angular_velocity].into_iter()
    }
}

impl BodyMotion for Motion3 {
    fields!(Pose3, [f32; 3], [f32; 3]);

    #[inline]
    fn torque(arm: [f32; 3], force: [f32; 3]) -> [f32; 3] {
        [
            arm[1] * force[2] - arm[2] * force[1],
            arm[2] * force[0] - arm[0] * force[2],
            arm[0] * force[1] - arm[1] * force[0],
        ]
    }

    #[inline]
    fn tangential_velocity(angular_velocity: [f32; 3], arm: [f32; 3]) -> [f32; 3] {
        // The torque and the tangential velocity are both cross products.
        Self::torque(angular_velocity, arm)
    }

    #[inline]
    fn components(&self) -> impl Iterator<Item = f32> {
        let ([x, y, z], turn) = (self.pose.position, self.pose.rotation);
        let ([vx, vy, vz], [ax, ay, az]) = (self.velocity, self.angular_velocity);
        [x, y, z, turn.x, turn.y, turn.z, turn.w, vx, vy, vz, ax, ay, az].into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torque_in_space_is_the_cross_product_of_arm_and_force() {
        let torque = Motion3::torque([1.0, 2.0, 3.0], [5.0, 7.0, 11.0]);
        assert_eq!(torque, [2.0 * 11.0 - 3.0 * 7.0, 3.0 * 5.0 - 11.0, 7.0 - 2.0 * 5.0]);
        assert_eq!(Motion3::tangential_velocity([1.0, 2.0, 3.0], [5.0, 7.0, 11.0]), torque);
    }
}
