//! Conversion of arguments from Python.

use evenstep::{Rate, TimeScale};
use evenstep_flat::nanoseconds;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt};

use crate::errors::{Named as _, refused};

/// A time or a duration: an int of nanoseconds or a float of seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Time(pub(crate) i64);

impl<'py> FromPyObject<'_, 'py> for Time {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyFloat>() {
            return nanoseconds(object.extract()?).named("a time in seconds").map(Self);
        }
        if is_whole(&object)? {
            let outside = || {
                refused(
                    "a time in nanoseconds",
                    format!("{} is not from 0 to 2^63 - 1", *object),
                )
            };
            let nanos = object.extract().ok().filter(|nanos| *nanos >= 0);
            return nanos.map(Self).ok_or_else(outside);
        }
        Err(PyTypeError::new_err(format!(
            "a time is an int of nanoseconds or a float of seconds, not {}",
            object.get_type().name()?
        )))
    }
}

/// A float of seconds only: an int could be meant as milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seconds(pub(crate) i64);

impl<'py> FromPyObject<'_, 'py> for Seconds {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyFloat>() {
            return nanoseconds(object.extract()?).named("a delta in seconds").map(Self);
        }
        Err(PyTypeError::new_err(format!(
            "a delta is a float of seconds, such as clock.tick() / 1000, not {}; begin_frame takes time.perf_counter_ns()",
            object.get_type().name()?
        )))
    }
}

/// A rate or a speed: an int, a float with the value of its decimal digits, a Fraction, or numerator and denominator.
#[derive(Clone, Debug)]
pub(crate) struct Ratio(Terms);

#[derive(Clone, Debug)]
enum Terms {
    Two(u32, u32),
    Written(String),
}

impl Ratio {
    /// A whole number.
    pub(crate) fn whole(number: u32) -> Self {
        Self(Terms::Two(number, 1))
    }

    /// The ratio as a rate in hertz.
    pub(crate) fn rate(&self, name: &str) -> PyResult<Rate> {
        match &self.0 {
            Terms::Two(numer, denom) => Rate::new(*numer, *denom),
            Terms::Written(text) => text.parse(),
        }
        .map_err(|error| refused(name, error))
    }

    /// The ratio as a speed: numerator and denominator.
    pub(crate) fn speed(&self, name: &str) -> PyResult<(u32, u32)> {
        let scale: Result<TimeScale, _> = match &self.0 {
            Terms::Two(numer, denom) => TimeScale::new(*numer, *denom),
            Terms::Written(text) => text.parse(),
        };
        let scale = scale.map_err(|error| refused(name, error))?;
        Ok((scale.numer(), scale.denom()))
    }
}

impl<'py> FromPyObject<'_, 'py> for Ratio {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyFloat>() {
            return Ok(Self(Terms::Written(object.str()?.to_string())));
        }
        let (numer, denom) = if let Ok(pair) = object.extract::<(Bound<'py, PyAny>, Bound<'py, PyAny>)>() {
            pair
        } else if object.is_instance_of::<PyBool>() || !object.hasattr("denominator")? {
            return Err(PyTypeError::new_err(format!(
                "a rate is a number, a Fraction or (numerator, denominator), not {}",
                object.get_type().name()?
            )));
        } else {
            (object.getattr("numerator")?, object.getattr("denominator")?)
        };
        let term = |term: &Bound<'py, PyAny>| {
            let outside = |_| refused("a rate", format!("{term} is not from 0 to {}", u32::MAX));
            term.extract::<u32>().map_err(outside)
        };
        Ok(Self(Terms::Two(term(&numer)?, term(&denom)?)))
    }
}

/// A step, or its tick.
#[derive(FromPyObject)]
pub(crate) enum Tick {
    /// A step of a frame or of a task.
    Step {
        /// The tick of the step.
        tick: u64,
    },
    /// A tick as an int.
    #[pyo3(transparent)]
    Number(u64),
}

impl Tick {
    /// The tick.
    pub(crate) const fn number(&self) -> u64 {
        match self {
            Self::Step { tick } | Self::Number(tick) => *tick,
        }
    }
}

fn is_whole(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    if object.is_instance_of::<PyBool>() {
        return Ok(false);
    }
    Ok(object.is_instance_of::<PyInt>() || object.hasattr("__index__")?)
}
