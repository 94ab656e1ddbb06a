//! Many bodies: states are read once a step, and drawn poses written once a frame, in arrays of numpy and other packages.

use std::ffi::CStr;

use evenstep::poses::Rot2;
use evenstep_flat::poses::{Dimensions, Rows};
use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::arguments::Whole;
use crate::errors::{Code, Named as _, refused};

/// Bodies in the plane (Poses2) or in space (Poses3), one body a row.
#[pyclass(module = "evenstep", subclass)]
#[derive(Debug)]
pub(crate) struct Poses {
    rows: Rows,
    /// The states for the next commit.
    states: Vec<f32>,
    /// A buffer for copies from and to arrays.
    floats: Vec<f32>,
}

/// Bodies in the plane that are drawn between their last two states, one body a row. A row is x, y, and cosine and sine of the angle.
///
///     row = poses.add(x, y, angle)
///     poses.set(row, x, y, angle)    # in each step, then
///     poses.commit()                 # or commit(array of float32, 4 a row)
///     poses.draw(frame.alpha, out)   # in each frame
#[pyclass(module = "evenstep", extends = Poses)]
#[derive(Debug)]
pub(crate) struct Poses2;

/// Bodies in space that are drawn between their last two states, one body a row. A row is x, y, z, and a quaternion x, y, z, w.
#[pyclass(module = "evenstep", extends = Poses)]
#[derive(Debug)]
pub(crate) struct Poses3;

#[pymethods]
impl Poses {
    /// Removes a row; the last one takes its number.
    fn remove(&mut self, row: Whole<usize>) -> PyResult<()> {
        self.rows.remove(row.0).named("Poses.remove")?;
        let (floats, last) = (self.rows.dimensions().floats(), self.states.len());
        self.states.copy_within(last - floats..last, row.0 * floats);
        self.states.truncate(last - floats);
        Ok(())
    }

    /// Takes the states of all rows after a step, from an array of float32 or float64, or without one from the calls of set.
    #[pyo3(signature = (states=None))]
    fn commit(&mut self, states: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let Some(array) = states else {
            return self.rows.commit(&self.states).named("Poses.commit");
        };
        self.read(array)?;
        self.rows.commit(&self.floats).named("Poses.commit")?;
        self.states.copy_from_slice(&self.floats);
        Ok(())
    }

    /// Marks the next state of a row as a teleport: it is drawn at its new pose, not between.
    fn teleport(&mut self, row: Whole<usize>) -> PyResult<()> {
        self.rows.teleport(row.0).named("Poses.teleport")
    }

    /// Writes the drawn poses of all rows to an array of float32.
    fn draw(&mut self, alpha: f64, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let floats = self.rows.dimensions().floats();
        self.write("Poses.draw", out, floats, |rows, drawn| rows.draw(alpha, drawn))
    }

    /// Like draw, but writes matrices, column by column.
    fn draw_matrices(&mut self, alpha: f64, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let floats = self.rows.dimensions().matrix();
        let draw = |rows: &mut Rows, drawn: &mut [f32]| rows.draw_matrices(alpha, drawn);
        self.write("Poses.draw_matrices", out, floats, draw)
    }

    fn __len__(&self) -> usize {
        self.rows.len()
    }

    /// A table is true even without rows.
    fn __bool__(&self) -> bool {
        true
    }
}

#[pymethods]
impl Poses2 {
    #[new]
    fn new() -> PyClassInitializer<Self> {
        PyClassInitializer::from(Poses::new(Dimensions::Two)).add_subclass(Self)
    }

    /// Adds a row for a body at rest. Returns its number.
    #[pyo3(signature = (x, y, angle=0.0))]
    fn add(mut poses: PyRefMut<'_, Self>, x: f32, y: f32, angle: f32) -> PyResult<usize> {
        poses.as_super().push(&flat(x, y, angle)).named("Poses2.add")
    }

    /// Sets the state of a row for the next commit.
    #[pyo3(signature = (row, x, y, angle=0.0))]
    fn set(mut poses: PyRefMut<'_, Self>, row: Whole<usize>, x: f32, y: f32, angle: f32) -> PyResult<()> {
        poses.as_super().put(row.0, &flat(x, y, angle)).named("Poses2.set")
    }

    /// Moves both states of a row, for when the origin of the world moves.
    fn shift(mut poses: PyRefMut<'_, Self>, row: Whole<usize>, x: f32, y: f32) -> PyResult<()> {
        poses.as_super().move_by(row.0, &[x, y]).named("Poses2.shift")
    }
}

#[pymethods]
impl Poses3 {
    #[new]
    fn new() -> PyClassInitializer<Self> {
        PyClassInitializer::from(Poses::new(Dimensions::Three)).add_subclass(Self)
    }

    /// Adds a row for a body at rest. Returns its number. The rotation is a quaternion x, y, z, w.
    #[pyo3(signature = (x, y, z, rotation=(0.0, 0.0, 0.0, 1.0)))]
    fn add(mut poses: PyRefMut<'_, Self>, x: f32, y: f32, z: f32, rotation: (f32, f32, f32, f32)) -> PyResult<usize> {
        poses.as_super().push(&spatial(x, y, z, rotation)).named("Poses3.add")
    }

    /// Sets the state of a row for the next commit.
    #[pyo3(signature = (row, x, y, z, rotation=(0.0, 0.0, 0.0, 1.0)))]
    fn set(
        mut poses: PyRefMut<'_, Self>,
        row: Whole<usize>,
        x: f32,
        y: f32,
        z: f32,
        rotation: (f32, f32, f32, f32),
    ) -> PyResult<()> {
        poses
            .as_super()
            .put(row.0, &spatial(x, y, z, rotation))
            .named("Poses3.set")
    }

    /// Moves both states of a row, for when the origin of the world moves.
    fn shift(mut poses: PyRefMut<'_, Self>, row: Whole<usize>, x: f32, y: f32, z: f32) -> PyResult<()> {
        poses.as_super().move_by(row.0, &[x, y, z]).named("Poses3.shift")
    }
}

fn flat(x: f32, y: f32, angle: f32) -> [f32; 4] {
    let Rot2 { cos, sin } = Rot2::from_radians(angle);
    [x, y, cos, sin]
}

fn spatial(x: f32, y: f32, z: f32, (a, b, c, w): (f32, f32, f32, f32)) -> [f32; 7] {
    [x, y, z, a, b, c, w]
}

impl Poses {
    fn new(dimensions: Dimensions) -> Self {
        Self {
            rows: Rows::new(dimensions),
            states: Vec::new(),
            floats: Vec::new(),
        }
    }

    fn push(&mut self, state: &[f32]) -> Result<usize, evenstep_flat::Error> {
        let row = self.rows.push(state)?;
        self.states.extend_from_slice(state);
        Ok(row)
    }

    fn put(&mut self, row: usize, state: &[f32]) -> Result<(), evenstep_flat::Error> {
        if state.iter().any(|float| !float.is_finite()) {
            return Err(evenstep_flat::Error::NotFinite);
        }
        let place = self.states.as_mut_slice().chunks_exact_mut(state.len()).nth(row);
        place.ok_or(evenstep_flat::Error::Missing)?.copy_from_slice(state);
        Ok(())
    }

    fn move_by(&mut self, row: usize, by: &[f32]) -> Result<(), evenstep_flat::Error> {
        self.rows.shift(row, by)?;
        let place = self.states.iter_mut().skip(row * self.rows.dimensions().floats());
        place.zip(by).for_each(|(axis, by)| *axis += by);
        Ok(())
    }

    fn write(
        &mut self,
        call: &str,
        out: &Bound<'_, PyAny>,
        floats: usize,
        draw: impl FnOnce(&mut Rows, &mut [f32]) -> Result<(), evenstep_flat::Error>,
    ) -> PyResult<()> {
        let wanted = || {
            PyTypeError::new_err(format!(
                "{call}: out is an array of float32 in one piece that can be written"
            ))
        };
        let buffer = PyBuffer::<f32>::get(out).map_err(|_| wanted())?;
        if buffer.readonly() || !buffer.is_c_contiguous() {
            return Err(wanted());
        }
        let count = self.must_fit(call, &buffer, floats)?;
        self.floats.resize(count, 0.0);
        draw(&mut self.rows, &mut self.floats).named(call)?;
        buffer.copy_from_slice(out.py(), &self.floats)
    }

    /// Copies an array of floats.
    fn read(&mut self, array: &Bound<'_, PyAny>) -> PyResult<()> {
        const CALL: &str = "Poses.commit";
        let (py, floats) = (array.py(), self.rows.dimensions().floats());
        if let Ok(buffer) = PyBuffer::<f32>::get(array) {
            self.floats.resize(self.must_fit(CALL, &buffer, floats)?, 0.0);
            return buffer.copy_to_slice(py, &mut self.floats);
        }
        let Ok(buffer) = PyBuffer::<f64>::get(array) else {
            return Err(PyTypeError::new_err(
                "Poses.commit: states are an array of float32 or float64",
            ));
        };
        self.must_fit(CALL, &buffer, floats)?;
        self.floats.clear();
        self.floats
            .extend(buffer.to_vec(py)?.into_iter().map(|float| float as f32));
        Ok(())
    }

    /// Checks that an array has this number of floats for each row, in one or two dimensions, in this machine's byte order. Returns
    /// the number of floats.
    fn must_fit<T: Element>(&self, call: &str, buffer: &PyBuffer<T>, floats: usize) -> PyResult<usize> {
        if !is_of_this_machine(buffer.format()) {
            return Err(PyTypeError::new_err(format!(
                "{call}: the array has the byte order of another machine; pass array.astype(\"f4\")"
            )));
        }
        let rows = self.rows.len();
        let (shape, count) = (buffer.shape(), rows * floats);
        let is_row_by_row = shape.len() > 1 && shape[0] == rows;
        if buffer.item_count() != count || shape.len() != 1 && !is_row_by_row {
            let why = format!("the array's shape is {shape:?}; {rows} rows need [{rows}, {floats}] or [{count}]");
            return Err(refused(Code::Size, call, why));
        }
        Ok(count)
    }
}

/// Whether a format of Python's module `struct` has the byte order of this machine.
fn is_of_this_machine(format: &CStr) -> bool {
    match format.to_bytes().first() {
        Some(b'<') => cfg!(target_endian = "little"),
        Some(b'>' | b'!') => cfg!(target_endian = "big"),
        _ => true,
    }
}
