//! A simulation that counts its steps, and how often it is copied.

use std::cell::Cell;
use std::sync::mpsc;

use evenstep::Step;
use evenstep::thread::{Simulation, StepInput};

thread_local! {
    pub(super) static SNAPSHOTS: Cell<u64> = const { Cell::new(0) };
    pub(super) static CLONES: Cell<u64> = const { Cell::new(0) };
}

fn count(counter: &'static std::thread::LocalKey<Cell<u64>>) {
    counter.set(counter.get() + 1);
}

/// How many steps were run.
#[derive(Debug, PartialEq)]
pub(super) struct Count(pub(super) u64);

impl Clone for Count {
    fn clone(&self) -> Self {
        count(&CLONES);
        Self(self.0)
    }
}

/// Counts its steps.
pub(super) struct Counter {
    pub(super) steps: u64,
    pub(super) delivered: mpsc::Sender<usize>,
}

impl Simulation for Counter {
    type Input = usize;
    type Snapshot = Count;

    fn step(&mut self, _: &Step, input: &mut StepInput<'_, usize>) {
        self.steps += 1;
        input.for_each(|number| self.delivered.send(number).unwrap());
    }

    fn snapshot(&self) -> Count {
        count(&SNAPSHOTS);
        Count(self.steps)
    }
}
