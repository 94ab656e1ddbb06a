//! A game of two balls between walls, whose events are collisions.

use std::cell::Cell;

use evenstep::history::{Correction, Rewind};
use evenstep::inspect::Dump;
use evenstep::{Inspect, Smoothed, Step, Tick};
use evenstep_ggrs::{InputStatus, RollbackGame};
use std::time::Duration;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Event {
    Wall(usize),
    Meet(u64),
}

#[derive(Clone, Debug, PartialEq, Inspect)]
pub(crate) struct State {
    pub(crate) positions: Vec<Smoothed<f64>>,
    velocities: Vec<f64>,
    /// How often a player was disconnected.
    pub(crate) gone: u64,
}

pub(crate) struct Tag {
    pub(crate) state: State,
    outbox: Vec<Event>,
    /// The hash of the state before each tick, from its last simulation.
    pub(crate) hashes: Vec<u64>,
    /// Simulates a wrong bit from this tick on.
    pub(crate) wrong_from: Tick,
    pub(crate) fresh_saves: Cell<u64>,
    pub(crate) saves_in_place: Cell<u64>,
    pub(crate) corrections: Vec<Correction<f64>>,
    drawn: Vec<f64>,
}

impl Tag {
    pub(crate) fn new(players: usize) -> Self {
        let positions = (0..players).map(|player| Smoothed::new(player as f64 / 2.0)).collect();
        let velocities = vec![0.0; players];
        Self {
            state: State {
                positions,
                velocities,
                gone: 0,
            },
            outbox: Vec::new(),
            hashes: Vec::new(),
            wrong_from: Tick::MAX,
            fresh_saves: Cell::new(0),
            saves_in_place: Cell::new(0),
            corrections: vec![Correction::new(Duration::from_millis(100), 100.0); players],
            drawn: Vec::new(),
        }
    }

    pub(crate) fn hash(&self) -> u64 {
        let numbers = self.state.positions.iter().map(|position| *position.current());
        let numbers = numbers.chain(self.state.velocities.iter().copied());
        let bits = numbers.map(f64::to_bits).chain([self.state.gone]);
        bits.fold(0xcbf2_9ce4_8422_2325, |hash, bits| {
            (hash ^ bits).wrapping_mul(0x100_0000_01b3).rotate_left(23)
        })
    }

    /// The drawn position: interpolated and corrected.
    pub(crate) fn position_at(&self, alpha: f64) -> Vec<f64> {
        let positions = self.state.positions.iter().zip(&self.corrections);
        positions
            .map(|(position, correction)| correction.apply(position.at(alpha)))
            .collect()
    }
}

impl Rewind for Tag {
    type Saved = State;
    type Input = Vec<Option<u8>>;

    fn save(&self) -> State {
        self.fresh_saves.set(self.fresh_saves.get() + 1);
        self.state.clone()
    }

    fn save_into(&self, saved: &mut State) {
        self.saves_in_place.set(self.saves_in_place.get() + 1);
        saved.clone_from(&self.state);
    }

    fn restore(&mut self, saved: &State) {
        self.state.clone_from(saved);
    }

    fn step(&mut self, step: &Step, inputs: &Vec<Option<u8>>) {
        self.hashes.truncate(step.tick as usize);
        assert_eq!(self.hashes.len() as Tick, step.tick, "steps come in order");
        self.hashes.push(self.hash());
        let State {
            positions,
            velocities,
            gone,
        } = &mut self.state;
        for (player, input) in inputs.iter().enumerate() {
            *gone += u64::from(input.is_none());
            let push = f64::from(input.unwrap_or(0) % 4) - 1.5;
            velocities[player] = velocities[player] * 0.98 + push * 6.0 * step.dt;
            let position = &mut positions[player];
            position.begin_step();
            *position.current_mut() += velocities[player] * step.dt;
            if position.current().abs() > 1.0 {
                *position.current_mut() = position.current().clamp(-1.0, 1.0);
                velocities[player] *= -0.7;
                self.outbox.push(Event::Wall(player));
            }
        }
        if positions.len() > 1 {
            let apart = positions[1].current() - positions[0].current();
            let closing = velocities[0] - velocities[1];
            if apart.abs() < 0.1 && closing * apart > 0.0 {
                velocities.swap(0, 1);
                self.outbox.push(Event::Meet(closing.to_bits()));
            }
        }
        if step.tick >= self.wrong_from {
            velocities[0] += 1e-9;
        }
    }
}

impl RollbackGame for Tag {
    type PlayerInput = u8;
    type Event = Event;

    fn input(players: &[(u8, InputStatus)]) -> Vec<Option<u8>> {
        let known = |(input, status): &(u8, InputStatus)| (*status != InputStatus::Disconnected).then_some(*input);
        players.iter().map(known).collect()
    }

    fn checksum(&self) -> u64 {
        self.hash()
    }

    fn dump(tick: Tick, saved: &State) -> Option<Dump> {
        Some(Dump::new(tick, saved))
    }

    fn take_events(&mut self, events: &mut Vec<Event>) {
        events.append(&mut self.outbox);
    }

    fn before_rollback(&mut self, alpha: f64) {
        self.drawn = self.position_at(alpha);
    }

    fn after_rollback(&mut self, alpha: f64) {
        let truths = self.state.positions.iter().map(|position| position.at(alpha));
        let drawn = self.drawn.iter().zip(truths);
        for (correction, (drawn, truth)) in self.corrections.iter_mut().zip(drawn) {
            correction.correct(*drawn, truth);
        }
    }
}

/// A player's input for a tick: holds a button for a while.
pub(crate) fn script(seed: u64, player: usize, tick: Tick) -> u8 {
    let held = tick / (3 + (seed + player as u64) % 7);
    let mixed =
        (seed ^ held.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (player as u64) << 40).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    (mixed >> 61) as u8
}
