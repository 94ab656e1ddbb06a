//! The laws of `InputBuffer` and `Controls` for any events in any order.

use std::time::Duration;

use evenstep::input::{Controls, InputBuffer, InputCounts, InputEvent};
use evenstep::schedule::Schedule;
use evenstep::{FixedTimestep, Frame, FrameClock, FrameTime, Overrun, Rate, TimeScale};
use proptest::prelude::*;

const MS: u64 = 1_000_000;

/// A frame at a time of a clock without a filter.
fn frame_at(now: u64) -> FrameTime {
    FrameClock::unfiltered().begin_frame(ns(now))
}

fn ns(nanos: u64) -> Duration {
    Duration::from_nanos(nanos)
}

/// A program that takes every event of every step.
struct Program {
    timestep: FixedTimestep,
    input: InputBuffer<(Duration, usize)>,
    now: u64,
    pushed: usize,
    /// The tick and the event, in the order of delivery.
    delivered: Vec<(u64, Duration, usize)>,
}

impl Program {
    fn new(rate: Rate) -> Self {
        Self {
            timestep: FixedTimestep::new(rate),
            input: InputBuffer::lossless(1000),
            now: 0,
            pushed: 0,
            delivered: Vec::new(),
        }
    }

    fn push(&mut self, at: Duration) {
        self.input.push(at, (at, self.pushed)).unwrap();
        self.pushed += 1;
    }

    fn frame(&mut self, delta: u64, run: usize) -> Frame {
        self.now += delta;
        let frame = self.timestep.advance(ns(delta));
        self.input.begin_frame(&frame_at(self.now), &frame);
        let mut steps = frame.steps();
        for step in steps.by_ref().take(run) {
            while let Some((at, number)) = self.input.next(&step) {
                self.delivered.push((step.tick, at, number));
            }
        }
        self.timestep.give_back(frame, steps.len() as u32)
    }
}

proptest! {
    #[test]
    fn an_event_belongs_to_the_step_whose_interval_contains_its_time_at_every_frame_rate(
        rate in prop_oneof![Just((60, 1)), Just((60_000, 1_001)), (1..400_u32, 1..7_u32)],
        mut times in prop::collection::vec(0..2_000 * MS, 1..60),
        deltas in prop::collection::vec(1..100 * MS, 1..40),
    ) {
        times.sort_unstable();
        let (numer, denom) = rate;
        let mut program = Program::new(Rate::new(numer, denom).unwrap());
        program.timestep.set_max_steps(u32::MAX);
        let mut waiting = times.iter().copied().peekable();
        for delta in deltas.iter().cycle() {
            while let Some(time) = waiting.next_if(|time| *time < program.now + delta) {
                program.push(ns(time));
            }
            let _ = program.frame(*delta, usize::MAX);
            if program.delivered.len() == times.len() {
                break;
            }
        }
        for (tick, at, _) in &program.delivered {
            let expected = at.as_nanos() * u128::from(numer) / (u128::from(denom) * 1_000_000_000);
            prop_assert_eq!(u128::from(*tick), expected, "{:?}", at);
        }
        prop_assert_eq!(program.input.counts(), InputCounts::default());
    }

    #[test]
    fn motion_is_conserved_and_presses_alternate_with_releases(
        happenings in prop::collection::vec((0..40 * MS, -1000..1000_i32, any::<bool>()), 1..100),
    ) {
        let mut timestep = FixedTimestep::new(Rate::hz(60)).with_max_steps(100);
        let mut input = InputBuffer::new(1000);
        let mut controls = Controls::new();
        let (mut now, mut arrived, mut moved) = (0, 0.0, 0.0);
        let (mut presses, mut seen, mut is_down) = (0, 0, false);
        for (delta, motion, toggles) in happenings {
            let at = ns(now + delta / 2);
            input.push(at, InputEvent::Motion([f64::from(motion), 0.0])).unwrap();
            arrived += f64::from(motion);
            if toggles {
                let event = if is_down { InputEvent::Release('x') } else { InputEvent::Press('x') };
                input.push(at, event).unwrap();
                is_down = !is_down;
                presses += u32::from(is_down);
            }
            now += delta;
            let frame = timestep.advance(ns(delta));
            input.begin_frame(&frame_at(now), &frame);
            for step in frame.steps() {
                controls.take(&mut input, &step);
                moved += controls.motion()[0];
                seen += controls.presses(&'x');
            }
        }
        let frame = timestep.advance(ns(100 * MS));
        input.begin_frame(&frame_at(now + 100 * MS), &frame);
        for step in frame.steps() {
            controls.take(&mut input, &step);
            moved += controls.motion()[0];
            seen += controls.presses(&'x');
        }
        prop_assert_eq!((moved, seen), (arrived, presses));
        prop_assert_eq!(controls.is_held(&'x'), is_down);
    }
}

#[test]
fn a_tap_shorter_than_a_step_is_reported_once_for_any_number_of_steps() {
    for frame_ms in [1, 5, 16, 40, 90] {
        let mut timestep = FixedTimestep::new(Rate::hz(50)).with_max_steps(100);
        let mut input = InputBuffer::new(8);
        let mut controls = Controls::new();
        input.push(ns(23 * MS), InputEvent::Press("fire")).unwrap();
        input.push(ns(24 * MS), InputEvent::Release("fire")).unwrap();
        let mut seen = Vec::new();
        for n in 1..=200 / frame_ms {
            let frame = timestep.advance(ns(frame_ms * MS));
            input.begin_frame(&frame_at(n * frame_ms * MS), &frame);
            for step in frame.steps() {
                controls.take(&mut input, &step);
                if controls.was_pressed(&"fire") {
                    assert!(controls.was_released(&"fire") && !controls.is_held(&"fire"));
                    seen.push(step.tick);
                }
            }
        }
        assert_eq!(seen, [1], "frames of {frame_ms} ms");
    }
}

#[test]
fn late_early_unordered_and_refused_events_are_counted() {
    let mut program = Program::new(Rate::hz(100));
    program.timestep.set_max_steps(100);
    let _ = program.frame(15 * MS, usize::MAX);
    program.push(ns(3 * MS)); // its step has run
    program.push(ns(90 * MS)); // from the future
    program.push(ns(25 * MS)); // out of order
    let _ = program.frame(15 * MS, usize::MAX);
    assert_eq!(program.delivered, [(1, ns(3 * MS), 0), (2, ns(25 * MS), 2)]);
    let _ = program.frame(60 * MS, usize::MAX);
    let _ = program.frame(50 * MS, usize::MAX);
    assert_eq!(program.delivered[2], (9, ns(90 * MS), 1));
    let counts = program.input.counts();
    assert_eq!((counts.late, counts.reordered, counts.refused), (1, 1, 0));

    let mut small = InputBuffer::lossless(1);
    assert_eq!(small.push(Duration::ZERO, 'a'), Ok(()));
    assert_eq!(small.push(Duration::ZERO, 'b'), Err('b'));
    let mut none = InputBuffer::lossless(0);
    assert_eq!(none.push(Duration::ZERO, 'a'), Err('a'));
    assert_eq!((small.counts().refused, none.counts().refused), (1, 1));
}

#[test]
fn slow_motion_keeps_events_in_the_order_and_place_of_simulated_time() {
    let mut program = Program::new(Rate::hz(100));
    program.timestep.set_time_scale(TimeScale::new(1, 10).unwrap());
    for ms in [50, 150, 250] {
        program.push(ns(ms * MS));
    }
    for _ in 0..4 {
        let _ = program.frame(100 * MS, usize::MAX);
    }
    let ticks: Vec<_> = program.delivered.iter().map(|(tick, ..)| *tick).collect();
    assert_eq!(ticks, [0, 1, 2]);
}

#[test]
fn a_lossless_buffer_delivers_the_input_of_a_pause_in_the_first_step_after_it() {
    let mut program = Program::new(Rate::hz(100));
    program.timestep.set_time_scale(TimeScale::PAUSED);
    program.push(ns(5 * MS));
    let _ = program.frame(100 * MS, usize::MAX);
    assert!(program.delivered.is_empty());
    program.timestep.step_once();
    let _ = program.frame(10 * MS, usize::MAX);
    assert_eq!(program.delivered.len(), 1);
}

#[test]
fn input_of_time_that_a_schedule_keeps_back_reaches_the_step_of_its_time() {
    let mut schedule = Schedule::new();
    let task = schedule.add(Rate::hz(100));
    schedule.set_max_advance(ns(10 * MS));
    schedule.set_overrun(Overrun::Carry {
        max_backlog: Duration::from_secs(1),
    });
    let mut input = InputBuffer::lossless(8);
    input.push(ns(25 * MS), 'a').unwrap();
    let (mut now, mut seen) = (0, Vec::new());
    for delta in [30, 1, 1] {
        now += delta;
        assert!(schedule.advance(ns(delta * MS)).is_none());
        input.begin_task(&frame_at(now * MS), &schedule, task);
        let (_, step) = schedule.next_step().unwrap();
        seen.extend(input.next(&step).map(|event| (step.tick, event)));
    }
    assert_eq!((seen, schedule.tick(task)), (vec![(2, 'a')], Some(3)));
}

/// A timestep that is 18 steps behind, and a buffer that has begun the same frame.
fn behind(overrun: Overrun) -> Program {
    let mut program = Program::new(Rate::hz(100));
    program.timestep.set_overrun(overrun);
    program.timestep.set_max_steps(2);
    program.push(ns(150 * MS)); // waits in the backlog
    let frame = program.frame(200 * MS, usize::MAX);
    assert!(frame.is_behind() && program.delivered.is_empty());
    program
}

#[test]
fn late_input_while_the_simulation_is_behind_reaches_the_next_step() {
    let catch_up = Overrun::Carry {
        max_backlog: Duration::from_secs(1),
    };
    let stretch = Overrun::Stretch {
        max_speed: TimeScale::new(3, 2).unwrap(),
    };
    for overrun in [catch_up, stretch] {
        let mut program = behind(overrun);
        program.push(ns(5 * MS));
        let _ = program.frame(20 * MS, usize::MAX);
        assert_eq!(program.delivered, [(2, ns(5 * MS), 1)], "{overrun:?}");
        assert_eq!(program.input.counts().late, 1);
    }
}

#[test]
fn a_late_event_does_not_overtake_earlier_ones_that_still_wait() {
    let mut program = behind(Overrun::Carry {
        max_backlog: Duration::from_secs(1),
    });
    program.push(ns(160 * MS)); // late: a release, perhaps, whose press waits for tick 15
    for _ in 0..20 {
        let _ = program.frame(10 * MS, usize::MAX);
    }
    assert_eq!(program.delivered, [(15, ns(150 * MS), 0), (15, ns(160 * MS), 1)]);
}

#[test]
fn a_lost_focus_releases_held_and_waiting_keys_in_the_step_of_its_time() {
    for frame_ms in [3, 10, 40, 120] {
        let mut timestep = FixedTimestep::new(Rate::hz(50)).with_max_steps(100);
        let mut input = InputBuffer::new(8);
        let mut controls = Controls::new();
        let mut seen = Vec::new();
        for (ms, event) in [
            (5, InputEvent::Press("fire")),
            (65, InputEvent::Press("jump")),
            (66, InputEvent::ReleaseAll),
            (90, InputEvent::Press("jump")),
        ] {
            input.push(ns(ms * MS), event).unwrap();
        }
        for n in 1..=240 / frame_ms {
            let frame = timestep.advance(ns(frame_ms * MS));
            input.begin_frame(&frame_at(n * frame_ms * MS), &frame);
            for step in frame.steps() {
                controls.take(&mut input, &step);
                let released = ["fire", "jump"].map(|key| controls.was_released(&key));
                let held: Vec<_> = controls.held().copied().collect();
                seen.push((released, controls.was_pressed(&"jump"), held));
            }
        }
        let quiet = |held: &[&'static str]| ([false; 2], false, held.to_vec());
        assert_eq!(seen[..3], [quiet(&["fire"]), quiet(&["fire"]), quiet(&["fire"])]);
        assert_eq!(seen[3], ([true; 2], true, vec![]), "frames of {frame_ms} ms");
        assert_eq!(seen[4], ([false; 2], true, vec!["jump"]));
    }
}
