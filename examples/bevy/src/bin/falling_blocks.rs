//! Opens the window of `falling_blocks`.

use bevy::prelude::*;
use bevy::window::PresentMode;
use bevy_evenstep_windows::falling_blocks;

fn main() -> AppExit {
    let window = Window {
        title: "Falling blocks".into(),
        resolution: (960, 540).into(),
        // The display is simulated: the real one must not hold up its frames.
        present_mode: PresentMode::AutoNoVsync,
        ..default()
    };
    let windows = WindowPlugin {
        primary_window: Some(window),
        ..default()
    };
    let plugins = (DefaultPlugins.set(windows), falling_blocks::plugin);
    App::new().add_plugins(plugins).run()
}
