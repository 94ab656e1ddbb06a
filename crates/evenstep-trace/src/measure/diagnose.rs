//! The verdict on a swap chain: the account says whether it is even and why not, the file states or its times show the cause.

use std::ops::Range;

use crate::measure::account::{UnevenKind, UnevenPart, Unevenness};
use crate::measure::diagnosis::{Diagnosis, StutterKind};
use crate::measure::evidence::{Evidence, inner};
use crate::measure::levels::levels;
use crate::measure::metrics::Metrics;
use crate::measure::multiples_fit::{Baseline, MultiplesFit};
use crate::measure::samples::Sample;
use crate::measure::thresholds::{
    BOUND, CADENCE, CERTAIN, ENDS_MS, GENERATED, HITCH_MEDIANS, JITTERY, MIN_FRAMES, MORE_THAN_FRAMES, NEVER_IF_EVEN,
    NEVER_IF_UNEVEN, OTHER_RATE, SECOND_SHARE, SEEN, SLOW, WHOLE,
};
use crate::read::present::LateBy;

/// The account of a swap chain, none of too few frames, and its kinds of stutter.
pub(super) fn verdict(samples: &[Sample], metrics: &Metrics) -> (Option<Unevenness>, Vec<Diagnosis>) {
    let recording = |inner| Recording::new(inner, samples, metrics);
    match recording(inner(samples)).or_else(|| recording(samples)) {
        Some(recording) => (Some(recording.pictures.clone()), recording.diagnose()),
        None => (None, vec![few(metrics)]),
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
        generated(metrics)
    } else {
        let evidence = format!("{frames} frames are too few to tell; {MIN_FRAMES} are needed");
        let cure = "make a longer recording that states when frames were displayed";
        Diagnosis::new(StutterKind::Unknown, evidence, cure)
    }
}

fn generated(metrics: &Metrics) -> Diagnosis {
    let by = match metrics.generated_by.as_slice() {
        [] => String::new(),
        names => format!(" by {}", names.join(", ")),
    };
    let (generated, own) = (metrics.generated, metrics.frames);
    let evidence = format!("{generated} frames were generated{by} beside {own} of the program's own");
    let cure = "feed only the program's own frames to the timestep";
    Diagnosis::new(StutterKind::FrameGeneration, evidence, cure)
}

/// A recording with the accounts of its pictures and of the program's frames.
struct Recording<'m> {
    pictures: Unevenness,
    frames: Unevenness,
    /// The evidence of its longest level.
    longest: Evidence,
    /// The rate of each level in frames a second, and when it ends, in seconds.
    levels: Vec<(f64, f64)>,
    /// When the frames that count begin and end, in seconds.
    inner: (f64, f64),
    metrics: &'m Metrics,
    all: &'m [Sample],
}

impl<'m> Recording<'m> {
    fn new(inner: &[Sample], all: &'m [Sample], metrics: &'m Metrics) -> Option<Self> {
        let at = |sample: &Sample| sample.at / 1e3;
        let ranges = levels(inner);
        let range = ranges.iter().max_by_key(|range| range.len())?;
        let longest = Evidence::collect(&inner[range.clone()])?;
        let level = |range: &Range<usize>| {
            let level = &inner[range.clone()];
            let times: Vec<f64> = level.iter().map(|sample| f64::from(sample.delta)).collect();
            Some((1e3 / Baseline::measure(&times)?.mean, at(level.last()?)))
        };
        Some(Self {
            pictures: Unevenness::measure(inner, longest.time_of_pictures(), longest.refresh())?,
            frames: Unevenness::measure(inner, |sample| sample.delta, None)?,
            levels: ranges.iter().filter_map(level).collect(),
            inner: (inner.first().map(at)?, inner.last().map(at)?),
            longest,
            metrics,
            all,
        })
    }

    /// The kinds of stutter, those of the most time first; what limits the rate before uneven frames, its consequence.
    fn diagnose(&self) -> Vec<Diagnosis> {
        let mut found: Vec<(f64, Diagnosis)> = self.steady().into_iter().chain(self.hitches()).collect();
        found.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let mut diagnosis: Vec<Diagnosis> = found.into_iter().map(|(_, one)| one).collect();
        if let Some(bound) = self.bound() {
            let is_cause = diagnosis
                .first()
                .is_none_or(|first| first.kind == StutterKind::UnevenFrames);
            diagnosis.insert(usize::from(!is_cause), bound);
        }
        if diagnosis.is_empty() {
            diagnosis.push(self.even());
        }
        diagnosis
    }

    /// The stops and hitches of pictures, or else of the program's frames, with their share of the time.
    fn hitches(&self) -> Option<(f64, Diagnosis)> {
        let own = self.frames.events();
        // What the display does not show is named if it is much longer, or if nothing else is wrong.
        let is_reported = |part: &&UnevenPart| {
            self.pictures.is_even() || part.longest_ms > HITCH_MEDIANS * self.longest.frames.median
        };
        let hidden = own.filter(|_| self.frames.steady().is_none()).filter(is_reported);
        let part = self.pictures.events().or(hidden)?;
        let what = match (part.kind, own) {
            (_, None) => "stops of the display",
            (UnevenKind::Stops, _) => "stops",
            _ => "frames",
        };
        let (when, cure) = match part.period_s {
            Some(period) => (
                format!("one every {period:.2} s from {:.2} s on", part.first_s),
                "no setting cures it: look for what runs that often (saving, garbage, streaming); Overrun::Stretch makes up for it evenly",
            ),
            None => (
                self.when((part.first_s, part.last_s)),
                "no setting cures it: FixedTimestep::with_max_delta bounds how much of one is simulated",
            ),
        };
        let (count, longest, stated) = (part.count, part.longest_ms, self.stated());
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
        let named = causes.into_iter().filter_map(|(cause, name)| {
            let count = self.all.iter().filter(|sample| sample.late_by == Some(cause)).count();
            (count > 0).then(|| format!("{count} by {name}"))
        });
        let named: Vec<String> = named.collect();
        match (named.as_slice(), self.longest.cpu.or(self.longest.gpu)) {
            ([], Some(_)) => String::new(),
            ([], None) => "; what took long was not recorded: the file states no busy times".to_owned(),
            (named, _) => format!("; by Android, frames are late {}", named.join(", ")),
        }
    }

    /// Even frames, with what holds their rate, and what is off at the ends or too rare to be a fault.
    fn even(&self) -> Diagnosis {
        let (longest, off) = (&self.longest, 100.0 * self.frames.deviation);
        let mut evidence = match (&self.levels[..], longest.held_rate) {
            ([_, _, ..], _) => {
                let level = |(fps, to): &(f64, f64)| format!("{fps:.1} fps until {to:.2} s");
                let named = self.levels.iter().map(level).collect::<Vec<_>>().join(", ");
                format!("{} levels, each even: {named}; ", self.levels.len())
            }
            (_, Some(held)) => format!("held at {held:.2} fps: "),
            _ => String::new(),
        };
        evidence += &format!("frames are within {off:.1} % of those around");
        if self.levels.len() < 2 && longest.frames.deviation > SEEN {
            let mut times: Vec<f32> = self.all.iter().map(|sample| sample.delta).collect();
            times.retain(|time| *time > 0.0);
            times.sort_by(f32::total_cmp);
            let fps = |share: usize| 1e3 / times[times.len() * share / 100];
            evidence += &format!(", at a speed that changes between {:.0} and {:.0} fps", fps(95), fps(5));
        }
        evidence += &match longest.shown {
            Some(_) => format!(", times on the screen within {:.1} %", 100.0 * self.pictures.deviation),
            None => "; the file does not state when they were displayed".to_owned(),
        };
        if self.inner.0 > ENDS_MS / 1e3 + 0.1 {
            evidence += &format!(
                ", counted from {:.2} s on, a second after the present mode settled",
                self.inner.0
            );
        }
        if let Some(all) = Unevenness::measure(self.all, longest.time_of_pictures(), longest.refresh())
            && let Some(at) = all.off_at
        {
            evidence += &format!(", but for {} of {}, {}", all.off, all.pictures, self.when(at));
        }
        Diagnosis::new(StutterKind::Even, evidence, "nothing to cure")
    }

    /// When events happened, from the first to the last, in seconds.
    fn when(&self, (first, last): (f64, f64)) -> String {
        match self.inner {
            (start, _) if last <= start => "at the start".to_owned(),
            (_, end) if first >= end => "at the end".to_owned(),
            _ if first == last => format!("at {first:.2} s"),
            _ => format!("the first at {first:.2} s, the last at {last:.2} s"),
        }
    }

    /// What is wrong with the pace throughout, with its share of the time. What the file states comes first.
    fn steady(&self) -> Option<(f64, Diagnosis)> {
        let longest = &self.longest;
        if longest.generated >= GENERATED {
            return Some((f64::INFINITY, generated(self.metrics)));
        }
        let part = self.pictures.steady();
        let is_shown = longest.shown.is_some();
        let never = part.as_ref().map_or(NEVER_IF_EVEN, |_| NEVER_IF_UNEVEN);
        if is_shown && longest.never >= never {
            let (never, rate) = (100.0 * longest.never, 1e3 / longest.frames.mean);
            let shown = rate * (1.0 - longest.never);
            let evidence =
                format!("{never:.0} % of {rate:.1} frames a second are never displayed; the display shows {shown:.1}");
            return Some((
                f64::INFINITY,
                Diagnosis::new(StutterKind::UnevenDisplay, evidence, LIMIT),
            ));
        }
        let Some(part) = part else {
            let (shown, off) = (self.pictures.deviation, self.frames.deviation);
            let is_off = is_shown && off >= JITTERY.max(MORE_THAN_FRAMES * shown);
            let deltas = match longest.is_start_known {
                true => "deltas",
                false => "times between presents, which stand for the deltas,",
            };
            let (shown, off) = (100.0 * shown, 100.0 * off);
            let evidence = format!("the display is even to {shown:.1} %, the {deltas} vary by {off:.1} %");
            return is_off.then(|| (0.0, Diagnosis::new(StutterKind::UnevenFrames, evidence, FILTER)));
        };
        let mut found = match (part.kind, &longest.multiples) {
            (UnevenKind::Refreshes, Some(display)) if is_shown => self.on_refreshes(display),
            // Frames that are a multiple shorter, too, have missed no refresh.
            (UnevenKind::Refreshes, Some(own)) if own.around(own.common()).0 < SECOND_SHARE => {
                let (count, total, interval) = (part.count, self.pictures.pictures, own.refresh);
                let evidence = format!(
                    "{count} of {total} frames took longer or shorter by multiples of {interval:.2} ms, as if they had missed a refresh; the \
                     display's rate is not known"
                );
                Diagnosis::new(StutterKind::MissedRefreshes, evidence, DO_LESS)
            }
            _ => self.off_refreshes(part),
        };
        let middle = f64::midpoint(self.inner.0, self.inner.1);
        if part.last_s < middle {
            found.evidence += &format!(", only before {middle:.1} s");
        } else if part.first_s > middle {
            found.evidence += &format!(", only after {middle:.1} s");
        }
        Some((part.pct, found))
    }

    /// Pictures are off by whole refreshes: the frame rate is not the display's, or frames are shown early and late, or they are late.
    fn on_refreshes(&self, display: &MultiplesFit) -> Diagnosis {
        let longest = &self.longest;
        let (refreshes, expected) = (longest.refreshes(display), longest.expected(display));
        let (hertz, own) = (1e3 / display.refresh, 1e3 / longest.frames.median * longest.each);
        let if_synced = |cure| match longest.is_synced {
            Some(true) => cure,
            _ => WAIT_FOR_DISPLAY,
        };
        // A rate that is not certain is not named.
        let is_named = display.is_named(refreshes);
        let on_display = match is_named {
            true => format!("on a display at {hertz:.2} Hz"),
            false => format!(
                "on a display whose rate is not known, in multiples of {:.2} ms,",
                display.refresh
            ),
        };
        let (early, late) = display.around(expected.unwrap_or(display.common()));
        let (kind, evidence, cure) = if longest.beats(display) {
            let beats = (own * (hertz / own).round().max(1.0) - hertz).abs();
            let evidence = format!("frames at {own:.2} Hz {on_display}: {beats:.2} uneven frames a second");
            (StutterKind::UnevenDisplay, evidence, if_synced(NO_LIMITER))
        } else if early.min(late) >= CADENCE || (expected.is_some() && late >= 0.5) {
            let median = longest.frames.median;
            let evidence = format!("frames of {median:.2} ms are {on_display} for {}", shares(display));
            (StutterKind::UnevenDisplay, evidence, if_synced(LATE_ON_ITS_WAY))
        } else {
            let time = match expected.unwrap_or(display.common()) {
                1 => format!("one refresh of {:.2} ms", display.refresh),
                several => format!("{several} refreshes, {:.2} ms", several as f64 * display.refresh),
            };
            let (count, total) = ((late * display.total() as f64).round(), display.total());
            let evidence = format!("{count} of {total} frames were on the screen for more than {time}, {on_display}");
            // Whether the display shows frames late although the program makes them in time.
            let is_in_time = longest.slow < SLOW * late;
            (
                StutterKind::MissedRefreshes,
                evidence,
                if is_in_time { LATE_ON_ITS_WAY } else { DO_LESS },
            )
        };
        Diagnosis {
            refresh_hz: is_named.then_some(hertz),
            ..Diagnosis::new(kind, evidence, cure)
        }
    }

    /// Times are off, by no refreshes that are known: because of the display, or because frames vary.
    fn off_refreshes(&self, part: &UnevenPart) -> Diagnosis {
        let longest = &self.longest;
        let (off, shown) = (100.0 * self.frames.deviation, 100.0 * self.pictures.deviation);
        let by = format!(", {} of {} by over 3 ms", self.pictures.off, self.pictures.pictures);
        if longest.shown.is_some() && shown >= MORE_THAN_FRAMES * off {
            let evidence = format!(
                "frames are within {off:.1} % of those around on average, but on the screen for times that are off by {shown:.1} %{by}; the \
                 display's rate is not known"
            );
            let cure = match longest.is_synced {
                Some(true) => LATE_ON_ITS_WAY,
                _ if self.frames.deviation < JITTERY => DELAYED,
                _ => PACE_PRESENTS,
            };
            return Diagnosis::new(StutterKind::UnevenDisplay, evidence, cure);
        }
        if part.kind == UnevenKind::Pairs {
            let (short, long) = longest.short_and_long;
            let evidence = format!(
                "frames of {short:.2} and {long:.2} ms in turn, {:.1} pairs a second: every second frame does more, such as a step, or is \
                 generated, which the file does not state",
                1e3 / (short + long)
            );
            return Diagnosis::new(StutterKind::UnevenFrames, evidence, SPREAD);
        }
        let median = longest.frames.median;
        let mut evidence = format!("frame times are off {median:.2} ms by {off:.1} % on average");
        if longest.shown.is_some() {
            evidence += &format!(", times on the screen by {shown:.1} %");
        }
        evidence += &by;
        let cure = match longest.is_synced {
            _ if longest.held_rate.is_some() => {
                "the limiter holds the rate but not each frame: use another limiter, or pace frames by their presentation"
            }
            Some(true) => "find the work that varies: the program waits for the display already",
            _ => "limit the frame rate to what the slowest frames reach, or find the work that varies",
        };
        Diagnosis::new(StutterKind::UnevenFrames, evidence, cure)
    }

    /// What limits the frame rate, if the file states it.
    fn bound(&self) -> Option<Diagnosis> {
        let longest = &self.longest;
        let busy = |share: Option<f64>| share.filter(|share| *share > BOUND);
        // A program that sleeps in its own limiter counts as busy, and one that the display holds may sleep.
        let is_held = longest.held_rate.is_some() || (self.pictures.is_even() && longest.is_synced == Some(true));
        let (kind, who, share, cure) = match (busy(longest.gpu), busy(longest.cpu)) {
            (Some(share), _) => (StutterKind::GpuBound, "GPU is busy", share, DRAW_LESS),
            (_, Some(share)) if longest.gpu.is_none_or(|gpu| gpu < 0.8) && !is_held => {
                (StutterKind::CpuBound, "program works", share, OFFLOAD)
            }
            _ => return None,
        };
        let evidence = format!("the {who} for {:.0} % of the median frame", 100.0 * share);
        Some(Diagnosis::new(kind, evidence, cure))
    }
}

const DRAW_LESS: &str = "no setting of the loop helps: draw less, or at a lower resolution";
const OFFLOAD: &str =
    "move the simulation to a thread of its own (SimThread), or step it at a lower Rate and interpolate";
const DO_LESS: &str =
    "do less in the slowest frames: a lower Rate with Smoothing::Interpolate, or FixedTimestep::with_max_steps";
const LATE_ON_ITS_WAY: &str = "no frame is slow: look for what delays frames on their way (a compositor, an overlay, a second display), or \
                               present them earlier in each refresh";
const LIMIT: &str = "limit the frame rate to a little below the display's";
const NO_LIMITER: &str =
    "limit the frame rate to the display's or to a whole part of it, or not at all: vertical sync alone holds it";
const FILTER: &str = "filter the deltas: FrameClock::new() does";
const SPREAD: &str = "spread what every second frame does over all, or limit the frame rate to the longer ones; PresentMon 2 tells generated \
                      frames (FrameType)";
const DELAYED: &str = "the frames are even already: look for what delays or doubles them on their way (the driver's frame generation or pacing, \
                       an overlay, a compositor)";
const PACE_PRESENTS: &str = "pace the presents, not only the loop, at a rate a little below the display's";
const WAIT_FOR_DISPLAY: &str = "wait for the display (vertical sync) with an interval of whole refreshes; fixed steps with Smoothing::Interpolate then come out even";

/// Each number of refreshes with the share of times that take it, but rare ones.
fn shares(display: &MultiplesFit) -> String {
    let share = |count: usize| 100.0 * count as f64 / display.total() as f64;
    let each = display.multiples.iter().map(|count| share(*count)).enumerate();
    let each = each.filter(|(_, share)| *share >= 1.0);
    let each = each.map(|(refreshes, share)| match refreshes {
        1 => format!("1 refresh ({share:.0} %)"),
        _ => format!("{refreshes} refreshes ({share:.0} %)"),
    });
    each.collect::<Vec<_>>().join(" and ")
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
        off > least && early + late > 0.4 * off
    }
}
