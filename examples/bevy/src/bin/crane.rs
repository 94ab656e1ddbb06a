//! Opens the window of the falling blocks: a crane drops a block for each press.

use std::time::Duration;

use bevy::prelude::*;
use bevy::window::PresentMode;
use bevy_evenstep_windows::falling_blocks;

fn main() -> AppExit {
    let window = Window {
        title: "Falling blocks".into(),
        resolution: (1280, 800).into(),
        // The display is simulated, so frames must not wait for the real one.
        present_mode: PresentMode::AutoNoVsync,
        ..default()
    };
    let windows = WindowPlugin {
        primary_window: Some(window),
        ..default()
    };
    let plugins = (DefaultPlugins.set(windows), falling_blocks::plugin);
    let mut app = App::new();
    app.add_plugins(plugins);
    // A deliberate fault, which `examples/ci/smoothness.sh` must find.
    let planted = std::env::var("PLANTED_SLEEP_MS")
        .ok()
        .and_then(|text| text.parse().ok());
    if let Some(millis) = planted {
        app.add_systems(Update, move || std::thread::sleep(Duration::from_millis(millis)));
    }
    app.run()
}
