//! A number that is drawn between its last two states.

use crate::error::Error;

/// A number of the simulation, now and before the last step. The current number may be changed at will within a step.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Smoothed {
    /// The number before the last step.
    pub previous: f64,
    /// The number now.
    pub current: f64,
    /// The period of the number, such as 360 for an angle in degrees or the width of a world that is left on one side and entered on
    /// the other; 0 if it does not.
    pub wrap: f64,
    /// 1 if the number teleported in the present step, so that nothing is drawn between; else 0.
    pub teleported: u32,
}

impl Smoothed {
    /// A number at rest.
    ///
    /// # Errors
    ///
    /// [`Error::NotFinite`] and [`Error::Range`] if what it wraps at is not a number from zero on.
    pub fn new(state: f64, wrap: f64) -> Result<Self, Error> {
        if !wrap.is_finite() {
            return Err(Error::NotFinite);
        }
        if wrap < 0.0 {
            return Err(Error::Range);
        }
        Ok(Self {
            previous: state,
            current: state,
            wrap,
            teleported: 0,
        })
    }

    /// Begins a step: the current number becomes the previous one.
    pub const fn begin_step(&mut self) {
        self.previous = self.current;
        self.teleported = 0;
    }

    /// Says that the number teleports in the present step: it is drawn at its new value, not between.
    pub const fn teleport(&mut self) {
        self.teleported = 1;
    }

    /// Whether it has teleported in the present step.
    #[must_use]
    pub const fn is_teleport(&self) -> bool {
        self.teleported != 0
    }

    /// Moves both numbers, for when the origin of the world moves. That is no motion.
    pub fn shift(&mut self, by: f64) {
        self.previous += by;
        self.current += by;
    }

    /// The number to be drawn at a frame's alpha. One that wraps goes the shorter way, and may come out beyond where it wraps.
    #[must_use]
    pub fn at(&self, alpha: f64) -> f64 {
        if alpha <= 0.0 {
            self.previous
        } else if alpha >= 1.0 || self.is_teleport() {
            self.current
        } else {
            self.previous + self.way() * alpha
        }
    }

    /// From the previous number to the current one.
    fn way(&self) -> f64 {
        let (way, wrap) = (self.current - self.previous, self.wrap);
        if wrap == 0.0 {
            return way;
        }
        let windings = way / wrap;
        let nearest = (windings + 0.5_f64.copysign(windings)) as i64 as f64;
        let (way, most) = (way - nearest * wrap, 0.5 * wrap);
        // Not clamped: somebody else may have filled in what it wraps at.
        if way > most {
            most
        } else if way < -most {
            -most
        } else {
            way
        }
    }
}
