//! Keeps the states of the last ticks and restores them.

use bevy_ecs::resource::Resource;
use bevy_ecs::world::World;
use evenstep::Tick;
use evenstep::history::SavedStates;

use super::state::WorldState;

/// Keeps the states before the last steps: to rewind, and to [`resimulate`](super::resimulate) when input of another player comes late.
///
/// ```
/// use bevy_app::{App, FixedUpdate};
/// use bevy_ecs::prelude::{ResMut, Resource};
/// use bevy_evenstep::ExactLoopPlugin;
/// use bevy_evenstep::rewind::{RewindHistory, RewindPlugin, resimulate};
/// # use bevy_time::TimeUpdateStrategy;
/// # use std::time::Duration;
///
/// #[derive(Resource, Clone, Default)]
/// struct Steps(u64);
///
/// let mut app = App::new();
/// app.add_plugins((ExactLoopPlugin::hz(60), RewindPlugin::new(|steps: &Steps| steps.0)))
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
///     history.state(2).expect("it is kept").restore(world).expect("no parents");
/// });
/// assert_eq!(app.world().resource::<Steps>().0, 2);
///
/// assert_eq!(resimulate(app.world_mut(), 2), Ok(4)); // steps 2 to 5
/// assert_eq!(app.world().resource::<Steps>().0, 6);
/// ```
#[derive(Resource, Debug, Default)]
pub struct RewindHistory(SavedStates<WorldState>);

impl RewindHistory {
    /// Keeps the states before the last `limit` steps.
    #[must_use]
    pub const fn new(limit: usize) -> Self {
        Self(SavedStates::new(limit))
    }

    /// The state before a tick, if it is kept.
    #[must_use]
    pub fn state(&self, tick: Tick) -> Option<&WorldState> {
        self.0.get(tick)
    }

    /// The ticks whose states are kept, oldest first.
    pub fn ticks(&self) -> impl Iterator<Item = Tick> {
        self.0.ticks()
    }
}

/// Keeps the state before a step, if states are kept.
pub(crate) fn keep_state(world: &mut World, tick: Tick) {
    if world.contains_resource::<RewindHistory>() {
        let state = WorldState::save(world);
        world.resource_mut::<RewindHistory>().0.push(tick, state);
    }
}
