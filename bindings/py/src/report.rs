//! `analyze`: a recording, measured and diagnosed.

use std::collections::HashMap;

use arrow_schema::ArrowError;
use evenstep_trace::{Analysis, SwapChainName, Trace};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use serde::Serialize;

use crate::columns::Table;
use crate::errors::unusable;
use crate::source::{Source, rows};

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
pub(crate) fn analyze<'py>(
    py: Python<'py>,
    source: Source,
    lenient: bool,
    chain: Option<&str>,
    columns: bool,
) -> PyResult<Bound<'py, PyAny>> {
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
    let columns: Vec<Columns> = columns.collect();
    py.import("evenstep._recording")?
        .call_method1("Report", (json(&analysis)?, columns))
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
    py.import("json")?.call_method1("loads", (json(value)?,))
}

fn json(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string_pretty(value).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}
