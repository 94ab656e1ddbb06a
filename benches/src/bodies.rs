//! Bodies that move, and the memory's own speed.

use std::hint::black_box;

use evenstep::poses::{Pose2, Pose3, Quat, Rot2};

/// Where between two steps is drawn.
pub const ALPHA: f64 = 0.375;

/// Reads two arrays and writes one, as blending does, with as many numbers a body.
pub struct Roofline {
    older: Vec<f32>,
    newer: Vec<f32>,
    out: Vec<f32>,
}

impl Roofline {
    /// With `N` numbers in each array.
    #[must_use]
    pub fn new(numbers: usize) -> Self {
        let values = |offset: f32| (0..numbers).map(|n| n as f32 + offset).collect();
        Self {
            older: values(0.0),
            newer: values(1.0),
            out: values(0.0),
        }
    }

    /// Reads and writes all.
    pub fn run(&mut self) {
        let t = black_box(ALPHA as f32);
        let pairs = self.older.iter().zip(&self.newer);
        for (out, (older, newer)) in self.out.iter_mut().zip(pairs) {
            *out = older + (newer - older) * t;
        }
        black_box(&self.out);
    }
}

/// Where a body is after a number of steps: all move and turn, by less than a degree a step.
#[must_use]
pub fn pose2(body: usize, step: f32) -> Pose2 {
    let place = body as f32;
    Pose2::new([place + step, place - step], Rot2::from_radians(place + 0.01 * step))
}

/// The same in space.
#[must_use]
pub fn pose3(body: usize, step: f32) -> Pose3 {
    let place = body as f32;
    let turn = Quat::from_scaled_axis([0.3, 0.2 + 0.01 * step, 0.1]);
    Pose3::new([place + step, place - step, 2.0 * place], turn)
}
