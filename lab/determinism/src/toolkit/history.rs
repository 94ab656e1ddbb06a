//! `History`: rewound, rolled back and short of memory; `Correction` blends to the resulting state.

use std::time::Duration;

use evenstep::history::{Correction, History, Rewind};
use evenstep::{PositionVelocity, Rate, Step};
use evenstep_scenes::Integrator;
use fastrand::Rng;

use super::settings::timesteps;
use crate::bits::Bits;
use crate::frames::Frames;

/// A body that is pulled to the origin, and pushed. Its saved state has the same size on every platform.
#[derive(Clone)]
struct Body(PositionVelocity<[f32; 2]>);

impl Rewind for Body {
    type Saved = [f32; 4];
    type Input = [f32; 2];

    fn save(&self) -> [f32; 4] {
        let PositionVelocity { position, velocity } = self.0;
        [position[0], position[1], velocity[0], velocity[1]]
    }

    fn restore(&mut self, saved: &[f32; 4]) {
        let [x, y, vx, vy] = *saved;
        self.0 = PositionVelocity {
            position: [x, y],
            velocity: [vx, vy],
        };
    }

    fn step(&mut self, step: &Step, push: &[f32; 2]) {
        let pull = |body: &PositionVelocity<[f32; 2]>| {
            let [x, y] = body.position;
            let distance = (x * x + y * y + 0.1).sqrt();
            let pull = -20.0 / (distance * distance * distance);
            [0, 1].map(|axis| pull * body.position[axis] + push[axis] - 0.1 * body.velocity[axis])
        };
        self.0 = Integrator::RungeKutta4.step(self.0, step.dt, pull);
    }
}

pub(super) fn run(frames: u32) -> u64 {
    let (mut displays, mut random, mut bits) = (Frames::new(31), Rng::with_seed(31), Bits::default());
    let [_, mut timestep, ..] = timesteps(Rate::hz(60));
    let mut body = Body(PositionVelocity {
        position: [1.0, 0.0],
        velocity: [0.0, 3.0],
    });
    let mut history = History::new(Rate::hz(60), 7, 2_000);
    let mut correction = Correction::new(Duration::from_millis(200), 1.0);
    for _ in 0..frames {
        let delta = displays.next_delta();
        let frame = timestep.advance(delta);
        for _ in frame.steps() {
            history.step(&mut body, push(&mut random));
        }
        correction.advance(delta);
        let drawn = correction.apply(body.0.position);
        look_back(&mut history, &mut body, &mut random, &mut bits);
        correction.correct(drawn, body.0.position);
        bits.floats(&correction.apply(body.0.position));
        bits.floats(&body.save());
    }
    bits.finish()
}

fn push(random: &mut Rng) -> [f32; 2] {
    [random.i32(-8..9), random.i32(-8..9)].map(|push| push as f32 / 3.0)
}

/// Occasionally an input arrives late, or the player rewinds and returns.
fn look_back(history: &mut History<[f32; 4], [f32; 2]>, body: &mut Body, random: &mut Rng, bits: &mut Bits) {
    let (oldest, newest) = (history.oldest(), history.newest());
    let tick = newest.saturating_sub(random.u64(1..40));
    let steps = match random.u32(0..8) {
        0 => history.amend(body, [(tick, push(random))]).unwrap_or(u64::MAX),
        1 => {
            let there = history.seek(body, tick).unwrap_or(u64::MAX);
            bits.floats(&body.save());
            let back = history.seek(body, newest).unwrap_or(u64::MAX);
            there.wrapping_add(back)
        }
        _ => 0,
    };
    [oldest, newest, steps]
        .into_iter()
        .for_each(|number| bits.whole(number));
}
