//! Blends out the offset between the drawn and the corrected state.

use core::time::Duration;

use crate::drawing::Vector;

/// Blends out the offset between the drawn and the true state: after a rollback or a message from the server, objects change position
/// abruptly, and the drawn state glides to the new position.
///
/// Report each correction with the drawn and the true state; from then on add the offset to each drawn state. It becomes zero after a fixed
/// time. An offset beyond a threshold is not blended out: the drawn state snaps.
///
/// ```
/// use evenstep::history::Correction;
/// use std::time::Duration;
///
/// let mut correction = Correction::new(Duration::from_millis(200), 5.0);
/// correction.correct([10.0, 0.0], [11.0, 0.0]); // the drawn position, and the server's
/// assert_eq!(correction.apply([11.0, 0.0]), [10.0, 0.0]);
/// correction.advance(Duration::from_millis(100));
/// assert_eq!(correction.apply([11.0, 0.0]), [10.5, 0.0]);
/// correction.advance(Duration::from_millis(100));
/// assert_eq!(correction.apply([11.0, 0.0]), [11.0, 0.0]);
/// ```
///
/// It fades along the smoothstep `1 - 3t² + 2t³`, whose slope is zero at both ends: neither its start nor its end shows. A
/// correction during a fade keeps the speed of the drawn state. It delays the end of the fade in proportion to the change of
/// the offset: one that changes nothing delays nothing, so a fade ends however often the simulated state is confirmed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Correction<V> {
    fade: Option<Fade<V>>,
    duration: Duration,
    snap_beyond: f64,
}

/// A cubic from an offset and its velocity, in units a second, to rest at zero.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Fade<V> {
    offset: V,
    velocity: V,
    /// Less than `lasts`.
    age: Duration,
    lasts: Duration,
}

impl<V: Vector> Correction<V> {
    /// No offset. One is gone `duration` after its correction; one longer than `snap_beyond`, or not finite, at once. With
    /// [`f64::INFINITY`] no finite offset is too long, with a number below zero or none every offset is.
    #[must_use]
    pub const fn new(duration: Duration, snap_beyond: f64) -> Self {
        // Finite, so that every format can store it: no finite offset is longer than the largest number.
        let snap_beyond = if snap_beyond >= 0.0 {
            snap_beyond.min(f64::MAX)
        } else {
            -1.0
        };
        Self {
            fade: None,
            duration,
            snap_beyond,
        }
    }

    /// The true state has changed: the state drawn at `drawn`, earlier offsets included, is now at `truth`.
    pub fn correct(&mut self, drawn: V, truth: V) {
        let offset = drawn.plus(truth, -1.0);
        let squared = offset.length_squared();
        let is_near = self.snap_beyond >= 0.0 && squared <= self.snap_beyond * self.snap_beyond;
        let glides = squared.is_finite() && is_near;
        if !glides || self.duration.is_zero() {
            self.fade = None;
            return;
        }
        self.fade = match self.fade {
            None if squared == 0.0 => None,
            None => Some(Fade {
                offset,
                velocity: offset.plus(offset, -1.0),
                age: Duration::ZERO,
                lasts: self.duration,
            }),
            Some(fade) => Some(fade.corrected(offset, self.duration)),
        };
    }

    /// Lets real time pass.
    pub fn advance(&mut self, delta: Duration) {
        if let Some(fade) = &mut self.fade {
            fade.age = fade.age.saturating_add(delta);
            if fade.age >= fade.lasts {
                self.fade = None;
            }
        }
    }

    /// Where to draw an object whose true position is `truth`.
    #[must_use]
    pub fn apply(&self, truth: V) -> V {
        self.fade.map_or(truth, |fade| truth.plus(fade.now().0, 1.0))
    }

    /// Whether nothing is left to correct.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.fade.is_none()
    }
}

impl<V: Vector> Fade<V> {
    /// Offset and velocity.
    fn now(&self) -> (V, V) {
        let lasts = self.lasts.as_secs_f64();
        let zero = self.offset.plus(self.offset, -1.0);
        if self.age >= self.lasts {
            // Only one that was stored otherwise than it is here.
            return (zero, zero);
        }
        let t = self.age.as_secs_f64() / lasts;
        let rest = 1.0 - t;
        let offset = zero
            .plus(self.offset, rest * rest * (1.0 + 2.0 * t))
            .plus(self.velocity, lasts * t * rest * rest);
        let velocity = zero
            .plus(self.offset, -6.0 * t * rest / lasts)
            .plus(self.velocity, rest * (1.0 - 3.0 * t));
        (offset, velocity)
    }

    /// The fade from another offset, at the velocity that there is.
    fn corrected(&self, offset: V, duration: Duration) -> Self {
        let (was, velocity) = self.now();
        let (squared, changed) = (offset.length_squared(), offset.plus(was, -1.0).length_squared());
        let left = self.lasts.saturating_sub(self.age);
        let lasts = if changed < squared {
            let more = duration.saturating_sub(left).as_secs_f64() * (changed / squared);
            left.saturating_add(Duration::try_from_secs_f64(more).unwrap_or_default())
                .min(duration)
        } else {
            duration
        };
        let is_finite = velocity.length_squared().is_finite();
        Self {
            offset,
            velocity: if is_finite { velocity } else { offset.plus(offset, -1.0) },
            age: Duration::ZERO,
            lasts,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn a_truth_that_is_confirmed_in_every_frame_does_not_hold_up_the_fade() {
        for frames in [5, 50, 500] {
            let frame = 500 * MS / frames;
            let mut alone = Correction::new(500 * MS, 10.0);
            alone.correct([4.0, 1.0], [0.0; 2]);
            let mut confirmed = alone;
            for _ in 0..frames {
                alone.advance(frame);
                confirmed.advance(frame);
                confirmed.correct(confirmed.apply([0.0; 2]), [0.0; 2]);
                let (one, other): ([f64; 2], _) = (alone.apply([0.0; 2]), confirmed.apply([0.0; 2]));
                assert!((one[0] - other[0]).abs() < 1e-9, "{one:?} {other:?}");
            }
            assert!(confirmed.is_done());
        }
    }

    #[test]
    fn a_truth_that_drifts_is_followed_at_a_distance_that_its_speed_decides_at_every_frame_rate() {
        for frames in [30_u32, 240] {
            let frame = Duration::from_secs(1) / frames;
            let mut correction = Correction::new(200 * MS, 10.0);
            let (mut truth, mut farthest) = (0.0, 0.0_f64);
            for _ in 0..10 * frames {
                correction.advance(frame);
                let drawn = correction.apply(truth);
                truth += frame.as_secs_f64(); // 1 m/s, each bit of it a correction
                correction.correct(drawn, truth);
                farthest = farthest.max(truth - drawn);
            }
            assert!(
                farthest < 0.2,
                "{farthest} m behind what moves at 1 m/s, with 0.2 s to glide"
            );
        }
    }

    #[test]
    fn a_correction_during_another_lasts_longer_by_the_share_by_which_the_offset_changed() {
        // Half of 100 ms is left, and more as the offset grows: all of it if nothing of the offset was there before.
        for (change, lasts) in [(0.0, 50.0), (0.25, 52.0), (1.0, 62.5), (-0.5, 100.0), (-2.0, 100.0)] {
            let mut correction = Correction::new(100 * MS, 10.0);
            correction.correct(4.0, 0.0);
            correction.advance(50 * MS);
            let was: f64 = correction.apply(0.0);
            correction.correct(was * (1.0 + change), 0.0);
            let lasts = Duration::from_secs_f64(lasts / 1e3);
            correction.advance(lasts - MS / 100);
            assert!(!correction.is_done(), "{change}");
            correction.advance(MS / 50);
            assert!(correction.is_done(), "{change}");
        }
    }

    #[test]
    fn a_speed_beyond_all_numbers_counts_as_none() {
        let mut correction = Correction::new(Duration::from_nanos(2), f64::INFINITY);
        correction.correct(1e150, 0.0);
        correction.advance(Duration::from_nanos(1));
        correction.correct(-1e150, 0.0);
        correction.advance(Duration::from_nanos(1));
        assert_eq!(correction.apply(0.0), -0.5e150);
    }

    #[test]
    fn a_correction_during_another_keeps_the_drawn_speed() {
        let mut correction = Correction::new(100 * MS, 10.0);
        correction.correct(4.0, 0.0);
        correction.advance(50 * MS);
        let before = correction.apply(0.0);
        correction.correct(before, 1.0); // the truth moves the other way
        correction.advance(MS / 1000);
        let speed: f64 = (correction.apply(1.0) - before) / 1e-6;
        assert!((speed - -60.0).abs() < 0.1, "{speed} m/s");
    }

    #[cfg(feature = "serde")]
    #[test]
    fn any_settings_are_read_back_unchanged() {
        for snap_beyond in [0.0, 5.0, f64::MAX, f64::INFINITY, -1.0, f64::NEG_INFINITY, f64::NAN] {
            for drawn in [1.0, 1e100] {
                let mut correction = Correction::new(100 * MS, snap_beyond);
                correction.correct([drawn, 0.0], [0.0; 2]);
                assert_eq!(
                    !correction.is_done(),
                    drawn <= snap_beyond,
                    "{drawn} beyond {snap_beyond}"
                );
                correction.advance(30 * MS);
                let text = serde_json::to_string(&correction).unwrap();
                assert_eq!(
                    serde_json::from_str::<Correction<[f64; 2]>>(&text).unwrap(),
                    correction,
                    "{text}"
                );
            }
        }
    }

    #[cfg(feature = "serde")]
    #[test]
    fn a_fade_that_was_stored_as_if_it_had_ended_has_ended() {
        let mut correction = Correction::new(100 * MS, 5.0);
        correction.correct(1.0, 0.0);
        let text = serde_json::to_string(&correction).unwrap();
        for (from, to) in [
            (r#""age":{"secs":0,"nanos":0}"#, r#""age":{"secs":9,"nanos":0}"#),
            (
                r#""lasts":{"secs":0,"nanos":100000000}"#,
                r#""lasts":{"secs":0,"nanos":0}"#,
            ),
        ] {
            assert!(text.contains(from), "{text}");
            let mut correction: Correction<f64> = serde_json::from_str(&text.replace(from, to)).unwrap();
            assert_eq!(correction.apply(3.0), 3.0);
            correction.correct(4.0, 3.0);
            assert_eq!(correction.apply(3.0), 4.0);
        }
    }
}
