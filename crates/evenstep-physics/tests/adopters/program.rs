//! A program around an engine's own world, run by the engine's own loop and behind a timestep.

use evenstep::{FixedTimestep, Step};
use evenstep_physics::{Contact, Engine, PhysicsError, PhysicsSystem, StepHandler, World};

use crate::common::{RATE, frames};

pub(crate) const TICKS: u64 = 240;

/// Frame rates below, at, near and above the step rate.
const RATES: [&str; 4] = ["24", "60", "60000/1001", "144"];

/// A program without evenstep, and the code that puts it behind a timestep.
pub(crate) trait Program: Sized {
    /// The engine's own world.
    type World;
    type Engine: Engine;

    fn build() -> (Self::World, Self);

    /// The program's code before each step, which uses the engine's own API.
    fn before_step(&mut self, world: &mut Self::World, tick: u64);

    /// The engine's own step. Returns the events that the engine reports.
    fn own_step(&mut self, world: &mut Self::World) -> Vec<String>;

    /// All bodies, with the bits of their states.
    fn bodies(&self, world: &mut Self::World) -> Vec<(<Self::Engine as Engine>::Handle, Vec<u32>)>;

    fn adopted(world: Self::World) -> Self::Engine;

    fn world(engine: &mut Self::Engine) -> &mut Self::World;

    /// The event of a contact, in the format of `own_step`.
    fn event(&self, _: &Contact<Self::Engine>) -> Option<String> {
        None
    }
}

/// The states of all bodies after a step, and the events of the step.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Tick {
    pub(crate) bits: Vec<u32>,
    pub(crate) events: Vec<String>,
}

/// The engine's own loop at 60 Hz.
fn own_run<P: Program>() -> Vec<Tick> {
    let (mut world, mut program) = P::build();
    let run = (0..TICKS).map(|tick| {
        program.before_step(&mut world, tick);
        let events = program.own_step(&mut world);
        let bits = bits(&program, &mut world);
        Tick { bits, events }
    });
    run.collect()
}

fn bits<P: Program>(program: &P, world: &mut P::World) -> Vec<u32> {
    let bodies = program.bodies(world);
    bodies.into_iter().flat_map(|(_, bits)| bits).collect()
}

/// The same program behind a timestep. Bodies that the program creates later are adopted, too.
struct Adopter<P> {
    program: P,
    run: Vec<Tick>,
}

impl<P: Program> StepHandler<P::Engine, ()> for Adopter<P> {
    type Error = PhysicsError;

    fn step(&mut self, world: &mut World<P::Engine>, step: &Step) -> Result<(), PhysicsError> {
        self.finish_tick(world);
        let own = P::world(world.engine_mut());
        self.program.before_step(own, step.tick);
        for (handle, _) in self.program.bodies(own) {
            if world.key(handle).is_none() {
                world.adopt(handle, ())?;
            }
        }
        self.run.push(Tick::default());
        Ok(())
    }

    fn contact(&mut self, _: &mut World<P::Engine>, contact: &Contact<P::Engine>) -> Result<(), PhysicsError> {
        let event = self.program.event(contact);
        self.run
            .last_mut()
            .expect("contacts are those of a step")
            .events
            .extend(event);
        Ok(())
    }
}

impl<P: Program> Adopter<P> {
    /// Records the states of the bodies after the step.
    fn finish_tick(&mut self, world: &mut World<P::Engine>) {
        if let Some(tick) = self.run.last_mut() {
            tick.bits = bits(&self.program, P::world(world.engine_mut()));
        }
    }
}

fn adopted_run<P: Program>(rate: &str) -> Vec<Tick> {
    let (world, program) = P::build();
    let mut physics = PhysicsSystem::new(P::adopted(world), FixedTimestep::new(RATE).with_max_steps(30));
    let mut adopter = Adopter {
        program,
        run: Vec::new(),
    };
    while adopter.run.len() <= TICKS as usize {
        let frame = physics.begin_frame(frames(rate));
        physics.run(frame, &mut adopter).unwrap();
        let drawn = physics.poses().count();
        assert_eq!(drawn, physics.world().len());
    }
    adopter.run.truncate(TICKS as usize);
    adopter.run
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
