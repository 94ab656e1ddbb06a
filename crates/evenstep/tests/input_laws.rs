//! The law of `InputQueue` for any events.

use std::time::Duration;

use evenstep::input::{InputCounts, InputQueue};
use evenstep::{FixedTimestep, FrameClock, Rate};
use proptest::prelude::*;

const MS: u64 = 1_000_000;

proptest! {
    #[test]
    fn an_event_belongs_to_the_step_whose_interval_contains_its_time_at_every_frame_rate(
        (numer, denom) in prop_oneof![Just((60, 1)), Just((60_000, 1_001)), (1..400_u32, 1..7_u32)],
        mut times in prop::collection::vec(0..2_000 * MS, 1..60),
        deltas in prop::collection::vec(1..100 * MS, 1..40),
    ) {
        times.sort_unstable();
        let mut timestep = FixedTimestep::new(Rate::new(numer, denom).unwrap()).with_max_steps(u32::MAX);
        let (mut clock, mut input) = (FrameClock::unfiltered(), InputQueue::new(1000));
        clock.begin_frame(Duration::ZERO);
        let (mut now, mut delivered) = (0, 0);
        let mut waiting = times.iter().copied().peekable();
        for delta in deltas.iter().cycle() {
            now += delta;
            while let Some(time) = waiting.next_if(|time| *time < now) {
                input.push_at(Duration::from_nanos(time), time);
            }
            let time = clock.begin_frame(Duration::from_nanos(now));
            let frame = timestep.advance(time.delta);
            input.begin_frame(&time, &frame);
            for step in frame.steps() {
                while let Some(at) = input.next(&step) {
                    let expected = u128::from(at) * u128::from(numer) / (u128::from(denom) * 1_000_000_000);
                    prop_assert_eq!(u128::from(step.tick), expected, "{} ns", at);
                    delivered += 1;
                }
            }
            if delivered == times.len() {
                break;
            }
        }
        prop_assert_eq!(input.counts(), InputCounts::default());
    }
}
