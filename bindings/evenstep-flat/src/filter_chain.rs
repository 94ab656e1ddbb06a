//! Filters without a timestep.

use evenstep::filter::DeltaFilter;

use crate::clock::FrameClock;
use crate::error::Error;
use crate::exact::nanos;
use crate::filter::FilterSettings;

/// The result of filtering a delta, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FilteredDelta {
    /// The filtered delta.
    pub delta: i64,
    /// Time that came in and does not count yet; negative while the filters lead the clock.
    pub residual: i64,
    /// The most by which the filters may lead the clock; the same in every frame.
    pub max_lead: i64,
}

/// Filters on their own, for a program that divides time into steps itself.
#[derive(Clone, Debug, Default)]
pub struct FilterChain {
    clock: FrameClock,
}

impl FilterChain {
    /// A chain without filters.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a filter after the existing ones.
    ///
    /// # Errors
    ///
    /// [`Error::Order`] after the first delta, [`Error::Full`] for a second one, [`Error::Range`] for another kind.
    pub fn add(&mut self, settings: &FilterSettings) -> Result<(), Error> {
        self.clock.add_filter(settings)
    }

    /// Takes the time of the first frame, which has no delta.
    ///
    /// # Errors
    ///
    /// [`Error::Negative`], and [`Error::Order`] after the first frame: filters serve one timestep or schedule.
    pub fn begin(&mut self, now: i64) -> Result<(), Error> {
        if self.clock.frames() > 0 {
            return Err(Error::Order);
        }
        self.clock.begin(now).map(drop)
    }

    /// Filters the nanoseconds since the last frame.
    ///
    /// # Errors
    ///
    /// [`Error::Negative`], and [`Error::Range`] if the sum of all deltas exceeds 2^63 ns.
    pub fn apply(&mut self, delta: i64) -> Result<FilteredDelta, Error> {
        let filtered = self.clock.advance(delta)?;
        let filter = self.clock.filter();
        Ok(FilteredDelta {
            delta: i64::try_from(filtered).unwrap_or(i64::MAX),
            residual: filter.map_or(0, DeltaFilter::residual),
            max_lead: filter.map_or(0, |filter| nanos(filter.max_lead())),
        })
    }
}
