//! Settings that a timestep and a schedule share: overrun and filters.

use evenstep_flat::Overrun;
use evenstep_flat::filter::{
    FILTER_AVERAGE, FILTER_CLAMP, FILTER_DISPLAY_CLOCK, FILTER_SNAP, FILTER_SNAP_ESTIMATING, FilterSettings,
};
use evenstep_flat::timestep::{carry, stretch};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::arguments::{Ratio, Time, Whole};
use crate::errors::{Code, Named as _, refused};

/// The policy for steps that do not fit: its name, or its name with the longest backlog or the highest speed.
pub(crate) struct OverrunChoice(Choice);

/// A filter: its name, or its name and its setting.
pub(crate) struct FilterChoice(Choice);

/// Filters, first to last.
pub(crate) struct Filters(pub(crate) Vec<FilterChoice>);

enum Choice {
    Word(String),
    Pair(String, Py<PyAny>),
}

const OVERRUNS: &str = "give \"drop\", (\"carry\", longest backlog) or (\"stretch\", highest speed)";
const FILTERS: &str = "give \"display-clock\", \"snap\", (\"snap\", refresh rate), \
                       (\"average\", 4, 8, 16 or 32) or (\"clamp\", longest delta)";

impl Choice {
    fn extract(object: &Bound<'_, PyAny>, name: &str, wanted: &str) -> PyResult<Self> {
        if let Ok(word) = object.extract() {
            return Ok(Self::Word(word));
        }
        let pair = object.extract().map(|(word, bound)| Self::Pair(word, bound));
        pair.map_err(|_| PyTypeError::new_err(format!("{name}: {wanted}")))
    }
}

impl<'py> FromPyObject<'_, 'py> for OverrunChoice {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Choice::extract(&object, "overrun", OVERRUNS).map(Self)
    }
}

impl<'py> FromPyObject<'_, 'py> for Filters {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let is_word = object.is_instance_of::<PyString>();
        let list = object.try_iter().ok().filter(|_| !is_word);
        let list = list.ok_or_else(|| PyTypeError::new_err("filters: give a list, such as [\"display-clock\"]"))?;
        let filters = list.map(|filter| Choice::extract(&filter?, "filters", FILTERS).map(FilterChoice));
        filters.collect::<PyResult<_>>().map(Self)
    }
}

impl OverrunChoice {
    /// Converts the policy for the core.
    pub(crate) fn overrun(&self, py: Python<'_>) -> PyResult<Overrun> {
        match &self.0 {
            Choice::Word(word) if word == "drop" => Ok(Overrun::Drop),
            Choice::Pair(word, bound) if word == "carry" => {
                let Time(backlog) = bound.extract(py)?;
                carry(backlog).named("overrun: carry")
            }
            Choice::Pair(word, bound) if word == "stretch" => {
                let (numer, denom) = bound.extract::<Ratio>(py)?.speed("overrun: stretch")?;
                stretch(numer, denom).named("overrun: stretch")
            }
            Choice::Word(word) | Choice::Pair(word, _) => {
                Err(refused(Code::Range, "overrun", format!("{word:?}: {OVERRUNS}")))
            }
        }
    }
}

impl FilterChoice {
    /// Converts the filter for `evenstep_flat`.
    pub(crate) fn settings(&self, py: Python<'_>) -> PyResult<FilterSettings> {
        let mut settings = FilterSettings::default();
        match &self.0 {
            Choice::Word(word) => {
                settings.kind = match word.as_str() {
                    "display-clock" => FILTER_DISPLAY_CLOCK,
                    "snap" => FILTER_SNAP_ESTIMATING,
                    _ => return Err(refused(Code::Range, "filters", format!("{word:?}: {FILTERS}"))),
                };
            }
            Choice::Pair(word, bound) => match word.as_str() {
                "snap" => {
                    let rate = bound.extract::<Ratio>(py)?.rate("filters: snap")?;
                    settings.kind = FILTER_SNAP;
                    (settings.rate_numer, settings.rate_denom) = (rate.numer(), rate.denom());
                }
                "average" => {
                    settings.kind = FILTER_AVERAGE;
                    settings.window = bound.extract::<Whole<_>>(py)?.0;
                }
                "clamp" => {
                    let Time(longest) = bound.extract(py)?;
                    settings.kind = FILTER_CLAMP;
                    settings.max_delta = longest;
                }
                _ => return Err(refused(Code::Range, "filters", format!("{word:?}: {FILTERS}"))),
            },
        }
        Ok(settings)
    }
}
