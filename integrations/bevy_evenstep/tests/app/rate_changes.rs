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
