//! Judges a compositor by what programs ask of it: frames at a time (`wp_commit_timing_v1`) and frames one after another (`wp_fifo_v1`).

use std::collections::BTreeMap;
use std::time::Duration;

use super::report::{PresentedFrame, Shown};

/// A frame is early or late by more than this: the resolution of recordings.
const EXACT: Duration = Duration::from_micros(1);

/// How a compositor met what was asked for a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimingVerdict {
    /// The time from the target to the presentation, in nanoseconds; none without a target or a presentation.
    pub from_target: Option<i64>,
    /// Whether the frame was presented before its target, which is forbidden.
    pub is_early: bool,
    /// Whether the frame was presented more than a refresh after its target, although it was committed a refresh before it. It may have
    /// waited for a frame before it that was late itself.
    pub is_late: bool,
    /// Whether the frame waited and the one before it, which set a barrier, was on the screen for less than a refresh; none if the frame
    /// did not wait for one. Also true if the one before was never on the screen although the one before that was; that may be no violation
    /// but the only frame of a time in which the surface was not shown.
    pub is_fifo_violated: Option<bool>,
}

/// Judges frames in the order in which a [`Proxy`](super::Proxy) reports them. The constraints of a surface that is not shown do not hold,
/// so a frame that is never presented violates none.
#[derive(Clone, Debug, Default)]
pub struct TimingMeter {
    /// The last frame that matters to the next one, by connection and surface.
    before: BTreeMap<(u64, u64), Before>,
}

/// A frame that came before another.
#[derive(Clone, Copy, Debug)]
struct Before {
    /// Unknown also if neither it nor the one before it was presented: then the surface may not have been shown.
    shown: Shown,
    sets_barrier: bool,
}

impl TimingMeter {
    /// Judges the next frame.
    pub fn judge(&mut self, frame: &PresentedFrame) -> TimingVerdict {
        let asked = frame.timing;
        let surface = (frame.connection, frame.surface);
        let before = self.before.get(&surface).copied();
        self.remember(surface, frame, before);
        let Shown::Presented { at, refresh, .. } = frame.shown else {
            return TimingVerdict::default();
        };
        let is_refresh_known = !refresh.is_zero();
        let mut verdict = TimingVerdict::default();
        if let Some(target) = asked.target {
            verdict.from_target = i64::try_from(at.as_nanos() as i128 - target.as_nanos() as i128).ok();
            verdict.is_early = at.saturating_add(EXACT) < target;
            let is_in_time = frame.committed.saturating_add(refresh) <= target;
            verdict.is_late = is_refresh_known && is_in_time && at > target.saturating_add(refresh + EXACT);
        }
        if let Some(before) = before.filter(|before| before.sets_barrier && asked.waits && is_refresh_known) {
            verdict.is_fifo_violated = match before.shown {
                // The frame was replaced before it was shown.
                Shown::Discarded => Some(true),
                // Times of presentation vary by a little around the refreshes.
                Shown::Presented { at: before, .. } => Some(at < before.saturating_add(refresh - refresh / 4)),
                Shown::Unknown => None,
            };
        }
        verdict
    }

    fn remember(&mut self, surface: (u64, u64), frame: &PresentedFrame, before: Option<Before>) {
        let was_presented = before.is_some_and(|before| matches!(before.shown, Shown::Presented { .. }));
        let asks = frame.timing.waits || frame.timing.sets_barrier;
        // A barrier on the screen outlasts a frame that asks for nothing.
        if !asks && was_presented && before.is_some_and(|before| before.sets_barrier) {
            return;
        }
        let shown = match frame.shown {
            Shown::Discarded if !was_presented => Shown::Unknown,
            shown => shown,
        };
        let now = Before {
            shown,
            sets_barrier: frame.timing.sets_barrier,
        };
        self.before.insert(surface, now);
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::CommitTiming;
    use super::*;

    const REFRESH: Duration = Duration::from_nanos(16_666_667);

    /// A frame of a surface that waits and sets a barrier; presented at this refresh, or discarded.
    fn frame(surface: u64, presented: Option<u32>) -> PresentedFrame {
        let shown = presented.map_or(Shown::Discarded, |refreshes| Shown::Presented {
            at: REFRESH * refreshes,
            refresh: REFRESH,
            flags: 0,
        });
        PresentedFrame {
            application: "game".into(),
            process: 1,
            connection: 1,
            surface,
            committed: Duration::ZERO,
            shown,
            simulated: None,
            timing: CommitTiming {
                target: None,
                sets_barrier: true,
                waits: true,
            },
        }
    }

    fn violated(frames: &[PresentedFrame]) -> Vec<Option<bool>> {
        let mut meter = TimingMeter::default();
        frames.iter().map(|frame| meter.judge(frame).is_fifo_violated).collect()
    }

    #[test]
    fn a_discarded_frame_violates_fifo_unless_the_one_before_was_discarded_too() {
        let [first, discarded, next] = [Some(1), None, Some(3)].map(|presented| frame(1, presented));
        let one = [first.clone(), discarded.clone(), next.clone()];
        assert_eq!(violated(&one), [None, None, Some(true)]);
        let two = [first, discarded.clone(), discarded, next];
        assert_eq!(violated(&two), [None; 4]);
    }

    #[test]
    fn a_frame_that_asks_for_nothing_leaves_the_barrier_before_it() {
        let mut between = frame(1, Some(1));
        between.timing = CommitTiming::default();
        assert_eq!(
            violated(&[frame(1, Some(1)), between, frame(1, Some(1))]),
            [None, None, Some(true)]
        );
    }

    #[test]
    fn a_frame_at_the_vblank_a_refresh_after_its_target_is_late_only_beyond_a_microsecond() {
        for (nanos, is_late) in [(0, false), (1_000, false), (1_001, true)] {
            let mut frame = frame(1, None);
            let target = REFRESH * 2;
            frame.timing.target = Some(target);
            frame.shown = Shown::Presented {
                at: target + REFRESH + Duration::from_nanos(nanos),
                refresh: REFRESH,
                flags: 0,
            };
            assert_eq!(TimingMeter::default().judge(&frame).is_late, is_late, "{nanos}");
        }
    }
}
