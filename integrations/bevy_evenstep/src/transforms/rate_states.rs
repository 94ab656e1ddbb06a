//! The last states of an entity that is interpolated between the steps of a schedule with a rate of its own.

use bevy_ecs::change_detection::Tick as ChangeTick;
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use evenstep::poses::Pose3;
use evenstep::{Blend, Rate};

use super::pose::shifted;

/// The states after the last steps of an entity's schedule, oldest first.
///
/// Three of them: a step of `FixedMain` runs the steps of other rates that end within it before all of its time is drawn, so the state
/// before the last two is drawn for up to a step of `FixedMain`.
#[derive(Component, Clone, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(super) struct RateStates {
    states: Vec<State>,
    /// When the last step was captured.
    pub(super) captured: ChangeTick,
    /// Its parent then.
    pub(super) parent: Option<Entity>,
    /// The rate of its schedule.
    pub(super) rate: Option<Rate>,
}

/// The state at a number of periods after the beginning.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) periods: u64,
    pub(super) pose: Pose3,
    pub(super) is_teleport: bool,
}

const KEPT: usize = 3;

impl RateStates {
    /// Forgets states of this time and later ones, which are simulated again.
    pub(super) fn push(&mut self, state: State) {
        self.states.retain(|kept| kept.periods < state.periods);
        if self.states.len() == KEPT {
            self.states.remove(0);
        }
        self.states.push(state);
    }

    /// Takes the state before a step, which may have been written since the last one.
    pub(super) fn begin(&mut self, state: State, parent: Option<Entity>) {
        self.states.retain(|kept| kept.periods <= state.periods);
        let is_written = self.newest().is_some_and(|newest| newest != state.pose);
        if parent != self.parent || (is_written && state.is_teleport) {
            self.states.clear();
        } else if is_written {
            self.shift(&state.pose);
        }
        if self.states.is_empty() {
            self.push(State {
                is_teleport: false,
                ..state
            });
        }
        self.parent = parent;
    }

    pub(super) fn newest(&self) -> Option<Pose3> {
        self.states.last().map(|state| state.pose)
    }

    /// Offsets all states, so that the newest one is at `to`.
    fn shift(&mut self, to: &Pose3) {
        if let Some(newest) = self.newest() {
            for state in &mut self.states {
                state.pose = shifted(&state.pose, &newest, to);
            }
        }
    }

    /// The pose at a number of periods after the beginning; none if all states are equal.
    pub(super) fn at(&self, periods: f64) -> Option<Pose3> {
        let first = self.states.first()?;
        if self.states.iter().all(|state| state.pose == first.pose) {
            return None;
        }
        let next = self.states.iter().position(|state| state.periods as f64 > periods);
        Some(match next {
            None => self.states.last()?.pose,
            Some(0) => first.pose,
            Some(next) => {
                let (from, to) = (self.states[next - 1], self.states[next]);
                let passed = periods - from.periods as f64;
                if to.is_teleport && passed > 0.0 {
                    to.pose
                } else {
                    from.pose.blend(&to.pose, passed / (to.periods - from.periods) as f64)
                }
            }
        })
    }
}
