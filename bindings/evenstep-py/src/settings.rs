//! Settings that a timestep and a schedule share: overrun and filters.

use evenstep_flat::Overrun;
use evenstep_flat::filter::{FILTER_DISPLAY_CLOCK, FilterSettings};
use evenstep_flat::timestep::{carry, stretch};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::arguments::{Ratio, Time};
use crate::errors::{Code, Named as _, refused};

/// The policy for steps that do not fit: its name, or its name with the longest backlog or the highest speed.
pub(crate) struct OverrunChoice(Choice);

/// The filters: `["display-clock"]` or none.
pub(crate) struct Filters(pub(crate) Vec<FilterSettings>);

enum Choice {
    Word(String),
    Pair(String, Py<PyAny>),
}

const OVERRUNS: &str = "give \"drop\", (\"carry\", longest backlog) or (\"stretch\", highest speed)";
const FILTERS: &str = "give \"display-clock\"";

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
        let filters = list.map(|filter| match filter?.extract::<String>() {
            Ok(word) if word == "display-clock" => Ok(FilterSettings {
                kind: FILTER_DISPLAY_CLOCK,
            }),
            Ok(word) => Err(refused(Code::Range, "filters", format!("{word:?}: {FILTERS}"))),
            Err(_) => Err(PyTypeError::new_err(format!("filters: {FILTERS}"))),
        });
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
