//! Faults that part two machines, planted in a small game: the tick and the path of each are named.

use evenstep::history::Rewind;
use evenstep::inspect::{Desync, Dump, hash};
use evenstep::{Rate, Step, Tick};

use crate::faulty::{Fault, Faulty, State};

/// Both players move in every other tick, and fire once.
fn inputs(tick: Tick, begin: Tick) -> [u8; 2] {
    [2 * (tick % 2) as u8 + u8::from(tick + 1 == begin); 2]
}

/// The states before all ticks of a machine that rolls back once, after the tick `begin`.
fn run(seed: u64, fault: Option<Fault>, begin: Tick) -> Vec<State> {
    let mut game = Faulty::new(seed, fault.map(|fault| (fault, begin)));
    let mut states = Vec::new();
    let step = |game: &mut Faulty, states: &mut Vec<State>, tick: Tick| {
        states.truncate(tick as usize);
        states.push(game.save());
        game.step(&Step::new(tick, Rate::hz(60)), &inputs(tick, begin));
    };
    for tick in 0..100 {
        step(&mut game, &mut states, tick);
        if tick == begin {
            game.restore(&states[tick as usize - 2].clone());
            (tick - 2..=tick).for_each(|tick| step(&mut game, &mut states, tick));
        }
        game.draw();
    }
    states
}

/// What two machines with these logs report.
fn report(here: &[State], there: &[State]) -> Option<Desync> {
    let mut ticks = here.iter().zip(there);
    let tick = ticks.position(|(here, there)| hash(here) != hash(there))?;
    Dump::new(tick as Tick, &here[tick]).compare(&Dump::new(tick as Tick, &there[tick]))
}

#[test]
fn a_hundred_planted_faults_of_ten_kinds_are_named_by_tick_and_path() {
    let mut named = 0;
    for fault in Fault::ALL {
        for seed in 0..10 {
            let begin = 10 + 7 * seed;
            let (here, there) = (run(seed, None, begin), run(seed, Some(fault), begin));
            let desync = report(&here, &there).unwrap_or_else(|| panic!("{fault:?}, {seed}: nothing differs"));
            // What is forgotten differs from the tick to which the machine rolls back; else it is the state after the faulty tick.
            let tick = match fault {
                Fault::FieldForgottenInRestore => begin - 2,
                _ => begin + 1,
            };
            assert_eq!(desync.tick, tick, "{fault:?}, {seed}: {desync}");
            let paths = fault.paths((seed % 2) as usize);
            assert!(
                paths.contains(&desync.differences[0].path),
                "{fault:?}, {seed}: {desync}"
            );
            named += 1;
        }
    }
    assert_eq!(named, 100);
}

#[test]
fn a_machine_without_a_fault_agrees_with_one_that_never_rolls_back() {
    let mut straight = Faulty::new(5, None);
    let steps = (0..100).map(|tick| {
        let state = straight.save();
        straight.step(&Step::new(tick, Rate::hz(60)), &inputs(tick, 20));
        state
    });
    assert_eq!(report(&run(5, None, 20), &steps.collect::<Vec<_>>()), None);
}
