/// Deltas beyond this, in nanoseconds, are no frames: the clock lets go and begins anew.
pub(super) const LONGEST: f64 = 1e9;

/// Frames that are looked at before the clock locks.
pub(super) const LOOK: usize = 56;

/// Periods that a display can have, in nanoseconds: from 1 000 Hz to 10 Hz.
const PERIODS: core::ops::RangeInclusive<f64> = 1e6..=1e8;

/// By so many nanoseconds what is handed on is kept ahead of the display. A step that ends exactly with a refresh would
/// otherwise fall before it in one frame and after it in the next, by the last rest of noise.
const AHEAD: f64 = 350_000.0;

/// Frames in which what is handed on glides to where it is to be.
const GLIDE: f64 = 16.0;

/// An error counts for no more than this, in nanoseconds: a frame that was late says nothing about the display.
const MOST_ERROR: f64 = 1_500_000.0;

/// The gain that is left when the clock has been locked for long.
const LEAST_GAIN: f64 = 0.004;

/// Nine frames of ten must be no farther off the display's grid than this, in nanoseconds, for the clock to lock: frames
/// that a program paces by itself wander more.
const FIT: f64 = 1_300_000.0;

/// So many frames in a row must be a period late before one counts as missed.
const CONFIRM: u8 = 3;

/// What is later than this, and more than a period, is no chance, in nanoseconds.
const HITCH: f64 = 8e6;

/// So many frames off the display's grid, less those on it, and the clock lets go.
const LET_GO: u8 = 8;

/// Frames over which it is judged whether they wander.
const REMEMBERED: f64 = 256.0;

/// The clock lets go when the ratio of [`Wander`] is below this...
const MOST_WANDER: f64 = 1.4;

/// ...and locks above this.
const WANDER_TO_LOCK: f64 = 1.2;

/// What is off by more than this counts as off by this, in nanoseconds: a late frame is not many.
const MOST_COUNTED: f64 = 500_000.0;

/// What is within this of the display's grid does not wander, in nanoseconds.
const LEAST_WANDER: f64 = 50_000.0;

/// A display that is followed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lock {
    /// In nanoseconds.
    pub(super) period: f64,
    /// The display's last refresh less the time that was read for it, in nanoseconds.
    phase: f64,
    /// Refreshes that the estimate rests on.
    count: f64,
    /// Frames in a row that were a period late.
    late: u8,
    /// Frames off the grid, less those on it.
    off: u8,
    wander: Wander,
    /// By how much what is handed on is ahead of the display, in nanoseconds: it glides to [`AHEAD`].
    ahead: Option<f64>,
}

impl Lock {
    /// The display that showed frames at these times, if they fit one.
    pub(super) fn find(times: &[f64; LOOK]) -> Option<Self> {
        // From frame to frame, then over ever more: how many periods a span has must be certain before it is divided.
        let within = |period: f64| PERIODS.contains(&period).then_some(period);
        let first = within(typical(times, 1, 0.0))?;
        let mut spans = [1, 8, LOOK / 2].into_iter();
        let period = spans.try_fold(first, |about, span| within(typical(times, span, about)))?;
        let mut offsets: [f64; LOOK] = times.map(|time| off_grid(time - times[0], period));
        let origin = times[0] + median(&mut offsets);
        let (period, origin) = fitted(times, period, origin);
        let off = |time: f64| off_grid(time - origin, period);
        let fitting = times.iter().filter(|time| off(**time).abs() < FIT.min(0.25 * period));
        let mut wander = Wander::new();
        times.iter().for_each(|time| wander.add(off(*time)));
        let fits = 10 * fitting.count() >= 9 * LOOK && !wander.is_beyond(WANDER_TO_LOCK);
        fits.then(|| Self {
            period,
            phase: -off(times[LOOK - 1]),
            count: LOOK as f64,
            late: 0,
            off: 0,
            wander,
            ahead: None,
        })
    }

    /// Follows the display over a frame. Answers with how far its refresh is ahead of the time that was read, in nanoseconds;
    /// none if there is no display to follow any more.
    pub(super) fn follow(&mut self, delta: f64) -> Option<f64> {
        let mut error = delta - self.phase - self.period;
        let is_late = error > 0.5 * self.period;
        let missed = self.missed(error);
        error -= missed * self.period;
        let is_off = error.abs() > (1.5 * FIT).min(0.25 * self.period);
        self.off = match (is_late, is_off) {
            (true, true) => self.off + 2,
            (false, false) => self.off.saturating_sub(1),
            _ => self.off + 1,
        };
        let ratio = if self.count < REMEMBERED {
            WANDER_TO_LOCK
        } else {
            MOST_WANDER
        };
        if self.off >= LET_GO || delta > LONGEST || self.wander.is_beyond(ratio) {
            return None;
        }
        let is_chance = is_late && missed == 0.0;
        let most = if is_chance { 0.0 } else { MOST_ERROR };
        let counts = error.clamp(-most, most);
        self.wander.add(counts);
        // Of a least-squares fit of both over all refreshes so far: S. Blackman, R. Popoli, *Design and Analysis of Modern
        // Tracking Systems* (1999), chapter 3.
        self.count += 1.0 + missed;
        let gain = (4.0 / self.count).max(LEAST_GAIN);
        let drift_gain = (6.0 / (self.count * self.count)).max(gain * gain / 4.0);
        self.period = (self.period + drift_gain * counts).clamp(*PERIODS.start(), *PERIODS.end());
        self.phase = gain * counts - error;
        // A hitch off the grid is a long frame, and drawn as one.
        Some(if error > HITCH { 0.0 } else { self.phase })
    }

    /// How many refreshes the program missed, when it is so late.
    fn missed(&mut self, error: f64) -> f64 {
        let missed = round(error / self.period).max(0.0);
        // One that was missed leaves frames on the grid; a frame that is late by chance is anywhere.
        let is_on_grid = (error - missed * self.period).abs() < MOST_ERROR.min(0.25 * self.period);
        self.late = match (missed > 0.0, is_on_grid) {
            (true, true) => self.late + 1,
            (true, false) => self.late,
            (false, _) => 0,
        };
        let is_hitch = missed > 1.0 && error > HITCH;
        if !is_hitch && (!is_on_grid || (missed == 1.0 && self.late < CONFIRM)) {
            return 0.0;
        }
        self.late = 0;
        missed
    }

    /// By how much to be ahead of the display, when so much is owed: as far as without it at first.
    pub(super) fn glide(&mut self, owed: f64) -> f64 {
        let ahead = self.ahead.unwrap_or(self.period - self.phase - owed);
        let ahead = ahead + (AHEAD - ahead) / GLIDE;
        self.ahead = Some(ahead);
        ahead
    }
}

/// Whether what frames are off the display's grid is noise or a wandering: noise differs from frame to frame, what wanders
/// is off by nearly as much in the next frame. The ratio of J. von Neumann, *Distribution of the ratio of the mean square
/// successive difference to the variance* (1941), over the newest frames: two for noise, near zero for a random walk.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Wander {
    last: f64,
    squares: f64,
    differences: f64,
}

impl Wander {
    const fn new() -> Self {
        Self {
            last: 0.0,
            squares: 0.0,
            differences: 0.0,
        }
    }

    fn add(&mut self, error: f64) {
        let error = error.clamp(-MOST_COUNTED, MOST_COUNTED);
        let difference = error - self.last;
        self.last = error;
        self.squares += (error * error - self.squares) / REMEMBERED;
        self.differences += (difference * difference - self.differences) / REMEMBERED;
    }

    fn is_beyond(&self, ratio: f64) -> bool {
        self.squares > LEAST_WANDER * LEAST_WANDER && self.differences < ratio * self.squares
    }
}

/// The median of the periods that spans of so many frames have, when a period is about so long; of zero, of whole spans.
fn typical(times: &[f64; LOOK], span: usize, about: f64) -> f64 {
    let mut periods = [0.0; LOOK];
    let count = LOOK - span;
    for (period, pair) in periods.iter_mut().zip(0..count) {
        let length = times[pair + span] - times[pair];
        let turns = if about > 0.0 {
            round(length / about).max(1.0)
        } else {
            1.0
        };
        *period = length / turns;
    }
    median(&mut periods[..count])
}

/// How far a time is from the nearest multiple of the period.
fn off_grid(time: f64, period: f64) -> f64 {
    time - round(time / period) * period
}

/// Period and origin of the grid that has the least squares from the times that are near a given one.
fn fitted(times: &[f64; LOOK], period: f64, origin: f64) -> (f64, f64) {
    let near = |time: &&f64| off_grid(**time - origin, period).abs() < FIT.min(0.25 * period);
    let point = |time: &f64| (round((time - origin) / period), off_grid(time - origin, period));
    let points = || times.iter().filter(near).map(point);
    let count = points().count().max(1) as f64;
    let (turns, offs) = points().fold((0.0, 0.0), |sum, (turn, off)| (sum.0 + turn, sum.1 + off));
    let (turn_mean, off_mean) = (turns / count, offs / count);
    let (squares, products) = points().fold((0.0, 0.0), |sum, (turn, off)| {
        let turn = turn - turn_mean;
        (sum.0 + turn * turn, sum.1 + turn * (off - off_mean))
    });
    let slope = if squares > 0.0 { products / squares } else { 0.0 };
    (period + slope, origin + off_mean - slope * turn_mean)
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

/// To the nearest whole number, without the standard library; of sizes below 2^63.
fn round(value: f64) -> f64 {
    floor(value + 0.5)
}

pub(super) fn floor(value: f64) -> f64 {
    let cut = value as i64 as f64;
    if cut > value { cut - 1.0 } else { cut }
}
