use evenstep::poses::{Motion2, Motion3, Pose2, Pose3, Poses2, Poses3};
use evenstep::{Blend, Extrapolate};

use crate::vector::PhysicsVector;

/// A body's pose and velocities, in the plane ([`Motion2`]) or in space ([`Motion3`]).
pub trait BodyMotion: Extrapolate + Copy + PartialEq + std::fmt::Debug + 'static {
    /// Position and rotation.
    type Pose: Blend + Copy + PartialEq + std::fmt::Debug;
    /// Those of many bodies.
    type Poses: ManyPoses<Pose = Self::Pose>;
    /// Lengths, velocities and forces.
    type Vector: PhysicsVector;
    /// Angular velocities and torques.
    type Angular: PhysicsVector;

    /// At rest at a pose.
    fn at(pose: Self::Pose) -> Self;
    /// Where it is.
    fn pose(&self) -> Self::Pose;
    /// The same elsewhere.
    #[must_use]
    fn with_pose(self, pose: Self::Pose) -> Self;
    /// Where its origin is.
    fn position(&self) -> Self::Vector;
    /// How fast it moves, per second. An engine's bodies: how fast their centre of mass does.
    fn velocity(&self) -> Self::Vector;
    /// The same with another velocity.
    #[must_use]
    fn with_velocity(self, velocity: Self::Vector) -> Self;
    /// How fast it turns, in radians per second.
    fn angular_velocity(&self) -> Self::Angular;
    /// The torque of a force whose point of action is at `arm` from the centre.
    fn torque(arm: Self::Vector, force: Self::Vector) -> Self::Angular;
    /// How fast a point at `arm` from the axis moves, of what turns so fast.
    fn circling(angular_velocity: Self::Angular, arm: Self::Vector) -> Self::Vector;
    /// Hands out all components: position, rotation, velocity, angular velocity.
    fn each(&self, visit: impl FnMut(f32));

    /// Whether all components are finite.
    fn is_finite(&self) -> bool {
        let mut finite = true;
        self.each(|component| finite &= component.is_finite());
        finite
    }
}

/// What a [`World`](crate::World) does with [`Poses2`] as with [`Poses3`].
pub trait ManyPoses: Clone + Default {
    /// Position and rotation.
    type Pose;

    /// Puts all bodies back to where a copy has them.
    fn restore(&mut self, saved: &Self);
    /// How many bodies there are.
    fn len(&self) -> usize;
    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Adds a body that was there before.
    fn push(&mut self, pose: Self::Pose);
    /// Puts another body in place of one.
    fn reset(&mut self, index: usize, pose: Self::Pose);
    /// Begins a step.
    fn begin_step(&mut self);
    /// Says where a body is after the step.
    fn set(&mut self, index: usize, pose: Self::Pose);
    /// The same for a body that jumped.
    fn teleport(&mut self, index: usize, pose: Self::Pose);
    /// Whether a body jumped in the last step.
    fn has_jumped(&self, index: usize) -> bool;
    /// Where a body was before the step.
    fn previous(&self, index: usize) -> Option<Self::Pose>;
    /// Where a body is after the step.
    fn current(&self, index: usize) -> Option<Self::Pose>;
    /// Writes the poses to draw of bodies that have moved since the last call.
    fn blend(&mut self, alpha: f64, out: &mut [Self::Pose]);
}

macro_rules! many_poses {
    ($poses:ty, $pose:ty) => {
        impl ManyPoses for $poses {
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

            fn has_jumped(&self, index: usize) -> bool {
                self.has_jumped(index)
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

many_poses!(Poses2, Pose2);
many_poses!(Poses3, Pose3);

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
    fn circling(angular_velocity: f32, arm: [f32; 2]) -> [f32; 2] {
        [-angular_velocity * arm[1], angular_velocity * arm[0]]
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
    fn circling(angular_velocity: [f32; 3], arm: [f32; 3]) -> [f32; 3] {
        // Both are cross products.
        Self::torque(angular_velocity, arm)
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
