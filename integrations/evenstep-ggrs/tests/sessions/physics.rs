//! Physics on two machines that lose packets.

use std::collections::BTreeMap;
use std::time::Duration;

use evenstep::history::Rewind as _;
use evenstep::{FixedTimestep, Overrun, Rate, Smoothing, Step, Tick};
use evenstep_ggrs::ggrs::{
    Config, DesyncDetection, GgrsEvent, P2PSession, PlayerType, PredictRepeatLast, SessionBuilder,
};
use evenstep_ggrs::{InputStatus, Notice, Rollback, RollbackGame as _};
use evenstep_physics::{Box2d, Rapier2d, Rapier3d, SavedSystem};
use simulated_network::{GgrsNetwork, Jitter, LinkConditions};

use crate::boxes::{Boxes, Flat};
use crate::machine::until;

struct Setup;

impl Config for Setup {
    type Input = i8;
    type InputPredictor = PredictRepeatLast;
    type State = ();
    type Address = usize;
}

struct Machine<E: Flat> {
    session: P2PSession<Setup>,
    rollback: Rollback<SavedSystem<E, usize>, i8, (usize, usize)>,
    timestep: FixedTimestep,
    game: Boxes<E>,
    reported: BTreeMap<(Tick, (usize, usize)), i32>,
}

/// A player's input for a tick.
fn push(player: usize, tick: Tick) -> i8 {
    [-1, 1, 0, 1, -1, 0, 0][((tick / 23 + 3 * player as Tick) * 5 % 7) as usize]
}

fn keeping_hashes<E: Flat>(boxes: usize) -> Boxes<E> {
    let mut game = Boxes::new(boxes);
    game.hashes = Some(Vec::new());
    game
}

/// Plays the given number of ticks with 5 % loss and a delay of 40 to 60 ms each way, and compares the state of every tick bit by bit, and
/// all events, with a reference game that knows all inputs. Returns the number of re-simulated ticks.
fn play<E: Flat>(boxes: usize, ticks: Tick) -> u64 {
    const FRAME: Duration = Duration::from_nanos(16_666_667);
    let network = GgrsNetwork::new(1);
    let mut machines = [0, 1].map(|own| {
        let builder = SessionBuilder::<Setup>::new()
            .with_sparse_saving_mode(true)
            .with_desync_detection_mode(DesyncDetection::On { interval: 60 })
            .add_player(PlayerType::Local, own)
            .and_then(|builder| builder.add_player(PlayerType::Remote(1 - own), 1 - own));
        let max_backlog = Duration::from_millis(500);
        Machine::<E> {
            session: builder.unwrap().start_p2p_session(network.socket(own)).unwrap(),
            rollback: Rollback::new(),
            timestep: FixedTimestep::new(Rate::hz(60)).with_overrun(Overrun::Carry { max_backlog }),
            game: keeping_hashes(boxes),
            reported: BTreeMap::new(),
        }
    });
    let mut is_connected = false;
    until("all ticks are confirmed", || {
        network.advance(FRAME);
        for machine in &mut machines {
            // No machine continues beyond the end.
            let delta = if machine.timestep.tick() < ticks {
                FRAME
            } else {
                Duration::ZERO
            };
            let frame = machine.timestep.advance(delta);
            let (session, game) = (&mut machine.session, &mut machine.game);
            let read = |step: &Step, player| push(player, step.tick);
            let frame = machine
                .rollback
                .run(session, game, &mut machine.timestep, frame, read)
                .unwrap();
            while let Some(notice) = machine.rollback.next_notice(frame.shown_time(Smoothing::None)) {
                let (Notice::Happened { tick, event } | Notice::Retracted { tick, event }) = notice;
                let times = if matches!(notice, Notice::Happened { .. }) {
                    1
                } else {
                    -1
                };
                *machine.reported.entry((tick, event)).or_default() += times;
            }
        }
        if !is_connected
            && machines
                .iter()
                .all(|machine| !machine.timestep.time_scale().is_paused())
        {
            is_connected = true;
            network.set_conditions(LinkConditions {
                delay: Duration::from_millis(40),
                jitter: Jitter::Uniform(Duration::from_millis(20)),
                loss_percent: 5.0,
                ..LinkConditions::default()
            });
        }
        machines.iter().all(|machine| machine.rollback.tick() >= ticks)
    });
    let mut alone = keeping_hashes::<E>(boxes);
    let (mut reported, mut events) = (BTreeMap::new(), Vec::new());
    let end = machines
        .iter()
        .map(|machine| machine.rollback.confirmed())
        .min()
        .unwrap();
    for tick in 0..end {
        let inputs = [0, 1].map(|player| (push(player, tick), InputStatus::Confirmed));
        alone.step(&Step::new(tick, Rate::hz(60)), &Boxes::<E>::input(&inputs));
        alone.take_events(&mut events);
        events
            .drain(..)
            .for_each(|event| *reported.entry((tick, event)).or_default() += 1);
    }
    assert!(end + 8 >= ticks, "{end} ticks are confirmed");
    for machine in &mut machines {
        assert_eq!(
            machine.game.hashes.as_ref().unwrap()[..end as usize],
            alone.hashes.as_ref().unwrap()[..]
        );
        let desyncs = machine
            .session
            .events()
            .filter(|event| matches!(event, GgrsEvent::DesyncDetected { .. }));
        assert_eq!(desyncs.count(), 0);
        machine.reported.retain(|(tick, _), times| *times != 0 && *tick < end);
        assert_eq!(machine.reported, reported);
    }
    assert!(alone.moving() >= 2, "{} boxes move", alone.moving());
    assert!(reported.len() > ticks as usize / 60, "{} events", reported.len());
    machines
        .iter()
        .map(|machine| machine.rollback.stats().resimulated)
        .sum()
}

#[test]
fn boxes_on_every_engine_are_the_same_on_both_machines() {
    for resimulated in [
        play::<Rapier2d>(8, 300),
        play::<Rapier3d>(8, 300),
        play::<Box2d>(8, 300),
    ] {
        assert!(resimulated > 100, "{resimulated}");
    }
}

#[test]
#[ignore = "slow: ten simulated minutes on two machines"]
fn ten_minutes_of_boxes_are_the_same_on_both_machines() {
    assert!(play::<Rapier2d>(12, 36_000) > 20_000);
}
