use std::fmt;

use evenstep::Tick;

use crate::arena::BodyKey;
use crate::engine::{Engine, VectorOf};

mod kind;

pub use kind::ContactKind;

/// Something that two shapes did to each other in a step.
pub struct Contact<E: Engine> {
    /// The step.
    pub tick: Tick,
    /// One of them; the sensor, if one is.
    pub first: Party<E>,
    /// The other.
    pub second: Party<E>,
    /// What they did.
    pub kind: ContactKind<VectorOf<E>>,
}

impl<E: Engine> Contact<E> {
    /// The keys of both bodies, as far as they are [adopted](crate::World::adopt).
    #[must_use]
    pub const fn keys(&self) -> [Option<BodyKey>; 2] {
        [self.first.key, self.second.key]
    }
}

/// One of the two that take part in a [`Contact`].
pub struct Party<E: Engine> {
    /// The key of its body, if that is [adopted](crate::World::adopt).
    pub key: Option<BodyKey>,
    /// The engine's own name of its body; none if the shape has no body, or is gone.
    pub body: Option<E::Handle>,
    /// The engine's own name of its shape, which may be gone when a contact ends.
    pub shape: E::ShapeHandle,
}

// Derived, they would ask the same of the engine.
impl<E: Engine> Clone for Contact<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: Engine> Copy for Contact<E> {}

impl<E: Engine> fmt::Debug for Contact<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contact")
            .field("tick", &self.tick)
            .field("first", &self.first)
            .field("second", &self.second)
            .field("kind", &self.kind)
            .finish()
    }
}

impl<E: Engine> Clone for Party<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: Engine> Copy for Party<E> {}

impl<E: Engine> fmt::Debug for Party<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Party")
            .field("key", &self.key)
            .field("body", &self.body)
            .field("shape", &self.shape)
            .finish()
    }
}
