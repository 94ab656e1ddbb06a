//! Simulates the last ticks again, after a late input.

use bevy_app::FixedMain;
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::Schedules;
use bevy_ecs::world::{Mut, World};
use bevy_time::Time;
use evenstep::Tick;

use super::history::RewindHistory;
use super::state::RestoreError;
use crate::resources::CurrentStep;
use crate::smooth::draw;
use crate::step::run_step;
use crate::timestep::Timestep;

/// Why nothing was simulated again.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ResimulateError {
    /// The state before the tick is not kept, or the tick is still to come.
    #[error("the state before tick {tick} is not kept; let RewindHistory keep more")]
    NotKept {
        /// The tick.
        tick: Tick,
    },
    /// A step is being run: it cannot be left to run others.
    #[error("a step cannot simulate others again; call resimulate outside of fixed updates, as in PreUpdate")]
    WithinStep,
    /// The state cannot be restored.
    #[error(transparent)]
    NotRestored(#[from] RestoreError),
}

/// Is there while steps are simulated again.
#[derive(Resource)]
pub(crate) struct Resimulation;

/// Goes back to the state before a tick and runs all steps from there to the present again. Returns how many.
///
/// A step finds in `StepInput` what it had there, and late input of the game's own by the tick of [`CurrentStep`]. Events that were presented and happen
/// again are not presented again; the others are reported as [`Retracted`](crate::Retracted). Schedules of a [`RatePlugin`](crate::RatePlugin) run again in the same order.
///
/// # Errors
///
/// If the state is not kept, if it [cannot be restored](super::WorldState::restore), without an [`ExactLoopPlugin`](crate::ExactLoopPlugin),
/// or in a step, such as in `FixedUpdate` or the schedule of a `RatePlugin`. Then nothing is changed, except where the state is
/// [`Unsettled`](super::RestoreError::Unsettled).
pub fn resimulate(world: &mut World, from: Tick) -> Result<u64, ResimulateError> {
    let (Some(present), Some(timestep)) = (
        world.get_resource::<CurrentStep>().copied(),
        world.get_resource::<Timestep>(),
    ) else {
        return Err(ResimulateError::NotKept { tick: from });
    };
    let (rate, end) = (timestep.rate(), timestep.tick());
    // While it runs, it is taken out of the world.
    if !world.resource::<Schedules>().contains(FixedMain) {
        return Err(ResimulateError::WithinStep);
    }
    let restored = world.try_resource_scope(|world, history: Mut<RewindHistory>| {
        let state = history.state(from).filter(|_| from < end);
        state.map(|state| state.restore(world))
    });
    restored.flatten().ok_or(ResimulateError::NotKept { tick: from })??;
    let time = *world.resource::<Time>();
    world.insert_resource(Resimulation);
    for tick in from..end {
        // It was there before the first one.
        let _ = world.try_schedule_scope(FixedMain, |world, schedule| run_step(world, schedule, tick, rate, true));
    }
    world.remove_resource::<Resimulation>();
    *world.resource_mut::<CurrentStep>() = present;
    *world.resource_mut::<Time>() = time;
    draw(world);
    Ok(end - from)
}
