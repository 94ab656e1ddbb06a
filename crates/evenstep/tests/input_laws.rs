//! The laws of `InputBuffer` and `InputQueue` for any events in any order.

use std::time::Duration;

use evenstep::input::{InputBuffer, InputCounts, InputEvent, InputQueue};
use evenstep::{FixedTimestep, Frame, FrameClock, FrameTime, Overrun, Rate, Step};
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
    input: InputQueue<(Duration, usize)>,
    now: u64,
    pushed: usize,
    /// The tick and the event, in the order of delivery.
    delivered: Vec<(u64, Duration, usize)>,
}

impl Program {
    fn new(rate: Rate) -> Self {
        Self {
            timestep: FixedTimestep::new(rate),
            input: InputQueue::new(1000),
            now: 0,
            pushed: 0,
            delivered: Vec::new(),
        }
    }

    fn push(&mut self, at: Duration) {
        self.input.push(at, (at, self.pushed));
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
        let (mut now, mut arrived, mut moved) = (0, 0.0, 0.0);
        let (mut presses, mut seen, mut is_down, mut is_held) = (0, 0, false, false);
        for (delta, motion, toggles) in happenings {
            let at = ns(now + delta / 2);
            input.push(at, InputEvent::Motion([f64::from(motion), 0.0]));
            arrived += f64::from(motion);
            if toggles {
                let event = if is_down { InputEvent::Release('x') } else { InputEvent::Press('x') };
                input.push(at, event);
                is_down = !is_down;
                presses += u32::from(is_down);
            }
            now += delta;
            let frame = timestep.advance(ns(delta));
            input.begin_frame(&frame_at(now), &frame);
            for step in frame.steps() {
                let controls = input.controls(&step);
                moved += controls.motion()[0];
                seen += controls.presses(&'x');
            }
        }
        let frame = timestep.advance(ns(100 * MS));
        input.begin_frame(&frame_at(now + 100 * MS), &frame);
        for step in frame.steps() {
            let controls = input.controls(&step);
            moved += controls.motion()[0];
            seen += controls.presses(&'x');
            is_held = controls.is_held(&'x');
        }
        prop_assert_eq!((moved, seen), (arrived, presses));
        prop_assert_eq!(is_held, is_down);
    }
}

#[test]
fn a_tap_shorter_than_a_step_is_reported_once_for_any_number_of_steps() {
    for frame_ms in [1, 5, 16, 40, 90] {
        let mut timestep = FixedTimestep::new(Rate::hz(50)).with_max_steps(100);
        let mut input = InputBuffer::new(8);
        input.push(ns(23 * MS), InputEvent::Press("fire"));
        input.push(ns(24 * MS), InputEvent::Release("fire"));
        let mut seen = Vec::new();
        for n in 1..=200 / frame_ms {
            let frame = timestep.advance(ns(frame_ms * MS));
            input.begin_frame(&frame_at(n * frame_ms * MS), &frame);
            for step in frame.steps() {
                let controls = input.controls(&step);
                if controls.was_pressed(&"fire") {
                    assert!(controls.was_released(&"fire") && !controls.is_held(&"fire"));
                    seen.push(step.tick);
                }
            }
        }
        assert_eq!(seen, [1], "frames of {frame_ms} ms");
    }
}

/// A buffer that has begun a frame with the steps 0 to 2: a tap in step 0, a press and motion in step 1.
fn begun() -> (FixedTimestep, InputBuffer<char>) {
    let (mut timestep, mut input) = (FixedTimestep::new(Rate::hz(100)), InputBuffer::new(8));
    input.push(ns(3 * MS), InputEvent::Press('a'));
    input.push(ns(4 * MS), InputEvent::Release('a'));
    input.push(ns(13 * MS), InputEvent::Press('b'));
    input.push(ns(14 * MS), InputEvent::Motion([1.0, 0.0]));
    let frame = timestep.advance(ns(30 * MS));
    input.begin_frame(&frame_at(30 * MS), &frame);
    (timestep, input)
}

fn step(tick: u64) -> Step {
    Step::new(tick, Rate::hz(100))
}

#[test]
fn a_step_that_was_given_back_has_its_presses_again_and_what_has_come_since() {
    for overrun in [
        Overrun::Drop,
        Overrun::Carry {
            max_backlog: ns(MS * 1000),
        },
    ] {
        let (mut timestep, mut input) = begun();
        timestep.set_overrun(overrun);
        let frame = timestep.advance(ns(30 * MS));
        assert_eq!(frame.steps().next().unwrap().tick, 3);
        input.push(ns(33 * MS), InputEvent::Press('x'));
        input.begin_frame(&frame_at(60 * MS), &frame);
        assert!(input.controls(&step(3)).was_pressed(&'x'));
        let _ = timestep.give_back(frame, 3); // it did not run after all
        input.push(ns(35 * MS), InputEvent::Press('y')); // late
        let mut now = 60;
        let (first, frames) = loop {
            now += 1;
            let frame = timestep.advance(ns(MS));
            input.begin_frame(&frame_at(now * MS), &frame);
            if let Some(first) = frame.steps().next() {
                break (first, now - 60);
            }
        };
        // Dropped time comes again; time that was kept is there at once.
        assert_eq!((first.tick, frames), (3, if overrun == Overrun::Drop { 10 } else { 1 }));
        let controls = input.controls(&first);
        assert!(controls.was_pressed(&'x') && controls.was_pressed(&'y'), "{overrun:?}");
    }
}

#[test]
fn after_a_reset_no_press_of_the_old_run_is_seen_again() {
    for steps in 1..4 {
        let (mut timestep, mut input) = (FixedTimestep::new(Rate::hz(100)), InputBuffer::new(8));
        input.push(ns(MS), InputEvent::Press('a'));
        let frame = timestep.advance(ns(steps * 10 * MS));
        input.begin_frame(&frame_at(steps * 10 * MS), &frame);
        assert!(input.controls(&step(0)).was_pressed(&'a'));
        frame.steps().for_each(|step| drop(input.controls(&step).clone()));
        timestep.reset();
        let frame = timestep.advance(ns(10 * MS));
        input.begin_frame(&frame_at((steps + 1) * 10 * MS), &frame);
        let controls = input.controls(&step(0));
        assert!(controls.is_held(&'a') && !controls.was_pressed(&'a'), "{steps} steps");
    }
}
