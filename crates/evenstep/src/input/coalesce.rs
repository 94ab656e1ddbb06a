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

/// The functions of [`Coalesce`], which not every event has.
#[derive(Debug)]
pub(super) struct Rules<E> {
    pub(super) add: fn(&mut E, &E) -> bool,
    pub(super) state: fn(&E) -> Option<E>,
    pub(super) replaces: fn(&E, &E) -> bool,
}

impl<E> Clone for Rules<E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Rules<E> {}

impl<E> PartialEq for Rules<E> {
    /// A type has one set of them.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<E: Coalesce> Rules<E> {
    pub(super) const fn new() -> Self {
        Self {
            add: E::add,
            state: E::state,
            replaces: E::replaces,
        }
    }
}
