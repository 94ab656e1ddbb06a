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
    /// The frame's delta: what the program's own loop would have read. None for generated frames, and the first of a running clock.
    pub delta: Option<Duration>,
    /// Its present, if the file has any.
    pub present: Option<Present>,
    /// PresentMon's metrics of the present.
    pub metrics: PresentMetrics,
    /// How many steps the program simulated in the frame, if a log of `evenstep-overlay` tells it.
    pub steps: Option<u64>,
}

/// Hands out every row as it comes.
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
