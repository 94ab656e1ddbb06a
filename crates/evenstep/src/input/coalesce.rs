//! The trait of events that can be merged, or reduced to a state.

/// An event that an [`InputBuffer`](super::InputBuffer) may reduce to a state: in a pause, and where there is no room.
///
/// [`InputEvent`](super::InputEvent) is one. A program that has more devices implements it for an event of its own:
///
/// ```
/// use evenstep::input::{InputEvent, Coalesce};
///
/// enum Change {
///     Control(InputEvent<char>),
///     /// Where a stick is.
///     Stick(u8, [f64; 2]),
/// }
///
/// impl Coalesce for Change {
///     fn add(&mut self, newer: &Self) -> bool {
///         match (self, newer) {
///             (Self::Control(event), Self::Control(newer)) => event.add(newer),
///             _ => false,
///         }
///     }
///
///     fn state(&self) -> Option<Self> {
///         match self {
///             Self::Control(event) => event.state().map(Self::Control),
///             Self::Stick(stick, at) => Some(Self::Stick(*stick, *at)),
///         }
///     }
///
///     fn replaces(&self, older: &Self) -> bool {
///         match (self, older) {
///             (Self::Control(event), Self::Control(older)) => event.replaces(older),
///             (Self::Stick(stick, _), Self::Stick(other, _)) => stick == other,
///             _ => false,
///         }
///     }
/// }
/// ```
/// The methods have defaults for events that are kept as they are. So a [lossless](super::InputBuffer::lossless) buffer of any event can be
/// stored and read back after `impl Coalesce for Order {}`.
#[diagnostic::on_unimplemented(
    message = "an input buffer does not know how to reduce `{Self}` to a state",
    label = "implement `Coalesce` for it",
    note = "for events of a lossless buffer, which is stored and read back: `impl Coalesce for {Self} {{}}`"
)]
pub trait Coalesce: Sized {
    /// Merges a newer event of the same step into this one, if both are motion, for example. Returns whether it did; no event unless
    /// implemented.
    fn add(&mut self, newer: &Self) -> bool {
        let _ = newer;
        false
    }

    /// The state that remains of it: of a press, that a key is held; of motion, nothing. The state of a state is itself.
    /// Nothing unless implemented.
    #[must_use]
    fn state(&self) -> Option<Self> {
        None
    }

    /// Whether an older state has no more effect once this one is known: both are of the same key. There must be few states that none
    /// replaces. None unless implemented.
    #[must_use]
    fn replaces(&self, older: &Self) -> bool {
        let _ = older;
        false
    }
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
    pub(super) fn new() -> Self {
        Self {
            add: E::add,
            state: E::state,
            replaces: E::replaces,
        }
    }
}
