//! Keeps the newest rows of each swap chain.

use std::collections::VecDeque;

use crate::error::RowProblem;
use crate::read::chain_name::SwapChainName;
use crate::read::sink::{Frame, Sink};
use crate::read::trace::SwapChain;

/// The maximum number of rows of each swap chain in a [`CurrentAnalysis`](super::CurrentAnalysis): the newest ones.
pub const RECENT_FRAMES: usize = 1024;

/// The newest rows of each swap chain.
#[derive(Clone, Default)]
pub(crate) struct RecentFrames {
    chains: Vec<(SwapChainName, VecDeque<Frame>)>,
    pub(crate) last_skipped: Option<RowProblem>,
}

impl RecentFrames {
    /// The newest rows of a swap chain; empty if there is no chain of this name.
    pub(crate) fn chain(&self, name: &SwapChainName) -> SwapChain {
        let own = self.chains.iter().find(|(own, _)| own == name);
        let frames = || own.into_iter().flat_map(|(_, frames)| frames);
        SwapChain {
            name: name.clone(),
            deltas: frames().filter_map(|frame| frame.delta).collect(),
            presents: frames().filter_map(|frame| frame.present).collect(),
        }
    }
}

impl Sink for RecentFrames {
    fn chain(&mut self, name: &SwapChainName) {
        self.chains.push((name.clone(), VecDeque::new()));
    }

    fn frame(&mut self, chain: usize, frame: &Frame) {
        let (_, frames) = &mut self.chains[chain];
        if frames.len() == RECENT_FRAMES {
            frames.pop_front();
        }
        frames.push_back(*frame);
    }

    fn skipped(&mut self, problem: &RowProblem) {
        self.last_skipped = Some(problem.clone());
    }
}
