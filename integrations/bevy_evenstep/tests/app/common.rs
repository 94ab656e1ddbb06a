//! Bevy apps that are given the time.

use bevy_app::{App, Plugins};
use bevy_ecs::entity::Entity;
use bevy_ecs::hierarchy::ChildOf;
use bevy_evenstep::rewind::{RestoreError, RewindId};
use bevy_time::TimePlugin;

use crate::frames::begin;

/// An app without a window, with Bevy's time and these plugins.
pub(crate) fn app<M>(plugins: impl Plugins<M>) -> App {
    let mut app = App::new();
    app.add_plugins(TimePlugin).add_plugins(plugins);
    begin(&mut app);
    app
}

/// Entities of a state whose parents are gone.
pub(crate) fn lost(parents: Vec<(RewindId, Entity)>) -> RestoreError {
    RestoreError::LostTargets {
        type_name: std::any::type_name::<ChildOf>(),
        lost: parents,
    }
}
