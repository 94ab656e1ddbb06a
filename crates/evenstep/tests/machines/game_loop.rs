//! `GameLoop` against its parts, called one by one in their order.

use std::time::Duration;

use evenstep::input::{Controls, InputBuffer, InputCounts, InputEvent};
use evenstep::{FixedTimestep, Frame, FrameClock, FrameTime, GameLoop, Overrun, Rate, TimeScale};
use proptest::prelude::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};

use crate::coverage::Calls;
use crate::{any, script};

static CALLS: Calls = Calls::new();

type Event = InputEvent<char>;

/// Steps of a frame that run; the others are given back.
const MAX_FRAMES: u32 = 200;

#[derive(Clone, Debug)]
enum Call {
    /// A frame so long after the last one, of which only this number of steps has time.
    Frame(Duration, u32),
    /// A frame at a time of its own, which may be before the last one.
    FrameAt(Duration),
    /// Events at the same time, so many nanoseconds from the last frame: late if that is negative.
    PushAt(i64, Vec<Event>),
    /// Events without a time.
    Push(Vec<Event>),
    Pause,
    Resume,
    ResumeDropping,
    StepOnce,
    Scale(TimeScale),
    Reset,
}

/// What a frame must be, and the controls of the steps that run.
type Answer = (Frame, Vec<Controls<char>>, Frame);

/// The parts, in the order that the documentation of the crate states.
#[derive(Clone, Debug)]
struct Parts {
    settings: FixedTimestep,
    clock: FrameClock,
    timestep: FixedTimestep,
    input: InputBuffer<char>,
    time: FrameTime,
    is_paused: bool,
    answer: Option<Answer>,
}

impl Parts {
    fn frame(&mut self, now: Duration, run: u32) {
        self.time = self.clock.begin_frame(now);
        let frame = self.timestep.advance(self.time.delta);
        self.input.begin_frame(&self.time, &frame);
        let steps: Vec<_> = frame.steps().take(run as usize).collect();
        let seen = steps.iter().map(|step| self.input.controls(step).clone()).collect();
        let unrun = (frame.steps().len() - steps.len()) as u32;
        self.answer = Some((frame, seen, self.timestep.give_back(frame, unrun)));
    }
}

fn any_timestep() -> impl Strategy<Value = FixedTimestep> {
    (1..500_u32, any::overrun(), 0..12_u32, any::<bool>()).prop_map(|(hz, overrun, max_steps, lookahead)| {
        let timestep = FixedTimestep::new(Rate::hz(hz)).with_overrun(overrun);
        match (lookahead, overrun) {
            (true, _) => timestep.with_lookahead(),
            (false, Overrun::Drop) => timestep,
            (false, _) => timestep.with_max_steps(max_steps),
        }
    })
}

impl ReferenceStateMachine for Parts {
    type State = Self;
    type Transition = Call;

    fn init_state() -> BoxedStrategy<Self> {
        any_timestep()
            .prop_map(|timestep| Self {
                settings: timestep.clone(),
                clock: FrameClock::new(),
                // The longest delta of a loop that drops time.
                timestep: match timestep.overrun() {
                    Overrun::Drop => timestep.with_max_delta(Duration::from_millis(100)),
                    _ => timestep,
                },
                input: InputBuffer::new(256),
                time: FrameTime::default(),
                is_paused: false,
                answer: None,
            })
            .boxed()
    }

    fn transitions(_: &Self) -> BoxedStrategy<Call> {
        let key = || prop::sample::select(vec!['a', 'b', 'c']);
        let event = prop_oneof![
            4 => key().prop_map(InputEvent::Press),
            3 => key().prop_map(InputEvent::Release),
            1 => Just(InputEvent::ReleaseAll),
            1 => (-9..9_i32).prop_map(|x| InputEvent::Motion([f64::from(x), 1.0])),
            1 => (-9..9_i32).prop_map(|y| InputEvent::Wheel([0.0, f64::from(y)])),
        ];
        let offset = prop_oneof![6 => 0..40_000_000_i64, 1 => -200_000_000..0_i64];
        let delta = prop_oneof![
            6 => (15_000_000..18_000_000_u64).prop_map(Duration::from_nanos),
            2 => any::duration(),
        ];
        prop_oneof![
            12 => (delta, prop_oneof![5 => Just(MAX_FRAMES), 1 => 0..3_u32]).prop_map(|(delta, run)| Call::Frame(delta, run)),
            1 => any::duration().prop_map(Call::FrameAt),
            8 => (offset, prop::collection::vec(event.clone(), 1..3)).prop_map(|(offset, events)| Call::PushAt(offset, events)),
            4 => prop::collection::vec(event, 1..3).prop_map(Call::Push),
            1 => Just(Call::Pause),
            1 => Just(Call::Resume),
            1 => Just(Call::ResumeDropping),
            1 => Just(Call::StepOnce),
            1 => any::scale().prop_map(Call::Scale),
            1 => Just(Call::Scale(TimeScale::NORMAL)),
            1 => Just(Call::Reset),
        ]
        .boxed()
    }

    fn apply(mut parts: Self, call: &Call) -> Self {
        parts.answer = None;
        match call {
            Call::Frame(delta, run) => parts.frame(parts.clock.now().saturating_add(*delta), *run),
            Call::FrameAt(now) => parts.frame(*now, MAX_FRAMES),
            Call::Push(events) => events.iter().for_each(|event| parts.input.push(*event)),
            Call::PushAt(offset, events) => {
                let at = at(parts.clock.now(), *offset);
                events.iter().for_each(|event| parts.input.push_at(at, *event));
            }
            Call::Pause => {
                parts.timestep.pause();
                parts.is_paused = true;
            }
            Call::Resume => {
                parts.timestep.resume();
                parts.is_paused = false;
            }
            Call::ResumeDropping => {
                parts.timestep.resume_dropping();
                parts.is_paused = false;
            }
            Call::StepOnce => parts.timestep.step_once(),
            Call::Scale(scale) => parts.timestep.set_time_scale(*scale),
            Call::Reset => parts.timestep.reset(),
        }
        parts
    }
}

/// So many nanoseconds after a time.
fn at(now: Duration, offset: i64) -> Duration {
    match u64::try_from(offset) {
        Ok(after) => now.saturating_add(Duration::from_nanos(after)),
        Err(_) => now.saturating_sub(Duration::from_nanos(offset.unsigned_abs())),
    }
}

/// The system under test.
struct Program(GameLoop<char>);

impl StateMachineTest for Program {
    type SystemUnderTest = Self;
    type Reference = Parts;

    fn init_test(parts: &Parts) -> Self {
        let rate = parts.settings.rate();
        let game = if parts.settings == FixedTimestep::new(rate) {
            call!(GameLoop::new(rate))
        } else {
            GameLoop::from(parts.settings.clone())
        };
        Self(call!(game.with_input()))
    }

    fn apply(program: Self, parts: &Parts, call: Call) -> Self {
        let mut game = program.0;
        match call {
            Call::Frame(delta, _) => {
                let now = call!(game.frame_clock()).now().saturating_add(delta);
                game = frame(game, now, parts);
            }
            Call::FrameAt(now) => game = frame(game, now, parts),
            Call::Push(events) => events.iter().for_each(|event| call!(game.push(*event))),
            Call::PushAt(offset, events) => {
                let at = at(game.frame_clock().now(), offset);
                events.iter().for_each(|event| call!(game.push_at(at, *event)));
            }
            Call::Pause => call!(game.pause()),
            Call::Resume => call!(game.resume()),
            Call::ResumeDropping => call!(game.resume_dropping()),
            Call::StepOnce => call!(game.step_once()),
            Call::Scale(scale) => call!(game.set_time_scale(scale)),
            Call::Reset => call!(game.reset()),
        }
        Self(game)
    }

    fn check_invariants(program: &Self, parts: &Parts) {
        let game = &program.0;
        assert_eq!(*call!(game.timestep()), parts.timestep);
        assert_eq!(*call!(game.frame_time()), parts.time);
        assert_eq!(call!(game.is_paused()), parts.is_paused);
        assert_eq!(*call!(game.input_buffer()), parts.input);
        let InputCounts { refused, .. } = game.input_buffer().counts();
        assert!(refused == 0 || game.input_buffer().len() >= 128);
    }
}

fn frame(mut game: GameLoop<char>, now: Duration, parts: &Parts) -> GameLoop<char> {
    let (expected, seen, kept) = parts.answer.as_ref().unwrap();
    let frame = call!(game.begin_frame_at(now));
    assert_eq!(frame, *expected);
    let mut steps = frame.steps();
    for controls in seen {
        let step = steps.next().unwrap();
        assert_eq!(call!(game.input(&step)), controls);
    }
    let unrun = steps.len() as u32;
    assert_eq!(call!(game.give_back(frame, unrun)), *kept);
    game
}

#[test]
fn a_loop_does_what_its_parts_do_in_their_order() {
    script::run::<Program>(256, 80);
    let source = include_str!("../../src/game_loop.rs");
    let clock = "it reads the system's clock; `tests/game_loop.rs` calls it";
    let follows = "`tests/game_loop.rs` compares a loop that follows with its parts";
    let exempt = [
        ("begin_frame", clock),
        ("now", clock),
        ("with_playback", follows),
        ("with_refresh", follows),
        ("playback_mut", follows),
    ];
    CALLS.assert_complete("GameLoop", &[source], &exempt);
}
