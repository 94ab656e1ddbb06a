//! The source of a recording: a path or bytes.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use evenstep_trace::{BadRows, TraceError};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;

use crate::errors::unusable;
use crate::interruptible::{self, Input};

/// The name of bytes in errors.
const BYTES: &str = "<bytes>";

/// A recording to read.
pub(crate) enum Source {
    Path(PathBuf),
    Bytes(PyBackedBytes),
}

impl<'py> FromPyObject<'_, 'py> for Source {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(bytes) = object.extract::<PyBackedBytes>() {
            return Ok(Self::Bytes(bytes));
        }
        if let Ok(path) = object.extract::<PathBuf>() {
            return Ok(Self::Path(path));
        }
        let kind = object.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "a recording is a path (str or os.PathLike) or bytes, not {kind}"
        )))
    }
}

impl Source {
    /// Calls `run` with the input and its name, while other threads of Python run. Ctrl-C ends the call.
    pub(crate) fn read<T: Send + 'static>(
        self,
        py: Python<'_>,
        read: impl FnOnce(&mut (dyn Read + Send), &str) -> Result<T, TraceError> + Send + 'static,
    ) -> PyResult<T> {
        let result = interruptible::run(py, move |cancelled| {
            let cancelled = cancelled.clone();
            match self {
                Self::Bytes(bytes) => {
                    let input: &[u8] = &bytes;
                    read(&mut Input { input, cancelled }, BYTES)
                }
                Self::Path(path) => {
                    let file = path.display().to_string();
                    match File::open(path) {
                        Ok(input) => read(&mut Input { input, cancelled }, &file),
                        Err(source) => Err(TraceError::Unreadable { file, source }),
                    }
                }
            }
        })?;
        result.map_err(|problem| unusable(py, &problem))
    }
}

/// The policy of `lenient` for rows that cannot be read.
pub(crate) fn rows(lenient: bool) -> BadRows {
    if lenient { BadRows::Skip } else { BadRows::Fail }
}
