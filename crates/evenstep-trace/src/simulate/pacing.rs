//! Costs and gains of beginning frames later: latency, missed refreshes and frames.

use std::fmt;
use std::time::Duration;

use evenstep::pace::{Pacer, PacerStats};
use evenstep::present::{PresentFeedback, RefreshGrid};
use evenstep::{Rate, SimTime};
use serde::Serialize;

/// The number of frames at the start that are not measured.
const SETTLING: usize = 128;

/// The largest cost of a frame, so that no sum of costs overflows.
const LONGEST_COST: Duration = Duration::from_secs(3600);

/// The delay of presentation feedback after a frame is displayed.
const REPORTED_AFTER: Duration = Duration::from_micros(500);

/// The time at which a program begins its frames.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Pacing {
    /// A frame begins when the previous one is ready. The display shows the newest ready frame; other ready frames are never displayed.
    None,
    /// A frame begins when the previous one has been submitted, which waits until the one before that is displayed. Vertical sync alone
    /// results in this.
    AfterTheLast,
    /// Like [`AfterTheLast`](Self::AfterTheLast), but at least one period of this rate after the previous frame began,by a sleep that is
    /// exact to the nanosecond.
    Sleep(#[serde(serialize_with = "hertz")] Rate),
    /// A frame begins when a [`Pacer`] schedules it, which plans for this percentage of the frames.
    Paced {
        /// The percentage of the frames to plan for, from 0 to 100.
        percent: f64,
        /// The margin in milliseconds.
        margin_ms: f64,
    },
}

impl fmt::Display for Pacing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("no pacing"),
            Self::AfterTheLast => f.write_str("after the last frame"),
            Self::Sleep(rate) => write!(f, "sleep, {rate}"),
            Self::Paced { percent, margin_ms } if *margin_ms > 0.0 => write!(f, "paced, {percent} %, {margin_ms} ms"),
            Self::Paced { percent, .. } => write!(f, "paced, {percent} %"),
        }
    }
}

impl Pacing {
    /// The settings that make up the curve of a pacer: increasing percentages, then increasing margins.
    pub const CURVE: [Self; 11] = [
        Self::paced(50.0, 0.0),
        Self::paced(70.0, 0.0),
        Self::paced(80.0, 0.0),
        Self::paced(90.0, 0.0),
        Self::paced(95.0, 0.0),
        Self::paced(98.0, 0.0),
        Self::paced(99.0, 0.0),
        Self::paced(100.0, 0.0),
        Self::paced(100.0, 1.0),
        Self::paced(100.0, 2.0),
        Self::paced(100.0, 4.0),
    ];

    const fn paced(percent: f64, margin_ms: f64) -> Self {
        Self::Paced { percent, margin_ms }
    }
}

fn hertz<S: serde::Serializer>(rate: &Rate, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(rate.as_hz_f64())
}

/// The outcome of one pacing.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PacingOutcome {
    /// How the program began its frames.
    pub pacing: Pacing,
    /// Frames that the program rendered: a measure of its power consumption.
    pub frames: usize,
    /// Frames that were displayed.
    pub shown: usize,
    /// Refreshes at which no new frame was ready.
    pub missed: u64,
    /// The missed refreshes as a percentage of all refreshes.
    pub missed_pct: f64,
    /// The mean latency in milliseconds, from the beginning of a frame, when input is read, until the frame was displayed.
    pub latency_mean_ms: f64,
    /// The latency that 99 % of the frames do not exceed, in milliseconds.
    pub latency_p99_ms: f64,
    /// The root mean square of the animation errors of a game without smoothing, in milliseconds. An animation error is the difference
    /// between the interval from the beginning of one frame to the next, and the interval between the times at which they were displayed.
    pub error_rms_ms: f64,
    /// The pacer's own statistics; `None` for other pacings.
    #[serde(skip)]
    pub believed: Option<PacerStats>,
}

/// The times at which a frame began, was ready and was displayed.
#[derive(Clone, Copy, Debug)]
struct Frame {
    begin: Duration,
    ready: Duration,
    /// `None` if the frame was never displayed.
    shown: Option<u64>,
}

/// Simulates a program with these frame costs on a display with a fixed rate, once for each pacing: [`Pacing::None`],
/// [`Pacing::AfterTheLast`], [`Pacing::Sleep`] at `limit`, and the pacer's [`Pacing::CURVE`]. The first 128 frames are not measured. A
/// cost of more than an hour counts as an hour.
///
/// The program makes one frame after the other. One frame can wait for the display. The pacer predicts refreshes with a [`RefreshGrid`].
/// It gets the time at which each frame was displayed, half a millisecond late and in whole microseconds, but not the display's rate.
///
/// ```
/// use evenstep::Rate;
/// use evenstep_trace::simulate::{Pacing, compare_pacing};
/// use std::time::Duration;
///
/// let costs = [Duration::from_millis(5); 1_000];
/// let outcomes = compare_pacing(&costs, Rate::hz(60), Rate::hz(60));
/// let latency = |pacing| outcomes.iter().find(|outcome| outcome.pacing == pacing).unwrap().latency_mean_ms;
/// assert!((latency(Pacing::AfterTheLast) - 33.3).abs() < 0.1); // two refreshes
/// assert!((latency(Pacing::Paced { percent: 99.0, margin_ms: 0.0 }) - 5.0).abs() < 0.1);
/// ```
#[must_use]
pub fn compare_pacing(costs: &[Duration], display: Rate, limit: Rate) -> Vec<PacingOutcome> {
    let costs: Vec<Duration> = costs.iter().map(|cost| (*cost).min(LONGEST_COST)).collect();
    let ways = [Pacing::None, Pacing::AfterTheLast, Pacing::Sleep(limit)]
        .into_iter()
        .chain(Pacing::CURVE);
    ways.map(|pacing| outcome(pacing, &costs, display, limit)).collect()
}

fn outcome(pacing: Pacing, costs: &[Duration], display: Rate, limit: Rate) -> PacingOutcome {
    let screen = Screen { rate: display };
    let mut pacer = match pacing {
        Pacing::Paced { percent, margin_ms } => Pacer::new()
            .with_percentile(percent)
            .with_margin(Duration::from_secs_f64(margin_ms / 1e3)),
        _ => Pacer::new(),
    };
    let frames = match pacing {
        Pacing::None => unpaced(costs, screen),
        Pacing::AfterTheLast => queued(costs, screen, |_, free| free),
        Pacing::Sleep(_) => {
            let period = Duration::from_nanos(limit.period_nanos());
            queued(costs, screen, |last, free| {
                free.max(last.map_or(free, |last| last.begin + period))
            })
        }
        Pacing::Paced { .. } => paced(costs, screen, &mut pacer),
    };
    let believed = matches!(pacing, Pacing::Paced { .. }).then(|| pacer.stats());
    PacingOutcome::of(pacing, &frames, screen, believed)
}

/// A display that refreshes at whole periods from time zero.
#[derive(Clone, Copy, Debug)]
struct Screen {
    rate: Rate,
}

impl Screen {
    fn at(self, refresh: u64) -> Duration {
        SimTime::at_tick(refresh, self.rate).to_duration()
    }

    /// The first refresh at or after a time.
    fn after(self, time: Duration) -> u64 {
        let about = time.as_secs_f64() * self.rate.as_hz_f64();
        let mut refresh = (about as u64).saturating_sub(1);
        while self.at(refresh) < time {
            refresh += 1;
        }
        refresh
    }
}

/// Every frame begins when the previous one is ready. At a refresh, the newest ready frame is displayed.
fn unpaced(costs: &[Duration], screen: Screen) -> Vec<Frame> {
    let mut now = Duration::ZERO;
    let mut frames: Vec<Frame> = Vec::with_capacity(costs.len());
    for cost in costs {
        let (begin, ready) = (now, now + *cost);
        let shown = Some(screen.after(ready));
        if let Some(last) = frames.last_mut().filter(|last| last.shown == shown) {
            last.shown = None;
        }
        frames.push(Frame { begin, ready, shown });
        now = ready;
    }
    frames
}

/// Frames are displayed in order, each at a refresh of its own. `begin` returns the time at which a frame begins, given the previous
/// frame and the earliest possible time: when the previous frame has been submitted, which waits until the one before that is displayed.
fn queued(
    costs: &[Duration],
    screen: Screen,
    mut begin: impl FnMut(Option<&Frame>, Duration) -> Duration,
) -> Vec<Frame> {
    let mut frames: Vec<Frame> = Vec::with_capacity(costs.len());
    for cost in costs {
        let begin = begin(frames.last(), free(&frames, screen));
        frames.push(show(screen, frames.last(), begin, begin + *cost));
    }
    frames
}

/// The earliest time at which the program can begin another frame. The last frame is submitted when the one before it is displayed.
fn free(frames: &[Frame], screen: Screen) -> Duration {
    match frames {
        [.., before, last] => last
            .ready
            .max(before.shown.map_or(Duration::ZERO, |shown| screen.at(shown))),
        [last] => last.ready,
        [] => Duration::ZERO,
    }
}

fn show(screen: Screen, last: Option<&Frame>, begin: Duration, ready: Duration) -> Frame {
    let next = last.and_then(|last| last.shown).map_or(0, |shown| shown + 1);
    let shown = Some(screen.after(ready).max(next));
    Frame { begin, ready, shown }
}

/// The program receives feedback on when its frames were displayed, and predicts the next refresh from it.
fn paced(costs: &[Duration], screen: Screen, pacer: &mut Pacer) -> Vec<Frame> {
    let mut grid = RefreshGrid::new();
    let mut reported = 0;
    let mut frames: Vec<Frame> = Vec::with_capacity(costs.len());
    for (number, cost) in costs.iter().enumerate() {
        let now = free(&frames, screen);
        while let Some(feedback) = frames
            .get(reported)
            .and_then(|frame| feedback(reported, frame, screen, now))
        {
            grid.observe(feedback, now);
            reported += 1;
        }
        let plan = pacer.next_frame(now, grid.next_refresh(now));
        let ready = plan.begin + *cost;
        grid.submit(number as u64, ready);
        pacer.finish(plan, ready);
        frames.push(show(screen, frames.last(), plan.begin, ready));
    }
    frames
}

/// The presentation feedback of a frame, in whole microseconds, if it has arrived.
fn feedback(number: usize, frame: &Frame, screen: Screen, now: Duration) -> Option<PresentFeedback> {
    let shown = screen.at(frame.shown?);
    let micros = u64::try_from(shown.as_micros()).ok()?;
    (shown + REPORTED_AFTER <= now)
        .then_some(PresentFeedback::new(number as u64, Duration::from_micros(micros)).with_reliable(true))
}

impl PacingOutcome {
    fn of(pacing: Pacing, frames: &[Frame], screen: Screen, believed: Option<PacerStats>) -> Self {
        let measured = frames.get(SETTLING..).unwrap_or_default();
        let presented = || measured.iter().filter_map(|frame| Some((frame.begin, frame.shown?)));
        let mut latencies: Vec<f64> = presented()
            .map(|(begin, shown)| 1e3 * (screen.at(shown) - begin).as_secs_f64())
            .collect();
        latencies.sort_by(f64::total_cmp);
        let shown = latencies.len();
        let span = presented()
            .next()
            .zip(presented().next_back())
            .map_or(0, |((_, first), (_, last))| last - first + 1);
        let missed = span - shown as u64;
        let pairs = presented().zip(presented().skip(1));
        let errors = pairs.map(|(one, next)| {
            let apart = screen.at(next.1) - screen.at(one.1);
            1e3 * ((next.0 - one.0).as_secs_f64() - apart.as_secs_f64())
        });
        let squares: f64 = errors.map(|error| error * error).sum();
        let rank = (0.99 * shown as f64).ceil() as usize;
        Self {
            pacing,
            frames: measured.len(),
            shown,
            missed,
            missed_pct: 100.0 * missed as f64 / span.max(1) as f64,
            latency_mean_ms: latencies.iter().sum::<f64>() / shown.max(1) as f64,
            latency_p99_ms: latencies.get(rank.saturating_sub(1)).copied().unwrap_or_default(),
            error_rms_ms: (squares / shown.saturating_sub(1).max(1) as f64).sqrt(),
            believed,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::simulate::display::SimulatedDisplay;

    const MS: Duration = Duration::from_millis(1);

    fn find(outcomes: &[PacingOutcome], pacing: Pacing) -> &PacingOutcome {
        outcomes.iter().find(|outcome| outcome.pacing == pacing).unwrap()
    }

    #[test]
    fn even_frames_have_the_expected_latencies() {
        let outcomes = compare_pacing(&[4 * MS; 2_000], Rate::hz(100), Rate::hz(100));
        for (pacing, frames, latency) in [
            (Pacing::None, 749, 5.0), // the newest frame ends 0 to 4 ms before the refresh
            (Pacing::AfterTheLast, 1_872, 20.0),
            (Pacing::paced(50.0, 0.0), 1_872, 4.0),
            (Pacing::paced(100.0, 2.0), 1_872, 6.0),
        ] {
            let outcome = find(&outcomes, pacing);
            assert_eq!((outcome.shown, outcome.missed), (frames, 0), "{pacing:?}");
            assert!((outcome.latency_mean_ms - latency).abs() < 0.01, "{outcome:?}");
        }
    }

    #[test]
    fn a_sleep_of_the_wrong_rate_drifts_through_all_phases_of_the_display() {
        let display = Rate::new(60_000, 1_001).unwrap();
        let outcomes = compare_pacing(&[4 * MS; 20_000], display, Rate::hz(60));
        let sleeping = find(&outcomes, Pacing::Sleep(Rate::hz(60)));
        let queued = find(&outcomes, Pacing::AfterTheLast);
        // The program is faster than the display: the queue fills, and the display then sets the pace.
        assert!(
            (sleeping.latency_mean_ms - queued.latency_mean_ms).abs() < 2.0,
            "{sleeping:?} {queued:?}"
        );
        let slower = compare_pacing(&[4 * MS; 20_000], display, Rate::new(598, 10).unwrap());
        let slower = find(&slower, Pacing::Sleep(Rate::new(598, 10).unwrap()));
        assert!(slower.missed > 40, "{slower:?}");
    }

    #[test]
    fn the_pacers_own_statistics_are_correct() {
        let costs: Vec<Duration> = (0..5_000_u32)
            .map(|frame| MS + frame * 7_919 % 997 * MS / 100)
            .collect();
        for outcome in compare_pacing(&costs, Rate::hz(100), Rate::hz(100)) {
            let Some(believed) = outcome.believed else { continue };
            // The pacer also counts the frames that are not measured.
            let measured = outcome.missed..=outcome.missed + SETTLING as u64;
            assert!(measured.contains(&believed.missed), "{outcome:?}");
        }
    }

    proptest! {
        #[test]
        fn frames_are_shown_as_by_the_simulated_display(
            costs in prop::collection::vec(100_000..30_000_000_u64, 2..150),
        ) {
            let costs: Vec<Duration> = costs.into_iter().map(Duration::from_nanos).collect();
            let screen = Screen { rate: Rate::hz(100) };
            let display = |frames: &[Frame], queue| {
                let ready: Vec<f64> = frames.iter().map(|frame| frame.ready.as_secs_f64()).collect();
                let first = screen.at(screen.after(frames[0].ready)).as_secs_f64() - ready[0];
                SimulatedDisplay::fixed(Rate::hz(100)).with_queue(queue).with_phase(first).show(&ready)
            };
            let frames = unpaced(&costs, screen);
            for (shown, frame) in display(&frames, 1).iter().zip(&frames) {
                prop_assert_eq!(shown.map(|at| (at * 100.0).round() as u64), frame.shown);
            }
            let mut pacer = Pacer::new();
            for frames in [queued(&costs, screen, |_, free| free), paced(&costs, screen, &mut pacer)] {
                for (shown, frame) in display(&frames, 200).iter().zip(&frames) {
                    prop_assert_eq!(shown.map(|at| (at * 100.0).round() as u64), frame.shown);
                }
            }
        }
    }
}
