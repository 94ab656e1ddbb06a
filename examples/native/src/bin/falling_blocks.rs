//! Blow 10 000 blocks over the wall, with macroquad. Only blocks that move are stepped and blended.
//!
//! `cargo run --release -p evenstep-examples --bin falling_blocks`

use std::process::ExitCode;

use evenstep::input::Controls;
use evenstep::poses::{Pose2, Poses2, Rot2};
use evenstep::{FrameStats, GameLoop, Rate, Smoothing};
use evenstep_examples::{draw_panel, open, push_keys};
use macroquad::prelude::*;

const HELP: &str = "Arrows: aim   Space: blow   Enter: restart   I: interpolation   Tab: panel   Escape: end";
const KEYS: [KeyCode; 6] = [
    KeyCode::Left,
    KeyCode::Right,
    KeyCode::Up,
    KeyCode::Down,
    KeyCode::Space,
    KeyCode::Enter,
];
const BLOCKS: usize = 10_000;
const SIZE: Vec2 = vec2(32.0, 18.0); // size of the world, in metres
const WALL: Vec2 = vec2(0.5, 11.0); // size of the wall in its middle
const CELL: f32 = 0.125; // width of the columns in which blocks come to rest, in metres
const REACH: f32 = 2.5; // radius of a blast, in metres

struct Block {
    place: Vec2,
    radians: f32,
    velocity: Vec2,
    is_resting: bool,
}

struct FallingBlocks {
    blocks: Vec<Block>,
    heights: Vec<f32>, // of the columns, in metres
    aim: Vec2,
    poses: Poses2, // of the blocks and, last, of the aim
}

impl FallingBlocks {
    /// Puts all blocks in the air left of the wall, each at another angle than its neighbours.
    fn new() -> Self {
        let is_wall = |column| (middle(column) - SIZE.x / 2.0).abs() < WALL.x / 2.0;
        let height = |column| if is_wall(column) { WALL.y } else { 0.0 };
        let block = |block: usize| {
            let disorder = (block as f32 * 0.618_034).fract();
            Block {
                place: vec2(middle(block % 124), 1.0 + 0.45 * (block / 124) as f32) + disorder * vec2(CELL, 0.4),
                radians: 6.0 * disorder,
                velocity: Vec2::ZERO,
                is_resting: false,
            }
        };
        let blocks: Vec<_> = (0..BLOCKS).map(block).collect();
        let mut poses = Poses2::new();
        for block in &blocks {
            poses.push(pose(block.place, block.radians));
        }
        poses.push(pose(SIZE / 4.0, 0.0));
        Self {
            blocks,
            heights: (0..=column(SIZE.x)).map(height).collect(),
            aim: SIZE / 4.0,
            poses,
        }
    }

    fn step(&mut self, controls: &Controls<KeyCode>, dt: f32) {
        if controls.was_pressed(&KeyCode::Enter) {
            return *self = Self::new();
        }
        self.poses.begin_step();
        let axis = |less, more| f32::from(i8::from(controls.is_down(&more)) - i8::from(controls.is_down(&less)));
        let by = vec2(axis(KeyCode::Left, KeyCode::Right), axis(KeyCode::Down, KeyCode::Up));
        self.aim = (self.aim + 12.0 * dt * by).clamp(Vec2::ZERO, SIZE);
        self.poses.set(BLOCKS, pose(self.aim, 0.0));
        if controls.was_pressed(&KeyCode::Space) {
            self.blow();
        }
        for (index, block) in self.blocks.iter_mut().enumerate() {
            if !block.is_resting {
                block.fall(&mut self.heights, dt);
                self.poses.set(index, pose(block.place, block.radians));
            }
        }
    }

    /// Throws the blocks near the aim away. The blocks on top of them fall.
    fn blow(&mut self) {
        let resting = self.blocks.iter().filter(|block| block.is_resting);
        for block in resting.filter(|block| block.place.distance(self.aim) < REACH) {
            let height = &mut self.heights[column(block.place.x)];
            *height = height.min(block.place.y - CELL / 2.0);
        }
        for block in &mut self.blocks {
            block.is_resting &= block.place.y < self.heights[column(block.place.x)];
            let (away, distance) = (block.place - self.aim, block.place.distance(self.aim));
            if distance < REACH {
                block.velocity = (26.0 - 18.0 * distance / REACH) * away.normalize_or_zero() + vec2(0.0, 6.0);
            }
        }
    }
}

impl Block {
    fn fall(&mut self, heights: &mut [f32], dt: f32) {
        self.velocity.y -= 12.0 * dt;
        let to = self.place + self.velocity * dt;
        if !(0.0..SIZE.x).contains(&to.x) || heights[column(to.x)] > self.place.y {
            self.velocity.x *= -0.4; // bounces off an edge or a higher column
        }
        self.place += self.velocity * dt;
        self.radians -= 2.0 * self.velocity.x * dt;
        let here = column(self.place.x);
        if self.place.y < heights[here] + CELL / 2.0 {
            // The block slides to the lower side, or comes to rest.
            let is_lower = |column: usize| heights.get(column).is_some_and(|it| it + 1.5 * CELL < heights[here]);
            let [right, left] = [here + 1, here.wrapping_sub(1)].map(is_lower);
            let side = f32::from(right) - f32::from(left && !right);
            self.place.y = heights[here] + CELL / 2.0;
            self.velocity = vec2(2.5 * side, 0.0);
            if side == 0.0 {
                heights[here] += CELL;
                (self.place.x, self.radians, self.is_resting) = (middle(here), 0.0, true);
            }
        }
    }
}

fn column(x: f32) -> usize {
    (x.clamp(0.0, SIZE.x - CELL) / CELL) as usize
}

fn middle(column: usize) -> f32 {
    (column as f32 + 0.5) * CELL
}

fn pose(place: Vec2, radians: f32) -> Pose2 {
    Pose2::new(place.to_array(), Rot2::from_radians(radians))
}

/// Draws the world at the poses of a frame.
fn draw(drawn: &[Pose2]) {
    clear_background(Color::new(0.10, 0.12, 0.18, 1.0));
    let metre = (screen_width() / SIZE.x).min((screen_height() - 30.0) / SIZE.y);
    let pixel = |[x, y]: [f32; 2]| vec2(x, SIZE.y - y) * metre;
    let wall = pixel([(SIZE.x - WALL.x) / 2.0, WALL.y]);
    draw_rectangle(wall.x, wall.y, WALL.x * metre, WALL.y * metre, GRAY);
    draw_rectangle(0.0, SIZE.y * metre, screen_width(), screen_height(), BLACK);
    for (index, pose) in drawn[..BLOCKS].iter().enumerate() {
        let place = pixel(pose.position);
        let part = index as f32 / BLOCKS as f32;
        let block = DrawRectangleParams {
            offset: vec2(0.5, 0.5),
            rotation: -pose.rotation.radians(),
            color: Color::new(1.0 - 0.7 * part, 0.62, 0.25 + 0.75 * part, 1.0),
        };
        draw_rectangle_ex(place.x, place.y, 0.116 * metre, 0.116 * metre, block);
    }
    let aim = pixel(drawn[BLOCKS].position);
    draw_circle_lines(aim.x, aim.y, REACH * metre, 2.0, WHITE);
}

async fn play() {
    let mut game = GameLoop::new(Rate::hz(60)).with_input();
    let mut world = FallingBlocks::new();
    let mut drawn = vec![Pose2::IDENTITY; BLOCKS + 1];
    let mut stats = FrameStats::<240>::new();
    let (mut smoothing, mut has_panel) = (Smoothing::Interpolate, false);
    while !is_key_pressed(KeyCode::Escape) {
        push_keys(&mut game, &KEYS);
        let frame = game.begin_frame();
        for step in frame.steps() {
            world.step(game.input(&step), step.dt as f32);
        }
        if is_key_pressed(KeyCode::I) {
            smoothing = match smoothing {
                Smoothing::None => Smoothing::Interpolate,
                _ => Smoothing::None,
            };
            stats = FrameStats::new();
        }
        has_panel ^= is_key_pressed(KeyCode::Tab);
        stats.record_shown(
            game.frame_time().unfiltered_delta,
            1.0,
            frame.shown_time(smoothing),
            &frame,
        );
        let (alpha, name) = match smoothing {
            Smoothing::None => (1.0, "newest step"),
            _ => (frame.alpha(), "interpolated"),
        };
        world.poses.blend(alpha, &mut drawn);
        draw(&drawn);
        let over = world.blocks.iter().filter(|block| block.place.x > SIZE.x / 2.0).count();
        draw_text(
            format!("{over} of {BLOCKS} blocks over the wall, {name}"),
            20.0,
            30.0,
            24.0,
            WHITE,
        );
        draw_text(HELP, 20.0, screen_height() - 10.0, 20.0, WHITE);
        if has_panel {
            draw_panel(&stats, game.timestep().rate(), game.frame_clock().filter().period());
        }
        next_frame().await;
    }
}

fn main() -> ExitCode {
    open("Falling blocks", HELP, play())
}
