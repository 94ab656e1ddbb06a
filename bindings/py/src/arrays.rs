//! Arrays of numbers, of numpy and other packages.

use std::ffi::CStr;

use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// The numbers of an array, which is called `name` in an error.
pub(crate) fn numbers<T: Element>(array: &Bound<'_, PyAny>, name: &str) -> PyResult<PyBuffer<T>> {
    let buffer = PyBuffer::get(array).ok();
    let buffer = buffer.filter(|buffer| is_of_this_machine(buffer.format()));
    buffer.ok_or_else(|| wrong::<T>(name, "in this machine's byte order"))
}

/// The numbers of an array that is written to.
pub(crate) fn writable<T: Element>(array: &Bound<'_, PyAny>, name: &str) -> PyResult<PyBuffer<T>> {
    let buffer = numbers(array, name)?;
    match !buffer.readonly() && buffer.is_c_contiguous() {
        true => Ok(buffer),
        false => Err(wrong::<T>(name, "in one piece that can be written")),
    }
}

fn wrong<T>(name: &str, how: &str) -> PyErr {
    let kind = std::any::type_name::<T>().replace('f', "float").replace('i', "int");
    PyTypeError::new_err(format!("{name} is an array of {kind} {how}"))
}

/// Whether a format of Python's module `struct` has the byte order of this machine.
fn is_of_this_machine(format: &CStr) -> bool {
    match format.to_bytes().first() {
        Some(b'<') => cfg!(target_endian = "little"),
        Some(b'>' | b'!') => cfg!(target_endian = "big"),
        _ => true,
    }
}
