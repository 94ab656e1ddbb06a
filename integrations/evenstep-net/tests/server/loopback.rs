//! A host and its clients over UDP on the loopback, with and without an attack.

use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use evenstep::history::Rewind;
use evenstep::{FixedTimestep, Overrun, Rate, Step, Tick};
use evenstep_net::renetcode::{ClientAuthentication, ConnectToken, DisconnectReason};
use evenstep_net::{Client, Connection, ConnectionError, Host, PlayerId, PredictedGame};
use fastrand::Rng;

use crate::attack::{Outsider, insider};
use crate::balls::Balls;
use crate::netcode_client::{config, token};

/// A timeout that no machine exceeds.
const PENDING_TIMEOUT: Duration = Duration::from_secs(300);

/// A higher rate than in games, because tests take as long as their ticks.
const RATE: Rate = Rate::hz(250);

struct Player {
    client: Client<Balls>,
    connection: Connection,
    game: Balls,
    begin: Instant,
    pushes: bool,
}

impl Player {
    fn new(id: PlayerId, server: SocketAddr) -> Self {
        let socket = UdpSocket::bind(("127.0.0.1", 0)).unwrap();
        Self {
            client: Client::new(id, RATE),
            connection: Connection::new(socket, token(id, server), Duration::ZERO).unwrap(),
            game: Balls::default(),
            begin: Instant::now(),
            pushes: true,
        }
    }

    fn frame(&mut self, id: PlayerId) {
        let now = self.begin.elapsed();
        let (client, game) = (&mut self.client, &mut self.game);
        let received = self
            .connection
            .receive(now, |message| client.receive(now, message, game));
        received.unwrap();
        let push = |tick| Rng::with_seed(id + tick / 9).i8(-20..=20);
        let read = |tick| if self.pushes { push(tick) } else { 0 };
        let _ = self.client.frame(now, &mut self.game, read);
        if let Some(message) = self.client.message() {
            self.connection.send(&message);
        }
    }
}

/// Loses no time, however slow the machine is.
fn patient() -> FixedTimestep {
    FixedTimestep::new(RATE)
        .with_max_delta(PENDING_TIMEOUT)
        .with_overrun(Overrun::Carry {
            max_backlog: PENDING_TIMEOUT,
        })
}

fn host() -> Host {
    let socket = UdpSocket::bind(("127.0.0.1", 0)).unwrap();
    let config = config(socket.local_addr().unwrap());
    Host::spawn(socket, config, patient(), Balls::default).unwrap()
}

/// Runs all players until a condition holds.
fn play_until(what: &str, players: &mut [Player], mut holds: impl FnMut(&[Player]) -> bool) {
    let begin = Instant::now();
    while !holds(players) {
        assert!(begin.elapsed() < PENDING_TIMEOUT, "never: {what}");
        for (id, player) in (1..).zip(players.iter_mut()) {
            player.frame(id);
        }
        thread::sleep(Duration::from_millis(2));
    }
}

fn corrections(players: &[Player]) -> u64 {
    players.iter().map(|player| player.client.stats().corrections).sum()
}

/// Releases all inputs and runs until all clients predict every state of the server.
fn assert_agreement(players: &mut [Player]) {
    players.iter_mut().for_each(|player| player.pushes = false);
    let newest = |players: &[Player]| players.iter().filter_map(|player| player.client.confirmed()).max();
    let (mut since, mut corrected) = (newest(players), corrections(players));
    play_until("forty ticks in a row are as predicted", players, |players| {
        if corrections(players) != corrected {
            (since, corrected) = (newest(players), corrections(players));
        }
        let is_past = |player: &Player| player.client.confirmed() > since.map(|since| since + 40);
        players.iter().all(is_past)
    });
}

#[test]
fn clients_join_and_leave_on_the_loopback_and_agree_with_the_server_in_the_end() {
    let host = host();
    let mut players: Vec<_> = (1..=2).map(|id| Player::new(id, host.address())).collect();
    let is_ahead = |player: &Player| player.client.tick() > host.report().tick;
    play_until("two clients predict", &mut players, |players| {
        players.iter().all(is_ahead)
    });
    players.push(Player::new(3, host.address()));
    play_until("a third does", &mut players, |players| players.iter().all(is_ahead));
    assert_eq!(host.report().players.keys().copied().collect::<Vec<_>>(), [1, 2, 3]);
    play_until("somebody is surprised", &mut players, |players| {
        corrections(players) > 10
    });
    assert_agreement(&mut players);
    let total = host.report().total;
    assert_eq!((total.malformed, total.oversized, total.replayed), (0, 0, 0));
    players.pop();
    play_until("the third is gone", &mut players, |_| host.report().total.leaves == 1);
    let balls = |players: &[Player]| players.iter().all(|player| player.game.state.len() == 2);
    play_until("its ball is gone", &mut players, balls);
    let report = host.stop().unwrap();
    assert_eq!((report.total.joins, report.total.leaves), (3, 1));
}

#[test]
fn a_host_under_attack_runs_all_ticks_that_are_due_and_serves_its_clients() {
    let before = Instant::now();
    let host = host();
    let after = Instant::now();
    let mut players: Vec<_> = (1..=3).map(|id| Player::new(id, host.address())).collect();
    let all_in = |_: &[Player]| host.report().players.len() == 3;
    play_until("all are in", &mut players, all_in);
    let (ends, address) = (AtomicBool::new(false), host.address());
    thread::scope(|scope| {
        scope.spawn(|| Outsider::new(address).attack(&ends));
        scope.spawn(|| insider(66, address, &ends));
        let begin = host.report().tick;
        play_until(
            "the attack is counted and a hundred ticks have event",
            &mut players,
            |players| {
                let report = host.report();
                let total = report.total;
                let counts = [
                    total.malformed,
                    total.oversized,
                    total.replayed,
                    total.flooding,
                    total.late,
                    total.early,
                ];
                let have_gone_on = |player: &Player| player.client.confirmed() > Some(begin + 100);
                counts.iter().all(|count| *count > 1000) && players.iter().all(have_gone_on)
            },
        );
        let ticks = |since: Instant| (since.elapsed().as_secs_f64() * 250.0) as Tick;
        play_until("the ticks are those that are due", &mut players, |_| {
            let due = ticks(after);
            let tick = host.report().tick;
            assert!(tick <= ticks(before), "no more than were due");
            tick + 2 >= due
        });
        let report = host.report();
        assert_eq!(
            (report.simulation.dropped, report.simulation.clamped),
            (0, Duration::ZERO)
        );
        let honest = |id: PlayerId| report.players[&id];
        for id in 1..=3 {
            let counts = honest(id);
            assert_eq!((counts.malformed, counts.oversized, counts.replayed), (0, 0, 0), "{id}");
        }
        ends.store(true, Ordering::Relaxed);
    });
    play_until("the insider is gone", &mut players, |_| host.report().total.leaves == 1);
    assert_agreement(&mut players);
    host.stop().unwrap();
}

#[test]
fn a_game_that_panics_ends_its_host_with_the_panic_message() {
    let socket = UdpSocket::bind(("127.0.0.1", 0)).unwrap();
    let config = config(socket.local_addr().unwrap());
    let build = || -> Balls { panic!("out of balls") };
    let error = Host::spawn(socket, config, patient(), build).unwrap_err();
    assert!(error.to_string().contains("out of balls"), "{error}");
}

/// Panics at the server when a player pushes by 99.
struct Fragile {
    is_servers: bool,
}

impl Rewind for Fragile {
    type Saved = ();
    type Input = i8;

    fn save(&self) {}

    fn restore(&mut self, (): &()) {}

    fn step(&mut self, _: &Step, push: &i8) {
        assert!(!self.is_servers || *push < 99, "it burst at {push}");
    }
}

impl PredictedGame for Fragile {
    type PlayerInput = i8;

    fn input(players: &[(PlayerId, i8)]) -> i8 {
        players.iter().map(|(_, push)| *push).max().unwrap_or_default()
    }
}

fn fragile() -> Host {
    let socket = UdpSocket::bind(("127.0.0.1", 0)).unwrap();
    let config = config(socket.local_addr().unwrap());
    Host::spawn(socket, config, patient(), || Fragile { is_servers: true }).unwrap()
}

/// Runs until the connection has ended, and returns its error.
fn play_until_disconnected(id: PlayerId, host: &Host, mut push: impl FnMut(&Client<Fragile>) -> i8) -> ConnectionError {
    let socket = UdpSocket::bind(("127.0.0.1", 0)).unwrap();
    let mut connection = Connection::new(socket, token(id, host.address()), Duration::ZERO).unwrap();
    let (mut client, mut game) = (Client::new(id, RATE), Fragile { is_servers: false });
    let begin = Instant::now();
    loop {
        let now = begin.elapsed();
        assert!(now < PENDING_TIMEOUT, "nobody tells that it is over");
        if let Err(error) = connection.receive(now, |message| client.receive(now, message, &mut game)) {
            return error;
        }
        let push = push(&client);
        let _ = client.frame(now, &mut game, |_| push);
        if let Some(message) = client.message() {
            connection.send(&message);
        }
        thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn when_a_game_panics_its_players_are_notified_and_stop_returns_the_cause() {
    let host = fragile();
    assert!(host.is_running());
    let pushes = |client: &Client<Fragile>| if client.confirmed() > Some(20) { 99 } else { 0 };
    let event = play_until_disconnected(1, &host, pushes);
    let by_server = DisconnectReason::DisconnectedByServer;
    assert!(
        matches!(event, ConnectionError::Disconnected(reason) if reason == by_server),
        "{event}"
    );
    let begin = Instant::now();
    while host.is_running() {
        assert!(begin.elapsed() < PENDING_TIMEOUT, "it goes on without its game");
    }
    let error = host.stop().unwrap_err();
    assert!(error.to_string().contains("it burst at 99"), "{error}");
}

#[test]
fn a_kicked_player_is_notified_and_the_host_continues() {
    let host = fragile();
    host.kick(7);
    let kick = |client: &Client<Fragile>| {
        if client.confirmed() > Some(20) {
            host.kick(1);
        }
        0
    };
    let event = play_until_disconnected(1, &host, kick);
    assert!(event.to_string().contains("terminated by server"), "{event}");
    let report = || host.report().total;
    let begin = Instant::now();
    while report().leaves == 0 {
        assert!(begin.elapsed() < PENDING_TIMEOUT, "it is there still");
    }
    assert!(host.is_running());
    let report = host.stop().unwrap();
    assert_eq!((report.total.joins, report.total.leaves), (1, 1));
}

#[test]
fn a_host_at_an_unusable_public_address_is_refused_with_advice() {
    let socket = UdpSocket::bind(("0.0.0.0", 0)).unwrap();
    let config = config(socket.local_addr().unwrap());
    let error = Host::spawn(socket, config, patient(), Balls::default).unwrap_err();
    assert!(error.to_string().contains("public_addresses has 0.0.0.0:"), "{error}");
}

#[test]
fn a_token_that_names_no_server_or_expired_before_it_was_made_is_an_error() {
    let server = ([127, 0, 0, 1], 1).into();
    let connect = |change: fn(&mut ConnectToken), unix_time| {
        let ClientAuthentication::Secure { mut connect_token } = token(1, server) else {
            panic!("it is one");
        };
        change(&mut connect_token);
        let socket = UdpSocket::bind(("127.0.0.1", 0)).unwrap();
        Connection::new(socket, ClientAuthentication::Secure { connect_token }, unix_time)
    };
    assert!(connect(|token| token.server_addresses = [None; 32], Duration::ZERO).is_err());
    assert!(connect(|token| token.create_timestamp = 601, Duration::ZERO).is_err());
    let mut connection = connect(|_| {}, Duration::MAX).unwrap();
    assert!(connection.receive(Duration::MAX, |_| ()).is_err());
}
