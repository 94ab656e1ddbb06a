//! What the frames of a recording, or of a half of it, show.

use crate::measure::refresh_fit::{Baseline, HITCH, RefreshFit, median};
use crate::measure::samples::Sample;

/// The ends of a recording of which no conclusion is drawn, each in milliseconds and at most as a share of the recording: the key that
/// starts a capture disturbs the first second of most recordings.
const ENDS: (f64, f64) = (1000.0, 0.05);

/// Facts of the file hold if at least this share of the rows state them.
pub(super) const NEARLY_ALL: f64 = 0.9;

/// A rate is held if the sums of 32 frames deviate by at most this share (median absolute deviation) or the third value, in
/// milliseconds, and by at most the second value times as much as sums of 8. Of the 34 recordings of games, 18 held at 30, 60 or 250 have up to 0.06 % and 1.7; the others have 0.09 % or 2.0
/// and more, because errors of frames that nothing holds add up.
const HELD: (f64, f64, f64) = (0.0007, 1.8, 0.2);

/// Sums of 32 frames that deviate by less than this share are those of a held rate: of the others, none is below 0.0009.
const SURELY_HELD: f64 = 0.0004;

/// The fewest sums of 32 frames, and the smallest deviation of sums of 8 in milliseconds, the resolution of files.
const FEWEST_SUMS: usize = 6;
const RESOLUTION: f64 = 0.02;

/// Frames come in pairs if the second of two is longer, and the next shorter, by this share of their mean in `IN_TURN` of the frames.
/// With the frame generation of the recordings 0.98 of them do; of frames that vary at random two thirds.
const LONGER: f64 = 0.2;

/// Frames of which this share was never displayed, and whose turns differ in this share of the blocks, may be generated.
const UNSEEN: f64 = 0.4;
const PAIRED: f64 = 0.6;

const IN_TURN: f64 = 0.9;

/// So many runs of at least so many presents that were never displayed are stops. Of the recordings, those with frames that are never
/// displayed have thousands of runs.
const STOPS: usize = 3;
const STOP: usize = 5;

/// The frames that conclusions are drawn from: without the ends of the recording, and only those that reached the screen by the same
/// way as most did.
pub(super) fn settled(samples: &[Sample]) -> Vec<Sample> {
    let Some(total) = samples.last().map(|last| last.at) else {
        return Vec::new();
    };
    let end = ENDS.0.min(ENDS.1 * total);
    let composed = samples.iter().filter(|sample| sample.is_composed).count();
    let is_composed = 2 * composed > samples.len();
    let of_one_way = samples.iter().enumerate().filter(|(index, sample)| {
        let before = &samples[index.saturating_sub(1)];
        sample.is_composed == is_composed && before.is_composed == is_composed
    });
    let all = of_one_way.map(|(_, sample)| *sample);
    all.filter(|sample| sample.at >= end && sample.at <= total - end)
        .collect()
}

/// The evidence of frames.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    /// The program's deltas.
    pub(super) frames: Baseline,
    /// Whether the file states when frames began.
    pub(super) is_start_known: bool,
    /// The times between changes of the display.
    pub(super) shown: Option<Baseline>,
    /// The display's refreshes, if the times between its changes show them.
    pub(super) display: Option<RefreshFit>,
    /// Whether the program's frames take whole refreshes, more closely than they are equal.
    pub(super) waits: bool,
    /// The interval on whose multiples the frame times are, where the file has no display times.
    pub(super) own_multiples: Option<RefreshFit>,
    /// Changes of the display per frame of the program.
    pub(super) each: f64,
    /// Shares of the presents that were never displayed and that were generated.
    pub(super) never: f64,
    pub(super) generated: f64,
    /// The shorter and the longer frame, if frames come in pairs.
    pub(super) pairs: Option<(f64, f64)>,
    /// Whether most presents were never displayed and the two of a pair differ.
    pub(super) has_unseen_pairs: bool,
    /// The share of the changes of the display that alternate like pairs.
    pub(super) in_turn: f64,
    /// The rate in frames a second that something holds.
    pub(super) held: Option<f64>,
    /// The shares of the median frame for which the program and the graphics card are busy.
    pub(super) cpu: Option<f64>,
    pub(super) gpu: Option<f64>,
    /// Whether vertical sync was on, and whether tearing was allowed, in nearly all rows, or in nearly none.
    pub(super) is_synced: Option<bool>,
    pub(super) tears: Option<bool>,
}

impl Evidence {
    /// The evidence of frames; `None` if they are too few. A known refresh interval counts only if the times are on its multiples.
    pub(super) fn of(samples: &[Sample], refresh: Option<f64>) -> Option<Self> {
        let deltas: Vec<f64> = known(samples, |sample| sample.delta).collect();
        let frames = Baseline::of(&deltas)?;
        let intervals: Vec<f64> = known(samples, |sample| sample.interval).collect();
        let presents: Vec<&Sample> = samples.iter().filter(|sample| sample.is_present).collect();
        let share = |is_it: fn(&Sample) -> bool| {
            let count = presents.iter().filter(|sample| is_it(sample)).count();
            count as f64 / presents.len().max(1) as f64
        };
        let fact = |of: fn(&Sample) -> Option<bool>| {
            let told: Vec<bool> = presents.iter().copied().filter_map(of).collect();
            let share = told.iter().filter(|fact| **fact).count() as f64 / told.len() as f64;
            (share >= NEARLY_ALL || share <= 1.0 - NEARLY_ALL).then_some(share >= NEARLY_ALL)
        };
        let is_synced = fact(|sample| Some(sample.sync_interval? > 0));
        let tears = fact(|sample| sample.allows_tearing);
        let generated = share(|sample| sample.is_generated);
        let each = 1.0 / (1.0 - generated).max(0.05);
        // A frame that was never displayed makes the next interval longer: that is no second number of refreshes.
        let next_to_each_other: Vec<f64> = samples
            .windows(2)
            .filter(|pair| pair[0].is_displayed && !pair[1].interval.is_nan())
            .map(|pair| f64::from(pair[1].interval))
            .collect();
        let display = match refresh {
            _ if tears == Some(true) => None,
            Some(refresh) => RefreshFit::at(&intervals, refresh).filter(RefreshFit::is_good),
            None => RefreshFit::find(&next_to_each_other)
                .filter(|fit| is_synced == Some(true) || fit.is_determined(frames.median / each))
                .and_then(|fit| RefreshFit::at(&intervals, fit.refresh).filter(RefreshFit::is_good)),
        };
        let by_display = display
            .as_ref()
            .and_then(|display| RefreshFit::at(&deltas, display.refresh * each));
        let waits =
            by_display.is_some_and(|by_display| by_display.description_length < frames.description_length() - 0.1);
        let busy = |of: fn(&Sample) -> f32| {
            let shares = samples
                .iter()
                .filter(|sample| sample.delta > 0.0 && !of(sample).is_nan());
            let shares: Vec<f64> = shares.map(|sample| f64::from(of(sample) / sample.delta)).collect();
            (2 * shares.len() > deltas.len()).then(|| median(&shares))
        };
        Some(Self {
            frames,
            is_start_known: presents.is_empty() || share(|sample| sample.is_started) > 0.5,
            shown: Baseline::of(&intervals),
            display,
            waits,
            own_multiples: intervals
                .is_empty()
                .then(|| RefreshFit::find_in_frames(&deltas))
                .flatten(),
            each,
            never: match intervals.is_empty() {
                true => 0.0,
                false => never(&presents),
            },
            generated,
            pairs: pairs(&deltas),
            has_unseen_pairs: never(&presents) >= UNSEEN && differs_by_turns(&deltas),
            in_turn: in_turn(&intervals),
            held: held(&deltas),
            cpu: busy(|sample| sample.cpu_busy),
            gpu: busy(|sample| sample.gpu_busy),
            is_synced,
            tears,
        })
    }

    /// How many refreshes each frame takes.
    pub(super) fn refreshes(&self, display: &RefreshFit) -> f64 {
        self.frames.median / self.each / display.refresh
    }
}

fn known(samples: &[Sample], of: fn(&Sample) -> f32) -> impl Iterator<Item = f64> {
    samples.iter().map(of).filter(|value| !value.is_nan()).map(f64::from)
}

/// The share of presents that were never displayed, without the longest runs of them: stops, of which each is one event.
fn never(presents: &[&Sample]) -> f64 {
    let runs = presents.split(|sample| sample.is_displayed).map(<[&Sample]>::len);
    let mut runs: Vec<usize> = runs.filter(|run| *run > 0).collect();
    runs.sort_unstable();
    let lost: usize = runs.iter().sum();
    let stops: usize = runs.iter().rev().take(STOPS).filter(|run| **run >= STOP).sum();
    (lost - stops) as f64 / (presents.len() - stops).max(1) as f64
}

/// The rate of frames that something holds: errors of frames do not add up. Hitches are left out.
fn held(deltas: &[f64]) -> Option<f64> {
    let longest = HITCH * median(deltas);
    let deltas: Vec<f64> = deltas.iter().copied().filter(|delta| *delta <= longest).collect();
    let sums = |of: usize| {
        deltas
            .chunks_exact(of)
            .map(|frames| frames.iter().sum::<f64>())
            .collect::<Vec<_>>()
    };
    let deviation = |sums: &[f64]| {
        let middle = median(sums);
        let off: Vec<f64> = sums.iter().map(|sum| (sum - middle).abs()).collect();
        (middle, median(&off))
    };
    let (long, short) = (sums(32), sums(8));
    if long.len() < FEWEST_SUMS {
        return None;
    }
    let ((sum, off), (_, short)) = (deviation(&long), deviation(&short));
    (off <= (HELD.0 * sum).max(HELD.2) && off <= (HELD.1 * short.max(RESOLUTION)).max(SURELY_HELD * sum))
        .then_some(32e3 / sum)
}

/// The share of times that are longer than both neighbours, or shorter, by much.
fn in_turn(times: &[f64]) -> f64 {
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let turns = times.windows(3).filter(|three| {
        let (one, other) = (three[1] - three[0], three[2] - three[1]);
        one * other < 0.0 && one.abs().min(other.abs()) > LONGER * mean
    });
    turns.count() as f64 / times.len().max(1) as f64
}

/// Whether the times at even and at odd places differ by more than chance, in most blocks: a pair may begin anew at either place.
fn differs_by_turns(times: &[f64]) -> bool {
    let blocks = times.chunks_exact(16).map(|block| {
        let mean = |place: usize| block.iter().skip(place).step_by(2).sum::<f64>() / 8.0;
        let (even, odd) = (mean(0), mean(1));
        (even - odd).abs() > LONGER * (even + odd) / 2.0
    });
    let blocks: Vec<bool> = blocks.collect();
    let differ = blocks.iter().filter(|differs| **differs).count();
    differ as f64 > PAIRED * blocks.len() as f64
}

/// The shorter and the longer frame of pairs. Frames that wait for a display may take one and two refreshes in turn, or two and three.
fn pairs(deltas: &[f64]) -> Option<(f64, f64)> {
    if in_turn(deltas) < IN_TURN {
        return None;
    }
    let middle = deltas.iter().sum::<f64>() / deltas.len() as f64;
    let (short, long): (Vec<f64>, Vec<f64>) = deltas.iter().copied().partition(|delta| *delta < middle);
    let (short, long) = (median(&short), median(&long));
    let is_cadence = [1.0 / 2.0, 2.0 / 3.0, 3.0 / 4.0]
        .iter()
        .any(|ratio| (short / long - ratio).abs() < 0.02);
    (!is_cadence).then_some((short, long))
}
