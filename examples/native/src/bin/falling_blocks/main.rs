//! Blow 10 000 blocks over the wall. The arrow keys, the mouse or a gamepad's stick aim; the space bar, a mouse button or the lower
//! button of a gamepad blows. Enter restarts, Escape ends. I, F, L and Tab change how the game is shown.
//!
//! `cargo run --release -p evenstep-examples --bin falling_blocks`

use std::time::Duration;

use evenstep::filter::DisplayClock;
use evenstep::input::{Controls, InputBuffer};
use evenstep::poses::{Pose2, Poses2, Rot2};
use evenstep::{FixedTimestep, Frame, FrameClock, Rate};
use evenstep_examples::{Bodies, FLAT, Game, Input, Key, Screen, Shape, direction, hue, run};
use evenstep_wgpu::WGSL2;
use glam::{Vec2, Vec3, vec2, vec3};

const BLOCKS: usize = 10_000;
// The bodies: the background, the blocks, and the bodies that are drawn over them.
const FIRST: usize = 1;
const WALL: usize = FIRST + BLOCKS;
const FLOOR: usize = WALL + 1;
const AIM: usize = FLOOR + 1;
const SIZE: Vec2 = vec2(32.0, 18.0); // size of the world, in metres
const WALL_SIZE: Vec2 = vec2(0.5, 11.0);
const CELL: f32 = 0.125; // width of the columns in which blocks come to rest, in metres
const REACH: f32 = 2.5; // radius of a blast, in metres

struct Block {
    place: Vec2,
    radians: f32,
    velocity: Vec2,
    is_resting: bool,
}

struct FallingBlocks {
    clock: FrameClock<DisplayClock>,
    timestep: FixedTimestep,
    input: InputBuffer<Input>,
    controls: Controls<Key>,
    blocks: Vec<Block>,
    heights: Vec<f32>, // of the columns, in metres
    aim: Vec2,
    poses: Poses2,
    bodies: Bodies<Poses2>,
}

impl FallingBlocks {
    fn new(screen: &Screen) -> Self {
        let mut poses = Poses2::new();
        (0..=AIM).for_each(|_| _ = poses.push(Pose2::IDENTITY));
        poses.teleport(0, pose(SIZE / 2.0, 0.0));
        poses.teleport(WALL, pose(vec2(SIZE.x, WALL_SIZE.y) / 2.0, 0.0));
        poses.teleport(FLOOR, pose(vec2(SIZE.x / 2.0, -SIZE.y), 0.0));
        let background = Shape::new(SIZE.extend(3.0), vec3(0.17, 0.20, 0.31));
        let block = |block| Shape::new(vec3(0.058, 0.058, 0.0), hue(block as f32 / BLOCKS as f32));
        let wall = Shape::new(WALL_SIZE.extend(0.0) / 2.0, vec3(0.60, 0.63, 0.70));
        let floor = Shape::new(SIZE.extend(0.0), vec3(0.13, 0.14, 0.18));
        let aim = Shape::new(vec3(REACH, REACH, 2.0), Vec3::ONE);
        let shapes: Vec<Shape> = [background]
            .into_iter()
            .chain((0..BLOCKS).map(block))
            .chain([wall, floor, aim])
            .collect();
        let mut game = Self {
            clock: FrameClock::new(DisplayClock::new()),
            timestep: FixedTimestep::new(Rate::hz(60)),
            input: InputBuffer::new(1024),
            controls: Controls::new(),
            blocks: Vec::new(),
            heights: Vec::new(),
            aim: SIZE / 4.0,
            bodies: Bodies::new(screen, &[WGSL2, FLAT].concat(), &poses, &shapes, 4),
            poses,
        };
        game.restart();
        game
    }

    /// Puts all blocks in the air left of the wall, each at another angle than its neighbours.
    fn restart(&mut self) {
        let is_wall = |column| (middle(column) - SIZE.x / 2.0).abs() < WALL_SIZE.x / 2.0;
        let height = |column| if is_wall(column) { WALL_SIZE.y } else { 0.0 };
        self.heights = (0..=column(SIZE.x)).map(height).collect();
        let block = |block: usize| {
            let disorder = (block as f32 * 0.618_034).fract();
            Block {
                place: vec2(middle(block % 124), 1.0 + 0.45 * (block / 124) as f32) + disorder * vec2(CELL, 0.4),
                radians: 6.0 * disorder,
                velocity: Vec2::ZERO,
                is_resting: false,
            }
        };
        self.blocks = (0..BLOCKS).map(block).collect();
        for (body, block) in self.blocks.iter().enumerate() {
            self.poses.teleport(FIRST + body, pose(block.place, block.radians));
        }
    }

    fn step(&mut self, dt: f32) {
        self.poses.begin_step();
        let was_pressed = |key| self.controls.was_pressed(&key);
        if was_pressed(Key::Enter) {
            return self.restart();
        }
        let [right, down] = self.controls.motion().map(|pixels| pixels as f32);
        let by = 12.0 * dt * Vec2::from(direction(&self.controls)) + 0.02 * vec2(right, -down);
        self.aim = (self.aim + by).clamp(Vec2::ZERO, SIZE);
        self.poses.set(AIM, pose(self.aim, 0.0));
        if was_pressed(Key::Space) || was_pressed(Key::Click) {
            self.blow();
        }
        for (body, block) in self.blocks.iter_mut().enumerate() {
            if !block.is_resting {
                block.fall(&mut self.heights, dt);
                self.poses.set(FIRST + body, pose(block.place, block.radians));
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

impl Game for FallingBlocks {
    const HELP: &str =
        "Mouse or arrows: aim   Space or click: blow the blocks over the wall   Enter: restart   Esc: end";

    fn timestep(&mut self) -> &mut FixedTimestep {
        &mut self.timestep
    }

    fn clock(&self) -> &FrameClock<DisplayClock> {
        &self.clock
    }

    fn input(&mut self, at: Duration, event: Input) {
        let _ = self.input.push(at, event); // cannot fail: there is room for the states of a thousand keys
    }

    fn frame(&mut self, now: Duration, screen: &mut Screen) -> Frame {
        let time = self.clock.begin_frame(now);
        let frame = self.timestep.advance(time.delta);
        self.input.begin_frame(&time, &frame);
        for step in frame.steps() {
            self.controls.take(&mut self.input, &step);
            self.step(step.dt as f32);
        }
        let over = self.blocks.iter().filter(|block| block.place.x > SIZE.x / 2.0);
        screen.set_title(&format!("{} of {BLOCKS} blocks over the wall", over.count()));
        self.bodies.update(screen, &self.poses, &frame, &screen.fit(SIZE));
        screen.draw([0.07, 0.08, 0.10], |pass| self.bodies.draw(pass, 4, 0..AIM + 1));
        frame
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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    run("Falling blocks", FallingBlocks::new)
}
