//! Divides a recording into levels: a menu and the game, or two scenes, each at a rate of its own.

use std::ops::Range;

use crate::measure::account::medians;
use crate::measure::multiples_fit::Baseline;
use crate::measure::samples::Sample;
use crate::measure::thresholds::MIN_FRAMES;

/// A level lasts for at least this time, in milliseconds.
const LEVEL_MS: f64 = 2000.0;

/// From one level to the next the median of the frames changes by this factor within so many frames, and by this many times the mean
/// deviation of those on either side: a load that varies has no levels.
const LEVEL_FACTOR: f64 = 1.15;
const LEVEL_EDGE: usize = 20;
const LEVEL_CLEAR: f64 = 4.0;

/// A recording with more levels has none.
const MAX_LEVELS: usize = 8;

/// The levels of frames in the order of time, which together are all frames.
pub(super) fn levels(samples: &[Sample]) -> Vec<Range<usize>> {
    let known = samples.iter().enumerate().filter(|(_, sample)| sample.delta > 0.0);
    let (indices, times): (Vec<usize>, Vec<f64>) = known.map(|(index, one)| (index, f64::from(one.delta))).unzip();
    let (mut ends, last) = (vec![0], samples.last().map_or(0.0, |last| last.at));
    for (place, around) in medians(&times).windows(LEVEL_EDGE + 1).enumerate() {
        let (at, factor) = (place + LEVEL_EDGE, around[0] / around[LEVEL_EDGE]);
        let end = samples[indices[at]].at;
        let lasts = (end - samples[ends[ends.len() - 1]].at).min(last - end);
        if factor.max(1.0 / factor) >= LEVEL_FACTOR && lasts >= LEVEL_MS {
            ends.extend(change(&times, at).map(|at| indices[at]));
        }
    }
    if ends.len() > MAX_LEVELS {
        ends.truncate(1);
    }
    ends.push(samples.len());
    ends.windows(2).map(|pair| pair[0]..pair[1]).collect()
}

/// The first frame of the next level, near this one.
fn change(times: &[f64], near: usize) -> Option<usize> {
    let before = Baseline::measure(&times[near.checked_sub(MIN_FRAMES + LEVEL_EDGE)?..near - 2])?;
    let after = Baseline::measure(times.get(near + 2..near + MIN_FRAMES + LEVEL_EDGE)?)?;
    let apart = (before.median / after.median).ln().abs();
    let is_next = |at: &usize| (times[*at] - after.median).abs() < (times[*at] - before.median).abs();
    let is_clear = apart
        >= LEVEL_FACTOR
            .ln()
            .max(LEVEL_CLEAR * before.deviation.max(after.deviation));
    (near - 2..near + 2).find(is_next).filter(|_| is_clear)
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
    fn levels_are_found_to_three_frames_and_a_varying_load_has_none() {
        for (one, other) in [(240.0, 60.0), (60.0, 30.0), (60.0, 72.5), (30.0, 144.0)] {
            for noise in [0.0, 0.01, 0.03] {
                let counts = [one, other].map(|rate: f64| (rate * 10.0) as usize);
                let parts = [(counts[0], 1e3 / one), (counts[1], 1e3 / other), (counts[0], 1e3 / one)];
                let found = levels(&samples(&parts, noise));
                let ends: Vec<usize> = found.iter().map(|level| level.end).collect();
                let right = [counts[0], counts[0] + counts[1], 2 * counts[0] + counts[1]];
                let is_near = |(end, right): (&usize, usize)| end.abs_diff(right) <= 3;
                assert_eq!(ends.len(), 3, "{one} and {other}, {noise}: {ends:?}");
                assert!(
                    ends.iter().zip(right).all(is_near),
                    "{one} and {other}, {noise}: {ends:?}"
                );
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
