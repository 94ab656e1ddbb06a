//! What a check finds in a recording.

/// The result of one check.
pub(super) struct Found {
    pub(super) metric: String,
    /// What was found, in a sentence.
    pub(super) finding: String,
    pub(super) outcome: Outcome,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Passed,
    /// Too little is known for a verdict: no failure.
    Unsure,
    Failed,
}
