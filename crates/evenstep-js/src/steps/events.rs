//! Events that are handed over when they are seen.

use evenstep_flat::events::Events;
use wasm_bindgen::prelude::wasm_bindgen;

use super::timestep::RawTimestep;
use crate::slots::{NONE, Slots, status};

/// A queue of events, which are numbers; JavaScript keeps what they stand for. Its slots: numbers for an event and its tick.
#[wasm_bindgen]
pub struct RawEvents {
    core: Events,
    slots: Slots<2>,
}

#[wasm_bindgen]
impl RawEvents {
    /// With room for so many; none if that is not from 1 to 2^20.
    pub fn create(capacity: u32, drop_newest: bool) -> Option<Self> {
        let core = Events::new(capacity, drop_newest).ok()?;
        Some(Self {
            core,
            slots: Slots::new(),
        })
    }

    /// Where its slots are.
    pub fn slots(&self) -> usize {
        self.slots.address()
    }

    /// Takes an event of a step. Answers with whether nothing was dropped for it.
    pub fn emit(&mut self, timestep: &RawTimestep, tick: f64, event: f64) -> bool {
        self.core.emit(&timestep.core, tick as u64, event as u64)
    }

    /// Writes the next event that the last frame shows.
    pub fn next(&mut self, timestep: &RawTimestep, seen: u32) -> u32 {
        match self.core.next(&timestep.core, seen) {
            Ok(Some((tick, event))) => {
                self.slots.number(0, event as f64);
                self.slots.number(1, tick as f64);
                0
            }
            Ok(None) => NONE,
            Err(error) => status(Err(error)),
        }
    }

    /// Takes back the events of a tick and of later ones.
    pub fn retract_from(&mut self, tick: f64) {
        self.core.retract_from(tick as u64);
    }

    /// How many were dropped so far.
    pub fn dropped(&self) -> f64 {
        self.core.dropped() as f64
    }

    /// How many wait.
    pub fn waiting(&self) -> f64 {
        self.core.waiting() as f64
    }
}
