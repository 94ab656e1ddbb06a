//! Simulates what a game would look like on recorded frames, with each strategy and filter.

use std::time::Duration;

use evenstep::Rate;
use serde::Serialize;

use crate::measure::distribution::Distribution;
use crate::measure::metrics::DisplayedFrame;
use crate::read::trace::SwapChain;
use crate::simulate::display::SimulatedDisplay;
use crate::simulate::strategy::{Filter, Orbit, Strategy};
use crate::simulate::timeline::Timeline;

/// Differences of animation errors up to this, in milliseconds, are invisible: at 1 000 pixels a second, which is fast, they are a twentieth
/// of a pixel, and displays show no less than one.
pub const UNSEEN_MS: f64 = 0.05;

/// The measured motion of an object on a circle that is drawn on the frames of a program, with each strategy and filter. Serialised as JSON,
/// it is what `evenstep simulate --json` prints after the file's name.
///
/// ```
/// use evenstep::Rate;
/// use evenstep_trace::simulate::{Comparison, Filter, SimulatedDisplay, Strategy};
/// use evenstep_trace::{SwapChain, SwapChainName};
/// use std::time::Duration;
///
/// // A display at 60 Hz, and timestamps up to 1.5 ms late.
/// let read = |n: u64| Duration::from_nanos(n * 1_000_000_000 / 60) + Duration::from_micros(n * 7_919 % 1_500);
/// let deltas: Vec<Duration> = (1..20_000).map(|n| read(n) - read(n - 1)).collect();
/// let chain = SwapChain::new(SwapChainName::default(), deltas, vec![]);
/// let compared = Comparison::new(&chain, Rate::hz(60), Some(SimulatedDisplay::fixed(Rate::hz(60))));
/// assert_eq!(compared.recommended.filter, Filter::Default);
/// let drawn = compared.outcome(Strategy::Interpolate, Filter::Default).expect("it is among them");
/// assert!(drawn.error_rms_ms < 0.1);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Comparison {
    /// The name of the chain.
    pub chain: String,
    /// The number of the chain's frames.
    pub frames: usize,
    /// A description of the display in words.
    pub display: String,
    /// What the file does not state about the frames, and what is assumed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assumed: Option<&'static str>,
    /// Steps per second.
    pub rate_hz: f64,
    /// Frames that were displayed.
    pub displayed: usize,
    /// Frames that were never displayed.
    pub dropped: usize,
    /// How often a frame was displayed again because no new one was ready; `None` for recorded display times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeated: Option<u64>,
    /// Each strategy with each filter, the outcome with the smallest error first.
    pub outcomes: Vec<StrategyOutcome>,
    /// The recommended settings.
    pub recommended: Recommendation,
}

/// Recommended settings. The strategy is interpolation: it draws only states between simulated ones, and costs one step of latency. The
/// filter is the default one, unless what it improves is invisible: then it is no filter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Recommendation {
    /// The strategy of stepping and drawing.
    pub strategy: Strategy,
    /// The delta filter.
    pub filter: Filter,
    /// The reason: the drawbacks of the strategies with smaller errors.
    pub reason: String,
    /// The loop with these settings, as Rust code.
    pub code: String,
}

/// The result of one strategy with one filter.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StrategyOutcome {
    /// How the program steps and draws.
    pub strategy: Strategy,
    /// The delta filter.
    pub filter: Filter,
    /// The root mean square of the animation errors, in milliseconds. An animation error is how much more the time that a frame shows
    /// advanced than the time at which it is displayed.
    pub error_rms_ms: f64,
    /// The 95th percentile of the absolute animation errors, in milliseconds. The worst frames dominate the root mean square, not this.
    pub error_p95_ms: f64,
    /// The largest absolute animation error, in milliseconds.
    pub error_max_ms: f64,
    /// The mean age of the drawn state when it is displayed, in milliseconds.
    pub latency_ms: f64,
    /// The number of steps per frame.
    pub steps_per_frame: StepsPerFrame,
    /// Simulated time that was lost, in milliseconds.
    pub lost_ms: f64,
}

/// The number of steps per frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StepsPerFrame {
    /// The fewest.
    pub min: usize,
    /// The mean.
    pub mean: f64,
    /// The most.
    pub max: usize,
}

impl Comparison {
    /// The maximum number of steps per second. Simulating more takes too long with all strategies.
    pub const MAX_STEPS: f64 = 1e5;

    /// Compares all strategies and filters at a step rate, on a display. Without a display it uses the recorded display times, or, if
    /// there are none, a display with variable refresh that always keeps up.
    #[must_use]
    pub fn new(chain: &SwapChain, rate: Rate, display: Option<SimulatedDisplay>) -> Self {
        let timeline = Timeline::new(chain);
        let name = match &display {
            Some(display) => display.to_string(),
            None if timeline.is_displayed() => "the recorded display".to_owned(),
            None => "a variable rate that always keeps up".to_owned(),
        };
        let stand_in = || (!timeline.is_displayed()).then(|| SimulatedDisplay::variable(Rate::hz(1), Rate::hz(1000)));
        let display = display.or_else(stand_in);
        let deltas = timeline.deltas();
        let shown: Vec<Option<f64>> = match &display {
            Some(display) => display.show(&timeline.frames.iter().map(|frame| frame.ready).collect::<Vec<_>>()),
            None => timeline.frames.iter().map(|frame| frame.displayed).collect(),
        };
        let pairs = Strategy::ALL
            .into_iter()
            .flat_map(|strategy| Filter::ALL.map(|filter| (strategy, filter)));
        // A locked step ignores deltas.
        let useful = pairs.filter(|pair| pair.0 != Strategy::Locked || pair.1 == Filter::None);
        let mut outcomes: Vec<StrategyOutcome> = useful
            .map(|(strategy, filter)| StrategyOutcome::new(strategy, filter, &deltas, &shown, rate))
            .collect();
        outcomes.sort_by(|one, other| one.error_rms_ms.total_cmp(&other.error_rms_ms));
        Self {
            chain: chain.name.to_string(),
            frames: timeline.frames.len(),
            display: name,
            assumed: timeline.assumed,
            rate_hz: rate.as_hz_f64(),
            displayed: shown.iter().flatten().count(),
            dropped: shown.iter().filter(|shown| shown.is_none()).count(),
            repeated: display.map(|display| display.repeats(&shown)),
            recommended: Recommendation::choose(&outcomes, rate),
            outcomes,
        }
    }

    /// The outcome of a strategy with a filter. A locked step has no outcome with a filter, because it ignores deltas.
    #[must_use]
    pub fn outcome(&self, strategy: Strategy, filter: Filter) -> Option<&StrategyOutcome> {
        find(&self.outcomes, strategy, filter)
    }
}

impl Recommendation {
    fn choose(outcomes: &[StrategyOutcome], rate: Rate) -> Self {
        let strategy = Strategy::Interpolate;
        let of = |filter: Filter| find(outcomes, strategy, filter);
        let both = of(Filter::None).zip(of(Filter::Default));
        let is_as_good = both.is_none_or(|(none, default)| none.error_rms_ms <= default.error_rms_ms + UNSEEN_MS);
        let filter = if is_as_good { Filter::None } else { Filter::Default };
        Self {
            strategy,
            filter,
            reason: of(filter).map_or_else(String::new, |chosen| reason(outcomes, chosen)),
            code: code(filter, rate),
        }
    }
}

fn find(outcomes: &[StrategyOutcome], strategy: Strategy, filter: Filter) -> Option<&StrategyOutcome> {
    let is_it = |outcome: &&StrategyOutcome| (outcome.strategy, outcome.filter) == (strategy, filter);
    outcomes.iter().find(is_it)
}

/// The reason why outcomes with smaller errors than the chosen one were not chosen.
fn reason(outcomes: &[StrategyOutcome], chosen: &StrategyOutcome) -> String {
    let is_seen = |outcome: &&StrategyOutcome| outcome.error_rms_ms + UNSEEN_MS < chosen.error_rms_ms;
    let mut prices: Vec<String> = Vec::new();
    for outcome in outcomes.iter().take_while(is_seen) {
        let strategy = outcome.strategy;
        // Of the chosen strategy, it is another filter that is more even.
        let name = match strategy == chosen.strategy {
            true => format!("{strategy} with {}", outcome.filter),
            false => strategy.to_string(),
        };
        let price = format!("{name}: {}", drawback(strategy));
        if !prices.contains(&price) {
            prices.push(price);
        }
    }
    if prices.is_empty() {
        return format!("nothing is more even by over {UNSEEN_MS} ms, and less is not visible");
    }
    format!("the more even outcomes have drawbacks: {}", prices.join("; "))
}

/// The drawback of a strategy that is more even than the recommended one. For interpolation, which is what is recommended, it is the drawback of
/// another filter than the default one.
fn drawback(strategy: Strategy) -> &'static str {
    match strategy {
        Strategy::Variable => "the game plays differently at every frame rate",
        Strategy::Locked => "the game's speed follows the frame rate",
        Strategy::Fixed => "at other frame rates it stutters, because it is drawn in whole steps",
        Strategy::Interpolate => {
            "in 50 recordings of games the 95th percentile of the error was larger than with the default filter"
        }
        Strategy::Extrapolate => "an object that stops or bounces is drawn too far, and then moved back",
        Strategy::Hermite => "it needs the velocity of everything that is drawn",
        Strategy::Lookahead => "input acts a step later",
        Strategy::Fork => "every frame also simulates a part of a step, on a copy",
    }
}

/// A loop that steps, and draws between steps.
fn code(filter: Filter, rate: Rate) -> String {
    let rate = match (rate.numer(), rate.denom()) {
        (hertz, 1) => format!("Rate::hz({hertz})"),
        (numer, denom) => format!("Rate::new({numer}, {denom})?"),
    };
    let clock = if filter == Filter::None {
        "FrameClock::unfiltered()"
    } else {
        "FrameClock::new()"
    };
    format!(
        "let mut clock = {clock};\n\
         let mut timestep = FixedTimestep::new({rate});\n\
         let mut state = Smoothed::new(first_state);\n\
         // in every frame:\n\
         let frame = timestep.advance(clock.begin_frame(now).delta);\n\
         for step in frame.steps() {{\n    \
             state.step(|state| simulate(state, step.dt));\n\
         }}\n\
         draw(state.at(frame.alpha()));\n"
    )
}

impl StrategyOutcome {
    /// Simulates one strategy with one filter.
    fn new(strategy: Strategy, filter: Filter, deltas: &[Duration], shown: &[Option<f64>], rate: Rate) -> Self {
        let mut filtered = filter.build();
        let mut orbit = Orbit::new(strategy, rate);
        // Absolute animation errors in milliseconds; what is not finite, because a time is not, is left out.
        let (mut errors, mut last) = (Distribution::default(), None::<DisplayedFrame>);
        let (mut ages, mut displayed_frames) = (0.0, 0_u32);
        let (mut steps, mut lost) = (Distribution::default(), 0.0);
        // Motion that is drawn a step late stands still during the first step. By the recording's clock, so that each filter is measured
        // from the same frame on.
        let (mut elapsed, start) = (Duration::ZERO, Duration::from_secs_f64(2.5 * rate.period_secs_f64()));
        for (index, (delta, displayed)) in deltas.iter().zip(shown).enumerate() {
            elapsed = elapsed.saturating_add(*delta);
            // The first frame has no delta from which a filter could learn.
            let delta = if index > 0 { filtered.apply(*delta) } else { *delta };
            let frame = orbit.advance(delta);
            steps.add(frame.steps as f64);
            lost += frame.lost;
            if let (Some(displayed), true) = (*displayed, elapsed > start) {
                let shown = frame.shown;
                let now = DisplayedFrame { displayed, shown };
                let error = last.replace(now).map(|last| now.error_since(last).abs());
                if let Some(error) = error.filter(|error| error.is_finite()) {
                    errors.add(1e3 * error);
                }
                ages += displayed - shown;
                displayed_frames += 1;
            }
        }
        let latency_ms = 1e3 * ages / f64::from(displayed_frames);
        Self {
            strategy,
            filter,
            error_rms_ms: errors.rms(),
            error_p95_ms: errors.percentile(95.0),
            error_max_ms: errors.max(),
            latency_ms: if latency_ms.is_finite() { latency_ms } else { 0.0 },
            steps_per_frame: StepsPerFrame {
                min: steps.percentile(0.0) as usize,
                mean: steps.mean(),
                max: steps.max() as usize,
            },
            lost_ms: lost * 1e3,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(strategy: Strategy, filter: Filter, error_rms_ms: f64) -> StrategyOutcome {
        StrategyOutcome {
            strategy,
            filter,
            error_rms_ms,
            error_p95_ms: 0.0,
            error_max_ms: 0.0,
            latency_ms: 0.0,
            steps_per_frame: StepsPerFrame {
                min: 1,
                mean: 1.0,
                max: 1,
            },
            lost_ms: 0.0,
        }
    }

    #[test]
    fn the_default_filter_is_recommended_if_what_it_improves_is_visible() {
        for (unfiltered, filter) in [(0.25, Filter::None), (0.26, Filter::Default), (0.1, Filter::None)] {
            let outcomes = [(Filter::Default, 0.2), (Filter::None, unfiltered)]
                .map(|(filter, error)| outcome(Strategy::Interpolate, filter, error));
            let found = Recommendation::choose(&outcomes, Rate::hz(60));
            assert_eq!(
                (found.strategy, found.filter),
                (Strategy::Interpolate, filter),
                "{unfiltered} ms"
            );
        }
    }

    #[test]
    fn each_strategy_that_is_visibly_more_even_is_named_once_with_a_drawback_of_its_own() {
        let chosen = outcome(Strategy::Interpolate, Filter::None, 1.0);
        let others = Strategy::ALL
            .into_iter()
            .filter(|other| *other != Strategy::Interpolate);
        let mut drawbacks = Vec::new();
        for other in others {
            for (error, is_named) in [(0.94, true), (0.96, false)] {
                let [none, default] = [Filter::None, Filter::Default].map(|filter| outcome(other, filter, error));
                let said = reason(&[none, default, chosen.clone()], &chosen);
                let expected = format!("the more even outcomes have drawbacks: {other}: {}", drawback(other));
                assert_eq!(said == expected, is_named, "{said}");
                assert_eq!(
                    said.starts_with("nothing is more even by over 0.05 ms"),
                    !is_named,
                    "{said}"
                );
            }
            assert!(!drawbacks.contains(&drawback(other)), "{other}");
            drawbacks.push(drawback(other));
        }
    }

    #[test]
    fn a_filter_with_which_the_recommended_strategy_is_visibly_more_even_is_named_with_it() {
        let outcomes = [
            (Filter::Average, 0.5),
            (Filter::Snap, 0.6),
            (Filter::Default, 1.0),
            (Filter::None, 1.2),
        ]
        .map(|(filter, error)| outcome(Strategy::Interpolate, filter, error));
        let found = Recommendation::choose(&outcomes, Rate::hz(60));
        assert_eq!(found.filter, Filter::Default);
        let drawback = drawback(Strategy::Interpolate);
        let expected = ["average", "snap"].map(|filter| format!("interpolate with {filter}: {drawback}"));
        assert_eq!(
            found.reason,
            format!("the more even outcomes have drawbacks: {}", expected.join("; "))
        );
    }
}
