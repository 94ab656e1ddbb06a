//! An endless rain of blocks on a floor, on any engine: the oldest block is removed when a new one is added.

use std::collections::VecDeque;
use std::time::Duration;

use anyhow::{Result, ensure};
use evenstep::{FixedTimestep, Lost, Rate, Step, Tick};
use evenstep_physics::engine::BodyMotion;
use evenstep_physics::{BodyDef, BodyKey, BodyKind, Engine, PhysicsError, PhysicsSystem, Shape, World};

use super::clock::Event;
use super::sky::Sky;
use super::subject::Subject;
use super::twins::{self, Twins};

const RATE: Rate = Rate::hz(60);

/// The number of steps between two blocks.
const EVERY: Tick = 15;

/// The number of blocks.
const BLOCKS: usize = 24;

/// The columns in which blocks start, in turn, and their distance in metres.
const COLUMNS: u64 = 7;
const WIDTH: f32 = 0.75;
const HEIGHT: f32 = 12.0;

struct Rain<E: Engine> {
    physics: PhysicsSystem<E>,
    blocks: Blocks,
}

/// From the oldest to the newest.
#[derive(Default)]
struct Blocks(VecDeque<BodyKey>);

pub(super) fn subject<E: Sky<Motion: Default> + 'static>(engine: &str) -> Result<Box<dyn Subject>> {
    let worlds = [Rain::<E>::start()?, Rain::start()?];
    let name = format!("falling blocks on {engine}");
    Ok(Box::new(Twins::new(name, RATE, 7, worlds)))
}

impl<E: Sky<Motion: Default>> Rain<E> {
    fn start() -> Result<Self> {
        let mut physics = PhysicsSystem::new(E::empty()?, FixedTimestep::new(RATE));
        let floor = BodyDef::new(Shape::Box(E::half(50.0))).of_kind(BodyKind::Fixed);
        physics.world_mut().create(&floor.at(E::pose(0.0, -50.0)), ())?;
        Ok(Self {
            physics,
            blocks: Blocks::default(),
        })
    }
}

impl Blocks {
    /// What happens in a step beside falling.
    fn step<E: Sky<Motion: Default>>(&mut self, world: &mut World<E>, step: &Step) -> Result<(), PhysicsError> {
        if !step.tick.is_multiple_of(EVERY) {
            return Ok(());
        }
        if self.0.len() == BLOCKS
            && let Some(oldest) = self.0.pop_front()
        {
            world.remove(oldest)?;
        }
        // Columns that lie apart come one after the other.
        let column = (step.tick / EVERY * 3 % COLUMNS) as f32;
        let block = BodyDef::new(Shape::Box(E::half(0.5))).at(E::pose(WIDTH * column, HEIGHT));
        self.0.push_back(world.create(&block, ())?);
        Ok(())
    }
}

impl<E: Sky<Motion: Default>> twins::World for Rain<E> {
    fn tick(&self) -> Tick {
        self.physics.timestep().tick()
    }

    fn frame(&mut self, delta: Duration, event: Event) -> Result<Lost<Tick>> {
        event.apply(self.physics.timestep_mut());
        let blocks = &mut self.blocks;
        let frame = self.physics.begin_frame(delta);
        self.physics
            .run(frame, &mut |world: &mut World<E>, step: &Step| blocks.step(world, step))?;
        // Compute the drawn poses, as a game does.
        for body in self.physics.poses() {
            ensure!(E::Motion::at(body.pose).is_finite(), "a block is drawn nowhere");
        }
        Ok(self.physics.frame().lost())
    }

    fn step(&mut self, step: &Step) -> Result<()> {
        let blocks = &mut self.blocks;
        Ok(self
            .physics
            .run_step(step, &mut |world: &mut World<E>, step: &Step| blocks.step(world, step))?)
    }

    fn hash(&self) -> u64 {
        self.physics.hash()
    }
}
