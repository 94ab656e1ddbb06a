//! Schedules with rates of their own, in order of time with the fixed updates.

use bevy_app::{App, Plugin};
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy_ecs::world::World;
use bevy_time::Time;
use core::time::Duration;
use evenstep::schedule::{Schedule, TaskId};
use evenstep::{Rate, Step, Tick, TimeScale};

use crate::resources::CurrentStep;
use crate::transforms::capture_around;

/// Runs a schedule at a rate of its own, beside `FixedUpdate`.
///
/// Steps of all rates run in one order, on every machine and display: the exact order in which they end, and where several end at the same
/// time `FixedMain` first, then the others in the order in which they were added. They run together with the steps of
/// [`EvenstepPlugin`](crate::EvenstepPlugin): its caps, pauses and speed apply to all, and a step of `FixedMain` that is run again, by
/// [`resimulate`](crate::rewind::resimulate) or a [`SyncTest`](crate::rewind::SyncTest), includes the steps of the other rates. Give
/// `FixedMain` the highest rate: a higher one runs several steps at once. `Time` has the delta of the rate, and [`CurrentStep`] its step.
/// Another [`Timestep`](crate::Timestep) restarts all rates.
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
        let mut rates = app.world_mut().resource_mut::<Rates>();
        rates.added.push((self.label, self.rate));
        rates.order = None;
    }

    fn is_unique(&self) -> bool {
        false
    }
}

/// The schedules that run at rates of their own.
#[derive(Resource, Default)]
pub(crate) struct Rates {
    added: Vec<(InternedScheduleLabel, Rate)>,
    /// None before the first step.
    order: Option<Order>,
}

/// In which order all steps run.
struct Order {
    /// A second of its clock is a period of `FixedMain`, whose steps are the first task.
    schedule: Schedule,
    main: TaskId,
    others: Vec<TaskId>,
    /// That of `FixedMain`.
    rate: Rate,
}

/// The step to run next.
enum Due {
    Main,
    Other(InternedScheduleLabel, Rate, Step, Time),
}

/// Runs all steps that end after the beginning of a step of `FixedMain` and by its end. `main` runs the step of `FixedMain` itself.
pub(crate) fn run_in_order(world: &mut World, tick: Tick, rate: Rate, mut main: impl FnMut(&mut World)) {
    if let Some(mut rates) = world.get_resource_mut::<Rates>() {
        rates.begin(tick, rate);
    }
    let mut has_run = false;
    while let Some(due) = world.get_resource_mut::<Rates>().and_then(|mut rates| rates.next()) {
        match due {
            Due::Main => {
                has_run = true;
                main(world);
            }
            Due::Other(label, rate, step, time) => {
                *world.resource_mut::<Time>() = time;
                *world.resource_mut::<CurrentStep>() = CurrentStep::new(step);
                capture_around(world, (label, rate), step.tick, |world| {
                    // Without the schedule there is nothing to run.
                    let _ = world.try_run_schedule(label);
                });
            }
        }
    }
    if !has_run {
        main(world);
    }
}

impl Rates {
    /// The time of a step of `FixedMain` arrives. If that is not the next one, time was set back or has begun again.
    fn begin(&mut self, tick: Tick, rate: Rate) {
        if self.added.is_empty() {
            return;
        }
        let order = self.order.take();
        let order = order.filter(|order| order.rate == rate && order.schedule.tick(order.main) == Some(tick));
        let order = order.unwrap_or_else(|| Order::at(tick, rate, &self.added));
        // Nothing is lost, for nothing is limited.
        let _lost = self.order.insert(order).schedule.advance(Duration::from_secs(1));
    }

    fn next(&mut self) -> Option<Due> {
        let order = self.order.as_mut()?;
        let (task, step) = order.schedule.next_step()?;
        let other = order.others.iter().position(|other| *other == task);
        Some(other.map_or(Due::Main, |other| {
            let (label, rate) = self.added[other];
            Due::Other(label, rate, step, time(step.tick, rate))
        }))
    }
}

impl Order {
    /// The order from the beginning of a step of `FixedMain` on.
    fn at(tick: Tick, rate: Rate, added: &[(InternedScheduleLabel, Rate)]) -> Self {
        let mut schedule = Schedule::new();
        schedule.set_max_delta(Duration::MAX);
        schedule.set_max_behind(Duration::MAX);
        // A rate is never zero, so there is such a scale.
        schedule.set_time_scale(TimeScale::new(rate.denom(), rate.numer()).unwrap_or_default());
        let _lost = schedule.advance(Duration::from_secs(tick));
        let main = schedule.add(rate);
        let others = added.iter().map(|(_, rate)| schedule.add(*rate)).collect();
        Self {
            schedule,
            main,
            others,
            rate,
        }
    }
}

/// The value of `Time` in a step of another rate.
fn time(tick: Tick, rate: Rate) -> Time {
    let at = |tick: Tick| {
        let nanos = u128::from(tick) * u128::from(rate.period_nanos());
        let secs = u64::try_from(nanos / 1_000_000_000);
        secs.map_or(Duration::MAX, |secs| {
            Duration::new(secs, (nanos % 1_000_000_000) as u32)
        })
    };
    let mut time = Time::default();
    time.advance_to(at(tick));
    time.advance_to(at(tick.saturating_add(1)));
    time
}
