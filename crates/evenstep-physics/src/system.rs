//! The physics system: a world behind a fixed timestep, with controllers and contacts.

use std::fmt;
use std::iter;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use evenstep::inspect::Visitor;
use evenstep::{FixedTimestep, Frame, Inspect, Step};

use crate::arena::BodyKey;
use crate::controller::{Attachment, Controller, ControllerKey};
use crate::engine::{Engine, PoseOf};
use crate::error::PhysicsError;
use crate::step_handler::StepHandler;
use crate::world::{DrawnBody, World, time_units_of};

mod frames;
pub(crate) mod saved;

use frames::Frames;

/// The id of the next system; a saved state is only restored to the system that saved it.
static SYSTEMS: AtomicU64 = AtomicU64::new(0);

/// A physics engine behind a fixed timestep.
///
/// Call [`update`](Self::update) once a frame; it runs the steps that are due. Each step runs, in this order: the program's own
/// code; the controllers, in the order in which they were attached; the engine's step with the forces of the frame; the update
/// of the poses; the delivery of contacts. Code inside a step never reads an interpolated state.
///
/// Pauses, time scale and overruns are set on its [timestep](Self::timestep_mut).
///
/// # Order of calls
///
/// In each frame: forces for the frame, then [`update`](Self::update), then [`poses`](Self::poses). A force for a frame that is
/// applied after `update` acts in the next frame. [`advance`](Self::advance) drops the steps of a frame that was never
/// [`run`](Self::run), as the overrun policy says, and a frame that is run twice is [refused](PhysicsError::ForeignFrame).
///
/// # Threads
///
/// A system with a Rapier engine can be sent to another thread if the data of its bodies can. A `Box2d` and its saved states stay on the thread that created them.
///
/// # Failed steps
///
/// A step in which the engine or the program's own code returns an error is rolled back: forces, impulses, targets, contacts,
/// poses and the timestep are the same as before the step. Direct changes of bodies by the program (teleports, velocities, edits
/// through the engine) are not rolled back. If `Box2d` refuses a step after a caught panic in a callback, or because memory cannot be allocated,
/// its bodies keep the forces and impulses of that step. The remaining steps follow the timestep's overrun policy.
///
/// A step that the engine has carried out is not rolled back. If a callback of the program inside the engine fails, or events
/// cannot be read, the update ends with an error after that step.
///
#[cfg_attr(feature = "rapier2d", doc = "```")]
#[cfg_attr(not(feature = "rapier2d"), doc = "```ignore")]
/// use evenstep::{FixedTimestep, Rate};
/// use evenstep::poses::{Motion2, Pose2, Rot2};
/// use evenstep_physics::{BodyDef, BodyKind, PhysicsSystem, Rapier2d, Shape, Wrench};
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
///     physics.world_mut().apply_force_for_frame(falling, Wrench::linear([2.0, 0.0]))?; // while this frame lasts
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
    frames: Frames,
    world: World<E, U>,
    controllers: Vec<Attachment<E, U>>,
    next_controller: u64,
}

/// The bodies by [slot](BodyKey::index), with the program's data: `bodies[3].velocity[0]`, `bodies[3].data.health`.
///
/// Contains the simulated poses and velocities, from which [`hash`](PhysicsSystem::hash) is computed. Forces that wait for a step, and the
/// internal states of controllers and of the engine, are not included.
impl<E: Engine, U: Inspect> Inspect for PhysicsSystem<E, U> {
    fn visit(&self, visitor: &mut impl Visitor) {
        self.world.visit(visitor);
    }
}

impl<E: Engine, U> PhysicsSystem<E, U> {
    /// A system in which no body has a key yet. The engine may already have bodies.
    #[must_use]
    pub fn new(engine: E, timestep: FixedTimestep) -> Self {
        Self {
            id: SYSTEMS.fetch_add(1, Ordering::Relaxed),
            frames: Frames::new(timestep),
            world: World::new(engine),
            controllers: Vec::new(),
            next_controller: 0,
        }
    }

    /// The timestep.
    #[must_use]
    pub const fn timestep(&self) -> &FixedTimestep {
        &self.frames.timestep
    }

    /// The timestep, mutably: to pause it, to scale time or to set policies.
    #[must_use]
    pub const fn timestep_mut(&mut self) -> &mut FixedTimestep {
        &mut self.frames.timestep
    }

    /// The world.
    #[must_use]
    pub const fn world(&self) -> &World<E, U> {
        &self.world
    }

    /// The world, mutably, for changes between frames.
    #[must_use]
    pub const fn world_mut(&mut self) -> &mut World<E, U> {
        &mut self.world
    }

    /// Runs the steps that are due after `delta` of real time, and calls `step` in each of them. Returns the frame, with the alpha at which to
    /// draw the program's own state beside the bodies. A program that may return errors, or
    /// that receives contacts, calls [`advance`](Self::advance) and [`run`](Self::run) instead, which this method combines.
    ///
    /// # Errors
    ///
    /// If the engine returns an error in a step, see [above](Self).
    pub fn update(
        &mut self,
        delta: Duration,
        mut step: impl FnMut(&mut World<E, U>, &Step),
    ) -> Result<Frame, PhysicsError> {
        let frame = self.advance(delta);
        self.run(frame, &mut |world: &mut World<E, U>, now: &Step| {
            step(world, now);
            Ok::<_, PhysicsError>(())
        })?;
        Ok(self.frames.drawn)
    }

    /// The first half of an update: advances the timestep by `delta` of real time and returns the frame with the steps that are due.
    /// Distribute input over its steps, give back steps for which there is no time ([`FixedTimestep::give_back`]), then
    /// [`run`](Self::run) it.
    ///
    /// If an earlier frame was begun and never run, its steps follow the timestep's overrun policy, and the forces that were applied for it
    /// until it was begun are dropped.
    ///
    #[cfg_attr(feature = "rapier2d", doc = "```")]
    #[cfg_attr(not(feature = "rapier2d"), doc = "```ignore")]
    /// use evenstep::{FixedTimestep, Rate, Step};
    /// use evenstep_physics::{PhysicsError, PhysicsSystem, Rapier2d, World};
    /// use std::time::Duration;
    ///
    /// let mut physics = PhysicsSystem::<Rapier2d>::new(Rapier2d::new([0.0, -9.81]), FixedTimestep::new(Rate::hz(60)));
    /// let frame = physics.advance(Duration::from_millis(50));
    /// // Distribute input over the frame here. There is time for two of three steps:
    /// let frame = physics.timestep_mut().give_back(frame, 1);
    /// physics.run(frame, &mut |_: &mut World<Rapier2d>, _: &Step| Ok::<_, PhysicsError>(()))?;
    /// assert_eq!(physics.timestep().tick(), 2);
    /// # Ok::<(), PhysicsError>(())
    /// ```
    #[must_use = "a frame that is not run loses its steps"]
    pub fn advance(&mut self, delta: Duration) -> Frame {
        self.world.begin_frame();
        self.frames.begin(delta)
    }

    /// The second half of an update: runs the frame that was begun, or its remaining steps after [`FixedTimestep::give_back`].
    ///
    /// # Errors
    ///
    /// [`PhysicsError::ForeignFrame`] if the frame is not the one that was begun or has already been run; otherwise if the engine or the
    /// program returns an error in a step, see [above](Self).
    pub fn run<G: StepHandler<E, U>>(&mut self, frame: Frame, game: &mut G) -> Result<(), G::Error> {
        self.frames.run(frame)?;
        self.world.forces.run_frame(&frame.covered());
        let mut left = frame.steps();
        let ran = self.run_steps(&mut left, game);
        if ran.is_err() {
            self.frames.give_back(left.len());
        }
        let ended = &self.frames.drawn;
        self.world.end_frame(ended.covered().end, ended.tick());
        ran
    }

    /// Runs steps until one fails. The failed step and those after it remain in `left`.
    fn run_steps<G: StepHandler<E, U>>(
        &mut self,
        left: &mut (impl Iterator<Item = Step> + Clone),
        game: &mut G,
    ) -> Result<(), G::Error> {
        // Contacts that were not delivered because of an earlier error.
        self.deliver_contacts(game)?;
        while let Some(step) = left.clone().next() {
            let failure = self.step(&step, game)?;
            left.next();
            failure.map_or(Ok(()), Err)?;
            self.deliver_contacts(game)?;
        }
        Ok(())
    }

    /// Replaces `advance` and `run`: runs one step in a loop that is not the system's, such as a rollback session, without the
    /// system's timestep. The step counts as a frame: forces for a frame act throughout it. A frame that was begun and not run is dropped, as by
    /// [`advance`](Self::advance).
    ///
    /// # Errors
    ///
    /// If the engine or the program returns an error, see [above](Self).
    pub fn run_step<G: StepHandler<E, U>>(&mut self, step: &Step, game: &mut G) -> Result<(), G::Error> {
        let time = time_units_of(step.tick);
        self.frames.drop_unrun();
        self.world.begin_frame();
        self.world.forces.run_frame(&time);
        let ran = self.run_steps(&mut iter::once(*step), game);
        self.world.end_frame(time.end, step.tick + 1);
        ran
    }

    /// Runs one step or rolls it back. `Ok(Some(error))` is an error of a step that was carried out nevertheless.
    fn step<G: StepHandler<E, U>>(&mut self, step: &Step, game: &mut G) -> Result<Option<PhysicsError>, G::Error> {
        self.world.forces.begin_step();
        let stepped = self.try_step(step, game);
        if stepped.is_err() {
            self.world.forces.undo_step();
        }
        stepped
    }

    fn try_step<G: StepHandler<E, U>>(&mut self, step: &Step, game: &mut G) -> Result<Option<PhysicsError>, G::Error> {
        game.step(&mut self.world, step)?;
        for attachment in &mut self.controllers {
            attachment.control(&mut self.world, step);
        }
        Ok(self.world.step(step)?)
    }

    /// Delivers contacts. If the program returns an error at a contact, the contacts after it are kept.
    fn deliver_contacts<G: StepHandler<E, U>>(&mut self, game: &mut G) -> Result<(), G::Error> {
        while let Some(contact) = self.world.next_contact() {
            game.contact(&mut self.world, &contact)?;
        }
        Ok(())
    }

    /// The frame that was run last, with its alpha and losses. Before the first frame, it is a frame without steps.
    pub const fn frame(&self) -> &Frame {
        &self.frames.drawn
    }

    /// Attaches a controller, which acts on `bodies` in every step, after the controllers that were attached before it.
    pub fn attach(&mut self, controller: impl Controller<E, U> + 'static, bodies: &[BodyKey]) -> ControllerKey {
        let key = ControllerKey(self.next_controller);
        self.next_controller += 1;
        self.controllers.push(Attachment::new(key, controller, bodies));
        key
    }

    /// Detaches a controller. Returns whether it was attached.
    pub fn detach(&mut self, key: ControllerKey) -> bool {
        let before = self.controllers.len();
        self.controllers.retain(|attachment| attachment.key != key);
        self.controllers.len() < before
    }

    /// The poses at which to draw all bodies now. Interpolates in bulk the bodies that have moved; allocates nothing.
    pub fn poses(&mut self) -> impl Iterator<Item = DrawnBody<'_, PoseOf<E>, U>> {
        self.poses_at(self.frames.drawn.alpha())
    }

    /// The poses at which to draw all bodies at `alpha` between the last two steps, for programs with a loop of their own. `alpha` is
    /// clamped to 0 to 1; NaN counts as 0.
    pub fn poses_at(&mut self, alpha: f64) -> impl Iterator<Item = DrawnBody<'_, PoseOf<E>, U>> {
        let dt = self.dt();
        let alpha = if alpha.is_nan() { 0.0 } else { alpha.clamp(0.0, 1.0) };
        self.world.sync_engine_edits();
        self.world.drawn(alpha, dt)
    }

    /// The pose at which to draw one body now, for example for a camera that follows the body. It is on the same timeline as
    /// [`poses`](Self::poses).
    ///
    /// # Errors
    ///
    /// [`PhysicsError::StaleKey`].
    pub fn pose(&self, key: BodyKey) -> Result<PoseOf<E>, PhysicsError> {
        self.world.drawn_body(key, self.frames.drawn.alpha(), self.dt())
    }

    /// A hash of the bits of all bodies' simulated poses and velocities.
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.world.hash()
    }

    fn dt(&self) -> f64 {
        self.frames.timestep.rate().period_secs_f64()
    }
}

impl<E: Engine, U> fmt::Debug for PhysicsSystem<E, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PhysicsSystem")
            .field("timestep", &self.frames.timestep)
            .field("world", &self.world)
            .field("controllers", &self.controllers.len())
            .finish_non_exhaustive()
    }
}
