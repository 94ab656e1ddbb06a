//! Input while simulated time stands still.

use std::time::Duration;

use crate::frames::frame;
use crate::input::{bind, key, noting, noting_with, send, steps};
use bevy_app::App;
use bevy_evenstep::{LastFrame, StepInputPlugin, Timestep};
use bevy_input::ButtonState::{Pressed, Released};
use bevy_input::keyboard::KeyCode;
use bevy_input::mouse::MouseMotion;
use bevy_math::Vec2;
use bevy_time::{Time, Virtual};
use evenstep::TimeScale;
use proptest::prelude::*;

const MS: Duration = Duration::from_millis(1);

/// Stops simulated time in one of several ways, or lets it continue.
fn pause(app: &mut App, kind: usize, is_paused: bool) {
    let world = app.world_mut();
    match kind {
        0 if is_paused => world.resource_mut::<Time<Virtual>>().pause(),
        0 => world.resource_mut::<Time<Virtual>>().unpause(),
        1 if is_paused => world.resource_mut::<Timestep>().pause(),
        1 => world.resource_mut::<Timestep>().resume(),
        2 => {
            let scale = if is_paused {
                TimeScale::PAUSED
            } else {
                TimeScale::NORMAL
            };
            world.resource_mut::<Timestep>().set_time_scale(scale);
        }
        _ => {
            let speed = if is_paused { 0.0 } else { 1.0 };
            world.resource_mut::<Time<Virtual>>().set_relative_speed(speed);
        }
    }
}

/// Whether simulated time continued in the last frame.
fn went_on(app: &App) -> bool {
    let (timestep, frame) = (app.world().resource::<Timestep>(), app.world().resource::<LastFrame>());
    app.world().resource::<Time<Virtual>>().delta() > Duration::ZERO
        && timestep.time_scale() != TimeScale::PAUSED
        && frame.lost().paused == Duration::ZERO
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn a_pause_drops_presses_and_motion_and_keeps_held_keys(
        script in prop::collection::vec((1..40_u32, 0..12_usize, 0..4_u32, 0..5_u32), 1..80),
    ) {
        let mut app = noting();
        let (mut paused, mut is_down) = ([false; 4], false);
        let (mut presses, mut motion) = (0, 0.0);
        for (number, (millis, kind, toggles, motions)) in script.into_iter().enumerate() {
            if kind < 4 {
                paused[kind] = !paused[kind];
                pause(&mut app, kind, paused[kind]);
            }
            let mut pressed = 0;
            for _ in 0..toggles {
                is_down = !is_down;
                pressed += u32::from(is_down);
                key(&mut app, KeyCode::Space, if is_down { Pressed } else { Released });
            }
            (0..motions).for_each(|_| send(&mut app, MouseMotion { delta: Vec2::new(1.0 + number as f32, 0.0) }));
            frame(&mut app, millis * MS);
            if went_on(&app) {
                presses += pressed;
                motion += f64::from(motions) * (1.0 + number as f64);
            }
        }
        (0..4).for_each(|kind| pause(&mut app, kind, false));
        (0..3).for_each(|_| frame(&mut app, 10 * MS));
        prop_assert_eq!(steps(&app).iter().map(|seen| seen.presses).sum::<u32>(), presses);
        // The parts of the steps of a frame are rounded.
        let sum = steps(&app).iter().map(|seen| seen.motion.x).sum::<f64>();
        prop_assert!((sum - motion).abs() < 1e-9, "{} and {}", sum, motion);
        prop_assert_eq!(steps(&app).last().unwrap().is_held, is_down);
    }
}

#[test]
fn input_of_a_pause_is_kept_by_a_plugin_that_keeps_pauses() {
    let mut app = noting_with(StepInputPlugin::new(bind).keep_pauses());
    frame(&mut app, 10 * MS);
    pause(&mut app, 0, true);
    for _ in 0..3 {
        key(&mut app, KeyCode::Space, Pressed);
        key(&mut app, KeyCode::Space, Released);
        frame(&mut app, 10 * MS);
    }
    pause(&mut app, 0, false);
    frame(&mut app, 10 * MS);
    assert_eq!(steps(&app)[1].presses, 3);
}
