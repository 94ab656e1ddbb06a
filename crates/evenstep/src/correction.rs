use core::time::Duration;

use crate::Vector;

/// An offset between what is drawn and the truth, which decays: after a rollback or a word from the server, the picture
/// glides to where things really are.
///
/// Tell it of each correction with what was drawn and what is true now; add it to what is drawn from then on. It is gone
/// after a fixed time. An offset beyond a threshold is not glided over: the picture snaps.
///
/// ```
/// use evenstep::Correction;
/// use std::time::Duration;
///
/// let mut correction = Correction::new(Duration::from_millis(200), 5.0);
/// correction.correct([10.0, 0.0], [11.0, 0.0]); // drawn there, but the server says here
/// assert_eq!(correction.apply([11.0, 0.0]), [10.0, 0.0]);
/// correction.advance(Duration::from_millis(100));
/// assert_eq!(correction.apply([11.0, 0.0]), [10.5, 0.0]);
/// correction.advance(Duration::from_millis(100));
/// assert_eq!(correction.apply([11.0, 0.0]), [11.0, 0.0]);
/// ```
///
/// It fades along the smoothstep `1 - 3t² + 2t³`, whose slope is zero at both ends, so that neither its start nor its end
/// is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Correction<V> {
    offset: Option<V>,
    age: Duration,
    duration: Duration,
    snap_beyond: f64,
}

/// What has a size: how far an offset is.
pub trait Length: Vector {
    /// The square of its Euclidean length.
    #[must_use]
    fn length_squared(self) -> f64;
}

impl Length for f32 {
    fn length_squared(self) -> f64 {
        f64::from(self) * f64::from(self)
    }
}

impl Length for f64 {
    fn length_squared(self) -> f64 {
        self * self
    }
}

impl<T: Length, const N: usize> Length for [T; N] {
    fn length_squared(self) -> f64 {
        self.into_iter().map(Length::length_squared).sum()
    }
}

impl<V: Length> Correction<V> {
    /// No offset. One will be gone `duration` after its correction; one longer than `snap_beyond`, or of no number, at
    /// once.
    #[must_use]
    pub const fn new(duration: Duration, snap_beyond: f64) -> Self {
        Self {
            offset: None,
            age: Duration::ZERO,
            duration,
            snap_beyond,
        }
    }

    /// The truth has changed: what was drawn at `drawn`, earlier offsets included, is to be drawn at `truth`.
    pub fn correct(&mut self, drawn: V, truth: V) {
        let offset = drawn.plus(truth, -1.0);
        let glides = offset.length_squared() <= self.snap_beyond * self.snap_beyond;
        self.offset = (glides && !self.duration.is_zero()).then_some(offset);
        self.age = Duration::ZERO;
    }

    /// Lets real time pass.
    pub fn advance(&mut self, delta: Duration) {
        self.age = self.age.saturating_add(delta);
        if self.age >= self.duration {
            self.offset = None;
        }
    }

    /// Where to draw what is at `truth`.
    #[must_use]
    pub fn apply(&self, truth: V) -> V {
        let Some(offset) = self.offset else { return truth };
        let t = self.age.as_secs_f64() / self.duration.as_secs_f64();
        truth.plus(offset, 1.0 - t * t * (3.0 - 2.0 * t))
    }

    /// Whether the picture is where things are.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.offset.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn it_glides_without_a_jump_and_is_done_in_time() {
        let mut correction = Correction::new(100 * MS, 10.0);
        correction.correct(3.0, 0.0);
        let mut last = 3.0;
        for _ in 0..100 {
            correction.advance(MS);
            let drawn = correction.apply(0.0);
            assert!(drawn <= last && last - drawn < 0.05, "{last} to {drawn}");
            last = drawn;
        }
        assert!(correction.is_done() && last == 0.0);
    }

    #[test]
    fn beyond_the_threshold_it_snaps() {
        for (drawn, glides) in [([3.0, 4.0], true), ([3.1, 4.0], false), ([f64::NAN, 0.0], false)] {
            let mut correction = Correction::new(100 * MS, 5.0);
            correction.correct(drawn, [0.0; 2]);
            assert_eq!(!correction.is_done(), glides, "{drawn:?}");
        }
    }

    #[test]
    fn a_correction_during_another_begins_where_the_picture_is() {
        let mut correction = Correction::new(100 * MS, 10.0);
        correction.correct(4.0, 0.0);
        correction.advance(50 * MS);
        let drawn = correction.apply(0.0);
        correction.correct(drawn, -1.0);
        assert_eq!(correction.apply(-1.0), drawn);
    }

    #[test]
    fn without_time_to_glide_it_snaps() {
        let mut correction = Correction::new(Duration::ZERO, 10.0);
        correction.correct(4.0, 0.0);
        assert_eq!(correction.apply(0.0), 0.0);
    }
}
