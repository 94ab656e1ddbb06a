//! The command line of `run`, checked and made of the library's own types.

use std::time::Duration;

use evenstep::{DeltaFilter, FixedTimestep, Overrun, Rate, Smoothing, TimeScale, Timestep, VariableTimestep};
use evenstep_scenes::{Nudge, Recorder, Scene, SceneInfo, Settings};
use evenstep_trace::Filter;

use crate::cli::{FilterChoice, OverrunChoice, RunArgs, SmoothingChoice, Stepping};
use crate::failure::Failure;

/// Everything about a run but where its frames come from.
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
    /// Whether every state is marked for a recording.
    pub(crate) records: bool,
    max_delta: Duration,
}

/// A stretch of real time in which the time scale is zero.
#[derive(Clone, Copy)]
pub(crate) struct Pause {
    start: Duration,
    end: Duration,
}

impl Pause {
    pub(crate) fn holds_at(self, elapsed: Duration) -> bool {
        (self.start..self.end).contains(&elapsed)
    }
}

impl Options {
    /// Checks what `run` was told.
    pub(crate) fn check(args: &RunArgs) -> Result<Self, Failure> {
        let scene = SceneInfo::by_name(&args.scene).ok_or_else(|| {
            let name = &args.scene;
            Failure::Usage(format!("no scene is called {name}; evenstep scenes lists them"))
        })?;
        let mut settings = scene.settings();
        for assignment in &args.set {
            settings
                .set(assignment)
                .map_err(|error| Failure::Usage(format!("--set: {error}")))?;
        }
        if let Some(engine) = &args.engine {
            let set = settings.set(&format!("engine={engine}"));
            set.map_err(|error| Failure::Usage(format!("--engine: {error}")))?;
        }
        if args.hash_at.is_some_and(|tick| tick > 0) && args.time_scale.is_paused() {
            let reason = "--hash-at: with --time-scale 0 no tick is ever reached; give a scale above zero";
            return Err(Failure::Usage(reason.to_owned()));
        }
        if args.record.is_some() && args.stepping != Stepping::Fixed {
            let reason = "--record: only fixed steps can be replayed; leave --stepping out";
            return Err(Failure::Usage(reason.to_owned()));
        }
        let rate = args.rate.unwrap_or(scene.rate);
        Ok(Self {
            scene,
            settings,
            rate,
            stepping: args.stepping,
            // Steps that follow the display leave nothing to draw between.
            smoothing: match args.stepping {
                Stepping::Fixed => args.smoothing,
                _ => SmoothingChoice::None,
            },
            filter: args.filter,
            time_scale: args.time_scale,
            pause: args.pause_at.zip(args.pause_for).map(|(start, length)| Pause {
                start,
                end: start.saturating_add(length),
            }),
            hash_at: args.hash_at,
            max_steps: args.max_steps,
            nudges: args.nudge.clone(),
            records: args.record.is_some(),
            max_delta: args.max_delta,
            overrun: args.overrun,
        })
    }

    /// The same scene stepped so as nothing else in the options says.
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

    /// The recorder of a run; it has the inputs also where nothing is recorded.
    pub(crate) fn build_recorder(&self) -> Recorder {
        let every = if self.records { 1 } else { u32::MAX };
        Recorder::new(self.scene, &self.settings, self.rate, every, self.nudges.clone())
    }

    /// The scene at its start.
    pub(crate) fn build_scene(&self) -> Result<Box<dyn Scene>, Failure> {
        Ok(self.scene.build(&self.settings)?)
    }

    /// The timestep at its start.
    pub(crate) fn build_timestep(&self) -> Timestep {
        let variable = |timestep: VariableTimestep| {
            timestep
                .with_max_delta(self.max_delta)
                .with_time_scale(self.time_scale)
                .into()
        };
        match self.stepping {
            Stepping::Fixed => self.build_fixed_timestep().into(),
            Stepping::Variable => variable(VariableTimestep::new()),
            Stepping::Locked => variable(VariableTimestep::locked(self.rate)),
            Stepping::SemiFixed => variable(VariableTimestep::semi_fixed(self.rate)),
        }
    }

    /// A timestep for fixed steps, at its start.
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

    /// The filter at its start.
    pub(crate) fn build_filter(&self) -> Box<dyn DeltaFilter> {
        Filter::from(self.filter).build()
    }
}
