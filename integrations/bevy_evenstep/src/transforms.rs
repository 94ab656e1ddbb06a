//! Transforms drawn between steps.

mod bodies;
mod by_velocity;
mod components;
mod interpolation;
mod jumps;
mod motion;
mod moving;
mod order;
mod ours;
mod rows;
mod slot;
mod tables;

pub use components::{
    NoTransformEasing, Teleport, TransformExtrapolation, TransformHermite, TransformInterpolation, TransformVelocity,
};

use bevy_app::{App, RunFixedMainLoop, RunFixedMainLoopSystems};
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::world::World;

use crate::order::{AfterStep, BeforeStep, EvenstepSystems};
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
                (by_velocity::show_truth, by_velocity::begin_step).chain(),
            ),
        )
        .add_systems(AfterStep, (interpolation::end_step, by_velocity::end_step))
        .add_systems(
            RunFixedMainLoop,
            (interpolation::draw, by_velocity::draw).in_set(EvenstepSystems::Draw),
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
        let _ = world.run_system_cached(by_velocity::show_truth);
    }
}
