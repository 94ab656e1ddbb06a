//! `FixedTimestep`.

use std::time::Duration;

use evenstep::{FixedTimestep, Frame, Overrun, SimTime, Smoothing, Step, TimeScale};
use num_traits::{ToPrimitive, Zero};
use proptest::prelude::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};

use crate::coverage::Calls;
use crate::exact::{Changes, Exact, instant, length, period, secs, speed, whole};
use crate::{any, invariants, script};

pub(crate) mod model;

use model::{Model, ModelFrame, ModelLost, Pause};

static CALLS: Calls = Calls::new();

#[derive(Clone, Debug)]
enum Call {
    Advance(Duration),
    /// Gives back this many steps of the frame this many frames ago.
    GiveBack(usize, u32),
    TimeScale(TimeScale),
    Overrun(Overrun),
    MaxSteps(Option<u32>),
    MaxDelta(Option<Duration>),
    StepOnce,
    Lookahead,
    Pause,
    Resume,
    ResumeDropping,
    Reset,
    SaveAndRestore,
}

#[derive(Clone, Debug)]
struct Reference {
    model: Model,
    lost: Option<ModelLost>,
    /// All frames as they turned out.
    frames: Vec<ModelFrame>,
}

impl ReferenceStateMachine for Reference {
    type State = Self;
    type Transition = Call;

    fn init_state() -> BoxedStrategy<Self> {
        let tick = prop_oneof![8 => Just(0), 1 => (0..30_u64).prop_map(|left| u64::MAX - left)];
        let max_delta = prop::option::of(any::duration());
        let settings = (any::scale(), any::overrun(), max_delta, any::steps());
        (any::rate(), tick, prop::option::of(settings))
            .prop_map(|(rate, tick, settings)| {
                let mut model = Model::new(rate, tick);
                if let Some((scale, overrun, max_delta, max_steps)) = settings {
                    model.set_time_scale(scale);
                    model.overrun = overrun;
                    (model.max_delta, model.max_steps) = (max_delta, Some(max_steps));
                }
                Self {
                    model,
                    lost: None,
                    frames: Vec::new(),
                }
            })
            .boxed()
    }

    fn transitions(_: &Self) -> BoxedStrategy<Call> {
        prop_oneof![
            14 => any::duration().prop_map(Call::Advance),
            4 => (prop_oneof![4 => Just(0), 1 => 1..6_usize], any::steps()).prop_map(|(age, unrun)| Call::GiveBack(age, unrun)),
            3 => any::scale().prop_map(Call::TimeScale),
            2 => any::overrun().prop_map(Call::Overrun),
            2 => prop::option::of(any::steps()).prop_map(Call::MaxSteps),
            1 => prop::option::of(any::duration()).prop_map(Call::MaxDelta),
            1 => Just(Call::StepOnce),
            1 => Just(Call::Lookahead),
            1 => Just(Call::Pause),
            2 => Just(Call::Resume),
            1 => Just(Call::ResumeDropping),
            1 => Just(Call::Reset),
            1 => Just(Call::SaveAndRestore),
        ]
        .boxed()
    }

    fn apply(mut state: Self, call: &Call) -> Self {
        let model = &mut state.model;
        state.lost = None;
        match call {
            Call::Advance(delta) => {
                state.lost = Some(model.advance(*delta));
                state.frames.push(model.last.clone());
            }
            Call::GiveBack(age, unrun) => {
                let frame = state.frames.len().checked_sub(1 + age).map(|at| &state.frames[at]);
                if frame.is_some_and(|frame| model.give_back(frame, *unrun).is_some()) {
                    state.frames.push(model.last.clone());
                }
            }
            Call::TimeScale(scale) => model.set_time_scale(*scale),
            Call::Overrun(overrun) => model.overrun = *overrun,
            Call::MaxSteps(steps) => model.max_steps = *steps,
            Call::MaxDelta(delta) => model.max_delta = *delta,
            Call::StepOnce => model.step_once(),
            Call::Lookahead => model.with_lookahead(),
            Call::Pause => model.pause(),
            Call::Resume => model.resume(),
            Call::ResumeDropping => model.resume_dropping(),
            Call::Reset => model.reset(),
            Call::SaveAndRestore => {}
        }
        state
    }
}

struct Machine {
    timestep: FixedTimestep,
    frames: Vec<Frame>,
    /// How many of them are from before the last reset.
    outdated: usize,
    /// What the last frame showed, before the present frame.
    drawn: Option<SimTime>,
    /// Both sides of the law of conservation, since the last reset.
    came_in: Exact,
    given_up: Exact,
    /// Changes of scale since the last reset; each loses less than a nanosecond.
    changes: Changes,
    first_tick: u64,
}

impl Machine {
    fn advance(&mut self, delta: Duration, reference: &Reference) {
        self.drawn = self.frames[self.outdated..]
            .last()
            .map(|frame| frame.shown_time(Smoothing::Interpolate));
        let timestep = &mut self.timestep;
        let mut frame = None;
        // To record a first call allocates.
        CALLS.record("advance");
        let cost = allocation_counter::measure(|| frame = Some(timestep.advance(delta)));
        invariants::costs_at_most("allocations", cost.count_total, 0);
        let frame = frame.unwrap();

        let expected = reference.lost.as_ref().unwrap();
        let lost = frame.lost();
        let seen = ModelLost {
            clamped: lost.clamped,
            paused: lost.paused,
            dropped: lost.dropped,
        };
        assert_eq!(&seen, expected);
        let (scale, period) = (speed(timestep.time_scale()), period(timestep.rate()));
        self.came_in += secs(delta - lost.paused) * &scale + whole(frame.single_steps()) * &period;
        self.given_up += secs(lost.clamped) * &scale + whole(lost.dropped) * &period;
        self.push(frame, &reference.model.last);
    }

    fn give_back(&mut self, age: usize, unrun: u32, reference: &Reference) {
        let Some(index) = self.frames.len().checked_sub(1 + age) else {
            return;
        };
        let old = self.frames[index];
        let timestep = &mut self.timestep;
        let before = timestep.clone();
        let frame = call!(timestep.give_back(old, unrun));
        if reference.frames.len() == self.frames.len() {
            invariants::unchanged_by_failure(&before, timestep);
            invariants::unchanged_by_failure(&old, &frame);
        } else {
            let dropped = frame.lost().dropped.checked_sub(old.lost().dropped);
            let dropped = dropped.expect("what a frame dropped stays dropped when steps are given back");
            self.given_up += whole(dropped) * period(timestep.rate());
            self.push(frame, &reference.model.last);
        }
    }

    fn push(&mut self, frame: Frame, expected: &ModelFrame) {
        let rate = self.timestep.rate();
        assert_eq!(frame.steps().len(), expected.count as usize);
        assert_eq!(frame.tick(), expected.first + u64::from(expected.count));
        assert_eq!(length(frame.overstep()), &expected.fraction + &expected.backlog);
        assert_eq!(frame.is_behind(), !expected.backlog.is_zero());
        let shown = (&expected.shown / period(rate)).to_f64().unwrap();
        assert!(
            (frame.alpha() - shown).abs() < 1e-7,
            "alpha is {}, not {shown}",
            frame.alpha()
        );
        invariants::alpha_is_in_range(frame.alpha());
        let drawn = match frame.tick() {
            0 => Exact::zero(),
            tick => whole(tick - 1) * period(rate) + &expected.shown,
        };
        // Beyond 584 billion years times are cut off.
        assert_eq!(
            instant(frame.shown_time(Smoothing::Interpolate)),
            drawn.min(whole(u64::MAX))
        );
        invariants::drawn_time_is_monotonic(self.drawn.as_ref(), &frame.shown_time(Smoothing::Interpolate));
        self.assert_times_of_steps(&frame, expected);
        self.frames.push(frame);
    }

    /// Which part of which step the frame covers, and how late its first and its last step are.
    fn assert_times_of_steps(&self, frame: &Frame, expected: &ModelFrame) {
        let period = period(self.timestep.rate());
        let overstep = &expected.fraction + &expected.backlog;
        let first = whole(expected.first) * &period;
        let end = &first + whole(expected.count) * &period + &overstep;
        let begin = (&first + &expected.begin).min(end.clone());
        let parts = |time: Exact| (time / &period * whole(1_u64 << 32)).floor().to_integer().to_u128();
        let covered = frame.covered();
        assert_eq!((Some(covered.start), Some(covered.end)), (parts(begin), parts(end)));
        for back in [1, expected.count]
            .into_iter()
            .filter(|back| *back <= expected.count && *back > 0)
        {
            let step = Step::new(frame.tick() - u64::from(back), self.timestep.rate());
            let late = whole(back - 1) * &period + &overstep;
            let real = match frame.time_scale() {
                scale if scale.is_paused() => Exact::zero(),
                scale => late / speed(scale),
            };
            let nanos = (real * whole(1_000_000_000)).floor().to_integer().to_u128().unwrap();
            assert_eq!(frame.lateness(&step).as_nanos(), nanos.min(Duration::MAX.as_nanos()));
        }
    }
}

impl StateMachineTest for Machine {
    type SystemUnderTest = Self;
    type Reference = Reference;

    fn init_test(reference: &Reference) -> Self {
        let model = &reference.model;
        let rate = model.rate;
        let mut timestep = call!(FixedTimestep::new(rate));
        if let Some(max_steps) = model.max_steps {
            timestep = call!(timestep.with_max_steps(max_steps));
            timestep = call!(timestep.with_max_delta(model.max_delta));
            timestep = call!(timestep.with_overrun(model.overrun));
            timestep = call!(timestep.with_time_scale(model.scale));
        }
        if model.tick > 0 {
            let mut saved = serde_json::to_value(&timestep).unwrap();
            saved["tick"] = model.tick.into();
            timestep = serde_json::from_value(saved).unwrap();
        }
        Self {
            timestep,
            frames: Vec::new(),
            outdated: 0,
            drawn: None,
            came_in: Exact::zero(),
            given_up: Exact::zero(),
            changes: Changes::new(model.scale),
            first_tick: model.tick,
        }
    }

    fn apply(mut machine: Self, reference: &Reference, call: Call) -> Self {
        let timestep = &mut machine.timestep;
        match call {
            Call::Advance(delta) => machine.advance(delta, reference),
            Call::GiveBack(age, unrun) => machine.give_back(age, unrun, reference),
            Call::TimeScale(scale) => {
                call!(timestep.set_time_scale(scale));
                machine.changes.set(scale);
            }
            Call::Overrun(overrun) => call!(timestep.set_overrun(overrun)),
            Call::MaxSteps(steps) => call!(timestep.set_max_steps(steps)),
            Call::MaxDelta(delta) => call!(timestep.set_max_delta(delta)),
            Call::StepOnce => call!(timestep.step_once()),
            Call::Lookahead => {
                let timestep = timestep.clone();
                machine.timestep = call!(timestep.with_lookahead());
            }
            Call::Pause => call!(timestep.pause()),
            Call::Resume => call!(timestep.resume()),
            Call::ResumeDropping => call!(timestep.resume_dropping()),
            Call::Reset => {
                call!(timestep.reset());
                (machine.outdated, machine.drawn) = (machine.frames.len(), None);
                (machine.came_in, machine.given_up, machine.first_tick) = (Exact::zero(), Exact::zero(), 0);
                machine.changes = Changes::new(machine.timestep.time_scale());
            }
            Call::SaveAndRestore => {
                let saved = serde_json::to_string(timestep).unwrap();
                let restored = serde_json::from_str(&saved).unwrap();
                assert_eq!(*timestep, restored);
                *timestep = restored;
            }
        }
        machine
    }

    fn check_invariants(machine: &Self, reference: &Reference) {
        let (timestep, model) = (&machine.timestep, &reference.model);
        assert_eq!(call!(timestep.rate()), model.rate);
        assert_eq!(call!(timestep.tick()), model.tick);
        assert_eq!(call!(timestep.time_scale()), model.scale);
        assert_eq!(call!(timestep.max_delta()), model.max_delta());
        assert_eq!(call!(timestep.max_steps()), model.cap());
        assert_eq!(call!(timestep.overrun()), model.overrun);
        assert_eq!(call!(timestep.is_paused()), model.pause == Pause::Now);
        let idle = call!(timestep.idle_frame());
        assert_eq!((idle.tick(), idle.steps().len()), (model.tick, 0));
        assert!(idle.covered().is_empty() && idle.lost().is_none());
        invariants::alpha_is_in_range(idle.alpha());
        if let Some(frame) = machine.frames[machine.outdated..].last() {
            assert_eq!(
                idle.shown_time(Smoothing::Interpolate),
                frame.shown_time(Smoothing::Interpolate)
            );
            let last = call!(timestep.last_frame());
            assert_eq!((last.steps(), last.lost().is_none()), (frame.steps(), true));
            let given_back = |frame: Frame| {
                let mut timestep = timestep.clone();
                let frame = timestep.give_back(frame, 1);
                (frame.tick(), frame.alpha().to_bits(), frame.covered(), timestep)
            };
            assert_eq!(given_back(last), given_back(*frame));
            let ticks = whole(model.tick) - whole(machine.first_tick);
            let stepped = ticks * period(model.rate) + length(frame.overstep());
            invariants::conserved(
                &machine.came_in,
                &(stepped + &machine.given_up),
                &machine.changes.limit(),
            );
        }
        let until = call!(timestep.until_next_step());
        if model.pause == Pause::Ending && until == Some(Duration::ZERO) {
            // The next frame ends the pause, and a step will become due after it.
            let (mut timestep, mut model) = (timestep.clone(), model.clone());
            let (ended, _) = (timestep.advance(Duration::ZERO), model.advance(Duration::ZERO));
            let until = timestep.until_next_step();
            assert!(ended.step_count() > 0 || until.is_some(), "no step after the pause");
            assert_is_least_delta_with_a_step(until, &model);
        } else {
            assert_is_least_delta_with_a_step(until, model);
        }
    }
}

fn assert_is_least_delta_with_a_step(until: Option<Duration>, model: &Model) {
    let has_step = |delta: Duration| {
        let mut model = model.clone();
        let _ = model.advance(delta);
        model.last.count > 0
    };
    match until {
        Some(until) if until <= model.longest_delta() => {
            assert!(has_step(until), "no step after {until:?}");
            let less = until.checked_sub(Duration::from_nanos(1));
            assert!(!less.is_some_and(has_step), "a step before {until:?}");
        }
        _ => assert!(!has_step(model.longest_delta()), "a step, not {until:?}"),
    }
}

#[test]
fn a_timestep_agrees_with_exact_arithmetic() {
    script::run::<Machine>(48, 60);
    let sources = [
        include_str!("../../src/step/timestep/fixed.rs"),
        include_str!("../../src/step/timestep/settings.rs"),
        include_str!("../../src/step/timestep/next_step.rs"),
    ];
    let restart = "`reset` at another rate; `tests/timestep_behaviour.rs` compares it with a new timestep";
    CALLS.assert_complete("FixedTimestep", &sources, &[("restart_at", restart)]);
}
