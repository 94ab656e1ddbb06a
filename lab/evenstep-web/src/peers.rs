//! The figure of two machines connected by GGRS.

use std::collections::VecDeque;
use std::time::Duration;

use evenstep::Tick;
use simulated_network::{GgrsNetwork, LinkConditions};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::time::duration;

mod arena;
mod machine;

use arena::{FIELD, RADIUS, SEED, script};
use machine::{Machine, RATE};

/// The time over which rollbacks are counted.
const COUNTED: Duration = Duration::from_secs(1);

/// The longest frame of the machines, so that they exchange packets as often as on displays of 60 Hz.
const FRAME: Duration = Duration::from_micros(16_667);

/// More polls than two machines need to connect if no packet is late or lost, and the number of frames that their first inputs need.
const POLLS: usize = 64;
const FIRST: usize = 3;

/// Two machines with a puck each, connected by GGRS over a network in memory.
#[wasm_bindgen]
pub struct PeersFigure {
    network: GgrsNetwork,
    machines: [Machine; 2],
    /// The keys that the reader holds on the first machine. A script plays until the reader has pressed any.
    keys: Option<u8>,
    /// Times, each with the number of rollbacks of the first machine until then.
    rollbacks: VecDeque<(Duration, u64)>,
}

#[wasm_bindgen]
impl PeersFigure {
    /// Two machines with a round trip of `round_trip` milliseconds, on a network that loses `loss` percent of the packets. Without
    /// `predicts` each tick waits for the inputs of both.
    #[wasm_bindgen(constructor)]
    pub fn new(predicts: bool, round_trip: f64, loss: u8) -> Result<Self, String> {
        let delay = duration(round_trip / 2.0);
        // A tick more than the one-way delay, so that inputs arrive before their ticks begin.
        let lockstep = (!predicts).then(|| (delay.as_secs_f64() * f64::from(RATE)).ceil() as Tick + 1);
        let network = GgrsNetwork::new(SEED);
        let machine = |player| Machine::new(&network, player, lockstep).map_err(|error| error.to_string());
        let mut figure = Self {
            machines: [machine(0)?, machine(1)?],
            network,
            keys: None,
            rollbacks: VecDeque::new(),
        };
        // The first inputs arrive at once, too: until they do, GGRS 0.13 cannot read the following ones.
        for frame in 0..POLLS + FIRST {
            figure.frame(if frame < POLLS { Duration::ZERO } else { FRAME })?;
        }
        if !figure.machines.iter().all(Machine::is_connected) {
            return Err("the machines have not found each other".to_owned());
        }
        figure.network.set_conditions(LinkConditions {
            delay,
            loss_percent: loss.into(),
            ..LinkConditions::default()
        });
        Ok(figure)
    }

    /// The keys that the reader holds on the first machine: a sum of 1, 2, 4 and 8 for left, right, down and up.
    pub fn hold(&mut self, keys: u8) {
        self.keys = Some(keys);
    }

    /// Lets time pass, in milliseconds.
    pub fn advance(&mut self, milliseconds: f64) -> Result<(), String> {
        let mut left = duration(milliseconds);
        while !left.is_zero() {
            let delta = left.min(FRAME);
            left -= delta;
            self.frame(delta)?;
        }
        Ok(())
    }

    fn frame(&mut self, delta: Duration) -> Result<(), String> {
        self.network.advance(delta);
        let now = self.network.now();
        for (player, machine) in self.machines.iter_mut().enumerate() {
            let held = self.keys.filter(|_| player == 0);
            let keys = |tick| held.unwrap_or_else(|| script(player, tick));
            machine.frame(delta, now, keys).map_err(|error| error.to_string())?;
        }
        let count = self.machines[0].rollback.stats().rollbacks;
        self.rollbacks.push_back((now, count));
        while self.rollbacks.front().is_some_and(|(then, _)| now - *then > COUNTED) {
            self.rollbacks.pop_front();
        }
        Ok(())
    }

    /// Width and height of the field, and the radius of a puck, in metres.
    pub fn field() -> Vec<f64> {
        vec![FIELD[0], FIELD[1], RADIUS]
    }

    /// A machine's pucks, the reader's first, four numbers each: x and y of the drawn and of the simulated position, in metres.
    pub fn pucks(&self, machine: usize) -> Vec<f64> {
        let Some(machine) = self.machines.get(machine) else {
            return Vec::new();
        };
        let (drawn, truth) = (machine.arena.picture(machine.alpha), machine.arena.truth(machine.alpha));
        drawn
            .into_iter()
            .zip(truth)
            .flat_map(|(drawn, truth)| [drawn, truth])
            .flatten()
            .collect()
    }

    /// The number of ticks that the first machine has simulated without the other player's inputs.
    #[wasm_bindgen(getter)]
    pub fn ahead(&self) -> f64 {
        let rollback = &self.machines[0].rollback;
        (rollback.tick() - rollback.confirmed()) as f64
    }

    /// How often the first machine rolled back in the last second.
    #[wasm_bindgen(getter)]
    pub fn rollbacks(&self) -> f64 {
        let [first, last] = [self.rollbacks.front(), self.rollbacks.back()].map(|at| at.map_or(0, |(_, count)| *count));
        (last - first) as f64
    }

    /// The number of ticks of its longest rollback.
    #[wasm_bindgen(getter)]
    pub fn longest(&self) -> f64 {
        self.machines[0].rollback.stats().longest as f64
    }

    /// The time that it stood still because it waited for the other player's inputs, in milliseconds.
    #[wasm_bindgen(getter)]
    pub fn stood_still(&self) -> f64 {
        self.machines[0].stood_still.as_secs_f64() * 1e3
    }

    /// The mean time that its player's last inputs waited for their ticks, in milliseconds.
    #[wasm_bindgen(getter)]
    pub fn answers_after(&self) -> f64 {
        self.machines[0].answers_after()
    }

    /// The number of ticks whose inputs both machines know.
    #[wasm_bindgen(getter)]
    pub fn certain(&self) -> f64 {
        self.certain_ticks() as f64
    }

    /// Whether the states before the last tick whose inputs both machines know are bit-identical.
    #[wasm_bindgen(getter)]
    pub fn agree(&self) -> bool {
        match self.hashes() {
            [Some(one), Some(other)] => one == other,
            _ => true,
        }
    }

    /// The hash of this state on each machine; `None` where that tick has not been simulated yet.
    fn hashes(&self) -> [Option<u64>; 2] {
        let tick = self.certain_ticks().checked_sub(1);
        self.machines.each_ref().map(|machine| machine.arena.hash_before(tick?))
    }

    fn certain_ticks(&self) -> Tick {
        let [one, other] = &self.machines;
        one.rollback.confirmed().min(other.rollback.confirmed())
    }
}

#[cfg(test)]
mod tests {
    use evenstep::history::Rewind as _;
    use evenstep::{Rate, Step};

    use super::arena::Arena;
    use super::*;

    /// On a display at 60 Hz. Bounds are wide where the real clock counts, by which GGRS measures the way: it can find that
    /// a machine is ahead by some ticks which is not, and then that one is slower.
    fn play(figure: &mut PeersFigure, frames: u32) {
        for _ in 0..frames {
            figure.advance(1000.0 / 60.0).unwrap();
            assert!(figure.agree(), "{} {:?}", figure.certain(), figure.hashes());
        }
    }

    fn played(predicts: bool, round_trip: f64, loss: u8) -> PeersFigure {
        let mut figure = PeersFigure::new(predicts, round_trip, loss).unwrap();
        play(&mut figure, 600);
        figure
    }

    /// The hash on which the machines agree.
    fn hash(figure: &PeersFigure) -> u64 {
        figure.hashes().into_iter().flatten().next().unwrap()
    }

    /// The game of a machine that knows all inputs.
    fn hash_alone(input_delay: u64, ticks: Tick) -> u64 {
        let mut arena = Arena::new();
        for tick in 0..ticks {
            let keys = |player| tick.checked_sub(input_delay).map_or(0, |read| script(player, read));
            arena.step(&Step::new(tick, Rate::hz(RATE)), &[keys(0), keys(1)]);
        }
        arena.hash()
    }

    #[test]
    fn both_machines_agree_with_one_that_knows_all_inputs_at_any_delay_and_loss() {
        for (round_trip, loss) in [(0.0, 0), (100.0, 10), (300.0, 40), (600.0, 20)] {
            let figure = played(true, round_trip, loss);
            let certain = figure.certain_ticks();
            assert!(certain > 300, "{round_trip} ms, {loss} %: {certain}");
            assert_eq!(hash(&figure), hash_alone(0, certain - 1));
        }
    }

    #[test]
    fn in_lockstep_they_agree_too_and_no_peer_rolls_back() {
        for (round_trip, loss) in [(0.0, 0), (200.0, 0), (200.0, 2)] {
            let mut figure = played(false, round_trip, loss);
            // Where both wait for a packet that was lost, GGRS sends it again after 200 ms by the real clock.
            while figure.certain() < 300.0 {
                play(&mut figure, 1);
            }
            let certain = figure.certain_ticks();
            let input_delay = (round_trip / 2.0 * 0.06).ceil() as u64 + 1;
            assert_eq!(hash(&figure), hash_alone(input_delay, certain - 1));
            assert_eq!((figure.rollbacks(), figure.longest(), figure.ahead()), (0.0, 0.0, 0.0));
            assert!(
                loss > 0 || (certain > 540 && figure.stood_still() < 1000.0),
                "{round_trip} ms: {certain} {}",
                figure.stood_still()
            );
        }
    }

    #[test]
    fn the_same_inputs_give_the_same_game_on_any_display() {
        let hash = |milliseconds: f64| {
            let mut figure = PeersFigure::new(true, 150.0, 5).unwrap();
            while figure.certain() < 400.0 {
                figure.advance(milliseconds).unwrap();
            }
            figure.machines[0].arena.hash_before(400).unwrap()
        };
        assert_eq!(hash(1000.0 / 60.0), hash(1000.0 / 144.0));
        assert_eq!(hash(1000.0 / 60.0), hash(100.0));
    }

    #[test]
    fn input_acts_at_once_with_prediction_and_half_a_round_trip_later_without() {
        let predicted = played(true, 200.0, 0);
        assert_eq!(predicted.answers_after(), 0.0);
        assert!((4.0..=11.0).contains(&predicted.ahead()), "{}", predicted.ahead());
        assert!((4.0..=11.0).contains(&predicted.longest()), "{}", predicted.longest());
        assert!(predicted.rollbacks() > 0.0);
        let waiting = played(false, 200.0, 0);
        assert!(
            (100.0..200.0).contains(&waiting.answers_after()),
            "{}",
            waiting.answers_after()
        );
    }

    #[test]
    fn beyond_the_window_prediction_has_to_wait_too() {
        assert_eq!(played(true, 200.0, 0).stood_still(), 0.0);
        assert!(played(true, 600.0, 0).stood_still() > 1000.0);
    }

    #[test]
    fn the_readers_keys_move_the_first_puck_on_both_machines() {
        let mut figure = PeersFigure::new(true, 100.0, 0).unwrap();
        figure.hold(1);
        let before = figure.pucks(0)[2];
        play(&mut figure, 60);
        for machine in [0, 1] {
            let after = figure.pucks(machine)[2];
            assert!(after < 0.5 && after < before, "{before} {after}");
        }
    }
}
