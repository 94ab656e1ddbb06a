//! Settings that a timestep and a schedule share: overrun and filters.

use evenstep_flat::Overrun;
use evenstep_flat::filter::{
    FILTER_AVERAGE, FILTER_CLAMP, FILTER_DISPLAY_CLOCK, FILTER_SNAP, FILTER_SNAP_ESTIMATING, FilterSettings,
};
use evenstep_flat::timestep::{carry, stretch};
use pyo3::prelude::*;

use crate::arguments::{Ratio, Time};
use crate::errors::{Named as _, refused};

/// The policy for steps that do not fit.
#[derive(FromPyObject)]
pub(crate) enum OverrunChoice {
    /// A policy without a setting.
    Word(String),
    /// A policy with the longest backlog or the highest speed.
    Pair(String, Bound2),
}

/// The second part of a setting.
#[derive(FromPyObject)]
pub(crate) struct Bound2(Py<PyAny>);

impl OverrunChoice {
    /// Converts the policy for the core.
    pub(crate) fn overrun(&self, py: Python<'_>) -> PyResult<Overrun> {
        const WANTED: &str = "give \"drop\", (\"carry\", longest backlog) or (\"stretch\", highest speed)";
        match self {
            Self::Word(word) if word == "drop" => Ok(Overrun::Drop),
            Self::Pair(word, Bound2(bound)) if word == "carry" => {
                let Time(backlog) = bound.extract(py)?;
                carry(backlog).named("overrun: carry")
            }
            Self::Pair(word, Bound2(bound)) if word == "stretch" => {
                let (numer, denom) = bound.extract::<Ratio>(py)?.speed("overrun: stretch")?;
                stretch(numer, denom).named("overrun: stretch")
            }
            Self::Word(word) | Self::Pair(word, _) => Err(refused("overrun", format!("{word:?}: {WANTED}"))),
        }
    }
}

/// A filter: its name, or its name and its setting.
#[derive(FromPyObject)]
pub(crate) enum FilterChoice {
    /// A filter without a setting.
    Word(String),
    /// A filter with its setting.
    Pair(String, Bound2),
}

impl FilterChoice {
    /// Converts the filter for `evenstep_flat`.
    pub(crate) fn settings(&self, py: Python<'_>) -> PyResult<FilterSettings> {
        const WANTED: &str = "give \"display-clock\", \"snap\", (\"snap\", refresh rate), \
                              (\"average\", 4, 8, 16 or 32) or (\"clamp\", longest delta)";
        let mut settings = FilterSettings::default();
        match self {
            Self::Word(word) => {
                settings.kind = match word.as_str() {
                    "display-clock" => FILTER_DISPLAY_CLOCK,
                    "snap" => FILTER_SNAP_ESTIMATING,
                    _ => return Err(refused("filters", format!("{word:?}: {WANTED}"))),
                };
            }
            Self::Pair(word, Bound2(bound)) => match word.as_str() {
                "snap" => {
                    let rate = bound.extract::<Ratio>(py)?.rate("filters: snap")?;
                    settings.kind = FILTER_SNAP;
                    (settings.rate_numer, settings.rate_denom) = (rate.numer(), rate.denom());
                }
                "average" => {
                    settings.kind = FILTER_AVERAGE;
                    settings.window = bound.extract(py)?;
                }
                "clamp" => {
                    let Time(longest) = bound.extract(py)?;
                    settings.kind = FILTER_CLAMP;
                    settings.max_delta = longest;
                }
                _ => return Err(refused("filters", format!("{word:?}: {WANTED}"))),
            },
        }
        Ok(settings)
    }
}
