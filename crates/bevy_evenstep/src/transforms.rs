//! Transforms drawn between steps.

mod bodies;
mod components;
mod interpolation;
mod motion;

pub use components::{
    NoTransformEasing, Teleport, TransformExtrapolation, TransformHermite, TransformInterpolation, TransformVelocity,
};

use bevy_app::{App, RunFixedMainLoop, RunFixedMainLoopSystems};
use bevy_ecs::change_detection::Tick;
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::world::World;
use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;
use evenstep::poses::{self, Pose3};

use crate::EvenstepSystems;
use crate::fixed_loop::{AfterStep, BeforeStep};
use bodies::Bodies;
use motion::Motions;

pub(crate) fn build(app: &mut App) {
    app.init_resource::<Bodies>()
        .init_resource::<Motions>()
        .configure_sets(
            RunFixedMainLoop,
            EvenstepSystems::Draw.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
        )
        .add_systems(
            BeforeStep,
            (
                (interpolation::show_truth, interpolation::begin_step).chain(),
                (motion::show_truth, motion::begin_step).chain(),
            ),
        )
        .add_systems(AfterStep, (interpolation::end_step, motion::end_step))
        .add_systems(
            RunFixedMainLoop,
            (interpolation::draw, motion::draw).in_set(EvenstepSystems::Draw),
        );
}

/// Puts drawn transforms back to the truth, for those who write the truth: what they leave as it is, is true as well.
pub(crate) fn show_truth(world: &mut World) {
    // The systems take no input and find what they need: they do not fail.
    if world
        .get_resource::<Bodies>()
        .is_some_and(|bodies| bodies.ours.is_drawn())
    {
        let _ = world.run_system_cached(interpolation::show_truth);
    }
    if world
        .get_resource::<Motions>()
        .is_some_and(|motions| motions.0.is_drawn())
    {
        let _ = world.run_system_cached(motion::show_truth);
    }
}

/// Whether transforms hold what is drawn or the simulation's truth.
#[derive(Clone, Copy, Debug, Default)]
struct Ours {
    /// What is newer was written by others.
    since: Tick,
    /// When steps were captured last.
    captured: Tick,
    /// At which alpha they were drawn; none where they are true.
    drawn_at: Option<f64>,
}

impl Ours {
    fn is_drawn(&self) -> bool {
        self.drawn_at.is_some()
    }

    fn show_truth(&mut self, now: Tick) {
        (self.since, self.drawn_at) = (now, None);
    }

    fn end_step(&mut self, now: Tick) {
        (self.since, self.captured) = (now, now);
    }

    fn draw(&mut self, now: Tick, alpha: f64) {
        (self.since, self.drawn_at) = (now, Some(alpha));
    }
}

fn pose(transform: &Transform) -> Pose3 {
    let rotation = transform.rotation;
    let rotation = poses::Quat::new(rotation.x, rotation.y, rotation.z, rotation.w);
    Pose3::new(transform.translation.to_array(), rotation)
}

fn put(pose: &Pose3, transform: &mut Transform) {
    let poses::Quat { x, y, z, w } = pose.rotation;
    transform.translation = Vec3::from_array(pose.position);
    transform.rotation = Quat::from_xyzw(x, y, z, w);
}
