//! The kinds of stutter of a swap chain: the account says whether it is even and why not, the file states or its times show the cause.

use crate::measure::account::{Of, UnevenKind, UnevenPart, Unevenness};
use crate::measure::diagnosis::{Diagnosis, StutterKind};
use crate::measure::evidence::{Evidence, inner, settled};
use crate::measure::levels::levels;
use crate::measure::metrics::Metrics;
use crate::measure::multiples_fit::{Baseline, MultiplesFit};
use crate::measure::running_metrics::RunningMetrics;
use crate::measure::samples::Sample;
use crate::measure::thresholds::{
    BOUND, CADENCE, CERTAIN, END_S, ENOUGH, EVEN_DISPLAY, FEWEST_BUSY, GENERATED, HITCH_MEDIANS, IN_TURN, JITTERY,
    MORE_THAN_FRAMES, MOSTLY, NEARLY_ALL, NEVER, OTHER_RATE, SECOND_SHARE, SEEN, SLOW, WHOLE,
};
use crate::read::present::LateBy;

/// The account of a swap chain, none of too few frames, and its kinds of stutter.
pub(crate) struct Verdict {
    pub(crate) account: Option<Unevenness>,
    pub(crate) diagnosis: Vec<Diagnosis>,
}

impl RunningMetrics {
    pub(crate) fn verdict(&self, metrics: &Metrics) -> Verdict {
        let all = self.samples();
        let inner = inner(all);
        let settled = settled(inner);
        let (pictures, settled, whole) = match Evidence::of(&settled) {
            Some(whole) => (inner, settled, Some(whole)),
            None => (all, all.to_vec(), Evidence::of(all)),
        };
        let account = |of: &Evidence| Unevenness::of(Of::Display, pictures, of.refresh());
        let Some((whole, account)) = whole.and_then(|whole| account(&whole).map(|account| (whole, account))) else {
            return Verdict {
                account: None,
                diagnosis: vec![few(metrics)],
            };
        };
        let recording = Recording {
            account: &account,
            frames: Unevenness::of(Of::Program, pictures, None),
            whole,
            metrics,
            samples: all,
        };
        Verdict {
            diagnosis: recording.diagnose(&settled),
            account: Some(account),
        }
    }
}

impl Diagnosis {
    fn new(kind: StutterKind, evidence: String, cure: &'static str) -> Self {
        Self {
            kind,
            evidence,
            cure,
            refresh_hz: None,
        }
    }
}

/// What a recording of few frames states itself.
fn few(metrics: &Metrics) -> Diagnosis {
    let frames = metrics.frames;
    if metrics.generated >= frames.div_ceil(10).max(1) {
        Diagnosis::new(StutterKind::FrameGeneration, generated(metrics), OWN_FRAMES)
    } else if frames >= FEWEST_BUSY && metrics.gpu_bound_pct.is_some_and(|share| share >= 100.0 * NEARLY_ALL) {
        let evidence = format!("the GPU is busy for nearly all of each of {frames} frames");
        Diagnosis::new(StutterKind::GpuBound, evidence, DRAW_LESS)
    } else {
        let evidence = format!("{frames} frames are too few to tell; {ENOUGH} are needed");
        let cure = "make a longer recording that states when frames were displayed";
        Diagnosis::new(StutterKind::Unknown, evidence, cure)
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

/// A recording with its account; `frames` is the account of the program's frames, `samples` are all of them.
struct Recording<'m> {
    account: &'m Unevenness,
    frames: Option<Unevenness>,
    whole: Evidence,
    metrics: &'m Metrics,
    samples: &'m [Sample],
}

impl Recording<'_> {
    /// The kinds of stutter, those of the most time first; what limits the rate before uneven frames, its consequence.
    fn diagnose(&self, settled: &[Sample]) -> Vec<Diagnosis> {
        let ranges = levels(settled);
        let levels = ranges
            .iter()
            .filter_map(|range| Level::of(&settled[range.clone()], self.metrics));
        let levels: Vec<Level> = levels.collect();
        let told = |level: &Level, mut one: Diagnosis| {
            if ranges.len() > 1 {
                one.evidence += &format!(
                    ", from {:.2} to {:.2} s, at {:.1} fps",
                    level.from,
                    level.to,
                    level.fps()
                );
            }
            one
        };
        let steady = levels.iter().filter_map(|level| {
            let (pct, one) = level.steady()?;
            Some((pct * (level.to - level.from), told(level, one)))
        });
        let mut found: Vec<(f64, Diagnosis)> = steady.collect();
        let bound = levels.iter().find_map(|level| Some(told(level, level.bound()?)));
        let hitches = self.hitches();
        if found.is_empty() && bound.is_none() && self.is_even() {
            found.push((f64::INFINITY, self.even(if ranges.len() > 1 { &levels } else { &[] })));
        } else if found.is_empty() && hitches.is_none() && !self.account.is_even() {
            found.push((0.0, self.elsewhere()));
        }
        found.extend(hitches.map(|(pct, one)| (pct * self.metrics.seconds, one)));
        found.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let mut diagnosis: Vec<Diagnosis> = Vec::new();
        for (_, one) in found {
            if diagnosis.iter().all(|other| other.kind != one.kind) {
                diagnosis.push(one);
            }
        }
        let is_consequence = diagnosis
            .first()
            .is_none_or(|first| first.kind == StutterKind::UnevenFrames);
        if let Some(bound) = bound {
            diagnosis.insert(usize::from(!is_consequence), bound);
        }
        diagnosis
    }

    fn is_even(&self) -> bool {
        self.account.is_even() && self.frames.as_ref().is_none_or(Unevenness::has_few_events)
    }

    /// The stops and hitches of pictures, or else of the program's frames, with their share of the time.
    fn hitches(&self) -> Option<(f64, Diagnosis)> {
        let even_frames = self.frames.as_ref().filter(|frames| frames.steady().is_none());
        let of_frames = self.frames.as_ref().and_then(Unevenness::events);
        // What the display does not show is told if it is much longer, or if nothing else is wrong.
        let is_much_longer = |part: &&UnevenPart| part.longest_ms > HITCH_MEDIANS * self.whole.frames.median;
        let hidden = even_frames.and_then(Unevenness::events);
        let hidden = hidden.filter(|part| self.account.is_even() || is_much_longer(part));
        let part = self.account.events().or(hidden)?;
        let what = match (part.kind, of_frames) {
            (_, None) => "stops of the display",
            (UnevenKind::Stops, _) => "stops",
            _ => "frames",
        };
        let when = match part.period_s {
            Some(period) => format!("one every {period:.2} s from {:.2} s on", part.first_s),
            None => match self.when((part.first_s, part.last_s)) {
                when if when.is_empty() => {
                    format!("the first at {:.2} s, the last at {:.2} s", part.first_s, part.last_s)
                }
                when => when,
            },
        };
        let (count, longest, stated) = (part.count, part.longest_ms, self.stated());
        let cure = match part.period_s {
            Some(_) => {
                "no setting cures it: look for what runs that often (saving, garbage, streaming); Overrun::Stretch makes up for it evenly"
            }
            None => "no setting cures it: FixedTimestep::with_max_delta bounds how much of one is simulated",
        };
        let evidence = format!("{count} {what} of up to {longest:.0} ms, {when}{stated}");
        Some((part.pct, Diagnosis::new(StutterKind::Hitches, evidence, cure)))
    }

    /// What the file states of the cause of late frames.
    fn stated(&self) -> String {
        let causes = [
            (LateBy::Program, "the program"),
            (LateBy::Compositor, "the compositor or the display"),
            (LateBy::Queue, "a frame before or an unknown cause"),
        ];
        let told = causes.into_iter().filter_map(|(cause, name)| {
            let count = self
                .samples
                .iter()
                .filter(|sample| sample.late_by == Some(cause))
                .count();
            (count > 0).then(|| format!("{count} by {name}"))
        });
        let told: Vec<String> = told.collect();
        match (told.as_slice(), self.whole.cpu.or(self.whole.gpu)) {
            ([], Some(_)) => String::new(),
            ([], None) => "; what took long was not recorded: the file states no busy times".to_owned(),
            (told, _) => format!("; by Android, frames are late {}", told.join(", ")),
        }
    }

    /// Pictures that are off where no level shows it: between levels, or while they came to the screen by another way than most.
    fn elsewhere(&self) -> Diagnosis {
        let account = self.account;
        let composed = self.samples.iter().filter(|sample| sample.is_composed).count();
        let is_mixed = composed > 0 && composed < self.samples.len();
        let (kind, cure) = match (self.whole.shown, is_mixed) {
            (None, _) => (StutterKind::UnevenFrames, "find the work that varies"),
            (_, true) => (
                StutterKind::UnevenDisplay,
                "keep the game in one present mode: the desktop's compositor shows it for a part of the time",
            ),
            _ => (StutterKind::UnevenDisplay, PACE_PRESENTS),
        };
        let when = match account.off_at.map(|at| self.when(at)) {
            Some(when) if !when.is_empty() => format!(", {when}"),
            _ => String::new(),
        };
        Diagnosis::new(
            kind,
            format!("{} of {} pictures are off{when}", account.off, account.pictures),
            cure,
        )
    }

    /// Even frames, with what holds their rate, and what is off at the ends or too rare to be a fault.
    fn even(&self, levels: &[Level]) -> Diagnosis {
        let of = &self.whole;
        let (median, off) = (of.frames.median, 100.0 * of.frames.deviation);
        let within = if levels.is_empty() {
            format!("frames are within {off:.1} % of {median:.2} ms on average")
        } else {
            let rates = levels
                .iter()
                .map(|level| format!("{:.1} fps until {:.2} s", level.fps(), level.to));
            let off = levels
                .iter()
                .map(|level| 100.0 * level.of.frames.deviation)
                .fold(0.0, f64::max);
            let rates = rates.collect::<Vec<_>>().join(", ");
            let count = levels.len();
            format!("{count} levels, each even: {rates}; frames are within {off:.1} % of their level on average")
        };
        let mut evidence = match of.held {
            Some(held) if levels.is_empty() => format!("limited at {held:.2} fps by {}: {within}", of.holder()),
            _ => within,
        };
        if levels.is_empty() && of.frames.deviation > SEEN {
            let mut times: Vec<f64> = self.samples.iter().map(|sample| f64::from(sample.delta)).collect();
            times.retain(|time| *time > 0.0);
            times.sort_by(f64::total_cmp);
            let fps = |share: usize| times.get(times.len() * share / 100).map_or(0.0, |time| 1e3 / time);
            evidence += &format!(", at a speed that changes between {:.0} and {:.0} fps", fps(95), fps(5));
        }
        evidence += &match of.shown {
            Some(_) => format!(
                ", times on the screen within {:.1} % of those around",
                100.0 * self.account.deviation
            ),
            None => "; the file does not state when they were displayed".to_owned(),
        };
        if let Some(all) = Unevenness::of(Of::Display, self.samples, of.refresh())
            && let Some(at) = all.off_at
        {
            let when = self.when(at);
            let comma = if when.is_empty() { "" } else { ", " };
            evidence += &format!(", but for {} of {}{comma}{when}", all.off, all.pictures);
        }
        let hitches = self.metrics.hitches.iter();
        if let Some(hitch) = hitches.max_by(|one, other| one.ms.total_cmp(&other.ms)) {
            evidence += &format!(
                "; the longest hitch {:.0} ms, {}",
                hitch.ms,
                self.when((hitch.at_s, hitch.at_s))
            );
        }
        Diagnosis::new(StutterKind::Even, evidence, "nothing to cure")
    }

    /// When events happened, from the first to the last, in seconds, if all of them close to each other.
    fn when(&self, (first, last): (f64, f64)) -> String {
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
            _ if last <= end => format!("at the start{change}"),
            _ if first >= seconds - end => "at the end".to_owned(),
            0.0 => format!("at {first:.2} s{change}"),
            span if span < 0.1 * seconds => format!("all within {:.1} s at {first:.1} s{change}", span.max(0.1)),
            _ => String::new(),
        }
    }
}

/// Frames at one speed, with the accounts of their pictures and of themselves.
struct Level<'m> {
    of: Evidence,
    pictures: Unevenness,
    frames: Unevenness,
    /// When they begin and end, in seconds.
    from: f64,
    to: f64,
    metrics: &'m Metrics,
}

impl<'m> Level<'m> {
    fn of(part: &[Sample], metrics: &'m Metrics) -> Option<Self> {
        let of = Evidence::of(part)?;
        let (first, last) = (part.first()?, part.last()?);
        Some(Self {
            pictures: Unevenness::of(Of::Display, part, of.refresh())?,
            frames: Unevenness::of(Of::Program, part, None)?,
            of,
            from: (first.at - f64::from(first.delta).max(0.0)) / 1e3,
            to: last.at / 1e3,
            metrics,
        })
    }

    fn fps(&self) -> f64 {
        1e3 / self.of.frames.mean
    }

    fn is_display_even(&self) -> bool {
        let (share, least) = EVEN_DISPLAY;
        let is_even = |shown: Baseline| self.pictures.deviation <= f64::max(share, least / shown.median);
        self.of.shown.is_some_and(is_even)
    }

    /// What is wrong with the pace throughout, with its share of the time. What the file states comes first.
    fn steady(&self) -> Option<(f64, Diagnosis)> {
        let of = &self.of;
        let is_display_even = self.is_display_even();
        if of.generated >= GENERATED {
            let found = Diagnosis::new(StutterKind::FrameGeneration, generated(self.metrics), OWN_FRAMES);
            return Some((f64::INFINITY, found));
        }
        if of.never >= if is_display_even { NEVER.1 } else { NEVER.0 } {
            return Some((f64::INFINITY, self.never()));
        }
        let Some(part) = self.pictures.steady() else {
            let is_less = self.frames.deviation >= MORE_THAN_FRAMES * self.pictures.deviation;
            let is_off = of.shown.is_some() && is_less && self.frames.deviation >= JITTERY;
            return is_off.then(|| (0.0, self.jitter()));
        };
        // Frames that are a multiple shorter, too, have missed no refresh.
        let is_missed = |own: &MultiplesFit| own.around(own.common()).0 < SECOND_SHARE;
        let mut found = match part.kind {
            UnevenKind::Refreshes if of.own_multiples.as_ref().is_none_or(is_missed) => self.on_refreshes(part),
            _ => self.off_refreshes(part),
        };
        // Where nearly all of it is in one half of the recording.
        let (early, middle) = (part.early_pct / part.pct, (self.from + self.to) / 2.0);
        if early >= MOSTLY {
            found.evidence += &format!(", only before {middle:.1} s");
        } else if early <= 1.0 - MOSTLY {
            found.evidence += &format!(", only after {middle:.1} s");
        }
        Some((part.pct, found))
    }

    fn never(&self) -> Diagnosis {
        let (never, rate) = (self.of.never, self.fps());
        let evidence = format!(
            "{:.0} % of {rate:.1} frames a second are never displayed; the display shows {:.1}",
            100.0 * never,
            rate * (1.0 - never)
        );
        let cure = if self.of.is_synced == Some(true) {
            "present once a refresh: limit the frame rate to a little below the display's"
        } else {
            "limit the frame rate to a little below the display's, or wait for the display (vertical sync)"
        };
        Diagnosis::new(StutterKind::UnevenDisplay, evidence, cure)
    }

    /// Deltas are off although the display is even.
    fn jitter(&self) -> Diagnosis {
        let (shown, off) = (100.0 * self.pictures.deviation, 100.0 * self.frames.deviation);
        let deltas = match self.of.is_start_known {
            true => "deltas",
            false => "times between presents, which stand for the deltas,",
        };
        let evidence = format!("the display is even to {shown:.1} %, the {deltas} vary by {off:.1} %");
        Diagnosis::new(
            StutterKind::UnevenFrames,
            evidence,
            "filter the deltas: FrameClock::new() does",
        )
    }

    /// Pictures are off by whole refreshes: the frame rate is not the display's, or frames are shown early and late, or they are late.
    fn on_refreshes(&self, part: &UnevenPart) -> Diagnosis {
        let of = &self.of;
        let Some(display) = &of.display else {
            return self.missed_by_frames(part);
        };
        let (refreshes, expected) = (of.refreshes(display), of.expected(display));
        // A rate that is not certain is not named.
        let hertz = display.is_named(refreshes).then_some(1e3 / display.refresh);
        let on_display = match hertz {
            Some(hertz) => format!("on a display at {hertz:.2} Hz"),
            None => format!(
                "on a display whose rate is not known, in multiples of {:.2} ms,",
                display.refresh
            ),
        };
        let (early, late) = display.around(expected.unwrap_or(display.common()));
        let found = if of.beats(display) {
            let (hertz, own) = (1e3 / display.refresh, 1e3 / of.frames.median * of.each);
            let beats = (own * (hertz / own).round().max(1.0) - hertz).abs();
            let evidence = format!("frames at {own:.2} Hz {on_display}: {beats:.2} uneven frames a second");
            let cure = match of.is_synced {
                Some(true) => {
                    "limit the frame rate to the display's or to a whole part of it, or not at all: vertical sync alone holds it"
                }
                _ => WAIT_FOR_DISPLAY,
            };
            Diagnosis::new(StutterKind::UnevenDisplay, evidence, cure)
        } else if early.min(late) >= CADENCE || (expected.is_some() && late >= 0.5) {
            let each = shares(display);
            let in_turn = if of.in_turn > IN_TURN && each.len() == 2 {
                ", in turn"
            } else {
                ""
            };
            let (median, each) = (of.frames.median, each.join(" and "));
            let evidence = format!(
                "frames of {median:.2} ms are {on_display} for {each}{in_turn}{}",
                self.although()
            );
            let cure = if of.is_synced == Some(true) {
                LATE_ON_ITS_WAY
            } else {
                WAIT_FOR_DISPLAY
            };
            Diagnosis::new(StutterKind::UnevenDisplay, evidence, cure)
        } else {
            let expected = expected.unwrap_or(display.common());
            let time = expected as f64 * display.refresh;
            let time = match expected {
                1 => format!("one refresh of {time:.2} ms"),
                several => format!("{several} refreshes, {time:.2} ms"),
            };
            let (count, total) = ((late * display.total() as f64).round(), display.total());
            let evidence = format!("{count} of {total} frames were on the screen for more than {time}, {on_display}");
            // Whether the display shows frames late although the program makes them in time.
            let cure = if of.slow < SLOW * late {
                LATE_ON_ITS_WAY
            } else {
                DO_LESS
            };
            Diagnosis::new(StutterKind::MissedRefreshes, evidence, cure)
        };
        Diagnosis {
            refresh_hz: hertz,
            ..found
        }
    }

    /// Without display times, frames that take multiples of one interval.
    fn missed_by_frames(&self, part: &UnevenPart) -> Diagnosis {
        let (count, total) = (part.count, self.pictures.pictures);
        let interval = self.of.refresh().unwrap_or_default();
        let evidence = format!(
            "{count} of {total} frames took longer or shorter by multiples of {interval:.2} ms, as if they had missed a refresh; the display's \
             rate is not known"
        );
        Diagnosis::new(StutterKind::MissedRefreshes, evidence, DO_LESS)
    }

    /// Times are off, by no refreshes that are known: because of the display, or because frames vary.
    fn off_refreshes(&self, part: &UnevenPart) -> Diagnosis {
        let of = &self.of;
        let (median, off, shown) = (
            of.frames.median,
            100.0 * self.frames.deviation,
            100.0 * self.pictures.deviation,
        );
        let by = format!(", {} of {} by over 3 ms", self.pictures.off, self.pictures.pictures);
        if of.shown.is_some() && shown >= MORE_THAN_FRAMES * off {
            let evidence = format!(
                "frames are within {off:.1} % of those around on average, but on the screen for times that are off by {shown:.1} %{by}; the \
                 display's rate is not known"
            );
            let cure = match (of.is_synced, of.tears) {
                (Some(true), _) => LATE_ON_ITS_WAY,
                _ if self.frames.deviation < JITTERY => {
                    "the frames are even already: look for what delays or doubles them on their way (the driver's frame generation or pacing, \
                     an overlay, a compositor)"
                }
                (_, Some(true)) => "pace the presents, not only the loop: a limiter at a steady rate, or vertical sync",
                _ => PACE_PRESENTS,
            };
            return Diagnosis::new(StutterKind::UnevenDisplay, evidence, cure);
        }
        if part.kind == UnevenKind::Pairs {
            let (short, long) = of.short_and_long;
            let evidence = format!(
                "frames of {short:.2} and {long:.2} ms in turn, {:.1} pairs a second: every second frame does more, such as a step, or is \
                 generated, which the file does not state",
                1e3 / (short + long)
            );
            let cure = "spread what every second frame does over all, or limit the frame rate to the longer ones; PresentMon 2 tells generated \
                        frames (FrameType)";
            return Diagnosis::new(StutterKind::UnevenFrames, evidence, cure);
        }
        let on_screen = of
            .shown
            .map_or_else(String::new, |_| format!(", times on the screen by {shown:.1} %"));
        let evidence = format!(
            "frame times are off {median:.2} ms by {off:.1} % on average{on_screen}{by}{}",
            self.although()
        );
        let cure = match of.held {
            Some(_) => {
                "the limiter holds the rate but not each frame: use another limiter, or pace frames by their presentation"
            }
            _ if of.gpu.is_some_and(|gpu| gpu > BOUND) => {
                "find the work of the graphics card that varies; a frame rate that the slowest frames reach is even, too"
            }
            _ if of.is_synced == Some(true) => "find the work that varies: the program waits for the display already",
            _ => "limit the frame rate to what the slowest frames reach, or find the work that varies",
        };
        Diagnosis::new(StutterKind::UnevenFrames, evidence, cure)
    }

    fn although(&self) -> String {
        let holder = self.of.holder();
        self.of
            .held
            .map_or_else(String::new, |held| format!(", although {holder} holds {held:.2} fps"))
    }

    /// What limits the frame rate, if the file states it.
    fn bound(&self) -> Option<Diagnosis> {
        let of = &self.of;
        let share = |share: Option<f64>| format!("{:.0} % of the median frame", 100.0 * share.unwrap_or_default());
        // A program that sleeps in its own limiter counts as busy, and one that the display holds may sleep.
        let is_held = of.held.is_some() || (self.is_display_even() && of.is_synced == Some(true));
        if of.gpu.is_some_and(|gpu| gpu > BOUND) {
            let evidence = format!("the GPU is busy for {}", share(of.gpu));
            Some(Diagnosis::new(StutterKind::GpuBound, evidence, DRAW_LESS))
        } else if of.cpu.is_some_and(|cpu| cpu > BOUND) && of.gpu.is_none_or(|gpu| gpu < 0.8) && !is_held {
            let evidence = format!("the program works for {}", share(of.cpu));
            let cure =
                "move the simulation to a thread of its own (SimThread), or step it at a lower Rate and interpolate";
            Some(Diagnosis::new(StutterKind::CpuBound, evidence, cure))
        } else {
            None
        }
    }
}

const DO_LESS: &str =
    "do less in the slowest frames: a lower Rate with Smoothing::Interpolate, or FixedTimestep::with_max_steps";
const LATE_ON_ITS_WAY: &str = "no frame is slow: look for what delays frames on their way (a compositor, an overlay, a second display), or \
                               present them earlier in each refresh";
const PACE_PRESENTS: &str = "pace the presents, not only the loop, at a rate a little below the display's";
const WAIT_FOR_DISPLAY: &str = "wait for the display (vertical sync) with an interval of whole refreshes; fixed steps with Smoothing::Interpolate then come out even";

/// Each number of refreshes with the share of times that take it, but rare ones.
fn shares(display: &MultiplesFit) -> Vec<String> {
    let total = display.total() as f64;
    let each = display.multiples.iter().enumerate();
    each.map(|(refreshes, count)| (refreshes, *count as f64 / total))
        .filter(|(_, share)| *share >= 0.01)
        .map(|(refreshes, share)| {
            let plural = if refreshes == 1 { "" } else { "es" };
            format!("{refreshes} refresh{plural} ({:.0} %)", 100.0 * share)
        })
        .collect()
}

impl Evidence {
    /// How many refreshes each frame should be displayed for: as many as it takes, if frames are even.
    fn expected(&self, display: &MultiplesFit) -> Option<usize> {
        let refreshes = self.refreshes(display);
        let is_whole = (refreshes - refreshes.round()).abs() < WHOLE * refreshes && refreshes > 0.5;
        (is_whole && self.frames.deviation < SEEN).then_some(refreshes.round() as usize)
    }

    /// Whether frames come at a rate that is surely another than the display's, and the display shows it.
    fn beats(&self, display: &MultiplesFit) -> bool {
        let refreshes = self.refreshes(display);
        let whole = refreshes.round().max(1.0);
        let off = (refreshes - whole).abs();
        let (early, late) = display.around(display.common());
        let least = (OTHER_RATE * whole).max(CERTAIN * self.frames.standard_error() * refreshes);
        !self.waits && off > least && early + late > 0.4 * off
    }

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
            short_and_long: (20.0, 20.0),
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

    /// Frames of 20 ms, at these indices longer by 20 ms on the screen.
    fn samples(late: &[usize]) -> Vec<Sample> {
        let time = |n| if late.contains(&n) { 40.0 } else { 20.0 };
        let sample = |n: usize| Sample::new(20.0 * n as f64, Some(Duration::from_millis(20)), None, Some(time(n)));
        (1..1_001).map(sample).collect()
    }

    fn metrics() -> Metrics {
        SwapChain::new(
            SwapChainName::default(),
            vec![Duration::from_millis(20); 1_000],
            Vec::new(),
        )
        .metrics()
    }

    /// A level whose pictures and frames deviate by these shares, with pictures at these indices a refresh of 20 ms too long.
    fn level<'m>(of: &Evidence, (shown, off): (f64, f64), late: &[usize], metrics: &'m Metrics) -> Level<'m> {
        let samples = samples(late);
        let account = |of, refresh| Unevenness::of(of, &samples, refresh).unwrap();
        Level {
            pictures: Unevenness {
                deviation: shown,
                ..account(Of::Display, of.display.as_ref().map(|_| 20.0))
            },
            frames: Unevenness {
                deviation: off,
                ..account(Of::Program, None)
            },
            of: of.clone(),
            from: 0.0,
            to: 20.0,
            metrics,
        }
    }

    #[test]
    fn frames_beat_if_their_rate_is_surely_another_and_the_display_shows_it() {
        let beats = |refresh: f64, counts: &[usize], change: &dyn Fn(&mut Evidence)| {
            let mut of = on_screen(refresh, counts);
            change(&mut of);
            of.beats(of.display.as_ref().unwrap())
        };
        // 20 ms at 10.2 ms: 0.0392 of two refreshes off, of which 0.4 are 0.0157.
        assert!(beats(10.2, &[0, 16, 984], &|_| {}));
        assert!(!beats(10.2, &[0, 15, 985], &|_| {}), "too few uneven frames");
        // 0.3 % of two refreshes.
        assert!(beats(10.031, &[0, 100, 900], &|_| {}));
        assert!(!beats(10.029, &[0, 100, 900], &|_| {}));
        // Six standard errors: 1.6 × 3 % / √1000 of two refreshes each.
        assert!(beats(10.095, &[0, 100, 900], &|of| of.frames.deviation = 0.03));
        assert!(!beats(10.088, &[0, 100, 900], &|of| of.frames.deviation = 0.03));
        assert!(!beats(10.2, &[0, 100, 900], &|of| of.waits = true));
    }

    #[test]
    fn events_are_at_the_start_or_the_end_or_together_with_a_change_of_the_present_mode() {
        let (metrics, mut samples) = (metrics(), samples(&[]));
        let account = Unevenness::of(Of::Display, &samples, None).unwrap();
        let when = |samples: &[Sample], at: (f64, f64)| {
            let recording = Recording {
                account: &account,
                frames: None,
                whole: frames(),
                metrics: &metrics,
                samples,
            };
            recording.when(at)
        };
        for (at, said) in [
            ((0.5, 1.0), "at the start"),
            ((1.01, 1.01), "at 1.01 s"),
            ((18.99, 18.99), "at 18.99 s"),
            ((19.0, 19.5), "at the end"),
            ((5.0, 5.05), "all within 0.1 s at 5.0 s"),
            ((5.0, 6.99), "all within 2.0 s at 5.0 s"),
            ((5.0, 7.0), ""),
        ] {
            assert_eq!(when(&samples, at), said, "{at:?}");
        }
        samples
            .iter_mut()
            .for_each(|sample| sample.is_composed = sample.at > 5_990.0); // from 6 s on
        for (at, is_at_the_change) in [
            ((5.69, 5.69), false),
            ((5.71, 5.71), true),
            ((6.29, 6.29), true),
            ((6.31, 6.31), false),
            ((5.8, 6.29), true),
            ((5.8, 6.31), false),
        ] {
            assert_eq!(when(&samples, at).contains("present mode"), is_at_the_change, "{at:?}");
        }
    }

    #[test]
    fn the_part_that_is_busy_limits_the_rate() {
        let metrics = metrics();
        let bound = |of: &Evidence| level(of, (0.0, 0.0), &[], &metrics).bound().map(|bound| bound.kind);
        let (by_gpu, by_cpu) = (Some(StutterKind::GpuBound), Some(StutterKind::CpuBound));
        for (cpu, gpu, kind) in [
            (None, Some(0.91), by_gpu),
            (Some(0.99), Some(0.91), by_gpu),
            (Some(0.91), None, by_cpu),
            (Some(0.91), Some(0.79), by_cpu),
            (None, Some(0.89), None),
            (Some(0.89), None, None),
            (Some(0.91), Some(0.81), None),
            (None, None, None),
        ] {
            assert_eq!(bound(&Evidence { cpu, gpu, ..frames() }), kind, "{cpu:?}, {gpu:?}");
        }
        let busy = Evidence {
            cpu: Some(0.95),
            ..frames()
        };
        let held = Some(50.0);
        assert!(
            bound(&Evidence { held, ..busy.clone() }).is_none(),
            "the limiter's sleep"
        );
        let is_synced = Some(true);
        assert!(
            bound(&Evidence { is_synced, ..busy }).is_none(),
            "the wait for the display"
        );
    }

    #[test]
    fn a_pace_is_told_from_its_threshold_on_with_its_numbers_and_a_cure_that_the_file_does_not_contradict() {
        let metrics = metrics();
        let late: Vec<usize> = (0..6).map(|n| 100 + 150 * n).collect();
        let all: Vec<usize> = (0..200).map(|n| 5 * n + 2).collect();
        let synced = |is_synced, of: Evidence| Evidence {
            is_synced: Some(is_synced),
            ..of
        };
        let never = |never| Evidence { never, ..frames() };
        let missed = |slow| Evidence {
            slow,
            ..on_screen(20.0, &[0, 994, 6])
        };
        let (two, beat) = (on_screen(10.0, &[0, 0, 996, 4]), on_screen(10.2, &[0, 100, 900]));
        let tears = Evidence {
            tears: Some(true),
            ..frames()
        };
        let held = Evidence {
            held: Some(50.0),
            ..frames()
        };
        // The evidence and its cure begin with these; of nothing that is told, both are empty.
        for (of, off, late, evidence, cure) in [
            (never(0.0149), (0.015, 0.0), &[][..], "", ""),
            (
                never(0.0151),
                (0.015, 0.0),
                &[],
                "2 % of 50.0 frames a second are never displayed; the display shows 49.2",
                "limit",
            ),
            (never(0.0449), (0.016, 0.0), &[], "", ""),
            (
                synced(true, never(0.2)),
                (0.016, 0.0),
                &[],
                "20 % of 50.0 frames a second",
                "present once a refresh",
            ),
            (frames(), (0.015, 0.0349), &[], "", ""),
            (frames(), (0.024, 0.0351), &[], "", ""),
            (
                frames(),
                (0.015, 0.0351),
                &[],
                "the display is even to 1.5 %, the deltas vary by 3.5 %",
                "filter the deltas",
            ),
            (
                missed(0.0),
                (0.0, 0.0),
                &late,
                "6 of 1000 frames were on the screen for more than one refresh of 20.00 ms",
                "no frame is slow",
            ),
            (
                missed(0.0029),
                (0.0, 0.0),
                &late,
                "6 of 1000 frames",
                "no frame is slow",
            ),
            (
                missed(0.0031),
                (0.0, 0.0),
                &late,
                "6 of 1000 frames",
                "do less in the slowest frames",
            ),
            (missed(0.0), (0.0, 0.0), &late[..2], "", ""),
            (
                two,
                (0.0, 0.0),
                &late,
                "4 of 1000 frames were on the screen for more than 2 refreshes, 20.00 ms, on a display whose",
                "no frame",
            ),
            (
                beat.clone(),
                (0.0, 0.0),
                &late,
                "frames at 50.00 Hz on a display at 98.04 Hz: 1.96 uneven frames a second",
                "wait for the",
            ),
            (
                synced(true, beat),
                (0.0, 0.0),
                &late,
                "frames at 50.00 Hz",
                "limit the frame rate to the display's",
            ),
            (
                frames(),
                (0.09, 0.061),
                &all,
                "frame times are off 20.00 ms by 6.1 % on average, times on the screen by 9.0 %",
                "limit the",
            ),
            (
                frames(),
                (0.09, 0.059),
                &all,
                "frames are within 5.9 % of those around on average, but on the screen for times that are",
                "pace the presents, not only the loop, at",
            ),
            (
                frames(),
                (0.09, 0.034),
                &all,
                "frames are within 3.4 %",
                "the frames are even already",
            ),
            (
                synced(true, frames()),
                (0.09, 0.034),
                &all,
                "frames are within 3.4 %",
                "no frame is slow",
            ),
            (
                tears,
                (0.09, 0.036),
                &all,
                "frames are within 3.6 %",
                "pace the presents, not only the loop: a limiter",
            ),
            (
                held,
                (0.09, 0.09),
                &all,
                "frame times are off 20.00 ms by 9.0 %",
                "the limiter holds the rate but not each frame",
            ),
        ] {
            let found = level(&of, off, late, &metrics).steady().map(|(_, found)| found);
            let (told, its_cure) = found
                .as_ref()
                .map_or(("", ""), |found| (found.evidence.as_str(), found.cure));
            assert!(
                told.starts_with(evidence) && its_cure.starts_with(cure),
                "{evidence}: {found:?}"
            );
            assert_eq!(told.is_empty(), evidence.is_empty(), "{evidence}: {found:?}");
        }
    }

    #[test]
    fn a_cadence_needs_a_twentieth_of_early_and_of_late_frames_or_a_half_of_late_ones() {
        let metrics = metrics();
        let late: Vec<usize> = (0..40).map(|n| 25 * n).collect();
        for (counts, kind) in [
            (&[0, 51, 848, 101][..], StutterKind::UnevenDisplay),
            (&[0, 101, 848, 51], StutterKind::UnevenDisplay),
            (&[0, 49, 850, 101], StutterKind::MissedRefreshes),
            (&[0, 0, 500, 500], StutterKind::UnevenDisplay),
            (&[0, 0, 501, 499], StutterKind::MissedRefreshes),
        ] {
            let (_, found) = level(&on_screen(10.0, counts), (0.0, 0.0), &late, &metrics)
                .steady()
                .unwrap();
            assert_eq!(found.kind, kind, "{counts:?}: {found:?}");
        }
        for (in_turn, says_so) in [(0.9, false), (0.91, true)] {
            let of = Evidence {
                in_turn,
                ..on_screen(10.0, &[0, 500, 0, 500])
            };
            let (_, found) = level(&of, (0.0, 0.0), &late, &metrics).steady().unwrap();
            assert!(
                found.evidence.contains("for 1 refresh (50 %) and 3 refreshes (50 %)"),
                "{found:?}"
            );
            assert_eq!(found.evidence.contains(", in turn"), says_so, "{found:?}");
        }
    }
}
