//! The span of a step while it is simulated, for subscribers of `tracing`.

use crate::time::Tick;

/// An entered span, or none. Not a guard of `tracing`, because an iterator of steps may be sent to another thread.
#[derive(Debug)]
pub(crate) struct StepSpan(tracing::Span);

impl StepSpan {
    pub(crate) const fn none() -> Self {
        Self(tracing::Span::none())
    }

    /// Ends the span of the step before and begins this step's. In a schedule `task` is the index of the task, in the order of adding.
    pub(crate) fn begin(&mut self, tick: Tick, task: Option<usize>) {
        self.end();
        self.0 = tracing::info_span!(target: "evenstep", "step", tick, task);
        self.0.with_subscriber(|(id, subscriber)| subscriber.enter(id));
    }

    /// The last step has ended.
    pub(crate) fn end(&mut self) {
        self.0.with_subscriber(|(id, subscriber)| subscriber.exit(id));
        self.0 = tracing::Span::none();
    }
}

impl Clone for StepSpan {
    /// A copy of an iterator has no step that is being simulated.
    fn clone(&self) -> Self {
        Self::none()
    }
}

impl PartialEq for StepSpan {
    /// Equality of the remaining steps does not depend on the observer.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Drop for StepSpan {
    fn drop(&mut self) {
        self.end();
    }
}
