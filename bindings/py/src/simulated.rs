//! `simulate`, like the command of the same name.

use evenstep::Rate;
use evenstep_trace::Trace;
use evenstep_trace::simulate::{Comparison, SimulatedDisplay};
use pyo3::prelude::*;
use serde::Serialize;

use crate::arguments::Ratio;
use crate::errors::{Code, refused};
use crate::report::as_python;
use crate::source::{Source, rows};

/// Simulates a game on the frames of a recording, with every method of stepping and drawing.
///
/// rate is the number of steps a second. display is a refresh rate or "vrr"; by default it is the recorded display. Returns the output of `evenstep
/// simulate --json` as a dict.
#[pyfunction]
#[pyo3(signature = (source, *, rate=None, display=None, chain=None, lenient=false))]
pub(crate) fn simulate<'py>(
    py: Python<'py>,
    source: Source,
    rate: Option<Ratio>,
    display: Option<Display>,
    chain: Option<&str>,
    lenient: bool,
) -> PyResult<Bound<'py, PyAny>> {
    /// The output in the form that the command prints.
    #[derive(Serialize)]
    struct Simulated {
        file: String,
        #[serde(flatten)]
        simulated: Comparison,
    }
    let rate = rate.map_or(Ok(Rate::hz(60)), |rate| rate.rate("simulate: rate"))?;
    let most = Comparison::MAX_STEPS;
    if rate.as_hz_f64() > most {
        let why = format!("more than {most} steps a second take too long; give fewer");
        return Err(refused(Code::Range, "simulate: rate", why));
    }
    let display = display.map(|display| display.0);
    let chain = chain.map(str::to_owned);
    let simulated = source.read(py, move |input, name| {
        let trace = Trace::parse(input, name, rows(lenient))?;
        let chain = match &chain {
            Some(name) => trace.chain(name)?,
            None => trace.main_chain(),
        };
        Ok(Simulated {
            file: name.to_owned(),
            simulated: Comparison::new(chain, rate, display),
        })
    })?;
    as_python(py, &simulated)
}

/// A refresh rate or "vrr".
pub(crate) struct Display(SimulatedDisplay);

impl<'py> FromPyObject<'_, 'py> for Display {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        const NAME: &str = "simulate: display";
        if let Ok(word) = object.extract::<String>() {
            let choice = word.parse().map_err(|error: String| refused(Code::Range, NAME, error));
            return choice.map(Self);
        }
        let rate = object.extract::<Ratio>()?.rate(NAME)?;
        Ok(Self(SimulatedDisplay::fixed(rate)))
    }
}
