use bevy_app::FixedMain;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::World;
use bevy_time::Time;
use core::fmt;
use evenstep::{Step, Tick};
use std::collections::VecDeque;

use super::{WorldState, retract_events};
use crate::fixed_loop::run_step;
use crate::{CurrentStep, Timestep};

/// Keeps the states before the last steps: to rewind, and to [`resimulate`] when input of another player comes late.
///
/// ```
/// use bevy_app::{App, FixedUpdate};
/// use bevy_ecs::prelude::{ResMut, Resource};
/// use bevy_evenstep::EvenstepPlugin;
/// use bevy_evenstep::rewind::{RewindHistory, RewindResourcePlugin, resimulate};
/// # use bevy_time::TimeUpdateStrategy;
/// # use std::time::Duration;
///
/// #[derive(Resource, Clone, Default)]
/// struct Steps(u64);
///
/// let mut app = App::new();
/// app.add_plugins((EvenstepPlugin::hz(60), RewindResourcePlugin::new(|steps: &Steps| steps.0)))
///     .init_resource::<Steps>()
///     .insert_resource(RewindHistory::new(120))
///     .add_systems(FixedUpdate, |mut steps: ResMut<Steps>| steps.0 += 1);
/// # app.finish();
/// # app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(100)));
/// # app.update();
/// app.update(); // 100 ms: six steps
/// assert_eq!(app.world().resource::<Steps>().0, 6);
///
/// app.world_mut().resource_scope(|world, history: bevy_ecs::prelude::Mut<RewindHistory>| {
///     history.state(2).expect("it is kept").restore(world);
/// });
/// assert_eq!(app.world().resource::<Steps>().0, 2);
///
/// assert_eq!(resimulate(app.world_mut(), 2), Ok(4)); // steps 2 to 5
/// assert_eq!(app.world().resource::<Steps>().0, 6);
/// ```
#[derive(Resource, Debug, Default)]
pub struct RewindHistory {
    limit: usize,
    states: VecDeque<(Tick, WorldState)>,
}

impl RewindHistory {
    /// Keeps the states before the last `limit` steps.
    #[must_use]
    pub const fn new(limit: usize) -> Self {
        Self {
            limit,
            states: VecDeque::new(),
        }
    }

    /// The state before a tick, if it is kept.
    #[must_use]
    pub fn state(&self, tick: Tick) -> Option<&WorldState> {
        let place = self.states.binary_search_by_key(&tick, |(tick, _)| *tick).ok()?;
        Some(&self.states[place].1)
    }

    /// The ticks whose states are kept, oldest first.
    pub fn ticks(&self) -> impl Iterator<Item = Tick> {
        self.states.iter().map(|(tick, _)| *tick)
    }

    fn push(&mut self, tick: Tick, state: WorldState) {
        // A timestep that begins anew leaves no future.
        self.states.retain(|(other, _)| *other < tick);
        self.states.push_back((tick, state));
        while self.states.len() > self.limit {
            self.states.pop_front();
        }
    }
}

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
/// shown come again. Schedules of a [`RatePlugin`](crate::RatePlugin) are not run again.
///
/// # Errors
///
/// If the state is not kept. Then nothing is changed.
pub fn resimulate(world: &mut World, from: Tick) -> Result<u64, NotKept> {
    let present = world.get_resource::<CurrentStep>().map(|step| **step);
    let rate = world
        .get_resource::<Timestep>()
        .map(|timestep| (timestep.rate(), timestep.tick()));
    let state = world.get_resource_mut::<RewindHistory>().and_then(|mut history| {
        let place = history.states.binary_search_by_key(&from, |(tick, _)| *tick).ok()?;
        history.states.remove(place)
    });
    let (Some(present), Some((rate, end)), Some((_, state))) = (present, rate, state) else {
        return Err(NotKept { tick: from });
    };
    let time = *world.resource::<Time>();
    retract_events(world, from);
    state.restore(world);
    for tick in from..end {
        // Without the schedule there is nothing to run.
        let _ = world.try_schedule_scope(FixedMain, |world, schedule| {
            run_step(world, schedule, Step::new(tick, rate))
        });
    }
    world.resource_mut::<CurrentStep>().0 = present;
    *world.resource_mut::<Time>() = time;
    Ok(end.saturating_sub(from))
}

/// Keeps the state before a step, if states are kept.
pub(crate) fn keep_state(world: &mut World, tick: Tick) {
    if world.contains_resource::<RewindHistory>() {
        let state = WorldState::save(world);
        world.resource_mut::<RewindHistory>().push(tick, state);
    }
}
