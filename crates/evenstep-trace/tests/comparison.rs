//! Comparisons of strategies and filters whose results are known.

use std::time::Duration;

use evenstep::Rate;
use evenstep_evaluation::Noise;
use evenstep_trace::simulate::{Comparison, Filter, SimulatedDisplay, Strategy, StrategyOutcome};
use evenstep_trace::{SwapChain, SwapChainName};

const SIXTY: Rate = Rate::hz(60);

fn even(hertz: f64, frames: usize) -> Vec<Duration> {
    vec![Duration::from_secs_f64(1.0 / hertz); frames]
}

fn chain(deltas: &[Duration]) -> SwapChain {
    SwapChain::new(SwapChainName::default(), deltas.to_vec(), vec![])
}

fn compare(deltas: &[Duration], display: SimulatedDisplay) -> Comparison {
    Comparison::new(&chain(deltas), SIXTY, Some(display))
}

fn outcome(compared: &Comparison, strategy: Strategy, filter: Filter) -> &StrategyOutcome {
    compared.outcome(strategy, filter).unwrap()
}

#[test]
fn sixty_frames_on_sixty_hertz_are_drawn_without_error() {
    let compared = compare(&even(60.0, 600), SimulatedDisplay::fixed(SIXTY));
    assert_eq!((compared.dropped, compared.repeated), (0, Some(0)));
    for strategy in [
        Strategy::Variable,
        Strategy::Locked,
        Strategy::Interpolate,
        Strategy::Fork,
    ] {
        let outcome = outcome(&compared, strategy, Filter::None);
        assert!(outcome.error_max_ms < 0.001, "{strategy}: {}", outcome.error_max_ms);
    }
}

#[test]
fn fifty_five_frames_on_sixty_hertz_beat_five_times_a_second() {
    let compared = compare(&even(55.0, 1100), SimulatedDisplay::fixed(SIXTY));
    // Ten frames of a refresh each, then one of two.
    assert_eq!(compared.repeated, Some(100));
    let (frame, refresh) = (1e3 / 55.0, 1e3 / 60.0);
    let [usual, beat] = [frame - refresh, frame - 2.0 * refresh];
    let variable = outcome(&compared, Strategy::Variable, Filter::None);
    assert!((variable.error_max_ms + beat).abs() < 1e-3, "{variable:?}");
    let closed = ((10.0 * usual * usual + beat * beat) / 11.0).sqrt();
    assert!((variable.error_rms_ms / closed - 1.0).abs() < 0.01, "{variable:?}");
}

#[test]
fn one_frame_of_twice_the_length_is_one_error_of_a_refresh_or_two() {
    let mut deltas = even(60.0, 600);
    deltas[300] *= 2;
    let compared = compare(&deltas, SimulatedDisplay::fixed(SIXTY));
    // A locked step never compensates for the long frame. A program that reads the clock compensates in the next frame.
    for (strategy, errors) in [(Strategy::Locked, 1.0), (Strategy::Variable, 2.0)] {
        let outcome = outcome(&compared, strategy, Filter::None);
        let squares = 600.0 * outcome.error_rms_ms.powi(2) * (60.0 / 1e3_f64).powi(2);
        assert!((squares / errors - 1.0).abs() < 0.01, "{outcome:?}");
    }
}

#[test]
fn the_error_of_a_noisy_clock_matches_its_closed_form() {
    let most = 1.0;
    let deltas = Noise::Uniform(most).deltas(60.0, 3, 20_000);
    let compared = compare(&deltas, SimulatedDisplay::fixed(SIXTY));
    assert_eq!(compared.repeated, Some(0));
    // The difference of two uniform errors: its root mean square is √(2/3) of the largest error.
    let rms = outcome(&compared, Strategy::Variable, Filter::None).error_rms_ms;
    let closed = most * (2.0_f64 / 3.0).sqrt();
    assert!((rms / closed - 1.0).abs() < 0.02, "{rms} for {closed}");
    let clock = outcome(&compared, Strategy::Interpolate, Filter::Default).error_rms_ms;
    assert!(clock < rms / 10.0, "{clock}");
}

#[test]
fn a_variable_rate_shows_even_frames_without_error() {
    for hertz in [48.0, 71.3, 120.0] {
        let deltas = even(hertz, 600);
        let compared = Comparison::new(&chain(&deltas), SIXTY, None);
        let outcome = outcome(&compared, Strategy::Interpolate, Filter::None);
        assert!(outcome.error_max_ms < 0.001, "{hertz} Hz: {}", outcome.error_max_ms);
    }
}

#[test]
fn fixed_steps_without_smoothing_jump_and_smoothing_costs_a_step_of_latency() {
    let deltas = even(144.0, 2_000);
    let compared = compare(&deltas, SimulatedDisplay::fixed(Rate::hz(144)));
    let of = |strategy| outcome(&compared, strategy, Filter::None);
    assert!(of(Strategy::Fixed).error_rms_ms > 5.0);
    assert!(of(Strategy::Interpolate).error_rms_ms < 0.01);
    let late = of(Strategy::Interpolate).latency_ms - of(Strategy::Lookahead).latency_ms;
    assert!((late - 1e3 / 60.0).abs() < 0.1, "{late}");
    assert_eq!(
        (
            of(Strategy::Locked).steps_per_frame.min,
            of(Strategy::Fixed).steps_per_frame.max
        ),
        (1, 1)
    );
}

#[test]
fn a_drawing_that_is_never_displayed_has_no_latency() {
    let compared = compare(&even(60.0, 1), SimulatedDisplay::fixed(SIXTY));
    let latency = outcome(&compared, Strategy::Interpolate, Filter::None).latency_ms;
    assert_eq!(latency.to_bits(), 0.0_f64.to_bits(), "{latency:?}");
}

#[test]
fn the_recommendation_names_the_drawbacks_of_every_more_even_strategy() {
    // Uneven frames are most visible with fixed steps that are drawn late. One step per frame follows them.
    let deltas = Noise::Normal(3.0).deltas(60.0, 1, 5_000);
    let compared = compare(&deltas, SimulatedDisplay::variable(Rate::hz(1), Rate::hz(1000)));
    let chosen = outcome(&compared, compared.recommended.strategy, compared.recommended.filter);
    let evener = || {
        let outcomes = compared.outcomes.iter();
        outcomes.filter(|outcome| outcome.error_rms_ms + 0.05 < chosen.error_rms_ms)
    };
    assert!(evener().count() > 0, "no outcome is more even");
    for outcome in evener() {
        let named = format!("{}: ", outcome.strategy);
        assert_eq!(compared.recommended.reason.matches(&named).count(), 1, "{named}");
    }
    let compared = compare(&even(60.0, 600), SimulatedDisplay::fixed(SIXTY));
    assert!(compared.recommended.reason.starts_with("nothing is more even"));
}

#[test]
fn the_recommended_settings_are_code() {
    let compared = compare(
        &Noise::Normal(0.5).deltas(60.0, 1, 20_000),
        SimulatedDisplay::fixed(SIXTY),
    );
    let code = compared.recommended.code;
    // All that was recommended: the filter, the rate, and drawing between steps.
    for part in [
        "FrameClock::new()",
        "Rate::hz(60)",
        "state.step(",
        "draw(state.at(frame.alpha()))",
    ] {
        assert!(code.contains(part), "{code}");
    }
}
