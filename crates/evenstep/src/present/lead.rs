/// Frames that are judged together.
const FRAMES: usize = 64;

/// So many of them must be late for no other reason before the lead grows. Fewer are hitches of the system.
const LATE: usize = 3;

/// It grows to this share of a period more than what was not enough.
const STEP: f64 = 1.0 / 16.0;

/// A frame that is seen more periods after it was handed over says nothing: the system stood still, or takes longer than pacing can
/// make up for.
const FARTHEST: f64 = 2.0;

/// After so many frames less is tried, about a minute at 60 Hz: systems become faster, too.
const PATIENCE: u16 = 4096;

/// Less by this share of a period.
const TRIED: f64 = 1.0 / 8.0;

/// By this share of the difference it shrinks with a frame that needed less. Times are reported with noise.
const SHRINKING: f64 = 0.25;

/// How long before a refresh a frame has to be handed over to be seen at it.
///
/// No system tells. A frame that was seen at a refresh had been handed over early enough for that. If no other frame was seen at the
/// refresh before, it had been too late for that one. Where a few frames were too late although they had been handed over before
/// that refresh, and none was in time with less, the lead is more than they had.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lead {
    nanos: f64,
    /// Of the last frames, in a ring: how long before the refresh at which it was seen each was handed over, and how long before
    /// the one that it was too late for.
    last: [(f64, f64); FRAMES],
    next: usize,
    /// Frames since the lead grew, or less was tried.
    unchanged: u16,
}

impl Lead {
    pub(super) const fn new() -> Self {
        Self {
            nanos: 0.0,
            last: [(f64::INFINITY, f64::NEG_INFINITY); FRAMES],
            next: 0,
            unchanged: 0,
        }
    }

    /// In nanoseconds.
    pub(super) const fn nanos(&self) -> f64 {
        self.nanos
    }

    /// Takes a frame that was seen so many nanoseconds after it was handed over. `was_free` says whether no other was seen at the
    /// refresh before.
    pub(super) fn observe(&mut self, after: f64, was_free: bool, period: f64) {
        if after > FARTHEST * period {
            return;
        }
        let too_late = if was_free { after - period } else { f64::NEG_INFINITY };
        self.last[self.next] = (after, too_late);
        self.next = (self.next + 1) % FRAMES;
        self.nanos += SHRINKING * (after - self.nanos).min(0.0);
        self.unchanged += 1;
        if self.unchanged >= PATIENCE {
            self.unchanged = 0;
            self.nanos = (self.nanos - TRIED * period).max(0.0);
        }
        self.grow(period);
    }

    fn grow(&mut self, period: f64) {
        let enough = self
            .last
            .iter()
            .fold(f64::INFINITY, |least, (seen, _)| least.min(*seen));
        let is_late = |before: &f64| (self.nanos..enough).contains(before);
        let late = || self.last.iter().map(|(_, before)| *before).filter(is_late);
        if late().count() >= LATE {
            self.nanos = late().fold(f64::INFINITY, f64::min) + STEP * period;
            self.unchanged = 0;
        }
    }
}
