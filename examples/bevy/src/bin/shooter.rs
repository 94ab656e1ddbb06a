//! Opens the window of `shooter`.

use bevy::prelude::*;
use bevy_evenstep::DisplayTimePlugin;
use bevy_evenstep_windows::shooter;

fn main() -> AppExit {
    let window = Window {
        title: "Shooter".into(),
        resolution: (1280, 800).into(),
        ..default()
    };
    let windows = WindowPlugin {
        primary_window: Some(window),
        ..default()
    };
    let plugins = (DefaultPlugins.set(windows), DisplayTimePlugin, shooter::plugin);
    App::new().add_plugins(plugins).run()
}
