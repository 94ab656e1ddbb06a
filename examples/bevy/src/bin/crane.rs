//! Opens the window of the falling blocks: a crane drops a block for each press.

use std::time::Duration;

use bevy::diagnostic::FrameCount;
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
    // For `cargo ci --only smoothness`: a deliberate fault, which it must find, and an end after a number of frames.
    let number = |name| std::env::var(name).ok()?.parse::<u64>().ok();
    if let Some(millis) = number("PLANTED_SLEEP_MS") {
        app.add_systems(Update, move || std::thread::sleep(Duration::from_millis(millis)));
    }
    if let Some(frames) = number("FRAMES_OF_PLAY") {
        let end = move |before: Res<FrameCount>, mut exit: MessageWriter<AppExit>| {
            if u64::from(before.0) + 1 == frames {
                exit.write(AppExit::Success);
            }
        };
        app.add_systems(Update, end);
    }
    app.run()
}
