//! The times at which the frames of a program began, were ready and were displayed.

use std::time::Duration;

use crate::read::present::Present;
use crate::read::trace::SwapChain;

/// The frames that a program made, on one clock, oldest first.
pub(crate) struct Timeline {
    pub(crate) frames: Vec<TimelineFrame>,
    /// What the file does not state, and what is assumed.
    pub(crate) assumed: Option<&'static str>,
}

/// The times of a frame, in seconds from the start of the first frame.
pub(crate) struct TimelineFrame {
    /// When the program read its clock.
    pub(crate) start: f64,
    /// When it presented the frame.
    pub(crate) ready: f64,
    /// When the frame was displayed; `None` if it never was, or if the time is unknown.
    pub(crate) displayed: Option<f64>,
}

impl Timeline {
    /// The frames of a recording, from its presents if they have display times, and otherwise from its deltas. Generated frames are left
    /// out.
    pub(crate) fn new(chain: &SwapChain) -> Self {
        let own: Vec<&Present> = chain.presents.iter().filter(|present| !present.is_generated).collect();
        if own.len() < 2 || own.iter().all(|present| present.displayed.is_none()) {
            return Self::from_deltas(&chain.deltas);
        }
        let mut frames = Vec::with_capacity(own.len());
        let (mut first, mut last_start, mut last_displayed) = (None, f64::NEG_INFINITY, f64::NEG_INFINITY);
        for (index, present) in own.iter().enumerate() {
            // If the file does not state when a frame began, it began when the previous frame was presented.
            let before = index.checked_sub(1).map(|before| own[before].presented);
            let Some(start) = present.started.or(before).filter(|start| *start >= last_start) else {
                continue;
            };
            let first = *first.get_or_insert(start);
            let seconds = |time: f64| (time - first) * 1e-3;
            let displayed = present.displayed.filter(|displayed| *displayed > last_displayed);
            last_displayed = displayed.unwrap_or(last_displayed);
            last_start = start;
            frames.push(TimelineFrame {
                start: seconds(start),
                ready: seconds(present.presented),
                displayed: displayed.map(seconds),
            });
        }
        let is_assumed = 2 * own.iter().filter(|present| present.started.is_none()).count() > own.len();
        Self {
            frames,
            assumed: is_assumed.then_some(
                "the file does not state when each frame began: it is taken to begin when the last one was presented",
            ),
        }
    }

    /// Frames that follow each other without a gap: each is ready when the next one begins.
    fn from_deltas(deltas: &[Duration]) -> Self {
        let mut start = 0.0;
        let frame = |delta: &Duration| {
            let ready = start + delta.as_secs_f64();
            let start = std::mem::replace(&mut start, ready);
            TimelineFrame {
                start,
                ready,
                displayed: None,
            }
        };
        Self {
            frames: deltas.iter().map(frame).collect(),
            assumed: Some(
                "the file does not state when each frame was ready: it is taken to be ready when the next one begins",
            ),
        }
    }

    /// The deltas that the program's own loop would have measured. The first delta is zero.
    pub(crate) fn deltas(&self) -> Vec<Duration> {
        let mut last = 0.0;
        let delta = |frame: &TimelineFrame| {
            let since = frame.start - std::mem::replace(&mut last, frame.start);
            Duration::try_from_secs_f64(since).unwrap_or_default()
        };
        self.frames.iter().map(delta).collect()
    }

    /// Whether any frame has a display time.
    pub(crate) fn is_displayed(&self) -> bool {
        self.frames.iter().any(|frame| frame.displayed.is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Presents that are displayed 20 ms later, with their starts if known.
    fn chain(presents: &[(f64, Option<f64>)]) -> SwapChain {
        let present = |(presented, started): &(f64, Option<f64>)| Present {
            started: *started,
            displayed: Some(presented + 20.0),
            ..Present::new(*presented)
        };
        SwapChain {
            presents: presents.iter().map(present).collect(),
            ..SwapChain::default()
        }
    }

    fn micros(seconds: f64) -> i64 {
        (seconds * 1e6).round() as i64
    }

    #[test]
    fn a_frame_without_a_start_began_when_the_previous_one_was_presented() {
        let timeline = Timeline::new(&chain(&[(1_000.0, None), (1_016.0, None), (1_033.0, Some(1_020.0))]));
        let times = timeline.frames.iter().map(|frame| {
            let displayed = frame.displayed.unwrap();
            [frame.start, frame.ready, displayed].map(micros)
        });
        let times: Vec<_> = times.collect();
        assert_eq!(times, [[0, 16_000, 36_000], [20_000, 33_000, 53_000]]);
        assert!(timeline.is_displayed() && timeline.assumed.is_some());
        let deltas = timeline.deltas();
        assert_eq!(
            deltas
                .iter()
                .map(|delta| micros(delta.as_secs_f64()))
                .collect::<Vec<_>>(),
            [0, 20_000]
        );
    }

    #[test]
    fn what_is_assumed_is_told_where_most_frames_lack_a_start() {
        let of = |unknown: usize| {
            let presents = (0..6).map(|n| {
                (
                    100.0 + 10.0 * n as f64,
                    (n >= unknown).then_some(95.0 + 10.0 * n as f64),
                )
            });
            Timeline::new(&chain(&presents.collect::<Vec<_>>())).assumed.is_some()
        };
        assert_eq!([0, 3, 4, 6].map(of), [false, false, true, true]);
    }

    #[test]
    fn without_display_times_each_frame_is_ready_when_the_next_one_begins() {
        let mut chain = chain(&[]);
        chain.deltas = vec![Duration::from_millis(10), Duration::from_millis(30)];
        let timeline = Timeline::new(&chain);
        let times: Vec<_> = timeline
            .frames
            .iter()
            .map(|frame| [frame.start, frame.ready].map(micros))
            .collect();
        assert_eq!(times, [[0, 10_000], [10_000, 40_000]]);
        assert!(!timeline.is_displayed() && timeline.assumed.is_some());
    }
}
