use bevy_ecs::schedule::{ScheduleLabel, SystemSet};

/// What the plugin does within `RunFixedMainLoop`, in this order.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EvenstepSystems {
    /// The frame's steps are granted: [`LastFrame`](crate::LastFrame) has them.
    Grant,
    /// Between the two: what must know which steps will run, such as input.
    Granted,
    /// The steps run.
    Run,
    /// After the loop: transforms are set to what is to be drawn. Systems in `Update` see them.
    Draw,
}

/// What happens before a step's own systems.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct BeforeStep;

/// What happens after a step's own systems.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AfterStep;
