//! Real time with pauses and slow motion, and the exact simulated time that corresponds to it.

use std::time::Duration;

use anyhow::Result;
use evenstep::{FixedTimestep, Lost, Rate, TimeScale};
use fastrand::Rng;

use crate::frames::Frames;

pub(super) const MINUTE: Duration = Duration::from_secs(60);

/// Speeds are multiples of this fraction of the normal one.
const PARTS: u32 = 20;

/// Normal speed, slow motion, a pause and fast forward.
const SPEEDS: [u32; 6] = [20, 20, 10, 1, 0, 30];

/// An action of the player on time before a frame.
#[derive(Clone, Copy)]
pub(super) enum Event {
    Nothing,
    /// Lets time pass at a number of parts of the normal speed.
    Speed(u32),
    Suspend,
    Resume,
}

impl Event {
    pub(super) fn apply(self, timestep: &mut FixedTimestep) {
        match self {
            Self::Nothing => {}
            Self::Speed(parts) => timestep.set_time_scale(scale(parts)),
            Self::Suspend => timestep.suspend(),
            Self::Resume => timestep.resume(),
        }
    }
}

pub(super) fn scale(parts: u32) -> TimeScale {
    TimeScale::new(parts, PARTS).unwrap_or(TimeScale::NORMAL)
}

/// Frames and events that the seed decides. Counts the simulated time that reached the simulation.
pub(super) struct Clock {
    frames: Frames,
    random: Rng,
    speed: u32,
    /// Simulated time, in nanoseconds times the parts of a speed.
    arrived: u128,
}

impl Clock {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            frames: Frames::new(seed),
            random: Rng::with_seed(seed),
            speed: PARTS,
            arrived: 0,
        }
    }

    /// Lets real time pass. `frame` runs a frame after an event, and returns the lost time.
    pub(super) fn pass<D>(
        &mut self,
        real: Duration,
        mut frame: impl FnMut(Duration, Event) -> Result<Lost<D>>,
    ) -> Result<()> {
        let mut passed = Duration::ZERO;
        while passed < real {
            let event = self.event();
            if let Event::Speed(speed) = event {
                self.speed = speed;
            }
            let delta = self.frames.next_delta();
            let lost = frame(delta, event)?;
            let believed = delta - lost.clamped - lost.suspended;
            self.arrived += believed.as_nanos() * u128::from(self.speed);
            passed += delta;
        }
        Ok(())
    }

    fn event(&mut self) -> Event {
        match self.random.u32(0..1_000) {
            0..4 => Event::Speed(SPEEDS[self.random.usize(..SPEEDS.len())]),
            4 => Event::Suspend,
            5..30 => Event::Resume,
            _ => Event::Nothing,
        }
    }

    /// The number of steps that are due for all simulated time so far.
    pub(super) fn ticks(&self, rate: Rate) -> u64 {
        let per_step = u128::from(PARTS) * 1_000_000_000 * u128::from(rate.denom());
        (self.arrived * u128::from(rate.numer()) / per_step) as u64
    }
}
