//! Intervals, latencies and missed refreshes of presented frames.

use std::time::Duration;

use serde::Serialize;

use crate::session::Session;
use crate::statistics::{millis, percentile_99, sorted};

/// Statistics of presentation times.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FrameTiming {
    /// Started frames.
    pub frames: usize,
    /// Presented frames.
    #[serde(rename = "seen")]
    pub presented: usize,
    /// The median of the intervals between presented frames, in milliseconds.
    pub interval_ms: f64,
    /// The 99th percentile of these intervals, in milliseconds.
    pub interval_p99_ms: f64,
    /// The mean latency in milliseconds, from the start of a frame, when input is read, to its presentation.
    pub latency_mean_ms: f64,
    /// The 99th percentile of the latencies, in milliseconds.
    pub latency_p99_ms: f64,
}

impl Session {
    /// Statistics of the frames that started at least `settling` after the first. `None` if fewer than two were presented.
    #[must_use]
    pub fn timing(&self, settling: Duration) -> Option<FrameTiming> {
        let intervals = sorted(self.intervals(settling));
        let latencies = sorted(
            self.settled(settling)
                .map(|(begun, presented)| millis(presented) - millis(begun)),
        );
        Some(FrameTiming {
            frames: self.begun_after(settling),
            presented: latencies.len(),
            interval_ms: *intervals.get(intervals.len() / 2)?,
            interval_p99_ms: percentile_99(&intervals)?,
            latency_mean_ms: latencies.iter().sum::<f64>() / latencies.len() as f64,
            latency_p99_ms: percentile_99(&latencies)?,
        })
    }

    /// The number of refreshes without a new frame, between frames that started at least `settling` after the first, if the refresh period
    /// is `period_ms` milliseconds.
    #[must_use]
    pub fn missed_refreshes(&self, settling: Duration, period_ms: f64) -> u64 {
        let passed = |interval: f64| (interval / period_ms).round() as u64;
        self.intervals(settling)
            .map(|interval| passed(interval).saturating_sub(1))
            .sum()
    }

    /// Whether at least three quarters of the intervals are within an eighth of the period from a multiple of it.
    pub(crate) fn fits(&self, period_ms: f64) -> bool {
        let off = |interval: f64| interval - (interval / period_ms).round().max(1.0) * period_ms;
        let near = self
            .intervals(Duration::ZERO)
            .filter(|interval| off(*interval).abs() <= period_ms / 8.0);
        4 * near.count() >= 3 * self.intervals(Duration::ZERO).count()
    }

    fn intervals(&self, settling: Duration) -> impl Iterator<Item = f64> {
        let times: Vec<Duration> = self.settled(settling).map(|(_, presented)| presented).collect();
        (1..times.len()).map(move |at| millis(times[at]) - millis(times[at - 1]))
    }

    /// The start and presentation times of frames.
    fn settled(&self, settling: Duration) -> impl Iterator<Item = (Duration, Duration)> {
        let frames = self
            .presented_times()
            .into_iter()
            .map(|(frame, presented)| (self.begun(frame), presented));
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
    fn latencies_and_missed_refreshes_are_those_of_presented_frames() {
        let mut session = Session::default();
        assert_eq!(session.timing(Duration::ZERO), None);
        // A display at 100 Hz: a frame starts 4 ms before each refresh. One was discarded, one was presented two refreshes late.
        for (begun, presented) in [
            (6, Some(10)),
            (16, Some(20)),
            (26, None),
            (36, Some(40)),
            (46, Some(70)),
        ] {
            let id = session.begin(begun * MS);
            session.submit((begun + 3) * MS);
            let presented = presented.map(|presented| presented * MS);
            session.observe(PresentFeedback::new(id, presented), 100 * MS);
        }
        let timing = session.timing(Duration::ZERO).unwrap();
        assert_eq!((timing.frames, timing.presented), (5, 4));
        assert_eq!((timing.interval_ms, timing.interval_p99_ms), (20.0, 30.0));
        assert_eq!((timing.latency_mean_ms, timing.latency_p99_ms), (9.0, 24.0));
        assert_eq!(session.missed_refreshes(Duration::ZERO, 10.0), 3);
        assert!(session.fits(10.0) && session.fits(5.0) && !session.fits(7.0) && !session.fits(100.0));
        // Without the first two frames one interval of 30 ms remains.
        let later = session.timing(15 * MS).unwrap();
        assert_eq!((later.frames, later.presented, later.interval_ms), (3, 2, 30.0));
        assert_eq!(session.missed_refreshes(15 * MS, 10.0), 2);
    }
}
