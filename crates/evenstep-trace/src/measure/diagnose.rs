//! The rules that find a swap chain's kinds of stutter.

use crate::measure::diagnosis::{Diagnosis, StutterKind};
use crate::measure::distribution::Distribution;
use crate::measure::metrics::Metrics;
use crate::measure::period::Period;
use crate::measure::rhythm::{ENOUGH, Pace, Rhythm};
use crate::measure::tally::Tally;
use crate::read::trace::SwapChain;

/// Frame times are even up to this mean absolute deviation, as a share of the median.
const EVEN: f64 = 0.025;

/// With an even display, deltas are jittery beyond this mean absolute deviation, as a share of the median.
const JITTERY: f64 = 0.03;

/// A display is even up to this mean absolute deviation: a share of a refresh, or milliseconds if that is more.
const EVEN_DISPLAY: (f64, f64) = (0.015, 0.05);

/// The least difference between two rates, as a share.
const OTHER_RATE: f64 = 0.003;

/// The least difference between two rates, in standard errors.
const CERTAIN: f64 = 6.0;

/// The share of late frames with missed deadlines. Fewer may be chance, more are the usual frames.
const LATE: std::ops::Range<f64> = 0.0075..0.5;

impl SwapChain {
    /// The kinds of stutter of the swap chain; at least one entry, [`Unknown`](StutterKind::Unknown) if the file cannot tell.
    #[must_use]
    pub fn diagnose(&self) -> Vec<Diagnosis> {
        let tally = self.tally();
        tally.diagnose(&tally.metrics())
    }
}

impl Tally {
    pub(crate) fn diagnose(&self, metrics: &Metrics) -> Vec<Diagnosis> {
        let Some(frames) = Pace::of(&self.deltas) else {
            return vec![unknown(format!("{} frames are too few to tell", self.frames()))];
        };
        let is_display_known = self.intervals.count() >= ENOUGH;
        let display = is_display_known.then(|| Rhythm::of(&self.intervals)).flatten();
        let mut found = Vec::new();
        found.extend(frame_generation(metrics));
        found.extend(hitches(metrics));
        found.extend(self.bound(frames.time));
        found.extend(match &display {
            _ if !is_display_known => Rhythm::of(&self.deltas).and_then(|rhythm| missed_deadlines(&rhythm)),
            Some(display) => outruns_display(metrics, &frames, &self.intervals)
                .or_else(|| self.beat(metrics, &frames, display))
                .or_else(|| missed_deadlines(display))
                .or_else(|| jittery_deltas(&frames, display)),
            None => outruns_display(metrics, &frames, &self.intervals),
        });
        if found.is_empty() {
            let is_even = match &display {
                Some(display) => is_even_display(display) && frames.off <= JITTERY * frames.time,
                None => !is_display_known && self.are_deltas_even(&frames),
            };
            found.push(if is_even { even(&frames) } else { varying(&frames) });
        }
        found
    }

    fn are_deltas_even(&self, frames: &Pace) -> bool {
        let (long, _) = self.deltas.count_and_sum(|time| time > 1.5 * frames.time);
        frames.off <= EVEN * frames.time && (long as f64) < LATE.start * self.frames() as f64
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

    /// Even frames at a rate other than the display's.
    fn beat(&self, metrics: &Metrics, frames: &Pace, display: &Rhythm) -> Option<Diagnosis> {
        // A driver's frames come between the program's own.
        let shown_each = 1.0 + metrics.generated as f64 / metrics.frames as f64;
        let own = frames.time / shown_each;
        let turns = own / display.refresh;
        let whole = turns.round().max(1.0);
        let is_another = (turns - whole).abs() > (OTHER_RATE * whole).max(CERTAIN * frames.uncertainty() / own * turns);
        // A program that waits for the display has deltas of whole refreshes.
        let by_display = Rhythm::at(&self.deltas, display.refresh * shown_each)?;
        let is_even = frames.cost() < by_display.cost + 0.1;
        // So many frames should be uneven, or never seen: about as many must be.
        let expected = (turns - whole).abs();
        let never = metrics.dropped_pct.unwrap_or_default() / 100.0;
        let is_seen = display.uneven().max(never) > 0.4 * expected;
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

fn even(frames: &Pace) -> Diagnosis {
    Diagnosis {
        kind: StutterKind::Even,
        evidence: format!(
            "frames are within {:.1} % of {:.2} ms on average",
            100.0 * frames.off / frames.time,
            frames.time
        ),
        cure: "nothing to cure",
    }
}

fn varying(frames: &Pace) -> Diagnosis {
    unknown(format!(
        "frame times are off by {:.0} % on average, in no pattern that is known",
        100.0 * frames.off / frames.time
    ))
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
        cure: "feed only the program's own frames to the timestep",
    })
}

fn hitches(metrics: &Metrics) -> Option<Diagnosis> {
    let at_s = metrics.hitches.first()?.at_s;
    let count = metrics.hitches.len();
    let longest = metrics.hitches.iter().map(|hitch| hitch.ms).fold(0.0, f64::max);
    let times: Vec<f64> = metrics.hitches.iter().map(|hitch| hitch.at_s).collect();
    if let Some(Period { length, in_a_group }) = Period::of(&times, 2e-3 * longest) {
        let one = match in_a_group {
            1 => "one".to_owned(),
            several => format!("{several} together"),
        };
        return Some(Diagnosis {
            kind: StutterKind::PeriodicHitches,
            evidence: format!("{count} frames of up to {longest:.0} ms, {one} every {length:.2} s from {at_s:.2} s on"),
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

/// More frames than the display can show: chance decides which ones are seen.
fn outruns_display(metrics: &Metrics, frames: &Pace, intervals: &Distribution) -> Option<Diagnosis> {
    let never = metrics.dropped_pct.filter(|never| *never > 10.0)?;
    let (rate, shown) = (1e3 / frames.time, 1e3 / intervals.percentile(50.0));
    Some(Diagnosis {
        kind: StutterKind::Beat,
        evidence: format!("{rate:.0} frames a second for a display that shows {shown:.0}: {never:.0} % are never seen"),
        cure: "wait for the display (vertical sync), or limit the frame rate to a little below the display's",
    })
}

fn missed_deadlines(rhythm: &Rhythm) -> Option<Diagnosis> {
    let (late, total) = rhythm.late();
    let deadline = rhythm.common() as f64 * rhythm.refresh;
    LATE.contains(&(late as f64 / total as f64)).then(|| Diagnosis {
        kind: StutterKind::MissedDeadlines,
        evidence: match rhythm.common() {
            0 | 1 => format!("{late} of {total} frames took more than one refresh of {deadline:.2} ms"),
            common => format!("{late} of {total} frames took more than {common} refreshes, {deadline:.2} ms"),
        },
        cure: "simulate less in a frame: a lower Rate with Smoothing::Interpolate, or FixedTimestep::with_max_steps",
    })
}

fn is_even_display(display: &Rhythm) -> bool {
    let (share, least) = EVEN_DISPLAY;
    display.is_even() && display.off <= (share * display.refresh).max(least)
}

fn jittery_deltas(frames: &Pace, display: &Rhythm) -> Option<Diagnosis> {
    let (shown, measured) = (display.off / display.refresh, frames.off / frames.time);
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
