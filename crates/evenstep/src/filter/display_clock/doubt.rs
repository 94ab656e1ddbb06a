//! Whether a reading that is far off was only read late, or the display went on without the program.

use crate::rounding::{floor, round};

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

/// How many more times refreshes must be found at a half of a period than at a third, or the other way round, to be sure of
/// it, and how many are remembered.
const HALVES: i8 = 2;
const THIRDS: i8 = -1;
const MOST_HALVES: i8 = 8;

/// Refreshes later that are told apart.
const PLACES: usize = 3;

/// Frames at such a refresh that are remembered.
const MOST_EXPERIENCE: f64 = 32.0;

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
    /// What frames turned out to be that were later by one, two, three refreshes.
    experience: [Experience; PLACES],
    /// At which of these the first frame of the run was, or what was believed last; none at none.
    place: Option<usize>,
    /// How many more times refreshes were found at a half of a period than at a third: of a program that draws at every second or
    /// third.
    halves: i8,
}

/// How many frames stayed at later refreshes, and how many came back.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Experience {
    stayed: f64,
    came_back: f64,
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
    /// The grid is not exactly where the display is.
    Inexact,
    /// The grid is of another display.
    Lost,
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
            halves: 0,
            experience: [Experience::NONE; PLACES],
            place: None,
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
                self.learn_place(true);
                self.learn_part();
                self.shift = 0.0;
            }
        }
        // What is much farther off than the frames before it is another matter.
        if off.abs() <= noise || off * self.nearest < 0.0 {
            self.came_back();
        } else if off.abs() > self.nearest.abs() + 0.5 {
            // Whether those would have come back will never be known.
            self.end_run();
        }
        if off.abs() <= noise {
            return Verdict::Noise;
        }
        let is_first = self.run == 0.0;
        if is_first || off.abs() < self.nearest.abs() {
            self.nearest = off;
        }
        self.run += off.abs().min(1.0);
        self.farthest = self.farthest.max(off.abs());
        let place = on_grid(self.nearest, noise, self.parts()).or_else(|| self.missed_and_late());
        // A reading between two refreshes is hardly a frame of this display.
        let beyond = if place.is_some() { BEYOND } else { BETWEEN };
        if is_first {
            self.place = place_of(off, noise, self.parts());
        }
        let known = self
            .place
            .filter(|_| is_first)
            .and_then(|place| self.experience[place].stays());
        let is_far = known.unwrap_or(off.abs() > beyond + MARGIN * self.reach);
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

    /// The same experience, before the first frame.
    pub(super) const fn again(mut self) -> Self {
        (self.run, self.farthest, self.nearest) = (0.0, 0.0, 0.0);
        (self.shift, self.age, self.place, self.reach, self.patience) = (0.0, 0, None, 0.0, 0.0);
        self
    }

    /// Whether refreshes are elsewhere by a half or a third.
    pub(super) fn is_part(&self) -> bool {
        let near = |parts: f64| is_near(self.shift, round(parts * self.shift) / parts);
        self.shift > 0.0 && (near(2.0) || near(3.0))
    }

    /// By how many periods it is believed that refreshes are elsewhere, until that is certain.
    pub(super) fn uncertain_shift(&self) -> f64 {
        self.shift
    }

    /// The refresh after which frames are late by no more than any that came back.
    fn missed_and_late(&self) -> Option<f64> {
        let whole = floor(self.nearest);
        (whole >= 1.0 && self.nearest - whole <= self.reach).then_some(whole)
    }

    fn end_run(&mut self) {
        (self.run, self.farthest, self.nearest) = (0.0, 0.0, 0.0);
    }

    /// Into how many refreshes a period is known to be divided.
    fn parts(&self) -> Option<f64> {
        match self.halves {
            HALVES.. => Some(2.0),
            ..=THIRDS => Some(3.0),
            _ => None,
        }
    }

    fn learn_part(&mut self) {
        let fraction = self.shift - floor(self.shift);
        let third = round(3.0 * fraction) / 3.0;
        if is_near(fraction, 0.5) {
            self.halves = (self.halves + 1).min(MOST_HALVES);
        } else if is_near(fraction, third) && third != round(third) {
            self.halves = (self.halves - 1).max(-MOST_HALVES);
        }
    }

    fn learn_place(&mut self, stayed: bool) {
        if let Some(place) = self.place.take() {
            self.experience[place].add(stayed);
        }
    }

    fn came_back(&mut self) {
        if self.run > 0.0 {
            self.learn_place(false);
        }
        self.reach = self.reach.max(self.farthest);
        self.patience = self.patience.max(self.run);
        self.end_run();
    }

    fn take_back(&mut self) -> Verdict {
        self.learn_place(false);
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

impl Experience {
    const NONE: Self = Self {
        stayed: 0.0,
        came_back: 0.0,
    };

    /// Of frames at the same refresh, whether more stayed; none where as many did.
    fn stays(self) -> Option<bool> {
        (self.stayed != self.came_back).then_some(self.stayed > self.came_back)
    }

    fn add(&mut self, stayed: bool) {
        if self.stayed + self.came_back >= MOST_EXPERIENCE {
            self.stayed *= 0.5;
            self.came_back *= 0.5;
        }
        if stayed {
            self.stayed += 1.0;
        } else {
            self.came_back += 1.0;
        }
    }
}

/// The refresh at which a frame that is off by so many periods is, if it is near one. Of frames at every second or third
/// refresh, the period has parts, and a frame may be later by them.
fn on_grid(off: f64, noise: f64, parts: Option<f64>) -> Option<f64> {
    let whole = round(off);
    let is_whole = whole != 0.0 && (off - whole).abs() <= noise.max(NEAR);
    if let Some(parts) = parts.filter(|parts| noise * parts < BLURRED) {
        let part = round(parts * off) / parts;
        let is_part = part > 0.0 && (off - part).abs() <= noise;
        return is_part.then_some(part).or(is_whole.then_some(whole));
    }
    let half = round(2.0 * off) / 2.0;
    let is_half = half > 0.0 && is_near(off, half) && noise < 2.0 * NEAR_PART;
    is_whole.then_some(whole).or(is_half.then_some(half))
}

/// Where a frame is that is a few refreshes late.
fn place_of(off: f64, noise: f64, parts: Option<f64>) -> Option<usize> {
    let parts = parts.unwrap_or(1.0);
    let place = round(parts * off);
    let is_place = (1.0..=PLACES as f64).contains(&place) && (off - place / parts).abs() <= noise.min(NEAR);
    is_place.then(|| place as usize - 1)
}

fn is_near(off: f64, part: f64) -> bool {
    (off - part).abs() <= NEAR_PART
}
