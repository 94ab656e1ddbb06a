//! Events that are seen with the step in which they happened.

use std::time::Duration;

use crate::common::app;
use crate::frames::{frame, frames};
use bevy_app::{App, FixedUpdate, Update};
use bevy_ecs::prelude::*;
use bevy_evenstep::rewind::{RewindHistory, resimulate};
use bevy_evenstep::{
    CurrentStep, ExactLoopPlugin, LastFrame, Presented, Retracted, StepEventPlugin, StepEventWriter, Timestep,
};
use evenstep::{FixedTimestep, Rate, SimTime, Smoothing};

const MS: Duration = Duration::from_millis(1);

#[derive(Clone, PartialEq)]
struct Hit(u64);

#[derive(Resource, Default)]
struct Heard(Vec<u64>);

fn hit(mut hits: StepEventWriter<Hit>, step: Res<CurrentStep>) {
    hits.write(Hit(step.tick * 10));
}

fn hear(mut hits: MessageReader<Presented<Hit>>, mut heard: ResMut<Heard>, frame: Res<LastFrame>) {
    for hit in hits.read() {
        assert_eq!(hit.event.0, hit.tick * 10);
        let seen = |tick| SimTime::at_tick(tick, frame_rate()) <= frame.shown_time(Smoothing::Interpolate);
        assert!(seen(hit.tick + 1), "the state after the step is drawn");
        heard.0.push(hit.tick);
    }
    let waiting = heard.0.len() as u64;
    assert!(
        SimTime::at_tick(waiting + 1, frame_rate()) > frame.shown_time(Smoothing::Interpolate),
        "no event is late"
    );
}

fn frame_rate() -> evenstep::Rate {
    evenstep::Rate::hz(60)
}

#[test]
fn each_event_is_presented_once_in_the_frame_that_first_shows_its_step() {
    for per_second in [24, 60, 144, 1000] {
        let mut app = app((ExactLoopPlugin::hz(60), StepEventPlugin::<Hit>::default()));
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
    let mut app = app((ExactLoopPlugin::hz(60), StepEventPlugin::<Hit>::default()));
    app.init_resource::<Dropped>();
    let many = |mut hits: StepEventWriter<Hit>, step: Res<CurrentStep>, mut dropped: ResMut<Dropped>| {
        (0..4099).for_each(|_| hits.write(Hit(step.tick * 10)));
        dropped.0 = hits.dropped();
    };
    app.add_systems(FixedUpdate, many);
    frame(&mut app, 20 * MS);
    assert_eq!(app.world().resource::<Dropped>().0, 0, "the step has not ended");
    frame(&mut app, 20 * MS);
    assert_eq!(app.world().resource::<Dropped>().0, 3);
}

/// What the steps from tick 0 on write.
#[derive(Resource)]
struct Script(Vec<&'static [&'static str]>);

/// What was reported, in order: with `false` if it was retracted.
#[derive(Resource, Default, Debug)]
struct Reported(Vec<(u64, &'static str, bool)>);

fn write(mut events: StepEventWriter<&'static str>, step: Res<CurrentStep>, script: Res<Script>) {
    let of_step = script.0.get(step.tick as usize).copied().unwrap_or_default();
    of_step.iter().for_each(|event| events.write(event));
}

fn report(
    mut presented: MessageReader<Presented<&'static str>>,
    mut retracted: MessageReader<Retracted<&'static str>>,
    mut reported: ResMut<Reported>,
) {
    let retracted = retracted.read().map(|notice| (notice.tick, notice.event, false));
    reported.0.extend(retracted);
    let presented = presented.read().map(|notice| (notice.tick, notice.event, true));
    reported.0.extend(presented);
}

/// Ten steps a second, which write what a script says.
fn scripted(script: &[&'static [&'static str]]) -> App {
    let mut app = app((ExactLoopPlugin::hz(10), StepEventPlugin::<&'static str>::default()));
    app.insert_resource(Script(script.to_vec())).init_resource::<Reported>();
    app.insert_resource(RewindHistory::new(8));
    app.add_systems(FixedUpdate, write).add_systems(Update, report);
    app
}

/// What was reported since the last call.
fn reported(app: &mut App) -> Vec<(u64, &'static str, bool)> {
    core::mem::take(&mut app.world_mut().resource_mut::<Reported>().0)
}

#[test]
fn of_steps_that_are_simulated_again_only_differences_are_reported() {
    let mut app = scripted(&[&["step"], &["step", "bang"], &["step"], &["waits"], &["waits too"]]);
    (0..4).for_each(|_| frame(&mut app, 100 * MS));
    let first = [
        (0, "step", true),
        (1, "step", true),
        (1, "bang", true),
        (2, "step", true),
    ];
    assert_eq!(reported(&mut app), first);

    assert_eq!(resimulate(app.world_mut(), 0), Ok(4));
    frame(&mut app, Duration::ZERO);
    assert_eq!(reported(&mut app), [], "nothing is different");

    app.insert_resource(Script(vec![
        &["step"],
        &["step"],
        &["bang", "step"],
        &["other"],
        &["waits too"],
    ]));
    assert_eq!(resimulate(app.world_mut(), 1), Ok(3));
    frame(&mut app, Duration::ZERO);
    assert_eq!(reported(&mut app), [(1, "bang", false), (2, "bang", true)]);
    frame(&mut app, 100 * MS);
    assert_eq!(reported(&mut app), [(3, "other", true)], "what waited was replaced");
    frame(&mut app, 100 * MS);
    assert_eq!(reported(&mut app), [(4, "waits too", true)]);
}

#[test]
fn events_are_remembered_as_long_as_their_steps_can_be_simulated_again() {
    let script = [&["step"] as &[_]; 40];
    let mut app = scripted(&script);
    (0..20).for_each(|_| frame(&mut app, 100 * MS));
    assert_eq!(reported(&mut app).len(), 19);
    let oldest = app.world().resource::<RewindHistory>().ticks().next();
    assert_eq!(oldest, Some(12));
    for _ in 0..3 {
        assert_eq!(resimulate(app.world_mut(), 12), Ok(8));
        frame(&mut app, Duration::ZERO);
        assert_eq!(reported(&mut app), []);
    }
    frame(&mut app, 100 * MS);
    assert_eq!(reported(&mut app), [(19, "step", true)]);
}

#[test]
fn an_event_written_between_steps_belongs_to_the_last_one() {
    let mut app = scripted(&[&["step"]]);
    app.add_systems(
        Update,
        |mut events: StepEventWriter<&'static str>, mut once: Local<bool>| {
            if !core::mem::replace(&mut *once, true) {
                events.write("update");
            }
        },
    );
    (0..3).for_each(|_| frame(&mut app, 100 * MS));
    assert_eq!(reported(&mut app), [(0, "step", true), (0, "update", true)]);
}

#[test]
fn after_a_restart_waiting_events_are_dropped_and_presented_ones_are_not_retracted() {
    let reset = |timestep: &mut Timestep| timestep.reset();
    let replace = |timestep: &mut Timestep| *timestep = FixedTimestep::new(Rate::hz(10)).into();
    for restart in [reset as fn(&mut Timestep), replace] {
        for steps in 1..6 {
            let mut app = scripted(&[&["old"] as &[_]; 6]);
            (0..steps).for_each(|_| frame(&mut app, 100 * MS));
            assert_eq!(reported(&mut app).len(), steps - 1, "the last one waits");
            restart(&mut app.world_mut().resource_mut::<Timestep>());
            app.insert_resource(Script(vec![&["new"], &["new"]]));
            (0..10).for_each(|_| frame(&mut app, 100 * MS));
            assert_eq!(reported(&mut app), [(0, "new", true), (1, "new", true)]);
        }
    }
}
