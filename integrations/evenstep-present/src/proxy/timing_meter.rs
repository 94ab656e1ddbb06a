//! Judges a compositor by what programs ask of it: frames at a time (`wp_commit_timing_v1`) and frames one after another (`wp_fifo_v1`).

use std::collections::BTreeMap;
use std::time::Duration;

use super::report::{PresentedFrame, Shown};

/// A frame is early or late by more than this: the resolution of recordings.
const EXACT: Duration = Duration::from_micros(1);

/// How a compositor met what was asked for a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TimingVerdict {
    /// The time from the target to the presentation, in nanoseconds; none without a target or a presentation.
    pub from_target: Option<i64>,
    /// Whether the frame was presented before its target, which is forbidden.
    pub is_early: bool,
    /// Whether the frame was presented a refresh or more after its target, although it was committed a refresh before it. It may have waited
    /// for a frame before it that was late itself.
    pub is_late: bool,
    /// Whether the frame waited and the one before it, which set a barrier, was on the screen for less than a refresh; none if the frame
    /// did not wait for one.
    pub is_fifo_violated: Option<bool>,
}

/// Judges frames in the order in which a [`Proxy`](super::Proxy) reports them. The constraints of a surface that is not shown do not hold,
/// so a frame that is never presented violates none.
#[derive(Clone, Debug, Default)]
pub struct TimingMeter {
    /// What became of the frame before, and whether it set a barrier, by connection and surface.
    before: BTreeMap<(u64, u64), (Shown, bool)>,
}

impl TimingMeter {
    /// Judges the next frame.
    pub fn judge(&mut self, frame: &PresentedFrame) -> TimingVerdict {
        let asked = frame.timing;
        let surface = (frame.connection, frame.surface);
        let before = self.before.insert(surface, (frame.shown, asked.sets_barrier));
        let Shown::Presented { at, refresh, .. } = frame.shown else {
            return TimingVerdict::default();
        };
        let is_refresh_known = !refresh.is_zero();
        let mut verdict = TimingVerdict::default();
        if let Some(target) = asked.target {
            verdict.from_target = i64::try_from(at.as_nanos() as i128 - target.as_nanos() as i128).ok();
            verdict.is_early = at.saturating_add(EXACT) < target;
            let is_in_time = frame.committed.saturating_add(refresh) <= target;
            verdict.is_late = is_refresh_known && is_in_time && at >= target.saturating_add(refresh);
        }
        if let Some((shown, true)) = before.filter(|_| asked.waits && is_refresh_known) {
            verdict.is_fifo_violated = match shown {
                // The frame was replaced before it was shown.
                Shown::Discarded => Some(true),
                // Times of presentation vary by a little around the refreshes.
                Shown::Presented { at: before, .. } => Some(at < before.saturating_add(refresh - refresh / 4)),
                Shown::Unknown => None,
            };
        }
        verdict
    }
}
