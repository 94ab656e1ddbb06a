//! Bad input changes nothing, and the flat objects work together.

use evenstep::filter::{DeltaFilter, DisplayClock};
use evenstep::{FixedTimestep, Rate};
use evenstep_flat::Error;
use evenstep_flat::events::{Events, SEEN_AT_ONCE, SEEN_BLENDED};
use evenstep_flat::filter::{FILTER_DISPLAY_CLOCK, FilterSettings};
use evenstep_flat::input::{INPUT_PRESS, INPUT_RELEASE_ALL, Input};
use evenstep_flat::poses::{Dimensions, Rows};
use evenstep_flat::schedule::Tasks;
use evenstep_flat::smoothed::Smoothed;
use evenstep_flat::stats::Stats;
use evenstep_flat::timestep::{Timestep, carry, stretch};
use std::time::Duration;

const MS: i64 = 1_000_000;

fn begun() -> Timestep {
    let mut timestep = Timestep::new(100, 1).unwrap();
    timestep.begin_frame(0).unwrap();
    timestep
}

#[test]
fn a_refused_time_changes_nothing() {
    let (mut disturbed, mut calm) = (begun(), begun());
    for frame in [2_000 * MS, 2_014 * MS] {
        calm.begin_frame(frame).unwrap();
        disturbed.begin_frame(frame).unwrap();
    }
    assert_eq!(disturbed.begin_frame(-1), Err(Error::Negative));
    assert_eq!(disturbed.begin_frame(1_014 * MS - 1), Err(Error::TimeWentBack));
    assert_eq!(disturbed.advance(-1), Err(Error::Negative));
    assert_eq!(disturbed.advance(i64::MAX), Err(Error::Range));
    assert_eq!(disturbed.give_back(9), Err(Error::Range));
    assert_eq!(disturbed.set_time_scale(1, 0), Err(Error::Ratio));
    assert_eq!(disturbed.set_max_delta(-1), Err(Error::Negative));
    assert_eq!(disturbed.begin_frame(2_035 * MS), calm.begin_frame(2_035 * MS));
    assert_eq!(disturbed.overstep(), calm.overstep());
}

#[test]
fn a_policy_that_keeps_time_loses_nothing_of_a_frame_within_its_backlog() {
    for overrun in [carry(1_000 * MS).unwrap(), stretch(2, 1).unwrap()] {
        let mut timestep = begun();
        timestep.set_overrun(overrun);
        let frame = timestep.begin_frame(400 * MS).unwrap();
        assert_eq!(
            (frame.steps, frame.clamped, frame.dropped, frame.is_behind),
            (25, 0, 0, true)
        );
        timestep.set_max_delta(250 * MS).unwrap();
        assert_eq!(timestep.begin_frame(800 * MS).unwrap().clamped, 150 * MS);
    }
}

#[test]
fn a_tap_in_a_frame_whose_steps_were_given_back_reaches_the_next_step() {
    let (mut timestep, mut input) = (begun(), Input::new(16).unwrap());
    input.begin_frame(&timestep).unwrap();
    input.press(1, 3 * MS).unwrap();
    input.release(1, 4 * MS).unwrap();
    timestep.begin_frame(10 * MS).unwrap();
    timestep.give_back(1).unwrap();
    input.begin_frame(&timestep).unwrap();
    let frame = timestep.begin_frame(20 * MS).unwrap();
    input.begin_frame(&timestep).unwrap();
    input.begin_step(frame.first_tick).unwrap();
    assert_eq!((frame.steps, input.presses(1)), (1, 1));
}

#[test]
fn calls_that_need_a_frame_return_errors_before_the_first() {
    let mut timestep = Timestep::new(60, 1).unwrap();
    assert_eq!(Timestep::new(0, 1).unwrap_err(), Error::Ratio);
    assert_eq!(timestep.give_back(0), Err(Error::Order));
    assert_eq!(timestep.drawn_time(), Err(Error::Order));
    assert_eq!(Input::new(4).unwrap().begin_frame(&timestep), Err(Error::Order));
    assert_eq!(Input::new(4).unwrap().begin_step(0), Err(Error::Order));
    assert_eq!(Stats::new().record(&timestep), Err(Error::Order));
    assert_eq!(
        Events::new(4, false).unwrap().next(&timestep, SEEN_BLENDED),
        Err(Error::Order)
    );
    timestep.begin_frame(5).unwrap();
    let clock = FilterSettings {
        kind: FILTER_DISPLAY_CLOCK,
    };
    assert_eq!(timestep.add_filter(&clock), Err(Error::Order));
    assert_eq!(timestep.set_lookahead(), Err(Error::Order));
}

#[test]
fn a_display_clock_behind_absolute_times_is_that_of_the_core() {
    let mut flat = Timestep::new(60, 1).unwrap();
    let clock = FilterSettings {
        kind: FILTER_DISPLAY_CLOCK,
    };
    flat.add_filter(&clock).unwrap();
    let (mut core, mut filter) = (FixedTimestep::new(Rate::hz(60)), DisplayClock::new());
    let time = |n: i64| 1_000_000_000_000 + n * 16_667_000 + n * 137_000 % 300_000;
    flat.begin_frame(time(0)).unwrap();
    for n in 1..400 {
        let delta = Duration::from_nanos((time(n) - time(n - 1)) as u64);
        let expected = core.advance(filter.apply(delta));
        let frame = flat.begin_frame(time(n)).unwrap();
        assert_eq!((frame.tick, frame.alpha), (expected.tick(), expected.alpha()));
    }
}

#[test]
fn wrong_filters_are_refused() {
    let mut timestep = Timestep::new(60, 1).unwrap();
    let filter = |kind| FilterSettings { kind };
    assert_eq!(timestep.add_filter(&filter(0)), Err(Error::Range));
    timestep.add_filter(&filter(FILTER_DISPLAY_CLOCK)).unwrap();
    assert_eq!(timestep.add_filter(&filter(FILTER_DISPLAY_CLOCK)), Err(Error::Full));
}

#[test]
fn a_tap_between_two_frames_reaches_one_step_with_its_time() {
    let (mut timestep, mut input) = (begun(), Input::new(8).unwrap());
    input.press(7, 12 * MS).unwrap();
    input.release_all(13 * MS).unwrap();
    let frame = timestep.begin_frame(35 * MS).unwrap();
    input.begin_frame(&timestep).unwrap();
    assert_eq!(input.begin_frame(&timestep), Err(Error::Order), "it has begun");
    let mut seen = Vec::new();
    for tick in frame.first_tick..frame.tick {
        input.begin_step(tick).unwrap();
        seen.push((input.presses(7), input.was_released(7), input.is_held(7)));
        if tick == 1 {
            let (press, all) = (input.event(0).unwrap(), input.event(1).unwrap());
            assert_eq!((press.kind, press.key, press.time), (INPUT_PRESS, 7, 12 * MS));
            assert_eq!((all.kind, all.time, input.event(2)), (INPUT_RELEASE_ALL, 13 * MS, None));
        }
    }
    assert_eq!(seen, [(0, false, false), (1, true, false), (0, false, false)]);
}

#[test]
fn times_that_are_scattered_back_by_up_to_a_second_count_as_the_last_frames_and_no_time_is_counted_twice() {
    let mut random = fastrand::Rng::with_seed(60_000);
    let clock = FilterSettings {
        kind: FILTER_DISPLAY_CLOCK,
    };
    for filters in 0..2 {
        let [mut scattered, mut calm] = [0, 1].map(|_| {
            let mut timestep = Timestep::new(100, 1).unwrap();
            (0..filters).for_each(|_| timestep.add_filter(&clock).unwrap());
            timestep.begin_frame(0).unwrap();
            timestep
        });
        let mut latest = 0;
        for frame in 1..2_000 {
            let now = (frame * 7 * MS - random.i64(0..1_000 * MS))
                .max(latest - 1_000 * MS)
                .max(0);
            latest = latest.max(now);
            assert_eq!(scattered.begin_frame(now), calm.begin_frame(latest), "frame {frame}");
        }
        assert!(scattered.tick() > 1_200);
    }
}

#[test]
fn a_full_buffer_that_keeps_events_accepts_nothing_and_returns_an_error() {
    let mut input = Input::lossless(1).unwrap();
    assert_eq!(input.motion(f64::NAN, 0.0, 0), Err(Error::NotFinite));
    assert_eq!(input.press(1, -1), Err(Error::Negative));
    input.press(1, 0).unwrap();
    assert_eq!(input.release(1, 1), Err(Error::Full));
    assert_eq!((input.counts().waiting, input.counts().refused), (1, 1));
    assert_eq!(Input::new(0).unwrap_err(), Error::Range);
}

#[test]
fn rows_teleport_and_shift_and_invalid_states_are_errors() {
    let mut rows = Rows::new(Dimensions::Two);
    assert_eq!(rows.push(&[0.0, 0.0, 1.0]), Err(Error::Size));
    assert_eq!(rows.push(&[0.0, f32::NAN, 1.0, 0.0]), Err(Error::NotFinite));
    for _ in 0..2 {
        rows.push(&[0.0, 0.0, 1.0, 0.0]).unwrap();
    }
    let states = [4.0, 0.0, 1.0, 0.0, 8.0, 0.0, 1.0, 0.0];
    rows.teleport(1).unwrap();
    assert_eq!(rows.commit(&states[..7]), Err(Error::Size));
    rows.commit(&states).unwrap();
    let mut drawn = [0.0; 8];
    rows.draw(0.25, &mut drawn).unwrap();
    assert_eq!((drawn[0], drawn[4]), (1.0, 8.0));
    rows.shift(0, &[100.0, 1.0]).unwrap();
    rows.draw(0.25, &mut drawn).unwrap();
    assert_eq!((drawn[0], drawn[1], drawn[4]), (101.0, 1.0, 8.0));
    let mut matrices = [0.0; 12];
    rows.draw_matrices(0.25, &mut matrices).unwrap();
    assert_eq!(matrices[..6], [1.0, 0.0, 0.0, 1.0, 101.0, 1.0]);
    assert_eq!(rows.draw(f64::NAN, &mut drawn), Err(Error::NotFinite));
    assert_eq!(rows.draw(0.5, &mut drawn[..7]), Err(Error::Size));
    assert_eq!(
        (rows.teleport(2), rows.remove(2), rows.shift(2, &[0.0; 2])),
        (Err(Error::Missing), Err(Error::Missing), Err(Error::Missing))
    );
    rows.remove(0).unwrap();
    rows.draw(0.25, &mut drawn).unwrap();
    assert_eq!((rows.len(), drawn[0]), (1, 8.0));
}

#[test]
fn rows_that_rest_are_drawn_into_any_array() {
    let mut rows = Rows::new(Dimensions::Three);
    rows.push(&[1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0]).unwrap();
    for _ in 0..5 {
        rows.begin_step();
        let mut fresh = [9.0; 7];
        rows.draw(0.5, &mut fresh).unwrap();
        assert_eq!(fresh, [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0]);
    }
}

#[test]
fn events_wait_until_they_are_presented() {
    let (mut timestep, mut events) = (begun(), Events::new(2, false).unwrap());
    timestep.begin_frame(15 * MS).unwrap();
    assert!(events.emit(&timestep, 0, 42));
    assert_eq!(events.next(&timestep, SEEN_BLENDED), Ok(None));
    assert_eq!(events.next(&timestep, 9), Err(Error::Range));
    assert_eq!(events.next(&timestep, SEEN_AT_ONCE), Ok(Some((0, 42))));
}

#[test]
fn tasks_end_in_one_order() {
    let mut tasks = Tasks::new();
    let (fast, slow) = (tasks.add(100, 1, 0).unwrap(), tasks.add(50, 1, 0).unwrap());
    tasks.begin_frame(7).unwrap();
    tasks.begin_frame(7 + 25 * MS).unwrap();
    let mut order = Vec::new();
    while let Some(step) = tasks.next_step() {
        order.push((step.task, step.tick));
    }
    assert_eq!(order, [(fast, 0), (fast, 1), (slow, 0)]);
    assert_eq!((tasks.alpha(fast), tasks.alpha(2)), (Ok(0.5), Err(Error::Missing)));
    assert_eq!(tasks.refuse(), Err(Error::Order));
}

#[test]
fn statistics_count_each_frame_once() {
    let (mut timestep, mut stats) = (begun(), Stats::new());
    assert_eq!(stats.frame_time(50.0), Ok(None));
    for n in 1..=10 {
        timestep.begin_frame(n * 20 * MS).unwrap();
        stats.record(&timestep).unwrap();
        assert_eq!(stats.record(&timestep), Err(Error::Order));
    }
    let report = stats.report();
    assert_eq!(
        (report.frames, report.steps_per_frame[2], report.frame_time_p99),
        (10, 10, 20 * MS)
    );
    assert_eq!(
        (stats.frame_time(f64::NAN), stats.frame_time(101.0)),
        (Err(Error::NotFinite), Err(Error::Range))
    );
}

#[test]
fn a_number_that_wraps_is_blended_the_shorter_way_and_an_invalid_period_is_an_error() {
    let drawn = |from: f64, to: f64, wrap: f64| {
        let mut smoothed = Smoothed::new(from, wrap).unwrap();
        smoothed.begin_step();
        smoothed.current = to;
        smoothed.at(0.5)
    };
    assert_eq!(drawn(350.0, 10.0, 0.0), 180.0);
    assert_eq!(drawn(350.0, 10.0, 360.0), 360.0);
    assert_eq!(drawn(10.0, 350.0, 360.0), 0.0);
    assert_eq!(drawn(790.0, 10.0 + 3.0 * 800.0, 800.0), 800.0);

    for (wrap, error) in [
        (-1.0, Error::Range),
        (f64::NAN, Error::NotFinite),
        (f64::INFINITY, Error::NotFinite),
    ] {
        assert_eq!(Smoothed::new(0.0, wrap), Err(error));
    }
}
