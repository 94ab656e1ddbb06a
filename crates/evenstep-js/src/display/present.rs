//! When frames are seen.

use evenstep_flat::Error;
use evenstep_flat::present::{Feedback, Refresh, RefreshGrid};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::slots::{NONE, Slots, status};

/// The refreshes of a display. Its slots: integers for the time, period and uncertainty of a refresh.
#[wasm_bindgen]
pub struct RawRefreshGrid {
    core: RefreshGrid,
    slots: Slots<3>,
}

#[wasm_bindgen]
impl RawRefreshGrid {
    /// Of no display yet.
    pub fn create() -> Self {
        Self {
            core: RefreshGrid::new(),
            slots: Slots::new(),
        }
    }

    /// Where its slots are.
    pub fn slots(&self) -> usize {
        self.slots.address()
    }

    /// A frame is handed over.
    pub fn submit(&mut self, id: f64, nanos: i64) -> u32 {
        status(self.core.submit(id as u64, nanos))
    }

    /// Takes a report: when the frame was seen or -1, and when the report arrived.
    pub fn observe(&mut self, id: f64, presented: i64, refresh: i64, is_reliable: bool, arrived: i64) -> u32 {
        status(
            self.core
                .observe(&feedback(id, presented, refresh, is_reliable), arrived),
        )
    }

    /// Writes the first refresh that no frame in flight takes, or when a frame will be seen that is begun now.
    pub fn refresh(&mut self, nanos: i64, of_a_frame: bool) -> u32 {
        let refresh = if of_a_frame {
            self.core.predict(nanos)
        } else {
            self.core.next_refresh(nanos)
        };
        self.write(refresh)
    }

    fn write(&mut self, refresh: Result<Option<Refresh>, Error>) -> u32 {
        match refresh {
            Ok(Some(refresh)) => {
                let times = [refresh.at, refresh.period, refresh.uncertainty];
                for (at, time) in times.into_iter().enumerate() {
                    self.slots.integer(at, time);
                }
                0
            }
            Ok(None) => NONE,
            Err(error) => status(Err(error)),
        }
    }

    /// Frames that were submitted after the newest that was seen.
    pub fn frames_in_flight(&self) -> u32 {
        self.core.frames_in_flight()
    }
}

/// A report as JavaScript hands it over.
pub(super) const fn feedback(id: f64, presented: i64, refresh: i64, reliable: bool) -> Feedback {
    Feedback {
        id: id as u64,
        presented,
        refresh,
        reliable,
    }
}
