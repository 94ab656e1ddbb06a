//! A robot in real time: a cart that balances a pole, by Rapier at 1 kHz, its controller at 333 Hz, a camera at 60 Hz, telemetry at 7 Hz.
//!
//! ```sh
//! cargo run --release -p evenstep-overlay --example robot -- [SECONDS] [PANEL.png]
//! ```
//!
//! One schedule grants all four in one exact order; a timer waits for the next of them. At the end it prints a hash of the state, which
//! depends on the simulated time alone, and writes the panel of its deadlines.

use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::time::Duration;

use evenstep::control::{Cycle, LoopReport, LoopStats};
use evenstep::pace::StepTimer;
use evenstep::schedule::Schedule;
use evenstep::{MonotonicClock, Overrun, Rate, Smoothed, Tick};
use evenstep_overlay::{LOOP_PANEL_SIZE, Pixels, draw_loop};
use rapier2d::prelude::*;

const PHYSICS: Rate = Rate::hz(1000);
const CONTROLLER: Rate = Rate::hz(333);
const CAMERA: Rate = Rate::hz(60);
const TELEMETRY: Rate = Rate::hz(7);

/// A cart on a rail with a pole on top.
struct Robot {
    world: PhysicsWorld,
    cart: RigidBodyHandle,
    pole: RigidBodyHandle,
    force: f32,
}

/// What is measured: position of the cart, angle of the pole, and the speeds of both.
#[derive(Clone, Copy)]
struct State {
    position: f32,
    speed: f32,
    angle: f32,
    turn: f32,
}

impl Robot {
    fn new() -> Self {
        let mut world = PhysicsWorld::new();
        world.gravity = Vector::new(0.0, -9.81);
        world.integration_parameters.dt = PHYSICS.period_secs_f32();
        let cart =
            RigidBodyBuilder::dynamic().locked_axes(LockedAxes::TRANSLATION_LOCKED_Y | LockedAxes::ROTATION_LOCKED);
        let (cart, _) = world.insert(cart.can_sleep(false), ColliderBuilder::cuboid(0.2, 0.1).mass(1.0));
        let pole = RigidBodyBuilder::dynamic()
            .translation(Vector::new(0.0, 0.5))
            .angvel(0.3);
        let (pole, _) = world.insert(pole.can_sleep(false), ColliderBuilder::cuboid(0.02, 0.5).mass(0.1));
        let hinge = RevoluteJointBuilder::new()
            .local_anchor2(Vector::new(0.0, -0.5))
            .contacts_enabled(false);
        world.insert_impulse_joint(cart, pole, hinge);
        Self {
            world,
            cart,
            pole,
            force: 0.0,
        }
    }

    fn state(&self) -> State {
        let (cart, pole) = (&self.world.bodies[self.cart], &self.world.bodies[self.pole]);
        State {
            position: cart.translation().x,
            speed: cart.linvel().x,
            angle: pole.rotation().angle(),
            turn: pole.angvel(),
        }
    }

    /// Pushes the cart under the pole, by gains for a pole of a metre.
    fn control(&mut self) {
        let State {
            position,
            speed,
            angle,
            turn,
        } = self.state();
        // Anticlockwise angles are positive, so the pole falls to the left where it is.
        let push = 1.0 * position + 2.0 * speed - 35.0 * angle - 8.0 * turn;
        self.force = push.clamp(-20.0, 20.0);
    }

    fn step(&mut self) {
        let cart = &mut self.world.bodies[self.cart];
        cart.reset_forces(true);
        cart.add_force(Vector::new(self.force, 0.0), true);
        self.world.step();
    }

    fn hash(&self) -> u64 {
        let State {
            position,
            speed,
            angle,
            turn,
        } = self.state();
        let mix = |hash: u64, part: f32| (hash ^ u64::from(part.to_bits())).wrapping_mul(0x0100_0000_01b3);
        [position, speed, angle, turn]
            .into_iter()
            .fold(0xcbf2_9ce4_8422_2325, mix)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let seconds: u64 = arguments.next().map_or(Ok(5), |text| text.parse())?;
    let mut robot = Robot::new();
    let mut seen = Smoothed::new(0.0_f32);
    let mut schedule = Schedule::new();
    // What runs first where several are due: sensors and control before the step that they act on.
    let [controller, physics, camera, telemetry] =
        [CONTROLLER, PHYSICS, CAMERA, TELEMETRY].map(|rate| schedule.add(rate));
    schedule.set_overrun(Overrun::Carry {
        max_backlog: Duration::from_secs(1),
    });
    let (clock, mut timer, mut stats) = (MonotonicClock::new(), StepTimer::new(), LoopStats::<256>::new());
    let last_tick: Tick = seconds * u64::from(PHYSICS.numer());
    let mut last = clock.now();
    'running: while let Some(until) = schedule.until_next_step() {
        let due = last + until;
        let begin = timer.wait_until(&clock, due);
        schedule.advance(begin - last);
        last = begin;
        while let Some((task, _)) = schedule.next_step() {
            if task == controller {
                robot.control();
            } else if task == physics {
                seen.begin_step();
                robot.step();
                *seen.current_mut() = robot.state().angle;
            } else if task == camera {
                // The image shows the pole where it is between two steps.
                let _image = schedule.alpha(physics).map(|alpha| seen.at(alpha));
            } else if task == telemetry {
                print_state(&robot.state(), &stats.report());
            }
            if schedule.tick(physics) == Some(last_tick) {
                break 'running;
            }
        }
        let deadline = due + Duration::from_nanos(PHYSICS.period_nanos());
        stats.record_cycle(Cycle {
            due,
            begin,
            end: clock.now(),
            deadline,
        });
    }
    let ticks = [physics, controller, camera, telemetry].map(|task| schedule.tick(task).unwrap_or_default());
    println!("{:016x}  steps {ticks:?}", robot.hash());
    match arguments.next() {
        Some(path) => write_panel(&path, &stats.report()),
        None => Ok(()),
    }
}

fn print_state(state: &State, report: &LoopReport) {
    println!(
        "pole {:6.2}°  cart {:6.3} m  late {:?} (p99)",
        state.angle.to_degrees(),
        state.position,
        report.lateness.p99
    );
}

fn write_panel(path: &str, report: &LoopReport) -> Result<(), Box<dyn Error>> {
    let (width, height) = (2 * LOOP_PANEL_SIZE.0, 2 * LOOP_PANEL_SIZE.1);
    let mut bytes = vec![0; (4 * width * height) as usize];
    draw_loop(report, &mut Pixels::new(&mut bytes, width, height)?.with_scale(2));
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(path)?), width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    Ok(encoder.write_header()?.write_image_data(&bytes)?)
}
