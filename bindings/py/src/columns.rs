//! Columns of frames as Arrow, which other libraries read without copying.

use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{
    Array as _, ArrayRef, BooleanArray, Float64Array, RecordBatch, RecordBatchIterator, UInt64Array, make_array,
};
use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use arrow_schema::ArrowError;
use evenstep_trace::{Present, PresentMetrics, SwapChain};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyCapsule, PyType};

/// A table of columns that pyarrow, polars, pandas and duckdb read without copying, through the Arrow PyCapsule interface.
///
///     pyarrow.table(chain.frame_times)
///     polars.DataFrame(chain.presents)
#[pyclass(module = "evenstep", frozen, from_py_object)]
#[derive(Clone, Debug)]
pub(crate) struct Table {
    rows: RecordBatch,
}

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<String> {
        let schema = self.rows.schema();
        schema.fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.rows.num_rows()
    }

    /// A function, and the argument with which it makes the table again.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Vec<Pickled>,))> {
        let columns = self.column_names().into_iter().zip(self.rows.columns());
        let columns = columns.map(|(name, column)| pickled(py, name, column)).collect();
        Ok((py.get_type::<Self>().getattr("_restored")?, (columns,)))
    }

    #[classmethod]
    fn _restored(_class: &Bound<'_, PyType>, columns: Vec<Pickled>) -> PyResult<Self> {
        let columns = columns.iter().map(|column| Ok((column.0.as_str(), unpickled(column)?)));
        let table = columns.collect::<Result<_, _>>().and_then(Self::new);
        table.map_err(|error| broken(&error))
    }

    fn __repr__(&self) -> String {
        let (rows, names) = (self.rows.num_rows(), self.column_names().join(", "));
        format!("<evenstep.Table of {rows} rows: {names}>")
    }

    /// The table as a stream of one batch, as an Arrow PyCapsule. The types are always the table's.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let rows = RecordBatchIterator::new([Ok(self.rows.clone())], self.rows.schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(rows));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}

/// A column in a pickle: its name, its type, the number of its values, their bytes, and which are there.
type Pickled = (String, String, usize, PyBackedBytes, Option<PyBackedBytes>);

fn pickled(py: Python<'_>, name: String, column: &ArrayRef) -> Pickled {
    let data = column.to_data();
    let bytes = |buffer: &Buffer| PyBytes::new(py, buffer).into();
    let there = data.nulls().map(|nulls| bytes(nulls.buffer()));
    (
        name,
        data.data_type().to_string(),
        data.len(),
        bytes(&data.buffers()[0]),
        there,
    )
}

fn unpickled((_, kind, len, values, there): &Pickled) -> Result<ArrayRef, ArrowError> {
    let buffer = |bytes: &PyBackedBytes| Buffer::from_slice_ref(&**bytes);
    let there = there.as_ref().map(buffer);
    let data = ArrayData::try_new(kind.parse()?, *len, there, 0, vec![buffer(values)], Vec::new())?;
    Ok(make_array(data))
}

fn broken(error: &ArrowError) -> PyErr {
    PyRuntimeError::new_err(format!("Table: {error}"))
}

impl Table {
    fn new(columns: Vec<(&str, ArrayRef)>) -> Result<Self, ArrowError> {
        // Nullable whatever the values are, so that tables of several recordings can be concatenated.
        let columns = columns.into_iter().map(|(name, column)| (name, column, true));
        let rows = RecordBatch::try_from_iter_with_nullable(columns)?;
        Ok(Self { rows })
    }

    /// Frame times in milliseconds.
    pub(crate) fn frame_times(deltas: &[std::time::Duration]) -> Result<Self, ArrowError> {
        let times: Vec<f64> = deltas.iter().map(|delta| delta.as_nanos() as f64 / 1e6).collect();
        Self::new(vec![("frame_time_ms", Arc::new(Float64Array::from(times)))])
    }

    /// Presents in the order of their times, with their metrics.
    pub(crate) fn presents(chain: &SwapChain) -> Result<Self, ArrowError> {
        let (presents, metrics) = (&chain.presents, chain.measure());
        let of = |value: fn(&Present) -> Option<f64>| -> ArrayRef {
            Arc::new(presents.iter().map(value).collect::<Float64Array>())
        };
        let measured = |value: fn(&PresentMetrics) -> Option<f64>| -> ArrayRef {
            Arc::new(metrics.iter().map(value).collect::<Float64Array>())
        };
        let presented: Vec<f64> = presents.iter().map(|present| present.presented).collect();
        let rows: Vec<u64> = presents.iter().map(|present| present.row).collect();
        let generated: Vec<bool> = presents.iter().map(|present| present.is_generated).collect();
        Self::new(vec![
            ("row", Arc::new(UInt64Array::from(rows))),
            ("started_ms", of(|present| present.started)),
            ("presented_ms", Arc::new(Float64Array::from(presented))),
            ("displayed_ms", of(|present| present.displayed)),
            ("simulated_ms", of(|present| present.simulated)),
            ("generated", Arc::new(BooleanArray::from(generated))),
            ("cpu_busy_ms", of(|present| present.cpu_busy)),
            ("gpu_busy_ms", of(|present| present.gpu_busy)),
            ("between_presents_ms", measured(|metrics| metrics.between_presents)),
            (
                "between_display_change_ms",
                measured(|metrics| metrics.between_display_change),
            ),
            ("animation_error_ms", measured(|metrics| metrics.animation_error)),
        ])
    }
}
