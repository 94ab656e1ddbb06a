//! How busy the processor and the graphics card are, and frames that a driver generates.

use std::fmt;

use fastrand::Rng;

use crate::capture::frames::Frames;
use crate::capture::pacing_pattern::PacingPattern;
use crate::random::{between, normal};
use evenstep_trace::StutterKind;

/// The load of the program and of the graphics card.
#[derive(Clone, Copy, Debug)]
pub(super) struct Work {
    shares: Option<(f64, f64)>,
    bound: Option<StutterKind>,
    /// Displayed images for each frame of the program, generated ones included.
    images_per_frame: usize,
}

impl Work {
    pub(super) fn random(random: &mut Rng, pattern: &PacingPattern) -> Self {
        let light = (between(random, 0.1, 0.8), between(random, 0.1, 0.8));
        let heavy = between(random, 0.93, 1.0);
        let (shares, bound) = match random.u8(0..10) {
            0..=1 if pattern.can_be_bound() => (Some((light.0, heavy)), Some(StutterKind::GpuBound)),
            2..=3 if pattern.can_be_busy() => (Some((heavy, light.1.min(0.7))), Some(StutterKind::CpuBound)),
            // The sleep of a limiter counts as busy.
            4 if pattern.is_held() => (Some((heavy, light.1.min(0.7))), None),
            4..=7 => (Some(light), None),
            _ => (None, None),
        };
        Self {
            shares,
            bound,
            images_per_frame: pattern.images_per_frame(),
        }
    }

    pub(super) fn bound(&self) -> Option<StutterKind> {
        self.bound
    }

    pub(super) fn generation(&self) -> Option<StutterKind> {
        (self.images_per_frame > 1).then_some(StutterKind::FrameGeneration)
    }

    pub(super) fn apply(&self, random: &mut Rng, frames: &mut Frames) {
        frames.images_per_frame = self.images_per_frame;
        let Some((cpu, gpu)) = self.shares else { return };
        for index in 1..frames.all.len() {
            let took = frames.all[index].start - frames.all[index - 1].start;
            let mut busy = |share: f64| Some(took * (share + 0.01 * normal(random)));
            let (cpu_busy, gpu_busy) = (busy(cpu), busy(gpu));
            let frame = &mut frames.all[index - 1];
            (frame.cpu_busy, frame.gpu_busy) = (cpu_busy, gpu_busy);
        }
    }
}

impl fmt::Display for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((cpu, gpu)) = self.shares {
            write!(f, ", CPU busy {:.0} %, GPU busy {:.0} %", 100.0 * cpu, 100.0 * gpu)?;
        }
        if self.images_per_frame > 1 {
            write!(f, ", {} images a frame", self.images_per_frame)?;
        }
        Ok(())
    }
}
