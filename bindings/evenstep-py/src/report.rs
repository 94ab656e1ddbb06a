//! `analyze`: a recording, measured and diagnosed.

use std::collections::HashMap;

use arrow_schema::ArrowError;
use evenstep_trace::{Analysis, PresentMetrics, SwapChainAnalysis, SwapChainName, Trace};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Serialize;

use crate::columns::Table;
use crate::errors::{refused, unusable};
use crate::source::{Source, rows};

/// The measurements of a recording.
#[pyclass(module = "evenstep", frozen)]
#[derive(Debug)]
pub(crate) struct Report {
    analysis: Analysis,
    chains: Vec<Py<Chain>>,
}

/// The frames of one program in one window, with metrics and a diagnosis.
#[pyclass(module = "evenstep", frozen)]
#[derive(Debug)]
pub(crate) struct Chain {
    analysis: SwapChainAnalysis,
    /// None if no columns were requested.
    columns: Option<Columns>,
}

#[derive(Debug)]
struct Columns {
    frame_times: Table,
    presents: Table,
}

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
        let mut measured = Measured::default();
        let (analysis, trace) = Analysis::read_with_trace(input, name, rows, |name, row| measured.add(name, row))?;
        Ok((analysis, Some(tables(trace, &measured))))
    })?;
    let mut tables = tables
        .transpose()
        .map_err(|error| refused("analyze", error))?
        .unwrap_or_default();
    let analysis = match chain {
        Some(name) => analysis.only(name).map_err(|problem| unusable(py, &problem))?,
        None => analysis,
    };
    let chains = analysis.chains.iter().map(|chain| {
        let (analysis, columns) = (chain.clone(), tables.remove(&chain.name()));
        Py::new(py, Chain { analysis, columns })
    });
    let chains = chains.collect::<PyResult<_>>()?;
    Ok(Report { analysis, chains })
}

/// The measurements of the rows of each chain.
#[derive(Default)]
struct Measured {
    chains: Vec<(SwapChainName, Vec<PresentMetrics>)>,
    /// The chain of the last row, which usually has the next row too.
    last: usize,
}

impl Measured {
    fn add(&mut self, name: &SwapChainName, row: &PresentMetrics) {
        if self.chains.get(self.last).is_none_or(|(own, _)| own != name) {
            let known = self.chains.iter().position(|(own, _)| own == name);
            self.last = known.unwrap_or_else(|| {
                self.chains.push((name.clone(), Vec::new()));
                self.chains.len() - 1
            });
        }
        self.chains[self.last].1.push(*row);
    }

    fn rows(&self, name: &SwapChainName) -> &[PresentMetrics] {
        let chain = self.chains.iter().find(|(own, _)| own == name);
        chain.map_or(&[], |(_, rows)| rows)
    }
}

/// The columns of each chain.
fn tables(trace: Trace, measured: &Measured) -> Result<HashMap<SwapChainName, Columns>, ArrowError> {
    let mut tables = HashMap::new();
    for chain in trace.chains {
        let measured = measured.rows(&chain.name);
        let columns = Columns {
            frame_times: Table::frame_times(&chain.deltas)?,
            presents: Table::presents(&chain.presents, measured)?,
        };
        tables.insert(chain.name, columns);
    }
    Ok(tables)
}

/// A value as a dict, which Python's module `json` parses from its JSON.
pub(crate) fn as_python<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (json(value)?,))
}

fn json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string_pretty(value).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

#[pymethods]
impl Report {
    /// The name of the file.
    #[getter]
    fn file(&self) -> &str {
        &self.analysis.file
    }

    /// The format of the file.
    #[getter]
    fn format(&self) -> &str {
        &self.analysis.format
    }

    /// Warnings about the file, in sentences.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.analysis.warnings.clone()
    }

    /// The chains, by their number of frames, largest first; the desktop's is last.
    #[getter]
    fn chains(&self, py: Python<'_>) -> Vec<Py<Chain>> {
        self.chains.iter().map(|chain| chain.clone_ref(py)).collect()
    }

    /// The first chain.
    #[getter]
    fn main(&self, py: Python<'_>) -> PyResult<Py<Chain>> {
        let main = self.chains.first().map(|chain| chain.clone_ref(py));
        main.ok_or_else(|| refused("Report.main", "there are no chains"))
    }

    /// The report as `evenstep analyze --json` prints it for a file.
    fn json(&self) -> PyResult<String> {
        json(&self.analysis)
    }

    fn __repr__(&self) -> String {
        let Analysis {
            file, format, chains, ..
        } = &self.analysis;
        format!("<evenstep.Report of {file} ({format}), {} chains>", chains.len())
    }
}

#[pymethods]
impl Chain {
    /// The program's name; empty if the file does not name it.
    #[getter]
    fn process(&self) -> &str {
        &self.analysis.process
    }

    /// The id of the process.
    #[getter]
    fn pid(&self) -> &str {
        &self.analysis.pid
    }

    /// The swap chain.
    #[getter]
    fn swap_chain(&self) -> &str {
        &self.analysis.swap_chain
    }

    /// The metrics, with the names of `evenstep analyze --json`. "absent" lists metrics that could not be computed.
    #[getter]
    fn metrics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let metrics = as_python(py, &self.analysis.metrics)?;
        let dict = metrics.cast::<PyDict>()?;
        if dict.get_item("absent")?.is_none() {
            dict.set_item("absent", Vec::<String>::new())?;
        }
        Ok(metrics)
    }

    /// The kinds of stutter, the worst first: kind, evidence and cure of each.
    #[getter]
    fn diagnosis<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        as_python(py, &self.analysis.diagnosis)
    }

    /// The frame times of the program's frames, displayed or not, oldest first: frame_time_ms.
    #[getter]
    fn frame_times(&self) -> PyResult<Table> {
        Ok(self.columns("frame_times")?.frame_times.clone())
    }

    /// The presents in the order of their times, with PresentMon's metrics recomputed; empty if the file has none. Times are
    /// milliseconds from the first row of the file.
    #[getter]
    fn presents(&self) -> PyResult<Table> {
        Ok(self.columns("presents")?.presents.clone())
    }

    fn __repr__(&self) -> String {
        let (name, frames) = (self.analysis.name(), self.analysis.metrics.frames);
        format!("<evenstep.Chain {name} of {frames} frames>")
    }
}

impl Chain {
    fn columns(&self, name: &str) -> PyResult<&Columns> {
        let missing = || {
            refused(
                &format!("Chain.{name}"),
                "no frames were kept; analyze with columns=True",
            )
        };
        self.columns.as_ref().ok_or_else(missing)
    }
}
