//! What kind of stutter a chain has, and what cures it.

use std::fmt;

use serde::Serialize;

use crate::Chain;
use crate::distribution::Distribution;
use crate::gauge::Gauge;
use crate::measure::{Hitch, Metrics};

/// Fewer frames than this are too few to tell anything from.
const ENOUGH: usize = 60;

/// A kind of stutter that was found, with what it was found by.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Diagnosis {
    /// What it is.
    pub kind: StutterKind,
    /// The numbers that show it.
    pub evidence: String,
    /// The setting that helps, or that none does.
    pub cure: &'static str,
}

/// A kind of stutter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum StutterKind {
    /// Frames are even, and nothing is to be cured.
    Even,
    /// Frames come at an even rate that is not the display's, so that every so many is shown once more or not at all.
    Beat,
    /// The display is even, but the deltas that the program measured are not.
    JitteryDeltas,
    /// Some frames were not ready in time and came a refresh or more late.
    MissedDeadlines,
    /// Long frames that come again and again after the same time.
    PeriodicHitches,
    /// Long frames now and then.
    Hitches,
    /// The graphics card is busy nearly all of the time.
    GpuBound,
    /// The program's own work takes nearly all of the time.
    CpuBound,
    /// A driver generated frames between the program's own.
    FrameGeneration,
    /// It stutters, but the file does not tell how.
    Unknown,
}

impl fmt::Display for StutterKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Even => "even frames",
            Self::Beat => "beat between rates",
            Self::JitteryDeltas => "jittery deltas",
            Self::MissedDeadlines => "missed deadlines",
            Self::PeriodicHitches => "periodic hitches",
            Self::Hitches => "hitches",
            Self::GpuBound => "bound by the GPU",
            Self::CpuBound => "bound by the CPU",
            Self::FrameGeneration => "frame generation",
            Self::Unknown => "unknown",
        })
    }
}

/// Times as a diagnosis sees them.
struct Evenness {
    median: f64,
    /// Half of what lies between the 5th and the 95th of a hundred, by the median: hitches do not count.
    spread: f64,
}

impl Evenness {
    /// Times of zero do not count: two frames within one refresh.
    fn of(times: &Distribution) -> Option<Self> {
        let (zeros, _) = times.those(|time| time <= 0.0);
        let share = zeros as f64 / times.count() as f64;
        let percentile = |percent: f64| times.percentile(100.0 * share + (1.0 - share) * percent);
        let median = percentile(50.0);
        (times.count() - zeros >= ENOUGH).then(|| Self {
            median,
            spread: (percentile(95.0) - percentile(5.0)) / (2.0 * median),
        })
    }
}

impl Chain {
    /// What kinds of stutter the chain has; at least one entry, [`Unknown`](StutterKind::Unknown) where it cannot be told.
    #[must_use]
    pub fn diagnose(&self) -> Vec<Diagnosis> {
        let gauge = self.gauge();
        gauge.diagnose(&gauge.metrics())
    }
}

impl Gauge {
    pub(crate) fn diagnose(&self, metrics: &Metrics) -> Vec<Diagnosis> {
        let Some(frames) = Evenness::of(&self.deltas) else {
            return vec![unknown(format!("{} frames are too few to tell", self.frames()))];
        };
        let shown = &self.intervals;
        let display = Evenness::of(shown);
        let mut found = Vec::new();
        found.extend(frame_generation(metrics));
        found.extend(hitches(metrics));
        found.extend(self.bound(frames.median));
        match &display {
            Some(display) => {
                let rhythm = outruns_display(metrics, &frames, display)
                    .or_else(|| beat(&frames, shown))
                    .or_else(|| missed_deadlines(shown))
                    .or_else(|| jittery_deltas(&frames, display));
                found.extend(rhythm);
            }
            None => found.extend(missed_deadlines(&self.deltas)),
        }
        if found.is_empty() {
            let spread = display.map_or(frames.spread, |display| display.spread.max(frames.spread));
            found.push(if spread < 0.05 {
                Diagnosis {
                    kind: StutterKind::Even,
                    evidence: format!(
                        "nine frames of ten are within {:.1} % of {:.2} ms",
                        spread * 100.0,
                        frames.median
                    ),
                    cure: "nothing to cure",
                }
            } else {
                unknown(format!(
                    "frame times vary by {:.0} %, in no pattern that is known",
                    spread * 100.0
                ))
            });
        }
        found
    }

    /// What the frame's time went into, where the file tells.
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
}

fn unknown(evidence: String) -> Diagnosis {
    Diagnosis {
        kind: StutterKind::Unknown,
        evidence,
        cure: "no setting is known to help; a longer recording that tells when frames were on the screen may tell more",
    }
}

fn frame_generation(metrics: &Metrics) -> Option<Diagnosis> {
    let (made, generated) = (metrics.frames, metrics.generated);
    (generated > 0).then(|| Diagnosis {
        kind: StutterKind::FrameGeneration,
        evidence: format!("{generated} frames were generated beside {made} of the program's own"),
        cure: "feed only the program's own frames to the timestep, as evenstep run does",
    })
}

fn hitches(metrics: &Metrics) -> Option<Diagnosis> {
    let Hitch { at_s, .. } = *metrics.hitches.first()?;
    let count = metrics.hitches.len();
    let longest = metrics.hitches.iter().map(|hitch| hitch.ms).fold(0.0, f64::max);
    if let Some(period) = period(&metrics.hitches) {
        return Some(Diagnosis {
            kind: StutterKind::PeriodicHitches,
            evidence: format!("{count} frames of up to {longest:.0} ms, one every {period:.2} s from {at_s:.2} s on"),
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

/// The time after which hitches come again: that of three quarters of the gaps between them, or a multiple of it.
fn period(hitches: &[Hitch]) -> Option<f64> {
    let gaps: Vec<f64> = hitches.windows(2).map(|pair| pair[1].at_s - pair[0].at_s).collect();
    if gaps.len() < 4 {
        return None;
    }
    let mut sorted = gaps.clone();
    sorted.sort_by(f64::total_cmp);
    let period = sorted[sorted.len().div_ceil(2) - 1];
    let fits = |gap: &&f64| {
        let turns = **gap / period;
        turns > 0.5 && (turns - turns.round()).abs() < 0.1
    };
    (4 * gaps.iter().filter(fits).count() >= 3 * gaps.len()).then_some(period)
}

/// The refresh interval of a display that changes only at its refreshes: what all intervals are multiples of.
fn refresh(shown: &Distribution) -> Option<f64> {
    let shortest = shown.percentile(5.0);
    let (once, sum) = shown.those(|interval| (interval / shortest - 1.0).abs() < 0.2);
    let refresh = sum / once as f64;
    let (multiples, _) = shown.those(|interval| {
        let turns = interval / refresh;
        (turns - turns.round()).abs() < 0.12
    });
    (shown.count() >= ENOUGH && 10 * multiples >= 9 * shown.count()).then_some(refresh)
}

/// More frames than the display can show: which of them it does show is left to chance.
fn outruns_display(metrics: &Metrics, frames: &Evenness, display: &Evenness) -> Option<Diagnosis> {
    let never = metrics.dropped_pct.filter(|never| *never > 10.0)?;
    let (rate, shown) = (1e3 / frames.median, 1e3 / display.median);
    Some(Diagnosis {
        kind: StutterKind::Beat,
        evidence: format!("{rate:.0} frames a second for a display that shows {shown:.0}: {never:.0} % are never seen"),
        cure: "wait for the display (vertical sync), or limit the frame rate to a little below the display's",
    })
}

fn beat(frames: &Evenness, shown: &Distribution) -> Option<Diagnosis> {
    let refresh = refresh(shown)?;
    let turns = frames.median / refresh;
    let off = (turns - turns.round()).abs() / turns;
    if frames.spread > 0.05 || off < 0.005 || turns < 0.5 {
        return None;
    }
    let (rate, display) = (1e3 / frames.median, 1e3 / refresh);
    let beats = (rate * turns.round().max(1.0) - display).abs();
    Some(Diagnosis {
        kind: StutterKind::Beat,
        evidence: format!("frames at {rate:.2} Hz on a display at {display:.2} Hz: {beats:.2} uneven frames a second"),
        cure: "wait for the display (vertical sync), or use variable refresh; fixed steps with Smoothing::Interpolate then \
               come out even",
    })
}

fn missed_deadlines(shown: &Distribution) -> Option<Diagnosis> {
    let refresh = refresh(shown)?;
    let (late, _) = shown.those(|interval| interval > 1.5 * refresh);
    let share = late as f64 / shown.count() as f64;
    (0.005..0.5).contains(&share).then(|| Diagnosis {
        kind: StutterKind::MissedDeadlines,
        evidence: format!(
            "{late} of {} frames took more than one refresh of {refresh:.2} ms",
            shown.count()
        ),
        cure: "simulate less in a frame: a lower Rate with Smoothing::Interpolate, or FixedTimestep::with_max_steps",
    })
}

fn jittery_deltas(frames: &Evenness, display: &Evenness) -> Option<Diagnosis> {
    (display.spread < 0.03 && frames.spread > 0.06).then(|| Diagnosis {
        kind: StutterKind::JitteryDeltas,
        evidence: format!(
            "the display is even to {:.1} %, the measured deltas vary by {:.1} %",
            display.spread * 100.0,
            frames.spread * 100.0
        ),
        cure: "put a DisplayClock before the timestep",
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::Present;

    /// A chain of frames that each took so long, and were shown at these times.
    fn chain(times: &[f64], shown: impl Fn(usize, f64) -> Option<f64>) -> Chain {
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
            }
        });
        Chain {
            presents: presents.collect(),
            deltas: times.iter().map(|ms| Duration::from_secs_f64(ms / 1e3)).collect(),
            ..Chain::default()
        }
    }

    const REFRESH: f64 = 1000.0 / 60.0;

    fn next_refresh(time: f64) -> f64 {
        (time / REFRESH + 1e-9).ceil() * REFRESH
    }

    fn kinds(chain: &Chain) -> Vec<StutterKind> {
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
    fn frames_that_outrun_the_display_are_never_seen() {
        let times = [1000.0 / 150.0; 600];
        let fast = chain(&times, |row, time| (row % 5 < 2).then(|| next_refresh(time)));
        assert_eq!(kinds(&fast), [StutterKind::Beat]);
        assert!(fast.diagnose()[0].evidence.ends_with("60 % are never seen"));
    }

    #[test]
    fn deltas_that_jitter_before_an_even_display_are_told_apart_from_an_uneven_display() {
        let jitter = |n: usize| REFRESH + if n.is_multiple_of(2) { 2.0 } else { -2.0 };
        let times: Vec<f64> = (0..600).map(jitter).collect();
        let jittery = chain(&times, |row, _| Some((row + 2) as f64 * REFRESH));
        assert_eq!(kinds(&jittery), [StutterKind::JitteryDeltas]);
    }

    #[test]
    fn a_frame_of_two_refreshes_now_and_then_missed_its_deadline() {
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
    fn hitches_that_come_again_are_told_with_their_period() {
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
    fn what_takes_the_time_is_told_where_the_columns_tell() {
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
    fn generated_frames_are_told() {
        let mut chain = chain(&[10.0; 100], |_, time| Some(time));
        chain.presents[7].is_generated = true;
        assert_eq!(kinds(&chain), [StutterKind::FrameGeneration]);
    }

    #[test]
    fn where_it_cannot_be_told_it_is_unknown() {
        assert_eq!(kinds(&chain(&[10.0; 30], |_, _| None)), [StutterKind::Unknown]);
        let noise: Vec<f64> = (0..600_u64)
            .map(|n| 8.0 + (n.wrapping_mul(2_654_435_761) % 1000) as f64 / 125.0)
            .collect();
        assert_eq!(kinds(&chain(&noise, |_, _| None)), [StutterKind::Unknown]);
    }
}
