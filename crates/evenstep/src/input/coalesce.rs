//! How events are merged, or reduced to a state: in a pause, and where there is no room.

/// An event that [`TimedEvents`](super::TimedEvents) may merge with others, or reduce to a state. Unless it says otherwise, it acts as a
/// whole: it is its own state, which replaces none.
pub(crate) trait Coalesce: Sized {
    /// Whether it is motion, which can be added to other motion of its kind and leaves no state.
    fn is_motion(&self) -> bool {
        false
    }

    /// Adds newer motion to this event. Returns whether both are motion of the same kind.
    fn add(&mut self, _newer: &Self) -> bool {
        false
    }

    /// Splits off one of so many equal parts of motion that may be spread over steps; none of what acts as a whole.
    fn split_off(&mut self, _parts: u64) -> Option<Self> {
        None
    }

    /// Reduces it to its state: a press, for example, to that a key is held. The state of a state is itself.
    fn reduce(&mut self) {}

    /// Whether an older state has no more effect once this one is known: both are of the same key. There must be few states that none
    /// replaces. No state replaces motion.
    fn replaces(&self, _older: &Self) -> bool {
        false
    }
}

/// An event of any type, for a queue that keeps pauses: it is never reduced.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub(super) struct Whole<E>(pub(super) E);

impl<E> Coalesce for Whole<E> {}
