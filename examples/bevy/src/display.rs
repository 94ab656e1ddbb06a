//! A display of any rate, whatever the real one does.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::{TimeSystems, TimeUpdateStrategy};
use bevy::winit::{UpdateMode, WinitSettings};

/// Tells Bevy the time of a [`SimulatedDisplay`], and draws no more frames than it has refreshes.
pub struct SimulatedDisplayPlugin;

impl Plugin for SimulatedDisplayPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<SimulatedDisplay>()
            .add_systems(First, refresh.before(TimeSystems))
            .add_systems(PostUpdate, limit.run_if(resource_changed::<SimulatedDisplay>));
    }
}

/// A display that is simulated. Each frame lasts exactly one of its refreshes; to the nanosecond, in which Bevy counts, they add up.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulatedDisplay {
    /// Its refresh rate.
    pub hertz: u64,
    /// The refreshes so far.
    pub frames: u64,
    /// Whether time stands still.
    pub is_still: bool,
}

impl SimulatedDisplay {
    /// A display whose first refresh is yet to come.
    #[must_use]
    pub const fn new(hertz: u64) -> Self {
        Self {
            hertz,
            frames: 0,
            is_still: false,
        }
    }

    /// The duration of a number of refreshes.
    #[must_use]
    pub const fn time(&self, frames: u64) -> Duration {
        Duration::from_nanos(frames * 1_000_000_000 / self.hertz)
    }
}

impl Default for SimulatedDisplay {
    fn default() -> Self {
        Self::new(144)
    }
}

fn refresh(mut display: ResMut<SimulatedDisplay>, mut strategy: ResMut<TimeUpdateStrategy>) {
    let display = display.bypass_change_detection();
    let frame = u64::from(!display.is_still);
    let delta = display.time(display.frames + frame) - display.time(display.frames);
    display.frames += frame;
    *strategy = TimeUpdateStrategy::ManualDuration(delta);
}

fn limit(display: Res<SimulatedDisplay>, mut settings: ResMut<WinitSettings>) {
    let mode = UpdateMode::Reactive {
        wait: display.time(1),
        react_to_device_events: false,
        react_to_user_events: false,
        react_to_window_events: false,
    };
    (settings.focused_mode, settings.unfocused_mode) = (mode, mode);
}
