//! Choices that are named by a word, on the command line and in JSON.

use clap::ValueEnum;
use evenstep_trace::simulate::Filter;
use serde::Serialize;

/// How frames become steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Stepping {
    /// Equal steps, independent of the display.
    #[default]
    Fixed,
    /// One step a frame, as long as the frame.
    Variable,
    /// One equal step a frame.
    Locked,
    /// Equal steps, and a shorter step for the rest of the frame.
    SemiFixed,
}

/// How states are drawn between steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SmoothingChoice {
    /// The newest state.
    None,
    /// Between the last two states.
    #[default]
    Interpolate,
    /// Ahead of the newest state, for at most one step.
    Extrapolate,
    /// On a curve between the last two states.
    Hermite,
}

/// What happens to steps beyond the largest number in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum OverrunChoice {
    #[default]
    Drop,
    Carry,
    Stretch,
}

/// The filter that smooths frame times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FilterChoice {
    #[default]
    None,
    /// To multiples of the display's refresh interval, which is estimated.
    Snap,
    /// The mean of four frames.
    Average,
    /// To the display's fractional period and phase, which are estimated.
    DisplayClock,
}

impl From<FilterChoice> for Filter {
    fn from(choice: FilterChoice) -> Self {
        match choice {
            FilterChoice::None => Self::None,
            FilterChoice::Snap => Self::Snap,
            FilterChoice::Average => Self::Average,
            FilterChoice::DisplayClock => Self::DisplayClock,
        }
    }
}
