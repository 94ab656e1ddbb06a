use crate::arena::BodyKey;

/// Why a physics system refused something. The world is as it was.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PhysicsError {
    /// The body of a key has been removed.
    #[error("{0}: this body has been removed; forget its key when you remove it")]
    StaleKey(BodyKey),
    /// A value that would break the world.
    #[error("{}: {field} {reason}", body.map_or("new body".to_owned(), |key| key.to_string()))]
    Refused {
        /// The body; none if it was to be created.
        body: Option<BodyKey>,
        /// What was wrong of it.
        field: &'static str,
        /// What it must be.
        reason: &'static str,
    },
    /// A body of the engine's own API that the world cannot adopt.
    #[error("{handle}: {field} {reason}")]
    NotAdopted {
        /// The engine's own name of it.
        handle: String,
        /// What was wrong of it.
        field: &'static str,
        /// What it must be.
        reason: &'static str,
    },
    /// The engine refused.
    #[error("the engine refused to {action}: {reason}")]
    Engine {
        /// What was asked of it.
        action: &'static str,
        /// What it said.
        reason: String,
    },
    /// A frame that was not begun, or has been run.
    #[error("this frame is not the one that was begun; run each frame once")]
    ForeignFrame,
    /// A saved state of another system.
    #[error("this state was saved by another physics system; restore it there")]
    ForeignState,
}
