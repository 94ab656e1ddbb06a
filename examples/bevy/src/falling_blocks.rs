//! Blocks that fall from a crane: the same game under Bevy's own loop and under evenstep's, on a display with any refresh rate.

mod round;
mod table;
mod tower;

pub use round::{Loop, Score, Scores};

use std::time::Duration;

use bevy::app::{RunFixedMainLoop, RunFixedMainLoopSystems};
use bevy::input::InputSystems;
use bevy::prelude::*;
use bevy::time::run_fixed_main_schedule;
use bevy_evenstep::{
    Button, EvenstepPlugin, EvenstepSystems, StepInput, StepInputPlugin, SuspendHiddenPlugin, Timestep,
};
use evenstep::input::InputEvent::{Press, Release};
use evenstep::{FixedTimestep, Rate};

use crate::display::{SimulatedDisplay, SimulatedDisplayPlugin};
use round::HERTZ;
use tower::LetGo;

/// The refresh rates that the arrow keys choose from, in hertz.
const DISPLAYS: [u64; 7] = [10, 24, 30, 60, 90, 144, 240];
/// The times of the key presses in every round, in milliseconds.
const DEMO: [u64; 12] = [380, 1230, 2005, 2825, 3570, 4380, 5230, 6005, 6825, 7570, 8380, 9230];

/// The game, without a window.
pub fn plugin(app: &mut App) {
    let bind = |button: Button| match button {
        Button::Key(KeyCode::Space) | Button::Mouse(_) | Button::Gamepad(..) => Some(LetGo),
        _ => None,
    };
    // EvenstepPlugin removes Bevy's loop. Here it is added again, and only the chosen loop runs.
    let bevys = |world: &mut World| run_fixed_main_schedule(world);
    let ours = (EvenstepSystems::Grant, EvenstepSystems::Granted, EvenstepSystems::Run);
    let is_bevys = resource_equals(Loop::Bevy);
    app.add_plugins((EvenstepPlugin::hz(HERTZ), SuspendHiddenPlugin))
        .add_plugins((StepInputPlugin::new(bind), SimulatedDisplayPlugin))
        .insert_resource(Loop::Evenstep)
        .configure_sets(RunFixedMainLoop, ours.run_if(resource_equals(Loop::Evenstep)))
        .add_systems(
            RunFixedMainLoop,
            bevys.in_set(RunFixedMainLoopSystems::FixedMainLoop).run_if(is_bevys),
        )
        .add_systems(PreUpdate, (play_demo, control).chain().after(InputSystems))
        .add_systems(Last, begin.run_if(resource_changed::<Loop>));
    table::build(app);
    tower::build(app);
}

/// Begins a round at the next frame.
fn begin(
    (mut timestep, mut fixed): (ResMut<Timestep>, ResMut<Time<Fixed>>),
    (mut display, mut scores, which): (ResMut<SimulatedDisplay>, ResMut<Scores>, Res<Loop>),
) {
    *timestep = FixedTimestep::new(Rate::hz(HERTZ)).into();
    *fixed = Time::from_hz(HERTZ.into());
    *display = SimulatedDisplay::new(display.hertz);
    let display = display.hertz;
    // The table compares the loops on the same display, so scores from other displays are cleared.
    let others = scores.0.iter_mut().filter(|score| score.display != display);
    others.for_each(|score| *score = Score::default());
    *scores.of(*which) = Score { display, ..default() };
}

/// Presses the key at the same times in every round. Only evenstep's loop is given the times, since Bevy's events have none.
fn play_demo(
    (display, real, which): (Res<SimulatedDisplay>, Res<Time<Real>>, Res<Loop>),
    mut keys: ResMut<ButtonInput<KeyCode>>,
    mut input: ResMut<StepInput<LetGo>>,
    mut is_down: Local<bool>,
) {
    if std::mem::take(&mut *is_down) {
        keys.release(KeyCode::Space);
    }
    let now = display.time(display.frames);
    let frame = now.saturating_sub(real.delta())..now;
    for press in DEMO
        .map(Duration::from_millis)
        .into_iter()
        .filter(|press| frame.contains(press))
    {
        keys.press(KeyCode::Space);
        *is_down = true;
        if *which == Loop::Evenstep {
            let at = real.elapsed() - (now - press);
            let _ = input.push(at, Press(LetGo));
            let _ = input.push(at, Release(LetGo));
        }
    }
}

fn control(
    (keys, clicks): (Res<ButtonInput<KeyCode>>, Res<ButtonInput<MouseButton>>),
    (mut which, mut display, mut scores): (ResMut<Loop>, ResMut<SimulatedDisplay>, ResMut<Scores>),
) {
    let presses = usize::from(keys.just_pressed(KeyCode::Space)) + clicks.get_just_pressed().len();
    scores.of(*which).presses += presses as u32;
    let place = DISPLAYS.iter().position(|hertz| *hertz == display.hertz).unwrap_or(0);
    for key in keys.get_just_pressed() {
        match key {
            KeyCode::Tab if *which == Loop::Bevy => *which = Loop::Evenstep,
            KeyCode::Tab => *which = Loop::Bevy,
            KeyCode::ArrowUp => display.hertz = DISPLAYS[(place + 1).min(DISPLAYS.len() - 1)],
            KeyCode::ArrowDown => display.hertz = DISPLAYS[place.saturating_sub(1)],
            KeyCode::KeyR => {}
            _ => continue,
        }
        which.set_changed();
    }
}
