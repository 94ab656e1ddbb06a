//! A call from JavaScript.

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
}
