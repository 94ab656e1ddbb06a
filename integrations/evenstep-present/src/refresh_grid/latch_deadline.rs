//! Latch deadline: how long before a refresh a frame has to be submitted to be presented at it.

/// Frames that are judged together.
const FRAMES: usize = 64;

/// This many of them must have been late for no other reason before the deadline moves. Fewer are hitches of the system.
const MIN_LATE: usize = 3;

/// Share of a period by which it moves beyond an insufficient deadline.
const STEP: f64 = 1.0 / 16.0;

/// A frame presented more periods after it was submitted is ignored: the system stood still, or takes longer than pacing can make
/// up for.
const MAX_LATENCY: f64 = 2.0;

/// Frames without a change after which a later deadline is probed, about a minute at 60 Hz: systems become faster, too.
const PROBE_INTERVAL: u16 = 4096;

/// Share of a period by which a probe moves the deadline.
const PROBE: f64 = 1.0 / 8.0;

/// Share of the difference by which the deadline moves towards a frame that was in time with less: timestamps are noisy.
const SMOOTHING: f64 = 0.25;

/// Estimates the deadline, which no system reports, from when frames were submitted and presented.
///
/// A frame that was presented at a refresh was in time for it. If no other frame was presented at the refresh before, it was too late
/// for that one. Where a few frames were too late although they were submitted before that refresh, and none was in time with less, the
/// deadline is earlier than they were.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LatchDeadline {
    /// Nanoseconds before the refresh.
    nanos: f64,
    /// A ring of the last frames: how many nanoseconds before the refresh that presented it each was submitted, and how many before
    /// the refresh that it missed.
    last: [(f64, f64); FRAMES],
    next: usize,
    /// Frames since the deadline moved earlier or a later one was probed.
    unchanged: u16,
}

impl LatchDeadline {
    pub(super) const fn new() -> Self {
        Self {
            nanos: 0.0,
            last: [(f64::INFINITY, f64::NEG_INFINITY); FRAMES],
            next: 0,
            unchanged: 0,
        }
    }

    /// Nanoseconds before the refresh.
    pub(super) const fn nanos(&self) -> f64 {
        self.nanos
    }

    /// Takes a frame that was presented `latency` nanoseconds after it was submitted. `was_free` says whether no other frame was
    /// presented at the refresh before.
    pub(super) fn observe(&mut self, latency: f64, was_free: bool, period: f64) {
        if latency > MAX_LATENCY * period {
            return;
        }
        let missed = if was_free { latency - period } else { f64::NEG_INFINITY };
        self.last[self.next] = (latency, missed);
        self.next = (self.next + 1) % FRAMES;
        self.nanos += SMOOTHING * (latency - self.nanos).min(0.0);
        self.unchanged += 1;
        if self.unchanged >= PROBE_INTERVAL {
            self.unchanged = 0;
            self.nanos = (self.nanos - PROBE * period).max(0.0);
        }
        self.move_earlier(period);
    }

    fn move_earlier(&mut self, period: f64) {
        let enough = self
            .last
            .iter()
            .fold(f64::INFINITY, |least, (latency, _)| least.min(*latency));
        let is_late = |before: &f64| (self.nanos..enough).contains(before);
        let late = || self.last.iter().map(|(_, before)| *before).filter(is_late);
        if late().count() >= MIN_LATE {
            self.nanos = late().fold(f64::INFINITY, f64::min) + STEP * period;
            self.unchanged = 0;
        }
    }
}
