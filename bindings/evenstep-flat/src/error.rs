//! The errors of all calls, with a text and a number for each.

use core::ffi::CStr;
use core::fmt;

/// Why a call failed. A call that fails changes nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// A time or a length of time is negative.
    Negative,
    /// A number is NaN or infinite.
    NotFinite,
    /// A rate has a zero, or a time scale a denominator of zero.
    Ratio,
    /// A number is outside its range.
    Range,
    /// An array is shorter than it must be.
    Size,
    /// There is no such row or task.
    Missing,
    /// The call must come before or after another one.
    Order,
    /// The time of a frame is earlier than that of the last one, by more than a second.
    TimeWentBack,
    /// The buffer or list is full.
    Full,
}

impl Error {
    /// The error, in words.
    #[must_use]
    pub const fn text(self) -> &'static CStr {
        match self {
            Self::Negative => c"a time is negative",
            Self::NotFinite => c"a number is NaN or infinite",
            Self::Ratio => {
                c"a rate needs a numerator and a denominator above zero, a time scale a denominator above zero"
            }
            Self::Range => c"a number is outside the range that the function's description gives",
            Self::Size => c"an array is shorter than it must be",
            Self::Missing => c"there is no such row or task",
            Self::Order => c"called out of order: the function's description says what must come first",
            Self::TimeWentBack => c"the time is earlier than that of the last frame",
            Self::Full => c"the buffer or list is full; nothing was added",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text().to_str().unwrap_or_default())
    }
}

impl core::error::Error for Error {}
