//! Moving bodies, and the speed of memory.

use std::hint::black_box;

use evenstep::poses::{Pose2, Pose3, Quat, Rot2};

/// The alpha between two steps at which bodies are drawn.
pub const ALPHA: f64 = 0.375;

/// Reads two arrays and writes one, like blending with the same number of values per body.
pub struct Roofline {
    older: Vec<f32>,
    newer: Vec<f32>,
    out: Vec<f32>,
}

impl Roofline {
    /// Creates arrays with `numbers` elements each.
    #[must_use]
    pub fn new(numbers: usize) -> Self {
        let values = |offset: f32| (0..numbers).map(|n| n as f32 + offset).collect();
        Self {
            older: values(0.0),
            newer: values(1.0),
            out: values(0.0),
        }
    }

    /// Reads and writes all elements.
    pub fn run(&mut self) {
        let t = black_box(ALPHA as f32);
        let pairs = self.older.iter().zip(&self.newer);
        for (out, (older, newer)) in self.out.iter_mut().zip(pairs) {
            *out = older + (newer - older) * t;
        }
        black_box(&self.out);
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
