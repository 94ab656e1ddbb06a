//! Generated recordings with known faults.

use fastrand::Rng;

use evenstep_trace::StutterKind;
use evenstep_trace::SwapChain;

mod frames;
mod hitches;
mod pacing_pattern;
mod work;

use pacing_pattern::PacingPattern;
use work::Work;

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
    /// The settings of the simulated program and display, in words.
    pub description: String,
}

impl SyntheticCapture {
    /// Generates a recording. The same seed gives the same recording.
    #[must_use]
    pub fn random(seed: u64) -> Self {
        let mut random = Rng::with_seed(seed);
        let pacing = PacingPattern::random(&mut random);
        let hitches = pacing.hitches(&mut random);
        let mut frames = pacing.frames(&mut random, &hitches);
        let work = Work::random(&mut random, &pacing);
        work.apply(&mut random, &mut frames);
        let mut faults: Vec<StutterKind> = [work.generation(), pacing.fault(), work.bound()]
            .into_iter()
            .flatten()
            .collect();
        let [before, after] = frames.hitches();
        let recurs = before >= 2 && after >= 2;
        if pacing.is_too_short() {
            // What the file states itself needs no frames.
            faults.retain(|fault| matches!(fault, StutterKind::FrameGeneration | StutterKind::GpuBound));
            faults.truncate(1);
            if faults.is_empty() {
                faults.push(StutterKind::Unknown);
            }
        } else if faults.is_empty() && !recurs {
            faults.push(StutterKind::Even);
        }
        if before + after >= 2 {
            faults.push(StutterKind::Hitches);
        }
        Self {
            chain: frames.into_chain(),
            faults,
            description: format!("{pacing}{hitches}{work}"),
        }
    }
}
