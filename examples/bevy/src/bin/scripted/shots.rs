//! Plays `shooter` with scripted input, on a display with any refresh rate.

use std::time::Duration;

use bevy::ecs::entity::EntityHashMap;
use bevy::input::InputSystems;
use bevy::input::mouse::AccumulatedMouseMotion;
use bevy::prelude::*;
use bevy_evenstep::StepInput;
use bevy_evenstep_windows::display::{SimulatedDisplay, SimulatedDisplayPlugin};
use bevy_evenstep_windows::shooter::{self, Action, Score};
use evenstep::input::InputEvent;

use crate::desktop::Desktop;
use crate::pictures::Pictures;
use crate::stage::{Draws, Ready};

/// How long the game is played, in seconds.
const SECONDS: u64 = 6;
/// The time of the screenshot, in milliseconds: while the platform moves and shots fly.
const PICTURE: u64 = 3_850;
/// A distance larger than anything moves in a frame without a teleport, in metres.
const JUMP: f32 = 2.0;

/// Measurements of the drawn scene, over all frames.
#[derive(Resource, Default)]
struct Drawn {
    /// The number of frames in which the view direction differs from the previous frame.
    turns: u32,
    /// How often a body moved by more than [`JUMP`] from one frame to the next.
    jumps: u32,
    /// The largest distance of the eyes from their place on the platform, on which the player stands still, in metres.
    slip: f32,
    direction: Vec3,
}

/// The scripted input with its times: the mouse moves to and fro, and the button is tapped or held.
fn hand() -> Vec<(Duration, InputEvent<Action>)> {
    let sway = (0..SECONDS * 125).map(|n| {
        let (at, there) = (Duration::from_millis(8 * n + 3), (n / 75) % 2 == 0);
        let right = if there { 3.0 } else { -3.0 };
        (at, InputEvent::Motion([right, 0.4 * ((n % 40) as f64 - 19.5) / 19.5]))
    });
    let taps = (0..SECONDS * 2).flat_map(|n| {
        let at = 171 + 505 * n;
        // Every third tap is shorter than a step; the others hold the button for 200 ms.
        let up = if n % 3 == 0 { at + 2 } else { at + 200 };
        [
            (at, InputEvent::Press(Action::Fire)),
            (up, InputEvent::Release(Action::Fire)),
        ]
    });
    let taps = taps.map(|(at, event)| (Duration::from_millis(at), event));
    let mut events: Vec<_> = sway.chain(taps).collect();
    events.sort_by_key(|(at, _)| *at);
    events
}

pub(crate) fn play(app: &mut App, hertz: u64, folder: &str) {
    app.add_plugins((SimulatedDisplayPlugin, shooter::plugin))
        .insert_resource(SimulatedDisplay::new(hertz))
        .insert_resource(Pictures::new(folder))
        .insert_resource(Desktop::connect())
        .init_resource::<Drawn>()
        .add_systems(PreUpdate, draw_near_screenshot)
        .add_systems(
            PreUpdate,
            (begin.run_if(resource_added::<Ready>), play_hand)
                .chain()
                .after(InputSystems),
        )
        .add_systems(Last, (watch, end).chain().run_if(resource_exists::<Ready>));
}

fn draw_near_screenshot(mut draws: ResMut<Draws>, display: Res<SimulatedDisplay>) {
    draws.0 = (PICTURE * display.hertz / 1000).abs_diff(display.frames) < 4;
}

fn begin(mut display: ResMut<SimulatedDisplay>) {
    *display = SimulatedDisplay::new(display.hertz);
}

/// Delivers the scripted input of a frame: the steps get each event with its exact time, the frame gets the sum of the mouse motion.
fn play_hand(
    display: Res<SimulatedDisplay>,
    real: Res<Time<Real>>,
    mut input: ResMut<StepInput<Action>>,
    mut mouse: ResMut<AccumulatedMouseMotion>,
) {
    let (from, to) = (
        display.time(display.frames.saturating_sub(1)),
        display.time(display.frames),
    );
    let events = hand();
    let now = events
        .iter()
        .filter(|(at, _)| !display.is_still && (from..to).contains(at));
    for (at, event) in now {
        if let InputEvent::Motion([right, down]) = event {
            mouse.delta += Vec2::new(*right as f32, *down as f32);
        }
        let at = real.elapsed() - (to - *at);
        input.push(at, *event).expect("steps take in what comes");
    }
}

fn watch(
    (mut drawn, mut last): (ResMut<Drawn>, Local<EntityHashMap<Vec3>>),
    eyes: Single<(&GlobalTransform, &ChildOf), With<Camera3d>>,
    (parents, places): (Query<&ChildOf>, Query<&GlobalTransform>),
    bodies: Query<(Entity, &GlobalTransform), With<Mesh3d>>,
) {
    let (eyes, player) = *eyes;
    let direction = eyes.forward().as_vec3();
    drawn.turns += u32::from(direction != drawn.direction);
    drawn.direction = direction;
    let platform = parents.get(player.parent()).and_then(|of| places.get(of.parent()));
    if let Ok(platform) = platform {
        let slip = eyes.translation() - platform.translation() - Vec3::Y * 1.7;
        drawn.slip = drawn.slip.max(slip.length());
    }
    for (body, place) in &bodies {
        let place = place.translation();
        let was_at = last.insert(body, place).unwrap_or(place);
        drawn.jumps += u32::from(was_at.distance(place) > JUMP);
    }
}

/// Takes the screenshot. At the end, prints the score and closes the window.
fn end(
    mut commands: Commands,
    mut display: ResMut<SimulatedDisplay>,
    (pictures, desktop): (Res<Pictures>, Res<Desktop>),
    (score, drawn): (Res<Score>, Res<Drawn>),
    mut is_over: Local<bool>,
) {
    if display.frames == PICTURE * display.hertz / 1000 && !display.is_still {
        pictures.take(&mut commands, "shooter");
    }
    display.is_still |= display.frames == SECONDS * display.hertz;
    if display.is_still && pictures.are_taken() && !*is_over {
        *is_over = true;
        let (
            Score {
                steps,
                shots,
                hits,
                history,
            },
            Drawn { turns, jumps, slip, .. },
        ) = (&*score, &*drawn);
        print!(
            "frames={} steps={steps} shots={shots} hits={hits} history={history:08x} ",
            display.frames
        );
        println!("turns={turns} jumps={jumps} slip={slip:.6}");
        desktop.close().expect("the window can be closed");
    }
}
