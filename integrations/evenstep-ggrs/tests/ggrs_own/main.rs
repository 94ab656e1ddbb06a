//! The games with which `cargo ci --only GGRS` runs GGRS's own integration tests, and a loop that advances its session itself.

// A test file of GGRS includes only one of these modules, so each contains everything it needs.
#![allow(clippy::duplicate_mod)]

mod stubs;
mod stubs_enum;

use std::time::Duration;

use evenstep::{FixedTimestep, Rate, Tick};
use evenstep_ggrs::Rollback;
use ggrs::{SessionBuilder, SyncTestSession};
use stubs::{GameStub, StubConfig, StubInput};

const TICKS: i32 = 100;

fn session() -> SyncTestSession<StubConfig> {
    let builder = SessionBuilder::new().with_check_distance(7);
    builder.start_synctest_session().unwrap()
}

fn input(tick: Tick, player: usize) -> StubInput {
    StubInput {
        inp: tick as u32 * 3 % 7 + player as u32,
    }
}

#[test]
fn a_loop_that_advances_its_session_itself_reaches_the_same_state_as_run() {
    let (mut by_hand, mut advanced) = (GameStub::new(), session());
    for tick in 0..TICKS as Tick {
        for player in [0, 1] {
            advanced.add_local_input(player, input(tick, player)).unwrap();
        }
        by_hand.handle_requests(advanced.advance_frame().unwrap());
    }
    let (mut run, mut session, mut rollback) = (GameStub::new().gs, session(), Rollback::new());
    let mut timestep = FixedTimestep::new(Rate::hz(60));
    while run.frame < TICKS {
        let frame = timestep.advance(Duration::from_millis(10));
        let read = |step: &evenstep::Step, player| input(step.tick, player);
        let _ = rollback
            .run(&mut session, &mut run, &mut timestep, frame, read)
            .unwrap();
    }
    assert_eq!((by_hand.gs.frame, by_hand.gs.state), (run.frame, run.state));
    assert!(rollback.stats().resimulated > 500);
}
