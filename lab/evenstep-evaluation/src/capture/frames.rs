//! The frames of a simulated program, and the recording made of them.

use std::time::Duration;

use evenstep_trace::Present;
use evenstep_trace::SwapChain;
use evenstep_trace::SwapChainName;

/// A frame. Times are in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frame {
    /// When the frame began, by the program's clock.
    pub(super) start: f64,
    /// When the program presented the frame.
    pub(super) ready: f64,
    /// When the frame was displayed; `None` if it never was.
    pub(super) displayed: Option<f64>,
    pub(super) cpu_busy: Option<f64>,
    pub(super) gpu_busy: Option<f64>,
}

/// The frames of a program.
pub(super) struct Frames {
    pub(super) all: Vec<Frame>,
    /// Whether the recording has display times.
    pub(super) is_display_known: bool,
    /// Displayed images for each frame of the program, generated ones included.
    pub(super) images_per_frame: usize,
    /// The refreshes that each present waits for, and whether it may tear, if the file states it.
    pub(super) facts: Option<(u32, bool)>,
    /// When hitches ended.
    pub(super) hitch_ends: Vec<f64>,
}

impl Frames {
    /// How many hitches there are in each half, without the first and the last second.
    pub(super) fn hitches(&self) -> [usize; 2] {
        let end = self.all.last().map_or(0.0, |last| last.start);
        let inner = self.hitch_ends.iter().filter(|at| **at > 1000.0 && **at < end - 1000.0);
        let before = inner.clone().filter(|at| **at < end / 2.0).count();
        [before, inner.count() - before]
    }

    /// The recording that a tool would write.
    pub(super) fn into_chain(self) -> SwapChain {
        let starts = self.all.windows(2).map(|pair| pair[1].start - pair[0].start);
        let deltas = starts.map(|ms| Duration::from_nanos((ms.max(0.0) * 1e6).round() as u64));
        let mut presents = Vec::new();
        if self.is_display_known {
            for (index, frame) in self.all.iter().enumerate() {
                presents.push(own(frame));
                let Some(next) = self.all.get(index + 1) else { continue };
                let parts = (1..self.images_per_frame).map(|image| image as f64 / self.images_per_frame as f64);
                presents.extend(parts.map(|part| generated(frame, next, part)));
            }
            for (row, present) in presents.iter_mut().enumerate() {
                present.row = row as u64;
                present.sync_interval = self.facts.map(|(refreshes, _)| refreshes);
                present.allows_tearing = self.facts.map(|(_, tears)| tears);
            }
        }
        SwapChain::new(
            SwapChainName::new("synthetic.exe", "1", "0x1"),
            deltas.collect(),
            presents,
        )
    }
}

fn own(frame: &Frame) -> Present {
    let mut present = Present::new(frame.ready);
    present.started = Some(frame.start);
    present.displayed = frame.displayed;
    present.simulated = Some(frame.start);
    present.cpu_busy = frame.cpu_busy;
    present.gpu_busy = frame.gpu_busy;
    present
}

/// A generated frame, displayed between two frames of the program.
fn generated(frame: &Frame, next: &Frame, part: f64) -> Present {
    let between = |from: f64, to: f64| from + part * (to - from);
    let displayed = frame.displayed.zip(next.displayed);
    let mut present = Present::new(between(frame.ready, next.ready));
    present.displayed = displayed.map(|(from, to)| between(from, to));
    present.is_generated = true;
    present
}
