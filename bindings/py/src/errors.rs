//! Errors as exceptions.

use evenstep_trace::{RowProblem, TraceError as Problem};
use pyo3::create_exception;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;

create_exception!(
    evenstep,
    Error,
    PyValueError,
    "A call failed. It has changed nothing. The attribute code is the kind of error, for programs: Negative, NotFinite, Ratio, \
     Range, Size, Missing, Order, Full, or Trace for a recording."
);
create_exception!(
    evenstep,
    TraceError,
    Error,
    "A recording cannot be used. The attributes file, line and field say where; None if unknown."
);

/// The kinds of errors. Their names are the codes of the npm package.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Code {
    Negative,
    NotFinite,
    Ratio,
    Range,
    Size,
    Missing,
    Order,
    Full,
}

/// An exception with the name of a call or an argument, and the reason.
pub(crate) fn refused(code: Code, name: &str, why: impl std::fmt::Display) -> PyErr {
    let error = Error::new_err(format!("{name}: {why}"));
    let set = Python::attach(|py| error.value(py).setattr("code", format!("{code:?}")));
    set.err().unwrap_or(error)
}

/// The exception for a recording that cannot be used. An error of the system is an `OSError` of its kind, such as
/// `FileNotFoundError`.
pub(crate) fn unusable(py: Python<'_>, problem: &Problem) -> PyErr {
    let (line, field) = match problem {
        Problem::Unreadable { file, source } if source.raw_os_error().is_some() => {
            return PyOSError::new_err((source.raw_os_error(), source.to_string(), file.clone()));
        }
        Problem::NotATrace { line, .. } | Problem::NoFrameLog { line, .. } => (Some(*line), None),
        Problem::Row(RowProblem { line, field, .. }) => (Some(*line), Some(field.as_str())),
        _ => (None, None),
    };
    let error = TraceError::new_err(problem.to_string());
    let value = error.value(py);
    let set = value
        .setattr("code", "Trace")
        .and_then(|()| value.setattr("file", problem.file()))
        .and_then(|()| value.setattr("line", line))
        .and_then(|()| value.setattr("field", field));
    set.err().unwrap_or(error)
}
