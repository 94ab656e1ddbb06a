//! A number that is drawn between its last two states.

use crate::error::Error;

/// A number of the simulation, now and before the last step. A step may assign any value to the current number.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Smoothed {
    /// The number before the last step.
    pub previous: f64,
    /// The number now.
    pub current: f64,
    /// The period of the number, such as 360 for an angle in degrees or the width of a world that is left on one side and entered on
    /// the other; 0 if it does not wrap.
    pub wrap: f64,
    /// 1 if the number teleported in the present step, so that nothing is drawn between; else 0.
    pub teleported: u32,
}

impl Smoothed {
    /// A number at rest.
    ///
    /// # Errors
    ///
    /// [`Error::NotFinite`] if `wrap` is not finite, and [`Error::Range`] if it is negative.
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

    /// Marks the number as teleported in this step: it is drawn at its new value, not between.
    pub const fn teleport(&mut self) {
        self.teleported = 1;
    }

    /// Whether the number has teleported in this step.
    #[must_use]
    pub const fn is_teleport(&self) -> bool {
        self.teleported != 0
    }

    /// Adds `by` to both numbers, when the origin of the world moves. This is not motion.
    pub fn shift(&mut self, by: f64) {
        self.previous += by;
        self.current += by;
    }

    /// The number to draw at a frame's alpha. A number that wraps is blended the shorter way, and the result may lie outside of one
    /// period.
    #[must_use]
    pub fn at(&self, alpha: f64) -> f64 {
        if alpha <= 0.0 {
            self.previous
        } else if alpha >= 1.0 || self.is_teleport() {
            self.current
        } else {
            self.previous + self.difference() * alpha
        }
    }

    /// The difference from the previous number to the current one, the shorter way.
    fn difference(&self) -> f64 {
        let (difference, wrap) = (self.current - self.previous, self.wrap);
        if wrap == 0.0 {
            return difference;
        }
        let windings = difference / wrap;
        let nearest = (windings + 0.5_f64.copysign(windings)) as i64 as f64;
        let (difference, most) = (difference - nearest * wrap, 0.5 * wrap);
        // Not `clamp`, which panics on a negative or NaN `wrap`: the fields are public.
        if difference > most {
            most
        } else if difference < -most {
            -most
        } else {
            difference
        }
    }
}
