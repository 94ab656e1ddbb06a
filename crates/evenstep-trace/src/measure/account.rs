//! The account of unevenness: by how much pictures are off a baseline that follows the recording, divided among named parts.

use std::fmt;

use serde::Serialize;

use crate::measure::multiples_fit::median;
use crate::measure::samples::Sample;
use crate::measure::thresholds::{
    ALTERNATING, CLEAR, FREEZE_BASELINES, FREEZE_MS, HITCH_AROUND, HITCH_FRAMES, HITCH_MEDIANS, MAX_HITCHES_OF_EVEN,
    MIN_FRAMES, MIN_GAPS, MIN_HITCH_MS, OFF_MS, OFF_SHARE, PAIR_DIFFERS, PERIODIC_FRAMES, RARE, RARE_SINGLE, REGULAR,
    SEEN, STOP_MS, TO_CATCH_UP,
};

/// The unevenness of a recording: the time by which pictures are off, and its parts. Where no display times are known, the pictures are
/// the program's frames.
///
/// The baseline of a picture is the median of the sixty around it, so that scenes of different speed, and a speed that changes, are even.
/// The parts add up to [`uneven_pct`](Self::uneven_pct).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Unevenness {
    /// The time by which pictures stood longer or shorter than their baseline, in percent of the time of all. On known refreshes whole
    /// refreshes count, and what is less is an error of measurement; else what exceeds 5 % of the baseline, because less is not seen.
    pub uneven_pct: f64,
    /// The pictures of the account: all but those of the first and the last second, and of a start in another present mode than most.
    pub pictures: usize,
    /// Pictures that are off by more than 3 ms, or by half a refresh if that is known to be less.
    pub off: usize,
    /// The parts, the largest first.
    pub parts: Vec<UnevenPart>,
    /// The mean deviation of the pictures of no event, as a share of the time, with what is not seen.
    #[serde(skip)]
    pub(super) deviation: f64,
    /// When the first and the last picture that is off ended, in seconds.
    #[serde(skip)]
    pub(super) off_at: Option<(f64, f64)>,
}

/// A part of the unevenness.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct UnevenPart {
    /// What it is.
    pub kind: UnevenKind,
    /// Its time in percent of the time of all pictures.
    pub pct: f64,
    /// Its pictures; of stops and hitches, the long ones.
    pub count: usize,
    /// The longest picture, in milliseconds.
    pub longest_ms: f64,
    /// When its first and its last picture ended, in seconds.
    pub first_s: f64,
    /// See [`first_s`](Self::first_s).
    pub last_s: f64,
    /// The time from one to the next, of periodic hitches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub period_s: Option<f64>,
    /// Its pictures that are off.
    #[serde(skip)]
    off: usize,
}

/// What a part of the unevenness is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum UnevenKind {
    /// A picture that stood 150 ms longer than its baseline, and three times as long: a freeze, as WebRTC's statistics define it.
    Stops,
    /// A picture that stood longer than its baseline by more than 21 ms, or by 1.5 times the baseline and 7.5 ms, and clearly longer than
    /// its neighbours vary, if fewer than a tenth are. Shorter ones that follow at once belong to it.
    SingleHitches,
    /// Five or more pictures that stood longer by half of their baseline and 7.5 ms, if four in five of the times between them are equal.
    PeriodicHitches,
    /// On known refreshes, a picture for one refresh more or less than its baseline, or for several if it is no hitch.
    Refreshes,
    /// Short and long pictures in turn.
    Pairs,
    /// Pictures that are off no more than most around them.
    Jitter,
    /// What is none of these.
    Other,
}

impl fmt::Display for UnevenKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stops => "stops",
            Self::SingleHitches => "single hitches",
            Self::PeriodicHitches => "periodic hitches",
            Self::Refreshes => "pictures a refresh too long or short",
            Self::Pairs => "short and long pictures in turn",
            Self::Jitter => "continuous jitter",
            Self::Other => "other",
        })
    }
}

impl UnevenKind {
    fn is_event(self) -> bool {
        matches!(self, Self::Stops | Self::SingleHitches | Self::PeriodicHitches)
    }
}

/// A picture: when it ended and how long it stood, in milliseconds, its baseline, and how far those around it are off.
struct Picture {
    at: f64,
    time: f64,
    baseline: f64,
    spread: f64,
    /// By how many refreshes it is off, if these are known.
    refreshes: Option<f64>,
}

impl Picture {
    fn off(&self) -> f64 {
        self.time - self.baseline
    }

    /// Whether it is off by more than errors of measurement and what is not seen.
    fn counts(&self) -> bool {
        match self.refreshes {
            Some(refreshes) => refreshes != 0.0,
            None => self.off().abs() > SEEN * self.baseline,
        }
    }

    fn is_clear(&self) -> bool {
        self.off().abs() > CLEAR * self.spread
    }

    /// Whether it is longer by more than the limit of single hitches, or of periodic ones.
    fn is_long(&self, is_periodic: bool) -> bool {
        let more = if is_periodic { PERIODIC_FRAMES } else { HITCH_FRAMES };
        self.off() > STOP_MS.min(more * self.baseline).max(MIN_HITCH_MS)
            && self.is_clear()
            && self
                .refreshes
                .is_none_or(|refreshes| refreshes > 1.0 || self.off() > STOP_MS)
    }
}

impl Unevenness {
    /// The account of pictures, whose times are these of the samples. `refresh` is the interval in milliseconds on whose multiples they are,
    /// if known.
    pub(super) fn measure(samples: &[Sample], time: fn(&Sample) -> f32, refresh: Option<f64>) -> Option<Self> {
        let known = samples
            .iter()
            .map(|sample| (sample.at, f64::from(time(sample))))
            .filter(|(_, time)| !time.is_nan());
        let (ends, times): (Vec<f64>, Vec<f64>) = known.unzip();
        if times.len() < MIN_FRAMES {
            return None;
        }
        let baselines = medians(&times);
        let off = times
            .iter()
            .zip(&baselines)
            .map(|(time, baseline)| (time - baseline).abs());
        let spreads = medians(&off.collect::<Vec<_>>());
        let picture = |index: usize| {
            let (time, baseline) = (times[index], baselines[index]);
            Picture {
                at: ends[index],
                time,
                baseline,
                spread: spreads[index],
                refreshes: refresh.map(|refresh| (time / refresh).round() - (baseline / refresh).round()),
            }
        };
        let pictures: Vec<Picture> = (0..times.len()).map(picture).collect();
        Some(Self::sum(&pictures, refresh))
    }

    fn sum(pictures: &[Picture], refresh: Option<f64>) -> Self {
        let (kinds, period) = kinds(pictures);
        let total: f64 = pictures.iter().map(|picture| picture.time).sum();
        let most = refresh.map_or(OFF_MS, |refresh| OFF_MS.min(0.5 * refresh));
        let mut parts: Vec<UnevenPart> = Vec::new();
        let (mut off, mut off_at, mut steady_pct) = (0, None, 0.0);
        for (picture, kind) in pictures.iter().zip(kinds) {
            let (at, is_off) = (picture.at / 1e3, picture.off().abs() > most);
            let pct = 100.0 * picture.off().abs() / total.max(f64::MIN_POSITIVE);
            if is_off {
                off += 1;
                off_at = Some((off_at.map_or(at, |(first, _)| first), at));
            }
            if !kind.is_event() {
                steady_pct += pct;
            }
            if !picture.counts() {
                continue;
            }
            let place = parts.iter().position(|part| part.kind == kind);
            let place = place.unwrap_or_else(|| {
                parts.push(UnevenPart {
                    kind,
                    pct: 0.0,
                    count: 0,
                    longest_ms: 0.0,
                    first_s: at,
                    last_s: at,
                    period_s: period.filter(|_| kind == UnevenKind::PeriodicHitches),
                    off: 0,
                });
                parts.len() - 1
            });
            let part = &mut parts[place];
            part.pct += pct;
            part.count += usize::from(picture.off() > 0.0 || !kind.is_event());
            part.longest_ms = part.longest_ms.max(picture.time);
            part.last_s = at;
            part.off += usize::from(is_off);
        }
        parts.sort_by(|one, other| other.pct.total_cmp(&one.pct));
        Self {
            uneven_pct: parts.iter().fold(0.0, |sum, part| sum + part.pct),
            pictures: pictures.len(),
            off,
            parts,
            deviation: steady_pct / 100.0,
            off_at,
        }
    }

    /// Whether nobody sees it: no stop, no period, at most two hitches, fewer than one picture in 200 off, and jitter below what is seen.
    pub(super) fn is_even(&self) -> bool {
        self.has_few_events() && self.is_on_time(self.off) && self.deviation < SEEN
    }

    fn has_few_events(&self) -> bool {
        let is_few = |part: &UnevenPart| part.kind == UnevenKind::SingleHitches && part.count <= MAX_HITCHES_OF_EVEN;
        self.parts.iter().all(|part| !part.kind.is_event() || is_few(part))
    }

    /// Whether these are fewer than one picture in 200; of a short recording, the two intervals of one late picture may be off.
    fn is_on_time(&self, off: usize) -> bool {
        off <= 2 || (off as f64) < OFF_SHARE * self.pictures as f64
    }

    /// The largest part without events, if they alone are why it is not even.
    pub(super) fn steady(&self) -> Option<&UnevenPart> {
        let parts = || self.parts.iter().filter(|part| !part.kind.is_event());
        let off = parts().map(|part| part.off).sum();
        parts()
            .next()
            .filter(|_| !self.is_on_time(off) || self.deviation >= SEEN)
    }

    /// The largest part of events, if these are more than few, or alone make it uneven.
    pub(super) fn events(&self) -> Option<&UnevenPart> {
        let is_reported = !self.has_few_events() || (!self.is_even() && self.steady().is_none());
        self.parts.iter().find(|part| is_reported && part.kind.is_event())
    }
}

/// `8.1 % of the time: most of it …`.
impl fmt::Display for Unevenness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1} % of the time", self.uneven_pct)?;
        for (index, part) in self.parts.iter().enumerate() {
            if index > 0 && part.pct < 0.05 {
                break;
            }
            let lead = match index {
                0 if part.pct > 0.5 * self.uneven_pct => ": most of it ",
                0 => ": ",
                _ => ", ",
            };
            write!(f, "{lead}{} ({:.1} %", part.kind, part.pct)?;
            if part.kind.is_event() || part.kind == UnevenKind::Refreshes {
                write!(f, ", {} of {}", part.count, self.pictures)?;
            }
            match part.period_s {
                Some(period) => write!(f, ", one every {period:.2} s)")?,
                None if part.kind.is_event() && part.last_s > part.first_s => {
                    write!(f, ", from {:.1} to {:.1} s)", part.first_s, part.last_s)?;
                }
                None if part.kind.is_event() => write!(f, ", at {:.1} s)", part.first_s)?,
                None => write!(f, ")")?,
            }
        }
        Ok(())
    }
}

/// The part to which each picture belongs, and the period of periodic hitches in seconds.
fn kinds(pictures: &[Picture]) -> (Vec<UnevenKind>, Option<f64>) {
    let long = |is_periodic: bool| pictures.iter().filter(move |picture| picture.is_long(is_periodic));
    let share = |count: usize| count as f64 / pictures.len() as f64;
    let times: Vec<f64> = long(true).map(|picture| picture.at / 1e3).collect();
    let period = period(&times).filter(|_| share(times.len()) < RARE);
    // Where every few pictures are long, or more are less long, only much longer ones are events.
    let is_near = |picture: &Picture| picture.time <= HITCH_MEDIANS * picture.baseline;
    let near = long(false).filter(|picture| is_near(picture)).count();
    let is_late =
        |picture: &&Picture| picture.off() > 0.0 && picture.counts() && picture.is_clear() && !picture.is_long(false);
    let are_rare = share(long(false).count()) < RARE;
    let are_single = share(near) < RARE_SINGLE && near >= pictures.iter().filter(is_late).count();
    let turns = turns(pictures);
    let mut event = None;
    let kind = |(index, picture): (usize, &Picture)| {
        let off = picture.off();
        let kind = if off > FREEZE_MS && picture.time > FREEZE_BASELINES * picture.baseline {
            UnevenKind::Stops
        } else if picture.refreshes.is_none() && turns[index] {
            UnevenKind::Pairs
        } else if period.is_some() && picture.is_long(true) {
            UnevenKind::PeriodicHitches
        } else if picture.is_long(false) && are_rare && (are_single || !is_near(picture)) {
            UnevenKind::SingleHitches
        } else if let Some((_, kind)) =
            event.filter(|(at, _)| index <= at + TO_CATCH_UP && off < 0.0 && picture.is_clear())
        {
            kind
        } else if picture.refreshes.is_some_and(|refreshes| refreshes != 0.0) {
            UnevenKind::Refreshes
        } else if picture.counts() && picture.is_clear() {
            UnevenKind::Other
        } else {
            UnevenKind::Jitter
        };
        if kind.is_event() && off > 0.0 {
            event = Some((index, kind));
        }
        kind
    };
    (pictures.iter().enumerate().map(kind).collect(), period)
}

/// Whether pictures are short and long in turn around each.
fn turns(pictures: &[Picture]) -> Vec<bool> {
    let is_turn = |three: &[Picture]| {
        let (one, other) = (three[1].time - three[0].time, three[2].time - three[1].time);
        one * other < 0.0 && one.abs().min(other.abs()) > PAIR_DIFFERS * three[1].baseline
    };
    let mut sums = vec![0, 0];
    for three in pictures.windows(3) {
        sums.push(sums[sums.len() - 1] + usize::from(is_turn(three)));
    }
    sums.push(sums[sums.len() - 1]);
    let around = |index: usize| {
        let from = index.saturating_sub(HITCH_AROUND / 2);
        let to = (index + HITCH_AROUND / 2 + 1).min(pictures.len());
        (sums[to] - sums[from]) as f64 >= ALTERNATING * (to - from) as f64
    };
    (0..pictures.len()).map(around).collect()
}

/// The time from one event to the next, if nearly all come as regularly.
fn period(times: &[f64]) -> Option<f64> {
    let gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let period = median(&gaps);
    let regular = gaps.iter().filter(|gap| (**gap / period - 1.0).abs() < REGULAR).count();
    (gaps.len() >= MIN_GAPS && 5 * regular >= 4 * gaps.len()).then_some(period)
}

/// The median of the values around each.
pub(super) fn medians(values: &[f64]) -> Vec<f64> {
    let mut window: Vec<f64> = Vec::with_capacity(2 * HITCH_AROUND + 1);
    let (mut from, mut to) = (0, 0);
    let mut median = |index: usize| {
        while to < values.len() && to <= index + HITCH_AROUND {
            let place = window.partition_point(|value| value.total_cmp(&values[to]).is_lt());
            window.insert(place, values[to]);
            to += 1;
        }
        while from + HITCH_AROUND < index {
            let place = window.partition_point(|value| value.total_cmp(&values[from]).is_lt());
            window.remove(place);
            from += 1;
        }
        // Without its own: of short and long ones in turn, each would be the median of its own window.
        let own = window.partition_point(|value| value.total_cmp(&values[index]).is_lt());
        let middle = (window.len() - 1) / 2;
        window
            .get(middle + usize::from(middle >= own))
            .copied()
            .unwrap_or(values[index])
    };
    (0..values.len()).map(&mut median).collect()
}
