//! The time of the display in place of the time that was read.

use std::time::{Duration, Instant};

use bevy_app::{App, Update};
use bevy_ecs::prelude::*;
use bevy_evenstep::DisplayTimePlugin;
use bevy_time::{Real, Time, TimePlugin, TimeSender, Virtual, create_time_channels};

/// The time at which frame `n` of a display at 60 Hz is read, up to 2 ms late.
fn read(n: u32) -> Duration {
    Duration::from_nanos(u64::from(n) * 16_666_667 + u64::from(n.wrapping_mul(2_654_435_761) >> 11))
}

#[derive(Resource, Default)]
struct Deltas(Vec<Duration>);

/// An app whose renderer sends noisy times, after `frames` of them.
fn played(plugin: Option<DisplayTimePlugin>, frames: u32) -> App {
    let mut app = App::new();
    app.add_plugins(TimePlugin);
    if let Some(plugin) = plugin {
        app.add_plugins(plugin);
    }
    let (sender, receiver) = create_time_channels();
    app.insert_resource(sender)
        .insert_resource(receiver)
        .init_resource::<Deltas>();
    app.add_systems(Update, |mut deltas: ResMut<Deltas>, time: Res<Time>| {
        deltas.0.push(time.delta())
    });
    app.finish();
    let begin = Instant::now();
    for n in 0..frames {
        app.world()
            .resource::<TimeSender>()
            .0
            .try_send(begin + read(n))
            .unwrap();
        app.update();
    }
    app
}

/// The standard deviation of the last 300 deltas, in microseconds.
fn unevenness(app: &App) -> f64 {
    let deltas = &app.world().resource::<Deltas>().0;
    let last: Vec<f64> = deltas
        .iter()
        .rev()
        .take(300)
        .map(|delta| delta.as_secs_f64() * 1e6)
        .collect();
    let mean = last.iter().sum::<f64>() / last.len() as f64;
    (last.iter().map(|delta| (delta - mean) * (delta - mean)).sum::<f64>() / last.len() as f64).sqrt()
}

#[test]
fn all_of_bevy_gets_even_time() {
    let (without, with) = (
        unevenness(&played(None, 900)),
        unevenness(&played(Some(DisplayTimePlugin), 900)),
    );
    assert!(without > 500.0 && with < without / 5.0, "{without} and {with} us");
}

#[test]
fn time_is_conserved() {
    let app = played(Some(DisplayTimePlugin), 900);
    let given = app.world().resource::<Time<Virtual>>().elapsed();
    let arrived = read(899) - read(0);
    assert!(
        given.abs_diff(arrived) < Duration::from_millis(17),
        "{given:?} of {arrived:?}"
    );
}

/// Times of other clocks of the program, such as those of events, can be compared with it.
#[test]
fn real_time_begins_with_the_first_frame() {
    let before = Instant::now();
    let app = played(Some(DisplayTimePlugin), 900);
    let time = app.world().resource::<Time<Real>>();
    let (first, last) = (time.first_update().unwrap(), time.last_update().unwrap());
    assert!(time.startup() < first && first > before);
    assert_eq!(last - first, time.elapsed());
}
