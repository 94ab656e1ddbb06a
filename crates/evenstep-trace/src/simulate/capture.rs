//! Recordings that were never recorded, of which it is known what is wrong.

use fastrand::Rng;

use crate::measure::diagnosis::StutterKind;
use crate::read::trace::Chain;

mod frames;
mod hitches;
mod rhythm;
mod work;

use hitches::Hitches;
use rhythm::Rhythm;
use work::Work;

/// A recording with known faults: a simulated program on a simulated display, with a clock that is read with errors.
///
/// Frames come at 24 to 360 a second on displays of 50 to 360 Hz. What the faults are is drawn first, then how strong they
/// are, within what can be told from a recording at all.
///
/// ```
/// use evenstep_trace::{StutterKind, SyntheticCapture};
///
/// let beats = (0..100).map(SyntheticCapture::random).find(|capture| capture.faults == [StutterKind::Beat]);
/// let diagnosis = beats.expect("some are").chain.diagnose();
/// assert_eq!(diagnosis[0].kind, StutterKind::Beat);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SyntheticCapture {
    /// What was recorded.
    pub chain: Chain,
    /// What is wrong with it, or that nothing is or that it cannot be known: what a diagnosis should say.
    pub faults: Vec<StutterKind>,
    /// How it was made.
    pub description: String,
}

impl SyntheticCapture {
    /// One of all that there can be; the same for the same seed.
    #[must_use]
    pub fn random(seed: u64) -> Self {
        let mut random = Rng::with_seed(seed);
        let rhythm = Rhythm::random(&mut random);
        let hitches = Hitches::random(&mut random, &rhythm);
        let mut frames = rhythm.frames(&mut random, &hitches);
        let work = Work::random(&mut random, &rhythm);
        work.apply(&mut random, &mut frames);
        let mut faults: Vec<StutterKind> = [work.generation(), hitches.fault(), work.bound(), rhythm.fault()]
            .into_iter()
            .flatten()
            .collect();
        if rhythm.is_too_short() {
            faults = vec![StutterKind::Unknown];
        } else if faults.is_empty() {
            faults.push(rhythm.without_fault());
        }
        Self {
            chain: frames.into_chain(),
            faults,
            description: format!("{rhythm}{hitches}{work}"),
        }
    }
}

/// Evenly from one to another.
fn between(random: &mut Rng, least: f64, most: f64) -> f64 {
    least + (most - least) * random.f64()
}

/// As often between one and two as between two and four.
fn between_ratios(random: &mut Rng, least: f64, most: f64) -> f64 {
    least * (most / least).powf(random.f64())
}

/// Normal with a deviation of one, nearly: the sum of twelve.
fn normal(random: &mut Rng) -> f64 {
    (0..12).map(|_| random.f64()).sum::<f64>() - 6.0
}
