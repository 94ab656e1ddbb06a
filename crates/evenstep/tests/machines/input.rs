//! `InputBuffer` and `InputQueue`, against a list of events and exact rationals.

use std::time::Duration;

use evenstep::input::{Controls, InputBuffer, InputEvent, InputQueue};
use evenstep::schedule::{Schedule, TaskId};
use evenstep::{FixedTimestep, Frame, FrameClock, Overrun, Rate, Step, TimeScale};
use proptest::prelude::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};

use crate::coverage::Calls;
use crate::exact::{Exact, instant, length, period, secs, whole};
use crate::{invariants, script};

mod known;

use known::{Event, Filter, Known, Seen};

static CALLS: Calls = Calls::new();

const KEYS: [char; 3] = ['a', 'b', 'c'];

#[derive(Clone, Debug)]
enum Call {
    /// An event without a time.
    Push(Event),
    /// An event this many nanoseconds from now.
    PushAt(i64, Event),
    /// An event at a time of its own.
    PushAnywhere(Duration, Event),
    /// Frames have times of another clock from now on.
    Clock(Duration),
    /// A frame of which only this number of steps is run.
    Frame(Duration, Filter, u32, Order),
    /// A frame of a schedule.
    TaskFrame(Duration, Filter, Order),
    Scale(TimeScale),
    Overrun(Overrun),
    MaxSteps(u32),
    StepOnce,
    Pause,
    Resume,
    /// A timestep that restarts at tick 0.
    NewTimestep(Rate),
    Save,
    Restore,
}

/// For which steps of a frame a program asks, in which order.
#[derive(Clone, Copy, Debug)]
enum Order {
    Each,
    EachTwice,
    Backwards,
    OnlyTheLast,
    /// The last step is asked for, and then given back.
    NotTheLast,
}

impl Order {
    fn asks(self, mut steps: Vec<Step>) -> Vec<Step> {
        match self {
            Self::Each | Self::NotTheLast => {}
            Self::EachTwice => steps = steps.iter().flat_map(|step| [*step; 2]).collect(),
            Self::Backwards => steps.reverse(),
            Self::OnlyTheLast => drop(steps.drain(..steps.len().saturating_sub(1))),
        }
        steps
    }
}

/// What the last call must have answered.
#[derive(Clone, Debug)]
enum Answer {
    Nothing,
    Push,
    PushAt(Duration),
    /// The calls of the buffer with their times, and what the steps saw.
    Task(Box<Schedule>, Duration, Vec<(Step, Seen)>),
    /// As for a task.
    Frame(Box<Frame>, Duration, Vec<(Step, Seen)>),
}

#[derive(Clone, Debug)]
struct Model {
    capacity: usize,
    /// Whether the buffer keeps events as they are.
    keeps: bool,
    /// Whether a queue gets the same events, none of which is motion, because a queue does not add it up.
    has_queue: bool,
    timestep: FixedTimestep,
    clock: Duration,
    /// Where simulated time is, in steps.
    place: Exact,
    /// Its task may take input as well as the timestep.
    schedule: Schedule,
    task: TaskId,
    rate: Rate,
    phase: Duration,
    known: Known,
    saved: Option<Known>,
    answer: Answer,
}

impl Model {
    fn place(frame: &Frame, rate: Rate) -> Exact {
        whole(frame.tick()) + length(frame.overstep()) / period(rate)
    }

    fn push_at(&mut self, at: Duration, event: Event) {
        self.known.push_at(at, event, self.capacity, self.keeps);
        self.answer = Answer::PushAt(at);
    }

    fn frame(&mut self, delta: Duration, filter: Filter, run: u32, order: Order) {
        self.clock = self.clock.saturating_add(delta);
        let rate = self.timestep.rate();
        let mut frame = self.timestep.advance(delta);
        let has_time = !delta.is_zero() && frame.lost().paused.is_zero() && !frame.time_scale().is_paused();
        let stood_still = !has_time && frame.single_steps() == 0;
        // Steps for which there is no time may be given back before the buffer sees the frame.
        if run % 2 == 1 {
            let unrun = frame.steps().len().saturating_sub(run as usize);
            frame = self.timestep.give_back(frame, unrun as u32);
        }
        let place = Self::place(&frame, rate);
        // Single steps are no time: it begins after them, or stands still.
        let ahead = whole(frame.single_steps());
        let passed = &place - &ahead;
        if passed > self.place {
            let from = &self.place + &ahead;
            self.known.begin_frame(self.clock, filter, &from, &place, stood_still);
        } else {
            self.known
                .begin_frame(self.clock, filter, &self.place, &passed, stood_still);
        }
        self.known.shorten(stood_still, self.keeps);
        self.known
            .spread_over(frame.tick() - u64::from(frame.step_count()), frame.tick());
        self.known.begin_at(frame.steps().next().map(|step| step.tick));
        let steps: Vec<_> = frame.steps().take(run as usize).collect();
        let unrun = frame.steps().len() - steps.len() + usize::from(matches!(order, Order::NotTheLast));
        let taken = self.ask(order.asks(steps));
        let kept = self.timestep.give_back(frame, unrun as u32);
        self.place = Self::place(&kept, rate);
        self.answer = Answer::Frame(Box::new(frame), self.clock, taken);
    }

    fn task_frame(&mut self, delta: Duration, filter: Filter, order: Order) {
        self.clock = self.clock.saturating_add(delta);
        let (rate, phase) = (self.rate, secs(self.phase));
        let place = |schedule: &Schedule| (instant(schedule.now()) - &phase) / period(rate);
        let from = place(&self.schedule);
        let _lost = self.schedule.advance(delta);
        let to = place(&self.schedule);
        let stood_still = delta.is_zero() || self.schedule.time_scale().is_paused();
        self.known.begin_frame(self.clock, filter, &from, &to, stood_still);
        self.known.shorten(stood_still, self.keeps);
        let tick = |place: &Exact| u64::try_from(place.clone().max(whole(0)).floor().to_integer()).unwrap();
        self.known.spread_over(tick(&from), tick(&to));
        self.known.begin_at(self.schedule.tick(self.task));
        let schedule = Box::new(self.schedule.clone());
        let steps = std::iter::from_fn(|| self.schedule.next_step()).map(|(_, step)| step);
        let steps: Vec<_> = steps.collect();
        if matches!(order, Order::NotTheLast) {
            self.schedule.refuse();
        }
        let taken = self.ask(order.asks(steps));
        self.answer = Answer::Task(schedule, self.clock, taken);
    }

    fn ask(&mut self, steps: Vec<Step>) -> Vec<(Step, Seen)> {
        let ask = |step: Step| (step, self.known.ask(step.tick));
        steps.into_iter().map(ask).collect()
    }
}

fn any_event(has_motion: bool) -> BoxedStrategy<Event> {
    let key = || prop::sample::select(&KEYS[..]);
    let by = || (-100..100_i32).prop_map(|by| [f64::from(by), -0.5]);
    let keys = prop_oneof![
        4 => key().prop_map(InputEvent::Press),
        3 => key().prop_map(InputEvent::Release),
        1 => Just(InputEvent::ReleaseAll),
    ];
    let motion = prop_oneof![2 => by().prop_map(InputEvent::Motion), 1 => by().prop_map(InputEvent::Wheel)];
    if has_motion {
        prop_oneof![keys, motion].boxed()
    } else {
        keys.boxed()
    }
}

fn any_delta() -> impl Strategy<Value = Duration> {
    prop_oneof![
        8 => (0..60_000_000_u64).prop_map(Duration::from_nanos),
        1 => Just(Duration::ZERO),
        1 => (0..3_000_000_000_u64).prop_map(Duration::from_nanos),
    ]
}

fn any_filter() -> impl Strategy<Value = Filter> {
    let residual = prop_oneof![
        4 => Just(0),
        4 => -3_000_000..5_000_000_i64,
        1 => any::<i64>(),
        1 => prop::sample::select(vec![i64::MIN, i64::MAX]),
    ];
    let lead = prop_oneof![
        8 => prop::sample::select(vec![Duration::ZERO, Duration::from_millis(4)]),
        1 => Just(Duration::MAX),
    ];
    (residual, lead).prop_map(|(residual, lead)| Filter { residual, lead })
}

fn any_rate() -> impl Strategy<Value = Rate> {
    (1..500_u32, 1..20_u32).prop_map(|(numer, denom)| Rate::new(numer, denom).unwrap())
}

impl ReferenceStateMachine for Model {
    type State = Self;
    type Transition = Call;

    fn init_state() -> BoxedStrategy<Self> {
        let capacity = prop_oneof![4 => 0..8_usize, 4 => 0..40_usize, 1 => Just(usize::MAX)];
        let phase = (0..400_000_u64).prop_map(Duration::from_micros);
        let queue = prop_oneof![Just((false, false)), Just((true, false)), Just((true, true))];
        (capacity, queue, any_rate(), any_rate(), phase)
            .prop_map(|(capacity, (keeps, has_queue), rate, of_task, phase)| {
                let mut schedule = Schedule::new();
                let task = schedule.add_with_phase(of_task, phase);
                Self {
                    capacity,
                    keeps,
                    has_queue,
                    timestep: FixedTimestep::new(rate),
                    clock: Duration::ZERO,
                    place: whole(0),
                    schedule,
                    task,
                    rate: of_task,
                    phase,
                    known: Known::default(),
                    saved: None,
                    answer: Answer::Nothing,
                }
            })
            .boxed()
    }

    fn transitions(model: &Self) -> BoxedStrategy<Call> {
        let event = any_event(!model.has_queue);
        let offset = prop_oneof![8 => 0..60_000_000_i64, 2 => -100_000_000..0_i64];
        let time = prop_oneof![
            Just(Duration::ZERO),
            Just(Duration::MAX),
            any::<u32>().prop_map(|nanos| Duration::from_nanos(nanos.into()))
        ];
        let policy = prop_oneof![
            Just(Overrun::Drop),
            any_delta().prop_map(|max_backlog| Overrun::Carry { max_backlog }),
            Just(Overrun::Stretch {
                max_speed: TimeScale::new(3, 2).unwrap()
            }),
        ];
        let scale = (0..9_u32, 1..9_u32).prop_map(|(numer, denom)| TimeScale::new(numer, denom).unwrap());
        let run = prop_oneof![4 => Just(u32::MAX), 1 => 0..4_u32];
        let order = prop_oneof![
            6 => Just(Order::Each),
            1 => prop::sample::select(vec![Order::EachTwice, Order::Backwards, Order::OnlyTheLast]),
            1 => Just(Order::NotTheLast),
        ];
        prop_oneof![
            5 => event.clone().prop_map(Call::Push),
            12 => (offset, event.clone()).prop_map(|(offset, event)| Call::PushAt(offset, event)),
            1 => (time.clone(), event).prop_map(|(at, event)| Call::PushAnywhere(at, event)),
            1 => any::<u32>().prop_map(|nanos| Call::Clock(Duration::from_nanos(nanos.into()))),
            12 => (any_delta(), any_filter(), run, order.clone())
                .prop_map(|(delta, filter, run, order)| Call::Frame(delta, filter, run, order)),
            2 => (any_delta(), any_filter(), order).prop_map(|(delta, filter, order)| Call::TaskFrame(delta, filter, order)),
            1 => scale.prop_map(Call::Scale),
            1 => policy.prop_map(Call::Overrun),
            1 => (0..12_u32).prop_map(Call::MaxSteps),
            1 => Just(Call::StepOnce),
            1 => Just(Call::Pause),
            2 => Just(Call::Resume),
            1 => any_rate().prop_map(Call::NewTimestep),
            1 => Just(Call::Save),
            1 => Just(Call::Restore),
        ]
        .boxed()
    }

    fn apply(mut model: Self, call: &Call) -> Self {
        model.answer = Answer::Nothing;
        match call.clone() {
            Call::Push(event) => {
                model.known.push(event, model.capacity, model.keeps);
                model.answer = Answer::Push;
            }
            Call::PushAt(offset, event) => {
                let now = model.clock.as_nanos() as i128 + i128::from(offset);
                model.push_at(Duration::from_nanos_u128(now.max(0) as u128), event);
            }
            Call::PushAnywhere(at, event) => model.push_at(at, event),
            Call::Clock(now) => model.clock = now,
            Call::Frame(delta, filter, run, order) => model.frame(delta, filter, run, order),
            Call::TaskFrame(delta, filter, order) => model.task_frame(delta, filter, order),
            Call::Scale(scale) => {
                model.timestep.set_time_scale(scale);
                model.schedule.set_time_scale(scale);
            }
            Call::Overrun(overrun) => model.timestep.set_overrun(overrun),
            Call::MaxSteps(max_steps) => model.timestep.set_max_steps(max_steps),
            Call::StepOnce => model.timestep.step_once(),
            Call::Pause => model.timestep.pause(),
            Call::Resume => model.timestep.resume(),
            Call::NewTimestep(rate) => {
                model.timestep = FixedTimestep::new(rate);
                model.place = whole(0);
            }
            Call::Save => model.saved = Some(model.known.clone()),
            Call::Restore => {
                if let Some(saved) = &model.saved {
                    model.known = saved.clone();
                }
            }
        }
        model
    }
}

type Saved = (InputBuffer<char>, Option<InputQueue<Event>>, Controls<char>);

/// The system under test.
struct Program {
    input: InputBuffer<char>,
    /// Gets the same events, if none is reduced or added up.
    queue: Option<InputQueue<Event>>,
    /// Of the same events, as in a replay.
    replayed: Controls<char>,
    saved: Option<Saved>,
}

impl Program {
    fn push(&mut self, event: Event, answer: &Answer) {
        let Self { input, queue, .. } = self;
        match answer {
            Answer::PushAt(at) => {
                call!(input.push_at(*at, event));
                if let Some(queue) = queue {
                    call!(queue.push_at(*at, event));
                }
            }
            Answer::Push => {
                call!(input.push(event));
                if let Some(queue) = queue {
                    call!(queue.push(event));
                }
            }
            other => panic!("{other:?}"),
        }
    }

    fn frame(&mut self, filter: Filter, model: &Model) {
        let Self { input, queue, .. } = self;
        let taken = match &model.answer {
            Answer::Frame(frame, now, taken) => {
                let time = FrameClock::with_filter(filter).begin_frame(*now);
                call!(input.begin_frame(&time, frame));
                if let Some(queue) = queue {
                    call!(queue.begin_frame(&time, frame));
                }
                taken
            }
            Answer::Task(schedule, now, taken) => {
                let time = FrameClock::with_filter(filter).begin_frame(*now);
                assert!(call!(input.begin_task(&time, schedule, model.task)));
                if let Some(queue) = queue {
                    assert!(call!(queue.begin_task(&time, schedule, model.task)));
                }
                taken
            }
            other => panic!("{other:?}"),
        };
        for (step, seen) in taken {
            self.step(step, seen);
        }
    }

    fn step(&mut self, step: &Step, seen: &Seen) {
        let Self {
            input, queue, replayed, ..
        } = self;
        let controls = call!(input.controls(step)).clone();
        for key in &KEYS {
            let at = format!("of key {key} in step {}", step.tick);
            assert_eq!(
                call!(controls.is_held_at_end(key)),
                seen.held.contains(key),
                "is_held_at_end {at}"
            );
            assert_eq!(
                call!(controls.presses(key)),
                seen.presses.get(key).copied().unwrap_or(0),
                "presses {at}"
            );
            assert_eq!(
                call!(controls.was_pressed(key)),
                seen.presses.contains_key(key),
                "was_pressed {at}"
            );
            let is_down = seen.held.contains(key) || seen.presses.contains_key(key);
            assert_eq!(call!(controls.is_down(key)), is_down, "is_down {at}");
            assert_eq!(
                call!(controls.was_released(key)),
                seen.releases.contains(key),
                "was_released {at}"
            );
        }
        assert_eq!(call!(controls.held()).copied().collect::<Vec<_>>(), seen.held);
        let moved = (call!(controls.motion()), call!(controls.wheel()));
        assert_eq!(moved, (seen.motion, seen.wheel));
        assert_eq!(call!(input.events(step)), seen.events);
        if seen.is_begun {
            call!(replayed.begin_step());
        }
        for event in &seen.new {
            if let Some(queue) = queue {
                assert_eq!(call!(queue.next(step)), Some(*event));
            }
            call!(replayed.apply(*event));
        }
        assert_eq!(*replayed, controls);
    }
}

impl StateMachineTest for Program {
    type SystemUnderTest = Self;
    type Reference = Model;

    fn init_test(model: &Model) -> Self {
        let input = call!(InputBuffer::new(model.capacity));
        Self {
            input: if model.keeps { call!(input.keep_pauses()) } else { input },
            queue: model.has_queue.then(|| call!(InputQueue::new(model.capacity))),
            replayed: call!(Controls::new()),
            saved: None,
        }
    }

    fn apply(mut program: Self, model: &Model, call: Call) -> Self {
        match call {
            Call::Push(event) | Call::PushAt(_, event) | Call::PushAnywhere(_, event) => {
                program.push(event, &model.answer);
            }
            Call::Frame(_, filter, ..) | Call::TaskFrame(_, filter, _) => program.frame(filter, model),
            Call::Save => {
                let Self {
                    input, queue, replayed, ..
                } = &program;
                program.saved = Some((input.clone(), queue.clone(), replayed.clone()));
            }
            Call::Restore => {
                if let Some(saved) = &program.saved {
                    (program.input, program.queue, program.replayed) = saved.clone();
                    assert!(program.input == saved.0 && program.queue == saved.1);
                }
            }
            _ => {}
        }
        program
    }

    fn check_invariants(program: &Self, model: &Model) {
        let (Self { input, queue, .. }, known) = (program, &model.known);
        assert_eq!(call!(input.len()), known.len());
        assert_eq!(call!(input.is_empty()), known.len() == 0);
        assert_eq!(call!(input.counts()), known.counts);
        if let Some(queue) = queue {
            assert_eq!(call!(queue.len()), known.len());
            assert_eq!(call!(queue.is_empty()), known.len() == 0);
            assert_eq!(call!(queue.counts()), known.counts);
        }
        let states = if model.keeps { 0 } else { 1024 };
        let motion = model.capacity.max(4).saturating_add(2);
        invariants::is_within_cap(
            input.len(),
            model.capacity.saturating_add(states).saturating_add(motion),
        );
    }
}

#[test]
fn each_event_reaches_the_step_of_its_time() {
    script::run::<Program>(256, 80);
    CALLS.assert_complete("InputBuffer", &[include_str!("../../src/input/buffer.rs")], &[]);
    CALLS.assert_complete("InputQueue", &[include_str!("../../src/input/queue.rs")], &[]);
    CALLS.assert_complete("Controls", &[include_str!("../../src/input/controls.rs")], &[]);
}
