//! The system sets of a frame and the schedules around a step.

use bevy_ecs::schedule::{ScheduleLabel, SystemSet};

/// The stages of the plugins within `RunFixedMainLoop`, in this order.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EvenstepSystems {
    /// The frame's steps are known: [`LastFrame`](crate::LastFrame) has them.
    Grant,
    /// Between the two: systems that depend on the granted steps, such as input.
    Granted,
    /// The steps run, by an [`ExactLoopPlugin`](crate::ExactLoopPlugin). Bevy's own loop is in `RunFixedMainLoopSystems::FixedMainLoop`.
    Run,
    /// `Transform` is set to the drawn pose, before all other systems in `RunFixedMainLoopSystems::AfterFixedMainLoop`.
    Ease,
}

/// Runs once in each step of a frame, before all else.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BeginStep;

/// Makes `Transform` the simulation's, before `FixedFirst` of every run of `FixedMain`.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Restore;

/// Keeps the states after a step, at the end of every run of `FixedMain`.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Keep;
