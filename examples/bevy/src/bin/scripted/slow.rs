//! Sleeps in each frame and ends after a number of frames: for `cargo ci --only smoothness`, which must find the sleep.

use std::thread::sleep;
use std::time::Duration;

use bevy::diagnostic::FrameCount;
use bevy::prelude::*;

use crate::square;

pub(crate) fn play(app: &mut App, millis: u64, frames: u32) {
    let end = move |before: Res<FrameCount>, mut exit: MessageWriter<AppExit>| {
        sleep(Duration::from_millis(millis));
        if before.0 + 1 == frames {
            exit.write(AppExit::Success);
        }
    };
    app.add_plugins(square::plugin(60))
        .add_systems(Startup, |mut commands: Commands| {
            commands.spawn(square::square(2.0));
        })
        .add_systems(Update, end);
}
