//! The loop in place of Bevy's.

use bevy_app::FixedMain;
use bevy_ecs::schedule::{Schedule, ScheduleLabel};
use bevy_ecs::system::{Res, ResMut};
use bevy_ecs::world::World;
use bevy_time::{Fixed, Real, Time, Virtual};
use core::time::Duration;
use evenstep::{Frame, Rate, Step};

use crate::rates;
use crate::rewind::{keep_state, run_twice};
use crate::{Budget, CurrentStep, LastFrame, Timestep};

/// What happens before a step's own systems.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BeforeStep;

/// What happens after a step's own systems.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AfterStep;

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
    world.resource_mut::<LastFrame>().settle(frame, delta);
    set_overstep(&mut world.resource_mut::<Time<Fixed>>(), frame.alpha());
    *world.resource_mut::<Time>() = world.resource::<Time<Virtual>>().as_generic();
}

/// Answers with the number of steps for which there was no time.
fn run_within_budget(world: &mut World, schedule: &mut Schedule, frame: &Frame) -> u32 {
    if let Some(mut budget) = world.get_resource_mut::<Budget>() {
        budget.begin_frame();
    }
    let mut steps = frame.steps();
    for step in steps.by_ref() {
        run_step(world, schedule, step);
        if let Some(mut budget) = world.get_resource_mut::<Budget>()
            && !budget.end_step()
        {
            break;
        }
    }
    u32::try_from(steps.len()).unwrap_or(u32::MAX)
}

/// Runs a step, with all that belongs to it.
pub(crate) fn run_step(world: &mut World, schedule: &mut Schedule, step: Step) {
    world.resource_mut::<CurrentStep>().0 = step;
    world.run_schedule(BeforeStep);
    keep_state(world, step.tick);
    let mut fixed = world.resource_mut::<Time<Fixed>>();
    let period = fixed.timestep();
    fixed.advance_by(period);
    let time = fixed.as_generic();
    begin_step(world, step, time);
    run_twice(world, step, |world| schedule.run(world));
    rates::run_until(world, step.end());
    world.run_schedule(AfterStep);
}

/// What systems in a step are told.
pub(crate) fn begin_step(world: &mut World, step: Step, time: Time) {
    *world.resource_mut::<Time>() = time;
    world.resource_mut::<CurrentStep>().0 = step;
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
