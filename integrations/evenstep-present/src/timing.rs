use std::time::Duration;

use serde::Serialize;

use crate::milliseconds::{millis, percentile_99, sorted};
use crate::session::Session;

/// When frames were seen, as the system measured it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FrameTiming {
    /// Frames that began.
    pub frames: usize,
    /// Frames that were seen.
    pub seen: usize,
    /// The median of the times between two frames that were seen, in milliseconds.
    pub interval_ms: f64,
    /// What 99 % of those times do not exceed, in milliseconds.
    pub interval_p99_ms: f64,
    /// From the beginning of a frame, when input is read, until it was seen: the mean in milliseconds.
    pub latency_mean_ms: f64,
    /// What 99 % of the latencies do not exceed, in milliseconds.
    pub latency_p99_ms: f64,
}

impl Session {
    /// When frames were seen that began so long after the first, or later. None if fewer than two were seen.
    #[must_use]
    pub fn timing(&self, settling: Duration) -> Option<FrameTiming> {
        let intervals = sorted(self.intervals(settling));
        let latencies = sorted(self.settled(settling).map(|(begun, seen)| millis(seen) - millis(begun)));
        Some(FrameTiming {
            frames: self.begun_after(settling),
            seen: latencies.len(),
            interval_ms: *intervals.get(intervals.len() / 2)?,
            interval_p99_ms: percentile_99(&intervals)?,
            latency_mean_ms: latencies.iter().sum::<f64>() / latencies.len() as f64,
            latency_p99_ms: percentile_99(&latencies)?,
        })
    }

    /// Refreshes that showed no new frame, between frames that began so long after the first, or later, if there is a refresh
    /// every `period_ms` milliseconds.
    #[must_use]
    pub fn missed(&self, settling: Duration, period_ms: f64) -> u64 {
        let passed = |interval: f64| (interval / period_ms).round() as u64;
        self.intervals(settling)
            .map(|interval| passed(interval).saturating_sub(1))
            .sum()
    }

    /// Whether three of four frames were seen within an eighth of this from a multiple of it after the one before.
    pub(crate) fn fits(&self, period_ms: f64) -> bool {
        let off = |interval: f64| interval - (interval / period_ms).round().max(1.0) * period_ms;
        let near = self
            .intervals(Duration::ZERO)
            .filter(|interval| off(*interval).abs() <= period_ms / 8.0);
        4 * near.count() >= 3 * self.intervals(Duration::ZERO).count()
    }

    fn intervals(&self, settling: Duration) -> impl Iterator<Item = f64> {
        let times: Vec<Duration> = self.settled(settling).map(|(_, seen)| seen).collect();
        (1..times.len()).map(move |at| millis(times[at]) - millis(times[at - 1]))
    }

    /// When frames began and were seen.
    fn settled(&self, settling: Duration) -> impl Iterator<Item = (Duration, Duration)> {
        let frames = self
            .seen_times()
            .into_iter()
            .map(|(frame, seen)| (self.begun(frame), seen));
        let start = self.start() + settling;
        frames.filter(move |(begun, _)| *begun >= start)
    }
}

#[cfg(test)]
mod tests {
    use evenstep::present::PresentFeedback;

    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn latencies_and_missed_refreshes_are_those_of_the_frames_that_were_seen() {
        let mut session = Session::default();
        assert_eq!(session.timing(Duration::ZERO), None);
        // Of a display at 100 Hz: a frame begins 4 ms before each refresh. One was discarded, one came two refreshes late.
        for (begun, seen) in [
            (6, Some(10)),
            (16, Some(20)),
            (26, None),
            (36, Some(40)),
            (46, Some(70)),
        ] {
            let id = session.begin(begun * MS);
            session.submit((begun + 3) * MS);
            let presented = seen.map(|seen| seen * MS);
            session.observe(
                PresentFeedback {
                    id,
                    presented,
                    ..Default::default()
                },
                100 * MS,
            );
        }
        let timing = session.timing(Duration::ZERO).unwrap();
        assert_eq!((timing.frames, timing.seen), (5, 4));
        assert_eq!((timing.interval_ms, timing.interval_p99_ms), (20.0, 30.0));
        assert_eq!((timing.latency_mean_ms, timing.latency_p99_ms), (9.0, 24.0));
        assert_eq!(session.missed(Duration::ZERO, 10.0), 3);
        assert!(session.fits(10.0) && session.fits(5.0) && !session.fits(7.0) && !session.fits(100.0));
        // Without the first two there is one pair, whose times are 30 ms apart.
        let later = session.timing(15 * MS).unwrap();
        assert_eq!((later.frames, later.seen, later.interval_ms), (3, 2, 30.0));
        assert_eq!(session.missed(15 * MS, 10.0), 2);
    }
}
