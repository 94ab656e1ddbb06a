//! Conversion of arguments from Python.

use std::time::Duration;

use evenstep::{Overrun, Rate, RatioError, Smoothing, TimeScale};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt};

use crate::errors::{Code, refused};

/// A time or a duration: an int of nanoseconds or a float of seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time(pub(crate) Duration);

impl<'py> FromPyObject<'_, 'py> for Time {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyFloat>() {
            return seconds(object.extract()?, "a time in seconds").map(Self);
        }
        let wanted = "an int of nanoseconds or a float of seconds";
        integer(&object, "a time", wanted, MAX_U64).map(|nanos| Self(Duration::from_nanos(nanos)))
    }
}

/// The time that was given, or now.
pub(crate) fn time_or_now(py: Python<'_>, time: Option<Time>) -> PyResult<Duration> {
    if let Some(Time(time)) = time {
        return Ok(time);
    }
    let nanos = py.import("time")?.call_method0("perf_counter_ns")?.extract()?;
    Ok(Duration::from_nanos(nanos))
}

/// A float of seconds only: an int could be meant as milliseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seconds(pub(crate) Duration);

impl<'py> FromPyObject<'_, 'py> for Seconds {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyFloat>() {
            return seconds(object.extract()?, "a delta in seconds").map(Self);
        }
        Err(PyTypeError::new_err(format!(
            "a delta is a float of seconds, such as clock.tick() / 1000, not {}; begin_frame takes time.perf_counter_ns()",
            object.get_type().name()?
        )))
    }
}

fn seconds(seconds: f64, name: &str) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds).map_err(|_| match seconds {
        _ if !seconds.is_finite() => refused(Code::NotFinite, name, "it is NaN or infinite"),
        _ if seconds < 0.0 => refused(Code::Negative, name, format!("{seconds} is negative")),
        _ => refused(Code::Range, name, format!("{seconds} is not below 2^64")),
    })
}

/// A rate or a speed, as text: an int, a float with the value of its decimal digits, a Fraction, or numerator and denominator.
#[derive(Clone, Debug)]
pub(crate) struct Ratio(String);

impl Ratio {
    /// The ratio as a rate in hertz.
    pub(crate) fn rate(&self, name: &str) -> PyResult<Rate> {
        self.0.parse().map_err(|error| refused(code(error), name, error))
    }

    /// The ratio as a speed.
    pub(crate) fn scale(&self, name: &str) -> PyResult<TimeScale> {
        match (self.0.parse(), self.0.parse()) {
            // Many digits, as of a measurement.
            (Err(RatioError::OutOfRange), Ok(number)) => TimeScale::from_f64(number),
            (scale, _) => scale,
        }
        .map_err(|error| refused(code(error), name, error))
    }
}

impl<'py> FromPyObject<'_, 'py> for Ratio {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyFloat>() {
            // Without an exponent, unlike Python.
            return Ok(Self(object.extract::<f64>()?.to_string()));
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
        let term = |term| integer(term, "a rate", "of ints", "2^32 - 1 in lowest terms");
        Ok(Self(format!("{}/{}", term(&numer)?, term(&denom)?)))
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

/// The policy for steps that do not fit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Policy(pub(crate) Overrun);

impl<'py> FromPyObject<'_, 'py> for Policy {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        const WANTED: &str = "give \"drop\", (\"carry\", longest backlog) or (\"stretch\", highest speed)";
        let pair = object.extract::<(String, Bound<'py, PyAny>)>();
        match (object.extract::<String>(), pair) {
            (Ok(word), _) if word == "drop" => Ok(Self(Overrun::Drop)),
            (_, Ok((word, bound))) if word == "carry" => {
                let Time(max_backlog) = bound.extract()?;
                Ok(Self(Overrun::Carry { max_backlog }))
            }
            (_, Ok((word, bound))) if word == "stretch" => {
                let max_speed = bound.extract::<Ratio>()?.scale("overrun: stretch")?;
                Ok(Self(Overrun::Stretch { max_speed }))
            }
            (Ok(word), _) | (_, Ok((word, _))) => Err(refused(Code::Range, "overrun", format!("{word:?}: {WANTED}"))),
            _ => Err(PyTypeError::new_err(format!("overrun: {WANTED}"))),
        }
    }
}

/// What a word stands for; `name` is that of the argument.
pub(crate) fn meaning<T: Copy>(word: &str, name: &str, meanings: &[(&str, T)]) -> PyResult<T> {
    let found = meanings.iter().find(|(other, _)| *other == word);
    found.map(|(_, meaning)| *meaning).ok_or_else(|| {
        let words = meanings.iter().map(|(word, _)| format!("{word:?}"));
        let words = words.collect::<Vec<_>>().join(" or ");
        refused(Code::Range, name, format!("{word:?}: give {words}"))
    })
}

/// How a frame is drawn, by its word.
pub(crate) fn smoothing(word: &str) -> PyResult<Smoothing> {
    let horizon = Duration::MAX;
    let meanings = [
        ("interpolate", Smoothing::Interpolate),
        ("extrapolate", Smoothing::Extrapolate { horizon }),
        ("none", Smoothing::None),
    ];
    meaning(word, "smoothing", &meanings)
}

/// A whole number that is not negative: a key, a row, a number of things.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Whole<T>(pub(crate) T);

impl<'py, T: TryFrom<u64>> FromPyObject<'_, 'py> for Whole<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let number = integer(&object, "a number", "an int", MAX_U64)?;
        let outside = |_| refused(Code::Range, "a number", format!("{number} is too large"));
        T::try_from(number).map(Self).map_err(outside)
    }
}

/// A key or button.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key(pub(crate) u32);

impl<'py> FromPyObject<'_, 'py> for Key {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let number = integer(
            &object,
            "a key",
            "an int of your choice, such as pygame.K_SPACE",
            "2^32 - 1",
        )?;
        let outside = |_| refused(Code::Range, "a key", format!("{number} is not from 0 to 2^32 - 1"));
        u32::try_from(number).map(Self).map_err(outside)
    }
}

/// The highest whole number, as text.
const MAX_U64: &str = "2^64 - 1";

/// An int from 0 to 2⁶⁴ − 1. The text of an error names the highest that the caller takes.
fn integer(object: &Bound<'_, PyAny>, name: &str, wanted: &str, most: &str) -> PyResult<u64> {
    let is_bool = object.is_instance_of::<PyBool>();
    if is_bool || !object.is_instance_of::<PyInt>() && !object.hasattr("__index__")? {
        let kind = object.get_type().name()?;
        return Err(PyTypeError::new_err(format!("{name} is {wanted}, not {kind}")));
    }
    object.extract::<u64>().map_err(|error| match error {
        error if error.is_instance_of::<PyOverflowError>(object.py()) => {
            refused(Code::Range, name, format!("{object} is not from 0 to {most}"))
        }
        // Such as that of the object's `__index__`.
        error => error,
    })
}
