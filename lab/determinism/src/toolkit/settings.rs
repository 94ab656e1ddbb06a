//! The settings of timesteps.

use std::time::Duration;

use evenstep::{FixedTimestep, Overrun, Rate, TimeScale};

/// Speeds that a game runs at, slow motion and a pause among them.
const SCALES: [(u32, u32); 6] = [(1, 1), (1, 2), (1, 1), (3, 10), (0, 1), (7, 3)];

pub(super) fn scale(number: u32) -> TimeScale {
    let (numer, denom) = SCALES[number as usize % SCALES.len()];
    TimeScale::new(numer, denom).unwrap_or(TimeScale::NORMAL)
}

/// A timestep for each overrun policy; the last is a step ahead.
pub(super) fn timesteps(rate: Rate) -> [FixedTimestep; 4] {
    let max_speed = TimeScale::new(3, 2).unwrap_or(TimeScale::NORMAL);
    let max_backlog = Duration::from_millis(250);
    let with = |overrun| FixedTimestep::new(rate).with_max_steps(5).with_overrun(overrun);
    [
        with(Overrun::Drop),
        with(Overrun::Carry { max_backlog }),
        with(Overrun::Stretch { max_speed }),
        with(Overrun::Drop).with_lookahead(),
    ]
}
