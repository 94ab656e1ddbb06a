//! The measurements for Bevy's diagnostics.

use std::time::Duration;

use bevy_app::App;
use bevy_diagnostic::{DiagnosticPath, DiagnosticsStore};
use bevy_evenstep::{EvenstepDiagnosticsPlugin, ExactLoopPlugin, Timestep};
use bevy_time::{Time, Virtual};
use evenstep::Overrun;

use crate::common::app;
use crate::frames::frame;

const MS: Duration = Duration::from_millis(1);

fn value(app: &App, path: &DiagnosticPath) -> Option<f64> {
    app.world().resource::<DiagnosticsStore>().get(path).unwrap().value()
}

fn steps(app: &App) -> f64 {
    value(app, &EvenstepDiagnosticsPlugin::STEPS_PER_FRAME).unwrap()
}

fn lost(app: &App) -> f64 {
    value(app, &EvenstepDiagnosticsPlugin::LOST_TIME).unwrap()
}

fn error(app: &App) -> Option<f64> {
    value(app, &EvenstepDiagnosticsPlugin::ANIMATION_ERROR)
}

#[track_caller]
fn is_about(value: f64, millis: f64) {
    assert!((value - millis).abs() < 1e-3, "{value}, not {millis} ms");
}

#[test]
fn each_frame_says_how_many_steps_it_ran() {
    let mut app = app((ExactLoopPlugin::hz(100), EvenstepDiagnosticsPlugin));
    for (millis, expected) in [(15, 1.0), (4, 0.0), (1, 1.0), (30, 3.0)] {
        frame(&mut app, millis * MS);
        assert_eq!(steps(&app), expected);
    }
}

#[test]
fn steps_that_are_dropped_and_time_that_bevy_clamps_are_lost() {
    let mut app = app((ExactLoopPlugin::hz(100), EvenstepDiagnosticsPlugin));
    let mut timestep = app.world_mut().resource_mut::<Timestep>();
    timestep.set_max_steps(4);
    timestep.set_overrun(Overrun::Drop);
    frame(&mut app, 20 * MS);
    is_about(lost(&app), 0.0);
    frame(&mut app, 60 * MS);
    is_about(lost(&app), 20.0);
    frame(&mut app, 300 * MS); // Bevy believes 250 ms of them, and four of 25 steps run
    is_about(lost(&app), 50.0 + 210.0);
}

#[test]
fn an_animation_that_does_not_keep_up_has_an_error_and_a_pause_has_none() {
    let mut app = app((ExactLoopPlugin::hz(100), EvenstepDiagnosticsPlugin));
    let mut timestep = app.world_mut().resource_mut::<Timestep>();
    timestep.set_max_steps(4);
    timestep.set_overrun(Overrun::Drop);
    (0..3).for_each(|_| frame(&mut app, 20 * MS));
    is_about(error(&app).unwrap(), 0.0);
    frame(&mut app, 60 * MS); // drawn 40 ms later
    is_about(error(&app).unwrap(), 20.0);
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    frame(&mut app, 60 * MS);
    is_about(error(&app).unwrap(), 20.0);
}
