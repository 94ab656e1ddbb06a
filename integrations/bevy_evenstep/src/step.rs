//! Runs one fixed update of the exact loop, and the steps of other rates in it.

use bevy_ecs::schedule::Schedule;
use bevy_ecs::world::World;
use bevy_time::{Fixed, Time};
use evenstep::{Rate, Step, Tick};

use crate::events::begin_events;
use crate::rates;
use crate::resources::CurrentStep;
use crate::rewind::{keep_state, run_twice};
use crate::smooth::restore_simulated;
use crate::system_sets::BeginStep;

/// Runs a step of `FixedMain`, with all that belongs to it: the steps of other rates that end by then as well.
pub(crate) fn run_step(world: &mut World, schedule: &mut Schedule, tick: Tick, rate: Rate, is_resimulated: bool) {
    let step = Step::new(tick, rate);
    *world.resource_mut::<CurrentStep>() = CurrentStep(step);
    restore_simulated(world);
    world.run_schedule(BeginStep);
    keep_state(world, tick);
    begin_events(world, tick, is_resimulated);
    run_twice(world, tick, |world| {
        rates::run_in_order(world, tick, rate, |world| run_main(world, schedule, step));
    });
}

fn run_main(world: &mut World, schedule: &mut Schedule, step: Step) {
    let mut fixed = world.resource_mut::<Time<Fixed>>();
    let period = fixed.timestep();
    fixed.advance_by(period);
    *world.resource_mut::<Time>() = world.resource::<Time<Fixed>>().as_generic();
    *world.resource_mut::<CurrentStep>() = CurrentStep(step);
    schedule.run(world);
}
