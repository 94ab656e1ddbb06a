//! Conversion of arguments from Python.

use evenstep::{Rate, RatioError, TimeScale};
use evenstep_flat::nanoseconds;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt};

use crate::errors::{Code, Named as _, refused};

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
                    Code::Range,
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
        .map_err(|error| refused(code(error), name, error))
    }

    /// The ratio as a speed: numerator and denominator.
    pub(crate) fn speed(&self, name: &str) -> PyResult<(u32, u32)> {
        let scale: Result<TimeScale, _> = match &self.0 {
            Terms::Two(numer, denom) => TimeScale::new(*numer, *denom),
            Terms::Written(text) => match text.parse() {
                // Many digits, as of a measurement, or an exponent.
                Err(RatioError::OutOfRange | RatioError::NotANumber) => {
                    TimeScale::from_f64(text.parse().unwrap_or(f64::NAN))
                }
                scale => scale,
            },
        };
        let scale = scale.map_err(|error| refused(code(error), name, error))?;
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
            let outside = |_| refused(Code::Range, "a rate", format!("{term} is not from 0 to {}", u32::MAX));
            term.extract::<u32>().map_err(outside)
        };
        Ok(Self(Terms::Two(term(&numer)?, term(&denom)?)))
    }
}

/// The code of an invalid ratio.
const fn code(error: RatioError) -> Code {
    match error {
        RatioError::Negative => Code::Negative,
        RatioError::OutOfRange => Code::Range,
        RatioError::NotANumber => Code::NotFinite,
        _ => Code::Ratio,
    }
}

/// The tick of a step, which is given as a step of a frame or of a task, or as an int.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tick(pub(crate) u64);

impl<'py> FromPyObject<'_, 'py> for Tick {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(tick) = object.getattr("tick")
            && let Ok(tick) = tick.extract()
        {
            return Ok(Self(tick));
        }
        whole(&object, "a step", "a step of a frame or its tick").map(Self)
    }
}

/// A whole number that is not negative: a key, a row, a number of things.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Whole<T>(pub(crate) T);

impl<'py, T: TryFrom<u64>> FromPyObject<'_, 'py> for Whole<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let number = whole(&object, "a number", "an int")?;
        let outside = |_| refused(Code::Range, "a number", format!("{number} is too large"));
        T::try_from(number).map(Self).map_err(outside)
    }
}

/// An int from 0 to 2⁶⁴ − 1.
fn whole(object: &Bound<'_, PyAny>, name: &str, wanted: &str) -> PyResult<u64> {
    if !is_whole(object)? {
        let kind = object.get_type().name()?;
        return Err(PyTypeError::new_err(format!("{name} is {wanted}, not {kind}")));
    }
    let outside = |_| refused(Code::Range, name, format!("{object} is not from 0 to 2^64 - 1"));
    object.extract().map_err(outside)
}

fn is_whole(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    if object.is_instance_of::<PyBool>() {
        return Ok(false);
    }
    Ok(object.is_instance_of::<PyInt>() || object.hasattr("__index__")?)
}
