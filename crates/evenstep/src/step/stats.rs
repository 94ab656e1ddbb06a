//! Statistics of the last frames.

use core::time::Duration;

use crate::drawing::Smoothing;
use crate::math::sqrt;
use crate::step::Frame;
use crate::time::{SimDuration, SimTime};

/// Statistics of the last `WINDOW` frames: their times, steps, alphas, lost time and animation errors; and how well they kept real time.
///
/// Fixed memory, no allocation. Record every frame with the time since the last one.
///
/// ```
/// use evenstep::{FixedTimestep, FrameStats, Rate};
/// use std::time::Duration;
///
/// let mut timestep = FixedTimestep::new(Rate::hz(60));
/// let mut stats = FrameStats::<120>::new();
/// for _ in 0..120 {
///     let delta = Duration::from_millis(20);
///     stats.record(delta, &timestep.advance(delta));
/// }
/// assert_eq!(stats.steps_per_frame()[..3], [0, 96, 24]); // one step mostly, two in every fifth frame
/// assert_eq!(stats.frame_time_percentile(99.0), Some(Duration::from_millis(20)));
/// assert!(stats.animation_error_rms() < 1e-9);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FrameStats<const WINDOW: usize> {
    frames: [FrameSample; WINDOW],
    /// Frames recorded in all.
    count: u64,
    last_shown: Option<SimTime>,
    /// Whole steps, without single steps.
    stepped: SimTime,
    /// Simulated time in all, and the real time that passed, times the time scale.
    simulated: SimTime,
    expected: SimTime,
}

/// A frame that [`FrameStats`] have recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct FrameSample {
    /// The time that passed on the display since the frame before.
    pub delta: Duration,
    /// How many steps it ran.
    pub steps: u32,
    /// Where it was drawn between the last two states.
    pub alpha: f64,
    /// Real time that was clamped.
    pub clamped: Duration,
    /// Real time of a known pause.
    pub paused: Duration,
    /// Steps that were dropped.
    pub dropped: u64,
    /// The animation error in seconds of simulated time: the advance of the shown time less the time that passed on the display, at
    /// the speed of the game. None for the first frame, for frames in or after a known pause, while the speed is zero, and where
    /// time was set back.
    pub animation_error: Option<f64>,
    /// Seconds of simulated time by which the frame advanced, and by which it should have.
    simulated: f64,
    expected: f64,
}

impl FrameSample {
    /// Whether it lost time, apart from known pauses.
    #[must_use]
    pub const fn is_loss(&self) -> bool {
        !self.clamped.is_zero() || self.dropped > 0
    }
}

impl<const WINDOW: usize> FrameStats<WINDOW> {
    /// Statistics of no frames.
    #[must_use]
    pub fn new() -> Self {
        Self {
            frames: [FrameSample::default(); WINDOW],
            count: 0,
            last_shown: None,
            stepped: SimTime::ZERO,
            simulated: SimTime::ZERO,
            expected: SimTime::ZERO,
        }
    }

    /// Takes a frame and the time that passed on the display since the one before it. The game runs at the frame's
    /// [time scale](Frame::time_scale).
    pub fn record(&mut self, delta: Duration, frame: &Frame) {
        self.record_at_speed(delta, frame.time_scale().as_f64(), frame);
    }

    /// The same if time is scaled before it reaches the timestep, for example by an engine with its own slow motion: `speed` is the
    /// total number of simulated seconds per second on the display. At a speed that is not positive and finite, the frame has no
    /// animation error.
    pub fn record_at_speed(&mut self, delta: Duration, speed: f64, frame: &Frame) {
        self.record_shown(delta, speed, frame.shown_time(Smoothing::Interpolate), frame);
    }

    /// The same for a game that does not interpolate: `shown` is the time of the newest step or of the extrapolated state, from
    /// [`Frame::shown_time`]. The animation error is measured by it.
    ///
    /// ```
    /// use evenstep::{FixedTimestep, FrameStats, Rate, Smoothing};
    /// use std::time::Duration;
    ///
    /// let mut timestep = FixedTimestep::new(Rate::hz(50));
    /// let mut stats = FrameStats::<120>::new();
    /// for _ in 0..120 {
    ///     let delta = Duration::from_millis(10);
    ///     let frame = timestep.advance(delta);
    ///     stats.record_shown(delta, 1.0, frame.shown_time(Smoothing::None), &frame);
    /// }
    /// // The newest step stands still in one frame and advances by two frames in the next.
    /// assert!((stats.animation_error_rms() - 0.010).abs() < 1e-9);
    /// ```
    pub fn record_shown(&mut self, delta: Duration, speed: f64, shown: SimTime, frame: &Frame) {
        let lost = frame.lost();
        // Without a valid speed the expected advance is unknown.
        let moves = lost.paused.is_zero() && speed > 0.0 && speed.is_finite();
        let animation_error = self
            .last_shown
            .filter(|_| moves && frame.tick() > 0)
            .and_then(|last| shown.checked_duration_since(last))
            .map(|advance| advance.as_secs_f64() - delta.as_secs_f64() * speed);
        self.last_shown = (frame.tick() > 0).then_some(shown);
        let (simulated, expected) = self.add_time(delta, frame);
        let next = self.next_slot();
        if let Some(slot) = self.frames.get_mut(next) {
            *slot = FrameSample {
                delta,
                steps: frame.step_count(),
                alpha: frame.alpha(),
                clamped: lost.clamped,
                paused: lost.paused,
                dropped: lost.dropped,
                animation_error,
                simulated,
                expected,
            };
        }
        self.count += 1;
    }

    /// Adds the simulated time of a frame, and the time that passed at the requested speed; returns both in seconds.
    fn add_time(&mut self, delta: Duration, frame: &Frame) -> (f64, f64) {
        self.stepped = self.stepped + frame.stepped();
        let simulated = self.stepped + frame.fraction();
        // Negative if a step was given back.
        let advanced = (simulated - self.simulated).as_secs_f64() - (self.simulated - simulated).as_secs_f64();
        self.simulated = simulated;
        let (real, scale) = (delta.saturating_sub(frame.lost().paused), frame.time_scale());
        let nanos = real.as_nanos().saturating_mul(scale.numer().into());
        let expected = SimDuration::new(nanos, scale.denom().into());
        self.expected = self.expected + expected;
        (advanced, expected.as_secs_f64())
    }

    /// The number of frames recorded in all, including frames before the window.
    #[must_use]
    pub const fn frame_count(&self) -> u64 {
        self.count
    }

    /// The frames of the window, oldest first.
    pub fn samples(&self) -> impl DoubleEndedIterator<Item = FrameSample> + '_ {
        let (newer, older) = self.window().split_at(self.next_slot());
        older.iter().chain(newer).copied()
    }

    /// The number of frames of the window with 0, 1, 2, … steps; the last bin counts frames with seven or more.
    #[must_use]
    pub fn steps_per_frame(&self) -> [u32; 8] {
        let mut bins = [0; 8];
        for sample in self.window() {
            bins[(sample.steps as usize).min(bins.len() - 1)] += 1;
        }
        bins
    }

    /// Real time that was clamped within the window.
    #[must_use]
    pub fn clamped(&self) -> Duration {
        self.sum(|sample| sample.clamped)
    }

    /// Real time of known pauses within the window.
    #[must_use]
    pub fn paused(&self) -> Duration {
        self.sum(|sample| sample.paused)
    }

    /// Steps that were dropped within the window.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.window()
            .iter()
            .fold(0, |sum, sample| sum.saturating_add(sample.dropped))
    }

    /// The time that `percent` of the frames of the window do not exceed, by the nearest rank; none before the first
    /// frame. Percentages are clamped to 0 and 100, and NaN counts as 0.
    #[must_use]
    pub fn frame_time_percentile(&self, percent: f64) -> Option<Duration> {
        let mut sorted = self.frames.map(|sample| sample.delta);
        let sorted = &mut sorted[..self.window().len()];
        sorted.sort_unstable();
        let rank = (percent.clamp(0.0, 100.0) / 100.0 * sorted.len() as f64 + (1.0 - 1e-9)) as usize;
        sorted.get(rank.saturating_sub(1)).copied()
    }

    /// The root mean square of the window's *animation errors*, in seconds: by how much the drawn time advanced more than the
    /// presentation time, at the speed of the game. Frames of pauses are left out.
    #[must_use]
    pub fn animation_error_rms(&self) -> f64 {
        let errors = self.window().iter().filter_map(|sample| sample.animation_error);
        let (sum, count) = errors.fold((0.0, 0_u32), |(sum, count), error| (sum + error * error, count + 1));
        sqrt(sum / f64::from(count.max(1)))
    }

    /// The real-time factor of the window: simulated time divided by the real time that it took, at the requested speed. 1 if the loop
    /// keeps up, less if it lost time or has not caught up yet.
    ///
    /// It excludes pauses and the time scale: a simulation in slow motion that keeps up has a factor of 1. Gazebo's and mjlab's
    /// factor is this factor times the time scale. Time that the overrun policy keeps back is not simulated yet.
    ///
    /// ```
    /// use evenstep::{FixedTimestep, FrameStats, Rate};
    /// use std::time::Duration;
    ///
    /// // Steps of 1 ms that take 2 ms each: half of real time.
    /// let mut timestep = FixedTimestep::new(Rate::hz(1000)).with_max_steps(1);
    /// let mut stats = FrameStats::<100>::new();
    /// for _ in 0..500 {
    ///     let delta = Duration::from_millis(2);
    ///     stats.record(delta, &timestep.advance(delta));
    /// }
    /// assert!((stats.real_time_factor() - 0.5).abs() < 1e-12);
    /// assert_eq!(stats.total_real_time_factor(), 0.5);
    /// ```
    #[must_use]
    pub fn real_time_factor(&self) -> f64 {
        let sum = |part: fn(&FrameSample) -> f64| self.window().iter().map(part).sum::<f64>();
        factor(sum(|sample| sample.simulated), sum(|sample| sample.expected))
    }

    /// The [real-time factor](Self::real_time_factor) of all frames since the beginning, of exact sums, to within a few units in the
    /// last place.
    #[must_use]
    pub fn total_real_time_factor(&self) -> f64 {
        let seconds = |time: SimTime| (time - SimTime::ZERO).as_secs_f64();
        factor(seconds(self.simulated), seconds(self.expected))
    }

    /// The index of the next frame. Once the window is full, the oldest frame has it.
    fn next_slot(&self) -> usize {
        (self.count % WINDOW.max(1) as u64) as usize
    }

    fn window(&self) -> &[FrameSample] {
        let filled = usize::try_from(self.count).unwrap_or(WINDOW).min(WINDOW);
        &self.frames[..filled]
    }

    fn sum(&self, part: impl Fn(&FrameSample) -> Duration) -> Duration {
        self.window()
            .iter()
            .fold(Duration::ZERO, |sum, sample| sum.saturating_add(part(sample)))
    }
}

/// 1 before any time has passed.
fn factor(simulated: f64, expected: f64) -> f64 {
    if expected > 0.0 { simulated / expected } else { 1.0 }
}

impl<const WINDOW: usize> Default for FrameStats<WINDOW> {
    fn default() -> Self {
        Self::new()
    }
}
