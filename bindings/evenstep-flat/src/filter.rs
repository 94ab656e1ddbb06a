//! Filters that smooth deltas before they reach a timestep or a schedule.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::time::Duration;

use evenstep::Rate;
use evenstep::filter::{Clamp, DeltaFilter, DisplayClock, MovingAverage, Snap};

use crate::error::Error;
use crate::exact::duration;

/// The most filters of a chain.
const MAX_FILTERS: usize = 8;

/// A filter and its settings. Settings that this kind of filter does not use are ignored.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FilterSettings {
    /// The kind of filter: a `FILTER_` constant.
    pub kind: u32,
    /// `FILTER_SNAP`: the display's refresh rate in hertz, its numerator.
    pub rate_numer: u32,
    /// `FILTER_SNAP`: its denominator.
    pub rate_denom: u32,
    /// `FILTER_AVERAGE`: the number of deltas in the average; 4, 8, 16 or 32.
    pub window: u32,
    /// `FILTER_CLAMP`: the longest delta that passes, in nanoseconds.
    pub max_delta: i64,
}

/// Follows the display: estimates its period from the deltas and outputs whole multiples of it. The best for most programs.
pub const FILTER_DISPLAY_CLOCK: u32 = 1;
/// Rounds deltas near a whole number of refresh intervals to it, at a given refresh rate.
pub const FILTER_SNAP: u32 = 2;
/// Rounds deltas like `FILTER_SNAP`, at a refresh rate that it estimates.
pub const FILTER_SNAP_ESTIMATING: u32 = 3;
/// Outputs the mean of the last deltas.
pub const FILTER_AVERAGE: u32 = 4;
/// Clamps deltas to the longest one, before filters that a hitch would disturb.
pub const FILTER_CLAMP: u32 = 5;

#[derive(Clone, Debug)]
enum Filter {
    Display(Box<DisplayClock>),
    Snap(Box<Snap>),
    Average4(MovingAverage<4>),
    Average8(Box<MovingAverage<8>>),
    Average16(Box<MovingAverage<16>>),
    Average32(Box<MovingAverage<32>>),
    Clamp(Clamp),
}

impl Filter {
    fn new(settings: &FilterSettings) -> Result<Self, Error> {
        Ok(match (settings.kind, settings.window) {
            (FILTER_DISPLAY_CLOCK, _) => Self::Display(Box::default()),
            (FILTER_SNAP, _) => {
                let refresh = Rate::new(settings.rate_numer, settings.rate_denom).map_err(|_| Error::Ratio)?;
                Self::Snap(Box::new(Snap::to(refresh)))
            }
            (FILTER_SNAP_ESTIMATING, _) => Self::Snap(Box::new(Snap::estimating())),
            (FILTER_AVERAGE, 4) => Self::Average4(MovingAverage::new()),
            (FILTER_AVERAGE, 8) => Self::Average8(Box::default()),
            (FILTER_AVERAGE, 16) => Self::Average16(Box::default()),
            (FILTER_AVERAGE, 32) => Self::Average32(Box::default()),
            (FILTER_CLAMP, _) => Self::Clamp(Clamp::at(duration(settings.max_delta)?)),
            _ => return Err(Error::Range),
        })
    }

    fn as_filter(&self) -> &dyn DeltaFilter {
        match self {
            Self::Display(filter) => filter.as_ref(),
            Self::Snap(filter) => filter.as_ref(),
            Self::Average4(filter) => filter,
            Self::Average8(filter) => filter.as_ref(),
            Self::Average16(filter) => filter.as_ref(),
            Self::Average32(filter) => filter.as_ref(),
            Self::Clamp(filter) => filter,
        }
    }

    fn as_filter_mut(&mut self) -> &mut dyn DeltaFilter {
        match self {
            Self::Display(filter) => filter.as_mut(),
            Self::Snap(filter) => filter.as_mut(),
            Self::Average4(filter) => filter,
            Self::Average8(filter) => filter.as_mut(),
            Self::Average16(filter) => filter.as_mut(),
            Self::Average32(filter) => filter.as_mut(),
            Self::Clamp(filter) => filter,
        }
    }
}

/// A chain of filters, applied in order.
#[derive(Clone, Debug, Default)]
pub struct Filters(Vec<Filter>);

impl Filters {
    pub(crate) fn add(&mut self, settings: &FilterSettings) -> Result<(), Error> {
        if self.0.len() >= MAX_FILTERS {
            return Err(Error::Full);
        }
        self.0.push(Filter::new(settings)?);
        Ok(())
    }

    /// The refresh rate in hertz to which the first display clock is locked.
    pub(crate) fn refresh_hz(&self) -> Option<f64> {
        let mut clocks = self.0.iter().filter_map(|filter| match filter {
            Filter::Display(clock) => Some(clock.refresh_hz()),
            _ => None,
        });
        clocks.next().flatten()
    }

    /// The time that clamps have cut off so far.
    pub(crate) fn clamped(&self) -> Duration {
        let clamps = self.0.iter().map(|filter| match filter {
            Filter::Clamp(clamp) => clamp.lost(),
            _ => Duration::ZERO,
        });
        clamps.fold(Duration::ZERO, Duration::saturating_add)
    }
}

impl DeltaFilter for Filters {
    #[inline]
    fn apply(&mut self, delta: Duration) -> Duration {
        let apply = |delta, filter: &mut Filter| filter.as_filter_mut().apply(delta);
        self.0.iter_mut().fold(delta, apply)
    }

    fn residual(&self) -> i128 {
        self.0.iter().map(|filter| filter.as_filter().residual()).sum()
    }

    fn max_lead(&self) -> Duration {
        let leads = self.0.iter().map(|filter| filter.as_filter().max_lead());
        leads.fold(Duration::ZERO, Duration::saturating_add)
    }
}
