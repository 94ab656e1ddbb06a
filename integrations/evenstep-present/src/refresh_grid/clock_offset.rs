//! Estimates the offset between the clock of presentation feedback and the program's.

use core::time::Duration;

/// Frames over which the offset is bounded: clocks that run at differing speeds are followed.
const WINDOW: usize = 32;

/// A predicted time may be later than its feedback's arrival by this, in nanoseconds.
const PREDICTED_AHEAD: i128 = 100_000_000;

/// The offset between the clock of the feedback and the program's.
///
/// A frame is presented after it was submitted and before its feedback arrives, so every frame bounds the offset on both sides. This is
/// how one-way delays bound the offset of two clocks of a network: K. Marzullo, S. Owicki, *Maintaining the time in a distributed
/// system* (1983). Where all bounds allow zero it is the same clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ClockOffset {
    /// The least and the largest offset of each of the last frames, in nanoseconds.
    bounds: [(i128, i128); WINDOW],
    count: usize,
    next: usize,
}

impl ClockOffset {
    pub(super) const fn new() -> Self {
        Self {
            bounds: [(0, 0); WINDOW],
            count: 0,
            next: 0,
        }
    }

    /// Takes a frame. Returns whether the clock was set: then only this frame counts.
    pub(super) fn observe(
        &mut self,
        submitted: Duration,
        presented: Duration,
        arrived: Duration,
        is_measured: bool,
    ) -> bool {
        let least = nanos(submitted) - nanos(presented);
        let ahead = if is_measured { 0 } else { PREDICTED_AHEAD };
        let most = (nanos(arrived) - nanos(presented) + ahead).max(least);
        let (low, high) = self.range();
        let was_set = self.count > 0 && (least > high || most < low);
        if was_set {
            self.count = 0;
            self.next = 0;
        }
        self.bounds[self.next] = (least, most);
        self.next = (self.next + 1) % WINDOW;
        self.count = (self.count + 1).min(WINDOW);
        was_set
    }

    /// The offset to add to a time of the feedback, and its uncertainty, in nanoseconds.
    pub(super) fn offset(&self) -> (i128, i128) {
        let (low, high) = self.range();
        if self.count == 0 || (low <= 0 && 0 <= high) {
            return (0, 0);
        }
        (low.midpoint(high), (high - low).max(0) / 2)
    }

    fn range(&self) -> (i128, i128) {
        let bounds = self.bounds[..self.count].iter();
        bounds.fold((i128::MIN, i128::MAX), |(low, high), (least, most)| {
            (low.max(*least), high.min(*most))
        })
    }
}

const fn nanos(time: Duration) -> i128 {
    time.as_nanos() as i128
}
