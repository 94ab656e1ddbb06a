//! A program around an engine's own world, run by the engine's own loop and behind a timestep.

use evenstep::{FixedTimestep, Step};
use evenstep_physics::engine::BodyMotion as _;
use evenstep_physics::{Engine, PhysicsError, PhysicsSystem, StepHandler, World};

use crate::common::{RATE, frames};

pub(crate) const TICKS: usize = 240;

/// Frame rates below, near and above the step rate.
const RATES: [&str; 3] = ["24", "60000/1001", "144"];

/// A program without evenstep, and the code that puts it behind a timestep.
pub(crate) trait Program: Sized {
    /// The engine's own world.
    type World;
    type Engine: Engine + From<Self::World>;

    fn build() -> (Self::World, Self);

    /// The program's code before each step, which uses the engine's own API.
    fn before_step(&mut self, world: &mut Self::World, tick: u64);

    /// The engine's own step.
    fn own_step(world: &mut Self::World);

    /// All bodies.
    fn bodies(&self) -> &[<Self::Engine as Engine>::Handle];

    fn world(engine: &mut Self::Engine) -> &mut Self::World;
}

/// The states of all bodies after a step.
pub(crate) type Tick = Vec<f32>;

fn state<P: Program>(program: &P, engine: &P::Engine) -> Tick {
    let bodies = program.bodies().iter();
    bodies
        .flat_map(|body| engine.motion(*body).unwrap().components().collect::<Vec<f32>>())
        .collect()
}

/// The engine's own loop at 60 Hz.
fn own_run<P: Program>() -> Vec<Tick> {
    let (world, mut program) = P::build();
    // Only to read the bodies.
    let mut engine = P::Engine::from(world);
    let run = (0..TICKS as u64).map(|tick| {
        let world = P::world(&mut engine);
        program.before_step(world, tick);
        P::own_step(world);
        state(&program, &engine)
    });
    run.collect()
}

/// The same program behind a timestep. It records the states before each step.
struct Adopter<P> {
    program: P,
    run: Vec<Tick>,
}

impl<P: Program> StepHandler<P::Engine, ()> for Adopter<P> {
    type Error = PhysicsError;

    fn step(&mut self, world: &mut World<P::Engine>, step: &Step) -> Result<(), PhysicsError> {
        self.run.push(state(&self.program, world.engine()));
        self.program.before_step(P::world(world.engine_mut()), step.tick);
        for body in self.program.bodies() {
            if world.key(*body).is_none() {
                world.adopt(*body, ())?;
            }
        }
        Ok(())
    }
}

fn adopted_run<P: Program>(rate: &str) -> Vec<Tick> {
    let (world, program) = P::build();
    let mut physics = PhysicsSystem::new(P::Engine::from(world), FixedTimestep::new(RATE).with_max_steps(30));
    let run = Vec::new();
    let mut adopter = Adopter { program, run };
    while adopter.run.len() <= TICKS {
        let frame = physics.advance(frames(rate));
        physics.run(frame, &mut adopter).unwrap();
        assert_eq!(physics.poses().count(), physics.world().len());
    }
    adopter.run[1..=TICKS].to_vec()
}

/// Compares the engine's own run with the runs behind a timestep, and returns the engine's own.
pub(crate) fn check<P: Program>() -> Vec<Tick> {
    let own = own_run::<P>();
    for rate in RATES {
        let adopted = adopted_run::<P>(rate);
        let first = own.iter().zip(&adopted).position(|(own, adopted)| own != adopted);
        assert_eq!(first, None, "the first tick that differs, at {rate} frames a second");
        assert_eq!(own.len(), adopted.len());
    }
    own
}
