//! Arguments for the machines: mostly typical ones, now and then the worst possible.

use std::time::Duration;

use evenstep::{Overrun, Rate, TimeScale};
use proptest::prelude::*;

pub(crate) fn duration() -> impl Strategy<Value = Duration> {
    prop_oneof![
        6 => (0..50_000_000_u64).prop_map(Duration::from_nanos),
        2 => (0..400_u64).prop_map(Duration::from_millis),
        1 => (0..20_000_000_000_u64).prop_map(Duration::from_nanos),
        1 => (any::<u64>(), 0..1_000_000_000_u32).prop_map(|(secs, nanos)| Duration::new(secs, nanos)),
        1 => prop::sample::select(vec![Duration::ZERO, Duration::from_nanos(1), Duration::MAX]),
    ]
}

pub(crate) fn rate() -> impl Strategy<Value = Rate> {
    prop_oneof![
        4 => (1..1000_u32, 1..50_u32),
        2 => Just((60_000, 1_001)),
        2 => Just((100, 1)),
        1 => (1..=u32::MAX, 1..=u32::MAX),
        1 => prop::sample::select(vec![(u32::MAX, 1), (1, u32::MAX), (u32::MAX - 4, u32::MAX)]),
    ]
    .prop_map(|(numer, denom)| Rate::new(numer, denom).unwrap())
}

pub(crate) fn scale() -> impl Strategy<Value = TimeScale> {
    prop_oneof![
        6 => (0..20_u32, 1..20_u32),
        2 => Just((1, 1)),
        1 => (any::<u32>(), 1..=u32::MAX),
        1 => prop::sample::select(vec![(0, 1), (u32::MAX, 1), (1, u32::MAX), (u32::MAX - 4, u32::MAX)]),
    ]
    .prop_map(|(numer, denom)| TimeScale::new(numer, denom).unwrap())
}

pub(crate) fn overrun() -> impl Strategy<Value = Overrun> {
    prop_oneof![
        Just(Overrun::Drop),
        duration().prop_map(|max_backlog| Overrun::Carry { max_backlog }),
        scale().prop_map(|max_speed| Overrun::Stretch { max_speed }),
    ]
}

/// A number of steps.
pub(crate) fn steps() -> impl Strategy<Value = u32> {
    prop_oneof![6 => 0..20_u32, 1 => any::<u32>(), 1 => Just(u32::MAX)]
}
