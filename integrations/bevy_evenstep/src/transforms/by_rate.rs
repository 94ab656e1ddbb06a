//! Interpolation between the steps of a schedule that has a rate of its own.

use bevy_ecs::change_detection::Tick as ChangeTick;
use bevy_ecs::query::{With, Without};
use bevy_ecs::schedule::InternedScheduleLabel;
use bevy_ecs::system::{In, Query, Res, ResMut, SystemChangeTick};
use bevy_ecs::world::World;
use bevy_transform::components::Transform;
use evenstep::poses::Pose3;
use evenstep::{Rate, Smoothing, Tick};

use super::by_velocity::{Marks, MarksItem, PoseQuery, draw_at};
use super::components::{NoTransformEasing, RateInterpolation};
use super::globals::Globals;
use super::motion::{Motion, Motions};
use super::pose::{pose, shifted};
use super::rate_states::{RateStates, State};
use crate::resources::LastFrame;

/// Runs a step of a schedule, and captures the states before and after it.
pub(crate) fn capture_around(
    world: &mut World,
    (label, rate): (InternedScheduleLabel, Rate),
    tick: Tick,
    run: impl FnOnce(&mut World),
) {
    // The system takes no parameters that could be missing.
    let _ = world.run_system_cached_with(capture, (label, rate, tick, Moment::Begin));
    run(world);
    let _ = world.run_system_cached_with(capture, (label, rate, tick.saturating_add(1), Moment::End));
}

/// When the states of a step are captured.
#[derive(Clone, Copy, PartialEq)]
enum Moment {
    Begin,
    End,
}

fn capture(
    In((label, rate, periods, moment)): In<(InternedScheduleLabel, Rate, u64, Moment)>,
    mut query: Query<(&Transform, &RateInterpolation, &mut RateStates, Marks)>,
    ticks: SystemChangeTick,
) {
    let now = ticks.this_run();
    for (transform, interpolation, mut states, marks) in &mut query {
        if interpolation.label() != label {
            continue;
        }
        states.rate = Some(rate);
        let (pose, is_teleport) = (pose(transform), is_teleport(&states, &marks, now));
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
    frame: Res<LastFrame>,
    mut query: Query<
        (PoseQuery, &mut Motion, &RateStates, Marks),
        (With<RateInterpolation>, Without<NoTransformEasing>),
    >,
    ticks: SystemChangeTick,
) {
    let now = ticks.this_run();
    let pass = globals.pass(motions.drawn, now);
    let seconds = frame.shown_time(Smoothing::Interpolate).as_secs_f64();
    for (place, mut motion, states, marks) in &mut query {
        let newest = states.newest();
        let drawn = states.rate.and_then(|rate| drawn(states, seconds, rate));
        let (Some(newest), Some(mut drawn)) = (newest, drawn) else {
            motion.is_drawn = false;
            continue;
        };
        let to = pose(&place.0);
        if newest != to {
            if is_teleport(states, &marks, now) {
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

/// Whether an entity was marked, or came to another parent, since the last step.
fn is_teleport(states: &RateStates, marks: &MarksItem, now: ChangeTick) -> bool {
    marks.is_marked(states.captured, now) || marks.parent() != states.parent
}
