//! The figure of two machines connected by GGRS.

use std::collections::VecDeque;
use std::time::Duration;

use evenstep::Tick;
use simulated_network::GgrsNetwork;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::time::duration;

mod arena;
mod machine;
mod network;

use arena::{Arena, FIELD, RADIUS};
use machine::Machine;
use network::{Connection, FRAME, pressed, run};

/// The time over which rollbacks are counted.
const COUNTED: Duration = Duration::from_secs(1);

/// Two machines with a puck each, connected by GGRS over a network in memory.
#[wasm_bindgen]
pub struct PeersFigure {
    seed: u64,
    network: GgrsNetwork,
    machines: [Machine; 2],
    /// The keys that the reader holds on the first machine. A script plays until the reader has pressed any.
    keys: Option<u8>,
    /// The time for which the second machine still does nothing, and the time that it has missed.
    held: Duration,
    missed: Duration,
    /// Times, each with the number of rollbacks of the first machine until then.
    rollbacks: VecDeque<(Duration, u64)>,
}

#[wasm_bindgen]
impl PeersFigure {
    /// Two machines with a round trip of `round_trip` milliseconds, on a network that loses `loss` percent of the packets. Without
    /// `predicts` each tick waits for the inputs of both.
    #[wasm_bindgen(constructor)]
    pub fn new(seed: u32, predicts: bool, round_trip: f64, loss: u8) -> Result<Self, String> {
        let connection = Connection {
            predicts,
            round_trip,
            loss,
        };
        let seed = seed.into();
        let (network, machines) = connection.connect(seed, None, [Arena::new(), Arena::new()])?;
        Ok(Self {
            seed,
            network,
            machines,
            keys: None,
            held: Duration::ZERO,
            missed: Duration::ZERO,
            rollbacks: VecDeque::new(),
        })
    }

    /// Reconnects the machines with other network conditions or another mode. The pucks stay where they are.
    pub fn connect(&mut self, predicts: bool, round_trip: f64, loss: u8) -> Result<(), String> {
        let pictures = self
            .machines
            .each_ref()
            .map(|machine| machine.arena.picture(machine.alpha));
        let arenas = [0, 1].map(|_| Arena::from(&self.machines[0].arena.pucks));
        let connection = Connection {
            predicts,
            round_trip,
            loss,
        };
        (self.network, self.machines) = connection.connect(self.seed, self.keys, arenas)?;
        for (machine, picture) in self.machines.iter_mut().zip(pictures) {
            machine.arena.glide_from(picture, machine.alpha);
        }
        (self.held, self.missed) = (Duration::ZERO, Duration::ZERO);
        self.rollbacks.clear();
        Ok(())
    }

    /// The keys that the reader holds on the first machine: a sum of 1, 2, 4 and 8 for left, right, down and up.
    pub fn hold(&mut self, keys: u8) {
        self.keys = Some(keys);
    }

    /// The second machine does nothing for a number of milliseconds.
    pub fn hold_up(&mut self, milliseconds: f64) {
        self.held = duration(milliseconds);
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
        let Self {
            seed, keys, network, ..
        } = self;
        network.advance(delta);
        let now = network.now();
        self.missed += delta;
        self.held = self.held.saturating_sub(delta);
        for (player, machine) in self.machines.iter_mut().enumerate() {
            let delta = match player {
                0 => delta,
                _ if !self.held.is_zero() => continue,
                _ => std::mem::take(&mut self.missed),
            };
            run(machine, delta, now, |tick| pressed(*seed, *keys, player, tick))?;
        }
        self.rollbacks
            .push_back((now, self.machines[0].rollback.stats().rollbacks));
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

    /// The speed of its time.
    #[wasm_bindgen(getter)]
    pub fn speed(&self) -> f64 {
        self.machines[0].timestep.time_scale().as_f64()
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

    /// The hashes of the state before the last tick whose inputs both machines know: a single hash if the states are bit-identical.
    pub fn hashes(&self) -> Vec<String> {
        let Some(tick) = self.certain_ticks().checked_sub(1) else {
            return Vec::new();
        };
        let hashes = self
            .machines
            .iter()
            .filter_map(|machine| machine.arena.hash_before(tick));
        let mut hashes: Vec<_> = hashes.map(|hash| format!("{hash:016x}")).collect();
        hashes.dedup();
        hashes
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

    use super::arena::script;
    use super::machine::RATE;
    use super::*;

    /// On a display at 60 Hz. Bounds are wide where the real clock counts, by which GGRS measures the way: it can find that
    /// a machine is ahead by some ticks which is not, and then that one is slower.
    fn play(figure: &mut PeersFigure, frames: u32) {
        for _ in 0..frames {
            figure.advance(1000.0 / 60.0).unwrap();
            assert!(figure.hashes().len() <= 1, "{} {:?}", figure.certain(), figure.hashes());
        }
    }

    fn played(seed: u32, predicts: bool, round_trip: f64, loss: u8) -> PeersFigure {
        let mut figure = PeersFigure::new(seed, predicts, round_trip, loss).unwrap();
        play(&mut figure, 600);
        figure
    }

    /// The game of a machine that knows all inputs.
    fn hash_alone(seed: u64, input_delay: u64, ticks: Tick) -> String {
        let mut arena = Arena::new();
        for tick in 0..ticks {
            let keys = |player| {
                tick.checked_sub(input_delay)
                    .map_or(0, |read| script(seed, player, read))
            };
            arena.step(&Step::new(tick, Rate::hz(RATE)), &[keys(0), keys(1)]);
        }
        format!("{:016x}", arena.hash())
    }

    #[test]
    fn both_machines_agree_with_one_that_knows_all_inputs_at_any_delay_and_loss() {
        for seed in [1, 2] {
            for (round_trip, loss) in [(0.0, 0), (100.0, 0), (100.0, 10), (300.0, 40), (600.0, 20)] {
                let figure = played(seed, true, round_trip, loss);
                let certain = figure.certain_ticks();
                assert!(certain > 300, "{round_trip} ms, {loss} %: {certain}");
                assert_eq!(figure.hashes(), [hash_alone(seed.into(), 0, certain - 1)]);
            }
        }
    }

    #[test]
    fn in_lockstep_they_agree_too_and_no_peer_rolls_back() {
        for (round_trip, loss) in [(0.0, 0), (200.0, 0), (200.0, 2)] {
            let mut figure = played(1, false, round_trip, loss);
            // Where both wait for a packet that was lost, GGRS sends it again after 200 ms by the real clock.
            while figure.certain() < 300.0 {
                play(&mut figure, 1);
            }
            let certain = figure.certain_ticks();
            let input_delay = (round_trip / 2.0 * 0.06).ceil() as u64 + 1;
            assert_eq!(figure.hashes(), [hash_alone(1, input_delay, certain - 1)]);
            assert_eq!((figure.rollbacks(), figure.longest(), figure.ahead()), (0.0, 0.0, 0.0));
            assert!(
                loss > 0 || (certain > 540 && figure.stood_still() < 1000.0),
                "{round_trip} ms: {certain} {}",
                figure.stood_still()
            );
        }
    }

    #[test]
    fn the_same_seed_and_inputs_give_the_same_game_on_any_display() {
        let hash = |milliseconds: f64, seed| {
            let mut figure = PeersFigure::new(seed, true, 150.0, 5).unwrap();
            while figure.certain() < 400.0 {
                figure.advance(milliseconds).unwrap();
            }
            let tick_400 = figure.machines[0].arena.hash_before(400);
            tick_400.unwrap()
        };
        assert_eq!(hash(1000.0 / 60.0, 1), hash(1000.0 / 144.0, 1));
        assert_eq!(hash(1000.0 / 60.0, 1), hash(100.0, 1));
        assert_ne!(hash(1000.0 / 60.0, 1), hash(1000.0 / 60.0, 2));
    }

    #[test]
    fn input_acts_at_once_with_prediction_and_half_a_round_trip_later_without() {
        let predicted = played(1, true, 200.0, 0);
        assert_eq!(predicted.answers_after(), 0.0);
        assert!((4.0..=11.0).contains(&predicted.ahead()), "{}", predicted.ahead());
        assert!((4.0..=11.0).contains(&predicted.longest()), "{}", predicted.longest());
        assert!(predicted.rollbacks() > 0.0);
        let waiting = played(1, false, 200.0, 0);
        assert!(
            (100.0..200.0).contains(&waiting.answers_after()),
            "{}",
            waiting.answers_after()
        );
    }

    #[test]
    fn beyond_the_window_prediction_has_to_wait_too() {
        assert_eq!(played(1, true, 200.0, 0).stood_still(), 0.0);
        assert!(played(1, true, 600.0, 0).stood_still() > 1000.0);
    }

    #[test]
    fn the_readers_keys_move_the_first_puck_on_both_machines() {
        let mut figure = PeersFigure::new(1, true, 100.0, 0).unwrap();
        figure.hold(1);
        let before = figure.pucks(0)[2];
        play(&mut figure, 60);
        for machine in [0, 1] {
            let after = figure.pucks(machine)[2];
            assert!(after < 0.5 && after < before, "{before} {after}");
        }
    }

    #[test]
    fn a_machine_that_was_held_up_is_waited_for_and_catches_up() {
        let mut figure = PeersFigure::new(1, true, 100.0, 0).unwrap();
        play(&mut figure, 60);
        let before = figure.certain();
        figure.hold_up(400.0);
        play(&mut figure, 24);
        assert!(
            figure.stood_still() > 50.0 && figure.ahead() == 15.0,
            "{} {}",
            figure.stood_still(),
            figure.ahead()
        );
        play(&mut figure, 60);
        assert!(figure.certain() > before + 60.0, "{before} {}", figure.certain());
    }

    #[test]
    fn on_another_network_the_pucks_stay_where_they_are_and_nothing_drawn_jumps() {
        let mut figure = played(1, true, 300.0, 10);
        let before = [0, 1].map(|machine| figure.pucks(machine));
        figure.connect(false, 50.0, 0).unwrap();
        for machine in [0, 1] {
            for puck in [0, 4] {
                let after = figure.pucks(machine);
                let jump = (after[puck] - before[machine][puck]).hypot(after[puck + 1] - before[machine][puck + 1]);
                assert!(jump < 1e-9, "{jump}");
            }
        }
        assert_eq!(figure.pucks(0)[2..4], figure.pucks(1)[2..4]);
    }
}
