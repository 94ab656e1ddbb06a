//! `compare` and `filters`, as the commands of those names.

use evenstep_trace::Trace;
use evenstep_trace::simulate::{
    ChainComparison, DisplayChoice, FilterScore, WorldScore, WorldTable, score_filters, score_worlds,
};
use pyo3::prelude::*;
use serde::Serialize;

use crate::arguments::Ratio;
use crate::errors::refused;
use crate::interruptible;
use crate::report::as_python;
use crate::source::{Source, rows};

/// The most random worlds, as for the command.
const MOST_WORLDS: u64 = 100_000;

/// Shows what a game would look like on the frames of a recording, under every way of stepping and drawing.
///
/// rate is the steps a second. display is a refresh rate or "vrr"; without one it is the recorded display. The answer is what
/// `evenstep compare --json` prints, as a dict.
#[pyfunction]
#[pyo3(signature = (source, *, rate=None, display=None, chain=None, lenient=false))]
pub(crate) fn compare<'py>(
    py: Python<'py>,
    source: Source,
    rate: Option<Ratio>,
    display: Option<Display>,
    chain: Option<&str>,
    lenient: bool,
) -> PyResult<Bound<'py, PyAny>> {
    /// As the command prints it.
    #[derive(Serialize)]
    struct Compared {
        file: String,
        #[serde(flatten)]
        compared: ChainComparison,
    }
    let rate = rate.unwrap_or(Ratio::whole(60)).rate("compare: rate")?;
    let most = ChainComparison::MAX_STEPS;
    if rate.as_hz_f64() > most {
        let why = format!("more than {most} steps a second take too long; give fewer");
        return Err(refused("compare: rate", why));
    }
    let display = display.map(Display::choice).transpose()?;
    let chain = chain.map(str::to_owned);
    let compared = source.read(py, move |input, name| {
        let trace = Trace::parse(input, name, rows(lenient))?;
        let chain = match &chain {
            Some(name) => trace.chain(name)?,
            None => trace.main_chain(),
        };
        Ok(Compared {
            file: name.to_owned(),
            compared: ChainComparison::new(chain, rate, display),
        })
    })?;
    as_python(py, &compared)
}

/// A refresh rate or "vrr".
#[derive(FromPyObject)]
pub(crate) enum Display {
    /// In words.
    Word(String),
    /// As a number.
    Rate(Ratio),
}

impl Display {
    fn choice(self) -> PyResult<DisplayChoice> {
        match self {
            Self::Word(word) => word.parse().map_err(|error: String| refused("compare: display", error)),
            Self::Rate(ratio) => Ok(DisplayChoice::Fixed(ratio.rate("compare: display")?)),
        }
    }
}

/// Compares delta filters on displays with noise. The same seed gives the same scores.
///
/// Without worlds, a list with the score of each filter on each display. With worlds, that number of random worlds from the seed on: a
/// dict with the table and the scores. The numbers are those of `evenstep-lab filters --json`.
#[pyfunction]
#[pyo3(signature = (*, seed=1, worlds=None))]
pub(crate) fn filters(py: Python<'_>, seed: u64, worlds: Option<u64>) -> PyResult<Bound<'_, PyAny>> {
    #[derive(Serialize)]
    struct Many {
        seed: u64,
        worlds: u64,
        table: WorldTable,
        scores: Vec<WorldScore>,
    }
    match worlds {
        None => {
            let scores: Vec<FilterScore> = interruptible::run(py, move |_| score_filters(seed, |_| true))?;
            as_python(py, &scores)
        }
        Some(worlds) if (1..=MOST_WORLDS).contains(&worlds) => {
            let many = interruptible::run(py, move |cancelled| {
                // World by world, since nobody may wait for the next.
                let seeds = (seed..seed.saturating_add(worlds)).take_while(|_| !cancelled.is_so());
                let scores: Vec<WorldScore> = seeds
                    .flat_map(|seed| score_worlds(seed..seed.saturating_add(1), |_| true))
                    .collect();
                let table = WorldTable::new(&scores);
                Many {
                    seed,
                    worlds,
                    table,
                    scores,
                }
            })?;
            as_python(py, &many)
        }
        Some(worlds) => {
            let why = format!("{worlds} worlds; give 1 to {MOST_WORLDS}");
            Err(refused("filters: worlds", why))
        }
    }
}
