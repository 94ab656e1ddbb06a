//! What receives the frames of a file, in the order of their times.

use std::time::Duration;

use crate::error::RowProblem;
use crate::read::chain_name::SwapChainName;
use crate::read::present::Present;

/// A row in the order of time.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    pub(crate) delta: Option<Duration>,
    pub(crate) present: Option<Present>,
}

/// Receives the rows of each swap chain in the order of their times.
pub(crate) trait Sink {
    /// A new swap chain; they are numbered in this order.
    fn chain(&mut self, name: &SwapChainName);
    /// The next frame of a chain.
    fn frame(&mut self, chain: usize, frame: &Frame);
    /// A row that cannot be read.
    fn skipped(&mut self, problem: &RowProblem);
}

/// Two sinks that take the same rows.
impl<A: Sink, B: Sink> Sink for (A, B) {
    fn chain(&mut self, name: &SwapChainName) {
        self.0.chain(name);
        self.1.chain(name);
    }

    fn frame(&mut self, chain: usize, frame: &Frame) {
        self.0.frame(chain, frame);
        self.1.frame(chain, frame);
    }

    fn skipped(&mut self, problem: &RowProblem) {
        self.0.skipped(problem);
        self.1.skipped(problem);
    }
}
