//! `analyze`: a recording, measured and diagnosed.

use std::collections::HashMap;

use arrow_schema::ArrowError;
use evenstep_trace::{Analysis, SwapChainName, Trace};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
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
    /// The name of the file.
    #[pyo3(get)]
    file: Py<PyAny>,
    /// The format of the file.
    #[pyo3(get)]
    format: Py<PyAny>,
    /// Warnings about the file, in sentences.
    #[pyo3(get)]
    warnings: Vec<String>,
    /// The chains, by their number of frames, largest first; the desktop's is last.
    #[pyo3(get)]
    chains: Vec<Py<Chain>>,
}

/// The frames of one program in one window, with metrics and a diagnosis.
#[pyclass(module = "evenstep", frozen)]
#[derive(Debug)]
pub(crate) struct Chain {
    /// The program's name; empty if the file does not name it.
    #[pyo3(get)]
    process: Py<PyAny>,
    /// The id of the process.
    #[pyo3(get)]
    pid: Py<PyAny>,
    /// The swap chain.
    #[pyo3(get)]
    swap_chain: Py<PyAny>,
    /// Its part of the report, of which a program gets copies.
    part: Py<PyAny>,
    columns: Columns,
}

/// The tables of frame times and of presents of a chain; none if no columns were requested.
type Columns = Option<(Table, Table)>;

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
            return Ok((Analysis::read(input, name, rows)?, None));
        }
        let (analysis, trace) = Analysis::read_with_trace(input, name, rows)?;
        Ok((analysis, Some(tables(trace))))
    })?;
    let broken = |error: ArrowError| PyRuntimeError::new_err(format!("analyze: {error}"));
    let mut tables = tables.transpose().map_err(broken)?.unwrap_or_default();
    let analysis = match chain {
        Some(name) => analysis.only(name).map_err(|problem| unusable(py, &problem))?,
        None => analysis,
    };
    let columns = analysis.chains.iter().map(|chain| tables.remove(&chain.name));
    Report::of(py, json(&analysis)?, columns.collect())
}

/// The tables of frame times and of presents of each chain.
fn tables(trace: Trace) -> Result<HashMap<SwapChainName, (Table, Table)>, ArrowError> {
    let tables = trace.chains.into_iter().map(|chain| {
        let columns = (Table::frame_times(&chain.deltas)?, Table::presents(&chain)?);
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

fn copied<'py>(value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    value.py().import("copy")?.call_method1("deepcopy", (value,))
}

fn json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string_pretty(value).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

#[pymethods]
impl Report {
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

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickle<'py, (&str, Vec<Columns>)>> {
        let restore = py.get_type::<Self>().getattr("_restored")?;
        let columns = self.chains.iter().map(|chain| chain.get().columns.clone());
        Ok((restore, (&self.json, columns.collect())))
    }

    /// A report from its JSON and the columns of its chains.
    #[staticmethod]
    #[pyo3(name = "_restored")]
    fn of(py: Python<'_>, json: String, columns: Vec<Columns>) -> PyResult<Self> {
        let parts = parsed(py, &json)?;
        let chains = parts.get_item("chains")?.try_iter()?.zip(columns);
        let chains = chains.map(|(chain, columns)| Py::new(py, Chain::of(&chain?, columns)?));
        Ok(Self {
            file: parts.get_item("file")?.unbind(),
            format: parts.get_item("format")?.unbind(),
            warnings: parts.get_item("warnings")?.extract()?,
            chains: chains.collect::<PyResult<_>>()?,
            json,
        })
    }

    fn __repr__(&self) -> String {
        let (file, format, chains) = (&self.file, &self.format, self.chains.len());
        format!("<evenstep.Report of {file} ({format}), {chains} chains>")
    }
}

#[pymethods]
impl Chain {
    /// The metrics, with the names of `evenstep analyze --json`. "absent" lists metrics that could not be computed.
    #[getter]
    fn metrics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let metrics = copied(self.part.bind(py))?;
        for other in ["process", "pid", "swap_chain", "diagnosis"] {
            metrics.del_item(other)?;
        }
        metrics.call_method1("setdefault", ("absent", Vec::<String>::new()))?;
        Ok(metrics)
    }

    /// The kinds of stutter, the worst first: kind, evidence and cure of each.
    #[getter]
    fn diagnosis<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        copied(&self.part.bind(py).get_item("diagnosis")?)
    }

    /// The frame times of the program's frames, displayed or not, oldest first: frame_time_ms.
    #[getter]
    fn frame_times(&self) -> PyResult<Table> {
        Ok(self.columns("frame_times")?.0.clone())
    }

    /// The presents in the order of their times, with PresentMon's metrics recomputed; empty if the file has none. Times are
    /// milliseconds from the first row of the file.
    #[getter]
    fn presents(&self) -> PyResult<Table> {
        Ok(self.columns("presents")?.1.clone())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickle<'py, (&Py<PyAny>, Columns)>> {
        let restore = py.get_type::<Self>().getattr("_restored")?;
        Ok((restore, (&self.part, self.columns.clone())))
    }

    /// A chain from its part of the report and its columns.
    #[staticmethod]
    #[pyo3(name = "_restored")]
    fn of(part: &Bound<'_, PyAny>, columns: Columns) -> PyResult<Self> {
        let entry = |name| part.get_item(name).map(Bound::unbind);
        Ok(Self {
            process: entry("process")?,
            pid: entry("pid")?,
            swap_chain: entry("swap_chain")?,
            part: part.clone().unbind(),
            columns,
        })
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (process, pid, swap_chain) = (&self.process, &self.pid, &self.swap_chain);
        let frames = self.part.bind(py).get_item("frames")?;
        Ok(format!(
            "<evenstep.Chain {process}/{pid}/{swap_chain} of {frames} frames>"
        ))
    }
}

impl Chain {
    fn columns(&self, name: &str) -> PyResult<&(Table, Table)> {
        let missing = || {
            let why = "no frames were kept; analyze with columns=True";
            refused(Code::Missing, &format!("Chain.{name}"), why)
        };
        self.columns.as_ref().ok_or_else(missing)
    }
}
