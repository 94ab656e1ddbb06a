//! Emulates a display of another rate on the reader's.

use std::time::Duration;

use evenstep::Rate;
use evenstep_scenes::Display;

#[cfg(any(feature = "article", test))]
use crate::time::duration;

/// The longest real time that is emulated in one call, so that a tab that becomes visible again does not stall.
const MAX_DELTA: Duration = Duration::from_millis(250);

/// The most frames in one call, which a recording of frames without length would exceed.
const MAX_FRAMES: usize = 10_000;

/// Another display, emulated on this one: the frames that it would have shown, with the deltas that a game on it
/// would have measured.
pub(crate) struct EmulatedDisplay {
    /// `None` is the real display.
    display: Option<Display>,
    /// The largest error of a measured time.
    jitter: Duration,
    /// Real time since the display was switched on, in nanoseconds.
    now: u64,
    /// When the last frame was shown and the next one is, in nanoseconds.
    shown: u64,
    next: u64,
    /// The time that was measured for the last frame, in nanoseconds.
    measured: u64,
    random: fastrand::Rng,
}

impl EmulatedDisplay {
    /// A display of `refresh` frames a second; zero is the real display.
    pub(crate) fn new(refresh: u32) -> Self {
        let mut display = Self {
            display: None,
            jitter: Duration::ZERO,
            now: 0,
            shown: 0,
            next: 0,
            measured: 0,
            random: fastrand::Rng::with_seed(1),
        };
        display.set_refresh(refresh);
        display
    }

    /// Sets the refresh rate in hertz; zero is the real display.
    pub(crate) fn set_refresh(&mut self, hertz: u32) {
        self.set_display((hertz > 0).then(|| Display::even(Rate::hz(hertz))));
    }

    /// Switches another display on; `None` is the real one.
    pub(crate) fn set_display(&mut self, display: Option<Display>) {
        self.display = display;
        (self.now, self.shown, self.next, self.measured) = (0, 0, 0, 0);
        self.plan_next();
    }

    /// Sets the largest error of a measured time, in milliseconds.
    #[cfg(feature = "article")]
    pub(crate) fn set_jitter(&mut self, milliseconds: f64) {
        self.jitter = duration(milliseconds);
    }

    fn plan_next(&mut self) {
        self.shown = self.next;
        let delta = self.display.as_mut().map(Display::next_delta);
        self.next = self.next.saturating_add(delta.unwrap_or_default().as_nanos() as u64);
    }

    /// The deltas that a game measures for the frames that are shown while `delta` of real time passes.
    pub(crate) fn frames(&mut self, delta: Duration) -> Vec<Duration> {
        let frames = self.timed_frames(delta).into_iter();
        frames.map(|(_, measured)| measured).collect()
    }

    /// The frames that are shown while `delta` of real time passes: for each the real time since the last one, and what a game measures.
    pub(crate) fn timed_frames(&mut self, delta: Duration) -> Vec<(Duration, Duration)> {
        let delta = delta.min(MAX_DELTA);
        self.now += delta.as_nanos() as u64;
        if self.display.is_none() {
            return vec![(delta, self.measure(self.now))];
        }
        let mut frames = Vec::new();
        while self.next <= self.now && frames.len() < MAX_FRAMES {
            let measured = self.measure(self.next);
            frames.push((Duration::from_nanos(self.next - self.shown), measured));
            self.plan_next();
        }
        frames
    }

    /// The delta that a game measures for a frame that is shown at `time`.
    fn measure(&mut self, time: u64) -> Duration {
        let jitter = self.jitter.as_nanos() as f64;
        let offset = (jitter * (2.0 * self.random.f64() - 1.0)) as i64;
        let clock = Duration::from_nanos(time.saturating_add_signed(offset));
        let read = self.display.as_ref().map_or(clock, |display| display.read_timer(clock));
        let measured = (read.as_nanos() as u64).max(self.measured);
        let delta = measured - self.measured;
        self.measured = measured;
        Duration::from_nanos(delta)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(display: &mut EmulatedDisplay, frames: u32) -> (usize, Duration) {
        let deltas: Vec<_> = (0..frames)
            .flat_map(|_| display.frames(duration(1000.0 / 60.0)))
            .collect();
        (deltas.len(), deltas.iter().sum())
    }

    #[test]
    fn a_display_at_another_rate_shows_as_many_frames_as_it_would() {
        for hertz in [10, 55, 60, 144, 240] {
            let mut display = EmulatedDisplay::new(hertz);
            let (count, time) = sum(&mut display, 600);
            assert_eq!(count, 10 * hertz as usize);
            assert_eq!(time, Duration::from_secs(10));
        }
    }

    #[cfg(feature = "article")]
    #[test]
    fn jitter_moves_frames_about_and_loses_no_time() {
        let mut display = EmulatedDisplay::new(100);
        display.set_jitter(2.0);
        let deltas: Vec<_> = (0..40).flat_map(|_| display.frames(MAX_DELTA)).collect();
        let total: Duration = deltas.iter().sum();
        assert_eq!(deltas.len(), 1000);
        assert!(total.abs_diff(Duration::from_secs(10)) <= Duration::from_millis(2));
        let uneven = |delta: &&Duration| delta.abs_diff(Duration::from_millis(10)) > Duration::from_millis(1);
        assert!(deltas.iter().filter(uneven).count() > 200);
        assert!(deltas.iter().all(|delta| *delta <= Duration::from_millis(14)));
    }

    #[test]
    fn the_recorded_display_shows_every_frame_at_its_recorded_time() {
        let mut display = EmulatedDisplay::new(0);
        let delta = Duration::from_micros(12_345);
        assert_eq!(display.frames(delta), [delta]);
        assert_eq!(display.frames(Duration::from_secs(9)), [MAX_DELTA]);
    }

    #[test]
    fn a_recording_of_frames_without_length_ends() {
        let mut display = EmulatedDisplay::new(0);
        display.set_display(Some(Display::recorded(vec![Duration::ZERO])));
        assert_eq!(display.frames(MAX_DELTA).len(), MAX_FRAMES);
    }
}
