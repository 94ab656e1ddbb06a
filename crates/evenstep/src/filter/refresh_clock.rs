//! [`RefreshClock`]: a clock that follows the refreshes of a display.

use core::time::Duration;

use crate::filter::FrameTime;
use crate::filter::followed_time::{FollowedTime, ONE, Source};
use crate::math::round;
use crate::time::Rate;

/// A longer delta, in nanoseconds, is a hitch or a pause, in which no refreshes are counted.
const HITCH: i64 = 250_000_000;

/// Frames after which the period is known. From then on it takes 1/512 of each deviation, as in the filter.
const SETTLED: u32 = 256;
const PERIOD_SHIFT: u32 = 9;
const PERIOD_BITS: u32 = 16;

/// In so many frames a shorter time between two shows that the first one missed a refresh: by 5/8 or less.
const FIRST: u32 = 16;

/// A shorter time between frames, in nanoseconds, is no display's.
const SHORTEST: i64 = 65_536;

/// The patterns that are tried: the longest in refreshes, and the largest change of the speed. A pattern is abandoned if the speed would
/// change by more than `GIVEN_UP`.
const PATTERNS: [(u32, f64); 2] = [(8, 0.02), (64, 0.005)];
const GIVEN_UP: f64 = 0.025;

/// The mean distance of frames from their refreshes, as a share of the period, with which the display is locked and unlocked: without refreshes
/// it is a quarter.
const LOCK_SHARE: i64 = 6;
const UNLOCK_SHARE: i64 = 5;

/// After so many frames a larger mean distance shows that these have no refreshes, or had none before: it begins again.
const EARLY: [(u32, i64); 2] = [(32, 12), (64, 8)];

/// The phase follows 1/16 of the distance of a frame from its refresh; the mean distance is over 64 frames.
const PHASE_SHIFT: u32 = 4;
const SPREAD_SHIFT: u32 = 6;

/// A clock that follows the refreshes of a display, for programs whose pictures are not blended: an emulator, a film.
///
/// It makes the steps of frames a regular pattern: 59.94 steps a second are one in each refresh at 60 Hz, in every second at 120 Hz, in four of
/// eleven at 165 Hz.
///
/// The simulation is then faster or slower: by up to 2 % for a pattern of at most 8 refreshes, and by up to 0.5 % for one of at most 64.
/// [`speed`](Self::speed) says by how much, for the sound. Without such a pattern, as on a display with variable refresh, it acts as a
/// [`DisplayClock`](crate::filter::DisplayClock), and [`is_following`](Self::is_following) is false. It needs 256 frames to measure the period,
/// keeps its lock through hitches and missed refreshes, and releases it when the rate has changed.
///
/// ```
/// use evenstep::filter::RefreshClock;
/// use evenstep::{FixedTimestep, Rate};
/// use std::time::Duration;
///
/// let television = Rate::new(60_000, 1_001)?;
/// let (mut clock, mut timestep) = (RefreshClock::new(television), FixedTimestep::new(television));
/// for n in 0..6000 {
///     let now = Duration::from_nanos(n * 1_000_000_000 / 60); // in a program: MonotonicClock::now
///     let frame = timestep.advance(clock.begin_frame(now).delta);
///     assert!(n < 300 || frame.step_count() == 1);
/// }
/// # Ok::<(), evenstep::RatioError>(())
/// ```
///
/// It counts in integers, and gives the same times in every language.
#[derive(Clone, Debug, PartialEq)]
pub struct RefreshClock {
    time: FollowedTime,
    display: Display,
}

#[derive(Clone, Debug, PartialEq)]
struct Display {
    rate: Rate,
    /// The pattern: `steps` in every `refreshes`. No steps if there is none.
    steps: u64,
    refreshes: u64,
    /// The time below a nanosecond that refreshes left over, in [units](Self::units_per_nano).
    rest: u64,
    /// How long after its refresh the last frame was, in nanoseconds.
    phase: i64,
    spread: i64,
    frames: u32,
    /// The time between refreshes, in 2^-16 ns. That of the filter is the time between frames, which is longer where refreshes are missed.
    period: i64,
}

impl RefreshClock {
    /// A clock for steps at `rate`, before its first frame.
    #[must_use]
    pub const fn new(rate: Rate) -> Self {
        let display = Display {
            rate,
            steps: 0,
            refreshes: 1,
            rest: 0,
            phase: 0,
            spread: 0,
            frames: 0,
            period: 1 << PERIOD_BITS,
        };
        Self {
            time: FollowedTime::new(),
            display,
        }
    }

    /// Begins a frame at a time of the program's clock. Its delta is for the timestep, and its [`now`](FrameTime::now) is the time of
    /// this clock: zero in the first frame. An earlier time is treated as the last frame's.
    pub fn begin_frame(&mut self, now: Duration) -> FrameTime {
        self.time.begin_frame(now, &mut self.display)
    }

    /// The time of this clock at a time of the program's clock: for input. It never goes back from one event to a later one. Zero before the first
    /// frame.
    #[must_use]
    pub fn time_at(&self, at: Duration) -> Duration {
        self.time.time_at(at)
    }

    /// Begins a pause: time stands still from the last frame on. Presses of the pause reach no step.
    pub fn pause(&mut self) {
        self.time.pause();
    }

    /// Ends a pause: time goes on from the next frame, which is the last of the pause.
    pub fn resume(&mut self) {
        self.time.resume();
    }

    /// Whether the display has a period that it knows, and a pattern.
    #[must_use]
    pub const fn is_following(&self) -> bool {
        self.display.steps > 0
    }

    /// Its seconds for each second of the program's clock. Resample the sound of the simulation by it.
    #[must_use]
    pub fn speed(&self) -> f64 {
        self.display.rates().0 as f64 / ONE as f64
    }
}

impl Source for Display {
    fn advance(&mut self, clock: &FollowedTime, passed: i64, even: i64) -> i64 {
        if passed > HITCH {
            self.phase = 0;
            let aligned = if self.steps > 0 {
                self.alignment(clock.time() + even)
            } else {
                0
            };
            return even + aligned;
        }
        if self.frames == 0 || self.frames < FIRST && passed * 8 < self.nanos() * 5 {
            (self.frames, self.phase, self.spread) = (1, 0, 0);
            self.period = passed.max(SHORTEST) << PERIOD_BITS;
            return even;
        }
        self.frames = self.frames.saturating_add(1);
        let nearest = ((passed + self.nanos() / 2) / self.nanos()).max(1);
        self.period += ((passed << PERIOD_BITS) / nearest - self.period) >> self.frames.ilog2().min(PERIOD_SHIFT);
        self.period = self.period.max(SHORTEST << PERIOD_BITS);
        let period = self.nanos();
        let since = self.phase + passed;
        let count = (since + period / 2).div_euclid(period);
        let distance = since - count * period;
        self.spread += (distance.abs() - self.spread) >> SPREAD_SHIFT;
        self.phase = distance - (distance >> PHASE_SHIFT);

        let of_refresh = self.steps_of_refresh();
        if self.steps == 0 {
            let is_off = |(frames, share)| self.frames == frames && self.spread * share >= period;
            if EARLY.into_iter().any(is_off) {
                self.frames = 0;
            }
            if self.frames < SETTLED {
                return even;
            }
            if self.spread * LOCK_SHARE >= period {
                self.frames = 0;
            } else if self.choose(of_refresh) {
                return even + self.alignment(clock.time() + even);
            }
            return even;
        }
        let wanted = of_refresh * self.refreshes as f64;
        let is_off = self.steps as f64 - wanted > GIVEN_UP * wanted || wanted - self.steps as f64 > GIVEN_UP * wanted;
        if is_off || self.spread * UNLOCK_SHARE > period {
            (self.steps, self.frames) = (0, 0);
            return even;
        }
        let (nanos, rest) = self.time_of(count.unsigned_abs(), self.rest);
        self.rest = rest;
        nanos
    }

    fn resume(&mut self, _: i64) {}

    fn rates(&self) -> (i64, i64) {
        let rate = if self.steps == 0 {
            ONE
        } else {
            self.time_of(1, 0).0 * ONE / self.nanos()
        };
        (rate, rate)
    }
}

impl Display {
    /// The time between refreshes, in nanoseconds.
    const fn nanos(&self) -> i64 {
        self.period >> PERIOD_BITS
    }

    /// The steps in a refresh, by the measured period.
    fn steps_of_refresh(&self) -> f64 {
        self.nanos() as f64 * f64::from(self.rate.numer()) / (1e9 * f64::from(self.rate.denom()))
    }

    /// Takes the shortest pattern that is near enough. Returns whether there is one.
    fn choose(&mut self, of_refresh: f64) -> bool {
        for (longest, tolerance) in PATTERNS {
            for refreshes in 1..=longest {
                let wanted = of_refresh * f64::from(refreshes);
                let steps = round(wanted);
                if (1.0..1e6).contains(&steps) && (steps - wanted).abs() <= tolerance * wanted {
                    (self.steps, self.refreshes, self.rest) = (steps as u64, refreshes.into(), 0);
                    return true;
                }
            }
        }
        false
    }

    /// Units, in which a nanosecond and the time of a refresh by the pattern are whole numbers.
    fn units_per_nano(&self) -> u128 {
        u128::from(self.rate.units_per_nano()) * u128::from(self.refreshes)
    }

    /// The time of a number of refreshes by the pattern, added to a rest: whole nanoseconds, and the new rest.
    fn time_of(&self, refreshes: u64, rest: u64) -> (i64, u64) {
        let of_refresh = u128::from(self.steps) * u128::from(self.rate.units_per_step());
        let units = of_refresh * u128::from(refreshes) + u128::from(rest);
        let per_nano = self.units_per_nano();
        ((units / per_nano) as i64, (units % per_nano) as u64)
    }

    /// What brings a time to the middle between two refreshes that end steps, so that no noise is between a frame and a step.
    fn alignment(&self, time: i64) -> i64 {
        let (between, per_nano) = (u128::from(self.rate.units_per_step()), self.units_per_nano());
        let within = u128::from(time.unsigned_abs()) * per_nano % between;
        let middle = between / 2 + if within <= between / 2 { 0 } else { between };
        ((middle - within) / per_nano) as i64
    }
}
