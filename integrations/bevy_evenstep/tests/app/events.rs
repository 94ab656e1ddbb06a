//! Events that are seen with the step in which they happened.

use std::time::Duration;

use crate::common::app;
use crate::frames::{frame, frames};
use bevy_app::{FixedUpdate, Update};
use bevy_ecs::prelude::*;
use bevy_evenstep::{CurrentStep, EvenstepPlugin, LastFrame, Presented, StepEventPlugin, StepEventWriter};
use evenstep::SimTime;

struct Hit(u64);

#[derive(Resource, Default)]
struct Heard(Vec<u64>);

fn hit(mut hits: StepEventWriter<Hit>, step: Res<CurrentStep>) {
    hits.write(Hit(step.tick * 10));
}

fn hear(mut hits: MessageReader<Presented<Hit>>, mut heard: ResMut<Heard>, frame: Res<LastFrame>) {
    for hit in hits.read() {
        assert_eq!(hit.0, hit.tick() * 10);
        let seen = |tick| SimTime::at_tick(tick, frame_rate()) <= frame.drawn_time();
        assert!(seen(hit.tick() + 1), "the state after the step is drawn");
        heard.0.push(hit.tick());
    }
    let waiting = heard.0.len() as u64;
    assert!(
        SimTime::at_tick(waiting + 1, frame_rate()) > frame.drawn_time(),
        "no event is late"
    );
}

fn frame_rate() -> evenstep::Rate {
    evenstep::Rate::hz(60)
}

#[test]
fn each_event_is_seen_once_in_the_frame_that_first_shows_its_step() {
    for per_second in [24, 60, 144, 1000] {
        let mut app = app((EvenstepPlugin::hz(60), StepEventPlugin::<Hit>::default()));
        app.init_resource::<Heard>();
        app.add_systems(FixedUpdate, hit).add_systems(Update, hear);
        frames(per_second, 2).for_each(|delta| frame(&mut app, delta));
        let heard = &app.world().resource::<Heard>().0;
        assert!(
            heard.iter().copied().eq(0..119),
            "{} at {per_second} frames a second",
            heard.len()
        );
    }
}

#[test]
fn beyond_its_room_the_oldest_is_dropped_and_counted() {
    #[derive(Resource, Default)]
    struct Dropped(u64);
    let mut app = app((EvenstepPlugin::hz(60), StepEventPlugin::<Hit>::with_capacity(2)));
    app.init_resource::<Heard>().init_resource::<Dropped>();
    let many = |mut hits: StepEventWriter<Hit>, step: Res<CurrentStep>, mut dropped: ResMut<Dropped>| {
        (0..5).for_each(|_| hits.write(Hit(step.tick * 10)));
        dropped.0 = hits.dropped();
    };
    app.add_systems(FixedUpdate, many);
    frame(&mut app, Duration::from_millis(20));
    assert_eq!(app.world().resource::<Dropped>().0, 3);
}
