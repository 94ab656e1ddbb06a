//! Pendulums of different lengths, as a small complete program: equal steps at any refresh rate, smooth drawing, no steps while the window
//! is hidden. Begin with a copy of this.
//!
//! `cargo run --release -p evenstep-examples --bin window`

use std::time::Duration;

use evenstep::filter::DisplayClock;
use evenstep::poses::{Pose2, Poses2, Rot2};
use evenstep::{FixedTimestep, Frame, FrameClock, Rate};
use evenstep_examples::{Bodies, FLAT, Game, Screen, Shape, hue, run};
use evenstep_wgpu::WGSL2;
use glam::{Vec2, vec2, vec3};

const COUNT: usize = 15;
const SIZE: Vec2 = vec2(16.0, 10.0); // size of the world, in metres
const TOP: Vec2 = vec2(8.0, 9.7);
// The bodies: the background, the rods of all pendulums, their balls, and the beam from which they hang.
const RODS: usize = 1;
const BALLS: usize = RODS + COUNT;
const BEAM: usize = BALLS + COUNT;

#[derive(Clone, Copy)]
struct Pendulum {
    length: f32,
    angle: f32,
    velocity: f32, // radians a second
}

struct Pendulums {
    clock: FrameClock<DisplayClock>,
    timestep: FixedTimestep,
    pendulums: Vec<Pendulum>,
    poses: Poses2,
    bodies: Bodies<Poses2>,
}

impl Pendulums {
    fn new(screen: &Screen) -> Self {
        let lengths = (0..COUNT).map(|it| 8.2 * (17.0 / (17.0 + it as f32)).powi(2)); // each swings once more than the last
        let pendulum = |length| Pendulum {
            length,
            angle: 0.7,
            velocity: 0.0,
        };
        let pendulums: Vec<_> = lengths.map(pendulum).collect();
        let rod = |it: &Pendulum| Shape::new(vec3(0.014, it.length / 2.0, 0.0), vec3(0.42, 0.45, 0.54));
        let ball = |it: usize| Shape::new(vec3(0.32, 0.32, 1.0), hue(1.0 - it as f32 / (COUNT - 1) as f32));
        let background = Shape::new(SIZE.extend(3.0), vec3(0.17, 0.20, 0.31));
        let beam = Shape::new(vec3(1.6, 0.12, 0.0), vec3(0.55, 0.58, 0.66));
        let rods = pendulums.iter().map(rod);
        let shapes: Vec<Shape> = [background]
            .into_iter()
            .chain(rods)
            .chain((0..COUNT).map(ball))
            .chain([beam])
            .collect();
        let mut poses = Poses2::new();
        shapes.iter().for_each(|_| _ = poses.push(Pose2::IDENTITY));
        poses.teleport(0, Pose2::new((SIZE / 2.0).to_array(), Rot2::IDENTITY));
        poses.teleport(BEAM, Pose2::new((TOP + vec2(0.0, 0.1)).to_array(), Rot2::IDENTITY));
        for (index, pendulum) in pendulums.iter().enumerate() {
            let [rod, ball] = pendulum.poses();
            poses.teleport(RODS + index, rod);
            poses.teleport(BALLS + index, ball);
        }
        Self {
            clock: FrameClock::new(DisplayClock::new()),
            timestep: FixedTimestep::new(Rate::hz(60)),
            pendulums,
            bodies: Bodies::new(screen, &[WGSL2, FLAT].concat(), &poses, &shapes, 4),
            poses,
        }
    }
}

impl Pendulum {
    fn step(&mut self, dt: f32) {
        self.velocity -= 9.81 / self.length * self.angle.sin() * dt;
        self.angle += self.velocity * dt;
    }

    /// The poses of the rod and the ball.
    fn poses(&self) -> [Pose2; 2] {
        let way = Vec2::from_angle(self.angle).rotate(Vec2::NEG_Y);
        [0.5, 1.0].map(|part| {
            let place = TOP + part * self.length * way;
            Pose2::new(place.to_array(), Rot2::from_radians(self.angle))
        })
    }
}

impl Game for Pendulums {
    const HELP: &str = "Pendulums of 15 lengths, 60 steps a second   Esc: end";

    fn timestep(&mut self) -> &mut FixedTimestep {
        &mut self.timestep // `run` suspends it while the window is hidden
    }

    fn clock(&self) -> &FrameClock<DisplayClock> {
        &self.clock
    }

    fn frame(&mut self, now: Duration, screen: &mut Screen) -> Frame {
        let frame = self.timestep.advance(self.clock.begin_frame(now).delta);
        for step in frame.steps() {
            self.poses.begin_step();
            for (index, pendulum) in self.pendulums.iter_mut().enumerate() {
                pendulum.step(step.dt as f32);
                let [rod, ball] = pendulum.poses();
                self.poses.set(RODS + index, rod);
                self.poses.set(BALLS + index, ball);
            }
        }
        self.bodies.update(screen, &self.poses, &frame, &screen.fit(SIZE));
        screen.draw([0.07, 0.08, 0.10], |pass| self.bodies.draw(pass, 4, 0..BEAM + 1));
        frame
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    run("Pendulums", Pendulums::new)
}
