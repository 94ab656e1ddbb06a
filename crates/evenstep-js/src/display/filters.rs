//! Filters that even out the times of frames.

use evenstep_flat::filter::FilterSettings;
use evenstep_flat::filter_row::FilterRow;
use wasm_bindgen::prelude::wasm_bindgen;

use super::present::feedback;
use crate::slots::{Slots, status, take};

/// Filters in a row. Its slots: numbers for the filtered delta, the residual and the longest lead.
#[wasm_bindgen]
pub struct RawFilters {
    core: FilterRow,
    slots: Slots<3>,
}

#[wasm_bindgen]
impl RawFilters {
    /// None yet.
    pub fn create() -> Self {
        Self {
            core: FilterRow::new(),
            slots: Slots::new(),
        }
    }

    /// Where its slots are.
    pub fn slots(&self) -> usize {
        self.slots.address()
    }

    /// Adds a filter.
    pub fn add(&mut self, kind: u32, rate_numer: u32, rate_denom: u32, window: u32, max_delta: i64) -> u32 {
        status(self.core.add(&FilterSettings {
            kind,
            rate_numer,
            rate_denom,
            window,
            max_delta,
        }))
    }

    /// Takes the time of the first frame.
    pub fn begin(&mut self, now: i64) -> u32 {
        status(self.core.begin(now))
    }

    /// Filters the nanoseconds until a frame, a whole number.
    pub fn apply(&mut self, delta: f64) -> u32 {
        take(self.core.apply(delta as i64), |given| {
            self.slots.number(0, given.delta as f64);
            self.slots.number(1, given.residual as f64);
            self.slots.number(2, given.max_lead as f64);
        })
    }

    /// The refresh rate to which a display clock is locked, or 0.
    pub fn refresh_hz(&self) -> f64 {
        self.core.refresh_hz().unwrap_or(0.0)
    }

    /// Nanoseconds that clamps have cut off.
    pub fn filtered_out(&self) -> i64 {
        self.core.filtered_out()
    }

    /// The number of the last frame, for the report of it; 0 without a clock that follows reports.
    pub fn frame_id(&self) -> f64 {
        self.core.frame_id().unwrap_or(0) as f64
    }

    /// Takes a report of a frame: when it was seen or -1, and when the report arrived.
    pub fn observe(&mut self, id: f64, presented: i64, refresh: i64, is_reliable: bool, arrived: i64) -> u32 {
        let feedback = feedback(id, presented, refresh, is_reliable);
        status(self.core.observe(&feedback, arrived))
    }
}
