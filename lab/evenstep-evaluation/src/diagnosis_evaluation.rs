//! Scores the diagnosis on recordings with known faults.

use std::ops::Range;

use crate::capture::SyntheticCapture;
use evenstep_trace::StutterKind;

/// The score of the diagnosis for one kind of stutter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiagnosisScore {
    /// The kind.
    pub kind: StutterKind,
    /// Recordings that have this kind.
    pub present: usize,
    /// Recordings that have this kind and are diagnosed with it (true positives).
    pub found: usize,
    /// Recordings that are diagnosed with this kind but do not have it (false positives).
    pub mistaken: usize,
}

impl DiagnosisScore {
    /// The share of the diagnoses of this kind that are right, from 0 to 1.
    #[must_use]
    pub fn precision(&self) -> f64 {
        self.found as f64 / (self.found + self.mistaken) as f64
    }

    /// The share of the recordings with this kind that are diagnosed with it, from 0 to 1.
    #[must_use]
    pub fn recall(&self) -> f64 {
        self.found as f64 / self.present as f64
    }
}

/// Diagnoses one [`SyntheticCapture`] for each seed and scores each kind of stutter. Calls `wrong` with the seed, the recording
/// and the diagnosed kinds whenever these are not exactly the recording's faults.
#[must_use]
pub fn score_diagnosis(
    seeds: Range<u64>,
    mut wrong: impl FnMut(u64, &SyntheticCapture, &[StutterKind]),
) -> Vec<DiagnosisScore> {
    let mut scores: Vec<DiagnosisScore> = StutterKind::ALL
        .into_iter()
        .map(|kind| DiagnosisScore {
            kind,
            present: 0,
            found: 0,
            mistaken: 0,
        })
        .collect();
    for seed in seeds {
        let capture = SyntheticCapture::random(seed);
        let named: Vec<StutterKind> = capture.chain.diagnose().iter().map(|one| one.kind).collect();
        let mut is_right = true;
        for score in &mut scores {
            let (is_there, is_named) = (capture.faults.contains(&score.kind), named.contains(&score.kind));
            score.present += usize::from(is_there);
            score.found += usize::from(is_there && is_named);
            score.mistaken += usize::from(is_named && !is_there);
            is_right &= is_there == is_named;
        }
        if !is_right {
            wrong(seed, &capture, &named);
        }
    }
    scores
}
