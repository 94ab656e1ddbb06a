//! `Schedule`.

use std::time::Duration;

use evenstep::schedule::{Schedule, TaskId};
use evenstep::{Overrun, Rate, Step, TimeScale};
use num_traits::{ToPrimitive, Zero};
use proptest::prelude::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};

use crate::coverage::Calls;
use crate::exact::{Changes, Exact, instant, length, period, secs, speed, whole};
use crate::timestep::model::{Model, ModelLost, Pause};
use crate::{any, invariants, script};

static CALLS: Calls = Calls::new();

/// The longest phase that counts.
const MAX_PHASE: Duration = Duration::from_secs(u32::MAX as u64);

#[derive(Clone, Debug)]
enum Call {
    Add(Rate, Option<Duration>),
    Advance(Duration),
    /// Runs this many steps, if there are as many.
    Run(usize),
    Refuse,
    TimeScale(TimeScale),
    MaxDelta(Option<Duration>),
    MaxBehind(Duration),
    MaxAdvance(Duration),
    Overrun(Overrun),
    Pause,
    Resume,
    ResumeDropping,
    Reset,
}

#[derive(Clone, Debug)]
struct Task {
    rate: Rate,
    phase: Duration,
    next: u64,
}

#[derive(Clone, Debug)]
struct Reference {
    /// The time that has arrived, as a timestep with steps of a second.
    clock: Model,
    tasks: Vec<Task>,
    /// Whether it began with settings, and not with the defaults.
    has_settings: bool,
    max_behind: Duration,
    max_advance: Duration,
    last: Option<usize>,
    /// What the last call answered.
    lost: Option<(ModelLost, Exact)>,
    steps: Vec<(usize, u64)>,
    was_refused: bool,
}

impl Task {
    fn at(&self, tick: u64) -> Exact {
        whole(tick) * period(self.rate) + secs(self.phase)
    }

    /// When its next step ends; never after the last tick of all.
    fn end(&self) -> Option<Exact> {
        self.next.checked_add(1).map(|end| self.at(end))
    }

    fn first_after(&self, now: &Exact) -> u64 {
        let periods = ((now - secs(self.phase)) / period(self.rate)).floor();
        periods.max(Exact::zero()).to_integer().to_u64().unwrap_or(u64::MAX)
    }
}

impl Reference {
    fn earliest(&self) -> Option<(Exact, usize)> {
        let ends = self.tasks.iter().enumerate();
        ends.filter_map(|(index, task)| Some((task.end()?, index))).min()
    }

    fn next_step(&mut self) -> Option<(usize, u64)> {
        self.last = None;
        let (_, index) = self.earliest().filter(|(end, _)| *end <= self.clock.now())?;
        self.last = Some(index);
        self.tasks[index].next += 1;
        Some((index, self.tasks[index].next - 1))
    }

    fn advance(&mut self, delta: Duration) {
        self.last = None;
        self.lost = Some(self.clock.advance_until(delta, self.limit(), secs(self.max_advance)));
    }

    /// The latest time that may arrive while the oldest step waits.
    fn limit(&self) -> Option<Exact> {
        let (end, _) = self.earliest()?;
        let nanos = (end * whole(1_000_000_000)).ceil() / whole(1_000_000_000);
        Some(nanos + secs(self.max_behind))
    }

    fn alpha(&self, task: &Task) -> f64 {
        let alpha = (self.clock.now() - task.at(task.next)) / period(task.rate);
        alpha.to_f64().unwrap().clamp(0.0, 1.0)
    }
}

impl ReferenceStateMachine for Reference {
    type State = Self;
    type Transition = Call;

    fn init_state() -> BoxedStrategy<Self> {
        let defaults = Self {
            clock: Model::new(Rate::hz(1), 0),
            tasks: Vec::new(),
            has_settings: false,
            max_behind: Duration::from_millis(250),
            max_advance: Duration::MAX,
            last: None,
            lost: None,
            steps: Vec::new(),
            was_refused: false,
        };
        let limits = (prop::option::of(any::duration()), any::duration(), any::duration());
        let settings = prop::option::of((limits, any::overrun(), any::scale()));
        settings
            .prop_map(move |settings| {
                let mut state = defaults.clone();
                if let Some(((max_delta, max_behind, max_advance), overrun, scale)) = settings {
                    state.has_settings = true;
                    (state.max_behind, state.max_advance) = (max_behind, max_advance);
                    (state.clock.max_delta, state.clock.overrun) = (max_delta, overrun);
                    state.clock.set_time_scale(scale);
                }
                state
            })
            .boxed()
    }

    fn transitions(state: &Self) -> BoxedStrategy<Call> {
        let add = if state.tasks.len() < 5 { 4 } else { 1 };
        prop_oneof![
            add => (any::rate(), prop::option::of(any::duration())).prop_map(|(rate, phase)| Call::Add(rate, phase)),
            10 => any::duration().prop_map(Call::Advance),
            10 => (0..30_usize).prop_map(Call::Run),
            3 => Just(Call::Refuse),
            2 => any::scale().prop_map(Call::TimeScale),
            1 => prop::option::of(any::duration()).prop_map(Call::MaxDelta),
            1 => any::duration().prop_map(Call::MaxBehind),
            2 => any::duration().prop_map(Call::MaxAdvance),
            3 => any::overrun().prop_map(Call::Overrun),
            1 => Just(Call::Pause),
            2 => Just(Call::Resume),
            1 => Just(Call::ResumeDropping),
            1 => Just(Call::Reset),
        ]
        .boxed()
    }

    fn apply(mut state: Self, call: &Call) -> Self {
        state.steps.clear();
        match call {
            Call::Add(rate, phase) => {
                let phase = phase.unwrap_or_default().min(MAX_PHASE);
                let mut task = Task {
                    rate: *rate,
                    phase,
                    next: 0,
                };
                task.next = task.first_after(&state.clock.now());
                state.tasks.push(task);
            }
            Call::Advance(delta) => state.advance(*delta),
            Call::Run(most) => {
                for _ in 0..*most {
                    let Some(step) = state.next_step() else { break };
                    state.steps.push(step);
                }
            }
            Call::Refuse => {
                state.was_refused = state.last.is_some();
                if let Some(index) = state.last.take() {
                    state.tasks[index].next -= 1;
                }
            }
            Call::TimeScale(scale) => state.clock.set_time_scale(*scale),
            Call::MaxDelta(delta) => state.clock.max_delta = *delta,
            Call::MaxBehind(limit) => state.max_behind = *limit,
            Call::MaxAdvance(most) => state.max_advance = *most,
            Call::Overrun(overrun) => state.clock.overrun = *overrun,
            Call::Pause => state.clock.pause(),
            Call::Resume => state.clock.resume(),
            Call::ResumeDropping => state.clock.resume_dropping(),
            Call::Reset => {
                state.clock.reset();
                state.last = None;
                state.tasks.iter_mut().for_each(|task| task.next = 0);
            }
        }
        state
    }
}

struct Machine {
    schedule: Schedule,
    tasks: Vec<TaskId>,
    /// The tick and alpha of each task when the last frame was drawn.
    pictures: Vec<(u64, f64)>,
    /// Both sides of the law of conservation, since the last reset.
    came_in: Exact,
    given_up: Exact,
    changes: Changes,
}

impl Machine {
    fn advance(&mut self, delta: Duration, reference: &Reference) {
        let schedule = &mut self.schedule;
        let pictures: Vec<_> = self
            .tasks
            .iter()
            .map(|id| (schedule.tick(*id).unwrap(), schedule.alpha(*id).unwrap()))
            .collect();
        for (earlier, later) in self.pictures.iter().zip(&pictures) {
            // Alpha is rounded from an exact value.
            let earlier = (earlier.0, earlier.1 - 1e-12);
            invariants::drawn_time_is_monotonic(Some(&earlier), later);
        }
        self.pictures = pictures;
        let mut lost = None;
        // To record a first call allocates.
        CALLS.record("advance");
        let cost = allocation_counter::measure(|| lost = Some(schedule.advance(delta)));
        invariants::costs_at_most("allocations", cost.count_total, 0);
        let lost = lost.unwrap();
        let (expected, dropped) = reference.lost.as_ref().unwrap();
        assert_eq!((lost.clamped, lost.paused), (expected.clamped, expected.paused));
        assert_eq!(length(lost.dropped), *dropped);
        let speed = speed(call!(schedule.time_scale()));
        self.came_in += secs(delta - lost.paused) * &speed;
        self.given_up += secs(lost.clamped) * speed + dropped;
    }

    fn run(&mut self, most: usize, reference: &Reference) {
        let schedule = &mut self.schedule;
        for (place, (index, tick)) in reference.steps.iter().enumerate() {
            let mut next = None;
            CALLS.record("next_step");
            let cost = allocation_counter::measure(|| next = schedule.next_step());
            invariants::costs_at_most("allocations", cost.count_total, 0);
            let step = Step::new(*tick, reference.tasks[*index].rate);
            assert_eq!(next, Some((self.tasks[*index], step)));
            let is_last = next.is_some_and(|(_, step)| step.is_last());
            let has_later = reference.steps[place + 1..].iter().any(|(other, _)| other == index);
            assert!(!(is_last && has_later) && (is_last || has_later || reference.steps.len() >= most));
        }
        if reference.steps.len() < most {
            assert_eq!(call!(schedule.next_step()), None);
        }
    }
}

impl StateMachineTest for Machine {
    type SystemUnderTest = Self;
    type Reference = Reference;

    fn init_test(reference: &Reference) -> Self {
        let mut schedule = call!(Schedule::new());
        if reference.has_settings {
            schedule = call!(schedule.with_max_delta(reference.clock.max_delta));
            schedule = call!(schedule.with_max_behind(reference.max_behind));
            schedule = call!(schedule.with_max_advance(reference.max_advance));
            schedule = call!(schedule.with_overrun(reference.clock.overrun));
            schedule = call!(schedule.with_time_scale(reference.clock.scale));
        }
        Self {
            schedule,
            tasks: Vec::new(),
            pictures: Vec::new(),
            came_in: Exact::zero(),
            given_up: Exact::zero(),
            changes: Changes::new(reference.clock.scale),
        }
    }

    fn apply(mut machine: Self, reference: &Reference, call: Call) -> Self {
        let schedule = &mut machine.schedule;
        match call {
            Call::Add(rate, phase) => {
                let id = match phase {
                    Some(phase) => call!(schedule.add_with_phase(rate, phase)),
                    None => call!(schedule.add(rate)),
                };
                machine.tasks.push(id);
            }
            Call::Advance(delta) => machine.advance(delta, reference),
            Call::Run(most) => machine.run(most, reference),
            Call::Refuse => {
                let before = schedule.clone();
                let was_refused = call!(schedule.refuse());
                assert_eq!(was_refused, reference.was_refused);
                if !was_refused {
                    invariants::unchanged_by_failure(&before, schedule);
                }
            }
            Call::TimeScale(scale) => {
                call!(schedule.set_time_scale(scale));
                machine.changes.set(scale);
            }
            Call::MaxDelta(delta) => call!(schedule.set_max_delta(delta)),
            Call::MaxBehind(limit) => call!(schedule.set_max_behind(limit)),
            Call::MaxAdvance(most) => call!(schedule.set_max_advance(most)),
            Call::Overrun(overrun) => call!(schedule.set_overrun(overrun)),
            Call::Pause => call!(schedule.pause()),
            Call::Resume => call!(schedule.resume()),
            Call::ResumeDropping => call!(schedule.resume_dropping()),
            Call::Reset => {
                call!(schedule.reset());
                machine.changes = Changes::new(machine.schedule.time_scale());
                machine.pictures.clear();
                (machine.came_in, machine.given_up) = (Exact::zero(), Exact::zero());
            }
        }
        machine
    }

    fn check_invariants(machine: &Self, reference: &Reference) {
        let schedule = &machine.schedule;
        let now = instant(call!(schedule.now()));
        let kept = &reference.clock.backlog;
        assert_eq!(now, reference.clock.now());
        assert_eq!(call!(schedule.is_behind()), !kept.is_zero());
        invariants::conserved(
            &machine.came_in,
            &(now + kept + &machine.given_up),
            &machine.changes.limit(),
        );
        assert_eq!(call!(schedule.time_scale()), reference.clock.scale);
        assert_eq!(call!(schedule.max_delta()), reference.clock.max_delta());
        assert_eq!(call!(schedule.max_behind()), reference.max_behind);
        assert_eq!(call!(schedule.max_advance()), reference.max_advance);
        assert_eq!(call!(schedule.overrun()), reference.clock.overrun);
        assert_eq!(call!(schedule.is_paused()), reference.clock.pause == Pause::Now);
        for (id, task) in machine.tasks.iter().zip(&reference.tasks) {
            let alpha = call!(schedule.alpha(*id)).unwrap();
            invariants::alpha_is_in_range(alpha);
            assert!(
                (alpha - reference.alpha(task)).abs() < 1e-6,
                "{alpha} for {}",
                reference.alpha(task)
            );
            assert_eq!(call!(schedule.tick(*id)), Some(task.next));
        }
        let until = call!(schedule.until_next_step());
        if reference.clock.pause == Pause::Ending && until == Some(Duration::ZERO) {
            // The next frame ends the pause, and a step will become due after it.
            let (mut schedule, mut reference) = (schedule.clone(), reference.clone());
            let _ = schedule.advance(Duration::ZERO);
            reference.advance(Duration::ZERO);
            assert!(schedule.until_next_step().is_some(), "no step after the pause");
            assert_is_least_delta_with_a_step(schedule.until_next_step(), &reference);
        } else {
            assert_is_least_delta_with_a_step(until, reference);
        }
    }
}

fn assert_is_least_delta_with_a_step(until: Option<Duration>, reference: &Reference) {
    let Some((end, _)) = reference.earliest() else {
        return assert_eq!(until, None);
    };
    let after = |delta: Duration| {
        let mut clock = reference.clock.clone();
        let _ = clock.advance_until(delta, reference.limit(), secs(reference.max_advance));
        clock.now()
    };
    let has_step = |delta: Duration| after(delta) >= end;
    let fits = &end - after(Duration::ZERO) <= secs(reference.max_advance);
    match until {
        Some(Duration::ZERO) => assert!(reference.clock.now() >= end, "no step is due"),
        Some(until) if fits && until <= reference.clock.longest_delta() => {
            assert!(has_step(until), "no step after {until:?}");
            assert!(!has_step(until - Duration::from_nanos(1)), "a step before {until:?}");
        }
        _ => assert!(!has_step(reference.clock.longest_delta()), "a step, not {until:?}"),
    }
}

#[test]
fn a_schedule_agrees_with_exact_arithmetic() {
    script::run::<Machine>(48, 60);
    let sources = [
        include_str!("../../src/schedule.rs"),
        include_str!("../../src/schedule/settings.rs"),
    ];
    CALLS.assert_complete("Schedule", &sources, &[]);
}
