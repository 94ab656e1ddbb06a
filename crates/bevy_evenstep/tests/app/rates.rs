//! Several fixed rates in one app.

use std::time::Duration;

use crate::common::{begin, frame, frames};
use bevy_app::{App, FixedUpdate};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_evenstep::{CurrentStep, EvenstepPlugin, RatePlugin, Timestep};
use bevy_time::Time;
use evenstep::{Rate, SimTime};

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
    let mut app = App::new();
    app.add_plugins((
        EvenstepPlugin::hz(60),
        RatePlugin::new(Decide, Rate::hz(10)),
        RatePlugin::new(Transmit, Rate::new(45, 2).unwrap()),
    ));
    app.init_resource::<Log>()
        .add_systems(FixedUpdate, log("fixed"))
        .add_systems(Decide, log("decide"))
        .add_systems(Transmit, log("send"));
    begin(&mut app);
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
    let end = |(name, tick): &(&str, u64)| {
        let rate = match *name {
            "fixed" => Rate::hz(60),
            "decide" => Rate::hz(10),
            _ => Rate::new(45, 2).unwrap(),
        };
        SimTime::at_tick(tick + 1, rate)
    };
    let at = |entry| logs[0].iter().position(|other| *other == entry).unwrap();
    assert!(at(("fixed", 5)) < at(("decide", 0)));
    assert!(at(("fixed", 23)) < at(("decide", 3)) && at(("decide", 3)) < at(("send", 8)));
    let ends: Vec<_> = logs[0].iter().filter(|(name, _)| *name != "fixed").map(end).collect();
    assert!(ends.is_sorted());
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
    app.world_mut().resource_mut::<Timestep>().suspend();
    frames(60, 1).for_each(|delta| frame(&mut app, delta));
    assert!(app.world().resource::<Log>().0.is_empty());
}
