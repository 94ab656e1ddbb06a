//! `SimWorker` and its `SimRemote`, on a clock that the test owns.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use evenstep::thread::{SimRemote, SimWorker, Wake};
use evenstep::{FixedTimestep, Overrun, Rate, TimeScale};
use num_traits::ToPrimitive;
use proptest::prelude::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};

use crate::coverage::Calls;
use crate::exact::{period, speed};
use crate::timestep::model::{Model, ModelLost};
use crate::{any, invariants, script};

mod counter;

use counter::{CLONES, Count, Counter, SNAPSHOTS};

static CALLS: Calls = Calls::new();

/// How much input has room.
const CAPACITY: usize = SimRemote::<usize, Count>::INPUT_CAPACITY;

#[derive(Clone, Debug)]
enum Call {
    Pass(Duration),
    Advance,
    /// Sends this many inputs, each this long ago.
    Send(usize, Duration),
    TimeScale(TimeScale),
    StepOnce,
    /// Looks so long ahead, or back.
    View(i64),
}

#[derive(Clone, Debug)]
struct Reference {
    start: Model,
    timestep: Model,
    /// What the clock says, and when it was last advanced_to, since the start.
    clock: Duration,
    advanced_to: Duration,
    scale: Option<TimeScale>,
    single_steps: u32,
    has_stepped: bool,
    dropped: u64,
    clamped: Duration,
}

impl Reference {
    fn enter(&mut self, lost: &ModelLost) {
        self.has_stepped |= self.timestep.last.count > 0;
        self.dropped += lost.dropped;
        self.clamped += lost.clamped;
    }

    fn advance(&mut self) {
        self.has_stepped = false;
        let lost = self.timestep.advance(self.clock - self.advanced_to);
        self.enter(&lost);
        self.advanced_to = self.clock;
        if self.scale.is_some() || self.single_steps > 0 {
            let scale = self.scale.take().unwrap_or(self.timestep.scale);
            self.timestep.set_time_scale(scale);
            (0..std::mem::take(&mut self.single_steps)).for_each(|_| self.timestep.step_once());
            let lost = self.timestep.advance(Duration::ZERO);
            self.enter(&lost);
        }
    }

    /// How late the last step was, in seconds.
    fn lateness(&self) -> f64 {
        let behind = &self.timestep.last.fraction + &self.timestep.last.backlog;
        if self.timestep.scale.is_paused() {
            return 0.0;
        }
        (behind / speed(self.timestep.scale)).to_f64().unwrap()
    }
}

fn any_delta() -> impl Strategy<Value = Duration> {
    prop_oneof![
        8 => (0..30_000_000_u64).prop_map(Duration::from_nanos),
        1 => (0..2_000_u64).prop_map(Duration::from_millis),
        1 => Just(Duration::ZERO),
    ]
}

fn any_scale() -> impl Strategy<Value = TimeScale> {
    (0..5_u32, 1..9_u32).prop_map(|(numer, denom)| TimeScale::new(numer, denom).unwrap())
}

fn any_overrun() -> impl Strategy<Value = Overrun> {
    prop_oneof![
        Just(Overrun::Drop),
        any_delta().prop_map(|max_backlog| Overrun::Carry { max_backlog }),
        any_scale().prop_map(|max_speed| Overrun::Stretch { max_speed }),
    ]
}

impl ReferenceStateMachine for Reference {
    type State = Self;
    type Transition = Call;

    fn init_state() -> BoxedStrategy<Self> {
        let rate = prop_oneof![Just((60, 1)), (1..300_u32, 1..20_u32)];
        let max_steps = prop::option::of(1..20_u32);
        (rate, max_steps, prop::option::of(any_delta()), any_overrun())
            .prop_map(|((numer, denom), max_steps, max_delta, overrun)| {
                let mut model = Model::new(Rate::new(numer, denom).unwrap(), 0);
                (model.max_steps, model.overrun) = (max_steps, overrun);
                model.max_delta = max_delta.map(|max_delta| max_delta.max(Duration::from_millis(1)));
                Self {
                    start: model.clone(),
                    timestep: model,
                    clock: Duration::ZERO,
                    advanced_to: Duration::ZERO,
                    scale: None,
                    single_steps: 0,
                    has_stepped: false,
                    dropped: 0,
                    clamped: Duration::ZERO,
                }
            })
            .boxed()
    }

    fn transitions(_: &Self) -> BoxedStrategy<Call> {
        let inputs = prop_oneof![8 => 1..5_usize, 1 => 1..3 * CAPACITY];
        prop_oneof![
            10 => any_delta().prop_map(Call::Pass),
            12 => Just(Call::Advance),
            5 => (inputs, any::duration()).prop_map(|(number, ago)| Call::Send(number, ago)),
            2 => any_scale().prop_map(Call::TimeScale),
            1 => Just(Call::StepOnce),
            5 => (-100_000_000..100_000_000_i64).prop_map(Call::View),
        ]
        .boxed()
    }

    fn apply(mut state: Self, call: &Call) -> Self {
        match call {
            Call::Pass(time) => state.clock += *time,
            Call::Advance => state.advance(),
            Call::TimeScale(scale) => state.scale = Some(*scale),
            Call::StepOnce => state.single_steps += 1,
            Call::Send(..) | Call::View(_) => {}
        }
        state
    }
}

struct Machine {
    worker: SimWorker<Counter>,
    remote: SimRemote<usize, Count>,
    start: Instant,
    inputs: mpsc::Receiver<usize>,
    sent: usize,
    refused: u64,
    accepted: Vec<usize>,
    delivered: Vec<usize>,
    /// Whether all input was sent in the order of its times.
    is_in_order: bool,
    last_at: Instant,
    drawn: Option<(u64, f64)>,
}

impl Machine {
    fn advance(&mut self, reference: &Reference) {
        let (snapshots, clones) = (SNAPSHOTS.get(), CLONES.get());
        let before = self.remote.view(self.start).tick;
        let (worker, now) = (&mut self.worker, self.start + reference.clock);
        let wake = call!(worker.advance(|| now));
        self.delivered.extend(self.inputs.try_iter());
        assert_is_right_wake(wake, now, &reference.timestep);

        let view = self.remote.view(self.start);
        assert_eq!(
            (view.tick, view.current.0),
            (reference.timestep.tick, reference.timestep.tick)
        );
        assert_eq!(view.previous.0, view.tick.saturating_sub(1));
        assert_eq!(
            (view.stats.dropped, view.stats.clamped),
            (reference.dropped, reference.clamped)
        );
        assert_eq!(view.stats.input.refused, self.refused);
        if reference.has_stepped {
            let lateness = view.stats.lateness.as_secs_f64();
            assert!(
                (lateness - reference.lateness()).abs() < 1e-6,
                "{lateness} for {}",
                reference.lateness()
            );
        }
        let steps = view.tick - before;
        invariants::costs_at_most("snapshots", SNAPSHOTS.get() - snapshots, steps);
        invariants::costs_at_most("clones", CLONES.get() - clones, 2);
    }

    /// Where the next input goes: to a step, unless there is no room.
    fn send(&mut self, at: Instant) {
        let number = self.sent;
        self.sent += 1;
        let remote = &mut self.remote;
        if let Err(returned) = call!(remote.send(at, number)) {
            assert!(returned == number && self.waiting() >= CAPACITY, "there is room");
            self.refused += 1;
            return;
        }
        self.accepted.push(number);
        self.is_in_order &= at >= self.last_at;
        self.last_at = at;
    }

    /// Inputs that wait for the simulation to take them, or for their steps.
    fn waiting(&self) -> usize {
        self.accepted.len() - self.delivered.len()
    }

    fn view(&mut self, at: Instant) {
        let remote = &mut self.remote;
        let view = call!(remote.view(at));
        invariants::alpha_is_in_range(view.alpha);
        assert_eq!(view.current.0, view.tick);
        let drawn = (view.tick, view.alpha);
        invariants::drawn_time_is_monotonic(self.drawn.as_ref(), &drawn);
        self.drawn = Some(drawn);
    }
}

/// It wakes for the next step and no earlier, or in time for the longest delta, or not at all where no time brings a step.
fn assert_is_right_wake(wake: Wake, now: Instant, timestep: &Model) {
    let has_step = |delta: Duration| {
        let mut timestep = timestep.clone();
        let _ = timestep.advance(delta);
        timestep.last.count > 0
    };
    let longest = timestep.longest_delta();
    match wake {
        Wake::At(due) if has_step(longest) => {
            let sleep = due - now;
            assert!(has_step(sleep), "no step after {sleep:?}");
            let less = sleep.checked_sub(Duration::from_nanos(1));
            assert!(!less.is_some_and(has_step), "a step before {sleep:?}");
        }
        Wake::At(due) => {
            let most = longest.max(Duration::from_millis(1));
            assert!(due > now && due - now <= most, "it sleeps for {:?}", due - now);
        }
        Wake::OnCommand => assert!(!has_step(longest), "it sleeps through a step"),
        Wake::Stopped => panic!("nobody stopped it"),
    }
}

impl StateMachineTest for Machine {
    type SystemUnderTest = Self;
    type Reference = Reference;

    fn init_test(reference: &Reference) -> Self {
        let model = &reference.start;
        let mut timestep = FixedTimestep::new(model.rate)
            .with_max_delta(model.max_delta)
            .with_overrun(model.overrun);
        timestep.set_max_steps(model.max_steps);
        let (delivered, inputs) = mpsc::channel();
        let counter = Counter { steps: 0, delivered };
        let start = Instant::now() + Duration::from_secs(3600);
        let (worker, remote) = call!(SimWorker::new(timestep, counter, start));
        assert_eq!(call!(remote.origin()), start);
        Self {
            worker,
            remote,
            start,
            inputs,
            sent: 0,
            refused: 0,
            accepted: Vec::new(),
            delivered: Vec::new(),
            is_in_order: true,
            last_at: start,
            drawn: None,
        }
    }

    fn apply(mut machine: Self, reference: &Reference, call: Call) -> Self {
        let now = machine.start + reference.clock;
        let remote = &mut machine.remote;
        match call {
            Call::Pass(_) => {}
            Call::Advance => machine.advance(reference),
            Call::Send(number, ago) => {
                let at = now.checked_sub(ago).unwrap_or(now);
                (0..number).for_each(|_| machine.send(at));
            }
            Call::TimeScale(scale) => call!(remote.set_time_scale(scale)),
            Call::StepOnce => call!(remote.step_once()),
            Call::View(offset) => {
                let by = Duration::from_nanos(offset.unsigned_abs());
                machine.view(if offset < 0 { now - by } else { now + by });
            }
        }
        machine
    }

    fn check_invariants(machine: &Self, _: &Reference) {
        invariants::is_within_cap(machine.waiting(), 2 * CAPACITY);
    }

    /// At last time flows freely until all input has had its step; then it is advanced_to to stop.
    fn teardown(mut machine: Self, reference: Reference) {
        let remote = &machine.remote;
        call!(remote.set_time_scale(TimeScale::NORMAL));
        let second = period(reference.timestep.rate).to_f64().unwrap();
        let frame = Duration::from_millis(1).min(Duration::from_secs_f64(second));
        let mut now = machine.start + reference.clock;
        while machine.delivered.len() < machine.accepted.len() {
            now += frame;
            assert_ne!(machine.worker.advance(|| now), Wake::Stopped);
            machine.delivered.extend(machine.inputs.try_iter());
        }
        if !machine.is_in_order {
            machine.delivered.sort_unstable();
        }
        invariants::delivered_once_in_order(&machine.accepted, &machine.delivered);
        call!(remote.stop());
        assert_eq!(machine.worker.advance(|| now), Wake::Stopped);
    }
}

#[test]
fn a_worker_steps_delivers_and_sleeps_as_it_should() {
    script::run::<Machine>(48, 60);
    let worker = include_str!("../../src/thread/worker.rs");
    let remote = include_str!("../../src/thread/remote.rs");
    CALLS.assert_complete("SimWorker", &[worker], &[]);
    CALLS.assert_complete("SimRemote", &[remote], &[]);
}
