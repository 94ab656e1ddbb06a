//! The rules that find a swap chain's kinds of stutter. A finding holds in both halves of the recording, or says when it happened.

use std::ops::Range;

use crate::measure::diagnosis::{Diagnosis, StutterKind};
use crate::measure::evidence::{Evidence, settled};
use crate::measure::hitches::{Hitch, HitchOf};
use crate::measure::levels::levels;
use crate::measure::metrics::Metrics;
use crate::measure::multiples_fit::{Baseline, MultiplesFit, median};
use crate::measure::running_metrics::RunningMetrics;
use crate::measure::samples::Sample;
use crate::measure::thresholds::{
    BOUND, CADENCE, CERTAIN, END_S, ENOUGH, EVEN_DISPLAY, FAR_LONGER, FEW_LATE, FEWEST_BUSY, FEWEST_GAPS, FEWEST_LATE,
    GENERATED, HITCHES_PER_HALF, IN_A_HALF, JITTERY, LATE, MAX_HITCHES_OF_EVEN, MORE_THAN_FRAMES, NEARLY_ALL, NEVER,
    ONE_EVENT_S, OTHER_RATE, OUTLIER, OUTLIERS, REGULAR, SLOW, UNEVEN, WHOLE,
};

/// What is wrong with the pace of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pace {
    Generated,
    Pairs,
    /// Most presents are never displayed, and come in pairs that differ.
    UnseenPairs,
    /// Frames that are never displayed.
    Never,
    /// Even frames at a rate that is not the display's.
    Beat,
    /// Frames that are displayed for too short and too long times.
    Cadence,
    /// The display is off although frames are even, at no refreshes that are known.
    Unpaced,
    Missed,
    /// Deltas are off although the display is even.
    Jitter,
    Varies,
}

impl Pace {
    /// The first that applies counts.
    const ALL: [Self; 10] = [
        Self::Generated,
        Self::Pairs,
        Self::UnseenPairs,
        Self::Never,
        Self::Beat,
        Self::Cadence,
        Self::Missed,
        Self::Unpaced,
        Self::Jitter,
        Self::Varies,
    ];

    fn kind(self) -> StutterKind {
        match self {
            Self::Generated | Self::Pairs | Self::UnseenPairs => StutterKind::FrameGeneration,
            Self::Never | Self::Beat | Self::Cadence | Self::Unpaced => StutterKind::UnevenDisplay,
            Self::Missed => StutterKind::MissedRefreshes,
            Self::Jitter | Self::Varies => StutterKind::UnevenFrames,
        }
    }
}

impl Evidence {
    /// Whether frames have this pace. `slack` is 1, or less where weaker evidence is enough.
    fn shows(&self, pace: Pace, slack: f64) -> bool {
        let frames = &self.frames;
        let on_refreshes = |rule: &dyn Fn(&MultiplesFit) -> bool| self.display.as_ref().is_some_and(rule);
        let on_screen = |rule: &dyn Fn(&Baseline) -> bool| self.shown.as_ref().is_some_and(rule);
        match pace {
            Pace::Generated => self.generated >= GENERATED * slack,
            Pace::Pairs => self.pairs.is_some(),
            Pace::UnseenPairs => self.has_unseen_pairs,
            Pace::Never => {
                let is_display_even = on_screen(&|shown| shown.deviation <= EVEN_DISPLAY.0);
                self.never >= if is_display_even { NEVER.1 } else { NEVER.0 } * slack
            }
            Pace::Beat => on_refreshes(&|display| {
                let refreshes = self.refreshes(display);
                let whole = refreshes.round().max(1.0);
                let off = (refreshes - whole).abs();
                let (early, late) = display.around(display.common());
                let is_another = off > (OTHER_RATE * whole).max(CERTAIN * frames.standard_error() * refreshes) * slack;
                !self.waits && is_another && early + late > 0.4 * off
            }),
            Pace::Cadence => on_refreshes(&|display| {
                let expected = self.expected(display);
                let (early, late) = display.around(expected.unwrap_or(display.common()));
                early.min(late) >= CADENCE * slack || (expected.is_some() && late >= LATE.end)
            }),
            Pace::Missed => self.late().is_some_and(|(late, of)| {
                late >= LATE.start * slack && late < LATE.end && late * of as f64 >= FEWEST_LATE * slack * slack
            }),
            Pace::Unpaced => on_screen(&|shown| {
                shown.deviation >= UNEVEN * slack && shown.deviation >= MORE_THAN_FRAMES * frames.deviation
            }),
            Pace::Jitter => on_screen(&|shown| {
                let most = (EVEN_DISPLAY.0 * shown.median).max(EVEN_DISPLAY.1) / slack;
                shown.deviation * shown.median <= most && frames.deviation >= JITTERY * slack
            }),
            Pace::Varies => frames.deviation >= UNEVEN * slack || frames.outliers >= OUTLIERS * slack,
        }
    }

    /// The share of frames that are on the screen for longer than they should be, or take longer where the file has no display times, and
    /// the number of frames.
    fn late(&self) -> Option<(f64, usize)> {
        if let Some(display) = &self.display {
            let (_, late) = display.around(self.expected(display).unwrap_or(display.common()));
            return Some((late, display.total()));
        }
        let own = self.own_multiples.as_ref()?;
        let (early, late) = own.around(own.common());
        (early < LATE.start).then_some((late, own.total()))
    }

    /// How many refreshes each frame should be displayed for: as many as it takes, if frames are even.
    fn expected(&self, display: &MultiplesFit) -> Option<usize> {
        let refreshes = self.refreshes(display);
        let is_whole = (refreshes - refreshes.round()).abs() < WHOLE * refreshes && refreshes > 0.5;
        (is_whole && self.frames.deviation < UNEVEN).then_some(refreshes.round() as usize)
    }
}

/// A recording and its halves.
struct Recording<'m> {
    whole: Evidence,
    halves: [Option<Evidence>; 2],
    /// When the second half begins, in seconds.
    middle: f64,
    /// Whether the desktop's compositor drew most of the frames.
    is_composed: bool,
    metrics: &'m Metrics,
    samples: &'m [Sample],
}

impl RunningMetrics {
    pub(crate) fn diagnose(&self, metrics: &Metrics) -> Vec<Diagnosis> {
        let samples = self.samples();
        let settled = settled(samples);
        let whole = Recording::of(&settled, samples, metrics).or_else(|| Recording::of(samples, samples, metrics));
        let Some(whole) = whole else {
            return vec![few(metrics)];
        };
        match levels(&settled) {
            levels if levels.len() > 1 => whole.diagnose_levels(&settled, &levels),
            _ => whole.diagnose(),
        }
    }
}

impl<'m> Recording<'m> {
    /// The evidence of `part` of the frames and of its halves; `None` if they are too few.
    fn of(part: &[Sample], samples: &'m [Sample], metrics: &'m Metrics) -> Option<Self> {
        let mut whole = Evidence::of(part, None)?;
        let middle = part.len() / 2;
        let refresh = whole.display.as_ref().map(|display| display.refresh);
        let mut halves = [&part[..middle], &part[middle..]].map(|half| Evidence::of(half, refresh));
        let is_off_refreshes = |half: &Evidence| half.display.is_none() && half.shown.is_some();
        // Without refreshes in both halves, the display's rate is not known.
        if refresh.is_none() || halves.iter().flatten().any(is_off_refreshes) {
            whole.display = None;
            halves.iter_mut().flatten().for_each(|half| half.display = None);
        }
        Some(Self {
            whole,
            halves,
            middle: part.get(middle).map_or(0.0, |sample| sample.at / 1e3),
            is_composed: part.first().is_some_and(|sample| sample.is_composed),
            metrics,
            samples,
        })
    }

    /// Each level by itself, and what changed when.
    fn diagnose_levels(&self, settled: &[Sample], levels: &[Range<usize>]) -> Vec<Diagnosis> {
        let (mut found, mut rates) = (Vec::<(f64, Diagnosis)>::new(), Vec::new());
        let (mut off, mut off_screen) = (0.0_f64, None::<f64>);
        let metrics = Metrics {
            hitches: Vec::new(),
            ..self.metrics.clone()
        };
        for level in levels {
            let part = &settled[level.clone()];
            let Some(level) = Recording::of(part, part, &metrics) else {
                continue;
            };
            let begins = |sample: &Sample| sample.at - f64::from(sample.delta).max(0.0);
            let from = part.first().map_or(0.0, begins) / 1e3;
            let to = part.last().map_or(0.0, |last| last.at) / 1e3;
            let fps = 1e3 / level.whole.frames.mean;
            rates.push(format!("{fps:.1} fps until {to:.2} s"));
            off = off.max(level.whole.frames.deviation);
            let shown = level.whole.shown.map(|shown| shown.deviation);
            off_screen = shown.map(|shown| off_screen.unwrap_or(0.0).max(shown)).or(off_screen);
            for mut one in level.diagnose() {
                one.evidence += &format!(", from {from:.2} to {to:.2} s, at {fps:.1} fps");
                found.push((to - from, one));
            }
        }
        // The longest level first, and each kind once.
        found.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let mut told: Vec<Diagnosis> = Vec::new();
        for (_, one) in found {
            if one.kind != StutterKind::Even && told.iter().all(|other| other.kind != one.kind) {
                told.push(one);
            }
        }
        if told.is_empty() && self.metrics.hitches.len() <= MAX_HITCHES_OF_EVEN {
            let count = rates.len();
            let on_screen = off_screen.map_or_else(String::new, |off| {
                format!(", times on the screen within {:.1} %", 100.0 * off)
            });
            told.push(Diagnosis {
                kind: StutterKind::Even,
                evidence: format!(
                    "{count} levels, each even: {}; frames are within {:.1} % of their level on average{on_screen}",
                    rates.join(", "),
                    100.0 * off
                ),
                cure: "nothing to cure",
                refresh_hz: None,
            });
        }
        let is_uneven = told.iter().any(|one| one.kind != StutterKind::Even);
        told.extend(self.hitches(is_uneven).map(|(hitches, _)| hitches));
        if told.is_empty() { vec![self.even()] } else { told }
    }
}

/// What a recording of few frames states itself.
fn few(metrics: &Metrics) -> Diagnosis {
    let frames = metrics.frames;
    let (kind, evidence, cure) = if metrics.generated >= frames.div_ceil(10).max(1) {
        (StutterKind::FrameGeneration, generated(metrics), OWN_FRAMES)
    } else if frames >= FEWEST_BUSY && metrics.gpu_bound_pct.is_some_and(|share| share >= 100.0 * NEARLY_ALL) {
        let evidence = format!("the GPU is busy for nearly all of each of {frames} frames");
        (StutterKind::GpuBound, evidence, DRAW_LESS)
    } else {
        let evidence = format!("{frames} frames are too few to tell; {ENOUGH} are needed");
        let cure = "make a longer recording that states when frames were displayed";
        (StutterKind::Unknown, evidence, cure)
    };
    Diagnosis {
        kind,
        evidence,
        cure,
        refresh_hz: None,
    }
}

fn generated(metrics: &Metrics) -> String {
    let by = match metrics.generated_by.as_slice() {
        [] => String::new(),
        names => format!(" by {}", names.join(", ")),
    };
    format!(
        "{} frames were generated{by} beside {} of the program's own",
        metrics.generated, metrics.frames
    )
}

const OWN_FRAMES: &str = "feed only the program's own frames to the timestep";
const DRAW_LESS: &str = "no setting of the loop helps: draw less, or at a lower resolution";

impl Recording<'_> {
    fn diagnose(&self) -> Vec<Diagnosis> {
        let pace = self.pace();
        let hitches = self.hitches(pace.is_some());
        let is_display_fine = matches!(&pace, None | Some((Pace::Varies | Pace::Jitter, _)));
        let pace = pace.map(|(pace, when)| self.tell(pace, when));
        let (recurring, others) = match hitches {
            Some((hitches, true)) if is_display_fine => (Some(hitches), None),
            hitches => (None, hitches.map(|(hitches, _)| hitches)),
        };
        let ranked = match is_display_fine {
            true => [recurring, self.bound(), pace],
            false => [pace, self.bound(), None],
        };
        let mut found: Vec<Diagnosis> = ranked.into_iter().flatten().collect();
        if found.is_empty() && self.metrics.hitches.len() <= MAX_HITCHES_OF_EVEN {
            found.push(self.even());
        }
        found.extend(others);
        found
    }

    /// What is wrong with the pace, and when.
    fn pace(&self) -> Option<(Pace, String)> {
        // A few late frames that are hitches are only hitches.
        let hitches = self.metrics.hitches.len() as f64;
        let all = self.samples.len() as f64;
        let are_hitches = |(late, of): (f64, usize)| {
            let late = late * of as f64;
            late < FEW_LATE * all && late <= 2.0 * hitches
        };
        let are_hitches = self.whole.late().is_some_and(are_hitches);
        let found = Pace::ALL.into_iter().filter(|pace| self.whole.shows(*pace, 1.0));
        let found = found.filter(|pace| !(are_hitches && *pace == Pace::Missed));
        let when = |pace: Pace| {
            let shows = |half: &Option<Evidence>| {
                let mut same = Pace::ALL.into_iter().filter(|other| other.kind() == pace.kind());
                half.as_ref()
                    .is_none_or(|half| same.any(|pace| half.shows(pace, IN_A_HALF)))
            };
            match self.halves.each_ref().map(shows) {
                [true, true] => Some(String::new()),
                [true, false] => Some(format!(", only before {:.1} s", self.middle)),
                [false, true] => Some(format!(", only after {:.1} s", self.middle)),
                [false, false] => None,
            }
        };
        let found: Vec<(Pace, String)> = found.filter_map(|pace| Some((pace, when(pace)?))).collect();
        let in_both = found.iter().position(|(_, when)| when.is_empty());
        found.into_iter().nth(in_both.unwrap_or(0))
    }

    fn tell(&self, pace: Pace, when: String) -> Diagnosis {
        let of = &self.whole;
        let (median, off) = (of.frames.median, 100.0 * of.frames.deviation);
        let rate = 1e3 / of.frames.mean;
        let display = of
            .display
            .as_ref()
            .filter(|_| matches!(pace, Pace::Beat | Pace::Cadence | Pace::Missed));
        // A rate that is not certain is not named.
        let is_named = |display: &&MultiplesFit| display.is_named(of.refreshes(display));
        let hertz = display.filter(is_named).map(|display| 1e3 / display.refresh);
        let refresh = display.map_or(0.0, |display| display.refresh);
        let on_display = match hertz {
            Some(hertz) => format!("on a display at {hertz:.2} Hz"),
            None => format!("on a display whose rate is not known, in multiples of {refresh:.2} ms,"),
        };
        let shown = of.shown.map_or(0.0, |shown| 100.0 * shown.deviation);
        let evidence = match pace {
            Pace::Generated => generated(self.metrics),
            Pace::Pairs => {
                let (short, long) = of.pairs.unwrap_or_default();
                format!(
                    "frames of {short:.2} and {long:.2} ms in turn, {:.1} pairs a second: generated frames, or two presents a frame",
                    2e3 / (short + long) / 2.0
                )
            }
            Pace::UnseenPairs => format!(
                "{:.0} % of {rate:.1} presents a second are never displayed, and the two of a pair differ: generation, or a recorder that \
                 misses presents",
                100.0 * of.never
            ),
            Pace::Never => format!(
                "{:.0} % of {rate:.1} frames a second are never displayed; the display shows {:.1}",
                100.0 * of.never,
                rate * (1.0 - of.never)
            ),
            Pace::Beat => {
                let hertz = 1e3 / refresh;
                let own = 1e3 / median * of.each;
                let beats = (own * (hertz / own).round().max(1.0) - hertz).abs();
                format!("frames at {own:.2} Hz {on_display}: {beats:.2} uneven frames a second")
            }
            Pace::Cadence => {
                let each: Vec<String> = display.map(shares).unwrap_or_default();
                let in_turn = if of.in_turn > 0.9 && each.len() == 2 {
                    ", in turn"
                } else {
                    ""
                };
                format!(
                    "frames of {median:.2} ms are {on_display} for {}{in_turn}",
                    each.join(" and ")
                )
            }
            Pace::Unpaced => format!(
                "frames are within {off:.1} % of {median:.2} ms on average, but on the screen for times that are off by {shown:.0} %{rate}",
                rate = if of.display.is_none() {
                    "; the display's rate is not known"
                } else {
                    ""
                }
            ),
            Pace::Missed => self.tell_missed(display, &on_display),
            Pace::Jitter => {
                let deltas = match of.is_start_known {
                    true => "deltas",
                    false => "times between presents, which stand for the deltas,",
                };
                format!("the display is even to {shown:.1} %, the {deltas} vary by {off:.1} %")
            }
            Pace::Varies => {
                let display = of
                    .shown
                    .map_or_else(String::new, |_| format!(", times on the screen by {shown:.0} %"));
                format!("frame times are off {median:.2} ms by {off:.0} % on average{display}")
            }
        };
        let held = of.held.filter(|_| matches!(pace, Pace::Varies | Pace::Cadence));
        let held = held.map_or_else(String::new, |held| {
            format!(", although {} holds {held:.2} fps", of.holder())
        });
        Diagnosis {
            kind: pace.kind(),
            evidence: evidence + &held + &when,
            cure: self.cure(pace),
            refresh_hz: hertz,
        }
    }

    fn tell_missed(&self, display: Option<&MultiplesFit>, on_display: &str) -> String {
        let of = &self.whole;
        let Some((fit, display)) = display
            .map(|display| (display, true))
            .or(of.own_multiples.as_ref().map(|own| (own, false)))
        else {
            return String::new();
        };
        let expected = of.expected(fit).filter(|_| display).unwrap_or(fit.common());
        let (_, late) = fit.around(expected);
        let (late, total) = ((late * fit.total() as f64).round(), fit.total());
        let time = expected as f64 * fit.refresh;
        if !display {
            return format!(
                "{late} of {total} frames took longer than {time:.2} ms, by multiples of {:.2} ms, as if they had missed a refresh; the \
                 display's rate is not known",
                fit.refresh
            );
        }
        let refreshes = match expected {
            1 => "one refresh of".to_owned(),
            several => format!("{several} refreshes,"),
        };
        format!("{late} of {total} frames were on the screen for more than {refreshes} {time:.2} ms, {on_display}")
    }

    /// A cure that does not contradict the file.
    fn cure(&self, pace: Pace) -> &'static str {
        let of = &self.whole;
        match pace {
            Pace::Generated | Pace::Pairs => OWN_FRAMES,
            Pace::UnseenPairs => {
                "if the game generates frames, feed only its own to the timestep; if not, record with a newer PresentMon, and without an overlay"
            }
            Pace::Missed if self.is_late_on_its_way() => {
                "no frame is slow: look for what delays frames on their way (a compositor, an overlay, a second display), or present them \
                 earlier in each refresh"
            }
            Pace::Missed => {
                "do less in the slowest frames: a lower Rate with Smoothing::Interpolate, or FixedTimestep::with_max_steps"
            }
            Pace::Jitter => "filter the deltas: FrameClock::new() does",
            Pace::Varies if of.held.is_some() => {
                "the limiter holds the rate but not each frame: use another limiter, or pace frames by their presentation"
            }
            Pace::Varies => "limit the frame rate to what the slowest frames reach, or find the work that varies",
            Pace::Never if of.is_synced == Some(true) => {
                "present once a refresh: limit the frame rate to a little below the display's"
            }
            Pace::Never => {
                "limit the frame rate to a little below the display's, or wait for the display (vertical sync)"
            }
            Pace::Beat if of.is_synced == Some(true) => {
                "limit the frame rate to the display's or to a whole part of it, or not at all: vertical sync alone holds it"
            }
            _ if of.is_synced == Some(true) => {
                "the program waits for the display already: look for what delays its presents (a compositor, an overlay, a second display)"
            }
            Pace::Unpaced if of.frames.deviation < JITTERY => {
                "the frames are even already: look for what delays or doubles them on their way (the driver's frame generation or pacing, an \
                 overlay, a compositor)"
            }
            Pace::Unpaced if of.tears == Some(true) => {
                "pace the presents, not only the loop: a limiter at a steady rate, or vertical sync"
            }
            Pace::Unpaced => "pace the presents, not only the loop, at a rate a little below the display's",
            _ => {
                "wait for the display (vertical sync) with an interval of whole refreshes; fixed steps with Smoothing::Interpolate then come \
                 out even"
            }
        }
    }

    /// Whether the display shows frames late although the program makes them in time.
    fn is_late_on_its_way(&self) -> bool {
        let of = &self.whole;
        let late = of.late().filter(|_| of.display.is_some());
        late.is_some_and(|(late, _)| of.slow < SLOW * late)
    }

    /// What limits the frame rate, if the file states it.
    fn bound(&self) -> Option<Diagnosis> {
        let share = |share: f64| format!("{:.0} % of the median frame", share * 100.0);
        let is_bound = |of: &Evidence, slack: f64| match (of.cpu, of.gpu) {
            (_, Some(gpu)) if gpu > BOUND * slack => Some(StutterKind::GpuBound),
            (Some(cpu), gpu) if cpu > BOUND * slack && gpu.is_none_or(|gpu| gpu < 0.8 / slack) => {
                Some(StutterKind::CpuBound)
            }
            _ => None,
        };
        // A program that sleeps in its own limiter counts as busy, and one that the display holds may sleep.
        let is_display_even = self.whole.shown.is_some_and(|shown| shown.deviation <= EVEN_DISPLAY.0);
        let is_held = self.whole.held.is_some() || (is_display_even && self.whole.is_synced == Some(true));
        let kind = is_bound(&self.whole, 1.0).filter(|kind| *kind != StutterKind::CpuBound || !is_held)?;
        let shows = |half: &Option<Evidence>| half.as_ref().is_none_or(|half| is_bound(half, 0.95) == Some(kind));
        if !self.halves.iter().all(shows) {
            return None;
        }
        let (evidence, cure) = match kind {
            StutterKind::GpuBound => (
                format!("the GPU is busy for {}", share(self.whole.gpu.unwrap_or_default())),
                DRAW_LESS,
            ),
            _ => (
                format!("the program works for {}", share(self.whole.cpu.unwrap_or_default())),
                "move the simulation to a thread of its own (SimThread), or step it at a lower Rate and interpolate",
            ),
        };
        Some(Diagnosis {
            kind,
            evidence,
            cure,
            refresh_hz: None,
        })
    }

    /// The hitches but those at the ends, if there are several, and whether they recur in both halves.
    fn hitches(&self, is_uneven: bool) -> Option<(Diagnosis, bool)> {
        let end = self.metrics.seconds - END_S;
        let shortest = |of: HitchOf| match (is_uneven, of, self.whole.shown) {
            (false, ..) => 0.0,
            (true, HitchOf::Display, Some(shown)) => FAR_LONGER * shown.median,
            _ => FAR_LONGER * self.whole.frames.median,
        };
        let long = self
            .metrics
            .hitches
            .iter()
            .filter(|hitch| hitch.ms > shortest(hitch.of));
        let all: Vec<Hitch> = long.copied().collect();
        let is_inner = |hitch: &&Hitch| hitch.at_s > END_S && hitch.at_s < end;
        let inner: Vec<Hitch> = all.iter().filter(is_inner).copied().collect();
        let before = inner.iter().filter(|hitch| hitch.at_s < self.middle).count();
        let recur = before >= HITCHES_PER_HALF && inner.len() - before >= HITCHES_PER_HALF;
        let hitches = match inner.len() {
            2.. => inner,
            _ if all.len() > MAX_HITCHES_OF_EVEN => all,
            _ => return None,
        };
        let times: Vec<f64> = hitches.iter().map(|hitch| hitch.at_s).collect();
        let longest = hitches.iter().map(|hitch| hitch.ms).fold(0.0, f64::max);
        let (count, first, last) = (hitches.len(), *times.first()?, *times.last()?);
        let period = period(&times);
        let when = match period {
            Some(period) => format!("one every {period:.2} s from {first:.2} s on"),
            None => match self.when(&times) {
                when if when.is_empty() => format!("the first at {first:.2} s, the last at {last:.2} s"),
                when => when,
            },
        };
        let what = if hitches.iter().all(|hitch| hitch.of == HitchOf::Display) {
            "stops of the display"
        } else {
            "frames"
        };
        let diagnosis = Diagnosis {
            kind: StutterKind::Hitches,
            evidence: format!("{count} {what} of up to {longest:.0} ms, {when}"),
            cure: if period.is_some() {
                "no setting cures it: look for what runs that often (saving, garbage, streaming); Overrun::Stretch makes up for it evenly"
            } else {
                "no setting cures it: FixedTimestep::with_max_delta bounds how much of one is simulated"
            },
            refresh_hz: None,
        };
        Some((diagnosis, recur))
    }

    /// Even frames, with what holds their rate and the events that do not change the verdict.
    fn even(&self) -> Diagnosis {
        let of = &self.whole;
        let (median, off) = (of.frames.median, 100.0 * of.frames.deviation);
        let within = format!("frames are within {off:.1} % of {median:.2} ms on average");
        let mut evidence = match of.held {
            Some(held) => format!("limited at {held:.2} fps by {}: {within}", of.holder()),
            None => within,
        };
        evidence += &match of.shown {
            Some(shown) => format!(", times on the screen within {:.1} %", 100.0 * shown.deviation),
            None => "; the file does not state when they were displayed".to_owned(),
        };
        if let [Some(one), Some(other)] = &self.halves
            && (one.frames.median / other.frames.median - 1.0).abs() > UNEVEN
        {
            let rates = [one, other].map(|half| 1e3 / half.frames.median);
            evidence += &format!(
                "; {:.1} fps in the first half and {:.1} in the second",
                rates[0], rates[1]
            );
        }
        Diagnosis {
            kind: StutterKind::Even,
            evidence: evidence + &self.events(),
            cure: "nothing to cure",
            refresh_hz: None,
        }
    }

    /// The events of even frames: large deviations, among the frames that reached the screen by the usual way.
    fn events(&self) -> String {
        let usual = self.whole.shown.as_ref().unwrap_or(&self.whole.frames).median;
        let has_display = self.whole.shown.is_some();
        let time = |sample: &Sample| f64::from(if has_display { sample.interval } else { sample.delta });
        let is_counted = |sample: &&Sample| sample.is_composed == self.is_composed && !time(sample).is_nan();
        let counted: Vec<&Sample> = self.samples.iter().filter(is_counted).collect();
        let off = counted
            .iter()
            .filter(|sample| (time(sample) / usual - 1.0).abs() > OUTLIER);
        let off: Vec<f64> = off.map(|sample| sample.at / 1e3).collect();
        let mut events = String::new();
        if !off.is_empty() {
            let when = match self.when(&off) {
                when if when.is_empty() => when,
                when => format!(", {when}"),
            };
            let is_one =
                off.windows(2).all(|pair| pair[1] - pair[0] < ONE_EVENT_S) && off[off.len() - 1] - off[0] < END_S;
            let in_one = if is_one && off.len() > 1 { " in one event" } else { "" };
            events = format!(", but for {} of {}{in_one}{when}", off.len(), counted.len());
        }
        let longest = self
            .metrics
            .hitches
            .iter()
            .max_by(|one, other| one.ms.total_cmp(&other.ms));
        if let Some(hitch) = longest {
            events += &format!("; the longest hitch {:.0} ms, {}", hitch.ms, self.when(&[hitch.at_s]));
        }
        events
    }

    /// When events happened, if all of them close to each other; ascending, in seconds.
    fn when(&self, times: &[f64]) -> String {
        let (Some(first), Some(last)) = (times.first(), times.last()) else {
            return String::new();
        };
        let seconds = self.metrics.seconds;
        let is_change = |pair: &[Sample]| {
            let at = pair[1].at / 1e3;
            pair[0].is_composed != pair[1].is_composed && at > first - 0.3 && at < last + 0.3
        };
        let is_change = last - first < 0.5 && self.samples.windows(2).any(is_change);
        let change = if is_change {
            ", when the present mode changed"
        } else {
            ""
        };
        let end = END_S.min(0.05 * seconds);
        match last - first {
            _ if *last <= end => format!("at the start{change}"),
            _ if *first >= seconds - end => "at the end".to_owned(),
            0.0 => format!("at {first:.2} s{change}"),
            span if span < 0.1 * seconds => format!("all within {:.1} s at {first:.1} s{change}", span.max(0.1)),
            _ => String::new(),
        }
    }
}

/// The time from one event to the next, if nearly all come as regularly.
fn period(times: &[f64]) -> Option<f64> {
    let gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let period = median(&gaps);
    let regular = gaps.iter().filter(|gap| (**gap / period - 1.0).abs() < REGULAR).count();
    (gaps.len() >= FEWEST_GAPS && 5 * regular >= 4 * gaps.len()).then_some(period)
}

/// Each number of refreshes with the share of times that take it, but rare ones.
fn shares(display: &MultiplesFit) -> Vec<String> {
    let total = display.total() as f64;
    let each = display
        .multiples
        .iter()
        .enumerate()
        .map(|(refreshes, count)| (refreshes, *count as f64 / total));
    each.filter(|(_, share)| *share >= 0.01)
        .map(|(refreshes, share)| {
            let plural = if refreshes == 1 { "" } else { "es" };
            format!("{refreshes} refresh{plural} ({:.0} %)", 100.0 * share)
        })
        .collect()
}

impl Evidence {
    /// What holds the rate, as far as the file tells.
    fn holder(&self) -> &'static str {
        match self.is_synced {
            Some(true) => "vertical sync or a limiter",
            Some(false) => "a limiter",
            None => "the display or a limiter",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::read::chain_name::SwapChainName;
    use crate::read::trace::SwapChain;

    /// A thousand frames of 20 ms, without a fault.
    fn frames() -> Evidence {
        let even = Baseline {
            median: 20.0,
            mean: 20.0,
            deviation: 0.0,
            outliers: 0.0,
            count: 1_000,
        };
        Evidence {
            frames: even,
            is_start_known: true,
            shown: Some(even),
            display: None,
            slow: 0.0,
            waits: false,
            own_multiples: None,
            each: 1.0,
            never: 0.0,
            generated: 0.0,
            pairs: None,
            has_unseen_pairs: false,
            in_turn: 0.0,
            held: None,
            cpu: None,
            gpu: None,
            is_synced: None,
            tears: None,
        }
    }

    /// The evidence of a display with this refresh interval: `counts[n]` frames take `n` refreshes each.
    fn on_screen(refresh: f64, counts: &[usize]) -> Evidence {
        let times = counts.iter().enumerate();
        let times: Vec<f64> = times.flat_map(|(n, count)| vec![n as f64 * refresh; *count]).collect();
        Evidence {
            display: MultiplesFit::at(&times, refresh),
            ..frames()
        }
    }

    /// The same with shares by which the times on the screen and the frames deviate.
    fn deviating(shown: f64, deviation: f64) -> Evidence {
        let of = frames();
        Evidence {
            shown: of.shown.map(|even| Baseline {
                deviation: shown,
                ..even
            }),
            frames: Baseline { deviation, ..of.frames },
            ..of
        }
    }

    /// Each threshold from both sides, for a whole recording and for the weaker evidence of a half.
    #[test]
    fn a_pace_is_shown_from_its_threshold_on_and_not_below() {
        let of = frames;
        // A half needs so much of the evidence.
        for slack in [1.0, 0.5] {
            let of_frames = |never: f64, shown: f64| Evidence {
                never,
                ..deviating(shown, 0.0)
            };
            let cases: [(Pace, Evidence, bool); 24] = [
                (
                    Pace::Generated,
                    Evidence {
                        generated: 0.0101 * slack,
                        ..of()
                    },
                    true,
                ),
                (
                    Pace::Generated,
                    Evidence {
                        generated: 0.0099 * slack,
                        ..of()
                    },
                    false,
                ),
                (Pace::Never, of_frames(0.0151 * slack, 0.015), true),
                (Pace::Never, of_frames(0.0149 * slack, 0.015), false),
                (Pace::Never, of_frames(0.0451 * slack, 0.016), true),
                (Pace::Never, of_frames(0.0449 * slack, 0.016), false),
                // 20 ms are two refreshes; four late frames of a thousand are enough, and three are not.
                (Pace::Missed, on_screen(10.0, &[0, 0, 996, 4]), true),
                (
                    Pace::Missed,
                    on_screen(10.0, &[0, 0, 497, (3.99 * slack * slack) as usize]),
                    false,
                ),
                (
                    Pace::Missed,
                    on_screen(10.0, &[0, 0, 10_000, (29.9 * slack) as usize]),
                    false,
                ),
                (
                    Pace::Missed,
                    on_screen(10.0, &[0, 0, 10_000, (32.0 * slack) as usize]),
                    true,
                ),
                (Pace::Missed, on_screen(10.0, &[0, 0, 500, 500]), false),
                (Pace::Missed, on_screen(10.0, &[0, 0, 501, 499]), true),
                (Pace::Cadence, on_screen(10.0, &[0, 51, 848, 101]), true),
                (Pace::Cadence, on_screen(10.0, &[0, 101, 848, 51]), true),
                (
                    Pace::Cadence,
                    on_screen(10.0, &[0, (49.0 * slack) as usize, 850, 101]),
                    false,
                ),
                (Pace::Cadence, on_screen(10.0, &[0, 0, 500, 500]), true),
                (Pace::Cadence, on_screen(10.0, &[0, 0, 501, 499]), false),
                (Pace::Unpaced, deviating(0.0701 * slack, 0.0), true),
                (Pace::Unpaced, deviating(0.0699 * slack, 0.0), false),
                (Pace::Unpaced, deviating(0.09, 0.0601), false),
                (Pace::Jitter, deviating(0.0149 / slack, 0.0351 * slack), true),
                (Pace::Jitter, deviating(0.0149 / slack, 0.0349 * slack), false),
                (Pace::Jitter, deviating(0.0151 / slack, 0.0351), false),
                (Pace::Varies, deviating(0.0, 0.0701 * slack), true),
            ];
            for (case, (pace, of, shows)) in cases.into_iter().enumerate() {
                assert_eq!(of.shows(pace, slack), shows, "{pace:?}, case {case}, {slack}: {of:?}");
            }
            let outliers = |outliers: f64| Evidence {
                frames: Baseline {
                    outliers,
                    ..of().frames
                },
                ..of()
            };
            assert!(outliers(0.0301 * slack).shows(Pace::Varies, slack));
            assert!(!outliers(0.0299 * slack).shows(Pace::Varies, slack));
        }
    }

    #[test]
    fn frames_beat_if_their_rate_is_surely_another_and_the_display_shows_it() {
        // 20 ms at 10.2 ms: 0.0392 of two refreshes off, of which 0.4 are 0.0157.
        let beats = |refresh: f64, counts: &[usize]| on_screen(refresh, counts);
        assert!(beats(10.2, &[0, 16, 984]).shows(Pace::Beat, 1.0));
        assert!(
            !beats(10.2, &[0, 15, 985]).shows(Pace::Beat, 1.0),
            "too few uneven frames"
        );
        // 0.3 % of two refreshes.
        assert!(beats(10.031, &[0, 100, 900]).shows(Pace::Beat, 1.0));
        assert!(!beats(10.029, &[0, 100, 900]).shows(Pace::Beat, 1.0));
        assert!(beats(10.029, &[0, 100, 900]).shows(Pace::Beat, 0.7));
        // Six standard errors: 1.6 × 3 % / √1000 of two refreshes each.
        let noisy = |refresh: f64| {
            let of = beats(refresh, &[0, 100, 900]);
            Evidence {
                frames: Baseline {
                    deviation: 0.03,
                    ..of.frames
                },
                ..of
            }
        };
        assert!(noisy(10.095).shows(Pace::Beat, 1.0));
        assert!(!noisy(10.088).shows(Pace::Beat, 1.0));
        let waits = Evidence {
            waits: true,
            ..beats(10.2, &[0, 100, 900])
        };
        assert!(!waits.shows(Pace::Beat, 1.0));
    }

    /// The metrics of a recording of this many seconds, with hitches of 100 ms that end at these times.
    fn metrics(seconds: f64, hitches: &[f64]) -> Metrics {
        let frames = vec![Duration::from_millis(20); 100];
        let of_frames = SwapChain::new(SwapChainName::default(), frames, Vec::new()).metrics();
        let hitch = |at_s: &f64| Hitch {
            at_s: *at_s,
            ms: 100.0,
            of: HitchOf::Frame,
        };
        Metrics {
            seconds,
            hitches: hitches.iter().map(hitch).collect(),
            ..of_frames
        }
    }

    fn recording<'m>(whole: Evidence, metrics: &'m Metrics, samples: &'m [Sample]) -> Recording<'m> {
        Recording {
            whole,
            halves: [None, None],
            middle: metrics.seconds / 2.0,
            is_composed: false,
            metrics,
            samples,
        }
    }

    /// A frame of 20 ms that ended at a time in seconds.
    fn sample(at: f64) -> Sample {
        Sample::new(1e3 * at, Some(Duration::from_millis(20)), None, Some(20.0))
    }

    #[test]
    fn events_are_at_the_start_or_the_end_or_together_with_a_change_of_the_present_mode() {
        let mut samples: Vec<Sample> = (1..1_000).map(|n| sample(f64::from(n) / 50.0)).collect();
        let metrics = metrics(20.0, &[]);
        let when = |samples: &[Sample], times: &[f64]| recording(frames(), &metrics, samples).when(times);
        for (times, said) in [
            (&[0.5, 1.0][..], "at the start"),
            (&[1.01], "at 1.01 s"),
            (&[18.99], "at 18.99 s"),
            (&[19.0, 19.5], "at the end"),
            (&[5.0, 5.05], "all within 0.1 s at 5.0 s"),
            (&[5.0, 6.99], "all within 2.0 s at 5.0 s"),
            (&[5.0, 7.0], ""),
            (&[], ""),
        ] {
            assert_eq!(when(&samples, times), said, "{times:?}");
        }
        samples
            .iter_mut()
            .for_each(|sample| sample.is_composed = sample.at > 5_990.0); // from 6 s on
        for (times, is_at_the_change) in [
            (&[5.69][..], false),
            (&[5.71], true),
            (&[6.29], true),
            (&[6.31], false),
            (&[5.8, 6.29], true),
            (&[5.8, 6.31], false),
        ] {
            let said = when(&samples, times);
            assert_eq!(said.contains("present mode"), is_at_the_change, "{times:?}: {said}");
        }
    }

    #[test]
    fn hitches_at_the_ends_do_not_count_and_four_of_five_equal_gaps_are_a_period() {
        for (times, period) in [
            (&[1.0, 3.0, 5.0, 7.0][..], None),
            (&[1.0, 3.0, 5.0, 7.0, 9.0], Some(2.0)),
            (&[1.0, 3.0, 5.0, 7.0, 9.0, 12.0], Some(2.0)),
            (&[1.0, 3.0, 5.0, 7.0, 10.0, 13.0], None),
            (&[1.0, 3.0, 5.19, 7.0, 9.0], Some(2.0)),
        ] {
            let found = super::period(times);
            assert_eq!(found.map(|found| (10.0 * found).round() / 10.0), period, "{times:?}");
        }
        // In both halves there must be two that end later than a second, and earlier than one before the end.
        for (times, said, recur) in [
            (
                &[1.0, 5.0, 19.0][..],
                "3 frames of up to 100 ms, the first at 1.00 s, the last at 19.00 s",
                false,
            ),
            (
                &[1.0, 5.0, 8.0, 19.0],
                "2 frames of up to 100 ms, the first at 5.00 s, the last at 8.00 s",
                false,
            ),
            (
                &[1.01, 5.0, 12.0, 18.99],
                "4 frames of up to 100 ms, the first at 1.01 s, the last at 18.99 s",
                true,
            ),
            (
                &[1.01, 5.0, 9.0, 18.99],
                "4 frames of up to 100 ms, the first at 1.01 s, the last at 18.99 s",
                false,
            ),
            (
                &[2.0, 5.0, 8.0, 12.0, 17.0],
                "5 frames of up to 100 ms, the first at 2.00 s, the last at 17.00 s",
                true,
            ),
        ] {
            let metrics = metrics(20.0, times);
            let (hitches, found) = recording(frames(), &metrics, &[]).hitches(false).unwrap();
            assert_eq!((hitches.evidence.as_str(), found), (said, recur));
        }
        // Of uneven frames only those of more than two and a half medians count: 50 ms, and 100 ms of the next.
        let metrics = metrics(20.0, &[5.0, 8.0]);
        let slower = |median: f64| {
            let even = frames().frames;
            Evidence {
                frames: Baseline { median, ..even },
                ..frames()
            }
        };
        assert!(recording(slower(39.9), &metrics, &[]).hitches(true).is_some());
        assert!(recording(slower(40.1), &metrics, &[]).hitches(true).is_none());
        assert!(recording(slower(40.1), &metrics, &[]).hitches(false).is_some());
        // Stops of the display are compared with the median of the times on the screen.
        let stop = |hitch: &Hitch| Hitch {
            of: HitchOf::Display,
            ..*hitch
        };
        let stops = Metrics {
            hitches: metrics.hitches.iter().map(stop).collect(),
            ..metrics.clone()
        };
        let on_screen = |median: f64| Evidence {
            shown: Some(slower(median).frames),
            ..frames()
        };
        assert!(recording(on_screen(39.9), &stops, &[]).hitches(true).is_some());
        assert!(recording(on_screen(40.1), &stops, &[]).hitches(true).is_none());
        assert!(recording(on_screen(40.1), &metrics, &[]).hitches(true).is_some());
    }

    #[test]
    fn late_frames_that_hitches_account_for_are_no_missed_refreshes() {
        let samples = vec![sample(1.0); 1_000];
        for (late, hitches, are_hitches) in [(6, 3, true), (6, 2, false), (13, 7, true), (14, 7, false)] {
            let metrics = metrics(20.0, &vec![5.0; hitches]);
            let whole = on_screen(10.0, &[0, 0, 1_000 - late, late]);
            let pace = recording(whole, &metrics, &samples).pace();
            assert_eq!(
                pace.is_none(),
                are_hitches,
                "{late} late frames, {hitches} hitches: {pace:?}"
            );
        }
    }

    #[test]
    fn the_part_that_is_busy_limits_the_rate_in_both_halves() {
        let metrics = metrics(20.0, &[]);
        let busy = |cpu: Option<f64>, gpu: Option<f64>| Evidence { cpu, gpu, ..frames() };
        let bound = |whole: &Evidence, half: Option<Evidence>| {
            let mut of = recording(whole.clone(), &metrics, &[]);
            of.halves = [half, None];
            of.bound()
        };
        let kind = |cpu, gpu| bound(&busy(cpu, gpu), None).map(|bound| bound.kind);
        let (by_gpu, by_cpu) = (Some(StutterKind::GpuBound), Some(StutterKind::CpuBound));
        assert_eq!(kind(None, Some(0.91)), by_gpu);
        assert_eq!(kind(Some(0.99), Some(0.91)), by_gpu);
        assert_eq!(kind(Some(0.91), None), by_cpu);
        assert_eq!(kind(Some(0.91), Some(0.79)), by_cpu);
        for none in [
            (None, Some(0.89)),
            (Some(0.89), None),
            (Some(0.91), Some(0.81)),
            (None, None),
        ] {
            assert_eq!(kind(none.0, none.1), None, "{none:?}");
        }
        // A half needs 95 % of the evidence.
        for (whole, half, is_bound) in [
            ((None, Some(0.91)), (None, Some(0.856)), true),
            ((None, Some(0.91)), (None, Some(0.854)), false),
            ((Some(0.91), Some(0.79)), (Some(0.856), Some(0.84)), true),
            ((Some(0.91), Some(0.79)), (Some(0.854), Some(0.84)), false),
            ((Some(0.91), Some(0.79)), (Some(0.856), Some(0.845)), false),
        ] {
            let found = bound(&busy(whole.0, whole.1), Some(busy(half.0, half.1)));
            assert_eq!(found.is_some(), is_bound, "{whole:?}, {half:?}");
        }
        let held = Evidence {
            held: Some(50.0),
            ..busy(Some(0.95), None)
        };
        assert!(bound(&held, None).is_none(), "the limiter's sleep");
    }

    #[test]
    fn evidence_has_the_numbers_of_the_frames() {
        let metrics = metrics(20.0, &[7.0]);
        let tell = |of: Evidence, pace| recording(of, &metrics, &[]).tell(pace, String::new()).evidence;
        let never = Evidence { never: 0.2, ..frames() };
        let said = "20 % of 50.0 frames a second are never displayed; the display shows 40.0";
        assert_eq!(tell(never, Pace::Never), said);
        let said = "4 of 1000 frames were on the screen for more than 2 refreshes, 20.00 ms, \
                    on a display whose rate is not known, in multiples of 10.00 ms,";
        assert_eq!(tell(on_screen(10.0, &[0, 0, 996, 4]), Pace::Missed), said);
        let pairs = Evidence {
            pairs: Some((6.0, 10.0)),
            ..frames()
        };
        let said =
            "frames of 6.00 and 10.00 ms in turn, 62.5 pairs a second: generated frames, or two presents a frame";
        assert_eq!(tell(pairs, Pace::Pairs), said);
        let unseen = Evidence {
            never: 0.45,
            ..frames()
        };
        let said = "45 % of 50.0 presents a second are never displayed, and the two of a pair differ: generation, or a recorder that \
                    misses presents";
        assert_eq!(tell(unseen, Pace::UnseenPairs), said);
        let said = "frames at 50.00 Hz on a display at 98.04 Hz: 1.96 uneven frames a second";
        assert_eq!(tell(on_screen(10.2, &[0, 100, 900]), Pace::Beat), said);
        let said = "frames are within 3.6 % of 20.00 ms on average, but on the screen for times that are off by 20 %; the display's rate \
                    is not known";
        assert_eq!(tell(deviating(0.2, 0.036), Pace::Unpaced), said);
        let said = "the display is even to 1.0 %, the deltas vary by 5.0 %";
        assert_eq!(tell(deviating(0.01, 0.05), Pace::Jitter), said);
        let said = "frame times are off 20.00 ms by 12 % on average, times on the screen by 3 %";
        assert_eq!(tell(deviating(0.03, 0.12), Pace::Varies), said);
        for (in_turn, says_so) in [(0.9, false), (0.91, true)] {
            let of = Evidence {
                in_turn,
                ..on_screen(10.0, &[0, 500, 0, 500])
            };
            let said = tell(of, Pace::Cadence);
            assert!(
                said.contains("for 1 refresh (50 %)") && said.contains("3 refreshes (50 %)"),
                "{said}"
            );
            assert_eq!(said.contains(", in turn"), says_so, "{said}");
        }
        let half = |median: f64| {
            let of = frames().frames;
            Some(Evidence {
                frames: Baseline { median, ..of },
                ..frames()
            })
        };
        let mut samples: Vec<Sample> = (1..1_000).map(|n| sample(f64::from(n) / 50.0)).collect();
        samples[349].interval = 26.1;
        samples[350].interval = 25.9;
        samples[360].interval = 13.9;
        let mut of = recording(frames(), &metrics, &samples);
        let even = "frames are within 0.0 % of 20.00 ms on average, times on the screen within 0.0 %";
        let events = ", but for 2 of 999 in one event, all within 0.2 s at 7.0 s; the longest hitch 100 ms, at 7.00 s";
        assert_eq!(of.even().evidence, format!("{even}{events}"));
        for (one, other, said) in [
            (20.0, 18.6, "; 50.0 fps in the first half and 53.8 in the second"),
            (20.0, 18.8, ""),
            (18.8, 20.0, ""),
            (18.5, 20.0, "; 54.1 fps in the first half and 50.0 in the second"),
        ] {
            of.halves = [half(one), half(other)];
            assert_eq!(of.even().evidence, format!("{even}{said}{events}"));
        }
    }

    #[test]
    fn a_cure_does_not_contradict_the_file() {
        let metrics = metrics(20.0, &[]);
        let synced = |is_synced: bool| Evidence {
            is_synced: Some(is_synced),
            ..frames()
        };
        let late = |slow: f64| Evidence {
            slow,
            ..on_screen(10.0, &[0, 0, 996, 4])
        };
        let limited = Evidence {
            held: Some(50.0),
            ..frames()
        };
        let tears = Evidence {
            tears: Some(true),
            ..deviating(0.2, 0.036)
        };
        for (pace, of, cure) in [
            (Pace::Generated, frames(), "feed only the program's own"),
            (Pace::Pairs, frames(), "feed only the program's own"),
            (Pace::UnseenPairs, frames(), "if the game generates frames"),
            // Half of the late frames are slow.
            (Pace::Missed, late(0.0019), "no frame is slow"),
            (Pace::Missed, late(0.0021), "do less in the slowest frames"),
            (Pace::Missed, frames(), "do less in the slowest frames"),
            (Pace::Jitter, frames(), "filter the deltas"),
            (Pace::Varies, limited, "the limiter holds the rate but not each frame"),
            (Pace::Varies, frames(), "limit the frame rate to what"),
            (Pace::Never, synced(true), "present once a refresh"),
            (Pace::Never, synced(false), "limit the frame rate to a little below"),
            (Pace::Never, frames(), "limit the frame rate to a little below"),
            (Pace::Beat, synced(true), "limit the frame rate to the display's"),
            (Pace::Beat, synced(false), "wait for the display"),
            (Pace::Cadence, synced(true), "the program waits for the display already"),
            (Pace::Cadence, synced(false), "wait for the display"),
            (Pace::Unpaced, synced(true), "the program waits for the display already"),
            (Pace::Unpaced, deviating(0.2, 0.034), "the frames are even already"),
            (Pace::Unpaced, tears, "pace the presents, not only the loop: a limiter"),
            (
                Pace::Unpaced,
                deviating(0.2, 0.036),
                "pace the presents, not only the loop, at a rate",
            ),
        ] {
            let said = recording(of.clone(), &metrics, &[]).cure(pace);
            assert!(said.starts_with(cure), "{pace:?}, {:?}: {said}", of.is_synced);
        }
    }

    #[test]
    fn of_levels_each_kind_is_told_once_with_the_longest_that_has_it_and_even_ones_are_not() {
        let metrics = metrics(20.0, &[]);
        let (mut samples, mut at) = (Vec::new(), 0.0);
        let uneven = [8.0, 11.0, 9.5, 12.0, 7.5, 10.5, 12.5, 9.0];
        for (times, count) in [([20.0; 8], 200), (uneven.map(|ms| 4.0 * ms), 200), (uneven, 1_000)] {
            for ms in times.into_iter().cycle().take(count) {
                at += ms;
                samples.push(Sample::new(at, Some(Duration::from_secs_f64(ms / 1e3)), None, None));
            }
        }
        let told = recording(frames(), &metrics, &[]).diagnose_levels(&samples, &[0..200, 200..400, 400..1_400]);
        let [one] = &told[..] else { panic!("{told:?}") };
        assert_eq!(one.kind, StutterKind::UnevenFrames);
        let of_the_longest = ", from 12.00 to 22.00 s, at 100.0 fps";
        assert!(one.evidence.ends_with(of_the_longest), "{one:?}");
    }
}
