//! Blocks that fall, on Box2D with `PhysicsSystem`, with macroquad: ten steps a second, drawn as the newest step left them, interpolated or
//! extrapolated; a force that is held for each frame beside one that is not; buoyancy in each step; hits that flash when they are seen; and at
//! most five steps in a frame when steps are slow.
//!
//! `cargo run --release -p evenstep-examples --features box2d --bin falling_blocks`

use std::error::Error;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use evenstep::input::{EventQueue, QueueOverflow};
use evenstep::poses::{Motion2, Pose2, Rot2};
use evenstep::{FixedTimestep, FrameClock, FrameSample, FrameStats, Rate, Smoothing, Step};
use evenstep_examples::look::{
    AHEAD, INK, LINE, LOST, RAW, SMOOTH, SOFT, STEP, begin_drawing, draw_bars, draw_box, write,
};
use evenstep_examples::open;
use evenstep_physics::controller::Buoyancy;
use evenstep_physics::engine::BodyMotion as _;
use evenstep_physics::{
    BodyDef, BodyKey, BodyKind, Box2d, Contact, ContactKind, PhysicsError, PhysicsSystem, Shape, StepHandler, World,
    Wrench,
};
use macroquad::prelude::*;

const HELP: &str = "S: smoothing   L: slow steps   Enter: let them fall again   Escape: end";
const RATE: Rate = Rate::hz(10);
const MAX_STEPS: u32 = 5;
const SLOW: Duration = Duration::from_millis(150); // so long a slow step takes, although it simulates 100 ms
const GRAVITY: f32 = 10.0; // m/s²
const METRE: f32 = 32.0; // in pixels
const BLOCKS: usize = 54;
const HALF: [f32; 2] = [0.5, 0.5]; // half extents of a block in m
const ROUND: u64 = 120; // steps after which the blocks fall again
const FLASH: Duration = Duration::from_millis(300);
const WATER: f32 = 3.2; // height of its surface in m
/// The fixed boxes by their middles and half extents in m: the floor, the walls of the pool, and two shafts with ceilings.
const FIXED: [([f32; 2], [f32; 2]); 8] = [
    ([20.0, -0.5], [20.0, 0.5]),
    ([0.4, 10.0], [0.4, 10.0]),
    ([12.0, 2.0], [0.4, 2.0]),
    ([27.6, 10.0], [0.4, 10.0]),
    ([33.6, 7.0], [0.2, 7.0]),
    ([39.6, 7.0], [0.4, 7.0]),
    ([30.7, 14.2], [2.7, 0.2]),
    ([36.5, 14.2], [2.7, 0.2]),
];
const SHAFTS: [(f32, &str); 2] = [(30.7, "held for the frame"), (36.5, "once a frame")];

/// How a smoothing is called, and the colour of what is drawn with it.
const SMOOTHINGS: [(Smoothing, &str, Color); 3] = [
    (Smoothing::None, "as the newest step left them", RAW),
    (
        Smoothing::Interpolate,
        "interpolated between the last two steps",
        SMOOTH,
    ),
    (
        Smoothing::Extrapolate { horizon: Duration::MAX },
        "extrapolated from the newest step",
        AHEAD,
    ),
];

/// What the steps do besides moving bodies.
struct Game {
    hits: EventQueue<[f32; 2]>, // the points of hits
    is_slow: bool,
}

/// The data of a body are its half extents.
type Blocks = PhysicsSystem<Box2d, [f32; 2]>;

impl StepHandler<Box2d, [f32; 2]> for Game {
    type Error = PhysicsError;

    fn step(&mut self, _: &mut World<Box2d, [f32; 2]>, _: &Step) -> Result<(), PhysicsError> {
        if self.is_slow {
            thread::sleep(SLOW);
        }
        Ok(())
    }

    fn contact(&mut self, _: &mut World<Box2d, [f32; 2]>, contact: &Contact<Box2d>) -> Result<(), PhysicsError> {
        if let ContactKind::Hit { point, .. } = contact.kind {
            self.hits.emit(&Step::new(contact.tick, RATE), point);
        }
        Ok(())
    }
}

/// Makes the world and the bodies that move: the blocks and, last, the two with a thrust.
fn build() -> Result<(Blocks, Vec<BodyKey>), PhysicsError> {
    // The cap of steps is what limits a frame here, not its length.
    let timestep = FixedTimestep::new(RATE)
        .with_max_steps(MAX_STEPS)
        .with_max_delta(Duration::from_secs(5));
    let mut physics = PhysicsSystem::new(Box2d::new([0.0, -GRAVITY])?, timestep);
    let world = physics.world_mut();
    for (middle, half) in FIXED {
        let fixed = BodyDef::new(Shape::Box(half)).of_kind(BodyKind::Fixed);
        world.create(&fixed.at(Pose2::new(middle, Rot2::IDENTITY)), half)?;
    }
    let mut bodies = Vec::new();
    for index in 0..BLOCKS + SHAFTS.len() {
        let block = BodyDef::new(Shape::Box(HALF)).at(start(index)).with_restitution(0.2);
        bodies.push(world.create(&block, HALF)?);
    }
    // Acts in every step on the blocks that are in the pool: they are half as heavy as water, here of 2 kg/m².
    let water = Buoyancy::new(Shape::Box(HALF), WATER)
        .with_density(2.0)
        .with_gravity(GRAVITY);
    let in_pool = |index: &usize| start(*index).position[0] < 12.0;
    let floating: Vec<_> = (0..BLOCKS).filter(in_pool).map(|index| bodies[index]).collect();
    physics.attach(water.with_drag(2.0), &floating);
    Ok((physics, bodies))
}

/// Where a body begins: nine columns of blocks, a third of them above the pool, and a body in each shaft.
fn start(index: usize) -> Pose2 {
    if let Some((x, _)) = index.checked_sub(BLOCKS).map(|shaft| SHAFTS[shaft]) {
        return Pose2::new([x, 7.0], Rot2::IDENTITY);
    }
    let (column, row) = ((index % 9) as f32, (index / 9) as f32);
    let middle = 2.3 * column + if column < 3.0 { 3.2 } else { 6.8 };
    let x = middle + 0.5 * (row % 3.0 - 1.0);
    Pose2::new([x, 10.0 + 1.8 * row], Rot2::from_radians(0.3 * (index % 7) as f32))
}

fn on_canvas([x, y]: [f32; 2]) -> Vec2 {
    vec2(METRE * x, 740.0 - METRE * y)
}

fn draw(physics: &mut Blocks, flashes: &[([f32; 2], Instant)], colour: Color) {
    let surface = on_canvas([0.8, WATER]);
    let (width, depth) = (10.8 * METRE, WATER * METRE);
    draw_rectangle(surface.x, surface.y, width, depth, SMOOTH.with_alpha(0.2));
    for body in physics.poses() {
        let (place, turn) = (on_canvas(body.pose.position), body.pose.rotation.radians());
        let colour = if *body.data == HALF { colour } else { LINE };
        draw_box(place, METRE * Vec2::from_array(*body.data), turn, colour);
    }
    for (point, begin) in flashes {
        let (place, age) = (on_canvas(*point), begin.elapsed().div_duration_f32(FLASH));
        draw_circle_lines(place.x, place.y, 6.0 + 22.0 * age, 3.0, INK.with_alpha(1.0 - age));
    }
    for ((x, name), colour) in SHAFTS.into_iter().zip([INK, LOST]) {
        write(on_canvas([x - 2.5, 14.9]).to_array(), name, 18.0, colour);
    }
}

fn draw_steps(stats: &FrameStats<180>, is_slow: bool) {
    let (speed, lost) = (stats.real_time_factor(), stats.dropped());
    let cost = if is_slow {
        "100 ms that cost 150 ms"
    } else {
        "100 ms that cost little"
    };
    let text = format!("a step is {cost}, a frame has at most {MAX_STEPS}: speed {speed:.2}, {lost} steps lost");
    write([20.0, 74.0], &text, 20.0, if lost > 0 { LOST } else { SOFT });
    let colour = |sample: &FrameSample| if sample.is_loss() { LOST } else { STEP };
    let steps = stats.samples().rev();
    let steps = steps.map(|sample| (sample.steps as f32, colour(&sample)));
    draw_bars(Rect::new(900.0, 24.0, 360.0, 60.0), MAX_STEPS as f32, steps);
    write([900.0, 106.0], "steps in each frame", 18.0, STEP);
}

async fn play() -> Result<(), Box<dyn Error>> {
    let (mut physics, bodies) = build()?;
    let (mut clock, begin) = (FrameClock::new(), Instant::now());
    let mut game = Game {
        hits: EventQueue::new(256, QueueOverflow::DropOldest),
        is_slow: false,
    };
    let mut flashes = Vec::new();
    let (mut stats, mut smoothing, mut round) = (FrameStats::new(), 1, 0);
    while !is_key_pressed(KeyCode::Escape) {
        if is_key_pressed(KeyCode::L) {
            game.is_slow = !game.is_slow;
            stats = FrameStats::new();
        }
        smoothing = (smoothing + usize::from(is_key_pressed(KeyCode::S))) % SMOOTHINGS.len();
        let (style, name, colour) = SMOOTHINGS[smoothing];
        let world = physics.world_mut();
        for key in &bodies {
            world.set_smoothing(*key, style)?;
        }
        // The thrust is the weight: a body hovers if it acts for as long as time passes.
        let thrust = Wrench::linear([0.0, GRAVITY]);
        world.apply_force_for_frame(bodies[BLOCKS], thrust)?;
        world.apply_force(bodies[BLOCKS + 1], thrust)?;

        let time = clock.begin_frame(begin.elapsed());
        let frame = physics.advance(time.delta);
        physics.run(frame, &mut game)?;
        let shown = frame.shown_time(style);
        stats.record_shown(time.unfiltered_delta, 1.0, shown, &frame);
        while let Some((_, point)) = game.hits.next_due(shown) {
            flashes.push((point, Instant::now()));
        }
        flashes.retain(|(_, begin)| begin.elapsed() < FLASH);
        if is_key_pressed(KeyCode::Enter) || frame.tick() / ROUND > round {
            round = frame.tick() / ROUND;
            for (index, key) in bodies.iter().enumerate() {
                physics.world_mut().teleport(*key, Motion2::at(start(index)))?;
            }
        }

        begin_drawing(&format!("10 steps a second, {name}"), colour, HELP);
        draw(&mut physics, &flashes, colour);
        draw_steps(&stats, game.is_slow);
        next_frame().await;
    }
    Ok(())
}

fn main() -> ExitCode {
    open("Falling blocks", HELP, play())
}
