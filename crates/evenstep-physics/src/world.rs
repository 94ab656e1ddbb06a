//! The world: the bodies of an engine by key, the forces that act on them, and their drawn poses.

use std::collections::VecDeque;
use std::fmt;

use evenstep::Tick;
use rustc_hash::FxHashMap;

use crate::arena::{Arena, BodyKey};
use crate::contact::Contact;
use crate::engine::{Action, BodyMotion as _, Engine, PoseOf, Report, VectorOf};
use crate::error::PhysicsError;

mod bodies;
mod commands;
mod contacts;
mod drawing;
mod event_buffer;
mod forces;
mod inspect;
mod render;
pub(crate) mod saved;
mod stepping;
mod touching;

use drawing::Drawing;
pub use drawing::DrawnBody;
use event_buffer::EventBuffer;
use forces::Forces;
pub(crate) use forces::time_units_of;
use touching::Touching;

/// The bodies of an engine by key, with the forces that act on them and their render interpolation.
///
/// This is a layer over the engine's own world (`boxdd::World`, Rapier's `PhysicsWorld`), which remains accessible through
/// [`engine_mut`](Self::engine_mut). Bodies that were [created](Self::create) or [adopted](Self::adopt) here have keys. `U` is the
/// type of the program's own data of each body.
pub struct World<E: Engine, U = ()> {
    engine: E,
    bodies: Arena<Body<E::Handle, U>>,
    /// The keys of the bodies by the engine's handles.
    keys: FxHashMap<E::Handle, BodyKey>,
    pub(crate) forces: Forces<E::Motion>,
    /// The actions of the last step.
    actions: Vec<Action<E>>,
    drawing: Drawing<E::Motion>,
    /// The generation of the next key.
    next_generation: u64,
    /// Whether the program may have edited bodies through the engine since the last synchronisation.
    has_engine_edits: bool,
    /// Whether shapes may have been destroyed since the last step.
    may_have_lost_shapes: bool,
    touching: Touching<E>,
    /// Contacts that have not been delivered.
    contacts: VecDeque<Contact<E>>,
    /// The tick of the last step.
    tick: Tick,
    report: Report<E>,
    non_finite: EventBuffer<BodyKey>,
    destroyed: EventBuffer<(BodyKey, U)>,
}

/// A body: the engine's handle and the program's data.
#[derive(Clone)]
struct Body<H, U> {
    handle: H,
    data: U,
}

impl<E: Engine, U> fmt::Debug for World<E, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World")
            .field("bodies", &self.len())
            .field("tick", &self.tick)
            .finish_non_exhaustive()
    }
}

impl<E: Engine, U> World<E, U> {
    pub(crate) fn new(engine: E) -> Self {
        Self {
            engine,
            bodies: Arena::new(),
            keys: FxHashMap::default(),
            forces: Forces::new(),
            actions: Vec::new(),
            drawing: Drawing::new(),
            next_generation: 0,
            has_engine_edits: false,
            may_have_lost_shapes: false,
            touching: Touching::new(),
            contacts: VecDeque::new(),
            tick: 0,
            report: Report::default(),
            non_finite: EventBuffer::new(),
            destroyed: EventBuffer::new(),
        }
    }

    /// The engine, for its own API.
    #[must_use]
    pub const fn engine(&self) -> &E {
        &self.engine
    }

    /// The engine, mutably, for its own API: joints, queries, character controllers, settings of bodies.
    ///
    /// The next step and the next frame then check every body: a body that was moved counts as teleported, and the key of a body
    /// that was destroyed becomes stale and is [reported](Self::take_destroyed).
    pub const fn engine_mut(&mut self) -> &mut E {
        self.has_engine_edits = true;
        self.may_have_lost_shapes = true;
        &mut self.engine
    }

    /// The number of bodies that have keys.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether no body has a key.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a key is valid.
    #[must_use]
    pub fn contains(&self, key: BodyKey) -> bool {
        self.bodies.get(key).is_some()
    }

    /// All keys.
    pub fn keys(&self) -> impl Iterator<Item = BodyKey> {
        self.bodies.iter().map(|(key, _)| key)
    }

    /// All bodies: key, the program's data and the simulated pose, which is never interpolated.
    pub fn iter(&self) -> impl Iterator<Item = (BodyKey, &U, PoseOf<E>)> {
        let bodies = self.bodies.iter();
        bodies.filter_map(|(key, body)| {
            let pose = if self.has_engine_edits {
                self.engine.motion(body.handle)?.pose()
            } else {
                self.drawing.current(key.slot)?
            };
            Some((key, &body.data, pose))
        })
    }

    /// The key of a body by the engine's handle, if it has one: for the results of the engine's own queries.
    #[must_use]
    pub fn key(&self, handle: E::Handle) -> Option<BodyKey> {
        self.keys.get(&handle).copied()
    }

    /// The program's data of a body.
    ///
    /// # Errors
    ///
    /// [`PhysicsError::StaleKey`].
    pub fn data(&self, key: BodyKey) -> Result<&U, PhysicsError> {
        Ok(&self.body(key)?.data)
    }

    /// The program's data of a body, mutably.
    ///
    /// # Errors
    ///
    /// [`PhysicsError::StaleKey`].
    pub fn data_mut(&mut self, key: BodyKey) -> Result<&mut U, PhysicsError> {
        let body = self.bodies.get_mut(key).ok_or(PhysicsError::StaleKey(key))?;
        Ok(&mut body.data)
    }

    /// The engine's handle of a body.
    ///
    /// # Errors
    ///
    /// [`PhysicsError::StaleKey`].
    pub fn handle(&self, key: BodyKey) -> Result<E::Handle, PhysicsError> {
        Ok(self.body(key)?.handle)
    }

    /// A body's simulated pose and velocities, which are never interpolated.
    ///
    /// # Errors
    ///
    /// [`PhysicsError::StaleKey`].
    pub fn motion(&self, key: BodyKey) -> Result<E::Motion, PhysicsError> {
        let handle = self.handle(key)?;
        self.engine.motion(handle).ok_or(PhysicsError::StaleKey(key))
    }

    /// The position of a body's centre of mass: its origin, unless its shapes are off-centre. Forces act at this point, and
    /// velocities are the velocities of this point.
    ///
    /// # Errors
    ///
    /// [`PhysicsError::StaleKey`].
    pub fn center_of_mass(&self, key: BodyKey) -> Result<VectorOf<E>, PhysicsError> {
        let handle = self.handle(key)?;
        self.engine.center_of_mass(handle).ok_or(PhysicsError::StaleKey(key))
    }

    /// Takes the keys of bodies whose state became infinite or NaN. Each was reset to its last finite pose, at rest. Call it once a frame: a
    /// report is discarded at the end of the frame after its own.
    pub fn take_non_finite(&mut self) -> Vec<BodyKey> {
        self.non_finite.take()
    }

    /// Takes the keys that became stale because the program destroyed their bodies through the engine, with the program's data.
    /// Call it once a frame: a report is discarded at the end of the frame after its own.
    pub fn take_destroyed(&mut self) -> Vec<(BodyKey, U)> {
        self.destroyed.take()
    }

    /// A hash over the bits of all bodies' poses and velocities.
    pub(crate) fn hash(&self) -> u64 {
        evenstep::inspect::hash(&inspect::Motions(self))
    }

    fn body(&self, key: BodyKey) -> Result<&Body<E::Handle, U>, PhysicsError> {
        self.bodies.get(key).ok_or(PhysicsError::StaleKey(key))
    }
}
