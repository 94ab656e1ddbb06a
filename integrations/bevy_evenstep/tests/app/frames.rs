//! Frames of Bevy apps that are given the time. The tests beside other plugins have them as well.

use std::time::Duration;

use bevy_app::{App, FixedMainScheduleOrder, MainScheduleOrder, TaskPoolPlugin};
use bevy_ecs::schedule::{Schedules, SingleThreadedExecutor};
use bevy_time::TimeUpdateStrategy;

/// Bevy's first frame lasts no time. Threads would cost more than the few systems of a test.
pub(crate) fn begin(app: &mut App) {
    if !app.is_plugin_added::<TaskPoolPlugin>() {
        app.add_plugins(TaskPoolPlugin::default());
    }
    app.finish();
    app.cleanup();
    let world = app.world_mut();
    let of_frames = world.resource::<MainScheduleOrder>().labels.clone();
    let of_steps = world.resource::<FixedMainScheduleOrder>().labels.clone();
    let mut schedules = world.resource_mut::<Schedules>();
    for label in of_frames.into_iter().chain(of_steps) {
        schedules.entry(label); // it may have no system yet
    }
    for (_, schedule) in schedules.iter_mut() {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    frame(app, Duration::ZERO);
}

/// A frame, so long after the last one.
pub(crate) fn frame(app: &mut App, delta: Duration) {
    app.insert_resource(TimeUpdateStrategy::ManualDuration(delta));
    app.update();
}

/// The frames of `seconds` at a rate, which together last exactly as long.
pub(crate) fn frames(per_second: u64, seconds: u64) -> impl Iterator<Item = Duration> {
    let at = move |n: u64| Duration::from_nanos(n * 1_000_000_000 / per_second);
    (0..per_second * seconds).map(move |n| at(n + 1) - at(n))
}
