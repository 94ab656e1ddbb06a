//! Settings of a timestep and a schedule, from plain numbers.

use evenstep::{Overrun, Rate, TimeScale};

use crate::error::Error;
use crate::exact::duration;

pub(crate) fn rate(numer: u32, denom: u32) -> Result<Rate, Error> {
    Rate::new(numer, denom).map_err(|_| Error::Ratio)
}

pub(crate) fn scale(numer: u32, denom: u32) -> Result<TimeScale, Error> {
    TimeScale::new(numer, denom).map_err(|_| Error::Ratio)
}

/// The policy that keeps steps that do not fit into a frame, up to a limit in nanoseconds of simulated time.
///
/// # Errors
///
/// [`Error::Negative`].
pub fn carry(max_backlog: i64) -> Result<Overrun, Error> {
    let max_backlog = duration(max_backlog)?;
    Ok(Overrun::Carry { max_backlog })
}

/// The policy that keeps steps that do not fit into a frame, and lets simulated time run at most `numer / denom` times as fast.
///
/// # Errors
///
/// [`Error::Ratio`].
pub fn stretch(numer: u32, denom: u32) -> Result<Overrun, Error> {
    let max_speed = scale(numer, denom)?;
    Ok(Overrun::Stretch { max_speed })
}
