//! The table on the screen that compares the loops.

use bevy::prelude::*;

use super::round::{COLOURS, Loop, SECONDS, SPEED, Score, Scores};
use super::tower::Crane;
use crate::display::SimulatedDisplay;
use crate::screen::{GREY, camera, line};

const HELP: &str = "Space drop   Tab other loop   Up/Down display   R again";
const HEADER: &str = "            display   steps  presses  blocks  height  shaking   history";

#[derive(Component)]
struct Row(Loop);

/// Adds the measurements of both loops, and the table that shows them.
pub(super) fn build(app: &mut App) {
    app.init_resource::<Scores>()
        .insert_resource(ClearColor(Color::srgb(0.07, 0.08, 0.10)))
        .add_systems(Startup, draw)
        .add_systems(Update, (measure, write_rows).chain());
}

fn draw(mut commands: Commands) {
    commands.spawn(camera());
    commands.spawn(line(164.0, 12.0, GREY, HELP));
    commands.spawn(line(-122.0, 12.0, GREY, HEADER));
    commands.spawn((line(-142.0, 12.0, COLOURS[0], ""), Row(Loop::Bevy)));
    commands.spawn((line(-162.0, 12.0, COLOURS[1], ""), Row(Loop::Evenstep)));
}

/// The simulated and the drawn position of the crane.
type PlacedCrane<'world, 'state> =
    Single<'world, 'state, (&'static Transform, Ref<'static, GlobalTransform>), With<Crane>>;

/// Measures the frame, and ends the round.
fn measure(
    (mut scores, which): (ResMut<Scores>, Res<Loop>),
    (mut display, time): (ResMut<SimulatedDisplay>, Res<Time>),
    crane: Option<PlacedCrane>,
) {
    if let Some(crane) = crane
        && !display.is_still
    {
        let score = scores.of(*which);
        score.frames = display.frames;
        // Under Bevy's loop the crane is drawn at its transform. Under evenstep its `GlobalTransform` is the drawn one already in `Update`.
        let (place, drawn) = &*crane;
        match *which {
            Loop::Bevy => score.see(place.translation.x, SPEED * time.delta_secs()),
            Loop::Evenstep if drawn.is_added() => score.not_drawn_yet(),
            Loop::Evenstep => score.see(drawn.translation().x, SPEED * time.delta_secs()),
        }
        display.is_still = display.frames >= SECONDS * display.hertz;
    }
}

fn write_rows(which: Res<Loop>, scores: Res<Scores>, mut rows: Query<(&mut Text2d, &Row)>) {
    for (mut text, Row(row)) in &mut rows {
        let (name, mark) = (
            ["Bevy", "evenstep"][*row as usize],
            if *row == *which { '>' } else { ' ' },
        );
        let score = &scores.0[*row as usize];
        let numbers = if score.display == 0 {
            String::new()
        } else {
            numbers(score)
        };
        text.0 = format!("{mark} {name:<8}{numbers}");
    }
}

fn numbers(score: &Score) -> String {
    let Score {
        display,
        steps,
        presses,
        blocks,
        height,
        shaking,
        history,
        ..
    } = score;
    format!(" {display:>4} Hz {steps:>7} {presses:>8} {blocks:>7} {height:>7} {shaking:8.2}  {history:08x}")
}
