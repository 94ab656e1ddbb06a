//! The times at which the frames of a program began, were ready and were displayed.

use std::time::Duration;

use crate::read::present::Present;
use crate::read::trace::SwapChain;

/// The frames of a program on one clock.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Timeline {
    /// Frames that the program made, oldest first.
    pub frames: Vec<TimelineFrame>,
}

/// The times of a frame, in seconds from the start of the first frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct TimelineFrame {
    /// When the program read its clock.
    pub start: f64,
    /// When it presented the frame.
    pub ready: f64,
    /// When the frame was displayed; `None` if it never was, or if the time is unknown.
    pub displayed: Option<f64>,
}

impl Timeline {
    /// Frames that follow each other without a gap: each is ready when the next one begins.
    #[must_use]
    pub fn from_deltas(deltas: &[Duration]) -> Self {
        let mut start = 0.0;
        let frame = |delta: &Duration| {
            let ready = start + delta.as_secs_f64();
            let frame = TimelineFrame {
                start,
                ready,
                displayed: None,
            };
            start = ready;
            frame
        };
        Self {
            frames: deltas.iter().map(frame).collect(),
        }
    }

    /// The frames of a recording, from its presents if they have display times, and otherwise from its deltas. Generated frames are left
    /// out.
    #[must_use]
    pub fn of(chain: &SwapChain) -> Self {
        let own: Vec<&Present> = chain.presents.iter().filter(|present| !present.is_generated).collect();
        if own.len() < 2 || own.iter().all(|present| present.displayed.is_none()) {
            return Self::from_deltas(&chain.deltas);
        }
        let mut frames = Vec::with_capacity(own.len());
        let (mut last_start, mut last_displayed) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        for (index, present) in own.iter().enumerate() {
            // If the file does not state when a frame began, it began when the previous frame was presented.
            let before = index.checked_sub(1).map(|before| own[before].presented);
            let Some(start) = present.started.or(before) else {
                continue;
            };
            if start < last_start {
                continue;
            }
            let displayed = present.displayed.filter(|displayed| *displayed > last_displayed);
            last_displayed = displayed.unwrap_or(last_displayed);
            last_start = start;
            frames.push(TimelineFrame {
                start,
                ready: present.presented,
                displayed,
            });
        }
        Self::from_milliseconds(frames)
    }

    fn from_milliseconds(mut frames: Vec<TimelineFrame>) -> Self {
        let first = frames.first().map_or(0.0, |frame| frame.start);
        for frame in &mut frames {
            let seconds = |time: f64| (time - first) * 1e-3;
            frame.start = seconds(frame.start);
            frame.ready = seconds(frame.ready);
            frame.displayed = frame.displayed.map(seconds);
        }
        Self { frames }
    }

    /// The deltas that the program's own loop would have measured. The first delta is zero.
    #[must_use]
    pub fn deltas(&self) -> Vec<Duration> {
        let mut last = 0.0;
        let delta = |frame: &TimelineFrame| {
            let delta = Duration::try_from_secs_f64(frame.start - last).unwrap_or_default();
            last = frame.start;
            delta
        };
        self.frames.iter().map(delta).collect()
    }

    /// Whether any frame has a display time.
    #[must_use]
    pub fn is_displayed(&self) -> bool {
        self.frames.iter().any(|frame| frame.displayed.is_some())
    }
}
