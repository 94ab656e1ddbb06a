//! The memory of a history.

use super::*;

/// Its states count how often memory was allocated for one.
#[derive(Default)]
struct Frugal {
    now: u64,
    made: core::cell::Cell<u32>,
}

impl Rewind for Frugal {
    type Saved = Vec<u64>;
    type Input = u64;

    fn save(&self) -> Vec<u64> {
        self.made.set(self.made.get() + 1);
        alloc::vec![self.now]
    }

    fn save_into(&self, saved: &mut Vec<u64>) {
        saved[0] = self.now;
    }

    fn restore(&mut self, saved: &Vec<u64>) {
        self.now = saved[0];
    }

    fn step(&mut self, _: &Step, input: &u64) {
        self.now = self.now * 3 % 1_000_003 + input;
    }
}

#[test]
fn a_full_history_and_a_rollback_reuse_memory() {
    let mut history = History::new(Rate::hz(60), 4, 12);
    let mut world = Frugal::default();
    (0..200).for_each(|tick| history.step(&mut world, tick));
    assert_eq!(world.made.get(), 12);
    for tick in 200..260 {
        history.step(&mut world, tick);
        history.amend(&mut world, [(tick - 9, 5), (tick - 2, 7)]).unwrap();
    }
    assert_eq!(world.made.get(), 12);
    let mut straight = Frugal::default();
    let amended = |tick: u64| {
        let last = if tick + 2 < 260 { 7 } else { tick };
        if (191..251).contains(&tick) {
            5
        } else if tick >= 198 {
            last
        } else {
            tick
        }
    };
    (0..260).for_each(|tick| straight.step(&Step::new(tick, Rate::hz(60)), &amended(tick)));
    assert_eq!(world.now, straight.now);
}
