//! Schedules with rates of their own, in order of time with the fixed updates.

use bevy_app::{App, FixedLast, FixedMainScheduleOrder, Plugin};
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy_ecs::world::World;
use bevy_time::Time;
use core::time::Duration;
use evenstep::{Rate, Step, Tick};

use crate::resources::CurrentStep;
use crate::steps::{ensure_steps, single_threaded};

/// Runs a schedule at a rate of its own, beside `FixedUpdate`.
///
/// Steps of all rates run in one order, on every machine and display: the exact order in which they end, and where several end at the same
/// time `FixedMain` first, then the others in the order in which they were added. They run together with the steps of
/// [`ExactLoopPlugin`](crate::ExactLoopPlugin): its caps, pauses and speed apply to all, and a step of `FixedMain` that is run again, by
/// [`resimulate`](crate::rewind::resimulate) or a [`SyncTest`](crate::rewind::SyncTest), includes the steps of the other rates. Give
/// `FixedMain` the highest rate: a higher one runs several steps at once. `Time` has the delta of the rate, and [`CurrentStep`] its step.
/// Another [`Timestep`](crate::Timestep) restarts all rates.
///
/// ```
/// use bevy_app::{App, FixedUpdate};
/// use bevy_ecs::schedule::ScheduleLabel;
/// use bevy_evenstep::{ExactLoopPlugin, RatePlugin};
/// use evenstep::Rate;
///
/// #[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
/// struct Decide;
///
/// fn think() {}
/// fn collide() {}
///
/// let mut app = App::new();
/// app.add_plugins((ExactLoopPlugin::hz(120), RatePlugin::new(Decide, Rate::hz(10))))
///     .add_systems(FixedUpdate, collide)
///     .add_systems(Decide, think);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct RatePlugin {
    label: InternedScheduleLabel,
    rate: Rate,
}

impl RatePlugin {
    /// The schedule `label` at a rate. Its tick `n` ends at `(n + 1)` periods of simulated time.
    pub fn new(label: impl ScheduleLabel, rate: Rate) -> Self {
        Self {
            label: label.intern(),
            rate,
        }
    }
}

impl Plugin for RatePlugin {
    fn build(&self, app: &mut App) {
        ensure_steps(app);
        app.init_schedule(self.label).init_resource::<Rates>();
        app.world_mut().resource_mut::<Rates>().all.push(*self);
        if app.get_schedule(StepEnd).is_none() {
            app.add_schedule(single_threaded(StepEnd))
                .add_systems(StepEnd, run_at_its_end);
            if let Some(mut order) = app.world_mut().get_resource_mut::<FixedMainScheduleOrder>() {
                order.insert_after(FixedLast, StepEnd); // and before the states are kept
            }
        }
    }

    fn is_unique(&self) -> bool {
        false
    }
}

/// Runs the steps of other rates that end with `FixedMain`'s step.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct StepEnd;

/// The schedules that run at rates of their own.
#[derive(Resource, Default)]
pub(crate) struct Rates {
    /// In the order in which they were added.
    all: Vec<RatePlugin>,
    /// The steps that end with the step that is being run.
    at_its_end: Vec<(Step, RatePlugin)>,
}

/// Runs all steps that end after the beginning of a step of `FixedMain` and by its end. `main` runs the step of `FixedMain` itself.
pub(crate) fn run_in_order(world: &mut World, tick: Tick, rate: Rate, main: impl FnOnce(&mut World)) {
    let end = Step::new(tick, rate).end();
    if let Some(mut rates) = world.get_resource_mut::<Rates>() {
        let mut before = rates.steps_within(tick, rate);
        rates.at_its_end = before.split_off(before.partition_point(|(step, _)| step.end() < end));
        before.into_iter().for_each(|step| run(world, step));
    }
    main(world);
}

fn run_at_its_end(world: &mut World) {
    let steps = core::mem::take(&mut world.resource_mut::<Rates>().at_its_end);
    steps.into_iter().for_each(|step| run(world, step));
}

fn run(world: &mut World, (step, RatePlugin { label, rate }): (Step, RatePlugin)) {
    *world.resource_mut::<Time>() = time(step.tick, rate);
    *world.resource_mut::<CurrentStep>() = CurrentStep(step);
    // Without the schedule there is nothing to run.
    let _ = world.try_run_schedule(label);
}

impl Rates {
    /// The steps of these rates that end within a step of `FixedMain`, in their order.
    fn steps_within(&self, tick: Tick, rate: Rate) -> Vec<(Step, RatePlugin)> {
        // How many steps of another rate end by the end of a number of periods.
        let until = |number: u64, other: Rate| {
            let periods = u128::from(number) * u128::from(rate.denom()) * u128::from(other.numer());
            u64::try_from(periods / (u128::from(rate.numer()) * u128::from(other.denom()))).unwrap_or(u64::MAX)
        };
        let steps = self.all.iter().flat_map(|other| {
            let ticks = until(tick, other.rate)..until(tick.saturating_add(1), other.rate);
            ticks.map(|tick| (Step::new(tick, other.rate), *other))
        });
        let mut steps: Vec<_> = steps.collect();
        steps.sort_by_key(|(step, _)| step.end());
        steps
    }
}

/// The value of `Time` in a step of another rate.
fn time(tick: Tick, rate: Rate) -> Time {
    let at = |tick: Tick| Duration::from_nanos(tick.saturating_mul(rate.period_nanos()));
    let mut time = Time::default();
    time.advance_to(at(tick));
    time.advance_to(at(tick.saturating_add(1)));
    time
}
