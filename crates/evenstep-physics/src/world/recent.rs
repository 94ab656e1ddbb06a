//! What happened lately, for whoever asks once a frame.

/// Reports of the present frame and of the one before it, whichever part of a frame somebody asks in. Those that nobody asks
/// for are forgotten.
pub(super) struct Recent<T> {
    reports: Vec<T>,
    /// How many of them are of the frame before.
    former: usize,
}

impl<T> Recent<T> {
    pub(super) const fn new() -> Self {
        Self {
            reports: Vec::new(),
            former: 0,
        }
    }

    pub(super) fn begin_frame(&mut self) {
        self.reports.drain(..self.former);
        self.former = self.reports.len();
    }

    pub(super) fn push(&mut self, report: T) {
        self.reports.push(report);
    }

    pub(super) fn take(&mut self) -> Vec<T> {
        self.former = 0;
        std::mem::take(&mut self.reports)
    }
}
