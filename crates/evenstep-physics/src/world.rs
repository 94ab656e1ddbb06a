use std::collections::VecDeque;
use std::hash::Hasher as _;

use evenstep::integrate::Vector as _;
use evenstep::{Smoothing, Step, Tick};
use fnv::FnvHasher;

use crate::arena::Arena;
use crate::engine::{PoseOf, Report, Side, VectorOf, WrenchOf};
use crate::{BodyDef, BodyKey, BodyMotion, Contact, Drawn, Engine, Party, PhysicsError, PhysicsVector, Wrench};

mod drawing;
mod forces;
mod saved;

use drawing::Drawing;
pub(crate) use forces::units_of;
use forces::{Acts, Forces};
pub(crate) use saved::SavedWorld;

/// Bodies in an engine, with what acts on them and how they are drawn.
///
/// Bodies are the engine's. Those that the world [created](Self::create) or [adopted](Self::adopt) have keys; `U` is what
/// the program keeps with each.
pub struct World<E: Engine, U = ()> {
    engine: E,
    bodies: Arena<Body<E, U>>,
    pub(crate) forces: Forces<E>,
    drawing: Drawing<E::Motion>,
    /// The generation of the next key.
    next_generation: u64,
    /// Whether the program may have changed bodies through the engine since they were last looked at.
    is_unchecked: bool,
    /// The last step.
    tick: Tick,
    report: Report<E>,
    non_finite: Vec<NonFiniteBody>,
    destroyed: Vec<(BodyKey, U)>,
}

/// A body: the engine's own name of it, and what the program keeps with it.
pub(crate) struct Body<E: Engine, U> {
    pub(crate) handle: E::Handle,
    data: U,
}

// Derived, it would ask the same of the engine.
impl<E: Engine, U: Clone> Clone for Body<E, U> {
    fn clone(&self) -> Self {
        let (handle, data) = (self.handle, self.data.clone());
        Self { handle, data }
    }
}

/// A body whose state became infinite or undefined. It was put back to where it last was, at rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NonFiniteBody {
    /// Which body.
    pub body: BodyKey,
    /// In which step.
    pub tick: Tick,
}

impl<E: Engine, U> World<E, U> {
    pub(crate) fn new(engine: E) -> Self {
        Self {
            engine,
            bodies: Arena::new(),
            forces: Forces::new(),
            drawing: Drawing::new(),
            next_generation: 0,
            is_unchecked: false,
            tick: 0,
            report: Report::default(),
            non_finite: Vec::new(),
            destroyed: Vec::new(),
        }
    }

    /// The engine, for whatever it can do beyond this.
    pub const fn engine(&self) -> &E {
        &self.engine
    }

    /// The engine, to be changed: joints, queries, character controllers, settings of bodies.
    ///
    /// Bodies that are moved or destroyed so are noticed before the next step and the next picture, at the price of a look
    /// at each body: a moved one is drawn where it is, the key of a destroyed one is stale and
    /// [reported](Self::take_destroyed).
    pub const fn engine_mut(&mut self) -> &mut E {
        self.is_unchecked = true;
        &mut self.engine
    }

    /// How many bodies have keys.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether no body has a key.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a key is valid.
    pub fn contains(&self, key: BodyKey) -> bool {
        self.bodies.get(key).is_some()
    }

    /// All keys.
    pub fn keys(&self) -> impl Iterator<Item = BodyKey> {
        self.bodies.iter().map(|(key, _)| key)
    }

    /// All bodies with what the program keeps with them and their true poses, never blended.
    pub fn iter(&self) -> impl Iterator<Item = (BodyKey, &U, PoseOf<E>)> {
        let bodies = self.bodies.iter();
        bodies.filter_map(|(key, body)| {
            let pose = if self.is_unchecked {
                self.engine.motion(body.handle)?.pose()
            } else {
                self.drawing.current(key)?
            };
            Some((key, &body.data, pose))
        })
    }

    /// Where all bodies were before the last step and after it, each at its key's [`index`](BodyKey::index): for drawing
    /// them on the graphics card.
    pub const fn pose_history(&self) -> &<E::Motion as BodyMotion>::Poses {
        self.drawing.history()
    }

    /// Creates a body of one shape, at any time. It is drawn where it is, not on its way from anywhere.
    ///
    /// # Errors
    ///
    /// If something about the definition is not finite or not possible; the error names the field.
    pub fn create(&mut self, def: &BodyDef<E::Motion>, data: U) -> Result<BodyKey, PhysicsError> {
        def.check()?;
        let handle = self.engine.create(def)?;
        Ok(self.insert(handle, def.motion.pose(), data))
    }

    /// Takes a body of the engine's own API into the world: from now on it is smoothed, named in contacts, saved and
    /// restored, and controllers and forces can act on it. What it is made of stays the engine's affair.
    ///
    /// # Errors
    ///
    /// If the engine has no such body, if it has a key already, or if its state is not finite.
    pub fn adopt(&mut self, handle: E::Handle, data: U) -> Result<BodyKey, PhysicsError> {
        // What was destroyed through the engine must not pass for adopted.
        self.notice();
        let refuse = |body, field, reason| Err(PhysicsError::Refused { body, field, reason });
        let Some(motion) = self.engine.motion(handle) else {
            return refuse(None, "handle", "must be that of a body in this engine");
        };
        if let Some(key) = self.key(handle) {
            return refuse(Some(key), "handle", "must not be adopted already");
        }
        if !motion.is_finite() {
            return refuse(None, "motion", "must be finite");
        }
        Ok(self.insert(handle, motion.pose(), data))
    }

    fn insert(&mut self, handle: E::Handle, pose: PoseOf<E>, data: U) -> BodyKey {
        let key = self.bodies.insert(self.next_generation, Body { handle, data });
        self.next_generation += 1;
        self.engine.adopt(handle, key.slot);
        self.drawing.insert(key, pose);
        key
    }

    /// Leaves a body to the engine: its key is stale from now on, the body stays.
    ///
    /// # Errors
    ///
    /// [`PhysicsError::StaleKey`].
    pub fn release(&mut self, key: BodyKey) -> Result<(E::Handle, U), PhysicsError> {
        let body = self.bodies.remove(key).ok_or(PhysicsError::StaleKey(key))?;
        self.engine.release(body.handle);
        self.drawing.remove(key);
        Ok((body.handle, body.data))
    }

    /// Removes a body, at any time, and answers with what the program kept with it. Its contacts that have not been handed
    /// over yet are discarded.
    ///
    /// # Errors
    ///
    /// [`PhysicsError::StaleKey`].
    pub fn remove(&mut self, key: BodyKey) -> Result<U, PhysicsError> {
        let (handle, data) = self.release(key)?;
        self.engine.destroy(handle);
        Ok(data)
    }

    /// The key of a body of the engine, if it has one: for what the engine's own queries find.
    pub fn key(&self, handle: E::Handle) -> Option<BodyKey> {
        let (key, body) = self.bodies.in_slot(self.engine.slot(handle)?)?;
        (body.handle == handle).then_some(key)
    }

    /// What the program keeps with a body.
    ///
    /// # Errors
    ///
    /// [`PhysicsError::StaleKey`].
    pub fn data(&self, key: BodyKey) -> Result<&U, PhysicsError> {
        Ok(&self.body(key)?.data)
    }

    /// What the program keeps with a body, to be changed.
    ///
    /// # Errors
    ///
    /// [`PhysicsError::StaleKey`].
    pub fn data_mut(&mut self, key: BodyKey) -> Result<&mut U, PhysicsError> {
        let body = self.bodies.get_mut(key).ok_or(PhysicsError::StaleKey(key))?;
        Ok(&mut body.data)
    }

    /// The engine's own name of a body.
    ///
    /// # Errors
    ///
    /// [`PhysicsError::StaleKey`].
    pub fn handle(&self, key: BodyKey) -> Result<E::Handle, PhysicsError> {
        Ok(self.body(key)?.handle)
    }

    /// A body's true pose and velocities, never blended.
    ///
    /// # Errors
    ///
    /// [`PhysicsError::StaleKey`].
    pub fn motion(&self, key: BodyKey) -> Result<E::Motion, PhysicsError> {
        let handle = self.handle(key)?;
        self.engine.motion(handle).ok_or(PhysicsError::StaleKey(key))
    }

    /// Sets how a body is drawn between steps.
    ///
    /// # Errors
    ///
    /// [`PhysicsError::StaleKey`].
    pub fn set_smoothing(&mut self, key: BodyKey, smoothing: Smoothing) -> Result<(), PhysicsError> {
        let motion = self.motion(key)?;
        self.drawing.set_smoothing(key, smoothing, motion);
        Ok(())
    }

    /// Puts a body elsewhere, without a motion between. Wakes it, what it touched and what it touches.
    ///
    /// # Errors
    ///
    /// If the key is stale or the motion is not finite.
    pub fn teleport(&mut self, key: BodyKey, motion: E::Motion) -> Result<(), PhysicsError> {
        self.motion(key)?;
        check(key, "motion", motion.is_finite())?;
        let handle = self.handle(key)?;
        self.engine.set_motion(handle, &motion)?;
        self.drawing.teleport(key, motion);
        Ok(())
    }

    /// Sets a body's velocity, per second. Wakes it.
    ///
    /// # Errors
    ///
    /// If the key is stale or the velocity is not finite.
    pub fn set_velocity(&mut self, key: BodyKey, velocity: VectorOf<E>) -> Result<(), PhysicsError> {
        let motion = self.motion(key)?;
        check(key, "velocity", velocity.all_finite())?;
        let handle = self.handle(key)?;
        self.engine.set_velocity(handle, velocity)?;
        self.drawing.set_velocity(key, motion.with_velocity(velocity));
        Ok(())
    }

    /// Lets a kinematic body arrive at a pose at the end of the next step: what stands on it is carried, and it is drawn on
    /// its way. It stops there unless it is told again.
    ///
    /// # Errors
    ///
    /// If the key is stale, the pose is not finite or the body is not kinematic.
    pub fn move_to(&mut self, key: BodyKey, pose: PoseOf<E>) -> Result<(), PhysicsError> {
        self.motion(key)?;
        check(key, "pose", E::Motion::at(pose).is_finite())?;
        if !self.engine.is_kinematic(self.handle(key)?) {
            return Err(refused(key, "body", "must be kinematic"));
        }
        self.forces.set_target(key, pose);
        Ok(())
    }

    /// Lets a force act on a body while the present frame lasts, in addition to any other: `∫F dt` is the same at every
    /// frame rate. To be called before each [`update`](crate::PhysicsSystem::update).
    ///
    /// No force or impulse wakes a sleeping body if it is zero; any other does, in the step in which it acts.
    ///
    /// # Errors
    ///
    /// If the key is stale or the force is not finite.
    pub fn apply_force_for_frame(&mut self, key: BodyKey, force: WrenchOf<E>) -> Result<(), PhysicsError> {
        self.apply(key, force, "force", Acts::InFrame)
    }

    /// Lets a force act on a body in the next step only, in addition to any other: for controllers and for code that
    /// runs in every step.
    ///
    /// # Errors
    ///
    /// If the key is stale or the force is not finite.
    pub fn apply_force(&mut self, key: BodyKey, force: WrenchOf<E>) -> Result<(), PhysicsError> {
        self.apply(key, force, "force", Acts::InStep)
    }

    /// Gives a body an impulse (N·s), once, in the next step.
    ///
    /// # Errors
    ///
    /// If the key is stale or the impulse is not finite.
    pub fn apply_impulse(&mut self, key: BodyKey, impulse: WrenchOf<E>) -> Result<(), PhysicsError> {
        self.apply(key, impulse, "impulse", Acts::AsImpulse)
    }

    /// Lets a force act on a body until it is replaced; [`Wrench::ZERO`] ends it.
    ///
    /// # Errors
    ///
    /// If the key is stale or the force is not finite.
    pub fn set_constant_force(&mut self, key: BodyKey, force: WrenchOf<E>) -> Result<(), PhysicsError> {
        self.apply(key, force, "force", Acts::Constantly)
    }

    fn apply(
        &mut self,
        key: BodyKey,
        wrench: WrenchOf<E>,
        field: &'static str,
        acts: Acts,
    ) -> Result<(), PhysicsError> {
        self.body(key)?;
        check(key, field, wrench.is_finite())?;
        self.forces.add(key, wrench, acts);
        Ok(())
    }

    /// A force (N) or impulse (N·s) at a point of the world as it acts on a body where that is now: with its torque about
    /// the centre of mass.
    ///
    /// # Errors
    ///
    /// If the key is stale or something is not finite.
    pub fn at_point(&self, key: BodyKey, force: VectorOf<E>, point: VectorOf<E>) -> Result<WrenchOf<E>, PhysicsError> {
        let center = self.engine.center_of_mass(self.handle(key)?);
        let arm = point.plus(center.ok_or(PhysicsError::StaleKey(key))?, -1.0);
        let wrench = Wrench {
            linear: force,
            angular: E::Motion::torque(arm, force),
        };
        check(key, "force", force.all_finite())?;
        check(key, "point", wrench.is_finite())?;
        Ok(wrench)
    }

    /// Bodies whose state became infinite or undefined since this was last asked.
    pub fn take_non_finite(&mut self) -> Vec<NonFiniteBody> {
        std::mem::take(&mut self.non_finite)
    }

    /// Keys that are stale because the program destroyed their bodies through the engine, since this was last asked, and
    /// what it kept with them.
    pub fn take_destroyed(&mut self) -> Vec<(BodyKey, U)> {
        std::mem::take(&mut self.destroyed)
    }

    /// All bodies as they are drawn at `alpha` between steps of `dt` seconds.
    pub(crate) fn drawn(&mut self, alpha: f64, dt: f64) -> impl Iterator<Item = Drawn<'_, PoseOf<E>, U>> {
        self.drawing.blend(alpha);
        let drawing = &self.drawing;
        self.bodies.iter().filter_map(move |(key, body)| {
            let (data, pose) = (&body.data, drawing.drawn(key, alpha, dt)?);
            Some(Drawn { key, data, pose })
        })
    }

    pub(crate) fn drawn_body(&self, key: BodyKey, alpha: f64, dt: f64) -> Result<PoseOf<E>, PhysicsError> {
        let body = self.body(key)?;
        let stale = PhysicsError::StaleKey(key);
        if self.is_unchecked {
            let pose = self.engine.motion(body.handle).ok_or(stale.clone())?.pose();
            if self.drawing.current(key) != Some(pose) {
                return Ok(pose);
            }
        }
        self.drawing.drawn_alone(key, alpha, dt).ok_or(stale)
    }

    /// Visits bodies whose drawn pose changed since this was last asked, each once.
    pub(crate) fn drawn_changes(&mut self, alpha: f64, dt: f64, mut visit: impl FnMut(Drawn<'_, PoseOf<E>, U>)) {
        self.drawing.blend(alpha);
        let bodies = &self.bodies;
        self.drawing.take_changed(|drawing, key| {
            if let (Some(body), Some(pose)) = (bodies.get(key), drawing.drawn(key, alpha, dt)) {
                let data = &body.data;
                visit(Drawn { key, data, pose });
            }
        });
    }

    /// A hash over the bits of all bodies' poses and velocities.
    pub(crate) fn hash(&self) -> u64 {
        let mut hasher = FnvHasher::default();
        for (key, body) in self.bodies.iter() {
            if let Some(motion) = self.engine.motion(body.handle) {
                hasher.write(&key.slot.to_le_bytes());
                motion.each(|component| hasher.write(&component.to_bits().to_le_bytes()));
            }
        }
        hasher.finish()
    }

    /// Ends a frame, which turned out to last until `end`, before the step of tick `next`.
    pub(crate) fn end_frame(&mut self, end: u128, next: Tick) {
        let bodies = &self.bodies;
        self.forces.end_frame(end, next, |key| bodies.get(key).is_some());
    }

    /// Looks at what the program did to bodies through the engine.
    pub(crate) fn notice(&mut self) {
        if !std::mem::take(&mut self.is_unchecked) {
            return;
        }
        let (mut gone, mut non_finite) = (Vec::new(), Vec::new());
        for (key, body) in self.bodies.iter() {
            match self.engine.motion(body.handle) {
                None => gone.push(key),
                Some(motion) if !motion.is_finite() => non_finite.push(key),
                Some(motion) if self.drawing.current(key) != Some(motion.pose()) => self.drawing.teleport(key, motion),
                Some(motion) => self.drawing.set_velocity(key, motion),
            }
        }
        for key in gone {
            if let Ok((_, data)) = self.release(key) {
                self.destroyed.push((key, data));
            }
        }
        for key in non_finite {
            self.put_back(key);
        }
    }

    /// Steps the engine. An error means that it refused and nothing has moved; what of the program's own code failed in a
    /// step that was carried out is handed back.
    pub(crate) fn step(
        &mut self,
        step: &Step,
        contacts: &mut VecDeque<Contact<E>>,
    ) -> Result<Option<PhysicsError>, PhysicsError> {
        self.tick = step.tick;
        self.notice();
        let mut report = std::mem::take(&mut self.report);
        report.clear();
        let actions = self.forces.actions(step.tick, &self.engine, &self.bodies);
        if let Err(error) = self.engine.step(step.dt as f32, actions, &mut report) {
            self.report = report;
            return Err(error);
        }
        self.forces.end_step();
        self.drawing.begin_step();
        for (slot, pose) in &report.moved {
            self.take_pose(*slot, *pose);
        }
        self.drawing.end_step();
        let party = |side: &Side<E>| Party {
            key: side.slot.and_then(|slot| Some(self.drawing.in_slot(slot)?.0)),
            body: side.body,
            shape: side.shape,
        };
        contacts.extend(report.contacts.iter().map(|(first, second, kind)| Contact {
            tick: step.tick,
            first: party(first),
            second: party(second),
            kind: *kind,
        }));
        let failure = report.failure.take();
        self.report = report;
        Ok(failure)
    }

    /// What the engine says of a body after a step.
    #[inline]
    fn take_pose(&mut self, slot: u32, pose: PoseOf<E>) {
        let Some((key, is_curved)) = self.drawing.in_slot(slot) else {
            return;
        };
        if !E::Motion::at(pose).is_finite() {
            self.put_back(key);
        } else if is_curved {
            let motion = self.motion(key).map_or(E::Motion::at(pose), |now| now.with_pose(pose));
            self.drawing.set_motion(key, motion);
        } else {
            self.drawing.set_pose(key, pose);
        }
    }

    /// Puts a body that is nowhere back to where it last was, at rest.
    #[cold]
    fn put_back(&mut self, key: BodyKey) {
        let (Ok(handle), Some(last)) = (self.handle(key), self.drawing.current(key)) else {
            return;
        };
        let motion = E::Motion::at(last);
        let tick = self.tick;
        self.non_finite.push(NonFiniteBody { body: key, tick });
        // What was finite a step ago is not refused.
        let _ = self.engine.set_motion(handle, &motion);
        self.drawing.set_motion(key, motion);
    }

    fn body(&self, key: BodyKey) -> Result<&Body<E, U>, PhysicsError> {
        self.bodies.get(key).ok_or(PhysicsError::StaleKey(key))
    }
}

const fn check(key: BodyKey, field: &'static str, is_finite: bool) -> Result<(), PhysicsError> {
    if is_finite {
        return Ok(());
    }
    Err(refused(key, field, "must be finite"))
}

const fn refused(key: BodyKey, field: &'static str, reason: &'static str) -> PhysicsError {
    PhysicsError::Refused {
        body: Some(key),
        field,
        reason,
    }
}
