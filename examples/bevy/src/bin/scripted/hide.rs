//! Moves a square while its window is resized, minimised and covered.

use bevy::prelude::*;
use bevy::window::PrimaryWindow;
use bevy_evenstep::{Hidden, LastFrame, PauseHiddenPlugin};

use crate::desktop::Desktop;
use crate::display::SimulatedDisplay;
use crate::pictures::Pictures;
use crate::square;
use crate::stage::{Patience, Ready};

enum Act {
    /// Time passes until the frame with this number, of 1/60 s each. Then the counts are printed with a name.
    Play(u64, &'static str),
    /// The user or the desktop acts. Time stands still.
    Do(fn(&mut Desktop, &mut Window)),
    /// Frames are drawn without time passing, until a condition holds.
    Await(&'static str, fn(&Window, &Hidden) -> bool),
    TakePicture,
}

/// The size to which the window is resized.
const SIZE: UVec2 = UVec2::new(800, 450);

const ACTS: [Act; 14] = [
    Act::Play(30, "seen"),
    Act::Do(|desktop, _| desktop.resize(SIZE.x, SIZE.y).expect("it can be resized")),
    Act::Await("the new size", |window, _| window.physical_size() == SIZE),
    Act::Play(60, "resized"),
    Act::TakePicture,
    Act::Do(|desktop, window| {
        window.set_minimized(true);
        desktop.set_minimised(true).expect("it can be minimised");
    }),
    Act::Play(90, "minimised"),
    Act::Do(|desktop, window| {
        window.set_minimized(false);
        desktop.set_minimised(false).expect("it can be put back");
        desktop.cover().expect("it can be covered");
    }),
    Act::Await("that it is covered", |_, hidden| hidden.is_hidden()),
    Act::Play(150, "covered"),
    Act::Do(|desktop, _| desktop.uncover().expect("it can be uncovered")),
    Act::Await("that it is seen", |_, hidden| !hidden.is_hidden()),
    Act::Play(180, "again"),
    Act::Do(|desktop, _| desktop.close().expect("it can be closed")),
];

/// The current act, and the number of frames since it began.
#[derive(Resource, Default)]
struct Progress {
    act: usize,
    frames: u32,
}

pub(crate) fn play(app: &mut App, folder: &str) {
    app.add_plugins((square::plugin(60), PauseHiddenPlugin))
        .init_resource::<Progress>()
        .insert_resource(Pictures::new(folder))
        .insert_resource(Desktop::connect())
        .add_systems(Startup, |mut commands: Commands| {
            commands.spawn(square::square(2.0));
        })
        .add_systems(PreUpdate, begin.run_if(resource_added::<Ready>))
        .add_systems(PostUpdate, go_on.run_if(resource_exists::<Ready>));
}

fn begin(mut display: ResMut<SimulatedDisplay>) {
    *display = SimulatedDisplay::new(60);
}

fn go_on(
    (mut commands, mut progress, mut patience): (Commands, ResMut<Progress>, Local<Patience>),
    (mut desktop, pictures): (ResMut<Desktop>, Res<Pictures>),
    (mut display, frame, hidden): (ResMut<SimulatedDisplay>, Res<LastFrame>, Res<Hidden>),
    mut window: Single<&mut Window, With<PrimaryWindow>>,
) {
    let Some(act) = ACTS.get(progress.act) else { return };
    progress.frames += 1;
    let is_done = match act {
        Act::Play(frames, _) => display.frames >= *frames,
        Act::Do(something) => {
            something(&mut desktop, &mut window);
            true
        }
        Act::Await(what, is_so) => {
            patience.wait_for(what);
            is_so(&window, &hidden)
        }
        Act::TakePicture => {
            if progress.frames == 1 {
                pictures.take(&mut commands, "resized");
            }
            progress.frames > 1 && pictures.are_taken()
        }
    };
    if is_done {
        if let Act::Play(_, name) = act {
            let (steps, left_out) = (frame.tick(), hidden.left_out().as_micros().div_ceil(1_000));
            println!(
                "act={name} frames={} steps={steps} left_out_ms={left_out}",
                display.frames
            );
        }
        (progress.act, progress.frames) = (progress.act + 1, 0);
    }
    display.is_still = !matches!(ACTS.get(progress.act), Some(Act::Play(..)));
}
