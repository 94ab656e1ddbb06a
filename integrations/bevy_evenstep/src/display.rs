//! Gives all of Bevy the display's even time.

use bevy_app::{App, First, Plugin};
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::system::{Res, ResMut};
use bevy_platform::time::Instant;
use bevy_time::{TimeReceiver, TimeSystems, TimeUpdateStrategy};
use core::ops::Deref;
use evenstep::filter::{DeltaFilter, DisplayClock};

/// Smooths the time of all of Bevy: deltas become those of the display, before Bevy reads them.
///
/// Frame timestamps jitter, and moving objects judder by it. This plugin filters the times that Bevy would read, which are those that the
/// renderer sends or else the platform's clock, through a [`DisplayClock`]. The filtered times go to `Time<Real>`, and so to
/// `Time<Virtual>`, fixed updates and every system. Time is conserved.
///
/// It sets [`TimeUpdateStrategy`] in every frame, so no other plugin may set it.
///
/// ```
/// use bevy_app::App;
/// use bevy_evenstep::{DisplayTimePlugin, EvenstepPlugin};
///
/// let mut app = App::new();
/// app.add_plugins((EvenstepPlugin::hz(60), DisplayTimePlugin));
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct DisplayTimePlugin;

impl Plugin for DisplayTimePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<DisplayTime>()
            .add_systems(First, filter_time.before(TimeSystems));
    }
}

/// The [`DisplayClock`] of a [`DisplayTimePlugin`]: the time between frames that it found, and the time that it holds.
///
/// ```
/// use bevy_ecs::prelude::Res;
/// use bevy_evenstep::DisplayTime;
///
/// fn show(display: Res<DisplayTime>) {
///     if let Some(period) = display.period() {
///         println!("the display shows {:.2} frames a second", 1.0 / period.as_secs_f64());
///     }
/// }
/// # bevy_ecs::system::assert_is_system(show);
/// ```
#[derive(Resource, Clone, Debug, Default)]
pub struct DisplayTime {
    clock: DisplayClock,
    /// When the last frame began, and what the filter made of it.
    last: Option<(Instant, Instant)>,
}

impl Deref for DisplayTime {
    type Target = DisplayClock;

    fn deref(&self) -> &DisplayClock {
        &self.clock
    }
}

fn filter_time(
    mut display: ResMut<DisplayTime>,
    mut strategy: ResMut<TimeUpdateStrategy>,
    from_renderer: Option<Res<TimeReceiver>>,
) {
    let sent = from_renderer.and_then(|receiver| receiver.0.try_recv().ok());
    let now = sent.unwrap_or_else(Instant::now);
    let (last, filtered) = display.last.unwrap_or((now, now));
    let filtered = filtered + display.clock.apply(now.saturating_duration_since(last));
    display.last = Some((now, filtered));
    *strategy = TimeUpdateStrategy::ManualInstant(filtered);
}
