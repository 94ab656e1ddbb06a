//! The system sets of a frame and of a step.

use bevy_ecs::schedule::{ScheduleLabel, SystemSet};

/// What the plugin does within `RunFixedMainLoop`, in this order.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum EvenstepSystems {
    /// The frame's steps are granted: [`LastFrame`](crate::LastFrame) has them.
    Grant,
    /// Between the two: what must know which steps will run, such as input.
    Granted,
    /// The steps run.
    Run,
    /// `GlobalTransform` is set to what is drawn: after the loop, so that systems in `Update` see it, and again in `PostUpdate`, after Bevy
    /// has propagated transforms and within its `TransformSystems::Propagate`.
    Draw,
}

/// What happens before a step's own systems.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BeforeStep;

/// What happens after a step's own systems.
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
