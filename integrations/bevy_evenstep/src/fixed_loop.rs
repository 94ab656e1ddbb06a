//! The loop in place of Bevy's.

use bevy_app::FixedMain;
use bevy_ecs::schedule::Schedule;
use bevy_ecs::system::{Local, Res, ResMut};
use bevy_ecs::world::World;
use bevy_time::{Fixed, Real, Time, TimeUpdateStrategy, Virtual};
use core::time::Duration;
use evenstep::{Frame, Overrun, Rate};

use crate::budget::Budget;
use crate::resources::LastFrame;
use crate::step::run_step;
use crate::timestep::Timestep;

/// The longest delta of `Time<Virtual>` where the overrun policy keeps time: longer than any frame.
const NO_LIMIT: Duration = Duration::from_secs(u32::MAX as u64);

/// Gives the timestep the time that has passed.
pub(crate) fn grant(
    mut timestep: ResMut<Timestep>,
    mut fixed: ResMut<Time<Fixed>>,
    mut last: ResMut<LastFrame>,
    real: Res<Time<Real>>,
    mut virtual_time: ResMut<Time<Virtual>>,
    strategy: Option<Res<TimeUpdateStrategy>>,
    mut owed: Local<Owed>,
) {
    let longest = virtual_time.max_delta();
    let speed = virtual_time.relative_speed_f64().max(1.0);
    let believed = Duration::try_from_secs_f64(longest.as_secs_f64() * speed).unwrap_or(Duration::MAX);
    // Bevy has cut off longer deltas; rounding must not cut them off again.
    let believed = believed.saturating_add(Duration::from_micros(1));
    if longest == NO_LIMIT {
        timestep.set_max_delta(None);
    } else if timestep.max_delta() != believed {
        timestep.set_max_delta(believed);
    }
    // From the next frame on.
    let by_default = Time::<Virtual>::default().max_delta();
    let keeps_time = timestep.overrun() != Overrun::Drop;
    if keeps_time && longest == by_default {
        virtual_time.set_max_delta(NO_LIMIT);
    } else if !keeps_time && longest == NO_LIMIT {
        virtual_time.set_max_delta(by_default);
    }
    let rounded = fixed.timestep();
    set_period(&mut fixed, timestep.rate());
    let clamped = if virtual_time.was_paused() {
        Duration::ZERO
    } else {
        real.delta().saturating_sub(longest)
    };
    let mut delta = virtual_time.delta();
    if let Some(TimeUpdateStrategy::FixedTimesteps(steps)) = strategy.as_deref()
        && delta == rounded.saturating_mul(*steps)
        && rounded == period(timestep.rate())
    {
        delta = delta.saturating_add(owed.of(*steps, timestep.rate()));
    }
    let frame = timestep.get_mut().advance(delta);
    last.grant(frame, clamped);
}

/// The time that Bevy omits: periods are rounded down to whole nanoseconds, and so is a frame that lasts a whole number of periods.
#[derive(Default)]
pub(crate) struct Owed {
    /// The time added beyond that, in nanoseconds by the numerator of the rate: less than one.
    paid: u128,
}

impl Owed {
    /// The time that is missing in a frame of `steps` steps, in whole nanoseconds, rounded up so that none is ever missing.
    fn of(&mut self, steps: u32, rate: Rate) -> Duration {
        let parts = u128::from(rate.numer());
        let rounded_off = u128::from(rate.denom()) * 1_000_000_000 % parts;
        let missing = u128::from(steps) * rounded_off;
        let nanos = missing.saturating_sub(self.paid).div_ceil(parts);
        self.paid = (self.paid + nanos * parts).saturating_sub(missing) % parts;
        Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }
}

/// Runs the steps that were granted.
pub(crate) fn run_steps(world: &mut World) {
    let frame = **world.resource::<LastFrame>();
    // Without the schedule there is nothing to run.
    let unrun = world.try_schedule_scope(FixedMain, |world, schedule| run_within_budget(world, schedule, &frame));
    let frame = world
        .resource_mut::<Timestep>()
        .get_mut()
        .give_back(frame, unrun.unwrap_or(0));
    let delta = world.resource::<Time<Real>>().delta();
    let speed = world.resource::<Time<Virtual>>().effective_speed_f64();
    world.resource_mut::<LastFrame>().settle(frame, delta, speed);
    set_overstep(&mut world.resource_mut::<Time<Fixed>>(), frame.alpha());
    *world.resource_mut::<Time>() = world.resource::<Time<Virtual>>().as_generic();
}

/// Returns the number of steps for which there was no time.
fn run_within_budget(world: &mut World, schedule: &mut Schedule, frame: &Frame) -> u32 {
    if let Some(mut budget) = world.get_resource_mut::<Budget>() {
        budget.begin_frame();
    }
    let rate = world.resource::<Timestep>().rate();
    let mut steps = frame.steps();
    for step in steps.by_ref() {
        run_step(world, schedule, step.tick, rate, false);
        if let Some(mut budget) = world.get_resource_mut::<Budget>()
            && !budget.end_step()
        {
            break;
        }
    }
    u32::try_from(steps.len()).unwrap_or(u32::MAX)
}

fn period(rate: Rate) -> Duration {
    Duration::from_nanos(rate.period_nanos().max(1))
}

/// Sets the timestep to a rate's period, in whole nanoseconds.
pub(crate) fn set_period(fixed: &mut Time<Fixed>, rate: Rate) {
    let period = period(rate);
    if fixed.timestep() != period {
        fixed.set_timestep(period);
    }
}

/// Sets the fraction of the overstep, for systems that draw by it.
fn set_overstep(fixed: &mut Time<Fixed>, alpha: f64) {
    fixed.discard_overstep(fixed.overstep());
    let overstep = Duration::from_nanos((fixed.timestep().as_nanos() as f64 * alpha) as u64);
    fixed.accumulate_overstep(overstep);
}
