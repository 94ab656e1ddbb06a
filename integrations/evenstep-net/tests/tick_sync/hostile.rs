//! Arbitrary and hostile messages.

use std::time::Duration;

use evenstep::{Rate, Tick, TimeScale};
use evenstep_net::{InputReport, Pong, TickSync};
use proptest::prelude::*;

fn any_time() -> impl Strategy<Value = Duration> {
    prop_oneof![
        6 => (0..2_000_000_000_u64).prop_map(Duration::from_nanos),
        1 => prop::sample::select(vec![Duration::ZERO, Duration::MAX]),
        1 => (any::<u64>(), 0..1_000_000_000_u32).prop_map(|(secs, nanos)| Duration::new(secs, nanos)),
    ]
}

fn any_tick() -> impl Strategy<Value = Tick> {
    prop_oneof![6 => 0..200_u64, 1 => any::<Tick>(), 1 => Just(Tick::MAX)]
}

#[derive(Clone, Debug)]
enum Call {
    Pong(Pong),
    Input(InputReport),
    Advance(Duration, Tick, Duration, TimeScale),
}

fn any_call() -> impl Strategy<Value = Call> {
    let scale = prop_oneof![
        4 => Just(TimeScale::NORMAL),
        1 => Just(TimeScale::PAUSED),
        2 => (any::<u32>(), 1..=u32::MAX).prop_map(|(numer, denom)| TimeScale::new(numer, denom).unwrap()),
        1 => prop::sample::select(vec![TimeScale::new(1, u32::MAX).unwrap(), TimeScale::new(u32::MAX, 1).unwrap()]),
    ];
    let pong = (any_time(), any_time(), any_time(), any_time(), any_time());
    prop_oneof![
        3 => pong.prop_map(|(sent, received, replied, arrived, simulated)| {
            Call::Pong(Pong { sent, received, replied, arrived, simulated })
        }),
        2 => (any_time(), any_time(), 0..50_000_000_u64).prop_map(|(sent, simulated, way)| {
            let arrived = sent.saturating_add(Duration::from_nanos(way));
            Call::Pong(Pong { sent, arrived, simulated, ..Pong::default() })
        }),
        3 => (any_tick(), any::<i64>()).prop_map(|(tick, early)| Call::Input(InputReport { tick, early })),
        2 => (any_tick(), -90_000_000..90_000_000_i64).prop_map(|(tick, early)| Call::Input(InputReport { tick, early })),
        6 => (any_time(), any_tick(), any_time(), scale).prop_map(|(now, tick, over, game)| Call::Advance(now, tick, over, game)),
    ]
}

proptest! {
    #[test]
    fn after_any_message_nothing_panics_ticks_never_go_back_and_the_rate_keeps_its_bound(
        calls in prop::collection::vec(any_call(), 1..150),
        rate in (1..=u32::MAX, 1..=u32::MAX),
        margin in any_time(),
    ) {
        let rate = Rate::new(rate.0, rate.1).unwrap();
        let new = || TickSync::new(rate).with_margin(margin);
        // The correction after a change of the time scale, and the pace of a clock that is wrong by 3 %.
        let fastest = 1.23 + 1e-9;
        let (mut sync, mut twin, mut last) = (new(), new(), (0, None));
        for call in calls {
            match call {
                Call::Pong(pong) => prop_assert_eq!(sync.observe_pong(pong), twin.observe_pong(pong)),
                Call::Input(report) => prop_assert_eq!(sync.observe_input(report), twin.observe_input(report)),
                Call::Advance(now, tick, over, game) => {
                    let adjustment = sync.advance(now, tick, over.into(), game);
                    prop_assert_eq!(adjustment, twin.advance(now, tick, over.into(), game), "the same log");
                    prop_assert!((0.1..=fastest).contains(&adjustment.slew.as_f64()), "{:?}", adjustment);
                    prop_assert!(!game.is_paused() || adjustment.speed.is_paused());
                    prop_assert!(sync.tick(tick) >= last.1, "{:?} after {:?}", sync.tick(tick), last);
                    last = (tick, sync.tick(tick));
                }
            }
            prop_assert_eq!(sync.early(), twin.early());
        }
    }
}
