//! What a game would look like on recorded frames, under every strategy.

use std::time::Duration;

use evenstep::Rate;
use serde::Serialize;

use crate::measure::distribution::Distribution;
use crate::simulate::display::Display;
use crate::simulate::strategy::{Filter, Orbit, Strategy};
use crate::simulate::timeline::Timeline;

/// Nobody sees a twentieth of a millisecond: at 1 000 pixels a second, a twentieth of a pixel.
const UNSEEN_MS: f64 = 0.05;

/// What is drawn under every strategy and every filter, measured: the motion of an object that goes round in a circle, on
/// the frames of a program.
///
/// ```
/// use evenstep::Rate;
/// use evenstep_trace::{Comparison, Display, Filter, Noise, Strategy, Timeline};
///
/// let deltas = Noise::Normal(0.5).deltas(60.0, 1, 20_000);
/// let timeline = Timeline::from_deltas(&deltas);
/// let compared = Comparison::new(&timeline, Rate::hz(60), Some(Display::fixed(60.0)));
/// assert_eq!(compared.recommended.filter, Filter::DisplayClock);
/// let drawn = compared.outcome(Strategy::Interpolate, Filter::DisplayClock).expect("it is among them");
/// assert!(drawn.error_rms_ms < 0.1);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Steps a second.
    pub rate_hz: f64,
    /// Pictures that were on the screen.
    pub displayed: usize,
    /// Pictures that never were.
    pub dropped: usize,
    /// How often a picture was shown again for want of a new one; none where the display is the recorded one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeated: Option<u64>,
    /// Each strategy with each filter, the evenest motion first.
    pub outcomes: Vec<Outcome>,
    /// The settings to choose.
    pub recommended: Recommended,
}

/// Settings: interpolation, which shows only states that were, at the price of a step of latency, under the filter that makes
/// it the evenest; none, or the display clock, where that is as even to the eye.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Recommended {
    /// How to step and draw.
    pub strategy: Strategy,
    /// What is to even out deltas.
    pub filter: Filter,
    /// Why, in words: what speaks against the strategies that are more even.
    pub reason: String,
    /// Both as Rust, to paste.
    pub code: String,
}

/// What is drawn under a strategy with a filter.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// How the program steps and draws.
    pub strategy: Strategy,
    /// What evens out its deltas.
    pub filter: Filter,
    /// The root of the mean of the squares of the animation errors of the drawn motion, in milliseconds: by how much the
    /// time that a picture shows moved on more than the time at which it is shown.
    pub error_rms_ms: f64,
    /// What 99 % of them do not exceed, of either sign.
    pub error_p99_ms: f64,
    /// The largest jump, of either sign.
    pub error_max_ms: f64,
    /// The mean age of what is shown, from the start of the frame that would have shown it at once.
    pub latency_ms: f64,
    /// Steps in a frame.
    pub steps_per_frame: StepsPerFrame,
    /// Time that the simulation gave up.
    pub lost_ms: f64,
}

/// Steps in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct StepsPerFrame {
    /// The fewest.
    pub min: usize,
    /// The mean.
    pub mean: f64,
    /// The most.
    pub max: usize,
}

/// A picture that was on the screen. Times are in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Picture {
    /// When it was first to be seen.
    pub displayed: f64,
    /// The time that its picture shows.
    pub shown: f64,
}

impl Comparison {
    /// Compares all strategies and filters at a rate of steps, on a display; without one on that of the recording, or where
    /// it tells of none, on one with a variable rate that always keeps up.
    #[must_use]
    pub fn new(timeline: &Timeline, rate: Rate, display: Option<Display>) -> Self {
        let display = display.or_else(|| stand_in(timeline));
        let (deltas, shown) = (timeline.deltas(), shown(timeline, display));
        let pairs = Strategy::ALL
            .into_iter()
            .flat_map(|strategy| Filter::ALL.map(|filter| (strategy, filter)));
        // A locked step knows nothing of deltas.
        let useful = pairs.filter(|pair| pair.0 != Strategy::Locked || pair.1 == Filter::None);
        let mut outcomes: Vec<Outcome> = useful
            .map(|(strategy, filter)| Outcome::new(strategy, filter, &deltas, &shown, rate).0)
            .collect();
        outcomes.sort_by(|one, other| one.error_rms_ms.total_cmp(&other.error_rms_ms));
        Self {
            rate_hz: rate.as_hz_f64(),
            displayed: shown.iter().flatten().count(),
            dropped: shown.iter().filter(|shown| shown.is_none()).count(),
            repeated: display.map(|display| display.repeats(&shown)),
            recommended: Recommended::of(&outcomes, rate),
            outcomes,
        }
    }

    /// The outcome of a strategy with a filter; none of a locked step with a filter, which would do nothing.
    #[must_use]
    pub fn outcome(&self, strategy: Strategy, filter: Filter) -> Option<&Outcome> {
        let is_it = |outcome: &&Outcome| (outcome.strategy, outcome.filter) == (strategy, filter);
        self.outcomes.iter().find(is_it)
    }

    /// The pictures that were on the screen under one strategy with one filter, on what [`new`](Self::new) takes.
    #[must_use]
    pub fn pictures(
        timeline: &Timeline,
        rate: Rate,
        display: Option<Display>,
        strategy: Strategy,
        filter: Filter,
    ) -> Vec<Picture> {
        let shown = shown(timeline, display.or_else(|| stand_in(timeline)));
        Outcome::new(strategy, filter, &timeline.deltas(), &shown, rate).1
    }
}

/// The display of a recording that tells of none.
fn stand_in(timeline: &Timeline) -> Option<Display> {
    (!timeline.is_displayed()).then(|| Display::variable(1.0, 1000.0))
}

/// When each frame is shown, on a display or as it was recorded.
fn shown(timeline: &Timeline, display: Option<Display>) -> Vec<Option<f64>> {
    match display {
        Some(display) => {
            let ready: Vec<f64> = timeline.frames.iter().map(|frame| frame.ready).collect();
            display.show(&ready)
        }
        None => timeline.frames.iter().map(|frame| frame.displayed).collect(),
    }
}

impl Picture {
    /// By how much what a picture shows moved on more than the time at which it was shown, since one before; in seconds.
    #[must_use]
    pub fn error_since(self, before: Self) -> f64 {
        (self.shown - before.shown) - (self.displayed - before.displayed)
    }
}

impl Recommended {
    fn of(outcomes: &[Outcome], rate: Rate) -> Self {
        let strategy = Strategy::Interpolate;
        let interpolated = || outcomes.iter().filter(|outcome| outcome.strategy == strategy);
        let best = interpolated().next();
        let as_good = |filter: Filter| {
            let enough = best.map_or(0.0, |best| best.error_rms_ms + UNSEEN_MS);
            interpolated().find(|outcome| outcome.filter == filter && outcome.error_rms_ms <= enough)
        };
        let chosen = as_good(Filter::None).or_else(|| as_good(Filter::DisplayClock)).or(best);
        let filter = chosen.map_or(Filter::None, |outcome| outcome.filter);
        Self {
            strategy,
            filter,
            reason: chosen.map_or_else(String::new, |chosen| reason(outcomes, chosen)),
            code: code(filter, rate),
        }
    }
}

/// Why not what is more even than the chosen outcome.
fn reason(outcomes: &[Outcome], chosen: &Outcome) -> String {
    let is_seen = |outcome: &&Outcome| outcome.error_rms_ms + UNSEEN_MS < chosen.error_rms_ms;
    let mut prices: Vec<String> = Vec::new();
    for outcome in outcomes.iter().take_while(is_seen) {
        let price = format!("{}: {}", outcome.strategy, drawback(outcome.strategy));
        if !prices.contains(&price) {
            prices.push(price);
        }
    }
    if prices.is_empty() {
        return format!("nothing is more even by over {UNSEEN_MS} ms, and less is not seen");
    }
    format!("what is more even has a price: {}", prices.join("; "))
}

/// What a way of stepping and drawing costs, where it is more even than interpolation.
fn drawback(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Variable => "the game plays differently at every frame rate",
        Strategy::Locked => "the game's speed follows the frame rate",
        Strategy::Fixed => "at other frame rates it stutters, because it is drawn in whole steps",
        Strategy::Interpolate => "it is drawn a step late",
        Strategy::Extrapolate => "what stops or bounces is drawn too far, and then put back",
        Strategy::Hermite => "it needs the velocity of everything that is drawn",
        Strategy::Lookahead => "input acts a step later",
        Strategy::Fork => "every frame simulates a part of a step more, on a copy",
    }
}

fn code(filter: Filter, rate: Rate) -> String {
    let rate = match (rate.numer(), rate.denom()) {
        (hertz, 1) => format!("Rate::hz({hertz})"),
        (numer, denom) => format!("Rate::new({numer}, {denom})?"),
    };
    let filter = match filter {
        Filter::None => "()",
        Filter::Snap => "Snap::estimating()",
        Filter::Average => "MovingAverage::<4>::new()",
        Filter::DisplayClock => "DisplayClock::new()",
    };
    format!(
        "let mut filter = {filter};\n\
         let mut timestep = FixedTimestep::new({rate});\n\
         let smoothing = Smoothing::Interpolate;\n\
         // in every frame:\n\
         let frame = timestep.advance(filter.apply(delta));\n"
    )
}

impl Outcome {
    /// What becomes of the frames, and the pictures.
    fn new(
        strategy: Strategy,
        filter: Filter,
        deltas: &[Duration],
        shown: &[Option<f64>],
        rate: Rate,
    ) -> (Self, Vec<Picture>) {
        let (mut timestep, mut filtered) = (strategy.timestep(rate), filter.build());
        let mut orbit = Orbit::new(strategy, rate);
        let (mut pictures, mut steps, mut lost) = (Vec::new(), Distribution::default(), 0.0);
        for (index, (delta, displayed)) in deltas.iter().zip(shown).enumerate() {
            // The first frame has no delta that a filter could learn from.
            let delta = if index > 0 { filtered.apply(*delta) } else { *delta };
            let frame = timestep.advance(delta);
            steps.add(frame.steps().len() as f64);
            let given_up = frame.lost();
            lost += given_up.clamped.as_secs_f64() + given_up.dropped as f64 * rate.period_secs_f64();
            let shown = orbit.draw(&frame);
            // What is drawn a step late stands still in the first one.
            if frame.current_time().as_secs_f64() > 1.5 * rate.period_secs_f64() {
                pictures.extend(displayed.map(|displayed| Picture { displayed, shown }));
            }
        }
        let mut errors = Distribution::default();
        for pair in pictures.windows(2) {
            errors.add((pair[1].error_since(pair[0]) * 1e3).abs());
        }
        let ages = pictures.iter().map(|picture| picture.displayed - picture.shown);
        let or_zero = |value: f64| if value.is_finite() { value } else { 0.0 };
        let outcome = Self {
            strategy,
            filter,
            error_rms_ms: or_zero(errors.rms()),
            error_p99_ms: or_zero(errors.percentile(99.0)),
            error_max_ms: errors.max(),
            latency_ms: or_zero(1e3 * ages.sum::<f64>() / pictures.len() as f64),
            steps_per_frame: StepsPerFrame {
                min: or_zero(steps.percentile(0.0)) as usize,
                mean: or_zero(steps.mean()),
                max: steps.max() as usize,
            },
            lost_ms: lost * 1e3,
        };
        (outcome, pictures)
    }
}
