//! Camera shake.

use core::time::Duration;

use crate::numeric::rounding::floor;

/// A shake of the camera that fades: after a hit, an explosion, a landing.
///
/// It only affects drawing, so it runs on real time, once a frame, and no step knows of it. It is a function of time: the same
/// shake at every display rate, and every frame shows it where it is.
///
/// ```
/// use evenstep::follow::Shake;
/// use std::time::Duration;
///
/// let mut shake = Shake::new(7).with_fade(Duration::from_millis(500)).with_frequency(15.0);
/// shake.hit(0.8);
/// shake.advance(Duration::from_millis(16)); // once a frame
/// let [x, y, roll] = shake.offsets();
/// let (metres, radians) = (0.3, 0.05); // how far, when it is strongest
/// let _camera = [x * metres, y * metres, roll * radians];
/// shake.advance(Duration::from_secs(1));
/// assert!(shake.is_calm() && shake.offsets() == [0.0; 3]);
/// ```
///
/// Hits add up to a strength of at most 1, which falls evenly; offsets grow with its square, so that small hits stay small. After
/// S. Eiserloh, *Juicing your cameras with math* (GDC 2016).
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Shake {
    seed: u64,
    /// Turns of direction a second.
    frequency: f64,
    /// From a strength of 1 to calm.
    fade: Duration,
    now: Duration,
    calm_at: Duration,
}

impl Shake {
    /// A calm one that fades within a second and turns 12 times a second. Shakes of different seeds go different ways.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self {
            seed,
            frequency: 12.0,
            fade: Duration::from_secs(1),
            now: Duration::ZERO,
            calm_at: Duration::ZERO,
        }
    }

    /// It oscillates this many times a second. A frequency that is no number above zero shakes nothing.
    #[must_use]
    pub const fn with_frequency(mut self, hertz: f64) -> Self {
        // Finite, so that every format can store it.
        self.frequency = if hertz > 0.0 && hertz.is_finite() { hertz } else { 0.0 };
        self
    }

    /// The strongest shake fades within this time.
    #[must_use]
    pub const fn with_fade(mut self, fade: Duration) -> Self {
        self.fade = fade;
        self
    }

    /// Adds strength, from 0 to 1.
    pub fn hit(&mut self, strength: f64) {
        // A value that is not a number adds nothing.
        let strength = if strength > 0.0 { strength.min(1.0) } else { 0.0 };
        // The longest time that there is, times one, is rounded beyond itself.
        let added = Duration::try_from_secs_f64(self.fade.as_secs_f64() * strength).unwrap_or(self.fade);
        let strongest = self.now.saturating_add(self.fade);
        self.calm_at = self.calm_at.max(self.now).saturating_add(added).min(strongest);
    }

    /// Lets real time pass.
    pub fn advance(&mut self, delta: Duration) {
        self.now = self.now.saturating_add(delta);
        if self.is_calm() {
            // Restart: times stay small, and the arithmetic of floats fine.
            (self.now, self.calm_at) = (Duration::ZERO, Duration::ZERO);
        }
    }

    /// How strong it is: from 0 to 1.
    #[must_use]
    pub fn strength(&self) -> f64 {
        if self.is_calm() {
            return 0.0;
        }
        ((self.calm_at - self.now).as_secs_f64() / self.fade.as_secs_f64()).min(1.0)
    }

    /// Whether there is nothing to see of it.
    #[must_use]
    pub fn is_calm(&self) -> bool {
        self.calm_at <= self.now
    }

    /// Where it is: a number from −1 to 1 for each axis, at a strength of 1.
    #[must_use]
    pub fn offsets<const N: usize>(&self) -> [f64; N] {
        let strength = self.strength();
        let turns = self.frequency * self.now.as_secs_f64();
        if strength == 0.0 || self.frequency == 0.0 || !(0.0..9e15).contains(&turns) {
            return [0.0; N];
        }
        core::array::from_fn(|axis| strength * strength * self.noise(axis as u64, turns))
    }

    /// Random values at whole numbers, joined smoothly.
    fn noise(&self, axis: u64, turns: f64) -> f64 {
        let whole = floor(turns);
        let t = turns - whole;
        let at = |place: u64| {
            let key = self.seed ^ mixed(axis.wrapping_add(1));
            // 53 bits to a number from −1 to 1.
            (mixed(key.wrapping_add(place)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let (one, next) = (at(whole as u64), at(whole as u64 + 1));
        one + (next - one) * (t * t * (3.0 - 2.0 * t))
    }
}

/// The finalizer of SplitMix64: G. Steele, D. Lea, C. Flood, *Fast splittable pseudorandom number generators* (2014).
const fn mixed(key: u64) -> u64 {
    let key = key.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let key = (key ^ (key >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let key = (key ^ (key >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    key ^ (key >> 31)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MS: Duration = Duration::from_millis(1);

    proptest! {
        #[test]
        fn every_display_shows_the_same_shake(seed: u64, strength in 0.1..1.0_f64, frames in 1..200_u32) {
            let mut struck = Shake::new(seed);
            struck.hit(strength);
            let (mut often, mut once) = (struck, struck);
            (0..frames).for_each(|_| often.advance(MS));
            once.advance(frames * MS);
            prop_assert_eq!(often.offsets::<3>(), once.offsets::<3>());
        }

        #[test]
        fn it_stays_within_the_square_of_its_strength(seed: u64, hits in prop::collection::vec(-1.0..2.0_f64, 1..5), millis in 0..1000_u32) {
            let mut shake = Shake::new(seed);
            hits.iter().for_each(|hit| shake.hit(*hit));
            shake.advance(millis * MS);
            let strength = shake.strength();
            prop_assert!((0.0..=1.0).contains(&strength));
            for offset in shake.offsets::<3>() {
                prop_assert!(offset.abs() <= strength * strength);
            }
        }

        #[test]
        fn no_setting_makes_it_fail(seed: u64, strength: f64, hertz: f64, fade in prop_oneof![any::<Duration>(), Just(Duration::MAX)], delta in any::<Duration>()) {
            let mut shake = Shake::new(seed).with_frequency(hertz).with_fade(fade);
            shake.hit(strength);
            shake.advance(delta);
            prop_assert!(shake.offsets::<2>().iter().all(|offset| offset.abs() <= 1.0));
        }
    }

    #[cfg(feature = "serde")]
    #[test]
    fn whatever_it_was_made_with_it_is_read_back_as_it_was() {
        for hertz in [0.0, 12.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
            let mut shake = Shake::new(7).with_frequency(hertz).with_fade(Duration::MAX);
            shake.hit(1.0);
            shake.advance(10 * MS);
            let text = serde_json::to_string(&shake).unwrap();
            assert_eq!(serde_json::from_str::<Shake>(&text).unwrap(), shake, "{text}");
            assert_eq!(shake.offsets::<2>() == [0.0; 2], hertz != 12.0, "{hertz} Hz");
        }
    }

    #[test]
    fn it_fades_evenly_and_is_calm_in_time() {
        let mut shake = Shake::new(1).with_fade(100 * MS);
        shake.hit(0.5);
        shake.advance(25 * MS);
        assert_eq!(shake.strength(), 0.25);
        shake.hit(1.0);
        assert_eq!(shake.strength(), 1.0);
        shake.advance(100 * MS);
        assert!(shake.is_calm());
    }

    #[test]
    fn between_two_frames_it_moves_no_farther_than_its_frequency_allows() {
        let mut shake = Shake::new(3).with_fade(1000 * MS).with_frequency(10.0);
        shake.hit(1.0);
        let mut last: [f64; 2] = shake.offsets();
        for _ in 0..999 {
            shake.advance(MS);
            let now: [f64; 2] = shake.offsets();
            // From −1 to 1 within 100 ms, at most half as fast again in the middle.
            assert!(
                (0..2).all(|axis| (now[axis] - last[axis]).abs() < 0.035),
                "{last:?} {now:?}"
            );
            last = now;
        }
    }

    #[test]
    fn axes_and_seeds_go_different_ways() {
        let offsets = |seed| {
            let mut shake = Shake::new(seed);
            shake.hit(1.0);
            shake.advance(10 * MS);
            shake.offsets::<3>()
        };
        let ([x, y, z], [other, ..]) = (offsets(1), offsets(2));
        assert!(x != y && y != z && x != other);
    }
}
