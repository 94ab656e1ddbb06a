//! Transforms drawn between steps.
//!
//! In steps `Transform` is the simulation's, and in frames the drawn pose. Before the first step of a frame it is restored, after each step
//! kept, and after the last one drawn. Bevy's own systems propagate it.

mod changed_bodies;
mod components;
mod double;
mod drawn_time;
mod ease_first;
mod lifecycle;
mod shown_globals;
mod state;
mod systems;
mod velocity;
mod velocity_source;

pub use components::{NoSmoothTransform, PreviousTransform, SmoothAhead, SmoothTransform, Teleport};
pub use velocity::SmoothVelocity;
pub use velocity_source::{NoVelocity, SmoothVelocityPlugin, VelocitySource};

pub(crate) use systems::{adopt_restored, draw, in_simulated_pose, restore_simulated};

use bevy_app::{App, Plugin, RunFixedMainLoop, RunFixedMainLoopSystems};
use bevy_ecs::lifecycle::Add;
use bevy_ecs::observer::On;
use bevy_ecs::schedule::common_conditions::resource_exists;
use bevy_ecs::schedule::{IntoScheduleConfigs, ScheduleConfigs};
use bevy_ecs::system::{Commands, Res, ScheduleSystem};
use bevy_transform::components::Transform;
use bevy_transform::systems::{
    StaticTransformOptimizations, mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms,
};

use crate::steps::{ensure_steps, refuse_second};
use crate::system_sets::{EvenstepSystems, Keep, Restore};
use ease_first::EaseFirst;
use shown_globals::ShownGlobals;
use systems::Easing;

/// Draws entities with [`SmoothTransform`] between the states of the fixed loop, whichever plugin runs that.
///
/// No system of Bevy's is replaced. Simulated poses are restored before `FixedFirst` and kept after `FixedLast`; poses are drawn in
/// `RunFixedMainLoop`, in [`EvenstepSystems::Ease`]. An entity that another plugin smooths as well is reported as a
/// warning.
///
/// ```
/// use bevy_app::App;
/// use bevy_evenstep::SmoothTransformPlugin;
///
/// App::new().add_plugins(SmoothTransformPlugin::interpolate_all()); // all entities with a `Transform`
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SmoothTransformPlugin {
    all: bool,
    globals: Globals,
}

/// When `GlobalTransform` is propagated from simulated poses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Globals {
    Never,
    /// Before the first step of a frame.
    #[default]
    First,
    Each,
}

impl SmoothTransformPlugin {
    /// Smooths all entities that get a `Transform` from now on, except those with [`NoSmoothTransform`].
    #[must_use]
    pub const fn interpolate_all() -> Self {
        Self {
            all: true,
            globals: Globals::First,
        }
    }

    /// Propagates transforms at the beginning of each step and once more when the frame is drawn, so that `GlobalTransform` is the simulation's in
    /// steps, as for a muzzle on a turret, and this frame's drawn pose in `Update`. Costs two propagations in a frame with a step.
    ///
    /// By default they are propagated before the first step of a frame alone: in steps `GlobalTransform` is what Bevy has there, the simulation's
    /// before the frame, and in `Update` what the last frame showed.
    #[must_use]
    pub const fn with_globals_in_steps(self) -> Self {
        Self {
            globals: Globals::Each,
            ..self
        }
    }

    /// Propagates nothing for steps: `GlobalTransform` is what the last frame showed there, too, up to a step's motion behind the simulation's.
    /// It saves a propagation in a frame with a step.
    #[must_use]
    pub const fn without_globals_in_steps(self) -> Self {
        Self {
            globals: Globals::Never,
            ..self
        }
    }
}

impl Plugin for SmoothTransformPlugin {
    fn build(&self, app: &mut App) {
        refuse_second::<Self>(app, "SmoothTransformPlugin::…");
        ensure_steps(app);
        lifecycle::observe(app);
        app.init_resource::<Easing>()
            .register_type::<SmoothTransform>()
            .register_type::<SmoothAhead>()
            .register_type::<Teleport>()
            .register_type::<NoSmoothTransform>()
            .register_type::<PreviousTransform>()
            .register_type::<SmoothVelocity>()
            .configure_sets(
                RunFixedMainLoop,
                EvenstepSystems::Ease.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
            )
            .edit_schedule(RunFixedMainLoop, |schedule| {
                schedule.add_build_pass(EaseFirst);
            })
            .add_systems(Restore, (systems::follow_parents, systems::restore).chain())
            .add_systems(Keep, (systems::keep, systems::keep_velocities).chain())
            .add_systems(
                RunFixedMainLoop,
                (
                    (systems::follow_parents, systems::ease)
                        .chain()
                        .in_set(EvenstepSystems::Ease),
                    double::warn_of_double_smoothing.after(EvenstepSystems::Ease),
                ),
            );
        match self.globals {
            Globals::Never => {}
            Globals::First => {
                let is_first = |globals: Res<ShownGlobals>| !globals.are_kept;
                app.init_resource::<ShownGlobals>()
                    .add_systems(
                        Restore,
                        (shown_globals::keep, propagate())
                            .chain()
                            .after(systems::restore)
                            .run_if(is_first),
                    )
                    .add_systems(
                        RunFixedMainLoop,
                        shown_globals::put_back
                            .after(systems::ease)
                            .in_set(EvenstepSystems::Ease),
                    );
            }
            Globals::Each => {
                app.add_systems(Restore, propagate().after(systems::restore))
                    .add_systems(
                        RunFixedMainLoop,
                        propagate().after(systems::ease).in_set(EvenstepSystems::Ease),
                    );
            }
        }
        if self.all {
            app.add_observer(|on: On<Add<Transform>>, mut commands: Commands| {
                commands.entity(on.entity).try_insert_if_new(SmoothTransform);
            });
        }
    }

    fn is_unique(&self) -> bool {
        false // `build` has the better message
    }
}

/// Bevy's propagation.
fn propagate() -> ScheduleConfigs<ScheduleSystem> {
    (mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms)
        .chain()
        .run_if(resource_exists::<StaticTransformOptimizations>)
}
