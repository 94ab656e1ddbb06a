//! Transforms drawn between steps.
//!
//! `Transform` is always the simulation's. The drawn pose is written to `GlobalTransform`: after the fixed loop, for `Update`, and once
//! more after Bevy has propagated transforms. Before a step `GlobalTransform` has the true pose again.

mod bodies;
mod by_rate;
mod by_velocity;
mod compaction;
mod components;
mod globals;
mod interpolation;
mod motion;
mod moved_rows;
mod pose;
mod rate_states;
mod rows;
mod slot;
mod sync;
mod tables;
mod teleports;

pub use components::{
    NoTransformEasing, RateInterpolation, Teleport, TransformExtrapolation, TransformHermite, TransformInterpolation,
    TransformVelocity,
};

pub(crate) use by_rate::capture_around;
pub(crate) use globals::{fall_behind, show_truth};

use bevy_app::{App, PostUpdate, RunFixedMainLoop, RunFixedMainLoopSystems};
use bevy_ecs::schedule::common_conditions::resource_exists;
use bevy_ecs::schedule::{IntoScheduleConfigs, ScheduleConfigs};
use bevy_ecs::system::ScheduleSystem;
use bevy_ecs::world::World;
use bevy_transform::TransformSystems;
use bevy_transform::systems::{
    StaticTransformOptimizations, mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms,
};

use crate::system_sets::{AfterStep, BeforeStep, Draw, EvenstepSystems, Propagate, ShowTruth};
use bodies::Bodies;
use globals::Globals;
use motion::Motions;

pub(crate) fn build(app: &mut App) {
    #[cfg(feature = "reflect")]
    components::register(app);
    app.init_resource::<Bodies>()
        .init_resource::<Motions>()
        .init_resource::<Globals>()
        .configure_sets(
            RunFixedMainLoop,
            EvenstepSystems::Draw.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
        )
        .configure_sets(
            PostUpdate,
            EvenstepSystems::Draw
                .in_set(TransformSystems::Propagate)
                .after(mark_dirty_trees)
                .after(propagate_parent_transforms)
                .after(sync::sync_simple_transforms),
        )
        .add_systems(BeforeStep, (interpolation::begin_step, by_velocity::begin_step))
        .add_systems(AfterStep, (interpolation::end_step, by_velocity::end_step))
        .add_systems(
            ShowTruth,
            (
                interpolation::show_truth,
                by_velocity::show_truth,
                globals::end_showing_truth,
            )
                .chain(),
        )
        .add_systems(
            Propagate,
            (mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms).chain(),
        )
        .add_systems(Draw, all_drawn())
        .add_systems(RunFixedMainLoop, draw.in_set(EvenstepSystems::Draw))
        .add_systems(
            PostUpdate,
            // Only where Bevy propagates at all.
            sync::sync_simple_transforms
                .run_if(resource_exists::<StaticTransformOptimizations>)
                .in_set(TransformSystems::Propagate)
                .after(propagate_parent_transforms),
        )
        .add_systems(
            PostUpdate,
            (globals::catch_up, all_drawn()).chain().in_set(EvenstepSystems::Draw),
        );
}

/// Draws all entities between their states.
pub(crate) fn draw(world: &mut World) {
    // The schedule exists since the plugin was built.
    let _ = world.try_run_schedule(Draw);
}

fn all_drawn() -> ScheduleConfigs<ScheduleSystem> {
    (
        globals::begin_drawing,
        interpolation::draw,
        by_rate::draw,
        by_velocity::draw,
        globals::end_drawing,
    )
        .chain()
}
