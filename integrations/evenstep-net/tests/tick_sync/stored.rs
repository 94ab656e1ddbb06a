//! A `TickSync` that is stored in the middle of a run and read back continues with the same results; a state that no run leads to is an error.

use std::time::Duration;

use evenstep::{Rate, SimDuration, TimeScale};
use evenstep_net::{InputReport, Pong, TickSync};
use proptest::prelude::*;

proptest! {
    #[test]
    fn a_stored_tick_synchronisation_continues_with_the_same_results(trips in prop::collection::vec(1..90_u64, 200), at in 0..200_usize) {
        let rate = Rate::hz(60);
        let mut both = [TickSync::new(rate).with_margin(Duration::from_millis(2)), TickSync::new(rate)];
        both[1] = both[0].clone();
        for (frame, trip) in trips.iter().enumerate() {
            if frame == at {
                both[1] = serde_json::from_str(&serde_json::to_string(&both[0]).unwrap()).unwrap();
                prop_assert_eq!(&both[0], &both[1]);
            }
            let now = Duration::from_nanos(1_000_000_000 / 60 * frame as u64);
            let pong = Pong {
                sent: now.saturating_sub(Duration::from_millis(*trip)),
                received: now + Duration::from_millis(1_000 - trip / 2),
                replied: now + Duration::from_millis(1_000 - trip / 2),
                arrived: now,
                simulated: now + Duration::from_millis(500 - trip / 2),
            };
            let report = InputReport { tick: frame as u64 + 20, early: 3_000_000 - (*trip as i64) * 100_000 };
            let [one, other] = both.each_mut().map(|sync| {
                let answer = sync.advance(now, frame as u64, SimDuration::ZERO, TimeScale::NORMAL);
                (answer, sync.observe_pong(pong), sync.observe_input(report), sync.early(), sync.tick(frame as u64))
            });
            prop_assert_eq!(one, other);
        }
        prop_assert_eq!(&both[0], &both[1]);
    }
}

#[test]
fn numbers_that_no_run_leads_to_are_refused() {
    let sync = TickSync::new(Rate::hz(60));
    let why = refusal(&sync, |json| json["settings"]["max_slew"] = 5_000.into());
    assert!(why.contains("settings"), "{why}");
    let why = refusal(&sync, |json| json["reports"]["recent"]["next"] = 99.into());
    assert!(why.contains("samples"), "{why}");
    let why = refusal(&sync, |json| json["sent"]["group"] = 0.into());
    assert!(why.contains("samples"), "{why}");
}

fn refusal(sync: &TickSync, change: impl FnOnce(&mut serde_json::Value)) -> String {
    let mut json = serde_json::to_value(sync).unwrap();
    change(&mut json);
    serde_json::from_value::<TickSync>(json)
        .expect_err("it is refused")
        .to_string()
}
