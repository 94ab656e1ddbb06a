//! Finds the refreshes of a display on which a program draws at a lower rate of its own.

use super::fit::{AGAIN, Fit, turns};
use crate::rounding::{floor, round};

/// A program that draws at its own rate takes up to so many refreshes for a frame.
const MOST_REFRESHES: f64 = 3.3;

/// Readings are near to even refreshes if the square of their resultant is above this. With so many readings that is no chance.
const NEAR: f64 = 0.23;

/// Refreshes that are finer must make what readings are off smaller by this factor, squared...
const BETTER: f64 = 0.56;

/// ...and than it is on even frames by this...
const MUCH_BETTER: f64 = 0.7;

/// ...and be this exact, as a share of their period: readings by chance are off by a quarter.
const RESOLVED: f64 = 0.2;

/// Of frames that take a refresh less, and of those that take one more, there are so many at least. Of all others, which missed
/// refreshes, there are so many at most.
const LEAST: usize = 4;
const MOST_OTHERS: usize = 4;

/// Frames that come at the next refresh are never far from even ones: in the mean by a quarter of a refresh, and noise.
const FARTHEST: f64 = 0.4;

/// Finer refreshes than one for each frame, where a program takes now one refresh more, now one less.
pub(super) fn finer(times: &[f64; AGAIN]) -> Option<Fit> {
    let frames = Fit::of_every_frame(times)?;
    let period = frames.period / cadence(times, frames.period)?;
    let turns = turns(times, period);
    let fit = Fit::through(times, &turns)?;
    let is_exact = fit.spread < RESOLVED * fit.period && fit.spread < MUCH_BETTER * frames.spread;
    let is_near = frames.spread < FARTHEST * fit.period;
    (is_exact && is_near && is_own_rate(&turns, floor(frames.period / fit.period))).then_some(fit)
}

/// How many refreshes a frame takes in the mean: where readings are nearest to even refreshes.
fn cadence(times: &[f64; AGAIN], frame: f64) -> Option<f64> {
    // Half a turn between the first reading and the last, from one to the next.
    let finest = 2 * AGAIN;
    let at = |index: usize| index as f64 / finest as f64;
    // About the square of what readings are off.
    let off = |near: f64, cadence: f64| (1.0 - near) * (1.0 - near) / (near * cadence * cadence * cadence * cadence);
    let first = resultant(times, 1.0 / frame);
    let (mut best, mut least) = (None, off(first, 1.0));
    let (mut before, mut last) = (first, first);
    for index in finest + 1..=(MOST_REFRESHES * finest as f64) as usize {
        let now = resultant(times, at(index) / frame);
        let is_peak = last > before && last > now && last > NEAR;
        let off = off(last, at(index - 1));
        if is_peak && off < BETTER * least {
            (best, least) = (Some(at(index - 1)), off);
        }
        (before, last) = (last, now);
    }
    best
}

/// The square of the mean resultant of readings at such a frequency: one on even refreshes, about one over their number by chance.
fn resultant(times: &[f64; AGAIN], frequency: f64) -> f64 {
    let (mut sine, mut cosine) = (0.0, 0.0);
    for time in times {
        let turns = time * frequency;
        let turn = turns - round(turns);
        sine += wave(turn);
        cosine += wave(if turn < 0.25 { turn + 0.25 } else { turn - 0.75 });
    }
    (sine * sine + cosine * cosine) / (AGAIN * AGAIN) as f64
}

/// A parabola that is nearly the sine of so many turns, up to half a one to either side.
fn wave(turn: f64) -> f64 {
    8.0 * turn * (1.0 - 2.0 * turn.abs())
}

/// Whether frames take so many refreshes or one more, as a program does that draws at the next refresh. Frames of which some
/// are read late seem to take one more as often as one less.
fn is_own_rate(turns: &[f64; AGAIN], few: f64) -> bool {
    let frames_of = |refreshes: f64| {
        let pairs = turns.windows(2);
        pairs.filter(|pair| pair[1] - pair[0] == refreshes).count()
    };
    let (less, more) = (frames_of(few), frames_of(few + 1.0));
    less.min(more) >= LEAST && less + more + MOST_OTHERS >= AGAIN - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    const REFRESH: f64 = 4e6;

    /// Readings after so many refreshes, late by `late` of a refresh.
    fn readings(refreshes: impl Fn(f64) -> f64, late: impl Fn(usize) -> f64) -> [f64; AGAIN] {
        let mut times = [0.0; AGAIN];
        for (index, time) in times.iter_mut().enumerate() {
            *time = REFRESH * (refreshes(index as f64) - refreshes(0.0) + late(index) - late(0));
        }
        times
    }

    /// A number of zero to one that has nothing to do with the next one's.
    fn random(index: usize) -> f64 {
        let mixed = (index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        ((mixed ^ mixed >> 32) % 1000) as f64 / 1000.0
    }

    /// Noise of up to so much to either side.
    fn noise(most: f64) -> impl Fn(usize) -> f64 {
        move |index| most * (2.0 * random(index) - 1.0)
    }

    #[test]
    fn refreshes_are_found_where_a_program_has_a_rate_of_its_own() {
        for cadence in [1.2, 1.585, 2.212, 2.438, 2.848] {
            let times = readings(|frame| floor(frame * cadence), noise(0.25));
            let period = finer(&times).map(|fit| fit.period);
            assert!(
                period.is_some_and(|period| (period / REFRESH - 1.0).abs() < 0.01),
                "{cadence}: {period:?}"
            );
        }
    }

    #[test]
    fn nothing_finer_is_found_where_all_frames_take_as_many_refreshes() {
        for cadence in [1.0, 2.0, 3.0] {
            let times = readings(|frame| frame * cadence, noise(0.3));
            assert_eq!(finer(&times), None, "{cadence}");
        }
    }

    #[test]
    fn frames_that_are_late_by_a_third_are_no_finer_refreshes() {
        let times = readings(|frame| frame, |index| if random(index) < 0.45 { 0.34 } else { 0.0 });
        assert_eq!(finer(&times), None);
    }
}
