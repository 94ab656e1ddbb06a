//! Schedules with rates of their own, in order of time with the fixed updates.

use bevy_app::{App, Plugin};
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy_ecs::world::World;
use bevy_time::Time;
use core::cmp::Ordering;
use core::time::Duration;
use evenstep::{Rate, Step, Tick};

use crate::resources::CurrentStep;

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
    }

    fn is_unique(&self) -> bool {
        false
    }
}

/// The schedules that run at rates of their own.
#[derive(Resource, Default)]
pub(crate) struct Rates {
    added: Vec<(InternedScheduleLabel, Rate)>,
}

/// A step that ends within a step of `FixedMain`, or that itself.
struct Due {
    tick: Tick,
    rate: Rate,
    /// None is `FixedMain`, which comes first of those that end at the same time.
    other: Option<(usize, InternedScheduleLabel)>,
}

impl Due {
    /// When it ends, in seconds by the numerator of its rate.
    fn end(&self) -> u128 {
        periods(self.tick.saturating_add(1), self.rate)
    }

    fn cmp(&self, other: &Self) -> Ordering {
        let (one, two) = (u128::from(self.rate.numer()), u128::from(other.rate.numer()));
        let ends = self.end().saturating_mul(two).cmp(&other.end().saturating_mul(one));
        ends.then(
            self.other
                .map(|(place, _)| place)
                .cmp(&other.other.map(|(place, _)| place)),
        )
    }
}

/// The time of a number of periods, in seconds by the numerator of the rate.
fn periods(number: u64, rate: Rate) -> u128 {
    u128::from(number).saturating_mul(u128::from(rate.denom()))
}

/// Runs all steps that end after the beginning of a step of `FixedMain` and by its end. `main` runs the step of `FixedMain` itself.
pub(crate) fn run_in_order(world: &mut World, tick: Tick, rate: Rate, mut main: impl FnMut(&mut World)) {
    let due = world
        .get_resource::<Rates>()
        .map_or_else(Vec::new, |rates| rates.due(tick, rate));
    if due.is_empty() {
        return main(world);
    }
    for due in due {
        let Some((_, label)) = due.other else {
            main(world);
            continue;
        };
        *world.resource_mut::<Time>() = time(due.tick, due.rate);
        *world.resource_mut::<CurrentStep>() = CurrentStep::new(Step::new(due.tick, due.rate));
        // Without the schedule there is nothing to run.
        let _ = world.try_run_schedule(label);
    }
}

impl Rates {
    fn due(&self, tick: Tick, rate: Rate) -> Vec<Due> {
        if self.added.is_empty() {
            return Vec::new();
        }
        // How many steps of another rate end by the end of a number of periods.
        let until = |number: u64, other: Rate| {
            let ended = periods(number, rate).saturating_mul(u128::from(other.numer()))
                / (u128::from(rate.numer()) * u128::from(other.denom()));
            u64::try_from(ended).unwrap_or(u64::MAX)
        };
        let others = self.added.iter().enumerate().flat_map(|(place, (label, other))| {
            let ticks = until(tick, *other)..until(tick.saturating_add(1), *other);
            ticks.map(move |tick| Due {
                tick,
                rate: *other,
                other: Some((place, *label)),
            })
        });
        let main = Due {
            tick,
            rate,
            other: None,
        };
        let mut due: Vec<Due> = others.chain([main]).collect();
        due.sort_by(Due::cmp);
        due
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
