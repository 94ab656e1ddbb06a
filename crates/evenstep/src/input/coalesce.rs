//! How events are merged, or reduced to a state: in a pause, and where there is no room.

/// An event that [`TimedEvents`](super::TimedEvents) may merge with others, or reduce to a state.
pub(crate) trait Coalesce: Sized {
    /// Merges a newer event of the same step into this one, if both are motion, for example. Returns whether it did.
    fn add(&mut self, newer: &Self) -> bool;

    /// The state that remains of it: of a press, that a key is held; of motion, nothing. The state of a state is itself.
    fn state(&self) -> Option<Self>;

    /// Whether an older state has no more effect once this one is known: both are of the same key. There must be few states that none
    /// replaces.
    fn replaces(&self, older: &Self) -> bool;
}

/// An event of any type, for a queue that keeps pauses: it is never asked what remains of it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub(super) struct Whole<E>(pub(super) E);

impl<E> Coalesce for Whole<E> {
    fn add(&mut self, _: &Self) -> bool {
        false
    }

    fn state(&self) -> Option<Self> {
        None
    }

    fn replaces(&self, _: &Self) -> bool {
        false
    }
}
