//! `History`, against a straight run from the start.

use evenstep::history::{History, HistoryError, Rewind};
use evenstep::{Rate, Step, Tick};
use proptest::prelude::*;
use proptest_state_machine::{ReferenceStateMachine, StateMachineTest};

use crate::coverage::Calls;
use crate::{invariants, script};

static CALLS: Calls = Calls::new();

const RATE: Rate = Rate::hz(60);

/// A state that depends on the order of all its inputs, has the size that they say, and counts its saves and copies.
#[derive(Clone, Debug, Default)]
struct World {
    state: State,
    steps: u64,
    saves: std::cell::Cell<u64>,
    restores: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct State {
    seen: u64,
    size: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Input {
    push: u64,
    size: usize,
}

impl State {
    fn stepped(self, tick: Tick, input: &Input) -> Self {
        let seen = (self.seen.rotate_left(7) ^ input.push).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        Self {
            seen: seen.wrapping_add(tick),
            size: input.size,
        }
    }
}

impl Rewind for World {
    type Saved = State;
    type Input = Input;

    fn save(&self) -> State {
        self.saves.set(self.saves.get() + 1);
        self.state
    }

    fn restore(&mut self, saved: &State) {
        self.restores += 1;
        self.state = *saved;
    }

    fn step(&mut self, step: &Step, input: &Input) {
        self.steps += 1;
        self.state = self.state.stepped(step.tick, input);
    }

    fn bytes(saved: &State) -> usize {
        saved.size
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
    Step(Input),
    Seek(Tick),
    Amend(Vec<(Tick, Input)>),
    Save,
    Restore,
}

/// What a history is made with, and about how many steps it has done.
#[derive(Clone, Debug)]
struct Setting {
    every: u32,
    max_bytes: usize,
    steps: u64,
}

fn any_input() -> impl Strategy<Value = Input> {
    let size = prop_oneof![
        8 => 0..100_usize,
        2 => 0..2_000_usize,
        1 => prop::sample::select(vec![0, usize::MAX / 2, usize::MAX]),
    ];
    (any::<u64>(), size).prop_map(|(push, size)| Input { push, size })
}

impl ReferenceStateMachine for Setting {
    type State = Self;
    type Transition = Call;

    fn init_state() -> BoxedStrategy<Self> {
        let every = prop_oneof![8 => 0..12_u32, 1 => Just(u32::MAX)];
        let max_bytes = prop_oneof![Just(usize::MAX), Just(0), 0..3_000_usize];
        (every, max_bytes)
            .prop_map(|(every, max_bytes)| Self {
                every,
                max_bytes,
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
        let changes = prop::collection::vec((tick(), any_input()), 0..4);
        prop_oneof![
            16 => any_input().prop_map(Call::Step),
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
    history: History<State, Input>,
    world: World,
    inputs: Vec<Input>,
    now: Tick,
    /// Up to here, states are saved as often as they should be: those after an amendment are gone.
    saved_to: Tick,
    saved: Option<Box<Program>>,
}

impl Program {
    /// The state of a straight run.
    fn straight(&self) -> State {
        let inputs = self.inputs[..self.now as usize].iter().zip(0..);
        inputs.fold(State::default(), |state, (input, tick)| state.stepped(tick, input))
    }

    fn is_small(&self) -> bool {
        self.inputs.iter().all(|input| input.size < 1 << 20)
    }

    fn is_kept(&self, tick: Tick) -> bool {
        let history = &self.history;
        call!(history.saved_states()) > 0 && (call!(history.oldest())..=call!(history.newest())).contains(&tick)
    }

    /// Makes a call that may fail: then nothing has changed. Otherwise it did as many steps as it says.
    fn try_call(
        &mut self,
        may: bool,
        call: impl FnOnce(&mut History<State, Input>, &mut World) -> Result<u64, HistoryError>,
    ) -> bool {
        let before = (self.history.clone(), self.world.clone());
        let (saved_states, oldest) = (self.history.saved_states(), self.history.oldest());
        match call(&mut self.history, &mut self.world) {
            Ok(steps) => {
                assert_eq!(self.world.steps - before.1.steps, steps, "steps simulated again");
                invariants::costs_at_most(self.world.restores - before.1.restores, 2);
                invariants::costs_at_most(self.world.saves.get() - before.1.saves.get(), steps);
                assert_eq!(self.history.oldest(), oldest, "looking back forgets nothing");
                assert!(may && (saved_states == 0) == (self.history.saved_states() == 0));
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
            history: call!(History::new(RATE, setting.every, setting.max_bytes)),
            world: World::default(),
            inputs: Vec::new(),
            now: 0,
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
                program.now += 1;
                program.saved_to = program.now;
                assert_eq!(program.history.newest(), program.now);
            }
            Call::Seek(tick) => {
                let may = tick == program.now || program.is_kept(tick);
                let steps = program.world.steps;
                if program.try_call(may, |history, world| call!(history.seek(world, tick))) {
                    program.now = tick;
                    if tick <= program.saved_to && setting.max_bytes == usize::MAX && program.is_small() {
                        // The newest state is only saved by the next step.
                        let is_newest = u64::from(tick == program.history.newest());
                        let most = u64::from(setting.every.max(1)) - 1 + is_newest;
                        invariants::costs_at_most(program.world.steps - steps, most);
                    }
                    program.saved_to = program.saved_to.max(tick);
                }
            }
            Call::Amend(changes) => {
                let newest = program.history.newest();
                let may = changes.iter().all(|(tick, _)| *tick < newest && program.is_kept(*tick));
                if program.try_call(may, |history, world| call!(history.amend(world, changes.clone()))) {
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

    fn check_invariants(program: &Self, setting: &Setting) {
        let history = &program.history;
        assert_eq!(program.world.state, program.straight(), "after {} steps", program.now);
        invariants::is_within_cap(call!(history.bytes()), setting.max_bytes);
        assert!((history.oldest()..=history.newest()).contains(&program.now));
        assert_eq!(history.newest(), program.inputs.len() as u64);
        assert!(history.oldest() == 0 || setting.max_bytes < usize::MAX || !program.is_small());
    }
}

#[test]
fn the_state_after_rewinding_and_amending_is_that_of_a_straight_run() {
    script::run::<Program>(256, 120);
    CALLS.assert_complete("History", &[include_str!("../../src/history/states.rs")], &[]);
}
