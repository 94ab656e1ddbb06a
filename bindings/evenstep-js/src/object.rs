//! An object, and how a call names another one.

use alloc::boxed::Box;

#[cfg(feature = "steps")]
use evenstep_flat::Error;
#[cfg(feature = "steps")]
use evenstep_flat::events::Events;
#[cfg(feature = "display")]
use evenstep_flat::filter_row::FilterRow;
#[cfg(feature = "steps")]
use evenstep_flat::input::Input;
#[cfg(feature = "display")]
use evenstep_flat::present::RefreshGrid;
#[cfg(feature = "steps")]
use evenstep_flat::stats::Stats;

#[cfg(feature = "steps")]
use crate::call::Call;
#[cfg(feature = "display")]
use crate::pace::Pacer;
#[cfg(feature = "poses")]
use crate::rows::Poses;
#[cfg(feature = "steps")]
use crate::schedule::Schedule;
#[cfg(feature = "steps")]
use crate::timestep::Timestep;

/// Any object.
#[derive(Default)]
pub(crate) enum Object {
    #[default]
    Free,
    #[cfg(feature = "steps")]
    Timestep(Box<Timestep>),
    #[cfg(feature = "steps")]
    Schedule(Box<Schedule>),
    #[cfg(feature = "steps")]
    Input(Box<Input>),
    #[cfg(feature = "steps")]
    Events(Box<Events>),
    #[cfg(feature = "steps")]
    Stats(Box<Stats>),
    #[cfg(feature = "poses")]
    Poses(Box<Poses>),
    #[cfg(feature = "display")]
    Filters(Box<FilterRow>),
    #[cfg(feature = "display")]
    Grid(Box<RefreshGrid>),
    #[cfg(feature = "display")]
    Pacer(Box<Pacer>),
}

/// The timestep that a call names by its first number.
#[cfg(feature = "steps")]
pub(crate) fn timestep<'a>(others: &'a [Object], call: &Call) -> Result<&'a Timestep, Error> {
    match others.get(other(call)) {
        Some(Object::Timestep(timestep)) => Ok(timestep),
        _ => Err(Error::Missing),
    }
}

/// The schedule that a call names.
#[cfg(feature = "steps")]
pub(crate) fn schedule<'a>(others: &'a [Object], call: &Call) -> Result<&'a Schedule, Error> {
    match others.get(other(call)) {
        Some(Object::Schedule(schedule)) => Ok(schedule),
        _ => Err(Error::Missing),
    }
}

#[cfg(feature = "steps")]
fn other(call: &Call) -> usize {
    call.count(0).wrapping_sub(1) as usize
}
