//! A loop in place of Bevy's, for lockstep and for control.

use bevy_app::{App, FixedMain, Plugin, PreStartup, RunFixedMainLoop, RunFixedMainLoopSystems};
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::{IntoScheduleConfigs, Schedule, ScheduleCleanupPolicy};
use bevy_ecs::system::{Local, Res, ResMut};
use bevy_ecs::world::World;
use bevy_platform::time::Instant;
use bevy_time::{Fixed, Real, Time, TimeUpdateStrategy, Virtual, run_fixed_main_schedule};
use core::time::Duration;
use evenstep::{FixedTimestep, Frame, Rate};

use crate::rates::Rates;
use crate::resources::LastFrame;
use crate::step::run_step;
use crate::steps::{clamped, ensure_steps};
use crate::system_sets::EvenstepSystems;
use crate::timestep::Timestep;

/// Runs Bevy's fixed updates by an [`evenstep::FixedTimestep`] in place of Bevy's own accumulator: for lockstep, rollback, several rates,
/// budgets and overrun policies.
///
/// `FixedFirst` to `FixedLast` run in their order. `Time<Fixed>` and `Time` in them have the same delta in every step, the period
/// rounded to the nearest nanosecond as in Bevy, so a `Timer` fires in the same steps as under Bevy's loop. What is exact is when steps run
/// and what [`CurrentStep`](crate::CurrentStep) says. The rate may be changed by `Time<Fixed>` or by [`Timestep`], at any time; a new rate begins
/// at tick 0.
///
/// It removes one system of Bevy's, `run_fixed_main_schedule`, and runs [`EvenstepSystems::Run`] in its place. Plugins that are ordered by
/// [`RunFixedMainLoopSystems`] stay where they are.
///
/// ```
/// use bevy_app::App;
/// use bevy_evenstep::ExactLoopPlugin;
/// use evenstep::{FixedTimestep, Overrun, Rate};
/// use std::time::Duration;
///
/// App::new().add_plugins(ExactLoopPlugin::hz(60));
///
/// // The same with settings:
/// let catch_up = Overrun::Carry { max_backlog: Duration::from_millis(100) };
/// let timestep = FixedTimestep::new(Rate::hz(60)).with_max_steps(4).with_overrun(catch_up);
/// App::new().add_plugins(ExactLoopPlugin::new(timestep));
/// ```
#[derive(Clone, Debug)]
pub struct ExactLoopPlugin {
    timestep: FixedTimestep,
}

impl ExactLoopPlugin {
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

impl Plugin for ExactLoopPlugin {
    fn build(&self, app: &mut App) {
        ensure_steps(app);
        let rate = self.timestep.rate();
        app.insert_resource(Timestep::from(self.timestep.clone()))
            .insert_resource(LastFrame::new(self.timestep.idle_frame(), rate))
            .insert_resource(Time::<Fixed>::from_duration(period(rate)))
            .init_resource::<Rates>()
            .configure_sets(
                RunFixedMainLoop,
                EvenstepSystems::Run.in_set(RunFixedMainLoopSystems::FixedMainLoop),
            )
            .add_systems(
                RunFixedMainLoop,
                (
                    grant.in_set(EvenstepSystems::Grant),
                    run_steps.in_set(EvenstepSystems::Run),
                ),
            );
        // At once where the app runs already, and else with its first update: whoever adds Bevy's own may come after us.
        remove_loop_of_bevy(app.world_mut());
        app.add_systems(PreStartup, remove_loop_of_bevy);
    }
}

/// The real time that the steps of a frame may take. With this resource, no further step begins once the time is used up; the remaining
/// steps are given back to the [`Timestep`] and follow its overrun policy.
///
/// At least one step runs, so that the game does not stand still on a slow machine. Without this resource only
/// [`max_steps`](FixedTimestep::max_steps) limits a frame.
///
/// ```
/// use bevy_app::App;
/// use bevy_evenstep::{Budget, ExactLoopPlugin};
/// use std::time::Duration;
///
/// let mut app = App::new();
/// app.add_plugins(ExactLoopPlugin::hz(60)).insert_resource(Budget(Duration::from_millis(8)));
/// ```
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget(pub Duration);

/// Others may have been ordered by the system, so its name stays.
fn remove_loop_of_bevy(world: &mut World) {
    let policy = ScheduleCleanupPolicy::RemoveSystemsOnly;
    // An error says that it is not there.
    let _ = world.try_schedule_scope(RunFixedMainLoop, |world, schedule| {
        schedule.remove_systems_in_set(run_fixed_main_schedule, world, policy)
    });
}

/// The longest delta of `Time<Virtual>` where the overrun policy keeps time: longer than any frame.
const NO_LIMIT: Duration = Duration::from_secs(u32::MAX as u64);

/// Gives the timestep the time that has passed.
fn grant(
    mut timestep: ResMut<Timestep>,
    mut fixed: ResMut<Time<Fixed>>,
    mut last: ResMut<LastFrame>,
    real: Res<Time<Real>>,
    mut virtual_time: ResMut<Time<Virtual>>,
    strategy: Option<Res<TimeUpdateStrategy>>,
    (mut ahead, mut kept): (Local<u128>, Local<Duration>),
) {
    let clamped = clamped(&virtual_time, &real);
    limit_delta(&mut timestep, &mut virtual_time);
    let rounded = fixed.timestep();
    *kept += follow_rate(&mut timestep, &mut fixed, last.rate());
    let rate = timestep.rate();
    if (rate, timestep.tick()) != (last.rate(), last.tick()) {
        *ahead = 0; // the game has set another timestep
    }
    let mut delta = virtual_time.delta();
    if let Some(TimeUpdateStrategy::FixedTimesteps(steps)) = strategy.as_deref()
        && delta == rounded.saturating_mul(*steps)
    {
        delta = whole_periods(*steps, rate, &mut ahead);
    }
    if !kept.is_zero() && !timestep.is_paused() {
        let kept = core::mem::take(&mut *kept);
        let max_delta = timestep.max_delta().saturating_add(kept);
        timestep.0.set_max_delta(max_delta);
        delta = delta.saturating_add(kept);
    }
    let frame = timestep.0.advance(delta);
    last.grant(frame, rate, clamped);
}

/// Sets the longest accepted delta, which is Bevy's.
fn limit_delta(timestep: &mut Timestep, virtual_time: &mut Time<Virtual>) {
    let longest = virtual_time.max_delta();
    // Bevy has cut off longer deltas, and whole periods that are rounded up must not be cut off again.
    let believed = longest.saturating_add(Duration::from_micros(1));
    if longest == NO_LIMIT {
        timestep.0.set_max_delta(None);
    } else if timestep.max_delta() != believed {
        timestep.0.set_max_delta(believed);
    }
    // From the next frame on.
    let by_default = Time::<Virtual>::default().max_delta();
    let keeps_time = timestep.overrun().keeps_time();
    if keeps_time && longest == by_default {
        virtual_time.set_max_delta(NO_LIMIT);
    } else if !keeps_time && longest == NO_LIMIT {
        virtual_time.set_max_delta(by_default);
    }
}

/// Brings the timestep and `Time<Fixed>` to the rate to which one of them was set. Returns the time that has arrived and was not stepped at
/// the former rate.
fn follow_rate(timestep: &mut Timestep, fixed: &mut Time<Fixed>, former: Rate) -> Duration {
    if timestep.rate() == former && fixed.timestep() != period(former) {
        timestep.0.restart_at(nearest_rate(fixed.timestep()));
        return fixed.overstep();
    }
    let period = period(timestep.rate());
    if fixed.timestep() != period {
        fixed.set_timestep(period);
    }
    Duration::ZERO
}

/// The whole number of hertz whose period is this, or else the rate of exactly this period.
fn nearest_rate(period_set: Duration) -> Rate {
    let hertz = (1.0 / period_set.as_secs_f64()).round() as u32;
    if hertz > 0 && period(Rate::hz(hertz)) == period_set {
        Rate::hz(hertz)
    } else {
        crate::steps::exact_rate(period_set)
    }
}

/// A rate's period as Bevy has it, to the nearest nanosecond.
fn period(rate: Rate) -> Duration {
    let (numer, denom) = (u64::from(rate.numer()), u64::from(rate.denom()));
    Duration::from_nanos(((denom * 1_000_000_000 + numer / 2) / numer).max(1))
}

/// The time of a number of steps, rounded up to a nanosecond, so that a frame as long as this has them all. What rounding adds is left out of
/// the next frames: `ahead`, in nanoseconds divided by the rate's numerator.
fn whole_periods(steps: u32, rate: Rate, ahead: &mut u128) -> Duration {
    let numer = u128::from(rate.numer());
    let exact = u128::from(steps) * u128::from(rate.denom()) * 1_000_000_000;
    let nanos = exact.saturating_sub(*ahead).div_ceil(numer);
    *ahead = *ahead + nanos * numer - exact;
    Duration::from_nanos_u128(nanos)
}

/// Runs the steps that were granted.
fn run_steps(world: &mut World) {
    let frame = **world.resource::<LastFrame>();
    // Without the schedule there is nothing to run.
    let unrun = world.try_schedule_scope(FixedMain, |world, schedule| run_within_budget(world, schedule, &frame));
    let frame = world.resource_mut::<Timestep>().0.give_back(frame, unrun.unwrap_or(0));
    let delta = world.resource::<Time<Real>>().delta();
    let speed = world.resource::<Time<Virtual>>().effective_speed_f64();
    world.resource_mut::<LastFrame>().finish(frame, delta, speed);
    set_overstep(&mut world.resource_mut::<Time<Fixed>>(), frame.alpha());
    *world.resource_mut::<Time>() = world.resource::<Time<Virtual>>().as_generic();
}

/// Returns the number of steps for which there was no time.
fn run_within_budget(world: &mut World, schedule: &mut Schedule, frame: &Frame) -> u32 {
    let budget = world.get_resource::<Budget>().map(|budget| (Instant::now(), budget.0));
    let rate = world.resource::<Timestep>().rate();
    let mut steps = frame.steps();
    for step in steps.by_ref() {
        run_step(world, schedule, step.tick, rate, false);
        if budget.is_some_and(|(begin, limit)| begin.elapsed() >= limit) {
            break;
        }
    }
    u32::try_from(steps.len()).unwrap_or(u32::MAX)
}

/// Sets the fraction of the overstep, for systems that draw by it.
fn set_overstep(fixed: &mut Time<Fixed>, alpha: f64) {
    fixed.discard_overstep(fixed.overstep());
    let overstep = Duration::from_nanos((fixed.timestep().as_nanos() as f64 * alpha) as u64);
    fixed.accumulate_overstep(overstep);
}
