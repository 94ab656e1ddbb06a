//! The traits that make the world generic over two and three dimensions: the motion of a body, and the poses of all bodies.

use evenstep::poses::{Motion2, Motion3, Pose2, Pose3, Poses2, Poses3};
use evenstep::{Blend, Extrapolate};

use crate::vector::PhysicsVector;

/// A body's pose and velocities, in the plane ([`Motion2`]) or in space ([`Motion3`]).
pub trait BodyMotion: Extrapolate + Copy + PartialEq + std::fmt::Debug + 'static {
    /// The type of a position and rotation.
    type Pose: Blend + Copy + PartialEq + std::fmt::Debug;
    /// The type of the poses of many bodies.
    type Poses: PoseStore<Pose = Self::Pose>;
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
    /// Visits all components: position, rotation, velocity, angular velocity.
    fn for_each_component(&self, visit: impl FnMut(f32));

    /// Whether all components are finite.
    fn is_finite(&self) -> bool {
        let mut finite = true;
        self.for_each_component(|component| finite &= component.is_finite());
        finite
    }
}

/// The previous and current poses of many bodies: the operations of [`Poses2`] and [`Poses3`] that a
/// [`World`](crate::World) needs.
pub trait PoseStore: Clone + Default {
    /// Position and rotation.
    type Pose;

    /// Restores the poses of all bodies from a copy.
    fn restore(&mut self, saved: &Self);
    /// The number of bodies.
    fn len(&self) -> usize;
    /// Whether there are no bodies.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Adds a body whose previous and current poses are both `pose`.
    fn push(&mut self, pose: Self::Pose);
    /// Replaces a body with another one at `pose`.
    fn reset(&mut self, index: usize, pose: Self::Pose);
    /// Begins a step: the current poses become the previous ones.
    fn begin_step(&mut self);
    /// Sets a body's current pose.
    fn set(&mut self, index: usize, pose: Self::Pose);
    /// Sets a body's current pose without interpolation from the previous one.
    fn teleport(&mut self, index: usize, pose: Self::Pose);
    /// Whether a body was teleported in the last step.
    fn has_teleported(&self, index: usize) -> bool;
    /// A body's pose before the step.
    fn previous(&self, index: usize) -> Option<Self::Pose>;
    /// A body's pose after the step.
    fn current(&self, index: usize) -> Option<Self::Pose>;
    /// Interpolates the bodies that have moved since the last call into `out`.
    fn blend(&mut self, alpha: f64, out: &mut [Self::Pose]);
}

macro_rules! pose_store {
    ($poses:ty, $pose:ty) => {
        impl PoseStore for $poses {
            type Pose = $pose;

            fn restore(&mut self, saved: &Self) {
                self.restore(saved);
            }

            fn len(&self) -> usize {
                self.len()
            }

            fn push(&mut self, pose: $pose) {
                self.push(pose);
            }

            fn reset(&mut self, index: usize, pose: $pose) {
                self.reset(index, pose);
            }

            fn begin_step(&mut self) {
                self.begin_step();
            }

            #[inline]
            fn set(&mut self, index: usize, pose: $pose) {
                self.set(index, pose);
            }

            fn teleport(&mut self, index: usize, pose: $pose) {
                self.teleport(index, pose);
            }

            fn has_teleported(&self, index: usize) -> bool {
                self.has_teleported(index)
            }

            fn previous(&self, index: usize) -> Option<$pose> {
                self.previous(index)
            }

            #[inline]
            fn current(&self, index: usize) -> Option<$pose> {
                self.current(index)
            }

            fn blend(&mut self, alpha: f64, out: &mut [$pose]) {
                self.blend(alpha, out);
            }
        }
    };
}

pose_store!(Poses2, Pose2);
pose_store!(Poses3, Pose3);

impl BodyMotion for Motion2 {
    type Pose = Pose2;
    type Poses = Poses2;
    type Vector = [f32; 2];
    type Angular = f32;

    #[inline]
    fn at(pose: Pose2) -> Self {
        Self {
            pose,
            ..Self::default()
        }
    }

    #[inline]
    fn pose(&self) -> Pose2 {
        self.pose
    }

    #[inline]
    fn with_pose(self, pose: Pose2) -> Self {
        Self { pose, ..self }
    }

    #[inline]
    fn position(&self) -> [f32; 2] {
        self.pose.position
    }

    #[inline]
    fn velocity(&self) -> [f32; 2] {
        self.velocity
    }

    #[inline]
    fn with_velocity(self, velocity: [f32; 2]) -> Self {
        Self { velocity, ..self }
    }

    #[inline]
    fn angular_velocity(&self) -> f32 {
        self.angular_velocity
    }

    #[inline]
    fn torque(arm: [f32; 2], force: [f32; 2]) -> f32 {
        arm[0] * force[1] - arm[1] * force[0]
    }

    #[inline]
    fn tangential_velocity(angular_velocity: f32, arm: [f32; 2]) -> [f32; 2] {
        [-angular_velocity * arm[1], angular_velocity * arm[0]]
    }

    #[inline]
    fn for_each_component(&self, mut visit: impl FnMut(f32)) {
        self.pose.position.into_iter().for_each(&mut visit);
        [self.pose.rotation.cos, self.pose.rotation.sin]
            .into_iter()
            .for_each(&mut visit);
        self.velocity.into_iter().for_each(&mut visit);
        visit(self.angular_velocity);
    }
}

impl BodyMotion for Motion3 {
    type Pose = Pose3;
    type Poses = Poses3;
    type Vector = [f32; 3];
    type Angular = [f32; 3];

    #[inline]
    fn at(pose: Pose3) -> Self {
        Self {
            pose,
            ..Self::default()
        }
    }

    #[inline]
    fn pose(&self) -> Pose3 {
        self.pose
    }

    #[inline]
    fn with_pose(self, pose: Pose3) -> Self {
        Self { pose, ..self }
    }

    #[inline]
    fn position(&self) -> [f32; 3] {
        self.pose.position
    }

    #[inline]
    fn velocity(&self) -> [f32; 3] {
        self.velocity
    }

    #[inline]
    fn with_velocity(self, velocity: [f32; 3]) -> Self {
        Self { velocity, ..self }
    }

    #[inline]
    fn angular_velocity(&self) -> [f32; 3] {
        self.angular_velocity
    }

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
    fn for_each_component(&self, mut visit: impl FnMut(f32)) {
        let turn = self.pose.rotation;
        self.pose.position.into_iter().for_each(&mut visit);
        [turn.x, turn.y, turn.z, turn.w].into_iter().for_each(&mut visit);
        self.velocity.into_iter().for_each(&mut visit);
        self.angular_velocity.into_iter().for_each(&mut visit);
    }
}
