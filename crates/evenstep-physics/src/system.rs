use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use evenstep::{FixedTimestep, Frame, Step};

use crate::controller::{Attachment, Controller, ControllerKey};
use crate::engine::{PoseOf, VectorOf};
use crate::world::{SavedWorld, World};
use crate::{BodyKey, Contact, Drawn, Engine, PhysicsError};

/// Counts systems, so that none is given another's state.
static SYSTEMS: AtomicU64 = AtomicU64::new(0);

/// A physics engine behind a fixed timestep.
///
/// One [`update`](Self::update) a frame runs the steps that are due. Each step, in this order: bodies' true states
/// become previous ones; the program's own code; controllers, as they were attached; the forces held for the frame;
/// the engine's step; its contacts; the new poses. Nothing inside a step ever sees a blended state.
///
/// Steps, pauses, time scale and overruns are those of its [timestep](Self::timestep_mut).
///
#[cfg_attr(feature = "rapier2d", doc = "```")]
#[cfg_attr(not(feature = "rapier2d"), doc = "```ignore")]
/// use evenstep::{FixedTimestep, Motion2, Pose2, Rate, Rot2};
/// use evenstep_physics::{BodyDef, BodyKind, Load, PhysicsSystem, Rapier2d, Shape};
/// use std::time::Duration;
///
/// let timestep = FixedTimestep::new(Rate::hz(60));
/// let mut physics = PhysicsSystem::new(Rapier2d::new([0.0, -9.81]), timestep);
/// let floor = BodyDef::new(Shape::Box([50.0, 1.0])).of_kind(BodyKind::Fixed);
/// physics.world_mut().create(&floor, "floor")?;
/// let crate_def = BodyDef::new(Shape::Box([0.5, 0.5])).at(Pose2::new([0.0, 5.0], Rot2::IDENTITY));
/// let falling = physics.world_mut().create(&crate_def, "crate")?;
///
/// for _ in 0..240 {
///     physics.world_mut().hold_force(falling, Load::linear([2.0, 0.0]))?; // while this frame lasts
///     physics.update(Duration::from_millis(7), |_world, _step| {})?;
///     for body in physics.poses() {
///         let _ = (body.data, body.pose); // draw it
///     }
/// }
/// let drawn = physics.pose(falling)?;
/// assert!(drawn.position[0] > 0.5 && (drawn.position[1] - 1.5).abs() < 0.05);
/// # Ok::<(), evenstep_physics::PhysicsError>(())
/// ```
pub struct PhysicsSystem<E: Engine, U = ()> {
    id: u64,
    timestep: FixedTimestep,
    world: World<E, U>,
    controllers: Vec<Attachment<E, U>>,
    next_controller: u64,
    /// The last one.
    frame: Frame,
    contacts: Vec<Contact<VectorOf<E>>>,
}

/// A program that takes part in the steps of a [`PhysicsSystem`].
///
/// A closure that takes the world and the step is one.
pub trait Game<E: Engine, U> {
    /// Its own code in a step, before controllers and the engine.
    fn step(&mut self, world: &mut World<E, U>, step: &Step);

    /// A contact of the step that was just done. It may create, remove and teleport bodies.
    fn contact(&mut self, world: &mut World<E, U>, contact: &Contact<VectorOf<E>>) {
        let _ = (world, contact);
    }
}

impl<E: Engine, U, F: FnMut(&mut World<E, U>, &Step)> Game<E, U> for F {
    fn step(&mut self, world: &mut World<E, U>, step: &Step) {
        self(world, step);
    }
}

impl<E: Engine, U> PhysicsSystem<E, U> {
    /// A system without bodies.
    pub fn new(engine: E, timestep: FixedTimestep) -> Self {
        Self {
            id: SYSTEMS.fetch_add(1, Ordering::Relaxed),
            frame: timestep.clone().advance(Duration::ZERO),
            timestep,
            world: World::new(engine),
            controllers: Vec::new(),
            next_controller: 0,
            contacts: Vec::new(),
        }
    }

    /// Its timestep.
    pub const fn timestep(&self) -> &FixedTimestep {
        &self.timestep
    }

    /// Its timestep, to pause it, scale time or set policies.
    pub const fn timestep_mut(&mut self) -> &mut FixedTimestep {
        &mut self.timestep
    }

    /// Its bodies.
    pub const fn world(&self) -> &World<E, U> {
        &self.world
    }

    /// Its bodies, to be changed between frames.
    pub const fn world_mut(&mut self) -> &mut World<E, U> {
        &mut self.world
    }

    /// Runs the steps that are due after `delta` of real time, with `step` in each of them.
    ///
    /// # Errors
    ///
    /// If the engine refuses a step; the steps that were left follow the timestep's overrun policy.
    pub fn update(
        &mut self,
        delta: Duration,
        mut step: impl FnMut(&mut World<E, U>, &Step),
    ) -> Result<(), PhysicsError> {
        self.update_with(delta, &mut step)
    }

    /// The same for a program that also takes part in contacts.
    ///
    /// # Errors
    ///
    /// As [`update`](Self::update).
    pub fn update_with(&mut self, delta: Duration, game: &mut impl Game<E, U>) -> Result<(), PhysicsError> {
        let before = self.frame.alpha();
        self.frame = self.timestep.advance(delta);
        let mut share = 1.0 - before;
        let mut steps = self.frame.steps();
        while let Some(step) = steps.next() {
            if let Err(error) = self.step(&step, share, game) {
                let unrun = u32::try_from(steps.len() + 1).unwrap_or(u32::MAX);
                self.frame = self.timestep.give_back(self.frame, unrun);
                return Err(error);
            }
            share = 1.0;
        }
        let alpha = self.frame.alpha();
        let towards_next = if self.frame.steps().len() == 0 {
            alpha - before
        } else {
            alpha
        };
        self.world.end_frame(towards_next * self.dt());
        Ok(())
    }

    /// Runs one step of a loop that is the program's own, without the timestep of the system. Forces held act throughout.
    ///
    /// # Errors
    ///
    /// If the engine refuses.
    pub fn run_step(&mut self, step: &Step, game: &mut impl Game<E, U>) -> Result<(), PhysicsError> {
        let stepped = self.step(step, 1.0, game);
        self.world.end_frame(0.0);
        stepped
    }

    /// The frame of the last [`update`](Self::update): its steps have been run; its alpha, and what it lost, are news.
    pub const fn frame(&self) -> &Frame {
        &self.frame
    }

    fn step(&mut self, step: &Step, share: f64, game: &mut impl Game<E, U>) -> Result<(), PhysicsError> {
        self.world.begin_step();
        game.step(&mut self.world, step);
        for attachment in &mut self.controllers {
            attachment.control(&mut self.world, step);
        }
        let mut contacts = std::mem::take(&mut self.contacts);
        contacts.clear();
        let stepped = self.world.step(step, share, &mut contacts);
        for contact in &contacts {
            if self.world.contains(contact.first) && self.world.contains(contact.second) {
                game.contact(&mut self.world, contact);
            }
        }
        self.contacts = contacts;
        stepped
    }

    /// Lets a controller act on bodies in every step, after those attached before it.
    pub fn attach(&mut self, controller: impl Controller<E, U> + 'static, bodies: &[BodyKey]) -> ControllerKey {
        let key = ControllerKey(self.next_controller);
        self.next_controller += 1;
        self.controllers.push(Attachment::new(key, controller, bodies));
        key
    }

    /// Ends a controller. Answers whether it was still attached.
    pub fn detach(&mut self, key: ControllerKey) -> bool {
        let before = self.controllers.len();
        self.controllers.retain(|attachment| attachment.key != key);
        self.controllers.len() < before
    }

    /// All bodies as they are to be drawn now. Blends those that have moved, many at once; allocates nothing.
    pub fn poses(&mut self) -> impl Iterator<Item = Drawn<'_, PoseOf<E>, U>> {
        let dt = self.dt();
        self.world.drawn(self.frame.alpha(), dt)
    }

    /// Visits the bodies that are drawn elsewhere than when this was last called. Bodies that sleep cost nothing.
    pub fn moved_poses(&mut self, visit: impl FnMut(Drawn<'_, PoseOf<E>, U>)) {
        let dt = self.dt();
        self.world.drawn_changes(self.frame.alpha(), dt, visit);
    }

    /// One body as it is to be drawn now: for a camera that follows it, on the same timeline as all others.
    ///
    /// # Errors
    ///
    /// [`PhysicsError::StaleKey`].
    pub fn pose(&self, key: BodyKey) -> Result<PoseOf<E>, PhysicsError> {
        self.world.drawn_body(key, self.frame.alpha(), self.dt())
    }

    /// A hash over the bits of all bodies' true poses and velocities.
    pub fn hash(&self) -> u64 {
        self.world.hash()
    }

    fn dt(&self) -> f64 {
        self.timestep.rate().period_secs_f64()
    }
}

/// A [`PhysicsSystem`] at a moment: engine, bodies, forces, controllers and timestep.
pub struct SavedSystem<E: Engine, U> {
    system: u64,
    timestep: FixedTimestep,
    world: SavedWorld<E, U>,
    controllers: Vec<Attachment<E, U>>,
    frame: Frame,
}

impl<E: Engine, U: Clone> PhysicsSystem<E, U> {
    /// Copies everything, so that it can be put back.
    ///
    /// # Errors
    ///
    /// If the engine cannot be copied.
    pub fn save(&self) -> Result<SavedSystem<E, U>, PhysicsError> {
        Ok(SavedSystem {
            system: self.id,
            timestep: self.timestep.clone(),
            world: self.world.save()?,
            controllers: self.controllers.clone(),
            frame: self.frame,
        })
    }

    /// Puts everything back. Keys of bodies that lived then are valid again, also if they were removed since; keys of
    /// bodies that were created since are stale, and stay so.
    ///
    /// # Errors
    ///
    /// [`PhysicsError::ForeignState`] if another system was saved.
    pub fn restore(&mut self, saved: &SavedSystem<E, U>) -> Result<(), PhysicsError> {
        if saved.system != self.id {
            return Err(PhysicsError::ForeignState);
        }
        self.world.restore(&saved.world)?;
        self.timestep.clone_from(&saved.timestep);
        self.controllers.clone_from(&saved.controllers);
        self.frame = saved.frame;
        Ok(())
    }
}
