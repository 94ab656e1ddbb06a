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
                both.iter_mut().for_each(|input| input.push_at(now + Duration::from_nanos(*after), event));
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
    input.push_at(Duration::from_secs(1), InputEvent::Press(1));
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
    orders.push_at(Duration::ZERO, Order::Build(1));
    let mut back: InputQueue<Order> = stored(&orders);
    assert_eq!(back, orders);
    (2..5).for_each(|order| back.push_at(Duration::ZERO, Order::Build(order)));
    assert_eq!((back.len(), back.counts().refused), (2, 2));
}

#[test]
fn numbers_that_are_no_timestep_are_refused() {
    let mut timestep = FixedTimestep::new(Rate::hz(60));
    timestep.set_time_scale(TimeScale::new(1, 3).unwrap());
    let text = serde_json::to_string(&timestep).unwrap();
    // Each bound from both sides: a value that is accepted, and the next one. A step is 10⁹ units, and at most 2³² − 1 steps are counted.
    const MAX_NANOS: u64 = u32::MAX as u64 * 1_000_000_000;
    for (field, good, bad, complaint) in [
        (
            "\"fraction\":0,\"shown\":0",
            "\"fraction\":999999999,\"shown\":999999999".to_owned(),
            "\"fraction\":1000000000,\"shown\":1000000000".to_owned(),
            "fraction",
        ),
        (
            "\"shown\":0,\"single",
            "\"shown\":1000000000,\"single".to_owned(),
            "\"shown\":1000000001,\"single".to_owned(),
            "shown",
        ),
        (
            "\"begin\":0,\"shown\":0",
            "\"begin\":0,\"shown\":1000000000".to_owned(),
            "\"begin\":0,\"shown\":1000000001".to_owned(),
            "shown",
        ),
        (
            "\"begin\":0",
            format!("\"begin\":{}", MAX_NANOS + 1_000_000_000),
            format!("\"begin\":{}", MAX_NANOS + 1_000_000_001),
            "begin",
        ),
        (
            "\"count\":0",
            "\"count\":0".to_owned(),
            "\"count\":1".to_owned(),
            "tick",
        ),
        (
            "\"backlog\":0",
            format!("\"backlog\":{MAX_NANOS}"),
            format!("\"backlog\":{}", MAX_NANOS + 1),
            "backlog",
        ),
        (
            "\"subnano\":0",
            "\"subnano\":2".to_owned(),
            "\"subnano\":3".to_owned(),
            "subnano",
        ),
        (
            "\"drops_backlog\":false",
            "\"drops_backlog\":false".to_owned(),
            "\"drops_backlog\":true".to_owned(),
            "backlog",
        ),
        (
            "\"rate\":[60,1]",
            "\"rate\":[60,1]".to_owned(),
            "\"rate\":[0,1]".to_owned(),
            "above zero",
        ),
    ] {
        assert!(text.contains(field), "{text}");
        let read = |value: &str| serde_json::from_str::<FixedTimestep>(&text.replace(field, value));
        assert!(read(&good).is_ok(), "{good}: {:?}", read(&good));
        let error = read(&bad).unwrap_err();
        assert!(error.to_string().contains(complaint), "{bad}: {error}");
    }
}

#[test]
fn the_fullest_input_that_events_lead_to_is_read_back_and_one_event_more_is_refused() {
    for (is_motion, room, pushes) in [(false, 4, 3000), (true, 4, 3000), (true, 2000, 2000)] {
        let mut input = InputBuffer::<u32>::new(room);
        for n in 0..pushes {
            let event = if is_motion {
                InputEvent::Motion([1.0, 0.0])
            } else {
                InputEvent::Press(n)
            };
            input.push_at(Duration::from_millis(u64::from(n)), event);
        }
        assert_eq!(stored(&input), input);
        let why = refusal(&input, |json| {
            let events = json["events"]["events"].as_array_mut().unwrap();
            while !is_motion || events.len() <= room {
                events.push(events.last().unwrap().clone());
                if !is_motion {
                    break;
                }
            }
        });
        assert!(why.contains("room"), "{why}");
    }
}

/// The numbers and truth values of a stored value, each changed by a little.
fn changes(value: &serde_json::Value, change: &mut dyn FnMut(serde_json::Value)) {
    use serde_json::Value;
    match value {
        Value::Bool(is) => change((!is).into()),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => [whole.wrapping_add(1), whole.wrapping_sub(1)]
                .into_iter()
                .for_each(|next| change(next.into())),
            None => change((number.as_f64().unwrap() * 0.5 - 7.0).into()),
        },
        Value::Array(list) => {
            for (at, part) in list.iter().enumerate() {
                changes(part, &mut |part| {
                    let mut list = list.clone();
                    list[at] = part;
                    change(list.into());
                });
            }
        }
        Value::Object(fields) => {
            for (name, part) in fields {
                let mut without = fields.clone();
                without.remove(name);
                // A field that is nothing may be absent.
                if !part.is_null() {
                    change(without.into());
                }
                changes(part, &mut |part| {
                    let mut fields = fields.clone();
                    fields[name] = part;
                    change(fields.into());
                });
            }
        }
        Value::Null | Value::String(_) => {}
    }
}

/// Each change of a stored value makes another value, or is refused.
fn every_field_counts<T: Serialize + DeserializeOwned + PartialEq>(value: &T) {
    let json = serde_json::to_value(value).unwrap();
    let mut count = 0;
    changes(&json, &mut |changed| {
        count += 1;
        let read = serde_json::from_value::<T>(changed.clone());
        assert!(
            read.is_err() || read.is_ok_and(|read| read != *value),
            "{json}\nis the same as\n{changed}"
        );
    });
    assert!(count > 2, "{json}");
}

#[test]
fn every_field_of_a_stored_value_counts() {
    let ms = Duration::from_millis;
    let mut timestep = FixedTimestep::new(Rate::hz(60)).with_max_steps(2);
    timestep.set_overrun(Overrun::Carry { max_backlog: ms(500) });
    timestep.set_time_scale(TimeScale::new(5, 7).unwrap());
    timestep.set_max_delta(ms(200));
    let mut clock = FrameClock::new();
    clock.begin_frame(ms(3));
    let time = clock.begin_frame(ms(140));
    let frame = timestep.advance(time.delta);
    timestep.step_once();
    every_field_counts(&timestep);
    let mut schedule = Schedule::new();
    schedule.set_overrun(Overrun::Carry { max_backlog: ms(500) });
    schedule.add_with_phase(Rate::new(25, 7).unwrap(), ms(3));
    schedule.set_max_advance(ms(100));
    let _ = schedule.advance(ms(340));
    let _ = schedule.next_step();
    every_field_counts(&schedule);
    let mut input = InputBuffer::new(8).keep_pauses();
    input.push_at(ms(1), InputEvent::Press(3_u8));
    input.push_at(ms(2), InputEvent::Motion([1.0, -0.5]));
    input.begin_frame(&time, &frame);
    input.push_at(ms(200), InputEvent::Release(3));
    every_field_counts(&input);
    let mut camera = Follower::new([0.0, 0.5, 8.0]).with_limits([-4.0, 0.0, 0.0], [4.0, 2.0, 9.0]);
    camera.set_dead_zone(0.25);
    camera.step([1.0, 1.5, 2.0], 0.125);
    every_field_counts(&camera);
    let mut look = Look::new();
    look.turn(ms(4), 0.25, 0.0);
    every_field_counts(&look);
    every_field_counts(&SimTime::at_tick(5, Rate::hz(7)));
}
