//! The law of `History`: after any rewinding, replaying, amending and resuming, the state is that of a straight run.

use std::cell::Cell;
use std::rc::Rc;

use evenstep::history::{History, Rewind};
use evenstep::{Rate, Step};
use proptest::prelude::*;

/// A ball on a spring that is pushed: its floats tell the order of every addition.
#[derive(Clone, Debug, Default, PartialEq)]
struct Ball {
    position: f64,
    velocity: f64,
}

impl Rewind for Ball {
    type Saved = Self;
    type Input = f64;

    fn save(&self) -> Self {
        self.clone()
    }

    fn restore(&mut self, saved: &Self) {
        self.clone_from(saved);
    }

    fn step(&mut self, step: &Step, push: &f64) {
        self.velocity += (push - 40.0 * self.position) * step.dt + 1e-9 * step.tick as f64;
        self.position += self.velocity * step.dt;
    }
}

impl Ball {
    fn hash(&self) -> (u64, u64) {
        (self.position.to_bits(), self.velocity.to_bits())
    }
}

#[derive(Clone, Debug)]
enum Action {
    Step(f64),
    /// To a place between the oldest and the newest tick.
    Seek(f64),
    StepBack,
    Amend(f64, f64),
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        10 => (-9.0..9.0_f64).prop_map(Action::Step),
        2 => (0.0..1.0_f64).prop_map(Action::Seek),
        2 => Just(Action::StepBack),
        2 => (0.0..1.0_f64, -9.0..9.0_f64).prop_map(|(place, push)| Action::Amend(place, push)),
    ]
}

const RATE: Rate = Rate::hz(60);

proptest! {
    #[test]
    fn after_any_rewinds_and_changes_the_state_is_that_of_a_straight_run(
        actions in prop::collection::vec(action(), 1..200),
        every in 0..12_u32,
        max_bytes in prop_oneof![Just(usize::MAX), 0..2000_usize],
    ) {
        let mut history = History::new(RATE, every, max_bytes);
        let mut ball = Ball::default();
        let (mut inputs, mut now) = (Vec::new(), 0);
        for action in actions {
            let (oldest, newest) = (history.oldest(), history.newest());
            let at = |place: f64| oldest + ((newest - oldest) as f64 * place) as u64;
            match action {
                Action::Step(push) => {
                    inputs.truncate(now);
                    inputs.push(push);
                    history.step(&mut ball, push);
                    now += 1;
                }
                Action::Seek(place) => {
                    if history.seek(&mut ball, at(place)).is_ok() {
                        now = at(place) as usize;
                    }
                }
                Action::StepBack => {
                    if now > 0 && history.seek(&mut ball, now as u64 - 1).is_ok() {
                        now -= 1;
                    }
                }
                Action::Amend(place, push) => {
                    let tick = at(place);
                    if history.amend(&mut ball, [(tick, push)]).is_ok() {
                        inputs[tick as usize] = push;
                    }
                }
            }
            let mut straight = Ball::default();
            for (tick, push) in inputs[..now].iter().enumerate() {
                straight.step(&Step::new(tick as u64, RATE), push);
            }
            prop_assert_eq!(ball.hash(), straight.hash(), "after {} ticks", now);
            prop_assert!(history.bytes() <= max_bytes);
        }
    }
}

/// A piece of memory that says how much there is of its kind.
struct Piece {
    bytes: usize,
    all: Rc<Cell<usize>>,
}

impl Piece {
    fn new(bytes: usize, all: &Rc<Cell<usize>>) -> Self {
        all.set(all.get() + bytes);
        let all = Rc::clone(all);
        Self { bytes, all }
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        self.all.set(self.all.get() - self.bytes);
    }
}

/// Each step leaves a state as large as its input.
struct Sum {
    bytes: usize,
    all: Rc<Cell<usize>>,
}

impl Rewind for Sum {
    type Saved = Piece;
    type Input = Piece;

    fn save(&self) -> Piece {
        Piece::new(self.bytes, &self.all)
    }

    fn restore(&mut self, saved: &Piece) {
        self.bytes = saved.bytes;
    }

    fn step(&mut self, _: &Step, input: &Piece) {
        self.bytes = input.bytes;
    }

    fn bytes(saved: &Piece) -> usize {
        saved.bytes
    }

    fn input_bytes(input: &Piece) -> usize {
        input.bytes
    }
}

#[derive(Clone, Debug)]
enum Use {
    Step(usize),
    Seek(f64),
    Amend(Vec<(f64, usize)>),
}

proptest! {
    #[test]
    fn states_and_inputs_never_take_more_memory_than_the_cap(
        uses in prop::collection::vec(
            prop_oneof![
                8 => (0..2_000_usize).prop_map(Use::Step),
                2 => (0.0..1.0_f64).prop_map(Use::Seek),
                2 => prop::collection::vec((0.0..1.0_f64, 0..5_000_usize), 1..4).prop_map(Use::Amend),
            ],
            1..200,
        ),
        every in 0..12_u32,
        cap in prop_oneof![Just(0), 1_000..20_000_usize],
    ) {
        let all = Rc::new(Cell::new(0));
        let mut sum = Sum { bytes: 0, all: Rc::clone(&all) };
        let mut history = History::new(RATE, every, cap);
        // All inputs there ever were up to the newest, and where the simulation is.
        let (mut inputs, mut now) = (Vec::new(), 0);
        for step in uses {
            let (oldest, newest) = (history.oldest(), history.newest());
            let at = |place: f64| oldest + ((newest - oldest) as f64 * place) as u64;
            match step {
                Use::Step(bytes) => {
                    inputs.truncate(now);
                    inputs.push(bytes);
                    history.step(&mut sum, Piece::new(bytes, &all));
                    now += 1;
                }
                Use::Seek(place) => {
                    if history.seek(&mut sum, at(place)).is_ok() {
                        now = at(place) as usize;
                    }
                }
                Use::Amend(changes) => {
                    let pieces: Vec<_> = changes.iter().map(|(place, bytes)| (at(*place), Piece::new(*bytes, &all))).collect();
                    if history.amend(&mut sum, pieces).is_ok() {
                        changes.iter().for_each(|(place, bytes)| inputs[at(*place) as usize] = *bytes);
                    }
                }
            }
            prop_assert!(all.get() <= cap, "{} bytes, cap {}", all.get(), cap);
            prop_assert_eq!(history.bytes(), all.get());
            prop_assert_eq!(sum.bytes, now.checked_sub(1).map_or(0, |last| inputs[last]));
            prop_assert!((history.oldest()..=history.newest()).contains(&(now as u64)));
        }
    }
}
