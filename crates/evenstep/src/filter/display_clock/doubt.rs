//! Whether a reading that is far off was only read late, or the display went on without the program.

use crate::rounding::round;

/// What is nearer than so many mean deviations is noise...
const NOISE: f64 = 3.0;

/// ...and so is what is nearer than this, in periods.
const LEAST: f64 = 1.0 / 16.0;

/// How far beyond what came back, in periods, a frame must be to be believed.
const BEYOND: f64 = 0.25;

/// The same between two refreshes.
const BETWEEN: f64 = 0.4;

/// By how much more than what came back it must be, and by how much longer than runs that came back.
const MARGIN: f64 = 1.25;
const MARGIN_OF_RUNS: f64 = 2.0;

/// Where noise reaches so far, in periods, anything is on the grid.
const BLURRED: f64 = 0.4;

/// How near to a whole period a frame must be to be a refresh later, at least, and how near to a half or a
/// third.
const NEAR: f64 = 0.15;
const NEAR_PART: f64 = 0.05;

/// How fast what came back is forgotten.
const FORGET: f64 = 1.0 / 8192.0;

/// Frames after which what was believed is certain.
const CERTAIN: u8 = 8;

/// What frames that were far off turned out to be. It learns how far off, and how often in a row, a frame may be and come back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Doubt {
    /// Frames in a row that were off to one side: the sum of what they were off, at most a period each; how far the farthest
    /// was and the nearest, of the sign of that side. In periods.
    run: f64,
    farthest: f64,
    nearest: f64,
    /// The farthest frame and the longest run so far that came back.
    reach: f64,
    patience: f64,
    /// What was believed last, in periods, how long ago, after which run, and the weight of the grid before.
    shift: f64,
    age: u8,
    shift_run: f64,
    weight: f64,
    /// Whether refreshes were found at a third of a period: of a program that draws at every third.
    has_thirds: bool,
}

/// What a frame means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Verdict {
    /// It was read late, or early.
    Noise,
    /// So many periods passed more than one.
    Missed(f64),
    /// Refreshes are by so many periods elsewhere.
    Elsewhere(f64),
    /// What was believed was wrong, by so many periods; before, the grid had this weight.
    Returned(f64, f64),
}

impl Doubt {
    /// Without any experience.
    pub(super) const fn new() -> Self {
        Self {
            run: 0.0,
            farthest: 0.0,
            nearest: 0.0,
            reach: 0.0,
            patience: 0.0,
            shift: 0.0,
            age: 0,
            shift_run: 0.0,
            weight: 0.0,
            has_thirds: false,
        }
    }

    /// Judges a frame that is off by so many periods, where frames are usually off by `spread`.
    pub(super) fn judge(&mut self, off: f64, spread: f64, weight: f64) -> Verdict {
        let noise = (NOISE * spread).max(LEAST);
        self.reach -= self.reach * FORGET;
        self.patience -= self.patience * FORGET;
        if self.shift != 0.0 {
            self.age += 1;
            if (off + self.shift).abs() <= noise.max(0.25 * self.shift.abs()) && off.abs() > noise {
                return self.take_back();
            }
            if self.age >= CERTAIN {
                let third = round(3.0 * self.shift) / 3.0;
                self.has_thirds |= third != round(third) && is_near(self.shift, third);
                self.shift = 0.0;
            }
        }
        // What is much farther off than the frames before it is another matter.
        if off.abs() <= noise || off * self.nearest < 0.0 || off.abs() > self.nearest.abs() + 0.5 {
            self.came_back();
        }
        if off.abs() <= noise {
            return Verdict::Noise;
        }
        if self.run == 0.0 || off.abs() < self.nearest.abs() {
            self.nearest = off;
        }
        self.run += off.abs().min(1.0);
        self.farthest = self.farthest.max(off.abs());
        let place = on_grid(self.nearest, noise, self.has_thirds);
        // A reading between two refreshes is hardly a frame of this display.
        let beyond = if place.is_some() { BEYOND } else { BETWEEN };
        let is_far = off.abs() > beyond + MARGIN * self.reach;
        let is_long = self.run > BEYOND + MARGIN_OF_RUNS * self.patience && self.run > off.abs().min(1.0);
        if !(is_far || is_long) {
            return Verdict::Noise;
        }
        self.shift = place.unwrap_or(self.nearest);
        let is_missed = place.is_some() && noise < BLURRED;
        (self.age, self.shift_run, self.weight) = (0, self.run, weight);
        self.end_run();
        if is_missed {
            Verdict::Missed(self.shift)
        } else {
            Verdict::Elsewhere(self.shift)
        }
    }

    fn end_run(&mut self) {
        (self.run, self.farthest, self.nearest) = (0.0, 0.0, 0.0);
    }

    fn came_back(&mut self) {
        self.reach = self.reach.max(self.farthest);
        self.patience = self.patience.max(self.run);
        self.end_run();
    }

    fn take_back(&mut self) -> Verdict {
        self.reach = self.reach.max(self.shift.abs());
        self.patience = self.patience.max(self.shift_run);
        let shift = -core::mem::take(&mut self.shift);
        self.end_run();
        Verdict::Returned(shift, self.weight)
    }

    /// Learns from frames that are known to be off only by chance.
    pub(super) fn learn(&mut self, off: f64, spread: f64) {
        let noise = (NOISE * spread).max(LEAST);
        self.reach = self.reach.max(off.abs());
        if off.abs() <= noise || off * self.nearest < 0.0 {
            self.came_back();
        }
        if off.abs() > noise {
            self.nearest = off;
            self.run += off.abs().min(1.0);
        }
    }
}

/// The refresh at which a frame that is off by so many periods is, if it is near one. Of frames at every second or third
/// refresh, the period has parts, and a frame may be later by them.
fn on_grid(off: f64, noise: f64, has_thirds: bool) -> Option<f64> {
    let whole = round(off);
    if whole != 0.0 && (off - whole).abs() <= noise.max(NEAR) {
        return Some(whole);
    }
    let half = round(2.0 * off) / 2.0;
    let part = if has_thirds && !is_near(off, half) {
        round(3.0 * off) / 3.0
    } else {
        half
    };
    (part > 0.0 && is_near(off, part) && noise < 2.0 * NEAR_PART).then_some(part)
}

fn is_near(off: f64, part: f64) -> bool {
    (off - part).abs() <= NEAR_PART
}
