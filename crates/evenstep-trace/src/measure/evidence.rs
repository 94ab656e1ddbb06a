//! What the frames of a recording, or of a half of it, show.

use crate::measure::multiples_fit::{Baseline, MultiplesFit, median};
use crate::measure::samples::Sample;
use crate::measure::thresholds::{
    ENDS, FEWEST_SUMS, HELD, HITCH_MEDIANS, NEARLY_ALL, PAIR_DIFFERS, RESOLUTION, SLOW, STOP_PRESENTS, STOP_RUNS,
    SURELY_HELD,
};

/// The frames of a recording without its ends.
pub(super) fn inner(samples: &[Sample]) -> &[Sample] {
    let total = samples.last().map_or(0.0, |last| last.at);
    let end = ENDS.0.min(ENDS.1 * total);
    let from = samples.partition_point(|sample| sample.at < end);
    let to = samples.partition_point(|sample| sample.at <= total - end);
    samples.get(from..to).unwrap_or_default()
}

/// The frames that reached the screen by the way that most took.
pub(super) fn settled(samples: &[Sample]) -> Vec<Sample> {
    let composed = samples.iter().filter(|sample| sample.is_composed).count();
    let is_composed = 2 * composed > samples.len();
    let of_one_way = samples.iter().enumerate().filter(|(index, sample)| {
        let before = &samples[index.saturating_sub(1)];
        sample.is_composed == is_composed && before.is_composed == is_composed
    });
    of_one_way.map(|(_, sample)| *sample).collect()
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
    pub(super) display: Option<MultiplesFit>,
    /// The share of the program's frames that take longer than usual by most of a refresh.
    pub(super) slow: f64,
    /// Whether the program's frames take whole refreshes, more closely than they are equal.
    pub(super) waits: bool,
    /// The interval on whose multiples the frame times are, where the file has no display times.
    pub(super) own_multiples: Option<MultiplesFit>,
    /// Changes of the display per frame of the program.
    pub(super) each: f64,
    /// Shares of the presents that were never displayed and that were generated.
    pub(super) never: f64,
    pub(super) generated: f64,
    /// The medians of the shorter and of the longer frames.
    pub(super) short_and_long: (f64, f64),
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
    /// The evidence of frames; `None` if they are too few.
    pub(super) fn of(samples: &[Sample]) -> Option<Self> {
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
        // A display's refreshes show in both halves.
        let halves = intervals.split_at(intervals.len() / 2);
        let is_in =
            |times: &[f64], refresh| MultiplesFit::at(times, refresh).is_none_or(|fit| fit.is_of_display(times));
        let display = MultiplesFit::find(&next_to_each_other)
            .filter(|_| tears != Some(true))
            .filter(|fit| is_synced == Some(true) || fit.is_determined(frames.median / each))
            .and_then(|fit| MultiplesFit::at(&intervals, fit.refresh).filter(|fit| fit.is_of_display(&intervals)))
            .filter(|fit| is_in(halves.0, fit.refresh) && is_in(halves.1, fit.refresh));
        let by_display = display
            .as_ref()
            .and_then(|display| MultiplesFit::at(&deltas, display.refresh * each));
        let waits =
            by_display.is_some_and(|by_display| by_display.description_length < frames.description_length() - 0.1);
        let busy = |of: fn(&Sample) -> f32| {
            let shares = samples
                .iter()
                .filter(|sample| sample.delta > 0.0 && !of(sample).is_nan());
            let shares: Vec<f64> = shares.map(|sample| f64::from(of(sample) / sample.delta)).collect();
            (2 * shares.len() > deltas.len()).then(|| median(&shares))
        };
        let slow = display.as_ref().map_or(0.0, |display| {
            let longest = frames.median + SLOW * display.refresh;
            deltas.iter().filter(|delta| **delta > longest).count() as f64 / deltas.len() as f64
        });
        Some(Self {
            frames,
            slow,
            is_start_known: presents.is_empty() || share(|sample| sample.is_started) > 0.5,
            shown: Baseline::of(&intervals),
            display,
            waits,
            own_multiples: intervals
                .is_empty()
                .then(|| MultiplesFit::find_in_frames(&deltas))
                .flatten()
                .filter(|fit| fit.is_determined(frames.median)),
            each,
            never: match intervals.is_empty() {
                true => 0.0,
                false => never(&presents),
            },
            generated,
            short_and_long: short_and_long(&deltas),
            in_turn: in_turn(&intervals),
            held: Sums::of(&deltas).and_then(|sums| sums.held()),
            cpu: busy(|sample| sample.cpu_busy),
            gpu: busy(|sample| sample.gpu_busy),
            is_synced,
            tears,
        })
    }

    /// The interval on whose multiples the times on the screen are, or the frames where the file has no display times.
    pub(super) fn refresh(&self) -> Option<f64> {
        self.display
            .as_ref()
            .or(self.own_multiples.as_ref())
            .map(|fit| fit.refresh)
    }

    /// How many refreshes each frame takes.
    pub(super) fn refreshes(&self, display: &MultiplesFit) -> f64 {
        self.frames.median / self.each / display.refresh
    }
}

fn known(samples: &[Sample], of: fn(&Sample) -> f32) -> impl Iterator<Item = f64> {
    samples.iter().map(of).filter(|value| !value.is_nan()).map(f64::from)
}

/// The share of presents that were never displayed, without the longest runs of them: each of these is one event, a stop.
fn never(presents: &[&Sample]) -> f64 {
    let runs = presents.split(|sample| sample.is_displayed).map(<[&Sample]>::len);
    let mut runs: Vec<usize> = runs.filter(|run| *run > 0).collect();
    runs.sort_unstable();
    let lost: usize = runs.iter().sum();
    let stops: usize = runs
        .iter()
        .rev()
        .take(STOP_RUNS)
        .filter(|run| **run >= STOP_PRESENTS)
        .sum();
    (lost - stops) as f64 / (presents.len() - stops).max(1) as f64
}

/// How much sums of consecutive frames deviate.
struct Sums {
    /// The median sum of 32 frames, and the median absolute deviation from it.
    sum: f64,
    off: f64,
    /// The median absolute deviation of sums of 8.
    short_off: f64,
}

impl Sums {
    /// Hitches are left out; `None` if the frames are too few.
    fn of(deltas: &[f64]) -> Option<Self> {
        let longest = HITCH_MEDIANS * median(deltas);
        let deltas: Vec<f64> = deltas.iter().copied().filter(|delta| *delta <= longest).collect();
        let deviation = |of: usize| {
            let sums: Vec<f64> = deltas.chunks_exact(of).map(|frames| frames.iter().sum()).collect();
            let middle = median(&sums);
            let off: Vec<f64> = sums.iter().map(|sum| (sum - middle).abs()).collect();
            (middle, median(&off))
        };
        if deltas.len() / 32 < FEWEST_SUMS {
            return None;
        }
        let ((sum, off), (_, short_off)) = (deviation(32), deviation(8));
        Some(Self { sum, off, short_off })
    }

    /// The rate of frames that something holds: errors of frames do not add up.
    fn held(&self) -> Option<f64> {
        let Self { sum, off, short_off } = *self;
        let adds_up = off > (HELD.1 * short_off.max(RESOLUTION)).max(SURELY_HELD * sum);
        (off <= (HELD.0 * sum).max(HELD.2) && !adds_up).then_some(32e3 / sum)
    }
}

/// The share of times that are longer than both neighbours, or shorter, by much.
fn in_turn(times: &[f64]) -> f64 {
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let turns = times.windows(3).filter(|three| {
        let (one, other) = (three[1] - three[0], three[2] - three[1]);
        one * other < 0.0 && one.abs().min(other.abs()) > PAIR_DIFFERS * mean
    });
    turns.count() as f64 / times.len().max(1) as f64
}

/// The medians of the times below their mean, and of the others.
fn short_and_long(times: &[f64]) -> (f64, f64) {
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let (short, long): (Vec<f64>, Vec<f64>) = times.iter().copied().partition(|time| *time < mean);
    (median(&short), median(&long))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::read::present::Present;

    /// Presents of frames with these deltas in milliseconds, each displayed after `interval`.
    fn samples(deltas: &[f64], interval: f64) -> Vec<Sample> {
        let mut at = 0.0;
        let sample = |delta: &f64| {
            at += delta;
            let present = Present {
                started: Some(at),
                displayed: Some(at),
                sync_interval: Some(1),
                ..Present::new(at)
            };
            Sample::new(
                at,
                Some(Duration::from_secs_f64(delta / 1e3)),
                Some(&present),
                Some(interval),
            )
        };
        deltas.iter().map(sample).collect()
    }

    /// The evidence of samples that are changed by their index.
    fn evidence(mut samples: Vec<Sample>, change: impl Fn(usize, &mut Sample)) -> Evidence {
        samples
            .iter_mut()
            .enumerate()
            .for_each(|(index, sample)| change(index, sample));
        Evidence::of(&samples).unwrap()
    }

    #[test]
    fn a_second_at_each_end_is_left_out_and_of_short_recordings_a_twentieth() {
        for (seconds, left_out) in [(4, 200), (20, 1_000), (40, 1_000)] {
            let all = samples(&vec![10.0; seconds * 100], 10.0);
            let kept = inner(&all);
            let ends = [kept[0].at, seconds as f64 * 1e3 - kept[kept.len() - 1].at];
            assert_eq!(ends.map(|end| end.round() as i64), [left_out; 2], "of {seconds} s");
        }
    }

    #[test]
    fn only_frames_of_the_way_to_the_screen_that_most_took_are_kept_and_not_the_first_of_them() {
        for (composed, is_composed, kept) in [(49, false, 510..=950), (51, true, 50..=510), (60, true, 50..=600)] {
            let mut all = samples(&[10.0; 100], 10.0);
            all[..composed].iter_mut().for_each(|sample| sample.is_composed = true);
            let settled = settled(inner(&all));
            assert!(settled.iter().all(|sample| sample.is_composed == is_composed));
            let ends = [settled[0].at, settled[settled.len() - 1].at];
            assert_eq!(
                ends.map(|end| end as i64),
                [*kept.start(), *kept.end()],
                "{composed} of 100"
            );
        }
    }

    #[test]
    fn a_fact_is_told_if_it_holds_in_nine_of_ten_presents_or_in_one() {
        for (share, fact) in [
            (0, Some(false)),
            (9, Some(false)),
            (11, None),
            (50, None),
            (89, None),
            (91, Some(true)),
        ] {
            let found = evidence(samples(&[10.0; 200], 10.0), |index, frame| {
                frame.sync_interval = Some(u8::from(index % 100 < share));
                // What half of the presents tell.
                frame.allows_tearing = (index < 100).then_some(index < share);
            });
            assert_eq!((found.is_synced, found.tears), (fact, fact), "{share} of 100");
        }
        let untold = evidence(samples(&[10.0; 100], 10.0), |_, frame| frame.sync_interval = None);
        assert_eq!((untold.is_synced, untold.tears), (None, None));
    }

    #[test]
    fn frames_that_tear_show_no_refreshes_of_the_display() {
        for (tears, has_refreshes) in [(Some(true), false), (Some(false), true), (None, true)] {
            let found = evidence(samples(&[8.0; 120], 8.0), |_, frame| frame.allows_tearing = tears);
            assert_eq!(found.display.is_some(), has_refreshes, "{tears:?}");
        }
    }

    #[test]
    fn of_generated_frames_each_frame_of_the_program_has_its_share_of_changes_and_refreshes() {
        for (of, generated, each) in [(4, 1, 4.0 / 3.0), (2, 1, 2.0), (4, 3, 4.0)] {
            let found = evidence(samples(&[8.0; 120], 4.0), |index, frame| {
                frame.is_generated = index % of < generated;
            });
            let display = found.display.as_ref().unwrap();
            assert!((display.refresh - 4.0).abs() < 1e-4);
            assert!((found.each - each).abs() < 1e-9);
            assert!((found.refreshes(display) - 2.0 / each).abs() < 1e-4);
        }
    }

    #[test]
    fn frames_wait_if_they_take_whole_refreshes_times_the_changes_of_each() {
        for (long, short, waits) in [(16.0, 8.0, true), (12.0, 9.0, false)] {
            let turns: Vec<f64> = (0..240).map(|n| if n % 3 == 0 { long } else { short }).collect();
            let found = evidence(samples(&turns, 4.0), |index, frame| frame.is_generated = index % 2 == 0);
            assert_eq!(found.waits, waits, "{long} and {short} ms");
        }
    }

    #[test]
    fn frames_without_a_duration_do_not_count_for_the_load() {
        let deltas = [vec![10.0; 61], vec![0.0; 60]].concat();
        let found = evidence(samples(&deltas, 10.0), |index, frame| {
            frame.cpu_busy = 0.1 * index as f32
        });
        assert!((found.cpu.unwrap() - 0.3).abs() < 1e-6);
    }

    #[test]
    fn the_start_of_frames_is_known_if_most_presents_have_it() {
        for (share, is_known) in [(40, false), (50, false), (60, true)] {
            let found = evidence(samples(&[10.0; 100], 10.0), |index, frame| {
                frame.is_started = index < share
            });
            assert_eq!(found.is_start_known, is_known, "{share} of 100");
        }
    }

    #[test]
    fn sums_need_six_of_thirty_two_frames_and_deviate_as_their_frames_do_not() {
        assert!(Sums::of(&[10.0; 191]).is_none());
        let sums = Sums::of(&[10.0; 192]).unwrap();
        assert_eq!((sums.sum, sums.off, sums.short_off), (320.0, 0.0, 0.0));
        assert_eq!(sums.held(), Some(100.0));
        let held = |sum, off, short_off| Sums { sum, off, short_off }.held().is_some();
        // Within 0.07 % of the sum, or 0.2 ms.
        assert!(held(500.0, 0.35, 0.2) && !held(500.0, 0.36, 0.2));
        assert!(held(100.0, 0.2, 0.12) && !held(100.0, 0.21, 0.12));
        // Errors add up beyond 1.8 times those of 8 frames, and never within 0.04 %.
        assert!(held(500.0, 0.2, 0.1) && !held(500.0, 0.21, 0.1));
        assert!(held(500.0, 0.26, 0.15) && !held(500.0, 0.28, 0.15));
    }

    /// Frames of one length and another in turn.
    fn in_turns(one: f64, other: f64, count: usize) -> Vec<f64> {
        (0..count).map(|n| if n % 2 == 0 { one } else { other }).collect()
    }

    #[test]
    fn frames_in_turn_have_a_median_of_the_short_and_one_of_the_long_ones() {
        assert_eq!(short_and_long(&in_turns(10.0, 14.0, 100)), (10.0, 14.0));
        assert_eq!(in_turn(&in_turns(10.0, 14.0, 100)), 0.98);
        assert_eq!(
            in_turn(&in_turns(10.0, 12.0, 100)),
            0.0,
            "they differ by less than a fifth"
        );
    }
}

#[cfg(test)]
mod recordings_by_others {
    use std::path::{Path, PathBuf};
    use std::{env, fs};

    use super::*;
    use crate::error::BadRows;
    use crate::measure::account::{Of, Unevenness};
    use crate::measure::thresholds::{
        BOUND, CADENCE, EVEN_DISPLAY, GENERATED, JITTERY, NEVER, OFF_SHARE, ON_REFRESHES, SEEN,
    };
    use crate::read::trace::Trace;

    /// A value, with the recording that has it.
    type Named = (f64, String);

    /// The beginnings of files' names, and the recordings' public names.
    const NAMES: [(&str, &str); 7] = [
        ("cx_re2", "Resident Evil 2"),
        ("ocat_metro", "Metro Exodus"),
        ("pm1_csgo", "Counter-Strike: GO"),
        ("pm1_farcry", "Far Cry New Dawn"),
        ("pm1_r6", "Rainbow Six Siege"),
        ("pm_gold_tc0", "PresentMon's test 0"),
        ("pm_gold_tc5", "PresentMon's test 5"),
    ];

    /// What the thresholds are compared with: their names, values and the value of frames, where the rule applies to them.
    fn compared(of: &Evidence, part: &[Sample]) -> Vec<(&'static str, f64, Option<f64>)> {
        let account = |whose| Unevenness::of(whose, part, of.refresh().filter(|_| whose == Of::Display));
        let (pictures, frames) = (account(Of::Display), account(Of::Program));
        let off = |account: &Unevenness| account.off as f64 / account.pictures as f64;
        let off_screen = pictures.as_ref().filter(|_| of.shown.is_some()).map(|of| of.deviation);
        let deltas: Vec<f64> = known(part, |sample| sample.delta).collect();
        let intervals: Vec<f64> = known(part, |sample| sample.interval).collect();
        let is_display_even = off_screen.map(|off| off <= EVEN_DISPLAY.0);
        let if_even = |value: f64| (is_display_even == Some(true)).then_some(value);
        let if_uneven = |value: f64| (is_display_even == Some(false)).then_some(value);
        let around = of.display.as_ref().map(|display| display.around(display.common()));
        let composed = part.first().is_some_and(|sample| sample.is_composed);
        let on_refreshes = MultiplesFit::find_in_frames(&intervals).filter(|_| composed || of.display.is_none());
        let sums = Sums::of(&deltas);
        vec![
            ("OFF_SHARE", OFF_SHARE, pictures.as_ref().map(off)),
            ("SEEN", SEEN, pictures.as_ref().map(|pictures| pictures.deviation)),
            ("JITTERY", JITTERY, frames.and_then(|frames| if_even(frames.deviation))),
            ("EVEN_DISPLAY", EVEN_DISPLAY.0, off_screen),
            ("NEVER, display uneven", NEVER.0, if_uneven(of.never)),
            ("NEVER, display even", NEVER.1, if_even(of.never)),
            ("GENERATED", GENERATED, Some(of.generated)),
            ("CADENCE", CADENCE, around.map(|(early, late)| early.min(late))),
            (
                "ON_REFRESHES",
                ON_REFRESHES.0,
                on_refreshes.map(|fit| fit.mean_deviation / fit.refresh),
            ),
            (
                "HELD, sums of 32",
                HELD.0,
                sums.as_ref().map(|sums| sums.off / sums.sum),
            ),
            (
                "HELD, to sums of 8",
                HELD.1,
                sums.as_ref()
                    .filter(|sums| sums.off <= HELD.0 * sums.sum)
                    .map(|sums| sums.off / sums.short_off.max(RESOLUTION)),
            ),
            ("BOUND, by the GPU", BOUND, of.gpu),
            ("BOUND, by the CPU", BOUND, of.cpu),
        ]
    }

    #[test]
    #[ignore = "needs recordings by others: EVENSTEP_TRACES"]
    fn every_threshold_lies_between_the_recordings_that_its_row_names() {
        let default = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/traces");
        let folder = env::var_os("EVENSTEP_TRACES").map_or_else(|| default.into(), PathBuf::from);
        let files = |folder: &Path| -> Vec<PathBuf> {
            let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
            let mut files: Vec<_> = files
                .filter(|file| file.extension().is_some_and(|extension| extension == "csv"))
                .collect();
            files.sort();
            files
        };
        let mut rows: Vec<(&str, f64, Option<Named>, Option<Named>)> = Vec::new();
        for file in [files(&folder), files(&folder.join("frameview"))].concat() {
            let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
            let public = NAMES.iter().find(|(start, _)| stem.starts_with(start));
            let name = public.map_or(stem.clone(), |(_, name)| (*name).to_owned());
            let trace = Trace::read(&file, BadRows::Skip).unwrap();
            let running = trace.main_chain().running_metrics();
            let part = settled(inner(running.samples()));
            let middle = part.len() / 2;
            for part in [&part[..], &part[..middle], &part[middle..]] {
                let Some(of) = Evidence::of(part) else { continue };
                for (index, (threshold, value, measured)) in compared(&of, part).into_iter().enumerate() {
                    if rows.len() <= index {
                        rows.push((threshold, value, None, None));
                    }
                    let (.., below, above) = &mut rows[index];
                    let Some(measured) = measured else { continue };
                    if measured < value && below.as_ref().is_none_or(|(most, _)| measured > *most) {
                        *below = Some((measured, name.clone()));
                    }
                    if measured >= value && above.as_ref().is_none_or(|(least, _)| measured < *least) {
                        *above = Some((measured, name.clone()));
                    }
                }
            }
        }
        let told = |one: Option<Named>| match one {
            Some((value, name)) if value < 0.01 => format!("{value:.5} {name}"),
            Some((value, name)) => format!("{value:.4} {name}"),
            None => "none".to_owned(),
        };
        let rows = rows.into_iter().map(|(threshold, value, below, above)| {
            format!("//! | {threshold} | {value} | {} | {} |", told(below), told(above))
        });
        let missing: Vec<String> = rows
            .filter(|row| !include_str!("thresholds.rs").contains(row.as_str()))
            .collect();
        assert!(
            missing.is_empty(),
            "the table of thresholds.rs is out of date; its rows are now:\n{}",
            missing.join("\n")
        );
    }
}
