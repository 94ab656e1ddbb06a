//! How often the diagnosis of recordings is right whose faults are known.

use std::ops::Range;

use serde::Serialize;

use crate::measure::diagnosis::StutterKind;
use crate::simulate::capture::SyntheticCapture;

/// How often a kind of stutter was found where it was, and where it was not.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DiagnosisScore {
    /// The kind.
    pub kind: StutterKind,
    /// Recordings that have it.
    pub present: usize,
    /// Recordings that have it and are said to.
    pub found: usize,
    /// Recordings that are said to have it and do not.
    pub mistaken: usize,
}

impl DiagnosisScore {
    /// The share of those that are said to have it which do.
    #[must_use]
    pub fn precision(&self) -> f64 {
        self.found as f64 / (self.found + self.mistaken) as f64
    }

    /// The share of those that have it which are said to.
    #[must_use]
    pub fn recall(&self) -> f64 {
        self.found as f64 / self.present as f64
    }
}

/// Diagnoses one [`SyntheticCapture`] for each seed, and says how often that was right, kind by kind. `wrong` is told of each
/// recording that was not diagnosed as it should be, with the kinds that were named instead.
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
