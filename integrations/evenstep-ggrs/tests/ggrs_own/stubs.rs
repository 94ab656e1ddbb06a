//! The games of GGRS's tests, and helpers that connect sessions.

#![allow(dead_code)] // not every file of tests uses everything

#[path = "driven.rs"]
mod driven;

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use ggrs::{
    Config, GgrsError, P2PSession, PlayerType, PredictRepeatLast, SessionBuilder, SessionState, SpectatorSession,
    UdpNonBlockingSocket,
};
use serde::{Deserialize, Serialize};

pub(crate) use driven::localhost;

/// How long sessions may take to connect on a busy machine.
pub(crate) const SYNC_TIMEOUT: Duration = Duration::from_secs(120);
pub(crate) const SYNC_POLL_INTERVAL: Duration = Duration::from_millis(5);

pub(crate) type GameStub = driven::GameStub<TwoPlayers>;
pub(crate) type GameStub1P = driven::GameStub<OnePlayer>;
pub(crate) type RandomChecksumGameStub = driven::GameStub<AnotherChecksum>;

#[derive(Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct StubInput {
    pub(crate) inp: u32,
}

pub(crate) struct StubConfig;

impl Config for StubConfig {
    type Input = StubInput;
    type InputPredictor = PredictRepeatLast;
    type State = ();
    type Address = SocketAddr;
}

pub(crate) struct TwoPlayers;

impl driven::Rules for TwoPlayers {
    type PlayerInput = StubInput;
    type Config = StubConfig;

    fn step(state: i32, players: &[StubInput]) -> i32 {
        mixed(mixed(state, players[0]), players[1])
    }
}

pub(crate) struct OnePlayer;

impl driven::Rules for OnePlayer {
    type PlayerInput = StubInput;
    type Config = StubConfig;

    fn step(state: i32, players: &[StubInput]) -> i32 {
        mixed(state, players[0])
    }
}

/// A game whose checksum is different each time.
pub(crate) struct AnotherChecksum;

impl driven::Rules for AnotherChecksum {
    type PlayerInput = StubInput;
    type Config = StubConfig;

    fn step(state: i32, players: &[StubInput]) -> i32 {
        TwoPlayers::step(state, players)
    }

    fn checksum(_: i32, _: i32) -> u64 {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        NEXT.fetch_add(1, Ordering::Relaxed)
    }
}

/// The result depends on the order of players and ticks.
fn mixed(state: i32, input: StubInput) -> i32 {
    state.wrapping_mul(31).wrapping_add(input.inp.cast_signed()) % 65_521
}

type Pair = (P2PSession<StubConfig>, P2PSession<StubConfig>);

/// Sessions of two players with the same settings, each on its own port.
fn pair(builder: impl Fn() -> SessionBuilder<StubConfig>, ports: [u16; 2]) -> Pair {
    let session = |own: usize| {
        let other = 1 - own;
        builder()
            .add_player(PlayerType::Local, own)
            .and_then(|builder| builder.add_player(PlayerType::Remote(localhost(ports[other])), other))
            .and_then(|builder| builder.start_p2p_session(socket(ports[own])))
            .expect("a session of two")
    };
    (session(0), session(1))
}

fn socket(port: u16) -> UdpNonBlockingSocket {
    UdpNonBlockingSocket::bind_to_port(port).expect("a free port")
}

pub(crate) fn make_p2p_sessions(port1: u16, port2: u16) -> Pair {
    pair(SessionBuilder::new, [port1, port2])
}

pub(crate) fn make_lockstep_sessions(port1: u16, port2: u16, input_delay: usize) -> Pair {
    let builder = || {
        SessionBuilder::new()
            .with_max_prediction_window(0)
            .with_input_delay(input_delay)
    };
    pair(builder, [port1, port2])
}

/// Waits until both are connected.
fn until_running(mut poll: impl FnMut() -> [SessionState; 2]) {
    let deadline = Instant::now() + SYNC_TIMEOUT;
    while poll() != [SessionState::Running; 2] {
        assert!(Instant::now() < deadline, "the sessions do not connect");
        sleep(SYNC_POLL_INTERVAL);
    }
}

pub(crate) fn sync_p2p_sessions<C: Config>(first: &mut P2PSession<C>, second: &mut P2PSession<C>) {
    until_running(|| {
        first.poll_remote_clients();
        second.poll_remote_clients();
        [first.current_state(), second.current_state()]
    });
}

pub(crate) fn sync_host_and_spectator(host: &mut P2PSession<StubConfig>, spectator: &mut SpectatorSession<StubConfig>) {
    until_running(|| {
        host.poll_remote_clients();
        spectator.poll_remote_clients();
        [host.current_state(), spectator.current_state()]
    });
}

/// A host with one player and a spectator.
pub(crate) fn make_host_and_spectator(
    host_port: u16,
    spectator_port: u16,
) -> Result<(P2PSession<StubConfig>, SpectatorSession<StubConfig>), GgrsError> {
    let mut host = SessionBuilder::new()
        .with_num_players(1)?
        .add_player(PlayerType::Local, 0)?
        .add_player(PlayerType::Spectator(localhost(spectator_port)), 1)?
        .start_p2p_session(socket(host_port))?;
    let mut spectator = SessionBuilder::new()
        .with_num_players(1)?
        .start_spectator_session(localhost(host_port), socket(spectator_port));
    sync_host_and_spectator(&mut host, &mut spectator);
    Ok((host, spectator))
}
