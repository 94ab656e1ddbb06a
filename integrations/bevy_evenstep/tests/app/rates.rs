//! Several fixed rates in one app.

use std::time::Duration;

use crate::frames::{begin, frame, frames};
use crate::moving::drawn_x;
use bevy_app::{App, FixedUpdate, Update};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_evenstep::rewind::{RewindHistory, RewindPlugin, SyncTest, resimulate};
use bevy_evenstep::{
    CurrentStep, ExactLoopPlugin, LastFrame, Presented, RatePlugin, SmoothTransform, SmoothTransformPlugin,
    StepEventPlugin, StepEventWriter, Timestep,
};
use bevy_time::{Time, TimePlugin};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;
use evenstep::{FixedTimestep, Rate, SimTime};

#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct Decide;

#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct Transmit;

#[derive(Resource, Default)]
struct Log(Vec<(&'static str, u64)>);

fn log(name: &'static str) -> impl Fn(ResMut<Log>, Res<CurrentStep>) {
    move |mut log, step| log.0.push((name, step.tick))
}

fn app() -> App {
    let mut app = unbegun();
    begin(&mut app);
    app
}

fn unbegun() -> App {
    let mut app = App::new();
    app.add_plugins((
        ExactLoopPlugin::hz(60),
        RatePlugin::new(Decide, Rate::hz(10)),
        RatePlugin::new(Transmit, Rate::new(45, 2).unwrap()),
    ));
    app.init_resource::<Log>()
        .add_systems(FixedUpdate, log("fixed"))
        .add_systems(Decide, log("decide"))
        .add_systems(Transmit, log("send"));
    app
}

#[test]
fn all_rates_run_in_one_order_at_every_frame_rate() {
    let logs = [30, 144, 1000].map(|per_second| {
        let mut app = app();
        frames(per_second, 2).for_each(|delta| frame(&mut app, delta));
        app.world_mut().remove_resource::<Log>().unwrap().0
    });
    assert!(logs.iter().all(|other| *other == logs[0]));
    let of = |name| logs[0].iter().filter(|(other, _)| *other == name).count();
    assert_eq!((of("fixed"), of("decide"), of("send")), (120, 20, 45));
    // In the order of their ends, those of the main rate first among equals.
    let ends: Vec<_> = logs[0]
        .iter()
        .map(|(name, tick)| (end(name, *tick), *name != "fixed"))
        .collect();
    assert!(ends.is_sorted());
}

fn end(name: &str, tick: u64) -> SimTime {
    let rate = match name {
        "fixed" => Rate::hz(60),
        "decide" => Rate::hz(10),
        _ => Rate::new(45, 2).unwrap(),
    };
    SimTime::at_tick(tick + 1, rate)
}

#[test]
fn time_tells_the_delta_of_the_rate() {
    let mut app = app();
    app.add_systems(Decide, |time: Res<Time>, step: Res<CurrentStep>| {
        assert_eq!(time.delta(), Duration::from_millis(100));
        assert_eq!(time.elapsed(), Duration::from_millis(100) * (step.tick as u32 + 1));
        assert_eq!(step.dt, 0.1);
    });
    app.add_systems(FixedUpdate, |time: Res<Time>| {
        assert!(time.delta() < Duration::from_millis(17))
    });
    frames(60, 1).for_each(|delta| frame(&mut app, delta));
    assert_eq!(app.world().resource::<Log>().0.len(), 60 + 10 + 22);
}

#[test]
fn a_pause_holds_for_all_rates() {
    let mut app = app();
    app.world_mut().resource_mut::<Timestep>().pause();
    frames(60, 1).for_each(|delta| frame(&mut app, delta));
    assert!(app.world().resource::<Log>().0.is_empty());
}

#[test]
fn resimulated_steps_include_those_of_all_rates_in_the_same_order() {
    for from in [1, 60, 95, 117, 119] {
        let mut app = app();
        app.insert_resource(RewindHistory::new(120));
        frames(144, 2).for_each(|delta| frame(&mut app, delta));
        let begin = SimTime::at_tick(from, Rate::hz(60));
        let log = core::mem::take(&mut app.world_mut().resource_mut::<Log>().0);
        let again: Vec<_> = log
            .into_iter()
            .filter(|(name, tick)| end(name, *tick) > begin)
            .collect();
        assert_eq!(resimulate(app.world_mut(), from), Ok(120 - from));
        assert_eq!(app.world().resource::<Log>().0, again, "from {from}");
        app.world_mut().resource_mut::<Log>().0.clear();
        frames(60, 1).for_each(|delta| frame(&mut app, delta));
        let log = &app.world().resource::<Log>().0;
        let of = |name| {
            log.iter()
                .filter(move |(other, _)| *other == name)
                .map(|(_, tick)| *tick)
        };
        assert!(of("fixed").eq(120..180) && of("decide").eq(20..30) && of("send").eq(45..67));
    }
}

#[derive(Resource, Clone)]
struct Dice(u64);

/// An app in which a slow rate and the main one change the same numbers.
fn dice() -> App {
    fn roll(by: u64) -> impl Fn(ResMut<Dice>, Res<CurrentStep>) {
        move |mut dice, step| {
            dice.0 = (dice.0 ^ step.tick)
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(by)
        }
    }
    let mut app = unbegun();
    app.add_plugins(RewindPlugin::new(|dice: &Dice| dice.0))
        .insert_resource(Dice(1))
        .add_systems(FixedUpdate, roll(3))
        .add_systems(Decide, roll(5))
        .add_systems(Transmit, roll(7));
    begin(&mut app);
    app
}

#[test]
fn the_sync_test_runs_all_rates_twice_with_the_same_outcome() {
    let play = |is_tested: bool| {
        let mut app = dice();
        if is_tested {
            app.init_resource::<SyncTest>();
        }
        frames(60, 2).for_each(|delta| frame(&mut app, delta));
        let test = app.world().get_resource::<SyncTest>();
        assert_eq!(test.and_then(SyncTest::desync), None);
        app.world().resource::<Dice>().0
    };
    assert_eq!(play(true), play(false));
    let mut app = dice();
    app.init_resource::<SyncTest>();
    app.add_systems(Decide, |mut dice: ResMut<Dice>, mut hidden: Local<u64>| {
        *hidden += 1;
        dice.0 ^= *hidden;
    });
    frames(60, 1).for_each(|delta| frame(&mut app, delta));
    let desync = app.world().resource::<SyncTest>().desync().unwrap();
    assert_eq!(desync.tick, 6, "after the step in which the first decision falls");
}

#[test]
fn another_timestep_restarts_all_rates() {
    let mut app = app();
    frames(60, 1).for_each(|delta| frame(&mut app, delta));
    app.insert_resource(Timestep::from(FixedTimestep::new(Rate::hz(20))));
    app.world_mut().resource_mut::<Log>().0.clear();
    frames(20, 1).take(2).for_each(|delta| frame(&mut app, delta));
    // 44.4, 50, 88.9, 100 and 100 ms.
    let expected = [("send", 0), ("fixed", 0), ("send", 1), ("fixed", 1), ("decide", 0)];
    assert_eq!(app.world().resource::<Log>().0, expected);
}

#[test]
fn an_event_of_a_slow_rate_is_shown_with_the_step_in_which_it_was_written() {
    #[derive(Resource, Default)]
    struct Heard(Vec<(u64, u64)>);
    let mut app = unbegun();
    app.add_plugins(StepEventPlugin::<u64>::default())
        .init_resource::<Heard>()
        .init_resource::<SyncTest>()
        .insert_resource(RewindHistory::new(120));
    app.add_systems(Decide, |mut events: StepEventWriter<u64>, step: Res<CurrentStep>| {
        events.write(step.tick)
    });
    app.add_systems(
        Update,
        |mut events: MessageReader<Presented<u64>>, mut heard: ResMut<Heard>| {
            heard.0.extend(events.read().map(|notice| (notice.tick, notice.event)));
        },
    );
    begin(&mut app);
    for delta in frames(144, 2) {
        frame(&mut app, delta);
        let now = app.world().resource::<Timestep>().tick();
        if now > 10 && now.is_multiple_of(7) {
            let unseen = app.world().resource::<LastFrame>().tick() - 1;
            resimulate(app.world_mut(), unseen).unwrap();
        }
    }
    let heard = &app.world().resource::<Heard>().0;
    assert!(
        heard
            .iter()
            .copied()
            .eq((0..19).map(|decision| (decision * 6 + 5, decision))),
        "{heard:?}"
    );
}

#[test]
fn motion_of_a_slower_rate_is_drawn_within_one_step_of_the_main_rate() {
    let mut app = App::new();
    app.add_plugins((
        TimePlugin,
        ExactLoopPlugin::hz(60),
        SmoothTransformPlugin::default(),
        TransformPlugin,
        RatePlugin::new(Decide, Rate::hz(10)),
    ));
    app.add_systems(Decide, |mut all: Query<&mut Transform>| {
        all.iter_mut().for_each(|mut transform| transform.translation.x += 1.0);
    });
    let entity = app.world_mut().spawn((Transform::default(), SmoothTransform)).id();
    begin(&mut app);
    for delta in frames(240, 1) {
        frame(&mut app, delta);
        let last = app.world().resource::<LastFrame>();
        let left = if last.tick() > 0 && last.tick().is_multiple_of(6) {
            1.0 - last.alpha() as f32
        } else {
            0.0
        };
        let decisions = (last.tick() / 6) as f32;
        assert!((drawn_x(&app, entity) - (decisions - left)).abs() < 1e-5);
    }
    assert_eq!(app.world().resource::<LastFrame>().tick(), 60);
}
