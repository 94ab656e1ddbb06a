use bevy_app::{App, Plugin};
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy_ecs::world::World;
use bevy_time::Time;
use core::time::Duration;
use evenstep::{Rate, SimTime, Step, Tick};

use crate::fixed_loop::begin_step;

/// Runs a schedule of its own at a rate of its own, beside `FixedUpdate`.
///
/// Steps of all rates run in one order, on every machine and display: in that in which they end, exactly, and where several end at the
/// same time `FixedMain` first, then the others as they were added. They run together with the steps of
/// [`EvenstepPlugin`](crate::EvenstepPlugin), so its caps, pauses and speed hold for all. Let that have the highest rate: one that is higher
/// runs several steps at once. `Time` tells the delta of the rate, and [`CurrentStep`](crate::CurrentStep) its step.
///
/// ```
/// use bevy_app::{App, FixedUpdate};
/// use bevy_ecs::schedule::ScheduleLabel;
/// use bevy_evenstep::{EvenstepPlugin, RatePlugin};
/// use evenstep::Rate;
///
/// #[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
/// struct Decide;
///
/// fn think() {}
/// fn collide() {}
///
/// let mut app = App::new();
/// app.add_plugins((EvenstepPlugin::hz(120), RatePlugin::new(Decide, Rate::hz(10))))
///     .add_systems(FixedUpdate, collide)
///     .add_systems(Decide, think);
/// ```
#[derive(Clone, Debug)]
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
        app.init_schedule(self.label).init_resource::<Rates>();
        app.world_mut().resource_mut::<Rates>().0.push(Task {
            label: self.label,
            rate: self.rate,
            next: 0,
            time: Time::default(),
        });
    }

    fn is_unique(&self) -> bool {
        false
    }
}

/// The schedules that run at rates of their own.
#[derive(Resource, Default)]
pub(crate) struct Rates(Vec<Task>);

struct Task {
    label: InternedScheduleLabel,
    rate: Rate,
    next: Tick,
    time: Time,
}

impl Task {
    fn step(&self) -> Step {
        Step::new(self.next, self.rate)
    }
}

/// Runs the steps that end by then.
pub(crate) fn run_until(world: &mut World, end: SimTime) {
    while let Some((label, step, time)) = next_until(&mut world.resource_mut::<Rates>(), end) {
        begin_step(world, step, time);
        let _ = world.try_run_schedule(label);
    }
}

fn next_until(rates: &mut Rates, end: SimTime) -> Option<(InternedScheduleLabel, Step, Time)> {
    let tasks = rates.0.iter_mut();
    let earliest = tasks.min_by(|one, other| one.step().end().cmp(&other.step().end()))?;
    let step = earliest.step();
    if step.end() > end {
        return None;
    }
    earliest.next += 1;
    earliest
        .time
        .advance_by(Duration::from_nanos(earliest.rate.period_nanos()));
    Some((earliest.label, step, earliest.time))
}
