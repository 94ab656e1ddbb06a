//! Spectators.

use std::time::Duration;

use evenstep::TimeScale;
use evenstep_ggrs::ggrs::{GgrsError, P2PSession, PlayerType, SpectatorSession};
use simulated_network::{GgrsNetwork, Jitter, LinkConditions};

use crate::machine::{Builder, Machine, PATIENCE, Setup, alone, spectator, until};

const FRAME: Duration = Duration::from_nanos(16_666_667);

type Host = Machine<P2PSession<Setup>>;
type Watcher = Machine<SpectatorSession<Setup>>;

/// A machine with both players, and a spectator.
fn watched(network: &GgrsNetwork, builder: Builder) -> (Host, Watcher) {
    let players = Builder::new()
        .with_disconnect_timeout(PATIENCE)
        .add_player(PlayerType::Local, 0)
        .and_then(|builder| builder.add_player(PlayerType::Local, 1))
        .and_then(|builder| builder.add_player(PlayerType::Spectator(9), 2));
    let mut host = Machine::new(players.unwrap().start_p2p_session(network.socket(0)).unwrap(), 2);
    let mut watcher = spectator(network, 9, 2, builder);
    until("the machines are connected", || {
        host.frame(Duration::ZERO).unwrap();
        watcher.frame(Duration::ZERO).unwrap();
        !host.timestep.time_scale().is_paused() && !watcher.timestep.time_scale().is_paused()
    });
    (host, watcher)
}

#[test]
fn a_spectator_gets_the_states_and_events_of_the_players_a_little_later() {
    let network = GgrsNetwork::new(3);
    let (mut host, mut watcher) = watched(&network, Builder::new());
    network.set_conditions(LinkConditions {
        delay: Duration::from_millis(30),
        jitter: Jitter::Uniform(Duration::from_millis(10)),
        loss_percent: 5.0,
        ..LinkConditions::default()
    });
    until("600 ticks are seen", || {
        network.advance(FRAME);
        host.frame(FRAME).unwrap();
        watcher.frame(FRAME).unwrap();
        watcher.rollback.tick() >= 600
    });
    let (hashes, events) = alone(1, 2, 0, 600);
    assert_eq!(watcher.game.hashes[..600], hashes[..]);
    let events: Vec<_> = events.into_iter().filter(|(tick, _)| *tick < 598).collect();
    assert_eq!(watcher.told_before(598), events);
    assert_eq!(
        (watcher.retracted, watcher.rollback.confirmed()),
        (0, watcher.rollback.tick())
    );
    assert!(watcher.reads.is_empty() && watcher.rollback.stats().rollbacks == 0);
    let behind = host.rollback.tick() - watcher.rollback.tick();
    assert!((1..8).contains(&behind), "{behind} ticks behind");
}

#[test]
fn a_spectator_that_hung_runs_faster_and_beyond_the_limit_several_ticks_at_once() {
    let network = GgrsNetwork::new(1);
    let builder = Builder::new()
        .with_max_frames_behind(20)
        .unwrap()
        .with_catchup_speed(4)
        .unwrap();
    let (mut host, mut watcher) = watched(&network, builder);
    let run = |host: &mut Host, watcher: &mut Watcher, frames: u32, watches: bool| {
        for _ in 0..frames {
            host.frame(FRAME).unwrap();
            if watches {
                watcher.frame(FRAME).unwrap();
            }
        }
    };
    run(&mut host, &mut watcher, 60, true);
    run(&mut host, &mut watcher, 15, false);
    run(&mut host, &mut watcher, 1, true);
    assert_eq!(watcher.timestep.time_scale(), TimeScale::new(102, 100).unwrap());
    let before = watcher.rollback.tick();
    run(&mut host, &mut watcher, 20, false);
    run(&mut host, &mut watcher, 3, true);
    assert!(
        watcher.rollback.tick() - before >= 3 * 4 - 1,
        "{}",
        watcher.rollback.tick() - before
    );
    run(&mut host, &mut watcher, 900, true);
    let behind = host.rollback.tick() - watcher.rollback.tick();
    assert!((1..5).contains(&behind), "{behind} ticks behind");
    let (hashes, events) = alone(1, 2, 0, watcher.rollback.tick());
    assert_eq!(watcher.game.hashes, hashes);
    let end = watcher.rollback.tick() - 2;
    let events: Vec<_> = events.into_iter().filter(|(tick, _)| *tick < end).collect();
    assert_eq!(watcher.told_before(end), events);
}

#[test]
fn a_spectator_that_falls_too_far_behind_gets_an_error() {
    let network = GgrsNetwork::new(1);
    let (mut host, mut watcher) = watched(&network, Builder::new());
    for _ in 0..70 {
        host.frame(FRAME).unwrap();
        watcher.session.poll_remote_clients();
    }
    assert_eq!(watcher.frame(2 * FRAME), Err(GgrsError::SpectatorTooFarBehind));
}

/// If this no longer panics, GGRS has fixed it: then remove the warnings from the book and the documentation of the crate.
#[test]
#[should_panic(expected = "There is no confirmed input for the requested frame")]
fn ggrs_itself_panics_when_the_input_delay_is_raised_with_a_spectator() {
    let network = GgrsNetwork::new(1);
    let (mut host, _watcher) = watched(&network, Builder::new());
    (0..100).for_each(|_| host.frame(FRAME).unwrap());
    for player in [0, 1] {
        host.session.set_input_delay(player, 1).unwrap();
    }
    (0..10).for_each(|_| host.frame(FRAME).unwrap());
}
