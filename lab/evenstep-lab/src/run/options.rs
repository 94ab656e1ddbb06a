//! The options of a run, in the library's own types.

use std::time::Duration;

use clap::ValueEnum;
use evenstep::{FixedTimestep, Rate, Smoothing, TimeScale};
use evenstep_scenes::loops::Loop;
use evenstep_scenes::stepping::Timestep;
use evenstep_scenes::{Scene, SceneError, SceneInfo, Settings};
use evenstep_trace::simulate::Filter;

use evenstep_cli::failure::Failure;

/// How frames become steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
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
    /// Each of them, fixed steps with and without interpolation: a table.
    All,
}

/// How states are drawn between steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
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

/// All options of a run except the source of its frames.
#[derive(Clone)]
pub(crate) struct Options {
    pub(crate) scene: &'static SceneInfo,
    pub(crate) settings: Settings,
    pub(crate) rate: Rate,
    pub(crate) stepping: Stepping,
    pub(crate) smoothing: SmoothingChoice,
    pub(crate) filter: Filter,
    pub(crate) time_scale: TimeScale,
    pub(crate) hash_at: Option<u64>,
    pub(crate) max_steps: Option<u32>,
    pub(crate) max_delta: Duration,
}

impl Options {
    /// Builds the scene.
    pub(crate) fn build_scene(&self) -> Result<Box<dyn Scene>, Failure> {
        self.scene.build(&self.settings).map_err(scene_failure)
    }

    /// Creates the timestep.
    pub(crate) fn build_timestep(&self) -> Timestep {
        let mut timestep = match self.stepping {
            Stepping::Fixed | Stepping::All => {
                let mut fixed = FixedTimestep::new(self.rate).with_max_delta(self.max_delta);
                fixed.set_max_steps(self.max_steps);
                Timestep::fixed(fixed)
            }
            Stepping::Variable => Timestep::variable(),
            Stepping::Locked => Timestep::locked(self.rate),
            Stepping::SemiFixed => Timestep::semi_fixed(self.rate),
        }
        .with_max_delta(self.max_delta);
        timestep.set_time_scale(self.time_scale);
        timestep
    }

    /// The options of each loop that is run.
    pub(crate) fn loops(&self) -> Vec<Self> {
        if self.stepping != Stepping::All {
            return vec![self.clone()];
        }
        let of = |(stepping, smoothing)| Self {
            stepping,
            smoothing,
            ..self.clone()
        };
        [
            (Stepping::Locked, SmoothingChoice::None),
            (Stepping::Variable, SmoothingChoice::None),
            (Stepping::SemiFixed, SmoothingChoice::None),
            (Stepping::Fixed, SmoothingChoice::None),
            (Stepping::Fixed, SmoothingChoice::Interpolate),
        ]
        .map(of)
        .to_vec()
    }

    /// The loop; one that draws in a further way has the faults of the interpolated one.
    pub(crate) fn kind(&self) -> Loop {
        match (self.stepping, self.smoothing) {
            (Stepping::Locked, _) => Loop::FixedDelta,
            (Stepping::Variable, _) => Loop::VariableDelta,
            (Stepping::SemiFixed, _) => Loop::SemiFixed,
            (_, SmoothingChoice::None) => Loop::Accumulator,
            _ => Loop::Interpolated,
        }
    }

    /// The loop in words.
    pub(crate) fn title(&self) -> &'static str {
        match self.smoothing {
            SmoothingChoice::Extrapolate => "fixed and extrapolated",
            SmoothingChoice::Hermite => "fixed, on Hermite curves",
            _ => self.kind().title(),
        }
    }

    /// How states are drawn.
    pub(crate) fn smoothing(&self) -> Smoothing {
        match self.smoothing {
            SmoothingChoice::None => Smoothing::None,
            SmoothingChoice::Interpolate => Smoothing::Interpolate,
            SmoothingChoice::Extrapolate => Smoothing::Extrapolate {
                horizon: Duration::from_nanos(self.rate.period_nanos()),
            },
            SmoothingChoice::Hermite => Smoothing::Hermite,
        }
    }
}

/// The error for a scene that cannot be built.
pub(crate) fn scene_failure(error: SceneError) -> Failure {
    match error {
        SceneError::Setting(error) => Failure::Usage(error.to_string()),
        SceneError::Charges(error) => Failure::Usage(format!("--set: {error}")),
        error => Failure::Run(error.to_string()),
    }
}
