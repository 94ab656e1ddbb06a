//! `History`, against a straight run from the start.

use evenstep::history::{History, HistoryError, Rewind};
use evenstep::{Rate, Step, Tick};
use proptest::prelude::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};

use crate::coverage::Calls;
use crate::{invariants, script};

static CALLS: Calls = Calls::new();

const RATE: Rate = Rate::hz(60);

/// A state that depends on the order of all its inputs, and counts its saves and copies.
#[derive(Clone, Debug, Default)]
struct World {
    state: u64,
    steps: u64,
    saves: std::cell::Cell<u64>,
    restores: u64,
}

fn stepped(state: u64, tick: Tick, input: u64) -> u64 {
    let seen = (state.rotate_left(7) ^ input).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    seen.wrapping_add(tick)
}

impl Rewind for World {
    type Saved = u64;
    type Input = u64;

    fn save(&self) -> u64 {
        self.saves.set(self.saves.get() + 1);
        self.state
    }

    fn restore(&mut self, saved: &u64) {
        self.restores += 1;
        self.state = *saved;
    }

    fn step(&mut self, step: &Step, input: &u64) {
        self.steps += 1;
        self.state = stepped(self.state, step.tick, *input);
    }
}

/// Only the state matters: how it was come by does not.
impl PartialEq for World {
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state
    }
}

#[derive(Clone, Debug)]
enum Call {
    Step(u64),
    Seek(Tick),
    Amend(Vec<(Tick, u64)>),
    Save,
    Restore,
}

/// What a history is made with, and about how many steps it has done.
#[derive(Clone, Debug)]
struct Setting {
    every: u32,
    max_states: usize,
    steps: u64,
}

impl ReferenceStateMachine for Setting {
    type State = Self;
    type Transition = Call;

    fn init_state() -> BoxedStrategy<Self> {
        let every = prop_oneof![8 => 0..12_u32, 1 => Just(u32::MAX)];
        let max_states = prop_oneof![2 => 0..12_usize, 1 => Just(usize::MAX)];
        (every, max_states)
            .prop_map(|(every, max_states)| Self {
                every,
                max_states,
                steps: 0,
            })
            .boxed()
    }

    fn transitions(setting: &Self) -> BoxedStrategy<Call> {
        let newest = setting.steps;
        let tick = move || {
            prop_oneof![
                6 => newest.saturating_sub(20)..=newest,
                3 => 0..=newest + 3,
                1 => Just(Tick::MAX),
            ]
        };
        let changes = prop::collection::vec((tick(), any::<u64>()), 0..4);
        prop_oneof![
            16 => any::<u64>().prop_map(Call::Step),
            4 => tick().prop_map(Call::Seek),
            4 => changes.prop_map(Call::Amend),
            1 => Just(Call::Save),
            1 => Just(Call::Restore),
        ]
        .boxed()
    }

    fn apply(mut setting: Self, call: &Call) -> Self {
        setting.steps += u64::from(matches!(call, Call::Step(_)));
        setting
    }
}

/// A history with its world, and beside it all inputs there ever were, whether they are kept or not.
#[derive(Clone)]
struct Program {
    history: History<u64, u64>,
    world: World,
    inputs: Vec<u64>,
    now: Tick,
    /// The first state that there was room for.
    oldest: Tick,
    /// Up to here, states are saved as often as they should be: those after an amendment are gone.
    saved_to: Tick,
    saved: Option<Box<Program>>,
}

impl Program {
    /// The state of a straight run.
    fn straight(&self) -> u64 {
        let inputs = self.inputs[..self.now as usize].iter().zip(0..);
        inputs.fold(0, |state, (input, tick)| stepped(state, tick, *input))
    }

    fn is_kept(&self, tick: Tick) -> bool {
        let history = &self.history;
        !self.inputs.is_empty() && (call!(history.oldest())..=call!(history.newest())).contains(&tick)
    }

    /// Makes a call that may fail: then nothing has changed. Otherwise it did as many steps as it says.
    fn try_call(
        &mut self,
        may: bool,
        call: impl FnOnce(&mut History<u64, u64>, &mut World) -> Result<u64, HistoryError>,
    ) -> bool {
        let before = (self.history.clone(), self.world.clone());
        let oldest = self.history.oldest();
        match call(&mut self.history, &mut self.world) {
            Ok(steps) => {
                assert_eq!(self.world.steps - before.1.steps, steps, "steps simulated again");
                invariants::costs_at_most("restored states", self.world.restores - before.1.restores, 2);
                invariants::costs_at_most("saved states", self.world.saves.get() - before.1.saves.get(), steps);
                assert_eq!(self.history.oldest(), oldest, "looking back forgets nothing");
                assert!(may, "some of it is not kept");
                true
            }
            Err(HistoryError::NotKept { .. }) => {
                invariants::unchanged_by_failure(&before, &(self.history.clone(), self.world.clone()));
                assert_eq!(self.world.steps, before.1.steps);
                assert!(!may, "all of it is kept");
                false
            }
            Err(error) => panic!("{error}"),
        }
    }
}

impl StateMachineTest for Program {
    type SystemUnderTest = Self;
    type Reference = Setting;

    fn init_test(setting: &Setting) -> Self {
        Self {
            history: call!(History::new(RATE, setting.every, setting.max_states)),
            world: World::default(),
            inputs: Vec::new(),
            now: 0,
            oldest: 0,
            saved_to: 0,
            saved: None,
        }
    }

    fn apply(mut program: Self, setting: &Setting, call: Call) -> Self {
        match call {
            Call::Step(input) => {
                let Self { history, world, .. } = &mut program;
                call!(history.step(world, input));
                program.inputs.truncate(program.now as usize);
                program.inputs.push(input);
                // States are of the ticks that `every` divides, the last one at most `every` before the next step.
                let every = u64::from(setting.every.max(1));
                let before_it = setting.max_states.saturating_sub(1) as u64;
                let oldest = (program.now / every).saturating_sub(before_it) * every;
                program.oldest = program.oldest.max(oldest);
                program.now += 1;
                program.saved_to = program.now;
                assert_eq!(program.history.newest(), program.now);
            }
            Call::Seek(tick) => {
                let may = tick == program.now || program.is_kept(tick);
                let steps = program.world.steps;
                if program.try_call(may, |history, world| call!(history.seek(world, tick))) {
                    program.now = tick;
                    if tick <= program.saved_to {
                        // The newest state is only saved by the next step.
                        let is_newest = u64::from(tick == program.history.newest());
                        let most = u64::from(setting.every.max(1)) - 1 + is_newest;
                        invariants::costs_at_most("steps", program.world.steps - steps, most);
                    }
                    program.saved_to = program.saved_to.max(tick);
                }
            }
            Call::Amend(changes) => {
                let newest = program.history.newest();
                let may = changes.iter().all(|(tick, _)| *tick < newest && program.is_kept(*tick));
                let steps = program.world.steps;
                if program.try_call(may, |history, world| call!(history.amend(world, changes.clone()))) {
                    let (again, earliest) = (program.world.steps - steps, changes.iter().map(|(tick, _)| *tick).min());
                    match earliest.filter(|earliest| *earliest < program.now) {
                        Some(earliest) => {
                            assert!(again >= program.now - earliest, "the changed tick is simulated again");
                            if earliest <= program.saved_to {
                                let before = u64::from(setting.every.max(1)) - 1;
                                invariants::costs_at_most("steps", again, program.now - earliest + before);
                            }
                        }
                        None => assert_eq!(again, 0, "what is yet to be simulated is not simulated again"),
                    }
                    for (tick, input) in changes {
                        program.inputs[tick as usize] = input;
                        program.saved_to = program.saved_to.min(program.now.max(tick));
                    }
                }
            }
            Call::Save => program.saved = Some(Box::new(program.clone())),
            Call::Restore => {
                if let Some(saved) = program.saved.clone() {
                    program = Self {
                        saved: Some(saved.clone()),
                        ..*saved
                    };
                }
            }
        }
        program
    }

    fn check_invariants(program: &Self, _: &Setting) {
        let history = &program.history;
        assert_eq!(program.world.state, program.straight(), "after {} steps", program.now);
        assert!((history.oldest()..=history.newest()).contains(&program.now));
        assert_eq!(history.newest(), program.inputs.len() as u64);
        assert_eq!(history.oldest(), program.oldest);
    }
}

#[test]
fn the_state_after_rewinding_and_amending_is_that_of_a_straight_run() {
    script::run::<Program>(256, 120);
    CALLS.assert_complete("History", &[include_str!("../../src/history/states.rs")], &[]);
}
