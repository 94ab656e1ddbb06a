//! The errors of a physics system.

use crate::arena::BodyKey;

/// An error of a physics system. The call that returns it has changed nothing, except an update, whose earlier steps stay: see *Failed steps* at
/// [`PhysicsSystem`](crate::PhysicsSystem).
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PhysicsError {
    /// The body with this key has been removed.
    #[error("{0}: this body has been removed; forget its key when you remove it")]
    StaleKey(BodyKey),
    /// A value is out of range or not finite.
    #[error("{}: {field} {reason}", body.map_or("new body".to_owned(), |key| key.to_string()))]
    InvalidValue {
        /// The body; `None` for a body that was to be created.
        body: Option<BodyKey>,
        /// The name of the invalid field.
        field: &'static str,
        /// The condition that it must satisfy.
        reason: &'static str,
    },
    /// The world cannot adopt this body of the engine.
    #[error("{handle}: {field} {reason}")]
    CannotAdopt {
        /// The engine's handle of the body, as its `Debug` output.
        handle: String,
        /// The name of the invalid field.
        field: &'static str,
        /// The condition that it must satisfy.
        reason: &'static str,
    },
    /// The engine returned an error.
    #[error("the engine refused to {action}: {reason}")]
    Engine {
        /// The operation that failed.
        action: &'static str,
        /// The engine's error message.
        reason: String,
    },
    /// The frame is not the one that was begun last, or it has already been run.
    #[error("this frame is not the one that was begun; run each frame once")]
    ForeignFrame,
    /// The state was saved by another system.
    #[error("this state was saved by another physics system; restore it there")]
    ForeignState,
}

/// Refuses a value of a body, or of a new one, that does not satisfy a condition.
pub(crate) fn check(
    body: impl Into<Option<BodyKey>>,
    field: &'static str,
    holds: bool,
    reason: &'static str,
) -> Result<(), PhysicsError> {
    let body = body.into();
    holds
        .then_some(())
        .ok_or(PhysicsError::InvalidValue { body, field, reason })
}
