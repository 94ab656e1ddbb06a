//! A call from JavaScript.

use evenstep_flat::Error;

use crate::time::nanoseconds;

/// The function to call, a number of `calls`, and four arguments. Unused arguments are 0.
pub(crate) struct Call {
    pub(crate) what: u32,
    pub(crate) numbers: [f64; 4],
}

impl Call {
    /// An argument that is an integer; JavaScript has checked it.
    pub(crate) fn count(&self, at: usize) -> u32 {
        self.numbers[at] as u32
    }

    /// An argument that is a boolean.
    pub(crate) fn is(&self, at: usize) -> bool {
        self.count(at) != 0
    }

    /// A time: whole milliseconds, and the nanoseconds beyond in the next argument.
    pub(crate) fn time(&self, at: usize) -> Result<i64, Error> {
        nanoseconds(self.numbers[at], self.numbers[at + 1])
    }
}
