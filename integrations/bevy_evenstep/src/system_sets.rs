//! The system sets of a frame and of a step.

use bevy_ecs::schedule::{ScheduleLabel, SystemSet};

/// The stages of the plugin within `RunFixedMainLoop`, in this order.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EvenstepSystems {
    /// The frame's steps are granted: [`LastFrame`](crate::LastFrame) has them.
    Grant,
    /// Between the two: systems that depend on the granted steps, such as input.
    Granted,
    /// The steps run.
    Run,
    /// `GlobalTransform` is set to the drawn pose: after the loop, for systems in `Update`, and again in `PostUpdate`, after Bevy has
    /// propagated transforms and within its `TransformSystems::Propagate`.
    Draw,
}

/// Runs before the systems of a step.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BeforeStep;

/// Runs after the systems of a step.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AfterStep;

/// Draws entities between their states.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Draw;

/// Draws entities where they are in truth.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ShowTruth;

/// Propagates transforms, as Bevy does once a frame.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Propagate;
