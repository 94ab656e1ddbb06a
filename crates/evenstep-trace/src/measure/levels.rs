//! Divides a recording into levels: a menu and the game, or two scenes, each at a rate of its own.

use std::ops::Range;

use crate::measure::multiples_fit::Baseline;
use crate::measure::samples::Sample;
use crate::measure::thresholds::{ENOUGH, LEVEL_CLEAR, LEVEL_EDGE, LEVEL_FACTOR, LEVEL_MS, MAX_LEVELS};

/// The levels of frames in the order of time, which together are all frames.
pub(super) fn levels(samples: &[Sample]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    divide(samples, 0..samples.len(), &mut found);
    if found.len() > MAX_LEVELS {
        found.truncate(1);
        found[0] = 0..samples.len();
    }
    found
}

fn divide(samples: &[Sample], all: Range<usize>, found: &mut Vec<Range<usize>>) {
    match change(&samples[all.clone()]) {
        Some(at) if found.len() <= MAX_LEVELS => {
            divide(samples, all.start..all.start + at, found);
            divide(samples, all.start + at..all.end, found);
        }
        _ => found.push(all),
    }
}

/// The index of the first frame of another level.
fn change(samples: &[Sample]) -> Option<usize> {
    let logs: Vec<f64> = samples.iter().map(|sample| log(sample.delta)).collect();
    let sum: f64 = logs.iter().filter(|log| log.is_finite()).sum();
    let count = logs.iter().filter(|log| log.is_finite()).count() as f64;
    let first = samples.first()?.at + LEVEL_MS;
    let last = samples.last()?.at - LEVEL_MS;
    // The place that leaves the least variance in both parts.
    let (mut before, mut sum_before, mut best) = (0.0, 0.0, (0.0, 0));
    for (index, log) in logs.iter().enumerate() {
        let at = samples[index].at;
        if at >= first && at <= last && before > 0.0 && before < count {
            let (one, other) = (sum_before / before, (sum - sum_before) / (count - before));
            let gain = before * (count - before) / count * (one - other).powi(2);
            if gain > best.0 {
                best = (gain, index);
            }
        }
        if log.is_finite() {
            (before, sum_before) = (before + 1.0, sum_before + log);
        }
    }
    let near = best.1;
    if near == 0 {
        return None;
    }
    let at = samples[near].at;
    // The frames on either side, nearest first.
    let baseline = |part: &mut dyn Iterator<Item = &Sample>| {
        let near = part
            .filter(|sample| !sample.delta.is_nan())
            .skip(LEVEL_EDGE)
            .enumerate();
        let near = near.take_while(|(index, sample)| *index < ENOUGH || (sample.at - at).abs() <= LEVEL_MS);
        Baseline::of(&near.map(|(_, sample)| f64::from(sample.delta)).collect::<Vec<_>>())
    };
    let one = baseline(&mut samples[..near].iter().rev())?;
    let other = baseline(&mut samples[near..].iter())?;
    let (apart, spread) = (
        (one.median / other.median).ln().abs(),
        one.deviation.max(other.deviation),
    );
    if apart < LEVEL_FACTOR.ln() || apart < LEVEL_CLEAR * spread {
        return None;
    }
    // Exactly: the place from which on frames are nearer to the second level.
    let nearer = |log: f64| (log - one.median.ln()).abs() - (log - other.median.ln()).abs();
    let from = near.saturating_sub(ENOUGH);
    let (mut cost, mut least) = (0.0, (0.0, from));
    for (index, log) in logs.iter().enumerate().take(near + ENOUGH).skip(from) {
        cost += if log.is_finite() {
            nearer(*log).clamp(-apart, apart)
        } else {
            0.0
        };
        if cost < least.0 {
            least = (cost, index + 1);
        }
    }
    Some(least.1)
}

fn log(delta: f32) -> f64 {
    match delta > 0.0 {
        true => f64::from(delta).ln(),
        false => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn samples(parts: &[(usize, f64)], noise: f64) -> Vec<Sample> {
        let (mut at, mut all) = (0.0, Vec::new());
        for (count, frame) in parts {
            for n in 0..*count {
                let delta = frame * (1.0 + noise * ((n * 7919 % 1000) as f64 / 500.0 - 1.0));
                at += delta;
                all.push(Sample::new(at, Some(Duration::from_secs_f64(delta / 1e3)), None, None));
            }
        }
        all
    }

    #[test]
    fn levels_are_found_to_the_frame_and_a_varying_load_has_none() {
        for (one, other) in [(240.0, 60.0), (60.0, 30.0), (60.0, 72.5), (30.0, 144.0)] {
            for noise in [0.0, 0.01, 0.03] {
                let counts = [one, other].map(|rate: f64| (rate * 10.0) as usize);
                let parts = [(counts[0], 1e3 / one), (counts[1], 1e3 / other), (counts[0], 1e3 / one)];
                let found = levels(&samples(&parts, noise));
                let ends: Vec<usize> = found.iter().map(|level| level.end).collect();
                let right = [counts[0], counts[0] + counts[1], 2 * counts[0] + counts[1]];
                assert_eq!(ends, right, "{one} and {other}, {noise}");
            }
        }
        for noise in [0.1, 0.3] {
            let part = (600, 1e3 / 60.0);
            assert_eq!(levels(&samples(&[part, (600, 1e3 / 55.0)], noise)).len(), 1);
        }
        assert!(levels(&[]).iter().all(Range::is_empty));
    }

    #[test]
    fn eight_levels_are_told_and_nine_are_none() {
        for (count, found) in [(7, 7), (8, 8), (9, 1)] {
            let parts: Vec<(usize, f64)> = (0..count).map(|n| [(300, 10.0), (150, 20.0)][n % 2]).collect();
            assert_eq!(levels(&samples(&parts, 0.0)).len(), found, "{count}");
        }
    }
}
