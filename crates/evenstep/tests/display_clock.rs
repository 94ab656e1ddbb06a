//! `DisplayClock` against displays whose truth is known.

use std::time::Duration;

use evenstep::{DeltaFilter, DisplayClock, FixedTimestep, Rate};
use proptest::prelude::*;

/// From 0 to 1, by G. Marsaglia, *Xorshift RNGs* (2003).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Normal, by the sum of twelve.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.next()).sum::<f64>() - 6.0
    }
}

/// How wrong the times are that are read for each refresh, in milliseconds.
#[derive(Clone, Copy, Debug)]
enum Noise {
    /// ±0.083 ms.
    Uniform,
    /// σ 0.5 ms.
    Normal,
    /// σ 0.2 ms, and one in fifty late by 1 to 6 ms.
    Late,
}

impl Noise {
    fn sample(self, random: &mut Random) -> f64 {
        match self {
            Self::Uniform => 0.083 * (2.0 * random.next() - 1.0),
            Self::Normal => 0.5 * random.normal(),
            Self::Late => {
                let late = if random.next() < 0.02 {
                    1.0 + 5.0 * random.next()
                } else {
                    0.0
                };
                0.2 * random.normal() + late
            }
        }
    }
}

/// Deltas of frames that are each shown at the refresh after the one before, read with noise.
fn deltas(hertz: f64, noise: Noise, seed: u64, frames: u32) -> Vec<Duration> {
    let mut random = Random(0x9E37_79B9_7F4A_7C15 ^ (seed << 17));
    let mut last = 0.0_f64;
    let read = |frame: u32| {
        let time = (f64::from(frame) * 1e3 / hertz + noise.sample(&mut random)).max(last);
        let delta = time - last;
        last = time;
        Duration::from_secs_f64(delta / 1e3)
    };
    (1..=frames).map(read).collect()
}

const DISPLAYS: [f64; 5] = [60_000.0 / 1_001.0, 60.0, 75.0, 120_000.0 / 1_001.0, 144.0];
const NOISES: [Noise; 3] = [Noise::Uniform, Noise::Normal, Noise::Late];
const SEEDS: std::ops::Range<u64> = 1..9;

/// After the first two seconds: the mean and the largest animation error of interpolated motion, and the drift from the
/// display at the end, in milliseconds.
fn errors(hertz: f64, noise: Noise, seed: u64) -> (f64, f64, f64) {
    let mut clock = DisplayClock::new();
    let (mut sum, mut largest, mut count, mut given) = (0.0, 0.0_f64, 0, 0.0);
    let all = deltas(hertz, noise, seed, 20_000);
    for (frame, delta) in all.iter().enumerate() {
        let handed = clock.apply(*delta).as_secs_f64() * 1e3;
        given += handed;
        if frame as f64 > 2.0 * hertz {
            let error = (handed - 1e3 / hertz).abs();
            (sum, largest, count) = (sum + error, largest.max(error), count + 1);
        }
    }
    let drift = given - all.len() as f64 * 1e3 / hertz;
    (sum / f64::from(count), largest, drift)
}

#[test]
fn motion_is_even_to_hundredths_of_a_millisecond_and_does_not_drift() {
    for hertz in DISPLAYS {
        for noise in NOISES {
            for seed in SEEDS {
                let (mean, largest, drift) = errors(hertz, noise, seed);
                let told = format!("{hertz:.2} Hz, {noise:?}, seed {seed}: {mean:.4} {largest:.3} {drift:.2} ms");
                assert!(mean <= 0.02 && largest <= 0.25 && drift.abs() <= 0.5, "{told}");
            }
        }
    }
}

#[test]
fn a_simulation_at_the_displays_rate_runs_one_step_in_every_frame() {
    for noise in NOISES {
        for seed in SEEDS {
            let (mut clock, mut timestep) = (DisplayClock::new(), FixedTimestep::new(Rate::hz(60)));
            let steps = |delta| timestep.advance(clock.apply(delta)).steps().len();
            let all: Vec<usize> = deltas(60.0, noise, seed, 10_120).into_iter().map(steps).collect();
            let wrong = all[120..].iter().filter(|steps| **steps != 1).count();
            assert!(wrong <= 1, "{noise:?}, seed {seed}: {wrong} frames");
        }
    }
}

#[test]
fn the_refresh_rate_is_found_to_a_thousandth_of_a_hertz() {
    for hertz in DISPLAYS {
        let mut clock = DisplayClock::new();
        for delta in deltas(hertz, Noise::Uniform, 1, 5_000) {
            clock.apply(delta);
        }
        assert!(
            (clock.refresh_hz().unwrap() - hertz).abs() < 1e-3,
            "{:?}",
            clock.refresh_hz()
        );
    }
}

#[test]
fn a_refresh_that_was_really_missed_is_followed_within_three_frames() {
    for noise in [Noise::Uniform, Noise::Normal] {
        let mut all = deltas(60.0, noise, 1, 1_000);
        all[500] += Duration::from_secs_f64(1.0 / 60.0);
        let mut clock = DisplayClock::new();
        let given: Vec<f64> = all
            .iter()
            .map(|delta| clock.apply(*delta).as_secs_f64() * 60.0)
            .collect();
        let caught_up: f64 = given[500..503].iter().sum();
        assert!((caught_up - 4.0).abs() < 0.05, "{:?}", &given[498..506]);
        assert!(given[503..].iter().all(|periods| (periods - 1.0).abs() < 0.02));
    }
}

#[test]
fn another_display_is_followed_within_a_second() {
    for (from, to) in [(60.0, 144.0), (144.0, 60.0), (60.0, 75.0)] {
        let mut clock = DisplayClock::new();
        for delta in deltas(from, Noise::Uniform, 1, 600) {
            clock.apply(delta);
        }
        for delta in deltas(to, Noise::Uniform, 2, to as u32 + 20) {
            clock.apply(delta);
        }
        let found = clock.refresh_hz().unwrap_or_default();
        assert!((found - to).abs() < 0.5, "{from} to {to}: {found}");
    }
}

#[test]
fn frames_without_a_period_are_averaged_and_nothing_is_lost() {
    let mut random = Random(7);
    let mut clock = DisplayClock::new();
    for _ in 0..2_000 {
        clock.apply(Duration::from_secs_f64(0.008 + 0.009 * random.next()));
        assert!(clock.residual().abs() < 100_000_000);
    }
    assert_eq!(clock.refresh_hz(), None);
}

proptest! {
    #[test]
    fn time_is_conserved_and_the_debt_is_bounded_whatever_comes_in(
        deltas in prop::collection::vec(
            prop_oneof![
                8 => (0..60_000_000_u64).prop_map(Duration::from_nanos),
                8 => (16_600_000..16_700_000_u64).prop_map(Duration::from_nanos),
                1 => Just(Duration::ZERO),
                1 => (0..9_000_000_000_u64).prop_map(Duration::from_nanos),
                1 => Just(Duration::MAX),
            ],
            1..400,
        ),
    ) {
        let mut clock = DisplayClock::new();
        let (mut came_in, mut given, mut longest) = (0_i128, 0_i128, 0_i128);
        for delta in deltas {
            came_in += delta.as_nanos() as i128;
            given += clock.apply(delta).as_nanos() as i128;
            longest = longest.max(delta.as_nanos() as i128);
            prop_assert_eq!(clock.residual(), came_in - given);
            prop_assert!(clock.residual().abs() <= 12 * longest.max(100_000_000));
        }
    }
}
