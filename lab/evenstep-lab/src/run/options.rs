//! The options of a run, in the library's own types.

use std::time::Duration;

use clap::ValueEnum;
use evenstep::{FixedTimestep, Rate, Smoothing, TimeScale};
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
            Stepping::Fixed | Stepping::All => Timestep::fixed(self.build_fixed_timestep()),
            Stepping::Variable => Timestep::variable(),
            Stepping::Locked => Timestep::locked(self.rate),
            Stepping::SemiFixed => Timestep::semi_fixed(self.rate),
        }
        .with_max_delta(self.max_delta);
        timestep.set_time_scale(self.time_scale);
        timestep
    }

    /// Creates a timestep for fixed steps.
    pub(crate) fn build_fixed_timestep(&self) -> FixedTimestep {
        let mut timestep = FixedTimestep::new(self.rate)
            .with_max_delta(self.max_delta)
            .with_time_scale(self.time_scale);
        timestep.set_max_steps(self.max_steps);
        timestep
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
