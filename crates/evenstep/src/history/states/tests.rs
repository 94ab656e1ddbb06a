//! The cap, and which past ticks can be restored.

use super::*;

/// Remembers the last inputs; its steps are not to be undone otherwise.
#[derive(Clone, Default)]
struct Mixer(u64);

impl Rewind for Mixer {
    type Saved = u64;
    type Input = u64;

    fn save(&self) -> u64 {
        self.0
    }

    fn restore(&mut self, saved: &u64) {
        self.0 = *saved;
    }

    fn step(&mut self, step: &Step, input: &u64) {
        self.0 = (self.0.rotate_left(7) ^ input).wrapping_mul(0x9E37_79B9_7F4A_7C15) + step.tick;
    }
}

fn history(every: u32, bytes: usize, ticks: u64) -> (History<u64, u64>, Mixer) {
    let mut history = History::new(Rate::hz(60), every, bytes);
    let mut world = Mixer::default();
    (0..ticks).for_each(|tick| history.step(&mut world, tick * tick));
    (history, world)
}

#[test]
fn the_cap_holds_and_states_within_it_are_available() {
    let (mut history, mut world) = history(10, 1000, 500);
    let end = world.0;
    assert!(history.bytes() <= 1000);
    assert!(history.oldest() > 300 && history.oldest() % 10 == 0);
    let oldest = history.oldest();
    let error = history.seek(&mut world, oldest - 1).unwrap_err();
    assert_eq!(
        error,
        HistoryError::NotKept {
            tick: oldest - 1,
            oldest,
            newest: 500
        }
    );
    assert_eq!(world.0, end);
    history.seek(&mut world, oldest).unwrap();
    assert!(history.seek(&mut world, 500).unwrap() <= 10);
    assert_eq!(world.0, end);
}

#[test]
fn a_cap_of_zero_keeps_nothing_and_the_simulation_continues() {
    let (mut history, mut world) = history(1, 0, 20);
    assert_eq!((history.bytes(), history.saved_states(), history.oldest()), (0, 0, 20));
    let before = world.0;
    assert!(history.seek(&mut world, 19).is_err() && history.amend(&mut world, [(19, 0)]).is_err());
    assert_eq!(history.seek(&mut world, 20), Ok(0));
    assert_eq!(world.0, before);
}

#[test]
fn at_most_the_steps_between_two_states_are_resimulated() {
    let (mut history, mut world) = history(8, usize::MAX, 100);
    for tick in (0..100).rev() {
        assert!(history.seek(&mut world, tick).unwrap() < 8);
    }
}

#[test]
fn an_input_of_the_future_cannot_be_amended_and_nothing_is_then() {
    let (mut history, mut world) = history(4, usize::MAX, 10);
    let before = world.0;
    let error = history.amend(&mut world, [(3, 7), (10, 0)]).unwrap_err();
    let (oldest, newest) = (0, 9);
    assert_eq!(
        error,
        HistoryError::NotKept {
            tick: 10,
            oldest,
            newest
        }
    );
    history.seek(&mut world, 0).unwrap();
    history.seek(&mut world, 10).unwrap();
    assert_eq!(world.0, before);
}

/// Its state is as large as the input says.
#[derive(Default)]
struct Swelling(usize);

impl Rewind for Swelling {
    type Saved = usize;
    type Input = usize;

    fn save(&self) -> usize {
        self.0
    }

    fn restore(&mut self, saved: &usize) {
        self.0 = *saved;
    }

    fn step(&mut self, _: &Step, input: &usize) {
        self.0 = self.0.saturating_add(*input);
    }

    fn bytes(saved: &usize) -> usize {
        *saved
    }
}

#[test]
fn the_cap_holds_also_where_an_amendment_makes_states_larger() {
    for larger in [50, 10_000, usize::MAX] {
        let mut history = History::new(Rate::hz(60), 4, 2_000);
        let mut world = Swelling::default();
        (0..100).for_each(|_| history.step(&mut world, 0));
        let oldest = history.oldest();
        history.amend(&mut world, [(oldest + 5, larger)]).unwrap();
        assert!(history.bytes() <= 2_000, "{} bytes after amending", history.bytes());
        for tick in [oldest, 100, oldest + 50] {
            history.seek(&mut world, tick).unwrap();
            assert_eq!(world.0, if tick == oldest { 0 } else { larger });
            assert!(history.bytes() <= 2_000, "{} bytes at {tick}", history.bytes());
        }
        history.seek(&mut world, 100).unwrap();
        history.step(&mut world, 1);
        assert!(history.bytes() <= 2_000);
        assert_eq!(history.newest(), 101);
    }
}

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

    fn bytes(_: &Vec<u64>) -> usize {
        100
    }
}

#[test]
fn a_full_history_and_a_rollback_reuse_memory() {
    let mut history = History::new(Rate::hz(60), 4, 2_000);
    let mut world = Frugal::default();
    (0..200).for_each(|tick| history.step(&mut world, tick));
    let states = u32::try_from(history.saved_states()).unwrap();
    assert!((10..20).contains(&states), "{states}");
    assert!(world.made.get() <= states + 1, "{} made for {states}", world.made.get());
    let made = world.made.get();
    for tick in 200..260 {
        history.step(&mut world, tick);
        history.amend(&mut world, [(tick - 9, 5), (tick - 2, 7)]).unwrap();
    }
    assert_eq!(world.made.get(), made);
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
