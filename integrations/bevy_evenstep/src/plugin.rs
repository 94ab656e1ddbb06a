//! The plugin: replaces the runner of Bevy's fixed updates.

use bevy_app::{App, Plugin, PostUpdate, PreStartup, RunFixedMainLoop, RunFixedMainLoopSystems};
use bevy_ecs::schedule::{
    IntoScheduleConfigs, IntoSystemSet, Schedule, ScheduleCleanupPolicy, ScheduleLabel, SingleThreadedExecutor,
};
use bevy_ecs::world::World;
use bevy_time::{Fixed, Time, TimePlugin, run_fixed_main_schedule};
use bevy_transform::systems::sync_simple_transforms;
use evenstep::{FixedTimestep, Rate, Step};

use crate::fixed_loop::{grant, run_steps, set_period};
use crate::rates::Rates;
use crate::resources::{CurrentStep, LastFrame};
use crate::system_sets::{AfterStep, BeforeStep, Draw, EvenstepSystems, Propagate, ShowTruth};
use crate::timestep::Timestep;
use crate::transforms;

/// Runs Bevy's fixed updates by an [`evenstep::FixedTimestep`] in place of Bevy's own accumulator.
///
/// Nothing else changes: `FixedFirst` to `FixedLast` run in their order, `Time<Fixed>` and `Time` in them have the same delta in every
/// step, messages wait for fixed updates, and systems of other plugins before, in or after [`RunFixedMainLoopSystems`] stay where they are.
/// The rate is the plugin's; the period of `Time<Fixed>` is overwritten. In `PostUpdate` a system in place of Bevy's
/// `sync_simple_transforms` skips entities that are drawn already.
///
/// ```
/// use bevy_app::App;
/// use bevy_evenstep::EvenstepPlugin;
/// use evenstep::{FixedTimestep, Overrun, Rate};
/// use std::time::Duration;
///
/// App::new().add_plugins(EvenstepPlugin::hz(60));
///
/// // The same with settings:
/// let catch_up = Overrun::Carry { max_backlog: Duration::from_millis(100) };
/// let timestep = FixedTimestep::new(Rate::hz(60)).with_max_steps(4).with_overrun(catch_up);
/// App::new().add_plugins(EvenstepPlugin::new(timestep));
/// ```
#[derive(Clone, Debug)]
pub struct EvenstepPlugin {
    timestep: FixedTimestep,
}

impl EvenstepPlugin {
    /// Steps at a whole number of hertz.
    ///
    /// # Panics
    ///
    /// If `hertz` is zero.
    #[must_use]
    #[track_caller]
    pub fn hz(hertz: u32) -> Self {
        Self::new(FixedTimestep::new(Rate::hz(hertz)))
    }

    /// Steps as a timestep grants them, at any rational rate. Its settings can be changed later, in [`Timestep`].
    #[must_use]
    pub const fn new(timestep: FixedTimestep) -> Self {
        Self { timestep }
    }
}

impl Plugin for EvenstepPlugin {
    fn build(&self, app: &mut App) {
        let nothing = self.timestep.idle_frame();
        let mut fixed = Time::<Fixed>::default();
        set_period(&mut fixed, self.timestep.rate());
        app.insert_resource(Timestep::from(self.timestep.clone()))
            .insert_resource(LastFrame::new(nothing))
            .insert_resource(CurrentStep::new(Step::new(0, self.timestep.rate())))
            .insert_resource(fixed)
            .init_resource::<Rates>()
            .add_schedule(single_threaded(BeforeStep))
            .add_schedule(single_threaded(AfterStep))
            .add_schedule(single_threaded(Draw))
            .add_schedule(single_threaded(ShowTruth))
            .add_schedule(single_threaded(Propagate))
            .configure_sets(
                RunFixedMainLoop,
                (EvenstepSystems::Grant, EvenstepSystems::Granted, EvenstepSystems::Run)
                    .chain()
                    .in_set(RunFixedMainLoopSystems::FixedMainLoop),
            )
            .add_systems(
                RunFixedMainLoop,
                (
                    grant.in_set(EvenstepSystems::Grant),
                    run_steps.in_set(EvenstepSystems::Run),
                ),
            );
        transforms::build(app);
        // At once where the app runs already, and else with its first update: whoever adds Bevy's own may come after us.
        remove_systems_of_bevy(app.world_mut());
        app.add_systems(PreStartup, remove_systems_of_bevy);
    }

    fn finish(&self, app: &mut App) {
        if !app.is_plugin_added::<TimePlugin>() {
            app.add_plugins(TimePlugin);
        }
    }
}

/// A thread is not worth its cost for schedules that run often and do little.
fn single_threaded(label: impl ScheduleLabel) -> Schedule {
    let mut schedule = Schedule::new(label);
    schedule.set_executor(SingleThreadedExecutor::new());
    schedule
}

/// Takes those of Bevy's systems out that have others in their place here, if they are still there.
fn remove_systems_of_bevy(world: &mut World) {
    remove_system(world, RunFixedMainLoop, run_fixed_main_schedule);
    remove_system(world, PostUpdate, sync_simple_transforms);
}

/// Others may have been ordered by the system, so its name stays.
fn remove_system<M>(world: &mut World, schedule: impl ScheduleLabel, system: impl IntoSystemSet<M>) {
    let policy = ScheduleCleanupPolicy::RemoveSystemsOnly;
    // An error says that it is not there.
    let _ = world.try_schedule_scope(schedule, |world, schedule| {
        schedule.remove_systems_in_set(system, world, policy)
    });
}
