//! A measured row: its frame and the metrics of its present.

use std::time::Duration;

use crate::error::RowProblem;
use crate::measure::metrics::{Measure, PresentMetrics};
use crate::read::chain_name::SwapChainName;
use crate::read::present::Present;
use crate::read::reorder_buffer::{Frame, Sink};

/// A row of a recording, measured.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MeasuredFrame {
    /// The frame's delta, as the program's own loop would have measured it. `None` for generated frames, and for the first frame of a
    /// running clock.
    pub delta: Option<Duration>,
    /// The frame's present, if the file describes one.
    pub present: Option<Present>,
    /// PresentMon's metrics of the present.
    pub metrics: PresentMetrics,
    /// The number of steps that the program simulated in the frame, if a column `Steps` states it.
    pub steps: Option<u64>,
}

/// Passes every row to the caller as it arrives.
pub(crate) struct MeasuredFrames<F> {
    chains: Vec<(SwapChainName, Measure)>,
    each: F,
}

impl<F> MeasuredFrames<F> {
    pub(crate) fn new(each: F) -> Self {
        let chains = Vec::new();
        Self { chains, each }
    }
}

impl<F: FnMut(&SwapChainName, &MeasuredFrame)> Sink for MeasuredFrames<F> {
    fn chain(&mut self, name: &SwapChainName) {
        self.chains.push((name.clone(), Measure::default()));
    }

    fn frame(&mut self, chain: usize, frame: Frame) {
        let (name, measure) = &mut self.chains[chain];
        let metrics = match &frame.present {
            Some(present) => measure.next(present),
            None => PresentMetrics::nothing(frame.row),
        };
        let Frame {
            delta, present, steps, ..
        } = frame;
        let measured = MeasuredFrame {
            delta,
            present,
            metrics,
            steps,
        };
        (self.each)(name, &measured);
    }

    fn skipped(&mut self, _: RowProblem) {}

    fn settled(&mut self, _: u64) {}
}
