//! Events from steps to the renderer, delivered when they are presented.

use core::time::Duration;

use evenstep::input::{EventQueue, Overflow};
use evenstep::{SimTime, Smoothing, Step};

use crate::error::Error;
use crate::input::MOST;
use crate::timestep::Timestep;

/// The frame is blended between two states.
pub const SEEN_BLENDED: u32 = 0;
/// The frame is extrapolated.
pub const SEEN_EXTRAPOLATED: u32 = 1;
/// The event is not drawn: it is due as soon as its step has run.
pub const SEEN_AT_ONCE: u32 = 2;

/// The simulated time that the timestep's last frame shows. `seen` is a `SEEN_` constant.
///
/// # Errors
///
/// [`Error::Order`] before the first frame, and [`Error::Range`] if `seen` is no such constant.
pub fn shown(timestep: &Timestep, seen: u32) -> Result<SimTime, Error> {
    let frame = timestep.last()?;
    match seen {
        SEEN_BLENDED => Ok(frame.shown_time(Smoothing::Interpolate)),
        SEEN_EXTRAPOLATED => Ok(frame.shown_time(Smoothing::Extrapolate { horizon: Duration::MAX })),
        SEEN_AT_ONCE => Ok(frame.shown_time(Smoothing::None)),
        _ => Err(Error::Range),
    }
}

/// Events that wait until a frame shows the state of their step. An event is any number of the program's choice.
#[derive(Clone, Debug)]
pub struct Events {
    queue: EventQueue<u64>,
}

impl Events {
    /// A queue with room for `capacity` events, at most 2^20. A full queue drops the event that has waited longest, or the new one if
    /// `drop_newest` is set.
    ///
    /// # Errors
    ///
    /// [`Error::Range`].
    pub fn new(capacity: u32, drop_newest: bool) -> Result<Self, Error> {
        if capacity == 0 || capacity > MOST {
            return Err(Error::Range);
        }
        let overflow = if drop_newest {
            Overflow::DropNewest
        } else {
            Overflow::DropOldest
        };
        let queue = EventQueue::new(capacity as usize, overflow);
        Ok(Self { queue })
    }

    /// Queues an event of a step of the timestep. Returns whether no event was dropped for it.
    pub fn emit(&mut self, timestep: &Timestep, tick: u64, event: u64) -> bool {
        let dropped = self.queue.dropped();
        self.queue.emit(&Step::new(tick, timestep.rate()), event);
        self.queue.dropped() == dropped
    }

    /// The next event that the timestep's last frame shows, and its tick. `seen` is a `SEEN_` constant. None if this frame shows no
    /// more.
    ///
    /// # Errors
    ///
    /// As [`shown`].
    pub fn next(&mut self, timestep: &Timestep, seen: u32) -> Result<Option<(u64, u64)>, Error> {
        Ok(self.queue.next_due(shown(timestep, seen)?))
    }

    /// Retracts the events of a tick and of later ones, which will be simulated again.
    pub fn retract_from(&mut self, tick: u64) {
        self.queue.retract_from(tick);
    }

    /// The number of events that were dropped so far.
    #[must_use]
    pub const fn dropped(&self) -> u64 {
        self.queue.dropped()
    }

    /// The number of events that wait.
    #[must_use]
    pub fn waiting(&self) -> u64 {
        self.queue.len() as u64
    }
}
