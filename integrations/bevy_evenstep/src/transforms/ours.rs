//! What is ours of transforms, and what others have written to them.

use bevy_ecs::change_detection::Tick;
use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;
use evenstep::poses::{self, Pose3};

/// Whether transforms hold what is drawn or the simulation's truth.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ours {
    /// What is newer was written by others.
    pub(super) since: Tick,
    /// When the last step began that was captured.
    pub(super) begun: Tick,
    /// When steps were captured last.
    pub(super) captured: Tick,
    /// At which alpha they were drawn; none where they are true.
    pub(super) drawn_at: Option<f64>,
}

impl Ours {
    pub(super) fn is_drawn(&self) -> bool {
        self.drawn_at.is_some()
    }

    pub(super) fn show_truth(&mut self, now: Tick) {
        (self.since, self.drawn_at) = (now, None);
    }

    pub(super) fn end_step(&mut self, now: Tick) {
        (self.begun, self.since, self.captured) = (self.since, now, now);
    }

    pub(super) fn draw(&mut self, now: Tick, alpha: f64) {
        (self.since, self.drawn_at) = (now, Some(alpha));
    }
}

/// The parts of a transform that others have written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    pub(super) translation: bool,
    pub(super) rotation: bool,
    pub(super) scale: bool,
}

impl Written {
    /// The one rule: who wrote later than we did wrote the parts that are not as we left them. A look through `DerefMut` is no
    /// write, and a write to the rotation says nothing about the translation.
    #[inline]
    pub(super) fn find(
        transform: &Transform,
        changed: Tick,
        [since, now]: [Tick; 2],
        left: impl FnOnce() -> Transform,
    ) -> Option<Self> {
        if !changed.is_newer_than(since, now) {
            return None;
        }
        let left = left();
        let written = Self {
            translation: transform.translation != left.translation,
            rotation: transform.rotation != left.rotation,
            scale: transform.scale != left.scale,
        };
        (written.translation || written.rotation || written.scale).then_some(written)
    }

    /// A pose with the parts that were written.
    pub(super) fn over(self, mut pose: Pose3, transform: &Transform) -> Pose3 {
        let written = self::pose(transform);
        if self.translation {
            pose.position = written.position;
        }
        if self.rotation {
            pose.rotation = written.rotation;
        }
        pose
    }

    /// The truth, but for the parts that were written.
    pub(super) fn merged(self, transform: &Transform, truth: Transform) -> Transform {
        Transform {
            translation: if self.translation {
                transform.translation
            } else {
                truth.translation
            },
            rotation: if self.rotation {
                transform.rotation
            } else {
                truth.rotation
            },
            scale: if self.scale { transform.scale } else { truth.scale },
        }
    }
}

pub(super) fn pose(transform: &Transform) -> Pose3 {
    let rotation = transform.rotation;
    let rotation = poses::Quat::new(rotation.x, rotation.y, rotation.z, rotation.w);
    Pose3::new(transform.translation.to_array(), rotation)
}

pub(super) fn put(pose: &Pose3, transform: &mut Transform) {
    let poses::Quat { x, y, z, w } = pose.rotation;
    transform.translation = Vec3::from_array(pose.position);
    transform.rotation = Quat::from_xyzw(x, y, z, w);
}
