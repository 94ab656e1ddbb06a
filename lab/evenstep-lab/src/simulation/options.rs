//! The options of a run, in the library's own types.

use std::time::Duration;

use evenstep::compare::{Timestep, VariableTimestep};
use evenstep::filter::DeltaFilter;
use evenstep::{FixedTimestep, Overrun, Rate, Smoothing, TimeScale};
use evenstep_scenes::{Nudge, Recorder, Scene, SceneInfo, Settings};
use evenstep_trace::simulate::Filter;

use crate::scene_failure::of_scene;
use crate::simulation::choices::{FilterChoice, OverrunChoice, SmoothingChoice, Stepping};
use evenstep_cli::failure::Failure;

/// All options of a run except the source of its frames.
#[derive(Clone)]
pub(crate) struct Options {
    pub(crate) scene: &'static SceneInfo,
    pub(crate) settings: Settings,
    pub(crate) rate: Rate,
    pub(crate) stepping: Stepping,
    pub(crate) smoothing: SmoothingChoice,
    pub(crate) filter: FilterChoice,
    pub(crate) overrun: OverrunChoice,
    pub(crate) time_scale: TimeScale,
    pub(crate) pause: Option<Pause>,
    pub(crate) hash_at: Option<u64>,
    pub(crate) max_steps: Option<u32>,
    pub(crate) nudges: Vec<Nudge>,
    /// Whether a recording has a checkpoint after every tick.
    pub(crate) records: bool,
    pub(crate) max_delta: Duration,
}

/// An interval of real time in which the time scale is zero.
#[derive(Clone, Copy)]
pub(crate) struct Pause {
    pub(crate) start: Duration,
    pub(crate) end: Duration,
}

impl Pause {
    pub(crate) fn holds_at(self, elapsed: Duration) -> bool {
        (self.start..self.end).contains(&elapsed)
    }
}

impl Options {
    /// The same run with another way of stepping, and without smoothing, filter, time scale or pause.
    pub(crate) fn plainly(&self, stepping: Stepping, hash_at: Option<u64>) -> Self {
        Self {
            stepping,
            smoothing: SmoothingChoice::None,
            filter: FilterChoice::None,
            overrun: OverrunChoice::Drop,
            time_scale: TimeScale::NORMAL,
            pause: None,
            hash_at,
            records: false,
            max_steps: Some(u32::MAX),
            max_delta: FixedTimestep::DEFAULT_MAX_DELTA,
            ..self.clone()
        }
    }

    /// The recorder of a run. It also applies the inputs if nothing is recorded.
    pub(crate) fn build_recorder(&self) -> Recorder {
        let every = if self.records { 1 } else { u32::MAX };
        Recorder::new(self.scene, &self.settings, self.rate, every, self.nudges.clone())
    }

    /// Builds the scene.
    pub(crate) fn build_scene(&self) -> Result<Box<dyn Scene>, Failure> {
        self.scene.build(&self.settings).map_err(of_scene)
    }

    /// Creates the timestep.
    pub(crate) fn build_timestep(&self) -> Timestep {
        let variable = |mut timestep: VariableTimestep| {
            timestep.set_max_delta(self.max_delta);
            timestep.set_time_scale(self.time_scale);
            timestep.into()
        };
        match self.stepping {
            Stepping::Fixed => self.build_fixed_timestep().into(),
            Stepping::Variable => variable(VariableTimestep::new()),
            Stepping::Locked => variable(VariableTimestep::locked(self.rate)),
            Stepping::SemiFixed => variable(VariableTimestep::semi_fixed(self.rate)),
        }
    }

    /// Creates a timestep for fixed steps.
    pub(crate) fn build_fixed_timestep(&self) -> FixedTimestep {
        let mut timestep = FixedTimestep::new(self.rate)
            .with_max_delta(self.max_delta)
            .with_overrun(self.overrun())
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

    fn overrun(&self) -> Overrun {
        match self.overrun {
            OverrunChoice::Drop => Overrun::Drop,
            OverrunChoice::Carry => Overrun::Carry {
                max_backlog: Duration::from_millis(250),
            },
            OverrunChoice::Stretch => Overrun::Stretch {
                max_speed: TimeScale::new(3, 2).unwrap_or(TimeScale::NORMAL),
            },
        }
    }

    /// Creates the filter.
    pub(crate) fn build_filter(&self) -> Box<dyn DeltaFilter> {
        Filter::from(self.filter).build()
    }
}
