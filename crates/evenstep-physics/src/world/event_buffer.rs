//! Double-buffered reports, for programs that read them once a frame.

/// The reports of the present frame and of the previous one. A program that reads them once per frame, at any point in the frame, misses
/// none. Older reports are discarded.
pub(super) struct EventBuffer<T> {
    reports: Vec<T>,
    /// The number of reports of the previous frame.
    previous: usize,
}

impl<T> EventBuffer<T> {
    pub(super) const fn new() -> Self {
        Self {
            reports: Vec::new(),
            previous: 0,
        }
    }

    pub(super) fn begin_frame(&mut self) {
        self.reports.drain(..self.previous);
        self.previous = self.reports.len();
    }

    pub(super) fn push(&mut self, report: T) {
        self.reports.push(report);
    }

    pub(super) fn take(&mut self) -> Vec<T> {
        self.previous = 0;
        std::mem::take(&mut self.reports)
    }
}
