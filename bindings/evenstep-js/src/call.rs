//! What JavaScript asks for.

use evenstep_flat::Error;

use crate::time::nanoseconds;

/// What an object is to do, a number of `calls`, and four numbers for it. Those that are not needed are 0.
pub(crate) struct Call {
    pub(crate) what: u32,
    pub(crate) numbers: [f64; 4],
}

impl Call {
    /// A whole number, which JavaScript has seen to.
    pub(crate) fn count(&self, at: usize) -> u32 {
        self.numbers[at] as u32
    }

    /// A tick, or a number that was handed over before.
    pub(crate) fn tick(&self, at: usize) -> u64 {
        self.numbers[at] as u64
    }

    /// Whether it is so.
    pub(crate) fn is(&self, at: usize) -> bool {
        self.count(at) != 0
    }

    /// A time: whole milliseconds, and nanoseconds beyond in the number behind.
    pub(crate) fn time(&self, at: usize) -> Result<i64, Error> {
        nanoseconds(self.numbers[at], self.numbers[at + 1])
    }
}
