use std::hash::Hasher as _;

use evenstep::{Blend as _, Smoothed, Smoothing, Step, Tick};
use fnv::FnvHasher;

use crate::arena::Arena;
use crate::engine::{LoadOf, PoseOf, Report, VectorOf};
use crate::record::{Loads, Mark, Record};
use crate::{BodyDef, BodyKey, BodyMotion, Contact, Drawn, Engine, Load, ManyPoses as _, PhysicsError};

mod saved;

pub(crate) use saved::SavedWorld;

/// Bodies in an engine, with what is held for them and what is drawn of them.
///
/// `U` is what the program keeps with each body.
pub struct World<E: Engine, U = ()> {
    engine: E,
    bodies: Arena<Record<E, U>>,
    /// By slots, as the following two.
    marks: Vec<Mark>,
    captured: <E::Motion as BodyMotion>::Poses,
    /// As they were drawn last.
    blended: Vec<PoseOf<E>>,
    /// Bodies whose drawing needs velocities.
    curved: Vec<BodyKey>,
    births: u64,
    /// Steps begun, from 1, around and around.
    steps: u32,
    /// Bodies whose drawn pose changed since it was last asked for.
    changed: Vec<BodyKey>,
    /// Bodies on which something acts.
    loaded: Vec<BodyKey>,
    report: Report<E::Motion>,
    broken: Vec<Broken>,
}

/// A body whose state the engine made infinite or undefined. It was put back to where it last was, at rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken {
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
            marks: Vec::new(),
            captured: Default::default(),
            blended: Vec::new(),
            curved: Vec::new(),
            births: 0,
            steps: 1,
            changed: Vec::new(),
            loaded: Vec::new(),
            report: Report::default(),
            broken: Vec::new(),
        }
    }

    /// The engine, for whatever it can do beyond this.
    pub const fn engine(&self) -> &E {
        &self.engine
    }

    /// The engine, to be changed. Call [`refresh`](Self::refresh) for a body that was moved so.
    pub const fn engine_mut(&mut self) -> &mut E {
        &mut self.engine
    }

    /// How many bodies there are.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether there is no body.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a body still exists.
    pub fn contains(&self, key: BodyKey) -> bool {
        self.bodies.get(key).is_some()
    }

    /// The keys of all bodies.
    pub fn keys(&self) -> impl Iterator<Item = BodyKey> {
        self.bodies.iter().map(|(key, _)| key)
    }

    /// All bodies with what the program keeps with them and their true poses, never blended.
    pub fn iter(&self) -> impl Iterator<Item = (BodyKey, &U, PoseOf<E>)> {
        let bodies = self.bodies.iter();
        bodies.filter_map(|(key, body)| Some((key, &body.data, self.captured.current(key.index())?)))
    }

    /// Where all bodies were before the last step and after it, each at its key's [`index`](BodyKey::index): for drawing
    /// them on the graphics card.
    pub const fn captured(&self) -> &<E::Motion as BodyMotion>::Poses {
        &self.captured
    }

    /// Creates a body, at any time. It is drawn where it is, not on its way from anywhere.
    ///
    /// # Errors
    ///
    /// If something about the definition is not finite or not possible; the error names the field.
    pub fn create(&mut self, def: &BodyDef<E::Motion>, data: U) -> Result<BodyKey, PhysicsError> {
        def.check()?;
        let slot = self.bodies.next_slot();
        let handle = self.engine.create(def, slot)?;
        let key = self.bodies.insert(self.births, Record::new(handle, data));
        self.births += 1;
        let pose = def.motion.pose();
        if let Some(mark) = self.marks.get_mut(key.index()) {
            *mark = Mark::new(key);
            self.captured.reset(key.index(), pose);
        } else {
            self.marks.push(Mark::new(key));
            self.captured.push(pose);
            self.blended.push(pose);
        }
        self.mark_changed(key);
        Ok(key)
    }

    /// Removes a body, at any time, and answers with what the program kept with it. Contacts of the step that have not
    /// been handed over yet are not any more.
    ///
    /// # Errors
    ///
    /// [`PhysicsError::StaleKey`].
    pub fn remove(&mut self, key: BodyKey) -> Result<U, PhysicsError> {
        let body = self.bodies.remove(key).ok_or(PhysicsError::StaleKey(key))?;
        self.engine.destroy(body.handle);
        self.marks[key.index()].is_alive = false;
        Ok(body.data)
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
        Ok(&mut self.body_mut(key)?.data)
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
        let index = key.index();
        let states = (self.captured.previous(index), self.captured.current(index));
        let has_jumped = self.captured.has_jumped(index);
        let body = self.body_mut(key)?;
        body.smoothing = smoothing;
        body.curve = None;
        if let (Smoothing::Extrapolate { .. } | Smoothing::Hermite, (Some(previous), Some(current))) =
            (smoothing, states)
        {
            let mut curve = Smoothed::new(motion.with_pose(previous));
            curve.set(motion.with_pose(current));
            if has_jumped {
                curve.teleport();
            }
            body.curve = Some(Box::new(curve));
        }
        let is_curved = body.curve.is_some();
        if is_curved && !self.curved.contains(&key) {
            self.curved.push(key);
        }
        self.marks[key.index()].is_curved = is_curved;
        self.mark_moved(key);
        Ok(())
    }

    /// Puts a body elsewhere, without a motion between.
    ///
    /// # Errors
    ///
    /// If the key is stale or the motion is not finite.
    pub fn teleport(&mut self, key: BodyKey, motion: E::Motion) -> Result<(), PhysicsError> {
        self.change(key, motion)?;
        self.captured.teleport(key.index(), motion.pose());
        if let Some(curve) = &mut self.body_mut(key)?.curve {
            curve.teleport();
        }
        Ok(())
    }

    /// Sets a body's velocity, per second.
    ///
    /// # Errors
    ///
    /// If the key is stale or the velocity is not finite.
    pub fn set_velocity(&mut self, key: BodyKey, velocity: VectorOf<E>) -> Result<(), PhysicsError> {
        let motion = self.motion(key)?.with_velocity(velocity);
        self.change(key, motion)
    }

    fn change(&mut self, key: BodyKey, motion: E::Motion) -> Result<(), PhysicsError> {
        let handle = self.handle(key)?;
        if !motion.is_finite() {
            return Err(refused(key, "motion", "must be finite"));
        }
        self.engine.set_motion(handle, &motion)?;
        self.capture(key, motion);
        Ok(())
    }

    /// Takes notice of a body that was moved through [`engine_mut`](Self::engine_mut).
    ///
    /// # Errors
    ///
    /// [`PhysicsError::StaleKey`].
    pub fn refresh(&mut self, key: BodyKey) -> Result<(), PhysicsError> {
        let motion = self.motion(key)?;
        self.capture(key, motion);
        Ok(())
    }

    /// Lets a force act on a body while the present frame lasts, in addition to any other: `∫F dt` is the same at every
    /// frame rate. To be called before each [`update`](crate::PhysicsSystem::update).
    ///
    /// # Errors
    ///
    /// If the key is stale or the force is not finite.
    pub fn hold_force(&mut self, key: BodyKey, force: LoadOf<E>) -> Result<(), PhysicsError> {
        self.add_load(key, force, "force", |loads| &mut loads.frame)
    }

    /// Lets a force act on a body in the next step only, in addition to any other: for controllers and for code that
    /// runs in every step.
    ///
    /// # Errors
    ///
    /// If the key is stale or the force is not finite.
    pub fn push(&mut self, key: BodyKey, force: LoadOf<E>) -> Result<(), PhysicsError> {
        self.add_load(key, force, "force", |loads| &mut loads.step)
    }

    /// Gives a body an impulse (N·s), once, in the next step.
    ///
    /// # Errors
    ///
    /// If the key is stale or the impulse is not finite.
    pub fn kick(&mut self, key: BodyKey, impulse: LoadOf<E>) -> Result<(), PhysicsError> {
        self.add_load(key, impulse, "impulse", |loads| &mut loads.impulse)
    }

    /// Lets a force act on a body until it is replaced; [`Load::ZERO`] ends it.
    ///
    /// # Errors
    ///
    /// If the key is stale or the force is not finite.
    pub fn set_constant_force(&mut self, key: BodyKey, force: LoadOf<E>) -> Result<(), PhysicsError> {
        self.body_mut(key)?;
        if !force.is_finite() {
            return Err(refused(key, "force", "must be finite"));
        }
        self.body_mut(key)?.loads_mut().constant = Load::ZERO;
        self.add_load(key, force, "force", |loads| &mut loads.constant)
    }

    fn add_load(
        &mut self,
        key: BodyKey,
        load: LoadOf<E>,
        field: &'static str,
        kind: impl Fn(&mut Loads<LoadOf<E>>) -> &mut LoadOf<E>,
    ) -> Result<(), PhysicsError> {
        let body = self.body_mut(key)?;
        if !load.is_finite() {
            return Err(refused(key, field, "must be finite"));
        }
        let loads = body.loads_mut();
        let sum = kind(loads);
        *sum = sum.plus(load, 1.0);
        if !std::mem::replace(&mut loads.is_listed, true) {
            self.loaded.push(key);
        }
        Ok(())
    }

    /// Bodies that the engine has broken since this was last asked.
    pub fn take_broken(&mut self) -> Vec<Broken> {
        std::mem::take(&mut self.broken)
    }

    /// All bodies as they are drawn at `alpha` between steps of `dt` seconds.
    pub(crate) fn drawn(&mut self, alpha: f64, dt: f64) -> impl Iterator<Item = Drawn<'_, PoseOf<E>, U>> {
        self.captured.blend(alpha, &mut self.blended);
        let world = &*self;
        let bodies = world.bodies.iter();
        bodies.filter_map(move |(key, body)| world.drawn_in(key, body, alpha, dt))
    }

    /// A body among those that were just blended.
    #[inline]
    fn drawn_in<'a>(
        &self,
        key: BodyKey,
        body: &'a Record<E, U>,
        alpha: f64,
        dt: f64,
    ) -> Option<Drawn<'a, PoseOf<E>, U>> {
        let blended = || self.blended.get(key.index()).copied();
        let pose = self.drawn_pose(key, body, alpha, dt, blended)?;
        let data = &body.data;
        Some(Drawn { key, data, pose })
    }

    pub(crate) fn drawn_body(&self, key: BodyKey, alpha: f64, dt: f64) -> Result<PoseOf<E>, PhysicsError> {
        let index = key.index();
        let blended = || {
            let current = self.captured.current(index)?;
            let is_there = alpha > 0.0 && self.captured.has_jumped(index);
            let previous = self.captured.previous(index)?;
            Some(if is_there {
                current
            } else {
                previous.blend(&current, alpha)
            })
        };
        let pose = self.drawn_pose(key, self.body(key)?, alpha, dt, blended);
        pose.ok_or(PhysicsError::StaleKey(key))
    }

    /// Where a body is drawn in its own way; `blended` says where it is between its last two states.
    #[inline]
    fn drawn_pose(
        &self,
        key: BodyKey,
        body: &Record<E, U>,
        alpha: f64,
        dt: f64,
        blended: impl FnOnce() -> Option<PoseOf<E>>,
    ) -> Option<PoseOf<E>> {
        match (body.smoothing, &body.curve) {
            (Smoothing::Interpolate, _) => blended(),
            (smoothing, Some(curve)) => Some(curve.drawn(smoothing, alpha, dt).pose()),
            _ => self.captured.current(key.index()),
        }
    }

    /// Bodies whose drawn pose changed since this was last asked, each once.
    pub(crate) fn drawn_changes(&mut self, alpha: f64, dt: f64, mut visit: impl FnMut(Drawn<'_, PoseOf<E>, U>)) {
        self.captured.blend(alpha, &mut self.blended);
        let mut changed = std::mem::take(&mut self.changed);
        changed.retain(|key| {
            let Some(body) = self.bodies.get(*key) else {
                return false;
            };
            if let Some(drawn) = self.drawn_in(*key, body, alpha, dt) {
                visit(drawn);
            }
            // What moved in the last step is drawn elsewhere in the next frame too.
            let mark = &mut self.marks[key.index()];
            mark.is_changed = mark.moved_in == self.steps;
            mark.is_changed
        });
        self.changed = changed;
    }

    /// A hash over the bits of all bodies' poses and velocities.
    pub(crate) fn hash(&self) -> u64 {
        let mut hasher = FnvHasher::default();
        for (key, body) in self.bodies.iter() {
            hasher.write(&key.slot.to_le_bytes());
            if let Some(motion) = self.engine.motion(body.handle) {
                motion.each(|component| hasher.write(&component.to_bits().to_le_bytes()));
            }
        }
        hasher.finish()
    }

    /// Begins a step: from here on, a body's true state is its previous one.
    pub(crate) fn begin_step(&mut self) {
        self.steps = self.steps.wrapping_add(1);
        self.captured.begin_step();
        let bodies = &mut self.bodies;
        self.curved.retain(|key| {
            let curve = bodies.get_mut(*key).and_then(|body| body.curve.as_mut());
            curve.map(|curve| curve.begin_step()).is_some()
        });
    }

    /// Steps the engine. `share` is the part of the step that the present frame covers.
    pub(crate) fn step(
        &mut self,
        step: &Step,
        share: f64,
        contacts: &mut Vec<Contact<VectorOf<E>>>,
    ) -> Result<(), PhysicsError> {
        self.load_engine(step.dt, share);
        let mut report = std::mem::take(&mut self.report);
        report.moved.clear();
        report.contacts.clear();
        let stepped = self.engine.step(step.dt as f32, &mut report);
        for (slot, pose) in &report.moved {
            self.take_pose(*slot, *pose, step.tick);
        }
        self.rest_curved();
        for (first, second, touch) in &report.contacts {
            let key = |slot: u32, bodies: &mut Arena<Record<E, U>>| bodies.in_slot(slot).map(|(key, _)| key);
            if let (Some(first), Some(second)) = (key(*first, &mut self.bodies), key(*second, &mut self.bodies)) {
                contacts.push(Contact {
                    tick: step.tick,
                    first,
                    second,
                    touch: *touch,
                });
            }
        }
        self.report = report;
        stepped
    }

    fn load_engine(&mut self, dt: f64, share: f64) {
        for key in &self.loaded {
            let Some(body) = self.bodies.get_mut(*key) else {
                continue;
            };
            let (force, impulse) = body.take_loads(dt, share);
            if !force.is_zero() || !impulse.is_zero() {
                self.engine.load(body.handle, &force, &impulse);
            }
        }
    }

    /// Ends the frame: its forces have acted, but for `seconds` of simulated time towards the next step.
    pub(crate) fn end_frame(&mut self, seconds: f64) {
        let bodies = &mut self.bodies;
        self.loaded
            .retain(|key| bodies.get_mut(*key).is_some_and(|body| body.end_frame(seconds)));
    }

    /// What the engine says of a body after a step.
    #[inline]
    fn take_pose(&mut self, slot: u32, pose: PoseOf<E>, tick: Tick) {
        let mark = self.marks.get(slot as usize);
        let Some(mark) = mark.filter(|mark| mark.is_alive) else {
            return;
        };
        let (key, is_curved) = (mark.key(slot), mark.is_curved);
        let motion = E::Motion::at(pose);
        if is_curved || !motion.is_finite() {
            self.take_motion(key, motion, tick);
        } else {
            self.mark_moved(key);
            self.captured.set(key.index(), pose);
        }
    }

    /// The same of one whose drawing needs velocities, or which is nowhere.
    #[cold]
    fn take_motion(&mut self, key: BodyKey, mut motion: E::Motion, tick: Tick) {
        let Some(body) = self.bodies.get(key) else { return };
        if body.curve.is_some() {
            motion = self.engine.motion(body.handle).unwrap_or(motion);
        }
        if !motion.is_finite()
            && let Some(last) = self.captured.current(key.index())
        {
            motion = E::Motion::at(last);
            self.broken.push(Broken { body: key, tick });
            // What was finite a step ago cannot be refused.
            let _ = self.engine.set_motion(body.handle, &motion);
        }
        self.capture(key, motion);
    }

    /// Bodies that fell asleep are not drawn ahead of where they are, whatever speed the engine still says that they have.
    fn rest_curved(&mut self) {
        for key in &self.curved {
            if self.marks[key.index()].moved_in != self.steps
                && let Some(curve) = self.bodies.get_mut(*key).and_then(|body| body.curve.as_mut())
            {
                curve.set(E::Motion::at(curve.current().pose()));
            }
        }
    }

    fn capture(&mut self, key: BodyKey, motion: E::Motion) {
        let Some(body) = self.bodies.get_mut(key) else { return };
        if let Some(curve) = &mut body.curve {
            curve.set(motion);
        }
        self.mark_moved(key);
        self.captured.set(key.index(), motion.pose());
    }

    #[inline]
    fn mark_moved(&mut self, key: BodyKey) {
        self.marks[key.index()].moved_in = self.steps;
        self.mark_changed(key);
    }

    #[inline]
    fn mark_changed(&mut self, key: BodyKey) {
        let mark = &mut self.marks[key.index()];
        if !std::mem::replace(&mut mark.is_changed, true) {
            self.changed.push(key);
        }
    }

    fn body(&self, key: BodyKey) -> Result<&Record<E, U>, PhysicsError> {
        self.bodies.get(key).ok_or(PhysicsError::StaleKey(key))
    }

    fn body_mut(&mut self, key: BodyKey) -> Result<&mut Record<E, U>, PhysicsError> {
        self.bodies.get_mut(key).ok_or(PhysicsError::StaleKey(key))
    }
}

const fn refused(key: BodyKey, field: &'static str, reason: &'static str) -> PhysicsError {
    PhysicsError::Refused {
        body: Some(key),
        field,
        reason,
    }
}
