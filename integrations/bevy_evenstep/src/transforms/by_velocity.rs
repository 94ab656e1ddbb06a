use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::lifecycle::RemovedComponents;
use bevy_ecs::query::{Or, With, Without};
use bevy_ecs::system::{Query, Res, ResMut, SystemChangeTick};
use bevy_transform::components::Transform;
use evenstep::poses::Motion3;
use evenstep::{Smoothed, Smoothing};

use super::components::{NoTransformEasing, TransformExtrapolation, TransformHermite, TransformVelocity};
use super::jumps::{Marks, Orphans};
use super::motion::{Motion, Motions};
use super::ours::{pose, put};
use crate::news::LastFrame;
use crate::timestep::Timestep;

/// The entities that are drawn by their velocity.
type Moving = (
    Or<(With<TransformExtrapolation>, With<TransformHermite>)>,
    Without<NoTransformEasing>,
);

fn state(transform: &Transform, velocity: TransformVelocity) -> Motion3 {
    Motion3 {
        pose: pose(transform),
        velocity: velocity.linear.to_array(),
        angular_velocity: velocity.angular.to_array(),
    }
}

/// Puts transforms back to the truth, and takes in what is new or was written by others.
pub(super) fn show_truth(
    mut motions: ResMut<Motions>,
    mut query: Query<(&mut Transform, &mut Motion, &TransformVelocity), Moving>,
    ticks: SystemChangeTick,
) {
    let (ours, now) = (&mut motions.0, ticks.this_run());
    for (mut transform, mut motion, velocity) in &mut query {
        motion.adopt(&transform, ours.since, now);
        motion.is_new |= motion.states.is_none();
        let true_state = state(&transform, *velocity);
        let states = motion.states.get_or_insert_with(|| Smoothed::new(true_state));
        // What was written rested; from there it moves on.
        let current = states.current_mut();
        (current.velocity, current.angular_velocity) = (true_state.velocity, true_state.angular_velocity);
        let truth = current.pose;
        if ours.is_drawn() && truth != pose(&transform) {
            put(&truth, &mut transform);
        }
        motion.shown = truth;
    }
    ours.show_truth(now);
}

/// What was true is the state before the step.
pub(super) fn begin_step(mut query: Query<&mut Motion, Moving>) {
    for mut motion in &mut query {
        if let Some(states) = &mut motion.states {
            states.begin_step();
        }
    }
}

/// Captures the states that the step led to.
pub(super) fn end_step(
    mut motions: ResMut<Motions>,
    mut query: Query<(&Transform, &mut Motion, &TransformVelocity, Marks), Moving>,
    orphans: RemovedComponents<ChildOf>,
    ticks: SystemChangeTick,
) {
    let (ours, now, orphans) = (&mut motions.0, ticks.this_run(), Orphans::read(orphans));
    for (transform, mut motion, velocity, marks) in &mut query {
        let state = state(transform, *velocity);
        motion.shown = state.pose;
        let since = if motion.is_new { ours.since } else { ours.captured };
        let Some(states) = &mut motion.states else {
            (motion.states, motion.is_new) = (Some(Smoothed::new(state)), true);
            continue;
        };
        states.set(state);
        if marks.is_jump(&orphans, since, now) {
            states.teleport();
        }
        motion.is_new = false;
    }
    ours.end_step(now);
}

/// Writes what is to be drawn.
pub(super) fn draw(
    mut motions: ResMut<Motions>,
    frame: Res<LastFrame>,
    timestep: Res<Timestep>,
    mut query: Query<(&mut Transform, &mut Motion, Option<&TransformExtrapolation>), Moving>,
    ticks: SystemChangeTick,
) {
    let (ours, now, alpha) = (&mut motions.0, ticks.this_run(), frame.alpha());
    let dt = timestep.rate().period_secs_f64();
    for (mut transform, mut motion, extrapolation) in &mut query {
        motion.adopt(&transform, ours.since, now);
        let Some(states) = &motion.states else { continue };
        let smoothing = match extrapolation {
            // Who stayed where it was is drawn there, whatever its velocity.
            _ if states.previous().pose == states.current().pose => Smoothing::None,
            Some(ahead) => Smoothing::Extrapolate { horizon: ahead.horizon },
            None => Smoothing::Hermite,
        };
        let drawn = states.drawn(smoothing, alpha, dt).pose;
        if drawn != pose(&transform) {
            put(&drawn, &mut transform);
        }
        motion.shown = drawn;
    }
    ours.draw(now, alpha);
}
