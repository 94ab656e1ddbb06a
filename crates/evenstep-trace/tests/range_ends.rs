//! Calls with arguments at the ends of their ranges, as documented: nothing, the largest number, infinity and NaN.

use std::time::Duration;

use evenstep::Rate;
use evenstep_trace::live::{CurrentAnalysis, GrowingAnalysis, WatchedFile};
use evenstep_trace::simulate::{Comparison, SimulatedDisplay, Strategy};
use evenstep_trace::{Analysis, BadRows, SwapChain, SwapChainName, Trace, TraceError, write_frame_times};

const NOT_FINITE: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

fn displays() -> [SimulatedDisplay; 3] {
    let (slow, fast) = (Rate::new(1, u32::MAX).unwrap(), Rate::hz(u32::MAX));
    [
        SimulatedDisplay::fixed(slow),
        SimulatedDisplay::fixed(fast),
        SimulatedDisplay::variable(slow, fast),
    ]
}

#[test]
fn a_display_shows_frames_at_any_times_and_its_count_saturates() {
    for display in displays() {
        assert_eq!(display.show(&[]), []);
        for first in NOT_FINITE {
            let shown = display.show(&[first, 0.0, 1.0, f64::NAN, 1e300, f64::INFINITY]);
            assert!(
                shown.last().is_some_and(Option::is_some),
                "the newest is shown: {display:?}"
            );
            let _saturates = display.repeats(&shown);
        }
    }
    let apart = [Some(0.0), Some(1e300), Some(f64::INFINITY), Some(f64::INFINITY)];
    assert_eq!(SimulatedDisplay::fixed(Rate::hz(60)).repeats(&apart), u64::MAX);
}

#[test]
fn comparisons_accept_empty_and_the_longest_frames() {
    for deltas in [vec![], vec![Duration::ZERO; 3], vec![Duration::MAX; 3]] {
        let chain = SwapChain::new(SwapChainName::default(), deltas, vec![]);
        let displays = displays().map(Some).into_iter().chain([None]);
        for display in displays {
            let compared = Comparison::new(&chain, Rate::hz(60), display);
            let frames = chain.deltas.len();
            assert_eq!(compared.displayed + compared.dropped, frames, "{chain:?} {display:?}");
            let mut outcomes = compared.outcomes.iter();
            assert!(outcomes.any(|outcome| outcome.strategy == Strategy::Fixed));
        }
        let compared = Comparison::new(&chain, Rate::hz(1), "vrr".parse().ok());
        assert_eq!(compared.display, "a variable 40 to 240 Hz");
        let metrics = chain.metrics();
        assert_eq!(metrics.frames, chain.deltas.len());
        let _diagnosis = chain.diagnose();
    }
}

#[test]
fn the_longest_deltas_are_written_as_the_longest_that_can_be_read() {
    let mut file = Vec::new();
    write_frame_times(&mut file, &[Duration::MAX, Duration::ZERO]).unwrap();
    let trace = Trace::parse(file.as_slice(), "recording.csv", BadRows::Skip).unwrap();
    let deltas = &trace.main_chain().deltas;
    assert!(deltas[0] >= Duration::from_nanos(u64::MAX >> 1), "{deltas:?}");
    assert!(matches!(
        Trace::parse(&b""[..], "empty.csv", BadRows::Fail),
        Err(TraceError::Empty { .. })
    ));
    assert!(GrowingAnalysis::new("empty.csv", BadRows::Fail).complete().is_err());
}

#[test]
fn results_of_reading_can_be_sent_to_other_threads() {
    fn both<T: Send + Sync>() {}
    fn one<T: Send>() {}
    both::<Trace>();
    both::<Analysis>();
    both::<TraceError>();
    both::<CurrentAnalysis>();
    both::<Comparison>();
    one::<GrowingAnalysis>();
    one::<WatchedFile>();
}
