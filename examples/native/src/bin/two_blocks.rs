//! Two blocks between walls on Box2D at 20 steps a second, with macroquad: one is drawn as the newest step left it, the other interpolated.
//! Lengths are pixels, of which Box2D gets two hundredths in metres, and the slowest hit that bounces must be scaled with them.
//!
//! `cargo run --release -p evenstep-examples --features box2d --bin two_blocks`

use std::error::Error;
use std::process::ExitCode;

use evenstep::poses::Pose2;
use evenstep::{GameLoop, Smoothed};
use evenstep_examples::look::{INK, LINE, LOST, RAW, SMOOTH, SOFT, begin_drawing, draw_box, write};
use evenstep_examples::open;
use evenstep_scenes::{Scene, ScriptInterpolation, TWO_BLOCKS};
use macroquad::prelude::*;

const HELP: &str =
    "T: velocity threshold, scaled or not   S: interpolation by a script   Enter: begin again   Escape: end";
const PIXEL: f32 = 0.02; // in metres
const FIELD: Vec2 = vec2(480.0, 320.0); // half the size of the field between the walls, in pixels
const MIDDLE: Vec2 = vec2(640.0, 422.0);
const ROUND: u64 = 500; // steps after which the blocks begin again

/// The slowest hit that bounces, in px/s, and what that means.
const THRESHOLDS: [(u32, &str, Color); 2] = [
    (
        50,
        "velocity threshold 50 px/s, 1 m/s at 0.02 m a pixel: slower hits do not bounce",
        SOFT,
    ),
    (
        2500,
        "velocity threshold 50, not scaled, so 50 m/s: no hit bounces",
        LOST,
    ),
];

/// The scene with its two blocks, and how they are drawn.
struct Blocks {
    scene: Box<dyn Scene>,
    poses: Smoothed<[Pose2; 2]>,
    script: ScriptInterpolation<Pose2>,
}

impl Blocks {
    fn new(threshold: u32, period: f64) -> Result<Self, Box<dyn Error>> {
        let scene = TWO_BLOCKS.build_with([format!("threshold={threshold}")])?;
        let poses = poses(&*scene).ok_or("the scene has no two blocks")?;
        Ok(Self {
            scene,
            poses: Smoothed::new(poses),
            script: ScriptInterpolation::new(poses[1], period),
        })
    }
}

fn poses(scene: &dyn Scene) -> Option<[Pose2; 2]> {
    match scene.blocks()[..] {
        [first, second] => Some([first.pose, second.pose]),
        _ => None,
    }
}

fn draw_block(pose: Pose2, color: Color, label: &str) {
    let [x, y] = pose.position;
    let place = MIDDLE + vec2(x, -y) / PIXEL;
    draw_box(place, vec2(32.0, 32.0), pose.rotation.radians(), color);
    write([place.x - 4.7 * label.len() as f32, place.y - 54.0], label, 20.0, color);
}

async fn play() -> Result<(), Box<dyn Error>> {
    let rate = TWO_BLOCKS.rate;
    let mut game = GameLoop::new(rate);
    let (mut threshold, mut has_shadow, mut begin) = (0, false, 0);
    let mut blocks = Blocks::new(THRESHOLDS[threshold].0, rate.period_secs_f64())?;
    while !is_key_pressed(KeyCode::Escape) {
        let frame = game.begin_frame();
        let is_toggled = is_key_pressed(KeyCode::T);
        threshold = (threshold + usize::from(is_toggled)) % THRESHOLDS.len();
        has_shadow ^= is_key_pressed(KeyCode::S);
        if is_toggled || is_key_pressed(KeyCode::Enter) || frame.tick() > begin + ROUND {
            begin = frame.tick();
            blocks = Blocks::new(THRESHOLDS[threshold].0, rate.period_secs_f64())?;
        }
        for step in frame.steps() {
            blocks.script.fixed_update(blocks.poses.current()[1]); // runs before the engine's step
            blocks.scene.step(&step);
            blocks.poses.begin_step();
            blocks.poses.set(poses(&*blocks.scene).ok_or("a block is gone")?);
        }
        let by_script = blocks.script.update(game.frame_time().delta.as_secs_f64());

        begin_drawing("20 steps a second, gravity -500 px/s²", INK, HELP);
        let (_, text, colour) = THRESHOLDS[threshold];
        write([20.0, 74.0], text, 20.0, colour);
        let [corner, size] = [MIDDLE - FIELD - 8.0, 2.0 * FIELD + 16.0];
        draw_rectangle_lines(corner.x, corner.y, size.x, size.y, 16.0, LINE);
        if has_shadow {
            draw_block(by_script, SOFT.with_alpha(0.4), "");
            write([800.0, 42.0], "grey: by a script's own accumulator", 20.0, SOFT);
        }
        draw_block(blocks.poses.current()[0], RAW, "not interpolated");
        draw_block(blocks.poses.at(frame.alpha())[1], SMOOTH, "interpolated");
        next_frame().await;
    }
    Ok(())
}

fn main() -> ExitCode {
    open("Two blocks", HELP, play())
}
