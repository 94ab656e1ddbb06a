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
    /// [`Error::Order`] after the first delta, [`Error::Full`] beyond eight, and the errors of the settings.
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
        let filters = self.clock.filters();
        let least = i128::from(i64::MIN);
        let residual = filters.map_or(0, DeltaFilter::residual);
        Ok(FilteredDelta {
            delta: i64::try_from(filtered).unwrap_or(i64::MAX),
            residual: residual.clamp(least, i128::from(i64::MAX)) as i64,
            max_lead: filters.map_or(0, |filters| nanos(filters.max_lead())),
        })
    }

    /// As [`Timestep::refresh_hz`](crate::timestep::Timestep::refresh_hz).
    #[must_use]
    pub fn refresh_hz(&self) -> Option<f64> {
        self.clock.filters()?.refresh_hz()
    }

    /// As [`Timestep::filtered_out`](crate::timestep::Timestep::filtered_out).
    #[must_use]
    pub fn filtered_out(&self) -> i64 {
        self.clock.filters().map_or(0, |filters| nanos(filters.clamped()))
    }
}
