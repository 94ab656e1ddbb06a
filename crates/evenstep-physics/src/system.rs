use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use evenstep::{FixedTimestep, Frame, Step, Steps};

use crate::arena::BodyKey;
use crate::contact::Contact;
use crate::controller::{Attachment, Controller, ControllerKey};
use crate::drawn::Drawn;
use crate::engine::{Engine, PoseOf};
use crate::error::PhysicsError;
use crate::game::Game;
use crate::world::{World, units_of};

pub(crate) mod saved;

/// Counts systems, so that none is given another's state.
static SYSTEMS: AtomicU64 = AtomicU64::new(0);

/// A physics engine behind a fixed timestep.
///
/// One [`update`](Self::update) a frame runs the steps that are due. Each step, in this order: the program's own code;
/// controllers, as they were attached; the forces held for the frame; the engine's step; the new poses; its contacts.
/// Nothing inside a step ever sees a blended state.
///
/// Steps, pauses, time scale and overruns are those of its [timestep](Self::timestep_mut).
///
/// A step that fails, because the engine or the program's own code refuses it, is a refused transaction: forces,
/// impulses, targets, contacts, poses and the timestep are as they were before it. What the program itself did to bodies
/// in it stands. Steps that were left follow the timestep's overrun policy.
///
/// A step that the engine has carried out stands. If the program's callbacks in the engine failed in it, or not all that
/// happened could be read, the update ends with an error after it.
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
    timestep: FixedTimestep,
    world: World<E, U>,
    controllers: Vec<Attachment<E, U>>,
    next_controller: u64,
    /// The last one that was run.
    frame: Frame,
    /// One that was begun and is still to be run.
    begun: Option<Frame>,
    /// Those that have not been handed over yet.
    contacts: VecDeque<Contact<E>>,
}

impl<E: Engine, U> PhysicsSystem<E, U> {
    /// A system without bodies, over an engine that may have some.
    pub fn new(engine: E, timestep: FixedTimestep) -> Self {
        Self {
            id: SYSTEMS.fetch_add(1, Ordering::Relaxed),
            frame: timestep.idle_frame(),
            timestep,
            world: World::new(engine),
            controllers: Vec::new(),
            next_controller: 0,
            begun: None,
            contacts: VecDeque::new(),
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
    /// If the engine refuses a step, see [above](Self).
    pub fn update(
        &mut self,
        delta: Duration,
        mut step: impl FnMut(&mut World<E, U>, &Step),
    ) -> Result<(), PhysicsError> {
        self.update_with(delta, &mut |world: &mut World<E, U>, now: &Step| {
            step(world, now);
            Ok::<_, PhysicsError>(())
        })
    }

    /// The same for a program that may fail or takes part in contacts.
    ///
    /// # Errors
    ///
    /// If the engine or the program refuses a step, see [above](Self).
    pub fn update_with<G: Game<E, U>>(&mut self, delta: Duration, game: &mut G) -> Result<(), G::Error> {
        let frame = self.begin_frame(delta);
        self.run(frame, game)
    }

    /// The first half of an update: which steps are due after `delta` of real time. Lay out input over the frame, give back
    /// steps for which there is no time ([`FixedTimestep::give_back`]), then [`run`](Self::run) it.
    ///
    /// Steps of a frame that was begun before and never run follow the timestep's overrun policy.
    ///
    #[cfg_attr(feature = "rapier2d", doc = "```")]
    #[cfg_attr(not(feature = "rapier2d"), doc = "```ignore")]
    /// use evenstep::{FixedTimestep, Rate, Step};
    /// use evenstep_physics::{PhysicsError, PhysicsSystem, Rapier2d, World};
    /// use std::time::Duration;
    ///
    /// let mut physics = PhysicsSystem::<Rapier2d>::new(Rapier2d::new([0.0, -9.81]), FixedTimestep::new(Rate::hz(60)));
    /// let frame = physics.begin_frame(Duration::from_millis(50));
    /// // Input is laid out over the frame here. There is time for two of three steps:
    /// let frame = physics.timestep_mut().give_back(frame, 1);
    /// physics.run(frame, &mut |_: &mut World<Rapier2d>, _: &Step| Ok::<_, PhysicsError>(()))?;
    /// assert_eq!(physics.timestep().tick(), 2);
    /// # Ok::<(), PhysicsError>(())
    /// ```
    pub fn begin_frame(&mut self, delta: Duration) -> Frame {
        if let Some(frame) = self.begun.take() {
            let _ = self.timestep.give_back(frame, count(frame.steps().len()));
        }
        self.world.begin_frame();
        let frame = self.timestep.advance(delta);
        self.begun = Some(frame);
        frame
    }

    /// The second half of an update: runs the frame that was begun, or what [`FixedTimestep::give_back`] left of it.
    ///
    /// # Errors
    ///
    /// [`PhysicsError::ForeignFrame`] if it is another frame or has been run, and as [`update_with`](Self::update_with).
    pub fn run<G: Game<E, U>>(&mut self, frame: Frame, game: &mut G) -> Result<(), G::Error> {
        let first = |frame: &Frame| frame.tick() - frame.steps().len() as u64;
        let is_begun = self.begun.is_some_and(|begun| first(&begun) == first(&frame));
        if !is_begun || frame.tick() != self.timestep.tick() {
            return Err(PhysicsError::ForeignFrame.into());
        }
        self.begun = None;
        self.frame = frame;
        self.world.forces.begin_frame(frame.covered());
        let mut left = frame.steps();
        let ran = self.run_steps(&mut left, game);
        if ran.is_err() {
            self.frame = self.timestep.give_back(frame, count(left.len()));
        }
        self.world.end_frame(self.frame.covered().end, self.frame.tick());
        ran
    }

    /// Runs steps until one fails; those that were not run, it included, are left.
    fn run_steps<G: Game<E, U>>(&mut self, left: &mut Steps, game: &mut G) -> Result<(), G::Error> {
        // What an error kept back.
        self.hand_over_contacts(game)?;
        while let Some(step) = left.clone().next() {
            let failure = self.step(&step, game)?;
            left.next();
            failure.map_or(Ok(()), Err)?;
            self.hand_over_contacts(game)?;
        }
        Ok(())
    }

    /// Runs one step of a loop that is the program's own, without the timestep of the system: to this system, the step is a
    /// frame. Forces held act throughout.
    ///
    /// # Errors
    ///
    /// If the engine or the program refuses it, see [above](Self).
    pub fn run_step<G: Game<E, U>>(&mut self, step: &Step, game: &mut G) -> Result<(), G::Error> {
        let time = units_of(step.tick);
        self.world.begin_frame();
        self.world.forces.begin_frame(time.clone());
        let ran = self.run_alone(step, game);
        self.world.end_frame(time.end, step.tick + 1);
        ran
    }

    fn run_alone<G: Game<E, U>>(&mut self, step: &Step, game: &mut G) -> Result<(), G::Error> {
        self.hand_over_contacts(game)?;
        let failure = self.step(step, game)?;
        failure.map_or(Ok(()), Err)?;
        self.hand_over_contacts(game)
    }

    /// One step, or nothing. Hands back what failed although the step was done.
    fn step<G: Game<E, U>>(&mut self, step: &Step, game: &mut G) -> Result<Option<PhysicsError>, G::Error> {
        self.world.forces.begin_step();
        let stepped = self.try_step(step, game);
        if stepped.is_err() {
            self.world.forces.undo_step();
        }
        stepped
    }

    fn try_step<G: Game<E, U>>(&mut self, step: &Step, game: &mut G) -> Result<Option<PhysicsError>, G::Error> {
        game.step(&mut self.world, step)?;
        for attachment in &mut self.controllers {
            attachment.control(&mut self.world, step);
        }
        Ok(self.world.step(step, &mut self.contacts)?)
    }

    /// Hands over contacts whose bodies still exist. Those after one at which the program fails are kept.
    fn hand_over_contacts<G: Game<E, U>>(&mut self, game: &mut G) -> Result<(), G::Error> {
        while let Some(contact) = self.contacts.pop_front() {
            if contact.keys().into_iter().flatten().all(|key| self.world.contains(key)) {
                game.contact(&mut self.world, &contact)?;
            }
        }
        Ok(())
    }

    /// The frame that was run last: read its alpha and losses here. Before the first one, a frame without steps.
    pub const fn frame(&self) -> &Frame {
        &self.frame
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
        self.poses_at(self.frame.alpha())
    }

    /// All bodies as they are to be drawn at `alpha` between the last two steps, from 0 to 1: for those with a loop of their
    /// own. Beyond that range, the nearer end counts.
    pub fn poses_at(&mut self, alpha: f64) -> impl Iterator<Item = Drawn<'_, PoseOf<E>, U>> {
        let dt = self.dt();
        let alpha = if alpha.is_nan() { 0.0 } else { alpha.clamp(0.0, 1.0) };
        self.world.notice();
        self.world.drawn(alpha, dt)
    }

    /// Visits the bodies that are drawn elsewhere than when this was last called. Bodies that sleep cost nothing.
    pub fn moved_poses(&mut self, visit: impl FnMut(Drawn<'_, PoseOf<E>, U>)) {
        let dt = self.dt();
        self.world.notice();
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

fn count(steps: usize) -> u32 {
    u32::try_from(steps).unwrap_or(u32::MAX)
}
