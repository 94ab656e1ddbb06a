//! Compares strategies and filters on a recorded chain, as `evenstep simulate` does.

use std::str::FromStr;

use evenstep::Rate;
use serde::Serialize;

use crate::read::trace::SwapChain;
use crate::simulate::comparison::Comparison;
use crate::simulate::display::SimulatedDisplay;
use crate::simulate::timeline::Timeline;

/// The range of rates of a display with variable refresh.
const VARIABLE: (Rate, Rate) = (Rate::hz(40), Rate::hz(240));

/// A display to simulate instead of the recorded one.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum DisplayChoice {
    /// A display with a fixed refresh rate.
    Fixed(Rate),
    /// A display with variable refresh, from 40 to 240 Hz.
    Variable,
}

impl DisplayChoice {
    /// The simulated display of this choice.
    #[must_use]
    pub fn simulated(self) -> SimulatedDisplay {
        match self {
            Self::Fixed(rate) => SimulatedDisplay::fixed(rate),
            Self::Variable => SimulatedDisplay::variable(VARIABLE.0, VARIABLE.1),
        }
    }

    fn name(self) -> String {
        match self {
            Self::Fixed(rate) => rate.to_string(),
            Self::Variable => format!("a variable {} to {}", VARIABLE.0.as_hz_f64(), VARIABLE.1),
        }
    }
}

impl FromStr for DisplayChoice {
    type Err = String;

    /// Reads a rate, or `vrr`.
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "vrr" => Ok(Self::Variable),
            rate => match rate.parse() {
                Ok(rate) => Ok(Self::Fixed(rate)),
                Err(error) => Err(format!("{error}; or give vrr")),
            },
        }
    }
}

/// What a game would look like on the frames of a recorded chain, with every strategy and filter. Serialised as JSON, it is what
/// `evenstep simulate --json` prints after the file's name.
///
/// ```
/// use evenstep::Rate;
/// use evenstep_trace::simulate::ChainComparison;
/// use evenstep_trace::{BadRows, Trace};
///
/// let trace = Trace::parse("16\n17\n16\n17\n".as_bytes(), "list.txt", BadRows::Fail)?;
/// let compared = ChainComparison::new(trace.main_chain(), Rate::hz(60), None);
/// assert_eq!(compared.display, "a variable rate that always keeps up");
/// # Ok::<(), evenstep_trace::TraceError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ChainComparison {
    /// The name of the chain.
    pub chain: String,
    /// The number of the chain's frames.
    pub frames: usize,
    /// A description of the display in words.
    pub display: String,
    /// The outcome of each strategy with each filter.
    #[serde(flatten)]
    pub comparison: Comparison,
}

impl ChainComparison {
    /// The maximum number of steps per second. Simulating more takes too long with all strategies.
    pub const MAX_STEPS: f64 = 1e5;

    /// Compares at a step rate. Without a choice, the display is the recorded one, or, if the trace has no display times, one with
    /// variable refresh that always keeps up.
    #[must_use]
    pub fn new(chain: &SwapChain, rate: Rate, choice: Option<DisplayChoice>) -> Self {
        let timeline = Timeline::of(chain);
        let display = match choice {
            Some(choice) => choice.name(),
            None if timeline.is_displayed() => "the recorded display".to_owned(),
            None => "a variable rate that always keeps up".to_owned(),
        };
        Self {
            chain: chain.name.to_string(),
            frames: timeline.frames.len(),
            display,
            comparison: Comparison::new(&timeline, rate, choice.map(DisplayChoice::simulated)),
        }
    }
}
