use evenstep::Tick;

use crate::{BodyKey, Touch};

/// A contact of two bodies in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact<V> {
    /// The step.
    pub tick: Tick,
    /// One body.
    pub first: BodyKey,
    /// The other.
    pub second: BodyKey,
    /// What they did.
    pub touch: Touch<V>,
}
