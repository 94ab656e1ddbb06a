//! Generated recordings with known faults.

use std::time::Duration;

use evenstep_trace::{Present, StutterKind, SwapChain, SwapChainName};
use fastrand::Rng;

use crate::random::{between, normal};

mod pacing;

use pacing::{CapturedFrame, FramePacing};

/// A generated recording with known faults: a simulated program on a simulated display, whose clock is read with errors.
///
/// Frames come at 24 to 360 a second on displays of 50 to 360 Hz. The kinds of fault are random, and so is their strength, within
/// the limits of what a diagnosis can recognise.
///
/// ```
/// use evenstep_trace::StutterKind;
/// use evenstep_evaluation::SyntheticCapture;
///
/// let beats = (0..100).map(SyntheticCapture::random).find(|capture| capture.faults == [StutterKind::UnevenDisplay]);
/// let diagnosis = beats.expect("some are").chain.diagnose();
/// assert_eq!(diagnosis[0].kind, StutterKind::UnevenDisplay);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SyntheticCapture {
    /// The recorded frames.
    pub chain: SwapChain,
    /// The expected diagnosis: all faults, in any order; even frames if there is none, or only a few hitches; unknown if frames are too
    /// few.
    pub faults: Vec<StutterKind>,
    /// The settings of the simulated program and display.
    pub description: String,
}

impl SyntheticCapture {
    /// Generates a recording. The same seed gives the same recording.
    #[must_use]
    pub fn random(seed: u64) -> Self {
        let random = &mut Rng::with_seed(seed);
        let pacing = FramePacing::random(random);
        let (frames, hitches) = pacing.frames(random);
        let work = Work::random(random, &pacing);
        Self {
            chain: chain(random, &frames, &pacing, &work),
            faults: faults(&frames, &hitches, &pacing, &work),
            description: format!("{pacing:?}, {work:?}, hitches until {hitches:.0?}"),
        }
    }
}

/// How busy the program and the graphics card are.
#[derive(Clone, Copy, Debug)]
struct Work {
    /// The shares of a frame, if the file states them.
    shares: Option<(f64, f64)>,
    bound: Option<StutterKind>,
}

impl Work {
    fn random(random: &mut Rng, pacing: &FramePacing) -> Self {
        let light = (between(random, 0.1, 0.8), between(random, 0.1, 0.8));
        let heavy = between(random, 0.93, 1.0);
        let (shares, bound) = match random.u8(0..10) {
            0..=1 if pacing.can_be_bound() => (Some((light.0, heavy)), Some(StutterKind::GpuBound)),
            2..=3 if pacing.can_be_busy() => (Some((heavy, light.1.min(0.7))), Some(StutterKind::CpuBound)),
            // The sleep of a limiter counts as busy.
            4 if pacing.is_held() => (Some((heavy, light.1.min(0.7))), None),
            4..=7 => (Some(light), None),
            _ => (None, None),
        };
        Self { shares, bound }
    }
}

/// The expected diagnosis; `hitches` are the times at which they ended.
fn faults(frames: &[CapturedFrame], hitches: &[f64], pacing: &FramePacing, work: &Work) -> Vec<StutterKind> {
    let generation = (pacing.images_per_frame > 1).then_some(StutterKind::FrameGeneration);
    if pacing.is_too_short() {
        // What the file states itself needs no frames.
        return vec![generation.unwrap_or(StutterKind::Unknown)];
    }
    let faults = [generation, pacing.fault(), work.bound];
    let mut faults: Vec<StutterKind> = faults.into_iter().flatten().collect();
    let end = frames.last().map_or(0.0, |last| last.start);
    let edge = f64::min(1000.0, 0.05 * end);
    let is_inner = |at: &f64| (edge..end - edge).contains(at);
    let hitches = hitches.iter().filter(|at| is_inner(at)).count();
    // A frame of over 150 ms more than usual is a stop.
    let usual = end / frames.len() as f64;
    let is_stop = |pair: &[CapturedFrame]| {
        let took = pair[1].start - pair[0].start;
        took > 150.0 + usual && took > 3.0 * usual && is_inner(&pair[1].start)
    };
    let stops = frames.windows(2).any(is_stop);
    if stops || hitches > 2 {
        faults.push(StutterKind::Hitches);
    } else if faults.is_empty() {
        faults.push(StutterKind::Even);
    }
    faults
}

/// The recording that a tool would write.
fn chain(random: &mut Rng, frames: &[CapturedFrame], pacing: &FramePacing, work: &Work) -> SwapChain {
    let (mut deltas, mut presents) = (Vec::new(), Vec::new());
    for (index, frame) in frames.iter().enumerate() {
        let next = frames.get(index + 1);
        let took = next.map(|next| (next.start - frame.start).max(0.0));
        deltas.extend(took.map(|ms| Duration::from_nanos((ms * 1e6).round() as u64)));
        if !pacing.is_display_known {
            continue;
        }
        let mut busy = |share: f64| Some(took? * (share + 0.01 * normal(random)));
        let mut own = Present::new(frame.ready);
        own.started = Some(frame.start);
        own.displayed = frame.displayed;
        own.simulated = Some(frame.start);
        own.cpu_busy = work.shares.and_then(|(cpu, _)| busy(cpu));
        own.gpu_busy = work.shares.and_then(|(_, gpu)| busy(gpu));
        presents.push(own);
        // Generated frames are displayed between two frames of the program.
        for image in 1..pacing.images_per_frame {
            let Some(next) = next else { continue };
            let part = image as f64 / pacing.images_per_frame as f64;
            let between = |from: f64, to: f64| from + part * (to - from);
            let mut generated = Present::new(between(frame.ready, next.ready));
            let displayed = frame.displayed.zip(next.displayed);
            generated.displayed = displayed.map(|(from, to)| between(from, to));
            generated.is_generated = true;
            presents.push(generated);
        }
    }
    for (row, present) in presents.iter_mut().enumerate() {
        present.row = row as u64;
        present.sync_interval = pacing.facts.map(|(refreshes, _)| refreshes);
        present.allows_tearing = pacing.facts.map(|(_, tears)| tears);
    }
    SwapChain::new(SwapChainName::new("synthetic.exe", "1", "0x1"), deltas, presents)
}
