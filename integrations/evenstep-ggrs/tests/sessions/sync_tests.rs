//! Sync-test sessions, which roll back in every tick and compare checksums.

use std::time::Duration;

use evenstep_ggrs::ggrs::{GgrsError, SyncTestSession};

use crate::machine::{Builder, Machine, Setup, alone};

const FRAME: Duration = Duration::from_millis(50);

fn machine(builder: Builder) -> Machine<SyncTestSession<Setup>> {
    Machine::new(builder.start_synctest_session().unwrap(), 2)
}

#[test]
fn a_game_that_rolls_back_in_every_tick_reaches_the_same_states_and_reports_each_event_once() {
    for (distance, delay) in [(0, 0), (1, 0), (2, 0), (7, 2)] {
        let mut machine = machine(Builder::new().with_check_distance(distance).with_input_delay(delay));
        for _ in 0..200 {
            machine.frame(FRAME).unwrap();
        }
        assert_eq!((machine.timestep.tick(), machine.rollback.tick()), (600, 600));
        let (hashes, events) = alone(1, 2, delay as u64, 600);
        assert_eq!(machine.game.hashes, hashes);
        assert!(machine.retracted == 0 && events.len() > 10, "{} events", events.len());
        let events: Vec<_> = events.into_iter().filter(|(tick, _)| *tick < 598).collect();
        assert_eq!(machine.told_before(598), events);
        let stats = machine.rollback.stats();
        let rollbacks = if distance == 0 { 0 } else { 600 - distance as u64 - 1 };
        assert_eq!(
            (stats.rollbacks, stats.resimulated),
            (rollbacks, rollbacks * distance as u64)
        );
        assert_eq!((stats.longest, stats.given_back), (distance as u64, 0));
    }
}

#[test]
fn states_are_saved_into_existing_memory() {
    let mut machine = machine(Builder::new().with_check_distance(7));
    for _ in 0..200 {
        machine.frame(FRAME).unwrap();
    }
    assert_eq!(machine.game.fresh_saves.get(), 9, "the window and one");
    assert!(machine.game.saves_in_place.get() > 4_000);
}

#[test]
fn a_game_whose_steps_are_not_deterministic_is_detected_and_the_field_is_named() {
    let mut machine = machine(Builder::new());
    for _ in 0..10 {
        machine.frame(FRAME).unwrap();
    }
    assert_eq!(machine.rollback.desync(), None);
    machine.game.wrong_from = 25; // as if what it does now had not been done the first time
    let error = (0..2).find_map(|_| machine.frame(FRAME).err());
    assert!(
        matches!(&error, Some(GgrsError::MismatchedChecksum { mismatched_frames, .. }) if mismatched_frames[0] > 25),
        "{error:?}"
    );
    let Some(GgrsError::MismatchedChecksum { mismatched_frames, .. }) = error else {
        unreachable!("checked above");
    };
    let desync = machine.rollback.desync().expect("a state with a dump");
    assert_eq!(desync.tick, mismatched_frames[0] as u64);
    assert_eq!(desync.differences[0].path, "velocities[0]", "{desync}");
}

#[test]
fn a_rollback_of_another_session_is_refused() {
    let mut machine = machine(Builder::new());
    for _ in 0..10 {
        machine.frame(FRAME).unwrap();
    }
    machine.session = Builder::new().start_synctest_session().unwrap();
    let error = machine.frame(FRAME).unwrap_err().to_string();
    assert!(error.contains("the session is at frame 0, the game at 30"), "{error}");
}
