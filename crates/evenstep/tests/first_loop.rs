//! The loop that we recommend first, on a display at exactly the rate of the steps: a frame ends where a step ends.

use std::time::Duration;

use evenstep::filter::DeltaFilter;
use evenstep::{FixedTimestep, FrameClock, Rate};

/// How many steps each of the frames has whose times are as good as nanoseconds can tell.
fn steps(rate: u32, mut clock: FrameClock<impl DeltaFilter>, frames: u64) -> Vec<usize> {
    let mut timestep = FixedTimestep::new(Rate::hz(rate));
    let mut frame = |n| {
        let now = Duration::from_nanos(n * 1_000_000_000 / u64::from(rate));
        timestep.advance(clock.begin_frame(now).delta).steps().len()
    };
    assert_eq!(frame(0), 0);
    (1..=frames).map(frame).collect()
}

#[test]
fn by_a_perfect_clock_alone_a_third_of_the_frames_at_60_hz_has_no_step_and_a_third_has_two() {
    let steps = steps(60, FrameClock::unfiltered(), 600);
    let count = |wanted| steps.iter().filter(|steps| **steps == wanted).count();
    assert_eq!([0, 1, 2].map(count), [200, 200, 200]);
}

#[test]
fn with_the_default_filter_every_frame_has_one_step_at_every_rate() {
    for rate in 24..=360 {
        let steps = steps(rate, FrameClock::new(), 400);
        let wrong = steps.iter().rposition(|steps| *steps != 1);
        assert!(wrong.is_none_or(|frame| frame < 100), "frame {wrong:?} at {rate} Hz");
    }
}
