//! A simulated display with any refresh rate, independent of the real one.

use std::time::Duration;

use bevy::prelude::*;
use bevy::time::{TimeSystems, TimeUpdateStrategy};
use bevy::winit::{UpdateMode, WinitSettings};

/// Makes Bevy use the time of a [`SimulatedDisplay`], and limits the frame rate to its refresh rate.
pub(crate) struct SimulatedDisplayPlugin;

impl Plugin for SimulatedDisplayPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<SimulatedDisplay>()
            .add_systems(First, refresh.before(TimeSystems))
            .add_systems(PostUpdate, limit.run_if(resource_changed::<SimulatedDisplay>));
    }
}

/// A simulated display. Each frame lasts exactly one refresh. Frames last whole nanoseconds, and their sum does not drift.
#[derive(Resource, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SimulatedDisplay {
    /// The refresh rate in hertz.
    pub(crate) hertz: u64,
    /// The number of refreshes so far.
    pub(crate) frames: u64,
    /// Whether time stands still.
    pub(crate) is_still: bool,
}

impl SimulatedDisplay {
    /// A display before its first refresh.
    #[must_use]
    pub(crate) const fn new(hertz: u64) -> Self {
        Self {
            hertz,
            frames: 0,
            is_still: false,
        }
    }

    /// The duration of a number of refreshes.
    #[must_use]
    pub(crate) const fn time(&self, frames: u64) -> Duration {
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
