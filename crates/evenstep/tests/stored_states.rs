//! A state that is stored in the middle of a run and read back continues with the same results; a state that no run leads to is an error.

use std::time::Duration;

use evenstep::filter::FrameClock;
use evenstep::follow::{Follower, Look};
use evenstep::input::{InputBuffer, InputEvent, InputQueue};
use evenstep::schedule::Schedule;
use evenstep::{FixedTimestep, Overrun, Rate, SimTime, Step, TimeScale};
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

fn stored<T: Serialize + DeserializeOwned>(value: &T) -> T {
    serde_json::from_str(&serde_json::to_string(value).unwrap()).unwrap()
}

fn refusal<T: Serialize + DeserializeOwned>(value: &T, change: impl FnOnce(&mut serde_json::Value)) -> String {
    let mut json = serde_json::to_value(value).unwrap();
    change(&mut json);
    serde_json::from_value::<T>(json)
        .err()
        .expect("it is refused")
        .to_string()
}

/// Deltas of frames, with pauses and stalls.
fn deltas() -> impl Strategy<Value = Vec<Duration>> {
    let delta = prop_oneof![8 => 0..40_000_000_u64, 1 => 0..2_000_000_000_u64].prop_map(Duration::from_nanos);
    prop::collection::vec(delta, 1..60)
}

proptest! {
    #[test]
    fn a_stored_schedule_continues_with_the_same_results(deltas in deltas(), at in 0..60_usize, scale in (1..9_u32, 1..9_u32)) {
        let mut schedule = Schedule::new();
        schedule.set_overrun(Overrun::Carry { max_backlog: Duration::from_secs(1) });
        let ids = [schedule.add(Rate::hz(60)), schedule.add_with_phase(Rate::new(25, 7).unwrap(), Duration::from_millis(3))];
        schedule.set_max_advance(Duration::from_millis(100));
        let mut restored = schedule.clone();
        for (frame, delta) in deltas.iter().enumerate() {
            if frame == at {
                schedule.set_time_scale(TimeScale::new(scale.0, scale.1).unwrap());
                let _ = schedule.next_step();
                restored = stored(&schedule);
                prop_assert_eq!(&restored, &schedule);
                prop_assert_eq!(restored.refuse(), schedule.refuse());
            }
            let both = [&mut schedule, &mut restored];
            let [one, other] = both.map(|schedule| {
                let lost = schedule.advance(*delta);
                let steps: Vec<_> = std::iter::from_fn(|| schedule.next_step()).collect();
                (lost, steps, ids.map(|id| (schedule.tick(id), schedule.alpha(id).map(f64::to_bits))))
            });
            if frame >= at {
                prop_assert_eq!(one, other);
            }
        }
    }

    #[test]
    fn restored_input_continues_with_the_same_results(
        deltas in deltas(), keys in prop::collection::vec((0..5_u8, 0..60_000_000_u64), 60), at in 0..60_usize, keeps_pauses: bool,
    ) {
        let (mut clock, mut timestep) = (FrameClock::unfiltered(), FixedTimestep::new(Rate::hz(50)));
        clock.begin_frame(Duration::ZERO);
        let input = InputBuffer::new(8);
        let input = if keeps_pauses { input.keep_pauses() } else { input };
        let mut both = [input.clone(), input];
        let mut now = Duration::ZERO;
        for (frame, delta) in deltas.iter().enumerate() {
            now += *delta;
            for (key, after) in &keys[..frame.min(7)] {
                let event = match key {
                    0 => InputEvent::ReleaseAll,
                    1 => InputEvent::Motion([1.0, -0.5]),
                    2 => InputEvent::Release(*key),
                    _ => InputEvent::Press(*key),
                };
                both.iter_mut().for_each(|input| input.push(now + Duration::from_nanos(*after), event));
            }
            if frame == at {
                both[1] = stored(&both[0]);
            }
            let time = clock.begin_frame(now);
            let granted = timestep.advance(time.delta);
            for input in &mut both {
                input.begin_frame(&time, &granted);
            }
            for step in granted.steps() {
                let [one, other] = both.each_mut().map(|input| input.controls(&step).clone());
                prop_assert_eq!(one, other);
            }
            prop_assert_eq!(&both[0], &both[1]);
        }
    }

    #[test]
    fn times_are_stored_as_they_are_counted(ticks: u64, numer in 1..u32::MAX, denom in 1..u32::MAX) {
        let rate = Rate::new(numer, denom).unwrap();
        let (time, apart) = (SimTime::at_tick(ticks, rate), SimTime::at_tick(ticks, rate) - SimTime::at_tick(ticks / 3, Rate::hz(7)));
        prop_assert_eq!(stored(&time), time);
        prop_assert_eq!(stored(&apart), apart);
        prop_assert_eq!(stored(&time) - SimTime::at_tick(1, rate), time - SimTime::at_tick(1, rate));
        prop_assert_eq!(stored(&(time + apart)), time + apart);
    }
}

#[test]
fn a_restored_camera_and_look_continue_with_the_same_results() {
    // Eighths are numbers that every decimal text has exactly.
    let mut camera =
        Follower::new([0.0, 0.5, 8.0]).with_limits([-4.0, f64::NEG_INFINITY, 0.0], [4.0, 2.0, f64::INFINITY]);
    camera.set_dead_zone(0.25);
    camera.step([1.0, 1.5, 2.0], 0.125);
    let mut restored = stored(&camera);
    assert_eq!(restored, camera);
    for camera in [&mut camera, &mut restored] {
        camera.step([9.0, 9.0, -9.0], 0.125);
    }
    assert_eq!((restored, camera.at(1.0)), (camera, [4.0, 2.0, 0.0]));

    let ms = Duration::from_millis;
    let (mut clock, mut timestep, mut look) =
        (FrameClock::unfiltered(), FixedTimestep::new(Rate::hz(100)), Look::new());
    clock.begin_frame(ms(0));
    look.turn(ms(4), 0.25, 0.0);
    look.turn(ms(12), 0.5, 0.125);
    let time = clock.begin_frame(ms(15));
    let frame = timestep.advance(time.delta);
    look.begin_frame(&time, &frame);
    let mut restored: Look = stored(&look);
    assert_eq!(restored, look);
    for step in frame.steps().chain([Step::new(1, Rate::hz(100))]) {
        assert_eq!(restored.step(&step), look.step(&step));
    }
    assert_eq!(restored, look);
}

#[test]
fn numbers_that_no_run_leads_to_are_refused() {
    let mut schedule = Schedule::new();
    schedule.add(Rate::hz(60));
    let _ = schedule.advance(Duration::from_millis(20));
    let _ = schedule.next_step();
    let why = refusal(&schedule, |json| json["last"]["index"] = 7.into());
    assert!(why.contains("of no task"), "{why}");
    let why = refusal(&schedule, |json| json["arrived"]["from"] = u64::MAX.into());
    assert!(why.contains("impossible"), "{why}");
    let why = refusal(&schedule, |json| json["clock"]["rate"] = serde_json::json!([2, 1]));
    assert!(why.contains("count nanoseconds"), "{why}");
    let why = refusal(&SimTime::at_tick(1, Rate::hz(3)), |json| json[2] = 7.into());
    assert!(why.contains("denominator"), "{why}");
    let why = refusal(&SimTime::ZERO, |json| json[1] = 1_000_000_000_u64.into());
    assert!(why.contains("less than a second"), "{why}");
    let mut input = InputBuffer::<u8>::new(4);
    input.push(Duration::from_secs(1), InputEvent::Press(1));
    let why = refusal(&input, |json| json["events"]["assigned"] = 9.into());
    assert!(why.contains("order"), "{why}");
    let why = refusal(&InputQueue::<u8>::new(4), |json| {
        json["events"]["keeps_pauses"] = false.into()
    });
    assert!(why.contains("pauses"), "{why}");
}

#[test]
fn a_queue_of_any_events_is_read_back() {
    #[derive(serde::Serialize, serde::Deserialize, Clone, Debug, PartialEq)]
    enum Order {
        Build(u8),
    }

    let mut orders = InputQueue::new(2);
    orders.push(Duration::ZERO, Order::Build(1));
    let mut back: InputQueue<Order> = stored(&orders);
    assert_eq!(back, orders);
    (2..5).for_each(|order| back.push(Duration::ZERO, Order::Build(order)));
    assert_eq!((back.len(), back.counts().refused), (2, 2));
}

#[test]
fn numbers_that_are_no_timestep_are_refused() {
    let text = serde_json::to_string(&FixedTimestep::new(Rate::hz(60))).unwrap();
    for (from, to, complaint) in [
        ("\"fraction\":0", "\"fraction\":1000000000", "fraction"),
        ("\"shown\":0", "\"shown\":1000000001", "shown"),
        ("\"begin\":0", "\"begin\":9999999999999999999", "begin"),
        ("\"count\":0", "\"count\":1", "tick"),
        ("\"backlog\":0", "\"backlog\":9999999999999999999", "backlog"),
        ("\"subnano\":0", "\"subnano\":1", "subnano"),
        ("\"drops_backlog\":false", "\"drops_backlog\":true", "backlog"),
        ("\"rate\":[60,1]", "\"rate\":[0,1]", "above zero"),
    ] {
        assert!(text.contains(from), "{text}");
        let error = serde_json::from_str::<FixedTimestep>(&text.replace(from, to)).unwrap_err();
        assert!(error.to_string().contains(complaint), "{error}");
    }
}
