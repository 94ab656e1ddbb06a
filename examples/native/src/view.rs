//! How a game is shown: with or without interpolation, on which display, and how fast. A number measures how uneven the motion is.

use std::time::Duration;

use evenstep::input::InputEvent;
use evenstep::{Frame, FrameStats, Smoothing, TimeScale};

use crate::{Input, Key};

/// The refresh rates that F chooses from, in hertz; `None` is the real display.
const DISPLAYS: [Option<u32>; 4] = [None, Some(30), Some(60), Some(144)];
/// The factor by which slow motion slows down.
const SLOW: u32 = 8;

/// How a game is shown. I switches interpolation, F the imitated display, L slow motion, Tab the panel of statistics.
#[derive(Clone, Debug)]
pub struct View {
    smoothing: Smoothing,
    display: usize,
    is_slow: bool,
    has_panel: bool,
    /// The time at which the last frame was shown.
    last: Option<Duration>,
    /// The frames since a key last changed how they are drawn.
    stats: FrameStats<240>,
}

impl View {
    /// Interpolated, on the real display, at full speed.
    #[must_use]
    pub fn new() -> Self {
        Self {
            smoothing: Smoothing::Interpolate,
            display: 0,
            is_slow: false,
            has_panel: false,
            last: None,
            stats: FrameStats::new(),
        }
    }

    /// Replaces the smoothing.
    #[must_use]
    pub const fn with_smoothing(mut self, smoothing: Smoothing) -> Self {
        self.smoothing = smoothing;
        self
    }

    /// Handles the keys that change the view. They act at once, not in a step, because no state depends on them.
    pub fn input(&mut self, input: &Input) {
        match input {
            InputEvent::Press(Key::I) => {
                self.smoothing = match self.smoothing {
                    Smoothing::None => Smoothing::Interpolate,
                    _ => Smoothing::None,
                };
            }
            InputEvent::Press(Key::F) => self.display = (self.display + 1) % DISPLAYS.len(),
            InputEvent::Press(Key::L) => self.is_slow ^= true,
            InputEvent::Press(Key::Tab) => {
                self.has_panel ^= true;
                return;
            }
            _ => return,
        }
        self.stats = FrameStats::new();
    }

    /// The refresh rate of the imitated display, in hertz; `None` if the real display shows all frames.
    #[must_use]
    pub const fn display(&self) -> Option<u32> {
        DISPLAYS[self.display]
    }

    /// Whether the panel of statistics is shown.
    #[must_use]
    pub const fn has_panel(&self) -> bool {
        self.has_panel
    }

    /// The speed of the game, for its timestep.
    #[must_use]
    pub const fn time_scale(&self) -> TimeScale {
        match TimeScale::new(1, SLOW) {
            Ok(slow) if self.is_slow => slow,
            _ => TimeScale::NORMAL,
        }
    }

    /// The alpha at which to draw between the last two states: without interpolation it is 1, the newest state.
    #[must_use]
    pub fn alpha(&self, frame: &Frame) -> f64 {
        match self.smoothing {
            Smoothing::None => 1.0,
            _ => frame.alpha(),
        }
    }

    /// The time of the frame that is due at `now`.
    ///
    /// # Errors
    ///
    /// The time to wait, if the imitated display has not refreshed since the last frame.
    pub fn due(&self, now: Duration) -> Result<Duration, Duration> {
        let Some(hertz) = self.display() else { return Ok(now) };
        let refresh = |number: u128| Duration::from_nanos((number * 1_000_000_000).div_ceil(hertz.into()) as u64);
        let number = now.as_nanos() * u128::from(hertz) / 1_000_000_000;
        match self.last {
            Some(last) if refresh(number) <= last => Err(refresh(number + 1).saturating_sub(now)),
            _ => Ok(refresh(number)),
        }
    }

    /// Counts a frame that is shown at the time `at`.
    pub fn record(&mut self, at: Duration, frame: &Frame) {
        let delta = at.saturating_sub(self.last.replace(at).unwrap_or_default());
        let (speed, shown) = (frame.time_scale().as_f64(), frame.shown_time(self.smoothing));
        self.stats.record_shown(delta, speed, shown, frame);
    }

    /// The last frames, since a key last changed how they are drawn.
    #[must_use]
    pub const fn stats(&self) -> &FrameStats<240> {
        &self.stats
    }

    /// The state that is drawn, and the animation error: by how many milliseconds of simulated time a frame advances more or less than the
    /// time since the frame before, as a root mean square.
    #[must_use]
    pub fn label(&self) -> String {
        let drawn = match self.smoothing {
            Smoothing::None => "newest step",
            _ => "interpolated",
        };
        format!(
            "{drawn}, animation error {:.1} ms",
            1e3 * self.stats.animation_error_rms()
        )
    }

    /// The longest texts that [`status`](Self::status) returns.
    pub(crate) fn longest_status() -> [String; 4] {
        [
            "I: interpolated, animation error 99.9 ms",
            "F: 144 Hz display",
            "L: full speed",
            "Tab: show panel",
        ]
        .map(str::to_owned)
    }

    /// The keys of the view, and their current choices.
    #[must_use]
    pub fn status(&self) -> [String; 4] {
        let display = self
            .display()
            .map_or("real display".to_owned(), |hertz| format!("{hertz} Hz display"));
        let speed = if self.is_slow {
            format!("1/{SLOW} speed")
        } else {
            "full speed".to_owned()
        };
        [
            format!("I: {}", self.label()),
            format!("F: {display}"),
            format!("L: {speed}"),
            format!("Tab: {} panel", if self.has_panel { "hide" } else { "show" }),
        ]
    }
}

impl Default for View {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use evenstep::{FixedTimestep, Rate};

    use super::*;

    const fn press(key: Key) -> Input {
        InputEvent::Press(key)
    }

    /// The animation error in milliseconds after a second of frames of 144 Hz with 60 steps a second.
    fn error(view: &mut View) -> f64 {
        let mut timestep = FixedTimestep::new(Rate::hz(60)).with_time_scale(view.time_scale());
        let mut last = view.last.unwrap_or_default();
        let begin = last;
        for frame in 1..=144_u32 {
            let now = begin + Duration::from_secs(1) * frame / 144;
            view.record(now, &timestep.advance(now - last));
            last = now;
        }
        1e3 * view.stats().animation_error_rms()
    }

    #[test]
    fn interpolated_motion_is_even_and_the_newest_step_has_an_animation_error_of_half_a_step_at_144_hertz() {
        let mut view = View::new();
        assert!(error(&mut view) < 1e-3);
        view.input(&press(Key::I));
        // 7 of 12 frames stand still for 6.94 ms; 5 advance by 16.67 − 6.94 ms too much.
        let expected = f64::sqrt((7.0 * 6.944 * 6.944 + 5.0 * 9.722 * 9.722) / 12.0);
        assert!((error(&mut view) - expected).abs() < 0.1);
        assert_eq!(view.label(), "newest step, animation error 8.2 ms");
    }

    #[test]
    fn an_imitated_display_shows_each_of_its_refreshes_once_and_at_its_own_time() {
        let mut view = View::new();
        (0..3).for_each(|_| view.input(&press(Key::F)));
        assert_eq!(view.display(), Some(144));
        let mut timestep = FixedTimestep::new(Rate::hz(60));
        let mut shown = Vec::new();
        for micros in 0..1_000_000 / 250 {
            let now = Duration::from_micros(250 * micros);
            match view.due(now) {
                Ok(at) => {
                    view.record(at, &timestep.advance(Duration::ZERO));
                    shown.push(at);
                }
                Err(wait) => assert!(!wait.is_zero() && wait < Duration::from_millis(7)),
            }
        }
        assert_eq!(shown.len(), 144);
        assert!(
            shown
                .windows(2)
                .all(|pair| (pair[1] - pair[0]).as_nanos().abs_diff(6_944_444) <= 1)
        );
    }

    #[test]
    fn slow_motion_is_exact_and_ends() {
        let mut view = View::new();
        view.input(&press(Key::L));
        assert_eq!(view.time_scale(), TimeScale::new(1, 8).unwrap());
        assert!(error(&mut view) < 1e-3);
        view.input(&press(Key::L));
        assert_eq!(view.time_scale(), TimeScale::NORMAL);
    }
}
