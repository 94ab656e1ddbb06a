//! A rate that is set while the game runs: what is drawn goes on, and never back.

use std::time::Duration;

use bevy_app::{App, FixedUpdate, PreUpdate, Update};
use bevy_ecs::prelude::*;
use bevy_evenstep::{ExactLoopPlugin, SmoothTransform, SmoothTransformPlugin};
use bevy_time::{Fixed, Time, TimePlugin};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;

use crate::frames::{begin, frame, frames};
use crate::moving::drawn_x;

const VELOCITY: f32 = 10.0;

/// Sets the rate now.
#[derive(Resource, Default)]
struct Wanted(Option<f64>);

fn fly(mut ships: Query<&mut Transform>, time: Res<Time>) {
    ships
        .iter_mut()
        .for_each(|mut ship| ship.translation.x += VELOCITY * time.delta_secs());
}

fn set(mut wanted: ResMut<Wanted>, mut fixed: ResMut<Time<Fixed>>) {
    if let Some(hertz) = wanted.0.take() {
        fixed.set_timestep_hz(hertz);
    }
}

fn app(rate: f64, is_exact: bool, in_schedule: usize) -> (App, Entity) {
    let mut app = App::new();
    app.add_plugins((TimePlugin, TransformPlugin, SmoothTransformPlugin::default()));
    if is_exact {
        app.add_plugins(ExactLoopPlugin::hz(rate as u32));
    }
    app.insert_resource(Time::<Fixed>::from_hz(rate))
        .init_resource::<Wanted>()
        .add_systems(FixedUpdate, fly);
    match in_schedule {
        0 => _ = app.add_systems(PreUpdate, set),
        1 => _ = app.add_systems(Update, set),
        _ => _ = app.add_systems(FixedUpdate, set),
    }
    let ship = app.world_mut().spawn(SmoothTransform).id();
    begin(&mut app);
    (app, ship)
}

/// Each motion from frame to frame after the change, in that of a frame at even speed.
fn motions(rates: [f64; 2], display: u64, phase: u32, is_exact: bool, in_schedule: usize) -> Vec<f32> {
    let (mut app, ship) = app(rates[0], is_exact, in_schedule);
    let frame = |app: &mut App, delta: Duration| {
        let before = drawn_x(app, ship);
        frame(app, delta);
        (drawn_x(app, ship) - before) / (VELOCITY * delta.as_secs_f32())
    };
    frames(display, 1)
        .take(display as usize / 2)
        .for_each(|delta| _ = frame(&mut app, delta));
    (0..phase).for_each(|_| _ = frame(&mut app, Duration::from_micros(4100)));
    app.world_mut().resource_mut::<Wanted>().0 = Some(rates[1]);
    frames(display, 1)
        .take(display as usize * 2 / 3)
        .map(|delta| frame(&mut app, delta))
        .collect()
}

fn check(rates: &[[f64; 2]], displays: &[(u64, bool)], phases: u32) {
    for (rates, (display, is_exact)) in rates
        .iter()
        .flat_map(|rates| displays.iter().map(|display| (*rates, *display)))
    {
        for (in_schedule, phase) in (0..3).flat_map(|schedule| (0..phases).map(move |phase| (schedule, phase))) {
            let motions = motions(rates, display, phase, is_exact, in_schedule);
            let what = format!("{rates:?} at {display}, {phase}, exact: {is_exact}, in {in_schedule}");
            for (number, motion) in motions.iter().enumerate() {
                assert!(
                    (-1e-3..2.02).contains(motion),
                    "{what}: {motion} in frame {number} of {motions:?}"
                );
            }
            let settled = &motions[motions.len() / 2..];
            assert!(
                settled.iter().all(|motion| (motion - 1.0).abs() < 0.02),
                "{what}: {settled:?}"
            );
        }
    }
}

#[test]
fn what_is_drawn_never_goes_back_and_at_most_twice_as_fast_when_the_rate_changes() {
    check(&[[64.0, 20.0], [20.0, 64.0]], &[(240, false)], 2);
}

#[test]
#[ignore = "takes several seconds"]
fn so_it_does_at_all_rates_and_phases() {
    let rates = [
        [64.0, 20.0],
        [20.0, 64.0],
        [50.0, 100.0],
        [100.0, 50.0],
        [10.0, 144.0],
        [144.0, 10.0],
    ];
    check(&rates, &[(240, false), (60, false), (144, true)], 4);
}

/// A rate that is set by `Time<Fixed>` changes nothing else.
#[test]
fn a_pause_a_single_step_and_the_lookahead_outlast_another_rate() {
    use bevy_evenstep::{LastFrame, Timestep};
    use evenstep::{FixedTimestep, Rate, Smoothing};

    #[derive(Resource, Default)]
    struct Steps(u32);
    let build = |timestep| {
        let mut app = App::new();
        app.add_plugins((TimePlugin, ExactLoopPlugin::new(timestep)))
            .init_resource::<Steps>()
            .add_systems(FixedUpdate, |mut steps: ResMut<Steps>| steps.0 += 1);
        begin(&mut app);
        app
    };
    let play = |app: &mut App, frames| (0..frames).for_each(|_| frame(app, Duration::from_millis(5)));
    let set = |app: &mut App, hertz| app.world_mut().resource_mut::<Time<Fixed>>().set_timestep_hz(hertz);
    let shown = |app: &App| {
        app.world()
            .resource::<LastFrame>()
            .shown_time(Smoothing::Interpolate)
            .to_duration()
    };
    let timestep = FixedTimestep::new(Rate::hz(50));

    let mut app = build(timestep.clone().with_lookahead().with_max_steps(7));
    play(&mut app, 23);
    assert_eq!(shown(&app), Duration::from_millis(115));
    set(&mut app, 40.0);
    play(&mut app, 20);
    assert_eq!(
        shown(&app),
        Duration::from_millis(115),
        "15 ms that had arrived, and 100 ms"
    );
    assert_eq!(app.world().resource::<Timestep>().max_steps(), 7);

    let mut app = build(timestep);
    play(&mut app, 23);
    let steps = app.world().resource::<Steps>().0;
    app.world_mut().resource_mut::<Timestep>().pause();
    for hertz in [1.0, 1000.0, 60.0] {
        set(&mut app, hertz);
        play(&mut app, 50);
        assert!(app.world().resource::<Timestep>().is_paused());
        assert_eq!(app.world().resource::<Steps>().0, steps);
    }
    app.world_mut().resource_mut::<Timestep>().step_once();
    set(&mut app, 30.0);
    play(&mut app, 3);
    assert_eq!(app.world().resource::<Steps>().0, steps + 1, "the single step");
}
