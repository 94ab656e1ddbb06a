//! The rules that find a swap chain's kinds of stutter.

use crate::measure::diagnosis::{Diagnosis, StutterKind};
use crate::measure::distribution::Distribution;
use crate::measure::metrics::{Hitch, Metrics};
use crate::measure::periodicity::Periodicity;
use crate::measure::refresh_fit::{Baseline, ENOUGH, RefreshFit, are_few, are_many};
use crate::measure::tally::{Tally, longest_without_hitch};
use crate::read::trace::SwapChain;

/// Frame times are even up to this mean absolute deviation, as a share of the median.
const EVEN: f64 = 0.025;

/// With an even display, deltas are jittery above this mean absolute deviation, as a share of the median.
const JITTERY: f64 = 0.03;

/// A display is even up to this mean absolute deviation: a share of a refresh, or this many milliseconds, whichever is more.
const EVEN_DISPLAY: (f64, f64) = (0.015, 0.05);

/// The smallest relative difference between two distinct rates.
const OTHER_RATE: f64 = 0.003;

/// The smallest difference between two distinct rates, in standard errors.
const CERTAIN: f64 = 6.0;

/// With even frames, the display is uneven above this mean absolute deviation.
const UNEVEN_DISPLAY: (f64, f64) = (0.03, 0.05);

/// The largest share of late frames that are reported as missed deadlines. If more are late, late is the baseline.
const MOST_LATE: f64 = 0.5;

/// The smallest share of frames that are displayed for too short a time, and of frames that are displayed for too long, in a
/// cadence. If only a few are late, others may be displayed early afterwards.
const CADENCE: f64 = 0.05;

/// Frames longer than this many medians are hitches, regardless of how many there are. Shorter ones are hitches only if they are
/// exceptions; otherwise missed deadlines, clock jitter or varying frames explain them.
const FAR_LONGER: f64 = 2.5;

impl SwapChain {
    /// The kinds of stutter of the swap chain; at least one entry, [`Unknown`](StutterKind::Unknown) if the file does not show the kind.
    #[must_use]
    pub fn diagnose(&self) -> Vec<Diagnosis> {
        let tally = self.tally();
        tally.diagnose(&tally.metrics())
    }
}

impl Tally {
    pub(crate) fn diagnose(&self, metrics: &Metrics) -> Vec<Diagnosis> {
        let Some(frames) = Baseline::of(&self.deltas) else {
            return vec![unknown(format!("{} frames are too few to tell", self.frames()))];
        };
        let is_display_known = self.intervals.count() >= ENOUGH;
        let display = is_display_known.then(|| RefreshFit::find(&self.intervals)).flatten();
        let shown = Shown {
            frames,
            intervals: &self.intervals,
            growths: &self.growths,
            // A driver's frames come between the program's own.
            each: 1.0 + metrics.generated as f64 / metrics.frames as f64,
        };
        // Hitches that may be mistaken for late frames.
        let is_short = |hitch: &&Hitch| hitch.ms <= FAR_LONGER * frames.median;
        let short = metrics.hitches.iter().filter(is_short).count();
        let pacing = match &display {
            _ if !is_display_known => {
                RefreshFit::find(&self.deltas).and_then(|fit| missed_deadlines(&fit, None, short))
            }
            Some(display) => outruns_display(metrics, &frames, &self.intervals)
                .or_else(|| self.beat(metrics, &frames, display))
                .or_else(|| shown.cadence(display))
                .or_else(|| missed_deadlines(display, shown.refreshes(display), short))
                .or_else(|| jittery_deltas(&frames, display)),
            None => outruns_display(metrics, &frames, &self.intervals),
        };
        let are_exceptions = match pacing.as_ref().map(|one| one.kind) {
            Some(StutterKind::MissedDeadlines | StutterKind::JitteryDeltas) => false,
            _ => !are_many(frames.outliers, frames.count),
        };
        let hitches = hitches(
            metrics,
            if are_exceptions {
                0.0
            } else {
                FAR_LONGER * frames.median
            },
        );
        let stalls = shown.stalls().filter(|_| hitches.is_none() && pacing.is_none());
        let mut found = Vec::new();
        found.extend(frame_generation(metrics));
        found.extend(hitches);
        found.extend(self.bound(frames.median));
        found.extend(pacing.or(stalls));
        if found.is_empty() {
            found.push(if is_display_known {
                shown.evenness(display.as_ref())
            } else if frames.is_even(EVEN) {
                even(&frames, None)
            } else {
                varying(&frames, None)
            });
        }
        found
    }

    /// The limit of the frame rate, if the file has busy times.
    fn bound(&self, median: f64) -> Option<Diagnosis> {
        let busy = |times: &Distribution| (times.count() >= ENOUGH).then(|| times.percentile(50.0) / median);
        let (cpu, gpu) = (busy(&self.cpu_busy), busy(&self.gpu_busy));
        let share = |share: f64| format!("{:.0} % of the median frame", share * 100.0);
        match (cpu, gpu) {
            (_, Some(gpu)) if gpu > 0.9 => Some(Diagnosis {
                kind: StutterKind::GpuBound,
                evidence: format!("the GPU is busy for {}", share(gpu)),
                cure: "no setting of the loop helps: draw less, or at a lower resolution",
            }),
            (Some(cpu), gpu) if cpu > 0.9 && gpu.is_none_or(|gpu| gpu < 0.8) => Some(Diagnosis {
                kind: StutterKind::CpuBound,
                evidence: format!("the program works for {}", share(cpu)),
                cure: "move the simulation to a thread of its own (SimThread), or step it at a lower Rate and interpolate",
            }),
            _ => None,
        }
    }

    /// Even frames at a rate that differs from the display's.
    fn beat(&self, metrics: &Metrics, frames: &Baseline, display: &RefreshFit) -> Option<Diagnosis> {
        // A driver's frames come between the program's own.
        let shown_each = 1.0 + metrics.generated as f64 / metrics.frames as f64;
        let own = frames.median / shown_each;
        let refreshes = own / display.refresh;
        let whole = refreshes.round().max(1.0);
        let is_another =
            (refreshes - whole).abs() > (OTHER_RATE * whole).max(CERTAIN * frames.standard_error() / own * refreshes);
        // A program that waits for the display has deltas of whole refreshes.
        let by_display = RefreshFit::at(&self.deltas, display.refresh * shown_each)?;
        let is_even = frames.description_length() < by_display.description_length + 0.1;
        // The expected share of frames that are uneven or never displayed. The measured share must be about as large.
        let expected = (refreshes - whole).abs();
        let never = metrics.dropped_pct.unwrap_or_default() / 100.0;
        let is_seen = display.uneven_share().max(never) > 0.4 * expected;
        if !(is_another && is_even && is_seen) {
            return None;
        }
        let (rate, hertz) = (1e3 / own, 1e3 / display.refresh);
        let beats = (rate * whole - hertz).abs();
        Some(Diagnosis {
            kind: StutterKind::Beat,
            evidence: format!(
                "frames at {rate:.2} Hz on a display at {hertz:.2} Hz: {beats:.2} uneven frames a second"
            ),
            cure: "wait for the display (vertical sync), or use variable refresh; fixed steps with Smoothing::Interpolate \
                   then come out even",
        })
    }
}

/// When the frames of a program were displayed.
struct Shown<'t> {
    frames: Baseline,
    /// Times between changes of the display, and how much longer each was than the previous one.
    intervals: &'t Distribution,
    growths: &'t Distribution,
    /// Changes of the display per frame.
    each: f64,
}

impl Shown<'_> {
    /// How many refreshes each frame should be displayed for; `None` if frames are uneven or do not take a whole number of refreshes.
    fn refreshes(&self, display: &RefreshFit) -> Option<usize> {
        let refreshes = self.frames.median / self.each / display.refresh;
        let is_whole = (refreshes - refreshes.round()).abs() < EVEN * refreshes && refreshes > 0.5;
        (is_whole && self.frames.is_even(JITTERY)).then_some(refreshes.round() as usize)
    }

    /// Frames that are displayed for too short a time as often as for too long.
    fn cadence(&self, display: &RefreshFit) -> Option<Diagnosis> {
        let refreshes = self.refreshes(display);
        let (early, late, total) = display.around(refreshes.unwrap_or(display.common()));
        let share = |count: usize| count as f64 / total as f64;
        let is_mixed = share(early) >= CADENCE && share(late) >= CADENCE;
        if !is_mixed && (refreshes.is_none() || share(late) < MOST_LATE) {
            return None;
        }
        let shares = display.shares();
        let each: Vec<String> = shares
            .iter()
            .map(|(refreshes, count)| {
                let refreshes = match refreshes {
                    1 => "1 refresh".to_owned(),
                    several => format!("{several} refreshes"),
                };
                format!("{refreshes} ({:.0} %)", 100.0 * share(*count))
            })
            .collect();
        // In an alternating cadence, every other interval is longer than the previous one.
        let (longer, _) = self.growths.count_and_sum(|growth| growth > 0.5 * display.refresh);
        let in_turn = if shares.len() == 2 && longer as f64 > 0.45 * self.growths.count() as f64 {
            ", in turn"
        } else {
            ""
        };
        let (time, hertz) = (self.frames.median, 1e3 / display.refresh);
        Some(uneven_display(format!(
            "frames of {time:.2} ms are on a display at {hertz:.2} Hz for {}{in_turn}",
            each.join(" and ")
        )))
    }

    /// A display that stood still although no frame was long.
    fn stalls(&self) -> Option<Diagnosis> {
        if self.intervals.count() < ENOUGH {
            return None;
        }
        let baseline = self.intervals.percentile(50.0).max(self.intervals.percentile(90.0));
        let least = longest_without_hitch(baseline).max(FAR_LONGER * baseline);
        let (count, _) = self.intervals.count_and_sum(|interval| interval > least);
        let times = if count == 1 {
            "once".to_owned()
        } else {
            format!("{count} times")
        };
        let (longest, time) = (self.intervals.max(), self.frames.median);
        (count > 0).then(|| {
            uneven_display(format!(
                "the display stood still {times}, for up to {longest:.0} ms, although frames took {time:.2} ms"
            ))
        })
    }

    /// The diagnosis if no pattern was found: even frames, an uneven display, or varying frames.
    fn evenness(&self, display: Option<&RefreshFit>) -> Diagnosis {
        let Some(pace) = Baseline::of(self.intervals) else {
            return varying(&self.frames, None);
        };
        if !self.frames.is_even(JITTERY) {
            return varying(&self.frames, Some(&pace));
        }
        let (share, least) = UNEVEN_DISPLAY;
        let is_even = match display {
            Some(display) => display.is_even() && display.common_deviation() <= (share * display.refresh).max(least),
            None => pace.is_even(share),
        };
        if is_even {
            return even(&self.frames, Some(&pace));
        }
        let (off, time) = (100.0 * pace.mean_deviation / pace.median, pace.median);
        uneven_display(format!(
            "frames are within {:.1} % of {:.2} ms on average, but on the screen for times that are off {time:.2} ms by {off:.0} %",
            100.0 * self.frames.mean_deviation / self.frames.median,
            self.frames.median,
        ))
    }
}

fn uneven_display(evidence: String) -> Diagnosis {
    Diagnosis {
        kind: StutterKind::UnevenDisplay,
        evidence,
        cure: "pace the presents, not only the loop: wait for the display with an interval of whole refreshes, or use \
               variable refresh",
    }
}

fn even(frames: &Baseline, shown: Option<&Baseline>) -> Diagnosis {
    let mut evidence = format!(
        "frames are within {:.1} % of {:.2} ms on average",
        100.0 * frames.mean_deviation / frames.median,
        frames.median
    );
    let (outliers, noun, of) = match shown {
        Some(shown) if shown.outliers >= frames.outliers => (shown.outliers, "times on the screen", shown.count),
        _ => (frames.outliers, "frames", frames.count),
    };
    if outliers > 0 {
        evidence += &format!(", but for {outliers} of {of} {noun}");
    }
    Diagnosis {
        kind: StutterKind::Even,
        evidence,
        cure: "nothing to cure",
    }
}

fn varying(frames: &Baseline, shown: Option<&Baseline>) -> Diagnosis {
    let off = |pace: &Baseline| 100.0 * pace.mean_deviation / pace.median;
    let display = shown.map_or_else(String::new, |shown| {
        format!(", times on the screen by {:.0} %", off(shown))
    });
    let frames = if frames.is_even(JITTERY) || off(frames) >= 2.0 {
        format!("frame times are off by {:.0} % on average{display}", off(frames))
    } else {
        let Baseline {
            median,
            count,
            outliers,
            ..
        } = frames;
        format!("{outliers} of {count} frame times are far from {median:.2} ms{display}")
    };
    unknown(format!("{frames}, in no pattern that is known"))
}

fn unknown(evidence: String) -> Diagnosis {
    Diagnosis {
        kind: StutterKind::Unknown,
        evidence,
        cure: "no setting is known to help; a longer recording that states when frames were displayed may show more",
    }
}

fn frame_generation(metrics: &Metrics) -> Option<Diagnosis> {
    let (made, generated) = (metrics.frames, metrics.generated);
    (generated > 0).then(|| Diagnosis {
        kind: StutterKind::FrameGeneration,
        evidence: format!("{generated} frames were generated beside {made} of the program's own"),
        cure: "feed only the program's own frames to the timestep",
    })
}

fn hitches(metrics: &Metrics, shortest: f64) -> Option<Diagnosis> {
    let hitches = || metrics.hitches.iter().filter(|hitch| hitch.ms > shortest);
    let at_s = hitches().next()?.at_s;
    let count = hitches().count();
    let longest = hitches().map(|hitch| hitch.ms).fold(0.0, f64::max);
    let times: Vec<f64> = hitches().map(|hitch| hitch.at_s).collect();
    if let Some(Periodicity {
        period,
        events_per_period,
    }) = Periodicity::of(&times, 2e-3 * longest)
    {
        let one = match events_per_period {
            1 => "one".to_owned(),
            several => format!("{several} together"),
        };
        return Some(Diagnosis {
            kind: StutterKind::PeriodicHitches,
            evidence: format!("{count} frames of up to {longest:.0} ms, {one} every {period:.2} s from {at_s:.2} s on"),
            cure: "no setting cures it: look for what runs that often (saving, garbage, streaming); Overrun::Stretch makes up \
                   for it evenly",
        });
    }
    let evidence = match count {
        1 => format!("one frame of {longest:.0} ms, at {at_s:.2} s"),
        _ => format!("{count} frames of up to {longest:.0} ms, the first at {at_s:.2} s"),
    };
    Some(Diagnosis {
        kind: StutterKind::Hitches,
        evidence,
        cure: "no setting cures it: FixedTimestep::with_max_delta bounds how much of one is simulated",
    })
}

/// More frames than the display can show: which ones are presented is random.
fn outruns_display(metrics: &Metrics, frames: &Baseline, intervals: &Distribution) -> Option<Diagnosis> {
    let never = metrics.dropped_pct.filter(|never| *never > 10.0)?;
    let (rate, shown) = (1e3 / frames.mean, 1e3 / Baseline::of(intervals)?.median);
    // Frames that are dropped at the display's own rate do not mean that there are too many.
    (rate > (1.0 + JITTERY) * shown).then(|| Diagnosis {
        kind: StutterKind::Beat,
        evidence: format!(
            "{rate:.0} frames a second for a display that shows {shown:.0}: {never:.0} % are never displayed"
        ),
        cure: "wait for the display (vertical sync), or limit the frame rate to a little below the display's",
    })
}

/// Frames that take more refreshes than most, or are displayed for more refreshes than they should be. `hitches` of them are hitches,
/// which are late too; they count as missed deadlines only if late frames are not exceptions.
fn missed_deadlines(fit: &RefreshFit, refreshes: Option<usize>, hitches: usize) -> Option<Diagnosis> {
    let expected = refreshes.unwrap_or(fit.common());
    let (_, late, total) = fit.around(expected);
    let deadline = expected as f64 * fit.refresh;
    let late = if are_many(late, total) {
        late
    } else {
        late.saturating_sub(hitches)
    };
    let is_some = !are_few(late, total) && (late as f64) < MOST_LATE * total as f64;
    let took = if refreshes.is_some() {
        "were on the screen for"
    } else {
        "took"
    };
    is_some.then(|| Diagnosis {
        kind: StutterKind::MissedDeadlines,
        evidence: match expected {
            0 | 1 => format!("{late} of {total} frames {took} more than one refresh of {deadline:.2} ms"),
            several => format!("{late} of {total} frames {took} more than {several} refreshes, {deadline:.2} ms"),
        },
        cure: "simulate less in a frame: a lower Rate with Smoothing::Interpolate, or FixedTimestep::with_max_steps",
    })
}

fn is_even_display(display: &RefreshFit) -> bool {
    let (share, least) = EVEN_DISPLAY;
    display.is_even() && display.common_deviation() <= (share * display.refresh).max(least)
}

fn jittery_deltas(frames: &Baseline, display: &RefreshFit) -> Option<Diagnosis> {
    let (shown, measured) = (
        display.common_deviation() / display.refresh,
        frames.mean_deviation / frames.median,
    );
    (is_even_display(display) && measured > JITTERY).then(|| Diagnosis {
        kind: StutterKind::JitteryDeltas,
        evidence: format!(
            "the display is even to {:.1} %, the measured deltas vary by {:.1} %",
            shown * 100.0,
            measured * 100.0
        ),
        cure: "put a DisplayClock before the timestep",
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::read::present::Present;

    /// A swap chain of frames with these times in milliseconds, displayed when `shown` says.
    fn chain(times: &[f64], shown: impl Fn(usize, f64) -> Option<f64>) -> SwapChain {
        let mut start = 0.0;
        let presents = times.iter().enumerate().map(|(row, time)| {
            start += time;
            Present {
                row: row as u64,
                started: None,
                presented: start,
                displayed: shown(row, start),
                simulated: Some(start),
                is_simulated_told: true,
                is_generated: false,
                cpu_busy: None,
                gpu_busy: None,
                ..Present::default()
            }
        });
        SwapChain {
            presents: presents.collect(),
            deltas: times.iter().map(|ms| Duration::from_secs_f64(ms / 1e3)).collect(),
            ..SwapChain::default()
        }
    }

    const REFRESH: f64 = 1000.0 / 60.0;

    fn next_refresh(time: f64) -> f64 {
        (time / REFRESH + 1e-9).ceil() * REFRESH
    }

    fn kinds(chain: &SwapChain) -> Vec<StutterKind> {
        chain.diagnose().iter().map(|one| one.kind).collect()
    }

    #[test]
    fn even_frames_have_nothing_to_cure() {
        let even = chain(&[REFRESH; 600], |_, time| Some(time));
        assert_eq!(kinds(&even), [StutterKind::Even]);
    }

    #[test]
    fn frames_at_55_hz_beat_against_a_display_at_60() {
        let beat = chain(&[1000.0 / 55.0; 600], |_, time| Some(next_refresh(time)));
        assert_eq!(kinds(&beat), [StutterKind::Beat]);
        let evidence = &beat.diagnose()[0].evidence;
        assert!(
            evidence.contains("55.00 Hz on a display at 60.00 Hz: 5.00 uneven"),
            "{evidence}"
        );
    }

    #[test]
    fn frames_that_outrun_the_display_are_never_displayed() {
        let times = [1000.0 / 150.0; 600];
        let fast = chain(&times, |row, time| (row % 5 < 2).then(|| next_refresh(time)));
        assert_eq!(kinds(&fast), [StutterKind::Beat]);
        assert!(fast.diagnose()[0].evidence.ends_with("60 % are never displayed"));
    }

    #[test]
    fn jittery_deltas_with_an_even_display_differ_from_an_uneven_display() {
        let jitter = |n: usize| REFRESH + if n.is_multiple_of(2) { 2.0 } else { -2.0 };
        let times: Vec<f64> = (0..600).map(jitter).collect();
        let jittery = chain(&times, |row, _| Some((row + 2) as f64 * REFRESH));
        assert_eq!(kinds(&jittery), [StutterKind::JitteryDeltas]);
    }

    #[test]
    fn an_occasional_frame_of_two_refreshes_missed_its_deadline() {
        let times: Vec<f64> = (0..600)
            .map(|n| if n % 37 == 5 { 2.0 * REFRESH } else { REFRESH })
            .collect();
        assert_eq!(
            kinds(&chain(&times, |_, time| Some(next_refresh(time)))),
            [StutterKind::MissedDeadlines]
        );
        assert_eq!(kinds(&chain(&times, |_, _| None)), [StutterKind::MissedDeadlines]);
    }

    #[test]
    fn recurring_hitches_are_reported_with_their_period() {
        let times: Vec<f64> = (0..2000).map(|n| if n % 200 == 150 { 90.0 } else { 10.0 }).collect();
        let hitches = chain(&times, |_, _| None).diagnose();
        assert_eq!(hitches[0].kind, StutterKind::PeriodicHitches);
        assert!(
            hitches[0].evidence.contains("one every 2.08 s"),
            "{}",
            hitches[0].evidence
        );
        let at_random = [50, 300, 360, 900, 1700];
        let times: Vec<f64> = (0..2000)
            .map(|n| if at_random.contains(&n) { 90.0 } else { 10.0 })
            .collect();
        assert_eq!(chain(&times, |_, _| None).diagnose()[0].kind, StutterKind::Hitches);
    }

    #[test]
    fn the_limiting_processor_is_named_where_the_columns_show_it() {
        let busy = |cpu, gpu| {
            let mut chain = chain(&[20.0; 100], |_, time| Some(time));
            for present in &mut chain.presents {
                (present.cpu_busy, present.gpu_busy) = (Some(cpu), Some(gpu));
            }
            kinds(&chain)
        };
        assert_eq!(busy(5.0, 19.5), [StutterKind::GpuBound]);
        assert_eq!(busy(19.5, 5.0), [StutterKind::CpuBound]);
        assert_eq!(busy(10.0, 10.0), [StutterKind::Even]);
    }

    #[test]
    fn generated_frames_are_reported() {
        let mut chain = chain(&[10.0; 100], |_, time| Some(time));
        chain.presents[7].is_generated = true;
        assert_eq!(kinds(&chain), [StutterKind::FrameGeneration]);
    }

    #[test]
    fn a_stutter_that_the_file_cannot_show_is_unknown() {
        assert_eq!(kinds(&chain(&[10.0; 30], |_, _| None)), [StutterKind::Unknown]);
        let noise: Vec<f64> = (0..600_u64)
            .map(|n| 8.0 + (n.wrapping_mul(2_654_435_761) % 1000) as f64 / 125.0)
            .collect();
        assert_eq!(kinds(&chain(&noise, |_, _| None)), [StutterKind::Unknown]);
    }
}
