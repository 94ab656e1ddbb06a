use std::hash::Hasher as _;

use evenstep::Tick;
use fnv::FnvHasher;

use crate::arena::{Arena, BodyKey};
use crate::engine::{BodyMotion, Engine, PoseOf, Report, VectorOf};
use crate::error::PhysicsError;

mod acting;
mod bodies;
mod body;
mod drawing;
mod forces;
mod pictures;
mod recent;
pub(crate) mod saved;
mod stepping;

use body::Body;
use drawing::Drawing;
use forces::Forces;
pub(crate) use forces::units_of;
use recent::Recent;

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
    non_finite: Recent<NonFiniteBody>,
    destroyed: Recent<(BodyKey, U)>,
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
            non_finite: Recent::new(),
            destroyed: Recent::new(),
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
                self.engine.pose_of(body.handle)?
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

    /// Where a body's centre of mass is: at its origin, unless its shapes lie off it. Forces and velocities are those of this
    /// point.
    ///
    /// # Errors
    ///
    /// [`PhysicsError::StaleKey`].
    pub fn center_of_mass(&self, key: BodyKey) -> Result<VectorOf<E>, PhysicsError> {
        let handle = self.handle(key)?;
        self.engine.center_of_mass(handle).ok_or(PhysicsError::StaleKey(key))
    }

    /// Bodies whose state became infinite or undefined. Ask once a frame: a report that nobody asks for is forgotten after the
    /// frame that follows it.
    pub fn take_non_finite(&mut self) -> Vec<NonFiniteBody> {
        self.non_finite.take()
    }

    /// Keys that are stale because the program destroyed their bodies through the engine, and what it kept with them. Ask once
    /// a frame: a report that nobody asks for is forgotten after the frame that follows it.
    pub fn take_destroyed(&mut self) -> Vec<(BodyKey, U)> {
        self.destroyed.take()
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

    fn body(&self, key: BodyKey) -> Result<&Body<E, U>, PhysicsError> {
        self.bodies.get(key).ok_or(PhysicsError::StaleKey(key))
    }
}
