//! `analyze`: a recording, measured and diagnosed.

use std::collections::HashMap;

use arrow_schema::ArrowError;
use evenstep_trace::{Analysis, PresentMetrics, SwapChainName, Trace};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use serde::Serialize;

use crate::columns::{Pickle, Table};
use crate::errors::{Code, refused, unusable};
use crate::source::{Source, rows};

/// The measurements of a recording. It can be pickled, with its columns.
#[pyclass(module = "evenstep", frozen)]
#[derive(Debug)]
pub(crate) struct Report {
    /// As `evenstep analyze --json` prints it.
    json: String,
    chains: Chains,
}

/// The frames of one program in one window, with metrics and a diagnosis.
#[pyclass(module = "evenstep", frozen)]
#[derive(Debug)]
pub(crate) struct Chain {
    /// Its part of the report's JSON.
    json: String,
    /// Its name, in one piece.
    name: String,
    /// None if no columns were requested.
    columns: Option<Columns>,
}

type Chains = Vec<Py<Chain>>;

/// The tables of frame times and of presents.
type Columns = (Py<Table>, Py<Table>);

/// Measures and diagnoses a recording.
///
/// source is a path or the bytes of a file. With lenient, rows that cannot be read are skipped and counted in a warning. chain
/// keeps only the chain of that name. With columns=False no frames are kept: then memory does not grow with the file.
///
/// Raises TraceError with file, line and field if the recording cannot be used, and OSError if it cannot be opened.
#[pyfunction]
#[pyo3(signature = (source, *, lenient=false, chain=None, columns=true))]
pub(crate) fn analyze(
    py: Python<'_>,
    source: Source,
    lenient: bool,
    chain: Option<&str>,
    columns: bool,
) -> PyResult<Report> {
    let rows = rows(lenient);
    let (analysis, tables) = source.read(py, move |input, name| {
        if !columns {
            return Ok((Analysis::read(input, name, rows, |_, _| ())?, None));
        }
        let mut measured = Measured::new();
        let (analysis, trace) =
            Analysis::read_with_trace(input, name, rows, |name, row| match measured.get_mut(name) {
                Some(rows) => rows.push(*row),
                None => _ = measured.insert(name.clone(), vec![*row]),
            })?;
        Ok((analysis, Some(tables(trace, measured))))
    })?;
    let broken = |error: ArrowError| PyRuntimeError::new_err(format!("analyze: {error}"));
    let mut tables = tables.transpose().map_err(broken)?.unwrap_or_default();
    let analysis = match chain {
        Some(name) => analysis.only(name).map_err(|problem| unusable(py, &problem))?,
        None => analysis,
    };
    let chains = analysis.chains.iter().map(|chain| {
        let columns = tables
            .remove(&chain.name)
            .map(|(frame_times, presents)| PyResult::Ok((Py::new(py, frame_times)?, Py::new(py, presents)?)));
        let (json, name, columns) = (json(chain)?, chain.name.to_string(), columns.transpose()?);
        Py::new(py, Chain { json, name, columns })
    });
    let chains = chains.collect::<PyResult<_>>()?;
    Ok(Report {
        json: json(&analysis)?,
        chains,
    })
}

/// The measurements of the rows of each chain.
type Measured = HashMap<SwapChainName, Vec<PresentMetrics>>;

/// The tables of frame times and of presents of each chain.
fn tables(trace: Trace, mut measured: Measured) -> Result<HashMap<SwapChainName, (Table, Table)>, ArrowError> {
    let tables = trace.chains.into_iter().map(|chain| {
        let mut measured = measured.remove(&chain.name).unwrap_or_default();
        // Where the file's clock jumps back, some come late.
        measured.sort_unstable_by_key(|metrics| metrics.row);
        let columns = (
            Table::frame_times(&chain.deltas)?,
            Table::presents(&chain.presents, &measured)?,
        );
        Ok((chain.name, columns))
    });
    tables.collect()
}

/// A value as a dict, which Python's module `json` parses from its JSON.
pub(crate) fn as_python<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    parsed(py, &json(value)?)
}

fn parsed<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (json,))
}

fn json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string_pretty(value).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

#[pymethods]
impl Report {
    /// The name of the file.
    #[getter]
    fn file<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        parsed(py, &self.json)?.get_item("file")
    }

    /// The format of the file.
    #[getter]
    fn format<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        parsed(py, &self.json)?.get_item("format")
    }

    /// Warnings about the file, in sentences.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        parsed(py, &self.json)?.get_item("warnings")
    }

    /// The chains, by their number of frames, largest first; the desktop's is last.
    #[getter]
    fn chains(&self, py: Python<'_>) -> Chains {
        self.chains.iter().map(|chain| chain.clone_ref(py)).collect()
    }

    /// The first chain.
    #[getter]
    fn main(&self, py: Python<'_>) -> PyResult<Py<Chain>> {
        let main = self.chains.first().map(|chain| chain.clone_ref(py));
        main.ok_or_else(|| refused(Code::Missing, "Report.main", "there are no chains"))
    }

    /// The report as `evenstep analyze --json` prints it for a file.
    fn json(&self) -> &str {
        &self.json
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickle<'py, (&str, Chains)>> {
        let restore = py.get_type::<Self>().getattr("_restored")?;
        Ok((restore, (&self.json, self.chains(py))))
    }

    #[classmethod]
    fn _restored(_class: &Bound<'_, PyType>, json: String, chains: Chains) -> Self {
        Self { json, chains }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (file, format, chains) = (self.file(py)?, self.format(py)?, self.chains.len());
        Ok(format!("<evenstep.Report of {file} ({format}), {chains} chains>"))
    }
}

#[pymethods]
impl Chain {
    /// The program's name; empty if the file does not name it.
    #[getter]
    fn process<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        parsed(py, &self.json)?.get_item("process")
    }

    /// The id of the process.
    #[getter]
    fn pid<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        parsed(py, &self.json)?.get_item("pid")
    }

    /// The swap chain.
    #[getter]
    fn swap_chain<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        parsed(py, &self.json)?.get_item("swap_chain")
    }

    /// The metrics, with the names of `evenstep analyze --json`. "absent" lists metrics that could not be computed.
    #[getter]
    fn metrics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let metrics = parsed(py, &self.json)?;
        for other in ["process", "pid", "swap_chain", "diagnosis"] {
            metrics.del_item(other)?;
        }
        metrics.call_method1("setdefault", ("absent", Vec::<String>::new()))?;
        Ok(metrics)
    }

    /// The kinds of stutter, the worst first: kind, evidence and cure of each.
    #[getter]
    fn diagnosis<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        parsed(py, &self.json)?.get_item("diagnosis")
    }

    /// The frame times of the program's frames, displayed or not, oldest first: frame_time_ms.
    #[getter]
    fn frame_times(&self, py: Python<'_>) -> PyResult<Py<Table>> {
        Ok(self.columns("frame_times")?.0.clone_ref(py))
    }

    /// The presents in the order of their times, with PresentMon's metrics recomputed; empty if the file has none. Times are
    /// milliseconds from the first row of the file.
    #[getter]
    fn presents(&self, py: Python<'_>) -> PyResult<Py<Table>> {
        Ok(self.columns("presents")?.1.clone_ref(py))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickle<'py, (&str, &str, Option<Columns>)>> {
        let restore = py.get_type::<Self>().getattr("_restored")?;
        let columns = self.columns.as_ref();
        let columns = columns.map(|(frame_times, presents)| (frame_times.clone_ref(py), presents.clone_ref(py)));
        Ok((restore, (&self.json, &self.name, columns)))
    }

    #[classmethod]
    fn _restored(_class: &Bound<'_, PyType>, json: String, name: String, columns: Option<Columns>) -> Self {
        Self { json, name, columns }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let frames = parsed(py, &self.json)?.get_item("frames")?;
        Ok(format!("<evenstep.Chain {} of {frames} frames>", self.name))
    }
}

impl Chain {
    fn columns(&self, name: &str) -> PyResult<&Columns> {
        let missing = || {
            let why = "no frames were kept; analyze with columns=True";
            refused(Code::Missing, &format!("Chain.{name}"), why)
        };
        self.columns.as_ref().ok_or_else(missing)
    }
}
