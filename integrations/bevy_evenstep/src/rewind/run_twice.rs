//! Runs each step twice from equal states, and reports where the results differ.

use bevy_ecs::resource::Resource;
use bevy_ecs::world::World;
use evenstep::Tick;
use evenstep::inspect::Desync;

use super::state::{RestoreError, WorldState};
use crate::events::begin_events;

/// Runs every step twice from the same state, with the steps of other rates that belong to it, and compares the results: it finds state
/// that keeps a game from being rolled back or replayed. Insert it in a test, and look for a [`desync`](Self::desync).
///
/// Unregistered state is not restored between the two runs. State in a `Local`, in a resource or in messages that a step reads is therefore
/// found as soon as it changes a registered component.
///
/// ```
/// use bevy_app::{App, FixedUpdate};
/// use bevy_ecs::prelude::{Local, ResMut, Resource};
/// use bevy_evenstep::ExactLoopPlugin;
/// use bevy_evenstep::rewind::{RewindPlugin, SyncTest};
/// # use bevy_time::TimeUpdateStrategy;
/// # use std::time::Duration;
///
/// #[derive(Resource, Clone, Default)]
/// struct Score(u64);
///
/// fn bug(mut score: ResMut<Score>, mut hidden: Local<u64>) {
///     *hidden += 1;
///     score.0 += *hidden;
/// }
///
/// let mut app = App::new();
/// app.add_plugins((ExactLoopPlugin::hz(60), RewindPlugin::new(|score: &Score| score.0)))
///     .init_resource::<Score>()
///     .init_resource::<SyncTest>()
///     .add_systems(FixedUpdate, bug);
/// # app.finish();
/// # app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(20)));
/// # app.update();
/// app.update();
/// let desync = app.world().resource::<SyncTest>().desync().expect("the bug is found");
/// assert!(desync.tick == 1 && desync.to_string().ends_with("Score: 1 here, 2 there"));
/// ```
#[derive(Resource, Clone, Debug, Default)]
pub struct SyncTest {
    desync: Option<Desync>,
    error: Option<RestoreError>,
}

impl SyncTest {
    /// The values in which the two states after the first step that led to two differ, by entity, type and
    /// [field](super::WorldState::dump); none as long as no step did. Its tick is the tick after that step.
    #[must_use]
    pub const fn desync(&self) -> Option<&Desync> {
        self.desync.as_ref()
    }

    /// Why the first step that was not run twice was not: its state could not be [restored](super::WorldState::restore).
    #[must_use]
    pub const fn error(&self) -> Option<&RestoreError> {
        self.error.as_ref()
    }
}

/// Runs a step, and once more if a [`SyncTest`] is there.
pub(crate) fn run_twice(world: &mut World, tick: Tick, mut run: impl FnMut(&mut World)) {
    if !world.contains_resource::<SyncTest>() {
        return run(world);
    }
    let before = WorldState::save(world);
    run(world);
    let first = WorldState::save(world);
    if let Err(error) = before.restore(world) {
        if let Some(mut test) = world.get_resource_mut::<SyncTest>() {
            test.error.get_or_insert(error);
        }
        return;
    }
    begin_events(world, tick, true);
    run(world);
    let second = WorldState::save(world);
    if let Some(mut test) = world.get_resource_mut::<SyncTest>()
        && test.desync.is_none()
        && first.hash() != second.hash()
    {
        test.desync = first.dump(tick + 1).compare(&second.dump(tick + 1));
    }
}
