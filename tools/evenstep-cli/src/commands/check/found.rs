//! The result of a check.

/// The result of one check.
pub(super) struct Found {
    pub(super) metric: String,
    /// The result, as a sentence.
    pub(super) finding: String,
    pub(super) outcome: Outcome,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Passed,
    /// The recordings are too short for a verdict. This is not a failure.
    Unsure,
    Failed,
}
