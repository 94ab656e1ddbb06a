//! Measures the display that the page is on.

use std::time::Duration;

use evenstep::filter::{DeltaFilter as _, DisplayClock};
use evenstep::{FixedTimestep, Frame, FrameStats, Rate, SimDuration, SimTime, Smoothing};
use evenstep_trace::write_frame_times;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::time::duration;

/// The number of frames in the statistics.
const WINDOW: usize = 240;

/// The largest number of recorded frames: ten minutes at 240 Hz. After that the oldest frames are dropped.
const RECORDED: usize = 144_000;

/// The display that the page is on, measured.
#[wasm_bindgen]
pub struct DisplayFigure {
    timestep: FixedTimestep,
    clock: DisplayClock,
    stats: FrameStats<WINDOW>,
    deltas: Vec<Duration>,
    /// Whether the simulation gets deltas that the display clock has filtered.
    is_filtered: bool,
    last: Option<(f64, f64)>,
    /// When the page became visible again; `None` once a frame has begun since.
    resumed: Option<f64>,
    /// Real time of known pauses, and steps and time lost without one.
    away: Duration,
    lost: Duration,
    /// The simulated time that was drawn last, and the largest advance of it in a frame.
    drawn: SimTime,
    largest_advance: SimDuration,
}

#[wasm_bindgen]
impl DisplayFigure {
    /// A simulation of `rate` steps a second on this display.
    #[wasm_bindgen(constructor)]
    pub fn new(rate: u32) -> Self {
        Self {
            timestep: FixedTimestep::new(Rate::hz(rate.max(1))),
            clock: DisplayClock::new(),
            stats: FrameStats::new(),
            deltas: Vec::new(),
            is_filtered: false,
            last: None,
            resumed: None,
            away: Duration::ZERO,
            lost: Duration::ZERO,
            drawn: SimTime::ZERO,
            largest_advance: SimDuration::ZERO,
        }
    }

    /// Takes a frame: its beginning as the browser reports it, and the time that the clock showed when
    /// the page handled it, in milliseconds. With `by_clock` the simulation gets the second time, as in most games.
    /// Returns the recorded frame time in milliseconds and the steps; nothing for the first frame and for the frame that ends a pause.
    pub fn record(&mut self, began: f64, read: f64, by_clock: bool) -> Vec<f64> {
        let Some((last_began, last_read)) = self.last.replace((began, read)) else {
            return Vec::new();
        };
        if self.resumed.is_some_and(|resumed| began >= resumed) {
            self.resumed = None;
            self.timestep.resume();
        }
        let displayed = duration(began - last_began);
        let measured = if by_clock {
            duration(read - last_read)
        } else {
            displayed
        };
        let filtered = self.clock.apply(measured);
        let frame = self
            .timestep
            .advance(if self.is_filtered { filtered } else { measured });
        self.take(displayed, &frame)
    }

    fn take(&mut self, displayed: Duration, frame: &Frame) -> Vec<f64> {
        self.stats.record(displayed, frame);
        let (lost, period) = (frame.lost(), self.timestep.rate().period_secs_f64());
        self.away += lost.paused;
        self.lost += lost.clamped + Duration::from_secs_f64(lost.dropped as f64 * period);
        let drawn = frame.shown_time(Smoothing::Interpolate);
        self.largest_advance = self.largest_advance.max(drawn - self.drawn);
        self.drawn = drawn;
        if !lost.paused.is_zero() {
            return Vec::new();
        }
        if self.deltas.len() >= RECORDED {
            // A quarter at a time, so that the rest rarely has to be moved.
            self.deltas.drain(..RECORDED / 4);
        }
        self.deltas.push(displayed);
        vec![displayed.as_secs_f64() * 1e3, f64::from(frame.step_count())]
    }

    /// The page is hidden: time that passes until `resume` is counted as a pause and not simulated.
    pub fn pause(&mut self) {
        self.timestep.pause();
        self.resumed = None;
    }

    /// The page is visible again since `now`, in milliseconds. A frame that began before then is still part of the pause,
    /// because browsers may deliver one.
    pub fn resume(&mut self, now: f64) {
        self.resumed = Some(now);
    }

    /// Changes the number of steps a second. The recording continues, and a pause continues.
    pub fn set_rate(&mut self, rate: u32) {
        let is_paused = self.timestep.is_paused();
        self.timestep = FixedTimestep::new(Rate::hz(rate.max(1)));
        if is_paused {
            self.timestep.pause();
        }
        self.stats = FrameStats::new();
        self.drawn = SimTime::ZERO;
    }

    /// The number of frames recorded so far.
    #[wasm_bindgen(getter)]
    pub fn frames(&self) -> u32 {
        self.deltas.len() as u32
    }

    /// The display's refresh rate in hertz, from the median of the last frames; 0 before there are any.
    #[wasm_bindgen(getter)]
    pub fn refresh(&self) -> f64 {
        self.stats
            .frame_time_percentile(50.0)
            .filter(|median| !median.is_zero())
            .map_or(0.0, |median| 1.0 / median.as_secs_f64())
    }

    /// Sets whether the simulation gets deltas that the display clock has filtered, or the measured ones.
    pub fn set_filtered(&mut self, is_filtered: bool) {
        self.is_filtered = is_filtered;
    }

    /// The animation error of interpolated motion over the last frames, in milliseconds: the root of the mean square.
    #[wasm_bindgen(getter)]
    pub fn animation_error(&self) -> f64 {
        self.stats.animation_error_rms() * 1e3
    }

    /// Milliseconds during which the page was hidden.
    #[wasm_bindgen(getter)]
    pub fn away(&self) -> f64 {
        self.away.as_secs_f64() * 1e3
    }

    /// The time that was lost while the page was visible, in milliseconds.
    #[wasm_bindgen(getter)]
    pub fn lost(&self) -> f64 {
        self.lost.as_secs_f64() * 1e3
    }

    /// The largest advance of the drawn motion in a frame, in milliseconds.
    #[wasm_bindgen(getter)]
    pub fn largest_advance(&self) -> f64 {
        1e3 * self.largest_advance.as_secs_f64()
    }

    /// The recording as a CSV file, for `evenstep analyze` and `simulate`.
    pub fn csv(&self) -> Result<String, String> {
        let mut file = Vec::new();
        write_frame_times(&mut file, &self.deltas).map_err(|error| error.to_string())?;
        String::from_utf8(file).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use evenstep_trace::{BadRows, Trace};

    use super::*;

    #[test]
    fn a_display_is_recognised_and_its_recording_is_read_back() {
        let mut figure = DisplayFigure::new(60);
        for n in 0..=300 {
            let time = f64::from(n) * 1000.0 / 144.0;
            figure.record(time, time + 1.0, false);
        }
        assert!((figure.refresh() - 144.0).abs() < 0.1);
        assert!(figure.animation_error() < 1e-3);
        let csv = figure.csv().unwrap();
        let trace = Trace::parse(csv.as_bytes(), "saved.csv", BadRows::Fail).unwrap();
        assert_eq!(trace.main_chain().deltas.len(), 300);
    }

    #[test]
    fn a_pause_outlasts_another_number_of_steps() {
        let mut figure = DisplayFigure::new(60);
        let frames = |figure: &mut DisplayFigure, start: f64| {
            let took = (0..20).flat_map(|n| figure.record(start + f64::from(n) * 10.0, 0.0, false).first().copied());
            took.fold(0.0, f64::max)
        };
        assert_eq!(frames(&mut figure, 0.0), 10.0);
        figure.pause();
        figure.set_rate(30);
        figure.resume(30_000.0);
        assert_eq!(frames(&mut figure, 30_000.0), 10.0, "the pause is recorded as a frame");
        assert_eq!((figure.frames(), figure.lost()), (38, 0.0));
        assert_eq!(figure.away(), 29_810.0);
    }

    #[test]
    fn a_clock_that_is_read_late_shows_as_animation_error() {
        let mut figure = DisplayFigure::new(60);
        for n in 0..=300 {
            let time = f64::from(n) * 1000.0 / 60.0;
            figure.record(time, time + f64::from(n % 5), true);
        }
        assert!(figure.animation_error() > 1.0);
    }

    #[test]
    fn the_display_clock_takes_the_lateness_of_the_clock_away() {
        let error_with = |is_filtered| {
            let mut figure = DisplayFigure::new(60);
            figure.set_filtered(is_filtered);
            for n in 0..=600 {
                let time = f64::from(n) * 1000.0 / 60.0;
                figure.record(time, time + f64::from(n % 5) * 0.3, true);
            }
            figure.animation_error()
        };
        assert!(error_with(true) < error_with(false) / 10.0);
    }

    #[test]
    fn a_tab_that_was_hidden_continues_without_a_jump() {
        let mut figure = DisplayFigure::new(60);
        let mut time = 0.0;
        for n in 0..300 {
            time += 1000.0 / 60.0;
            if n == 100 {
                figure.pause();
                time += 60_000.0;
                figure.resume(time);
                figure.record(time - 59_990.0, time, false);
            }
            figure.record(time, time, false);
        }
        assert!(figure.away() > 60_000.0);
        assert_eq!(figure.lost(), 0.0);
        assert!(figure.largest_advance() < 34.0, "{}", figure.largest_advance());
    }
}
