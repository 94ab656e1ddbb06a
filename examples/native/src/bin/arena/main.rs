//! An arena in space: look around with the mouse or the right stick, walk with WASD, the arrow keys or the left stick, jump with the
//! space bar, shoot with a mouse button or a shoulder button. C or the left button of a gamepad changes between your eyes and a camera
//! on a platform, which follows you softly. Escape ends. I, F, L and Tab change how the game is shown.
//!
//! `cargo run --release -p evenstep-examples --bin arena`

use std::{ops::Range, time::Duration};

use evenstep::filter::DisplayClock;
use evenstep::follow::{Attached, Follower, Look, LookAngles, RigidTransform as _};
use evenstep::input::{Controls, InputBuffer, InputEvent};
use evenstep::poses::{Pose3, Poses3, Quat};
use evenstep::{FixedTimestep, Frame, FrameClock, Rate, Step};
use evenstep_examples::{Bodies, Game, Input, Key, Screen, Shape, camera, direction, run, states, turned, view_of};
use evenstep_wgpu::WGSL3;
use glam::{Vec3, vec3};

// The bodies: the floor and the platforms, which the player can stand on, walls, pillars, targets, shots, the sky, and the player. Metres; y
// is up.
const FLOOR: usize = 0;
const PLATFORMS: Range<usize> = 1..4;
const PILLARS: Range<usize> = 8..12;
const TARGETS: Range<usize> = 12..18;
const SHOTS: Range<usize> = 18..34;
const PLAYER: usize = 35;
const PILLAR: Vec3 = vec3(0.6, 2.5, 0.6); // half its sides
const PLATFORM: Vec3 = vec3(1.6, 0.15, 1.6); // half its sides

struct Arena {
    clock: FrameClock<DisplayClock>,
    timestep: FixedTimestep,
    input: InputBuffer<Input>,
    controls: Controls<Key>,
    look: Look,
    feet: Attached<Pose3>,
    ground: usize, // the body that the feet are on
    upwards: f32,
    hits: usize,
    is_on_platform: bool, // whether the camera on the platform is used
    watched: Follower<3>, // the point at which that camera looks
    poses: Poses3,
    bodies: Bodies<Poses3>,
}

impl Arena {
    fn new(screen: &Screen) -> Self {
        let (mut poses, mut shapes) = (Poses3::new(), Vec::new());
        let mut add = |pose, half, colour| {
            poses.push(pose);
            shapes.push(Shape::new(half, colour));
        };
        let [grey, yellow] = [vec3(0.42, 0.45, 0.52), vec3(1.0, 0.92, 0.55)];
        add(at(0.0, -PLATFORM.y, 0.0), vec3(15.0, PLATFORM.y, 15.0), grey);
        PLATFORMS.for_each(|index| add(platform(index, 0.0), PLATFORM, vec3(0.29, 0.87, 0.5)));
        for side in [-15.5, 15.5] {
            add(at(0.0, 1.5, side), vec3(15.0, 1.5, 0.5), grey);
            add(at(side, 1.5, 0.0), vec3(0.5, 1.5, 15.0), grey);
        }
        PILLARS.for_each(|index| add(pillar(index), PILLAR, vec3(0.80, 0.70, 0.58)));
        TARGETS.for_each(|index| add(target(index, 0), Vec3::splat(0.5), vec3(1.0, 0.60, 0.25)));
        SHOTS.for_each(|_| add(at(0.0, -100.0, 0.0), Vec3::splat(0.1), yellow));
        add(Pose3::IDENTITY, Vec3::splat(50.0), Vec3::ONE); // the sky
        add(Pose3::IDENTITY, vec3(0.35, 0.9, 0.35), vec3(0.49, 0.67, 1.0));
        let shader = [WGSL3, include_str!("arena.wgsl")].concat();
        Self {
            clock: FrameClock::new(DisplayClock::new()),
            timestep: FixedTimestep::new(Rate::hz(60)),
            input: InputBuffer::new(1024),
            controls: Controls::new(),
            look: Look::new().with_pitch_limit(1.5),
            feet: Attached::new(at(3.0, PLATFORM.y, 13.0)),
            ground: FLOOR,
            upwards: 0.0,
            hits: 0,
            is_on_platform: false,
            watched: Follower::new([3.0, 0.0, 13.0])
                .with_offset([0.0, 1.6, 0.0])
                .with_lag(Duration::from_millis(150)),
            bodies: Bodies::new(screen, &shader, &poses, &shapes, 28),
            poses,
        }
    }

    /// The drawn pose of the feet.
    fn feet(&self, alpha: f64) -> Pose3 {
        self.feet.at(&states(&self.poses, self.ground).at(alpha), alpha)
    }

    fn step(&mut self, step: &Step) {
        self.poses.begin_step();
        self.feet.begin_step();
        let (dt, seconds) = (step.dt as f32, (step.tick + 1) as f32 * step.dt as f32);
        PLATFORMS.for_each(|index| {
            self.poses.set(index, platform(index, seconds));
        });
        let was_pressed = |key| self.controls.was_pressed(&key);
        self.is_on_platform ^= was_pressed(Key::C);
        let look = self.look.step(step);
        self.walk(dt, was_pressed(Key::Space), look.yaw);
        self.watched.step(self.feet(1.0).position, step.dt);
        for shot in SHOTS {
            let there = states(&self.poses, shot).current().place(&at(0.0, 0.0, -30.0 * dt));
            self.poses.set(shot, there);
            let place = |body| Vec3::from(states(&self.poses, body).current().position);
            if let Some(hit) = TARGETS
                .into_iter()
                .find(|body| place(*body).distance(place(shot)) < 0.9)
            {
                self.hits += 1;
                self.poses.teleport(hit, target(hit, self.hits)); // not drawn between the two places
            }
        }
        if self.controls.was_pressed(&Key::Click) {
            // The shot appears at the muzzle at once, and is not interpolated from its old place.
            let muzzle = Pose3::new(self.feet(1.0).place(&at(0.0, 1.4, 0.0)).position, turned(look));
            let shot = SHOTS.start + step.tick as usize % SHOTS.len();
            self.poses.teleport(shot, muzzle);
        }
    }

    /// Moves the player relative to its ground, which has already moved in this step.
    fn walk(&mut self, dt: f32, jumps: bool, yaw: f64) {
        let [right, up] = direction(&self.controls);
        let way = turned(LookAngles { yaw, pitch: 0.0 }).rotate([right, 0.0, -up]);
        self.upwards -= 18.0 * dt;
        let mut pose = self.feet(1.0);
        let [x, y, z] = (Vec3::from(pose.position) + 6.0 * dt * Vec3::from(way).normalize_or_zero()).to_array();
        pose.position = [x.clamp(-14.6, 14.6), y + self.upwards * dt, z.clamp(-14.6, 14.6)];
        PILLARS.for_each(|index| keep_out(&mut pose.position, pillar(index).position));
        let is_below = |body: &usize| {
            let [x, y, z] = states(&self.poses, *body).current().locate(&pose).position;
            x.abs() < PLATFORM.x && z.abs() < PLATFORM.z && y > -0.5
        };
        let below = PLATFORMS.into_iter().find(is_below).unwrap_or(FLOOR);
        let top = states(&self.poses, below).current().position[1] + PLATFORM.y;
        let mut ground = FLOOR;
        if pose.position[1] <= top {
            (ground, pose.position[1], self.upwards) = (below, top, if jumps { 8.0 } else { 0.0 });
        }
        let (from, to) = (states(&self.poses, self.ground), states(&self.poses, ground));
        self.feet.set(from.current().locate(&pose));
        self.feet.reparent(&from, &to);
        self.ground = ground;
    }
}

impl Game for Arena {
    const HELP: &str = "Mouse: look   WASD: walk   Space: jump   Click: shoot   C: camera   Esc: end";
    const TAKES_MOUSE: bool = true;

    fn timestep(&mut self) -> &mut FixedTimestep {
        &mut self.timestep
    }

    fn clock(&self) -> &FrameClock<DisplayClock> {
        &self.clock
    }

    fn input(&mut self, at: Duration, event: Input) {
        if let InputEvent::Motion([right, down]) = event {
            self.look.turn(at, 0.002 * right, -0.002 * down); // radians per pixel
        } else {
            let _ = self.input.push(at, event); // cannot fail: there is room for the states of a thousand keys
        }
    }

    fn frame(&mut self, now: Duration, screen: &mut Screen) -> Frame {
        let time = self.clock.begin_frame(now);
        let frame = self.timestep.advance(time.delta);
        self.input.begin_frame(&time, &frame);
        self.look.begin_frame(&time, &frame);
        for step in frame.steps() {
            self.controls.take(&mut self.input, &step);
            self.step(&step);
        }
        screen.set_title(&format!("Arena: {} hits", self.hits));
        screen.set_cross(!self.is_on_platform);
        let alpha = screen.alpha(&frame);
        // Everything is drawn at the same alpha: the bodies, the ground of the player, and both cameras.
        let feet = self.feet(alpha);
        let mut eyes = Vec3::from(feet.place(&at(0.0, 1.6, 0.0)).position);
        // The frame includes all mouse motion, also motion that no step has taken yet.
        let ahead = turned(self.look.angles()).rotate([0.0, 0.0, -1.0]);
        let mut view = camera(screen.aspect(), eyes, ahead.into());
        if self.is_on_platform {
            let platform = states(&self.poses, PLATFORMS.end - 1).at(alpha);
            eyes = Vec3::from(platform.place(&at(-1.6, 2.0, 0.0)).position);
            let watched = Vec3::from(self.watched.at(alpha).map(|axis| axis as f32));
            view = camera(screen.aspect(), eyes, watched - eyes);
        }
        self.bodies
            .update(screen, &self.poses, &frame, &view_of(&view, &feet, eyes));
        let seen = PLAYER + usize::from(self.is_on_platform); // the player's body is not drawn from its own eyes
        screen.draw([0.62, 0.74, 0.86], |pass| self.bodies.draw(pass, 30, 0..seen));
        frame
    }
}

/// The pose of a platform at a time: one moves to and fro, one up and down, one in a circle.
fn platform(index: usize, seconds: f32) -> Pose3 {
    let turn = Quat::from_scaled_axis([0.0, -0.5 * seconds, 0.0]);
    match index {
        1 => at(-3.0 + 4.0 * (0.8 * seconds).sin(), 0.15, 3.0),
        2 => at(4.0, 1.75 - 1.6 * (0.6 * seconds).cos(), -2.0),
        _ => Pose3::new([0.0; 3], turn).place(&at(10.0, 3.0, 0.0)),
    }
}

/// The pose of a pillar.
fn pillar(index: usize) -> Pose3 {
    let side = |is_far| if is_far { 10.0 } else { -10.0 };
    at(side(index.is_multiple_of(2)), PILLAR.y, side(index % 4 < 2))
}

/// Moves feet that are inside a pillar out of it, by the shorter way.
fn keep_out(feet: &mut [f32; 3], pillar: [f32; 3]) {
    let room = PILLAR.x + 0.35; // half the width of the pillar plus half the width of the player
    let [x, z] = [0, 2].map(|axis: usize| feet[axis] - pillar[axis]);
    if x.abs() < room && z.abs() < room {
        let (axis, away) = if x.abs() > z.abs() { (0, x) } else { (2, z) };
        feet[axis] = pillar[axis] + room.copysign(away);
    }
}

/// The pose of a target after a number of hits.
fn target(index: usize, hits: usize) -> Pose3 {
    let angle = 1.047 * index as f32 + 2.4 * hits as f32;
    at(9.0 * angle.sin(), 1.5 + (index % 3) as f32, -9.0 * angle.cos())
}

fn at(x: f32, y: f32, z: f32) -> Pose3 {
    Pose3::new([x, y, z], Quat::IDENTITY)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    run("Arena", Arena::new)
}
