//! A game of balls on springs, one per player, which push each other.

use std::collections::BTreeMap;
use std::time::Duration;

use evenstep::history::{Correction, Rewind};
use evenstep::{Inspect, Smoothed, Step};
use evenstep_net::{PlayerId, PredictedGame, TickInput};

/// A player that is silent for more ticks releases its keys.
pub(crate) const SILENCE: u32 = 15;

#[derive(Clone, Debug, PartialEq, Inspect)]
pub(crate) struct Ball {
    pub(crate) position: Smoothed<f64>,
    velocity: f64,
}

/// The current state, and the correction of each ball.
#[derive(Clone, Debug, Default)]
pub(crate) struct Balls {
    pub(crate) state: BTreeMap<PlayerId, Ball>,
    glides: BTreeMap<PlayerId, Correction<f64>>,
    drawn: BTreeMap<PlayerId, f64>,
    /// The largest jump of a drawn position at a correction.
    pub(crate) farthest_jump: f64,
    /// The largest jump that there would have been without corrections.
    pub(crate) farthest_correction: f64,
}

impl Balls {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let bits = |(id, ball): (&PlayerId, &Ball)| {
            [*id, ball.position.current().to_bits(), ball.velocity.to_bits()].map(u64::to_le_bytes)
        };
        self.state.iter().flat_map(bits).flatten().collect()
    }

    pub(crate) fn position_at(&self, alpha: f64) -> BTreeMap<PlayerId, f64> {
        let glide = |id, truth| self.glides.get(id).map_or(truth, |glide| glide.apply(truth));
        let balls = self.state.iter();
        balls
            .map(|(id, ball)| (*id, glide(id, ball.position.at(alpha))))
            .collect()
    }

    pub(crate) fn glide(&mut self, delta: Duration) {
        self.glides.values_mut().for_each(|glide| glide.advance(delta));
    }
}

impl Rewind for Balls {
    type Saved = BTreeMap<PlayerId, Ball>;
    type Input = Vec<(PlayerId, i8)>;

    fn save(&self) -> Self::Saved {
        self.state.clone()
    }

    fn restore(&mut self, saved: &Self::Saved) {
        self.state.clone_from(saved);
    }

    fn step(&mut self, step: &Step, players: &Self::Input) {
        self.state
            .retain(|id, _| players.iter().any(|(player, _)| player == id));
        for (id, push) in players {
            let middle: f64 = self.state.values().map(|ball| *ball.position.current()).sum();
            let ball = self.state.entry(*id).or_insert_with(|| Ball {
                position: Smoothed::new((*id % 7) as f64),
                velocity: 0.0,
            });
            ball.position.begin_step();
            let pull = f64::from(*push) - 4.0 * ball.position.current() - ball.velocity + 0.1 * middle;
            ball.velocity += pull * step.dt;
            *ball.position.current_mut() += ball.velocity * step.dt;
        }
    }
}

impl PredictedGame for Balls {
    type PlayerInput = i8;

    fn input(players: &[TickInput<i8>]) -> Self::Input {
        let push = |player: &TickInput<i8>| if player.repeats > SILENCE { 0 } else { player.input };
        players.iter().map(|player| (player.player, push(player))).collect()
    }

    fn before_correction(&mut self, alpha: f64) {
        self.drawn = self.position_at(alpha);
    }

    fn after_correction(&mut self, alpha: f64) {
        for (id, ball) in &self.state {
            let truth = ball.position.at(alpha);
            let Some(drawn) = self.drawn.get(id) else { continue };
            let glide = self.glides.entry(*id);
            let glide = glide.or_insert_with(|| Correction::new(Duration::from_millis(200), 10.0));
            glide.correct(*drawn, truth);
            self.farthest_correction = self.farthest_correction.max((truth - drawn).abs());
            self.farthest_jump = self.farthest_jump.max((glide.apply(truth) - drawn).abs());
        }
    }
}
