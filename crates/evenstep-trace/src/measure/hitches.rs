//! Finds hitches: frames, and changes of the display, that come much later than those around them.

use std::collections::VecDeque;

use crate::measure::thresholds::{HITCH_AROUND, HITCH_FRAMES, HITCH_MEDIANS, MIN_HITCH_MS, STOP_MS};
use serde::Serialize;

/// A hitch: a frame much longer than the frames around it, or a display that stood still although no frame was long.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Hitch {
    /// The time at which it ended, in seconds from the start.
    pub at_s: f64,
    /// Its length in milliseconds.
    pub ms: f64,
    /// Whether a frame or only the display was late.
    pub of: HitchOf,
}

/// What was late.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum HitchOf {
    /// The program's frame took long.
    Frame,
    /// The display showed one frame for long, although the program's frames did not take long.
    Display,
}

/// A display hitch within this time of a frame hitch, in seconds, is that hitch on its way to the screen.
const ON_ITS_WAY_S: f64 = 0.15;

/// The first frames have too few before them to compare with, and the key that starts a capture disturbs them.
const HITCH_FIRST: usize = 15;

/// Hitches closer to each other than this, in seconds, are one: a frame at 50 Hz. With more, a count would miss one of twelve random
/// hitches in a minute too often.
const ONE_HITCH_S: f64 = 0.02;

/// Finds hitches in one series of times.
#[derive(Clone, Debug, Default)]
pub(crate) struct HitchFinder {
    /// The next times to be judged, each with its end in milliseconds from the start.
    waiting: VecDeque<(f64, f64)>,
    /// The longest time that is no hitch at each time around the next one, itself included.
    limits: VecDeque<f64>,
    /// How many of the limits belong to times before the next one.
    before: usize,
    /// The lowest limit so far: what does not exceed it is no hitch.
    lowest: Option<f64>,
    found: Vec<Hitch>,
    /// The time in frames that are much longer than the median around them, in milliseconds.
    stuttering: f64,
}

/// The longest time without a hitch at this baseline. It increases with the baseline. A display that shows frames at any rate repeats
/// single ones, so that only a stop counts as its hitch.
fn longest_without(of: HitchOf, baseline: f64) -> f64 {
    baseline
        + match of {
            HitchOf::Frame => STOP_MS.min(HITCH_FRAMES * baseline).max(MIN_HITCH_MS),
            HitchOf::Display => STOP_MS,
        }
}

impl HitchFinder {
    /// Adds the next time, in milliseconds, and when it ended. All times are of the same.
    pub(crate) fn add(&mut self, of: HitchOf, time: f64, end: f64) {
        let limit = longest_without(of, time);
        self.waiting.push_back((time, end));
        self.limits.push_back(limit);
        self.lowest = Some(self.lowest.map_or(limit, |lowest| lowest.min(limit)));
        if self.waiting.len() > HITCH_AROUND {
            self.judge(of);
        }
    }

    fn judge(&mut self, of: HitchOf) {
        let Some((time, end)) = self.waiting.pop_front() else {
            return;
        };
        // More than half of the limits are below `time` if and only if the limit of the median is, because the limit increases with the
        // frame time. Of frames that are short and long in turn, one more than half may be short: then a long one is no hitch.
        let most = self.limits.len() / 2 + usize::from(of == HitchOf::Frame);
        let is_above = |time: f64| {
            self.lowest.is_some_and(|lowest| lowest < time)
                && self.limits.iter().filter(|limit| **limit < time).count() > most
        };
        if is_above(longest_without(of, time / HITCH_MEDIANS)) {
            self.stuttering += time;
        }
        if self.before >= HITCH_FIRST && is_above(time) {
            let (at_s, ms) = (end / 1e3, time);
            self.found.push(Hitch { at_s, ms, of });
        }
        if self.before == HITCH_AROUND {
            self.limits.pop_front();
        } else {
            self.before += 1;
        }
    }

    /// Judges the rest. Returns the hitches, and the time in frames that are much longer than those around them.
    pub(crate) fn finish(mut self, of: HitchOf) -> (Vec<Hitch>, f64) {
        while !self.waiting.is_empty() {
            self.judge(of);
        }
        (self.found, self.stuttering)
    }
}

/// Hitches of frames and of the display by time. Each is listed once, although a long frame makes the display stand still, too, and several
/// long frames close to each other are one, as long as the longest.
pub(crate) fn merged(frames: Vec<Hitch>, display: Vec<Hitch>) -> Vec<Hitch> {
    let is_new = |hitch: &Hitch| {
        let near = ON_ITS_WAY_S + hitch.ms / 1e3;
        let at = frames.partition_point(|frame| frame.at_s < hitch.at_s - near);
        frames.get(at).is_none_or(|frame| frame.at_s > hitch.at_s + near)
    };
    let new: Vec<Hitch> = display.into_iter().filter(is_new).collect();
    let mut all = [frames, new].concat();
    all.sort_by(|one, other| one.at_s.total_cmp(&other.at_s));
    let mut apart: Vec<Hitch> = Vec::with_capacity(all.len());
    for hitch in all {
        match apart.last_mut() {
            Some(last) if hitch.at_s - hitch.ms / 1e3 - last.at_s < ONE_HITCH_S => {
                let of = if hitch.ms > last.ms { hitch.of } else { last.of };
                (last.at_s, last.ms, last.of) = (hitch.at_s, last.ms.max(hitch.ms), of);
            }
            _ => apart.push(hitch),
        }
    }
    apart
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_of_the_display_near_a_long_frame_is_that_frame_and_hitches_close_to_each_other_are_one() {
        let of = |of: HitchOf| move |(at_s, ms): (f64, f64)| Hitch { at_s, ms, of };
        let (frame, display) = (of(HitchOf::Frame), of(HitchOf::Display));
        // 150 ms of its way and its own 200 ms.
        for (at, is_listed) in [(4.64, true), (4.66, false), (5.34, false), (5.36, true)] {
            let found = merged(vec![frame((5.0, 100.0))], vec![display((at, 200.0))]);
            let mut expected = vec![frame((5.0, 100.0))];
            expected.extend(is_listed.then(|| display((at, 200.0))));
            expected.sort_by(|one, other| one.at_s.total_cmp(&other.at_s));
            assert_eq!(found, expected, "at {at} s");
        }
        // From the end of one to the begin of the next.
        for (at, count) in [(5.11, 1), (5.13, 2)] {
            let found = merged(vec![frame((5.0, 200.0)), frame((at, 100.0))], Vec::new());
            assert_eq!(found.len(), count, "at {at} s");
            assert_eq!(found[0].ms, 200.0);
        }
        let apart = vec![frame((0.0, 0.0)), frame((ONE_HITCH_S, 0.0))];
        assert_eq!(merged(apart.clone(), Vec::new()), apart);
    }
}
