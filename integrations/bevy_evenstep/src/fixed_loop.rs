//! The loop in place of Bevy's.

use bevy_app::FixedMain;
use bevy_ecs::schedule::Schedule;
use bevy_ecs::system::{Res, ResMut};
use bevy_ecs::world::World;
use bevy_time::{Fixed, Real, Time, Virtual};
use core::time::Duration;
use evenstep::{Frame, Rate};

use crate::budget::Budget;
use crate::news::LastFrame;
use crate::step::run_step;
use crate::timestep::Timestep;

/// Tells the timestep the time that has passed.
pub(crate) fn grant(
    mut timestep: ResMut<Timestep>,
    mut fixed: ResMut<Time<Fixed>>,
    mut last: ResMut<LastFrame>,
    real: Res<Time<Real>>,
    virtual_time: Res<Time<Virtual>>,
) {
    let longest = virtual_time.max_delta();
    let speed = virtual_time.relative_speed_f64().max(1.0);
    let believed = Duration::try_from_secs_f64(longest.as_secs_f64() * speed).unwrap_or(Duration::MAX);
    // Bevy has cut off what is longer; rounding is no reason to do so again.
    let believed = believed.saturating_add(Duration::from_micros(1));
    if timestep.max_delta() != believed {
        timestep.set_max_delta(believed);
    }
    set_period(&mut fixed, timestep.rate());
    let cut = if virtual_time.was_paused() {
        Duration::ZERO
    } else {
        real.delta().saturating_sub(longest)
    };
    let frame = timestep.advance(virtual_time.delta());
    last.grant(frame, cut);
}

/// Runs the steps that were granted.
pub(crate) fn run_steps(world: &mut World) {
    let frame = **world.resource::<LastFrame>();
    // Without the schedule there is nothing to run.
    let unrun = world.try_schedule_scope(FixedMain, |world, schedule| run_within_budget(world, schedule, &frame));
    let frame = world.resource_mut::<Timestep>().give_back(frame, unrun.unwrap_or(0));
    let delta = world.resource::<Time<Real>>().delta();
    let speed = world.resource::<Time<Virtual>>().effective_speed_f64();
    world.resource_mut::<LastFrame>().settle(frame, delta, speed);
    set_overstep(&mut world.resource_mut::<Time<Fixed>>(), frame.alpha());
    *world.resource_mut::<Time>() = world.resource::<Time<Virtual>>().as_generic();
}

/// Answers with the number of steps for which there was no time.
fn run_within_budget(world: &mut World, schedule: &mut Schedule, frame: &Frame) -> u32 {
    if let Some(mut budget) = world.get_resource_mut::<Budget>() {
        budget.begin_frame();
    }
    let rate = world.resource::<Timestep>().rate();
    let mut steps = frame.steps();
    for step in steps.by_ref() {
        run_step(world, schedule, step.tick, rate);
        if let Some(mut budget) = world.get_resource_mut::<Budget>()
            && !budget.end_step()
        {
            break;
        }
    }
    u32::try_from(steps.len()).unwrap_or(u32::MAX)
}

/// Sets the timestep to a rate's period, in whole nanoseconds.
pub(crate) fn set_period(fixed: &mut Time<Fixed>, rate: Rate) {
    let period = Duration::from_nanos(rate.period_nanos().max(1));
    if fixed.timestep() != period {
        fixed.set_timestep(period);
    }
}

/// Tells those who read the fraction of the overstep where to draw.
fn set_overstep(fixed: &mut Time<Fixed>, alpha: f64) {
    fixed.discard_overstep(fixed.overstep());
    let overstep = Duration::from_nanos((fixed.timestep().as_nanos() as f64 * alpha) as u64);
    fixed.accumulate_overstep(overstep);
}
