//! Plays `falling_blocks` under both loops, on displays with several refresh rates.

use std::collections::VecDeque;

use bevy::prelude::*;
use bevy_evenstep_windows::display::SimulatedDisplay;
use bevy_evenstep_windows::falling_blocks::{self, Loop, Scores};

use crate::desktop::Desktop;
use crate::pictures::Pictures;
use crate::stage::{Draws, Ready};

/// When screenshots are taken: the loop, the refresh rate in hertz and the number of frames.
const PICTURES: [(Loop, u64, u64, &str); 4] = [
    (Loop::Bevy, 30, 300, "falling_blocks_bevy_30"),
    (Loop::Bevy, 144, 1440, "falling_blocks_bevy_144"),
    (Loop::Evenstep, 144, 613, "falling_blocks_evenstep_middle"),
    (Loop::Evenstep, 144, 1440, "falling_blocks_evenstep_144"),
];

/// The rounds that are still to be played.
#[derive(Resource)]
struct Rounds {
    left: VecDeque<(u64, Loop)>,
    is_playing: bool,
    has_begun: bool,
}

pub(crate) fn play(app: &mut App, folder: &str) {
    let left = [30, 60, 240, 144]
        .into_iter()
        .flat_map(|hertz| [(hertz, Loop::Bevy), (hertz, Loop::Evenstep)])
        .collect();
    let rounds = Rounds {
        left,
        is_playing: false,
        has_begun: false,
    };
    app.add_plugins(falling_blocks::plugin)
        .insert_resource(rounds)
        .insert_resource(Pictures::new(folder))
        .insert_resource(Desktop::connect())
        .add_systems(PreUpdate, draw_near_pictures)
        .add_systems(
            PostUpdate,
            (take_pictures, go_on).chain().run_if(resource_exists::<Ready>),
        );
}

fn draw_near_pictures(mut draws: ResMut<Draws>, which: Res<Loop>, display: Res<SimulatedDisplay>) {
    let is_near = |(of, hertz, frame, _): &(Loop, u64, u64, &str)| {
        (*of, *hertz) == (*which, display.hertz) && frame.abs_diff(display.frames) < 4
    };
    draws.0 = PICTURES.iter().any(is_near);
}

fn take_pictures(
    mut commands: Commands,
    (pictures, which, display): (Res<Pictures>, Res<Loop>, Res<SimulatedDisplay>),
    mut last: Local<Option<(u64, Loop, u64)>>,
) {
    let now = (display.hertz, *which, display.frames);
    if last.replace(now) == Some(now) {
        return;
    }
    let due = |(which, hertz, frame, _): &&(Loop, u64, u64, &str)| (*hertz, *which, *frame) == now;
    if let Some((.., name)) = PICTURES.iter().find(due) {
        pictures.take(&mut commands, name);
    }
}

/// When a round is over, prints its score and begins the next one. After the last round, closes the window.
fn go_on(
    mut rounds: ResMut<Rounds>,
    (mut which, mut display): (ResMut<Loop>, ResMut<SimulatedDisplay>),
    (scores, pictures, desktop): (Res<Scores>, Res<Pictures>, Res<Desktop>),
) {
    if !display.is_still {
        rounds.has_begun = true;
        return;
    }
    if rounds.is_playing && !rounds.has_begun || !pictures.are_taken() {
        return;
    }
    if rounds.is_playing {
        let score = &scores.0[*which as usize];
        println!(
            "round={:?} display={} frames={} steps={} presses={} blocks={} height={} shaking={:.3} history={:08x}",
            *which,
            score.display,
            score.frames,
            score.steps,
            score.presses,
            score.blocks,
            score.height,
            score.shaking,
            score.history
        );
    }
    (rounds.is_playing, rounds.has_begun) = (true, false);
    match rounds.left.pop_front() {
        Some((hertz, next)) => {
            display.hertz = hertz;
            *which = next;
        }
        None => desktop.close().expect("the window can be closed"),
    }
}
