//! Bevy apps that are given the time.

use bevy_app::{App, Plugins};
use bevy_time::TimePlugin;

use crate::frames::begin;

/// An app without a window, with Bevy's time and these plugins.
pub(crate) fn app<M>(plugins: impl Plugins<M>) -> App {
    let mut app = App::new();
    app.add_plugins(TimePlugin).add_plugins(plugins);
    begin(&mut app);
    app
}
