//! Interpolation between the steps of a schedule that has a rate of its own.

use bevy_ecs::change_detection::Tick as ChangeTick;
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::query::Without;
use bevy_ecs::schedule::InternedScheduleLabel;
use bevy_ecs::system::{In, Query, Res, ResMut, SystemChangeTick};
use bevy_ecs::world::World;
use bevy_transform::components::Transform;
use evenstep::poses::Pose3;
use evenstep::{Blend, Rate, Tick};

use super::by_velocity::{Marks, MarksItem, Place, draw_at};
use super::components::{NoTransformEasing, RateInterpolation};
use super::globals::Globals;
use super::motion::{Motion, Motions};
use super::pose::{pose, shifted};
use crate::rates::Rates;
use crate::resources::LastFrame;

/// The states after the last steps of an entity's schedule, oldest first.
///
/// Three of them: a step of `FixedMain` runs the steps of other rates that end within it before all of its time is drawn, so the state
/// before the last two is drawn for up to a step of `FixedMain`.
#[derive(Component, Clone, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(super) struct RateStates {
    states: Vec<State>,
    /// When the last step was captured.
    captured: ChangeTick,
    /// Its parent then.
    parent: Option<Entity>,
}

/// The state at a number of periods after the beginning.
#[derive(Clone, Copy, Debug)]
struct State {
    periods: u64,
    pose: Pose3,
    is_teleport: bool,
}

const KEPT: usize = 3;

impl RateStates {
    /// Forgets states of this time and later ones, which are simulated again.
    fn push(&mut self, state: State) {
        self.states.retain(|kept| kept.periods < state.periods);
        if self.states.len() == KEPT {
            self.states.remove(0);
        }
        self.states.push(state);
    }

    /// Takes the state before a step, which may have been written since the last one.
    fn begin(&mut self, state: State, parent: Option<Entity>) {
        self.states.retain(|kept| kept.periods <= state.periods);
        let is_written = self.states.last().is_some_and(|newest| newest.pose != state.pose);
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

    /// Whether the entity was marked, or came to another parent, since the last step.
    fn is_teleport(&self, marks: &MarksItem, now: ChangeTick) -> bool {
        marks.is_marked(self.captured, now) || marks.parent() != self.parent
    }

    /// Offsets all states, so that the newest one is at `to`.
    fn shift(&mut self, to: &Pose3) {
        if let Some(newest) = self.states.last().map(|state| state.pose) {
            for state in &mut self.states {
                state.pose = shifted(&state.pose, &newest, to);
            }
        }
    }

    /// The pose at a number of periods after the beginning; none if all states are equal.
    fn at(&self, periods: f64) -> Option<Pose3> {
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

/// Runs a step of a schedule, and captures the states before and after it.
pub(crate) fn capture_around(
    world: &mut World,
    label: InternedScheduleLabel,
    tick: Tick,
    run: impl FnOnce(&mut World),
) {
    // The system takes no parameters that could be missing.
    let _ = world.run_system_cached_with(capture, (label, tick, Moment::Begin));
    run(world);
    let _ = world.run_system_cached_with(capture, (label, tick.saturating_add(1), Moment::End));
}

/// When the states of a step are captured.
#[derive(Clone, Copy, PartialEq)]
enum Moment {
    Begin,
    End,
}

fn capture(
    In((label, periods, moment)): In<(InternedScheduleLabel, u64, Moment)>,
    mut query: Query<(&Transform, &RateInterpolation, &mut RateStates, Marks)>,
    ticks: SystemChangeTick,
) {
    let now = ticks.this_run();
    for (transform, rate, mut states, marks) in &mut query {
        if rate.label() != label {
            continue;
        }
        let (pose, is_teleport) = (pose(transform), states.is_teleport(&marks, now));
        let state = State {
            periods,
            pose,
            is_teleport,
        };
        if moment == Moment::Begin {
            states.begin(state, marks.parent());
        } else {
            states.push(state);
            (states.captured, states.parent) = (now, marks.parent());
        }
    }
}

/// Draws entities between the steps of their rates.
pub(super) fn draw(
    (mut globals, motions): (ResMut<Globals>, Res<Motions>),
    (frame, rates): (Res<LastFrame>, Option<Res<Rates>>),
    mut query: Query<(Place, &mut Motion, &RateInterpolation, &RateStates, Marks), Without<NoTransformEasing>>,
    ticks: SystemChangeTick,
) {
    let Some(rates) = rates else { return };
    let now = ticks.this_run();
    let pass = globals.pass(motions.drawn, now);
    let seconds = frame.drawn_time().as_secs_f64();
    for (place, mut motion, interpolation, states, marks) in &mut query {
        let newest = states.states.last().map(|state| state.pose);
        let drawn = rates
            .rate(interpolation.label())
            .and_then(|rate| drawn(states, seconds, rate));
        let (Some(newest), Some(mut drawn)) = (newest, drawn) else {
            motion.is_drawn = false;
            continue;
        };
        let to = pose(&place.0);
        if newest != to {
            if states.is_teleport(&marks, now) {
                drawn = to;
            } else {
                drawn = shifted(&drawn, &newest, &to);
            }
        }
        draw_at(&drawn, marks.entity, place, pass, &mut globals);
        motion.is_drawn = true;
    }
}

/// A period of the rate before the drawn time, because the state after a step is only known at its end.
fn drawn(states: &RateStates, seconds: f64, rate: Rate) -> Option<Pose3> {
    states.at(seconds * rate.as_hz_f64() - 1.0)
}
