//! The table on the screen that compares the loops.

use bevy::prelude::*;

use super::round::{COLOURS, Loop, SECONDS, SPEED, Score, Scores};
use super::tower::Crane;
use crate::display::SimulatedDisplay;
use crate::screen::{GREY, camera, line, rectangle, strip};

const TITLE: &str = "The same twelve presses in ten seconds, under Bevy's loop or evenstep's";
const HELP: &str = "Space: drop a block   Tab: other loop   Up, Down: refresh rate   R: again";
const NOTE: &str =
    "shaking: mean error of the crane's drawn motion in a frame, in units   history: hash of all positions";
const HEADER: &str = "            display   steps  presses  blocks  height  shaking   history";

#[derive(Component)]
struct Row(Loop);

/// Adds the measurements of both loops, and the table that shows them.
pub(super) fn build(app: &mut App) {
    app.init_resource::<Scores>()
        .insert_resource(ClearColor(Color::srgb(0.07, 0.08, 0.12)))
        .add_systems(Startup, draw)
        .add_systems(Update, (measure, write_rows).chain());
}

fn draw(mut commands: Commands) {
    commands.spawn(camera());
    for (row, shade) in (0..24).map(|row| (row, row as f32 / 23.0)) {
        let colour = Color::srgb(0.07 + 0.12 * shade, 0.08 + 0.14 * shade, 0.12 + 0.22 * shade);
        let mut strip = rectangle(0.0, 196.0 - 12.5 * row as f32, Vec2::new(4000.0, 13.0), colour);
        strip.1.translation.z = -10.0;
        commands.spawn(strip);
    }
    commands.spawn(line(168.0, 12.0, Color::WHITE, TITLE));
    commands.spawn(line(150.0, 12.0, GREY, HELP));
    commands.spawn(strip(-100.0));
    commands.spawn(line(-112.0, 12.0, GREY, HEADER));
    commands.spawn((line(-130.0, 12.0, COLOURS[0], ""), Row(Loop::Bevy)));
    commands.spawn((line(-148.0, 12.0, COLOURS[1], ""), Row(Loop::Evenstep)));
    commands.spawn(line(-168.0, 9.5, GREY, NOTE));
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
