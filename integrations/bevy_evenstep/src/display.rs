//! Gives all of Bevy the display's even time.

use bevy_app::{App, First, Plugin};
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::system::{Res, ResMut};
use bevy_platform::time::Instant;
use bevy_time::{TimeReceiver, TimeSystems, TimeUpdateStrategy};
use evenstep::filter::{DeltaFilter, DisplayClock};

/// Smooths the time of all of Bevy: deltas follow the display's period before Bevy reads them.
///
/// Frame timestamps jitter, and moving objects judder by it. This plugin filters the times that Bevy would read, from the
/// renderer or else the platform's clock, through a [`DisplayClock`]. The filtered times go to `Time<Real>`, and so to
/// `Time<Virtual>`, fixed updates and every system. Time is conserved.
///
/// It works while [`TimeUpdateStrategy`] is `Automatic`, which it is unless a program sets it. Any other strategy, as in a test that sets
/// `ManualDuration`, stays as it is.
///
/// ```
/// use bevy_app::App;
/// use bevy_evenstep::DisplayTimePlugin;
///
/// App::new().add_plugins(DisplayTimePlugin);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct DisplayTimePlugin;

impl Plugin for DisplayTimePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<DisplayTime>()
            .add_systems(First, filter_time.before(TimeSystems));
    }
}

#[derive(Resource, Default)]
struct DisplayTime {
    clock: DisplayClock,
    /// When the last frame began, and what the filter made of it.
    last: Option<(Instant, Instant)>,
}

fn filter_time(
    mut display: ResMut<DisplayTime>,
    mut strategy: ResMut<TimeUpdateStrategy>,
    from_renderer: Option<Res<TimeReceiver>>,
) {
    let is_ours = match *strategy {
        TimeUpdateStrategy::Automatic => true,
        TimeUpdateStrategy::ManualInstant(instant) => display.last.is_some_and(|(_, filtered)| filtered == instant),
        _ => false,
    };
    if !is_ours {
        *display = DisplayTime::default();
        return;
    }
    let sent = from_renderer.and_then(|receiver| receiver.0.try_recv().ok());
    let now = sent.unwrap_or_else(Instant::now);
    let (last, filtered) = display.last.unwrap_or((now, now));
    let filtered = filtered + display.clock.apply(now.saturating_duration_since(last));
    display.last = Some((now, filtered));
    *strategy = TimeUpdateStrategy::ManualInstant(filtered);
}
