//! The hockey game of a peer, and its drawn positions.

use std::time::Duration;

use evenstep::history::{Correction, Rewind};
use evenstep::{Step, Tick};
use evenstep_ggrs::{InputStatus, RollbackGame};
use evenstep_scenes::StateHash;
use evenstep_scenes::duel::{Duel, UP};

/// The positions of the puck, the left and the right player, in m.
pub(crate) type Positions = [[f64; 2]; 3];

/// The duration over which a rollback's correction is blended out.
const BLEND: Duration = Duration::from_millis(100);

/// Longer corrections, in m, are teleports: the puck is served, or its serve is undone.
const SNAP: f64 = 4.0;

/// The shortest offset, in m, that counts as a correction.
const VISIBLE: f64 = 1e-3;

/// Hockey for two, as a session of GGRS drives it.
pub(crate) struct Match {
    pub(crate) duel: Duel,
    /// The tick from which on the left player's keys are misread, to cause a desync.
    fault: Option<Tick>,
    correction: Correction<Positions>,
    /// The drawn positions before a rollback.
    drawn: Positions,
    /// The hash of the state before each tick, from its last simulation.
    hashes: Vec<u64>,
    /// The number of rollbacks that have moved the drawn positions, and the largest distance that one has moved the puck, in m.
    pub(crate) corrections: u64,
    pub(crate) largest_m: f64,
}

impl Match {
    pub(crate) fn new(fault: Option<Tick>) -> Self {
        Self {
            duel: Duel::new(),
            fault,
            correction: Correction::new(BLEND, SNAP),
            drawn: Positions::default(),
            hashes: Vec::new(),
            corrections: 0,
            largest_m: 0.0,
        }
    }

    /// Advances the blend of corrections by real time.
    pub(crate) fn pass(&mut self, time: Duration) {
        self.correction.advance(time);
    }

    /// The drawn positions.
    pub(crate) fn positions(&self, alpha: f64) -> Positions {
        self.correction.apply(self.simulated(alpha))
    }

    fn simulated(&self, alpha: f64) -> Positions {
        let [left, right] = self.duel.players();
        [self.duel.puck(), left, right].map(|place| place.at(alpha))
    }

    /// A hash of all states up to the one before a tick, if it was reached.
    pub(crate) fn states(&self, end: Tick) -> Option<u64> {
        let hashes = self.hashes.get(..=usize::try_from(end).ok()?)?;
        Some(
            hashes
                .iter()
                .fold(StateHash::new(), |all, hash| all.u64(*hash))
                .finish(),
        )
    }
}

fn apart(one: [f64; 2], other: [f64; 2]) -> f64 {
    (one[0] - other[0]).hypot(one[1] - other[1])
}

impl Rewind for Match {
    type Saved = Duel;
    type Input = [u8; 2];

    fn save(&self) -> Duel {
        self.duel
    }

    fn restore(&mut self, saved: &Duel) {
        self.duel = *saved;
    }

    fn step(&mut self, step: &Step, keys: &[u8; 2]) {
        self.hashes.truncate(usize::try_from(step.tick).unwrap_or(usize::MAX));
        self.hashes.push(self.duel.hash());
        let is_wrong = self.fault.is_some_and(|from| step.tick >= from);
        let wrong = if is_wrong { UP } else { 0 };
        self.duel.step(step, &[keys[0] ^ wrong, keys[1]]);
    }
}

impl RollbackGame for Match {
    type PlayerInput = u8;
    type Event = ();

    fn input(players: &[(u8, InputStatus)]) -> [u8; 2] {
        std::array::from_fn(|side| players.get(side).map_or(0, |(keys, _)| *keys))
    }

    fn checksum(&self) -> u64 {
        self.duel.hash()
    }

    fn before_rollback(&mut self, alpha: f64) {
        self.drawn = self.positions(alpha);
    }

    fn after_rollback(&mut self, alpha: f64) {
        let simulated = self.simulated(alpha);
        let before = self.positions(alpha);
        let moved = self.drawn.iter().zip(before).map(|(drawn, now)| apart(*drawn, now));
        self.corrections += u64::from(moved.fold(0.0, f64::max) > VISIBLE);
        self.largest_m = self.largest_m.max(apart(self.drawn[0], before[0]));
        self.correction.correct(self.drawn, simulated);
    }
}

#[cfg(test)]
mod tests {
    use evenstep::{FixedTimestep, Rate};
    use evenstep_ggrs::Rollback;
    use evenstep_ggrs::ggrs::SessionBuilder;

    use super::*;
    use crate::duel::bot::Bot;
    use crate::duel::peer::Setup;

    #[test]
    fn bots_score_and_a_game_that_rolls_back_in_every_tick_reaches_the_same_states() {
        let scores = [1, 2, 3, 4, 5].map(play);
        for side in 0..2 {
            assert!(scores.iter().any(|score| score[side] > 0), "{scores:?}");
        }
    }

    /// Plays two bots with and without rollbacks. Returns the goals of each.
    fn play(seed: u64) -> [u32; 2] {
        const TICKS: u64 = 1_200;
        let builder = SessionBuilder::<Setup>::new().with_check_distance(7);
        let mut session = builder.start_synctest_session().unwrap();
        let (mut game, mut rollback) = (Match::new(None), Rollback::new());
        let mut bots = [0, 1].map(|side| Bot::new(seed, side));
        let mut timestep = FixedTimestep::new(Rate::hz(60));
        let mut inputs = Vec::new();
        while timestep.tick() < TICKS {
            let frame = timestep.advance(Duration::from_millis(7));
            let seen = game.duel;
            let read = |step: &Step, side: usize| {
                let keys = bots[side].keys(step.tick, &seen);
                inputs.push(keys);
                keys
            };
            let _frame = rollback
                .run(&mut session, &mut game, &mut timestep, frame, read)
                .unwrap();
        }
        let mut alone = Match::new(None);
        for (tick, keys) in (0..).zip(inputs.chunks_exact(2)) {
            alone.step(&Step::new(tick, Rate::hz(60)), &[keys[0], keys[1]]);
        }
        assert!(rollback.stats().rollbacks > TICKS / 2);
        assert_eq!((game.duel, game.corrections), (alone.duel, 0));
        assert!(game.states(TICKS - 1).is_some() && game.states(TICKS - 1) == alone.states(TICKS - 1));
        game.duel.score()
    }
}
