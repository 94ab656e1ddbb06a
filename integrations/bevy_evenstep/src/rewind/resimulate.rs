use bevy_app::FixedMain;
use bevy_ecs::world::World;
use bevy_time::Time;
use core::fmt;
use evenstep::Tick;

use super::history::RewindHistory;
use super::kinds::retract_events;
use crate::news::CurrentStep;
use crate::step::run_step;
use crate::timestep::Timestep;

/// A tick from which nothing can be simulated again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotKept {
    /// The tick.
    pub tick: Tick,
}

impl fmt::Display for NotKept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the state before tick {} is not kept; let RewindHistory keep more",
            self.tick
        )
    }
}

impl core::error::Error for NotKept {}

/// Goes back to the state before a tick and runs all steps from there to the present again. Returns how many.
///
/// Steps find the input of their time by the tick of [`CurrentStep`]. Events that wait to be shown are taken back first; those that were
/// shown come again. Schedules of a [`RatePlugin`](crate::RatePlugin) run again in the same order.
///
/// # Errors
///
/// If the state is not kept. Then nothing is changed.
pub fn resimulate(world: &mut World, from: Tick) -> Result<u64, NotKept> {
    let present = world.get_resource::<CurrentStep>().copied();
    let timestep = world.get_resource::<Timestep>();
    let timestep = timestep.map(|timestep| (timestep.rate(), timestep.tick()));
    let state = world
        .get_resource_mut::<RewindHistory>()
        .and_then(|mut history| history.take(from));
    let (Some(present), Some((rate, end)), Some(state)) = (present, timestep, state) else {
        return Err(NotKept { tick: from });
    };
    let time = *world.resource::<Time>();
    retract_events(world, from);
    state.restore(world);
    for tick in from..end {
        // Without the schedule there is nothing to run.
        let _ = world.try_schedule_scope(FixedMain, |world, schedule| run_step(world, schedule, tick, rate));
    }
    *world.resource_mut::<CurrentStep>() = present;
    *world.resource_mut::<Time>() = time;
    Ok(end.saturating_sub(from))
}
