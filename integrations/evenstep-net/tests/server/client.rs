//! A client by itself: what it keeps, how far it predicts, and when it simulates again, each to the tick.

use std::collections::BTreeMap;
use std::time::Duration;

use evenstep::history::Rewind;
use evenstep::{Inspect, Step, Tick};
use evenstep_net::{Client, PlayerId, Pong, PredictedGame, ServerMessage, TickInput};

use crate::world::RATE;

/// A game that adds up its inputs, and records every step.
#[derive(Clone, Debug, Default)]
struct Sum {
    state: State,
    steps: Vec<Stepped>,
}

/// A step, with the inputs of its players.
type Stepped = (Tick, Vec<TickInput<i8>>);

#[derive(Clone, Debug, Default, PartialEq, Inspect)]
struct State {
    sum: i64,
}

impl Rewind for Sum {
    type Saved = State;
    type Input = Vec<TickInput<i8>>;

    fn save(&self) -> State {
        self.state.clone()
    }

    fn restore(&mut self, saved: &State) {
        self.state.clone_from(saved);
    }

    fn step(&mut self, step: &Step, players: &Self::Input) {
        self.state.sum += players.iter().map(|player| i64::from(player.input)).sum::<i64>();
        self.steps.push((step.tick, players.clone()));
    }
}

impl PredictedGame for Sum {
    type PlayerInput = i8;

    fn input(players: &[TickInput<i8>]) -> Self::Input {
        players.to_vec()
    }
}

/// The player's own input of a tick; never the default.
fn own(tick: Tick) -> i8 {
    (tick % 100) as i8 + 1
}

/// An input that arrived in time.
fn real(&(player, input): &(PlayerId, i8)) -> TickInput<i8> {
    TickInput {
        player,
        input,
        repeats: 0,
    }
}

/// A client that plays player 1, its game, and the ticks that it has read.
struct Machine {
    client: Client<Sum>,
    game: Sum,
    now: Duration,
    /// Each tick with the game's state after it.
    read: BTreeMap<Tick, State>,
}

impl Machine {
    /// Has received the state of tick 0, with these inputs of the others, from a server that is no distance away.
    fn new(others: &[(PlayerId, i8)]) -> Self {
        let mut machine = Self {
            client: Client::new(1, RATE),
            game: Sum::default(),
            now: Duration::ZERO,
            read: BTreeMap::new(),
        };
        machine.frame();
        while machine.read.is_empty() {
            machine.receive(0, State::default(), others);
            machine.frame();
        }
        machine
    }

    fn receive(&mut self, tick: Tick, saved: State, others: &[(PlayerId, i8)]) {
        let own = [(1, own(tick.saturating_sub(1)))];
        let players = own.iter().chain(others).map(real);
        self.receive_from(tick, saved, players.collect());
    }

    fn receive_from(&mut self, tick: Tick, saved: State, players: Vec<TickInput<i8>>) {
        let now = self.now;
        let message = ServerMessage {
            tick,
            saved,
            players,
            pong: Pong {
                sent: now,
                received: now,
                replied: now,
                arrived: now,
                simulated: now,
            },
            reports: Vec::new(),
        };
        self.client.receive(now, message, &mut self.game);
    }

    fn frame(&mut self) {
        self.frame_after(Duration::from_nanos(RATE.period_nanos()));
    }

    fn frame_after(&mut self, delta: Duration) {
        self.now += delta;
        let mut ticks = Vec::new();
        self.client.frame(self.now, &mut self.game, |tick| {
            ticks.push(tick);
            own(tick)
        });
        self.read.extend(ticks.into_iter().map(|tick| (tick, self.game.save())));
    }

    /// The last tick for which the player's input was read.
    fn last(&self) -> Tick {
        *self.read.last_key_value().unwrap().0
    }

    fn run_until(&mut self, tick: Tick) {
        while self.last() < tick {
            self.frame();
        }
    }

    /// Receives a state that no client predicts, and returns the steps that it simulates again.
    fn corrected(&mut self, tick: Tick) -> Vec<Stepped> {
        self.game.steps.clear();
        self.receive(tick, State { sum: -1_000_000 }, &[]);
        std::mem::take(&mut self.game.steps)
    }
}

#[test]
fn two_hundred_and_fifty_six_ticks_are_predicted_beyond_the_newest_state_and_no_more() {
    let mut machine = Machine::new(&[]);
    machine.run_until(400);
    assert_eq!(machine.client.tick(), 256);
    assert_eq!(machine.game.steps.last().unwrap().0, 255);
}

#[test]
fn a_game_that_is_64_ticks_behind_its_inputs_waits_for_the_next_state() {
    for (behind, goes_on) in [(63, true), (64, false)] {
        let mut machine = Machine::new(&[]);
        machine.run_until(500);
        // Nothing is simulated again: the game stands at tick 256.
        let next = machine.last() + 1;
        machine.receive(next - behind, State { sum: 1 }, &[]);
        machine.game.steps.clear();
        machine.run_until(next);
        assert_eq!(machine.last(), next, "the next frame has one tick");
        let expected = if goes_on { next + 1 } else { next - behind };
        assert_eq!(machine.client.tick(), expected, "{behind} ticks behind");
    }
}

#[test]
fn the_players_inputs_of_the_last_256_ticks_are_kept_and_no_more() {
    for (before, is_kept) in [(255, true), (256, false)] {
        let mut machine = Machine::new(&[]);
        machine.run_until(300);
        let tick = machine.last() - before;
        let steps = machine.corrected(tick);
        assert_eq!(
            steps.first(),
            Some(&(tick, vec![real(&(1, if is_kept { own(tick) } else { 0 }))])),
            "{before} ticks before the last"
        );
    }
}

#[test]
fn a_correction_simulates_the_ticks_since_the_state_again_and_counts_each() {
    let mut machine = Machine::new(&[]);
    machine.run_until(40);
    let end = machine.client.tick();
    let steps = machine.corrected(end - 7);
    assert!(steps.iter().map(|(tick, _)| *tick).eq(end - 7..end), "{steps:?}");
    let stats = machine.client.stats();
    assert_eq!((stats.corrections, stats.resimulated), (1, 7));
    machine.corrected(end - 3);
    let stats = machine.client.stats();
    assert_eq!((stats.corrections, stats.resimulated), (2, 10));
}

#[test]
fn a_state_as_predicted_is_a_correction_only_if_another_player_or_its_input_is_not() {
    let before = [(2, 5), (3, 6)];
    for (others, is_correction) in [
        (&[(2, 5), (3, 6)][..], false),
        (&[(2, 5), (3, 7)], true),
        (&[(2, 4), (3, 6)], true),
        (&[(2, 5), (4, 6)], true),
        (&[(2, 5)], true),
        (&[(2, 5), (3, 6), (4, 0)], true),
    ] {
        let mut machine = Machine::new(&before);
        machine.run_until(40);
        let tick = machine.last() - 5;
        // The state that led to a tick is the one after the tick before it.
        let saved = machine.read[&(tick - 1)].clone();
        machine.game.steps.clear();
        machine.receive(tick, saved, others);
        let stats = machine.client.stats();
        assert_eq!(stats.corrections, u64::from(is_correction), "{others:?}");
        for (tick, inputs) in &machine.game.steps {
            let mut expected = vec![real(&(1, own(*tick)))];
            expected.extend(others.iter().map(real));
            assert_eq!(inputs, &expected, "tick {tick}");
        }
        assert_eq!(machine.game.steps.is_empty(), !is_correction, "{others:?}");
    }
}

#[test]
fn a_player_that_was_silent_is_predicted_to_stay_silent_for_longer_with_each_tick() {
    let mut machine = Machine::new(&[(2, 5), (3, 6)]);
    machine.run_until(40);
    let tick = machine.last() - 5;
    let silent = TickInput {
        repeats: 3,
        ..real(&(3, 6))
    };
    machine.game.steps.clear();
    let players = vec![real(&(1, 0)), real(&(2, 5)), silent];
    machine.receive_from(tick, State { sum: 0 }, players);
    assert_eq!(machine.game.steps.len(), 6);
    for (since, (_, inputs)) in (1..).zip(&machine.game.steps) {
        let repeats: Vec<u32> = inputs.iter().map(|input| input.repeats).collect();
        assert_eq!(repeats, [0, 0, 3 + since]);
    }
}

#[test]
fn a_message_has_the_inputs_that_the_server_may_not_have_run_and_twelve_to_sixty_four() {
    for (open, expected) in [(1, 12), (12, 12), (13, 13), (31, 31), (64, 64), (65, 64), (200, 64)] {
        let mut machine = Machine::new(&[]);
        machine.run_until(300);
        let end = machine.last() + 1;
        machine.receive(end - open, State { sum: 1 }, &[]);
        let message = machine.client.message().unwrap();
        assert_eq!(message.inputs.len() as u64, expected, "{open} ticks are open");
        assert_eq!((message.first, message.confirmed), (end - expected, Some(end - open)));
        let inputs = (message.first..end).map(own);
        assert!(inputs.eq(message.inputs.iter().copied()));
    }
}

#[test]
fn inputs_are_earlier_by_a_millisecond_and_a_sixth_of_the_mean_frame_rounded_up() {
    for (micros, margin) in [(6_100, 3), (20_300, 5), (101_300, 18), (240_300, 42)] {
        let mut machine = Machine::new(&[]);
        let mut ahead = Vec::new();
        while ahead.len() < 600 {
            machine.frame_after(Duration::from_micros(micros));
            let now = machine.now.as_secs_f64();
            machine.receive((now * 60.0) as Tick, State::default(), &[]);
            if now > 40.0 {
                ahead.push((machine.last() + 1) as f64 / 60.0 - now);
            }
        }
        // On average half a tick is beyond the last tick, and a tick's input is sent when it ends.
        let mean = 1_000.0 * (ahead.iter().sum::<f64>() / ahead.len() as f64 - 0.5 / 60.0);
        assert!(
            (mean - f64::from(margin)).abs() < 0.7,
            "{mean} instead of {margin} ms, frames of {micros} us"
        );
    }
}

/// A machine that has just sent the input of a tick, and the number of ticks that it has read.
fn after_a_message() -> (Machine, Tick) {
    let mut machine = Machine::new(&[]);
    machine.run_until(300);
    machine.receive(machine.last(), State { sum: 1 }, &[]);
    let end = machine.last() + 2;
    while machine.last() + 1 < end {
        machine.frame_after(Duration::from_micros(100));
    }
    assert_eq!(machine.client.message().unwrap().first, end - 12);
    assert_eq!(machine.client.message(), None);
    (machine, end)
}

#[test]
fn a_message_is_due_again_after_half_a_tick() {
    let (mut machine, end) = after_a_message();
    let half = Duration::from_nanos(RATE.period_nanos() / 2);
    let nano = Duration::from_nanos(1);
    machine.frame_after(half - nano);
    assert_eq!(machine.client.message(), None);
    machine.frame_after(nano);
    assert_eq!(machine.client.message().unwrap().first, end - 12);
}

#[test]
fn a_message_is_due_with_each_new_input_soon_after_the_last_message_too() {
    let (mut machine, end) = after_a_message();
    machine.frame_after(Duration::from_nanos(RATE.period_nanos() / 4 * 3));
    assert_eq!(machine.client.message().unwrap().first, end - 12);
    while machine.last() < end {
        assert_eq!(machine.client.message(), None);
        machine.frame_after(Duration::from_micros(100));
    }
    assert_eq!(machine.client.message().unwrap().first, end - 11);
}
