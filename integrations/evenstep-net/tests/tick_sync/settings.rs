//! The ends of the ranges of settings and of reports.

use std::time::Duration;

use evenstep::{FixedTimestep, Rate, SimTime, Tick, TimeScale};
use evenstep_net::{Adjustment, InputReport, Pong, TickSync};

const MS: Duration = Duration::from_millis(1);

/// What a client whose way to the server has become 120 ms longer is asked for.
fn asked_for_when_late(mut sync: TickSync) -> Adjustment {
    let mut timestep = FixedTimestep::new(Rate::hz(60));
    let mut now = Duration::ZERO;
    let mut last = None;
    for number in 0..600 {
        now += MS * 10;
        let frame = timestep.advance(MS * 10);
        last = Some(sync.advance(now, frame.tick(), frame.overstep(), TimeScale::NORMAL));
        let there_and_back = if number < 60 { MS * 20 } else { MS * 140 };
        sync.observe_pong(Pong {
            sent: now.saturating_sub(there_and_back),
            received: now,
            replied: now,
            arrived: now,
            simulated: now,
        });
    }
    last.unwrap()
}

#[test]
fn the_settings_of_a_tick_synchronisation_count_as_the_nearest_that_it_can_use() {
    let of = |numer, denom| TimeScale::new(numer, denom).unwrap();
    for (asked, most) in [
        (TimeScale::PAUSED, of(1001, 1000)),
        (TimeScale::NORMAL, of(1001, 1000)),
        (of(u32::MAX, 1), of(11, 10)),
    ] {
        let sync = TickSync::new(Rate::hz(60)).with_max_slew(asked);
        assert_eq!(asked_for_when_late(sync).slew, most, "{asked:?}");
    }
    assert_eq!(asked_for_when_late(TickSync::new(Rate::hz(60))).slew, of(51, 50));
    let all = TickSync::new(Rate::hz(60)).with_tolerance(1, 1);
    assert_eq!(all.clone().with_tolerance(9, 1), all);
    assert_eq!(all.clone().with_tolerance(9, 0), all.clone().with_tolerance(0, 1));
    let longest = Duration::from_nanos(1 << 60);
    assert_eq!(all.clone().with_margin(Duration::MAX), all.clone().with_margin(longest));
}

#[test]
fn reports_of_inputs_saturate_and_a_pause_has_none() {
    let (slowest, fastest) = (Rate::new(1, u32::MAX).unwrap(), Rate::hz(u32::MAX));
    let (slow, fast) = (
        TimeScale::new(1, u32::MAX).unwrap(),
        TimeScale::new(u32::MAX, 1).unwrap(),
    );
    let early =
        |tick, rate, simulated, scale| InputReport::on_arrival(tick, rate, simulated, scale).map(|report| report.early);
    assert_eq!(early(Tick::MAX, slowest, SimTime::ZERO, slow), Some(i64::MAX));
    assert_eq!(early(0, fastest, SimTime::at(Duration::MAX), slow), Some(i64::MIN));
    assert_eq!(early(0, Rate::hz(100), SimTime::ZERO, fast), Some(0));
    assert_eq!(early(0, Rate::hz(100), SimTime::ZERO, TimeScale::PAUSED), None);
}

#[test]
fn a_tick_synchronisation_is_send_and_sync() {
    fn both<T: Send + Sync>() {}
    both::<TickSync>();
}
