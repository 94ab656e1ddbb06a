//! Moving bodies, and the speed of memory.

use std::hint::black_box;

use evenstep::poses::{Pose2, Pose3, Quat, Rot2};

/// The alpha between two steps at which bodies are drawn.
pub const ALPHA: f64 = 0.375;

/// Copies memory.
pub struct Memcpy {
    from: Vec<f32>,
    to: Vec<f32>,
}

impl Memcpy {
    /// A copy that moves as many bytes as blending `bodies` with `numbers` numbers each: that reads two states and writes one, this reads and
    /// writes one and a half.
    #[must_use]
    pub fn of_bodies(bodies: usize, numbers: usize) -> Self {
        let floats = bodies * numbers * 3 / 2;
        Self {
            from: (0..floats).map(|n| n as f32).collect(),
            to: vec![1.0; floats],
        }
    }

    /// Copies once.
    pub fn run(&mut self) {
        self.to.copy_from_slice(black_box(&self.from));
        black_box(&self.to);
    }

    /// Copies a half on each of two threads of the pool in which it runs.
    pub fn run_on_two(&mut self) {
        let (from, other) = self.from.split_at(self.from.len() / 2);
        let (to, rest) = self.to.split_at_mut(from.len());
        rayon::join(
            || to.copy_from_slice(black_box(from)),
            || rest.copy_from_slice(black_box(other)),
        );
        black_box(&self.to);
    }
}

/// The pose of a body after a number of steps: all bodies move and turn, by less than a degree a step.
#[must_use]
pub fn pose2(body: usize, step: f32) -> Pose2 {
    let place = body as f32;
    Pose2::new([place + step, place - step], Rot2::from_radians(place + 0.01 * step))
}

/// The pose of a body in space; see [`pose2`].
#[must_use]
pub fn pose3(body: usize, step: f32) -> Pose3 {
    let place = body as f32;
    let turn = Quat::from_scaled_axis([0.3, 0.2 + 0.01 * step, 0.1]);
    Pose3::new([place + step, place - step, 2.0 * place], turn)
}
