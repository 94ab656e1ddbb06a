//! Contacts as a program receives them, with the keys of the bodies.

use evenstep::Tick;

use crate::arena::BodyKey;
pub use crate::engine::ContactKind;
use crate::engine::{Engine, VectorOf};

/// An event between two shapes in a step: a contact or an overlap with a sensor that began or ended, or a hit.
///
/// Begins and ends come in pairs: a contact ends exactly if its begin was delivered, also when a body is removed or an earlier state is
/// restored. Both have the same sides in the same order, except that a body that was removed or released meanwhile has no key.
#[derive(Debug)]
#[non_exhaustive]
pub struct Contact<E: Engine> {
    /// The tick of the step.
    pub tick: Tick,
    /// The first shape; the sensor, if one of the two is a sensor.
    pub first: ContactSide<E>,
    /// The second shape.
    pub second: ContactSide<E>,
    /// The kind of event.
    pub kind: ContactKind<VectorOf<E>>,
}

impl<E: Engine> Contact<E> {
    /// The keys of both bodies; `None` for a body that is not [adopted](crate::World::adopt).
    #[must_use]
    pub const fn keys(&self) -> [Option<BodyKey>; 2] {
        [self.first.key, self.second.key]
    }
}

/// One of the two shapes of a [`Contact`], and its body.
#[derive(Debug)]
#[non_exhaustive]
pub struct ContactSide<E: Engine> {
    /// The key of the body, if it is [adopted](crate::World::adopt).
    pub key: Option<BodyKey>,
    /// The engine's handle of the body, which may no longer exist when a contact ends; `None` if the shape has no body.
    pub body: Option<E::Handle>,
    /// The engine's handle of the shape, which may no longer exist when a contact ends.
    pub shape: E::ShapeHandle,
}

// Derived implementations would require `E: Clone` and `E: Copy`.
impl<E: Engine> Clone for Contact<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: Engine> Copy for Contact<E> {}

impl<E: Engine> Clone for ContactSide<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E: Engine> Copy for ContactSide<E> {}
