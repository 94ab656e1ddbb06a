use evenstep::{Blend, Motion, Motion2, Motion3, Pose2, Pose3};

use crate::Amount;

/// A body's pose and velocities, in the plane ([`Motion2`]) or in space ([`Motion3`]).
pub trait BodyMotion: Motion + Copy + PartialEq + std::fmt::Debug + 'static {
    /// Position and rotation.
    type Pose: Blend + Copy + PartialEq + std::fmt::Debug;
    /// Lengths, velocities and forces.
    type Vector: Amount;
    /// Angular velocities and torques.
    type Spin: Amount;

    /// At rest at a pose.
    fn at(pose: Self::Pose) -> Self;
    /// Where it is.
    fn pose(&self) -> Self::Pose;
    /// The same elsewhere.
    #[must_use]
    fn with_pose(self, pose: Self::Pose) -> Self;
    /// Where its origin is.
    fn position(&self) -> Self::Vector;
    /// How fast it moves, per second.
    fn velocity(&self) -> Self::Vector;
    /// The same with another velocity.
    #[must_use]
    fn with_velocity(self, velocity: Self::Vector) -> Self;
    /// How fast it turns, in radians per second.
    fn spin(&self) -> Self::Spin;
    /// Hands out all components: position, rotation, velocity, spin.
    fn each(&self, visit: impl FnMut(f32));

    /// Whether all components are finite.
    fn is_finite(&self) -> bool {
        let mut finite = true;
        self.each(|component| finite &= component.is_finite());
        finite
    }
}

impl BodyMotion for Motion2 {
    type Pose = Pose2;
    type Vector = [f32; 2];
    type Spin = f32;

    fn at(pose: Pose2) -> Self {
        Self {
            pose,
            ..Self::default()
        }
    }

    fn pose(&self) -> Pose2 {
        self.pose
    }

    fn with_pose(self, pose: Pose2) -> Self {
        Self { pose, ..self }
    }

    fn position(&self) -> [f32; 2] {
        self.pose.position
    }

    fn velocity(&self) -> [f32; 2] {
        self.velocity
    }

    fn with_velocity(self, velocity: [f32; 2]) -> Self {
        Self { velocity, ..self }
    }

    fn spin(&self) -> f32 {
        self.angular_velocity
    }

    #[inline]
    fn each(&self, mut visit: impl FnMut(f32)) {
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
    type Vector = [f32; 3];
    type Spin = [f32; 3];

    fn at(pose: Pose3) -> Self {
        Self {
            pose,
            ..Self::default()
        }
    }

    fn pose(&self) -> Pose3 {
        self.pose
    }

    fn with_pose(self, pose: Pose3) -> Self {
        Self { pose, ..self }
    }

    fn position(&self) -> [f32; 3] {
        self.pose.position
    }

    fn velocity(&self) -> [f32; 3] {
        self.velocity
    }

    fn with_velocity(self, velocity: [f32; 3]) -> Self {
        Self { velocity, ..self }
    }

    fn spin(&self) -> [f32; 3] {
        self.angular_velocity
    }

    #[inline]
    fn each(&self, mut visit: impl FnMut(f32)) {
        let turn = self.pose.rotation;
        self.pose.position.into_iter().for_each(&mut visit);
        [turn.x, turn.y, turn.z, turn.w].into_iter().for_each(&mut visit);
        self.velocity.into_iter().for_each(&mut visit);
        self.angular_velocity.into_iter().for_each(&mut visit);
    }
}
