//! A number or an array of numbers that is drawn between its last two states.

use pyo3::basic::CompareOp;
use pyo3::exceptions::PyTypeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyFloat;

use crate::errors::{Code, refused};

/// A number of the simulation or a numpy array of them, now and before the last step, which is drawn between both.
///
///     height = Smoothed(2.0)
///     heading = Smoothed(350.0, wrap=360.0)    # blended the shorter way
///     height.begin_step()                      # before each step, then
///     height.current += speed * step.dt
///     height.at(frame.alpha)                   # in each frame
///
/// An array may be changed in place. wrap is the period of a number, such as 360.0 for an angle in degrees or the width of a world that is
/// left on one side and entered on the other.
#[pyclass(module = "evenstep", generic)]
#[derive(Debug)]
pub(crate) struct Smoothed {
    /// The state now.
    #[pyo3(get)]
    current: Py<PyAny>,
    /// The state before the last step.
    #[pyo3(get)]
    previous: Py<PyAny>,
    wrap: Option<f64>,
    /// Whether the state teleported in this step.
    #[pyo3(get)]
    is_teleport: bool,
}

#[pymethods]
impl Smoothed {
    #[new]
    #[pyo3(signature = (state, *, wrap=None))]
    fn new(state: &Bound<'_, PyAny>, wrap: Option<f64>) -> PyResult<Self> {
        if let Some(wrap) = wrap.filter(|wrap| !(*wrap > 0.0 && wrap.is_finite())) {
            let why = format!("{wrap} is not a period, a finite number above zero");
            return Err(refused(Code::Range, "Smoothed: wrap", why));
        }
        kind(state)?;
        Ok(Self {
            previous: copy(state)?.unbind(),
            current: state.clone().unbind(),
            wrap,
            is_teleport: false,
        })
    }

    #[setter]
    fn set_current(&mut self, state: &Bound<'_, PyAny>) -> PyResult<()> {
        self.check(state)?;
        self.current = state.clone().unbind();
        Ok(())
    }

    /// Sets the state before the last step. Something that is spawned moving is here now and was there a step ago. With row, an index, a
    /// slice or a mask, sets those of an array: set_previous(muzzle - velocity * step.dt, row).
    #[pyo3(signature = (state, row=None))]
    fn set_previous(
        &mut self,
        py: Python<'_>,
        state: &Bound<'_, PyAny>,
        row: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        if let Some(row) = row {
            let previous = copy(self.previous.bind(py))?;
            previous.set_item(row, state)?;
            self.previous = previous.unbind();
        } else {
            self.check(state)?;
            self.previous = copy(state)?.unbind();
            self.is_teleport = false;
        }
        Ok(())
    }

    /// Begins a step: the current state becomes the previous one.
    fn begin_step(&mut self, py: Python<'_>) -> PyResult<()> {
        self.previous = copy(self.current.bind(py))?.unbind();
        self.is_teleport = false;
        Ok(())
    }

    /// Marks the state as teleported in this step: it is drawn at its new value, not between.
    fn teleport(&mut self) {
        self.is_teleport = true;
    }

    /// Moves both states, when the origin of the world moves. This is not motion.
    fn shift(&mut self, py: Python<'_>, by: &Bound<'_, PyAny>) -> PyResult<()> {
        let add = py.import("operator")?.getattr("iadd")?;
        // Both first, because either may raise.
        let previous = add.call1((copy(self.previous.bind(py))?, by))?;
        let current = add.call1((&self.current, by))?;
        (self.previous, self.current) = (previous.unbind(), current.unbind());
        Ok(())
    }

    /// The state to draw at a frame's alpha. A number that wraps may lie outside of one period. Integers of numpy are rounded to the nearest.
    fn at<'py>(&self, py: Python<'py>, alpha: f64) -> PyResult<Bound<'py, PyAny>> {
        let (previous, current) = (self.previous.bind(py), self.current.bind(py));
        if alpha <= 0.0 {
            return copy(previous);
        }
        if alpha >= 1.0 || self.is_teleport {
            return copy(current);
        }
        if let Some(drawn) = self.of_numpy(previous, current, alpha)? {
            return Ok(drawn);
        }
        self.blend(previous, current, alpha)
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.current)?;
        visit.call(&self.previous)
    }

    fn __clear__(&mut self, py: Python<'_>) {
        (self.current, self.previous) = (py.None(), py.None());
    }

    fn __repr__(&self) -> String {
        format!("<evenstep.Smoothed from {} to {}>", self.previous, self.current)
    }
}

impl Smoothed {
    /// The state between two others, by their operators.
    fn blend<'py>(
        &self,
        previous: &Bound<'py, PyAny>,
        current: &Bound<'py, PyAny>,
        alpha: f64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let difference = current.sub(previous)?;
        let way = match (self.wrap, difference.cast::<PyFloat>()) {
            (None, _) => difference,
            (Some(wrap), Ok(number)) => PyFloat::new(previous.py(), shorter(number.value(), wrap)).into_any(),
            (Some(wrap), Err(_)) => all_shorter(&difference, wrap)?,
        };
        previous.add(way.mul(alpha)?)
    }

    /// The state between two others of numpy's small floats or integers, whose difference may not be one of them. Integers are rounded to the
    /// nearest.
    fn of_numpy<'py>(
        &self,
        previous: &Bound<'py, PyAny>,
        current: &Bound<'py, PyAny>,
        alpha: f64,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        if !(is_of_numpy(previous)? || is_of_numpy(current)?) {
            return Ok(None);
        }
        let numpy = previous.py().import("numpy")?;
        // Scalars would warn of each overflow.
        let array = |state| numpy.call_method1("atleast_1d", (state,));
        let cast = |array: &Bound<'py, PyAny>, to: &Bound<'py, PyAny>| array.call_method1("astype", (to,));
        let shape = numpy.call_method1("shape", (previous,))?;
        let (previous, current) = (array(previous)?, array(current)?);
        let dtype = numpy.call_method1("result_type", (&previous, &current))?;
        let is_integer = matches!(dtype.getattr("kind")?.extract()?, 'i' | 'u');
        let size: usize = dtype.getattr("itemsize")?.extract()?;
        let drawn = if is_integer && self.wrap.is_none() {
            let (previous, current) = (cast(&previous, &dtype)?, cast(&current, &dtype)?);
            let least = numpy.call_method1("minimum", (&previous, &current))?;
            let most = numpy.call_method1("maximum", (&previous, &current))?;
            // Modulo the integers' number, and so right as unsigned ones.
            let unsigned = numpy.call_method1("dtype", (format!("u{size}"),))?;
            let length = cast(&most.sub(least)?, &unsigned)?;
            let part = numpy.call_method1("rint", (length.mul(alpha)?,))?;
            let part = numpy.call_method1("minimum", (cast(&part, &unsigned)?, length))?;
            let part = cast(&part, &dtype)?;
            let falls = current.rich_compare(&previous, CompareOp::Lt)?;
            numpy.call_method1("where", (falls, previous.sub(&part)?, previous.add(&part)?))?
        } else if is_integer || size == 2 {
            let double = numpy.getattr("float64")?;
            let mut drawn = self.blend(&cast(&previous, &double)?, &cast(&current, &double)?, alpha)?;
            if let (true, Some(wrap)) = (is_integer, self.wrap) {
                drawn = numpy.call_method1("rint", (drawn,))?;
                // Beyond what the integers can be: a period back.
                let limits = numpy.call_method1("iinfo", (&dtype,))?;
                let below = drawn.rich_compare(limits.getattr("min")?, CompareOp::Lt)?;
                let above = drawn.rich_compare(limits.getattr("max")?, CompareOp::Gt)?;
                drawn = drawn.add(below.mul(wrap)?)?.sub(above.mul(wrap)?)?;
            }
            cast(&drawn, &dtype)?
        } else {
            return Ok(None);
        };
        drawn.call_method1("reshape", (shape,))?.get_item(()).map(Some)
    }

    /// Raises unless a state is of the same kind as the one before it.
    fn check(&self, state: &Bound<'_, PyAny>) -> PyResult<()> {
        let (wanted, given) = (kind(self.previous.bind(state.py()))?, kind(state)?);
        if wanted == given {
            return Ok(());
        }
        let why = format!("the state is {wanted}, not {given}");
        Err(refused(Code::Size, "Smoothed", why))
    }
}

/// Whether a state is an array or a number of numpy.
fn is_of_numpy(state: &Bound<'_, PyAny>) -> PyResult<bool> {
    if !state.hasattr("dtype")? {
        return Ok(false);
    }
    let Ok(numpy) = state.py().import("numpy") else {
        return Ok(false);
    };
    Ok(state.is_instance(&numpy.getattr("ndarray")?)? || state.is_instance(&numpy.getattr("generic")?)?)
}

/// What a state is, in words: a number, an array of a shape, or an object with operators, such as a vector of pygame. Raises if it is none.
fn kind(state: &Bound<'_, PyAny>) -> PyResult<String> {
    let name = state.get_type().name()?;
    let shape = state.getattr_opt("shape")?.map(|shape| shape.str()).transpose()?;
    let element = state
        .getattr_opt("dtype")?
        .and_then(|element| element.getattr("kind").ok());
    let is_real = element.is_none_or(|element| element.extract().is_ok_and(|kind: char| "fiu".contains(kind)));
    if !is_real || state.sub(state).is_err() {
        let why = format!("a state is a number or an array of numbers, not {name}");
        return Err(PyTypeError::new_err(why));
    }
    Ok(match shape {
        Some(shape) if shape != "()" => format!("an array of shape {shape}"),
        _ if state.extract::<f64>().is_ok() => "a number".to_owned(),
        _ => name.to_string(),
    })
}

/// A difference the shorter way, as the core's `Angle` has it.
fn shorter(difference: f64, wrap: f64) -> f64 {
    let windings = difference / wrap;
    let nearest = (windings + 0.5_f64.copysign(windings)) as i64 as f64;
    (difference - nearest * wrap).clamp(-0.5 * wrap, 0.5 * wrap)
}

/// The same for an array, by operators, which every kind of array has.
fn all_shorter<'py>(differences: &Bound<'py, PyAny>, wrap: f64) -> PyResult<Bound<'py, PyAny>> {
    let lengths = differences.abs()?;
    let windings = lengths.div(wrap)?.add(0.5)?.floor_div(1.0)?;
    let ways = lengths.sub(windings.mul(wrap)?)?;
    let negative = differences.rich_compare(0.0, CompareOp::Lt)?;
    ways.sub(ways.mul(negative)?.mul(2.0)?)
}

/// A copy of an array; a number is its own.
fn copy<'py>(state: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if state.is_instance_of::<PyFloat>() {
        return Ok(state.clone());
    }
    state.py().import("copy")?.call_method1("copy", (state,))
}
