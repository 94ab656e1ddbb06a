//! The law of `History`'s memory: states and inputs stay within the cap.

use std::cell::Cell;
use std::rc::Rc;

use evenstep::history::{History, Rewind};
use evenstep::{Rate, Step};
use proptest::prelude::*;

const RATE: Rate = Rate::hz(60);

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
