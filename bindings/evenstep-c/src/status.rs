//! Status codes, and the functions that return them.

use core::ffi::{CStr, c_char};
use core::mem::{self, MaybeUninit};
use std::panic::{self, AssertUnwindSafe};

use evenstep_flat::{Error, Exact};

/// The result of a function: ES_STATUS_OK, ES_STATUS_NONE if there is nothing to return, or an error, which is negative. A function
/// that returns an error has changed nothing and written nothing, and the program may continue.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Done.
    Ok = 0,
    /// There is nothing (more) to return. Not an error.
    None = 1,
    /// A pointer is NULL.
    Null = -1,
    /// The object was destroyed, is of another kind, or never existed.
    Object = -2,
    /// The object belongs to another thread; see es_hand_over.
    Thread = -3,
    /// The same object was passed twice.
    Busy = -4,
    /// There are 65536 objects already.
    Objects = -5,
    /// A time is negative.
    Negative = -6,
    /// A number is NaN or infinite.
    NotFinite = -7,
    /// A rate has a zero, or a time scale a denominator of zero.
    Ratio = -8,
    /// A number is outside the range that the function's description gives.
    Range = -9,
    /// An array is shorter than it must be.
    Size = -10,
    /// There is no such row or task.
    Missing = -11,
    /// Called out of order.
    Order = -12,
    /// The time is earlier than that of the last frame, by more than a second.
    TimeWentBack = -13,
    /// The buffer or list is full. Nothing was added.
    Full = -14,
    /// A bug in this library. Please report it.
    Fault = -15,
}

impl Status {
    const ALL: [Self; 17] = [
        Self::Ok,
        Self::None,
        Self::Null,
        Self::Object,
        Self::Thread,
        Self::Busy,
        Self::Objects,
        Self::Negative,
        Self::NotFinite,
        Self::Ratio,
        Self::Range,
        Self::Size,
        Self::Missing,
        Self::Order,
        Self::TimeWentBack,
        Self::Full,
        Self::Fault,
    ];

    const fn text(self) -> &'static CStr {
        match self {
            Self::Ok => c"done",
            Self::None => c"there is nothing to return",
            Self::Null => c"a pointer is NULL",
            Self::Object => c"the object was destroyed, is of another kind, or never existed",
            Self::Thread => {
                c"the object belongs to another thread: call es_hand_over in that thread, then es_take_over in this one"
            }
            Self::Busy => c"the same object was passed twice",
            Self::Objects => c"there are 65536 objects already: destroy objects that are no longer needed",
            Self::Negative => Error::Negative.text(),
            Self::NotFinite => Error::NotFinite.text(),
            Self::Ratio => Error::Ratio.text(),
            Self::Range => Error::Range.text(),
            Self::Size => Error::Size.text(),
            Self::Missing => Error::Missing.text(),
            Self::Order => Error::Order.text(),
            Self::TimeWentBack => Error::TimeWentBack.text(),
            Self::Full => Error::Full.text(),
            Self::Fault => c"a bug in evenstep: please report it",
        }
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        match error {
            Error::Negative => Self::Negative,
            Error::NotFinite => Self::NotFinite,
            Error::Ratio => Self::Ratio,
            Error::Range => Self::Range,
            Error::Size => Self::Size,
            Error::Missing => Self::Missing,
            Error::Order => Self::Order,
            Error::TimeWentBack => Self::TimeWentBack,
            Error::Full => Self::Full,
        }
    }
}

/// Returns the meaning of a status in words: a static string, never NULL, also for a number that is not a status.
#[unsafe(no_mangle)]
pub extern "C" fn es_status_text(status: i32) -> *const c_char {
    let known = Status::ALL.iter().find(|known| **known as i32 == status);
    known.map_or(c"not a status of evenstep", |known| known.text()).as_ptr()
}

/// Returns the version of the loaded library, such as "0.1.0". EVENSTEP_VERSION is the version of the header.
#[unsafe(no_mangle)]
pub extern "C" fn es_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// Converts seconds, as glfwGetTime and other clocks return them, to nanoseconds, rounded to the nearest.
/// Errors: NOT_FINITE, NEGATIVE; RANGE beyond 292 years.
#[unsafe(no_mangle)]
pub extern "C" fn es_nanoseconds(seconds: f64, nanoseconds: Option<&mut MaybeUninit<i64>>) -> Status {
    write_result(nanoseconds, || Ok(evenstep_flat::nanoseconds(seconds)?))
}

/// Returns an exact time in seconds, rounded to a floating-point number. 0 for NULL.
#[unsafe(no_mangle)]
pub extern "C" fn es_exact_seconds(time: Option<&Exact>) -> f64 {
    time.map_or(0.0, Exact::as_secs_f64)
}

/// Runs the closure and returns its status. A panic is caught and returned as `Status::Fault`.
#[inline]
pub(crate) fn catch_panics(run: impl FnOnce() -> Result<(), Status>) -> Status {
    match panic::catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(())) => Status::Ok,
        Ok(Err(status)) => status,
        Err(payload) => {
            mem::forget(payload); // its destructor might panic, too
            Status::Fault
        }
    }
}

/// Runs the closure and writes its result to `out`. Returns `Status::Null` without running it if `out` is null.
#[inline]
pub(crate) fn write_result<T>(out: Option<&mut MaybeUninit<T>>, run: impl FnOnce() -> Result<T, Status>) -> Status {
    catch_panics(|| {
        let out = out.ok_or(Status::Null)?;
        out.write(run()?);
        Ok(())
    })
}

/// Like [`write_result`]. Returns `Status::None` and writes nothing if the closure returns `None`.
pub(crate) fn write_option<T>(
    out: Option<&mut MaybeUninit<T>>,
    run: impl FnOnce() -> Result<Option<T>, Status>,
) -> Status {
    write_result(out, || run()?.ok_or(Status::None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_returned_as_a_fault() {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(|_| ()));
        let status = catch_panics(|| panic!("within the test"));
        panic::set_hook(hook);
        assert_eq!(status, Status::Fault);
    }

    #[test]
    fn every_status_has_a_text_of_its_own() {
        let texts: std::collections::BTreeSet<_> = Status::ALL.iter().map(|status| status.text()).collect();
        assert_eq!(texts.len(), Status::ALL.len());
        for status in (-20..20).filter(|number| Status::ALL.iter().all(|known| *known as i32 != *number)) {
            assert_eq!(es_status_text(status), c"not a status of evenstep".as_ptr());
        }
    }
}
