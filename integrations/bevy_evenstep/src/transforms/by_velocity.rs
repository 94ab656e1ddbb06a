//! Extrapolation and Hermite curves, by the velocities of entities.

use bevy_ecs::change_detection::{DetectChanges, Ref, Tick};
use bevy_ecs::entity::Entity;
use bevy_ecs::hierarchy::{ChildOf, Children};
use bevy_ecs::lifecycle::RemovedComponents;
use bevy_ecs::query::{Has, Or, QueryData, QueryItem, With, Without};
use bevy_ecs::system::{Query, Res, ResMut, SystemChangeTick};
use bevy_transform::components::{GlobalTransform, Transform};
use core::slice;
use evenstep::poses::{Motion3, Pose3};
use evenstep::{Smoothed, Smoothing};

use super::components::{NoTransformEasing, Teleport, TransformExtrapolation, TransformHermite, TransformVelocity};
use super::globals::{Globals, Pass};
use super::motion::{Motion, Motions};
use super::pose::{self, pose, shifted};
use super::teleports::Orphans;
use crate::timestep::Timestep;

/// The entities that are drawn by their velocity.
type Moving = (
    Or<(With<TransformExtrapolation>, With<TransformHermite>)>,
    Without<NoTransformEasing>,
);

/// The simulated and the drawn pose of an entity, and whether it is part of a hierarchy.
pub(super) type PoseQuery = (
    Ref<'static, Transform>,
    &'static mut GlobalTransform,
    Has<ChildOf>,
    Has<Children>,
);

/// The components that mark an entity as teleporting in a step.
#[derive(QueryData)]
pub(super) struct Marks {
    pub(super) entity: Entity,
    teleport: Ref<'static, Teleport>,
    parent: Option<Ref<'static, ChildOf>>,
}

impl MarksItem<'_, '_> {
    /// Whether it has teleported since. A new entity had no parent before.
    fn is_teleport(&self, orphans: &Orphans, is_new: bool, since: Tick, now: Tick) -> bool {
        let parent = self
            .parent
            .as_ref()
            .filter(|_| !is_new)
            .map(|parent| parent.last_changed());
        let teleport = [self.teleport.added(), self.teleport.last_changed()];
        orphans.is_teleport(self.entity, teleport, parent, [since, now])
    }

    /// Whether it was marked since, after it came into being.
    pub(super) fn is_marked(&self, since: Tick, now: Tick) -> bool {
        let marked = self.teleport.last_changed();
        marked != self.teleport.added() && marked.is_newer_than(since, now)
    }

    pub(super) fn parent(&self) -> Option<Entity> {
        self.parent.as_ref().map(|parent| parent.parent())
    }
}

fn state(transform: &Transform, velocity: TransformVelocity) -> Motion3 {
    Motion3 {
        pose: pose(transform),
        velocity: velocity.linear.to_array(),
        angular_velocity: velocity.angular.to_array(),
    }
}

/// Stores the states of new entities, and of those that were written since the last step: the states before this step.
pub(super) fn begin_step(mut query: Query<(&Transform, &mut Motion, &TransformVelocity), Moving>) {
    for (transform, mut motion, velocity) in &mut query {
        let state = state(transform, *velocity);
        motion.is_new |= motion.states.is_none();
        let states = motion.states.get_or_insert_with(|| Smoothed::new(state));
        *states.current_mut() = state;
        states.begin_step();
    }
}

/// Captures the states that the step led to.
pub(super) fn end_step(
    mut motions: ResMut<Motions>,
    mut query: Query<(&Transform, &mut Motion, &TransformVelocity, Marks), Moving>,
    orphans: RemovedComponents<ChildOf>,
    ticks: SystemChangeTick,
) {
    let (now, orphans) = (ticks.this_run(), Orphans::read(orphans));
    for (transform, mut motion, velocity, marks) in &mut query {
        let (state, is_new) = (state(transform, *velocity), motion.is_new);
        let Some(states) = &mut motion.states else {
            (motion.states, motion.is_new) = (Some(Smoothed::new(state)), true);
            continue;
        };
        states.set(state);
        if marks.is_teleport(&orphans, is_new, motions.captured, now) {
            states.teleport();
        }
        motion.is_new = false;
    }
    motions.captured = now;
}

/// Draws entities that moved in the last step.
pub(super) fn draw(
    mut motions: ResMut<Motions>,
    mut globals: ResMut<Globals>,
    timestep: Res<Timestep>,
    mut query: Query<(PoseQuery, &mut Motion, Option<&TransformExtrapolation>, Marks), Moving>,
    orphans: RemovedComponents<ChildOf>,
    ticks: SystemChangeTick,
) {
    let (now, orphans) = (ticks.this_run(), Orphans::read(orphans));
    let (pass, captured) = (globals.pass(motions.drawn, now), motions.captured);
    let dt = timestep.rate().period_secs_f64();
    for (place, mut motion, extrapolation, marks) in &mut query {
        let Some(states) = &mut motion.states else { continue };
        let (from, to) = (states.current().pose, pose(&place.0));
        if from != to && marks.is_teleport(&orphans, false, captured, now) {
            *states = Smoothed::new(Motion3 {
                pose: to,
                ..*states.current()
            });
        } else if from != to {
            states.shift(|state| state.pose = shifted(&state.pose, &from, &to));
        }
        let smoothing = match extrapolation {
            // An entity that did not move is drawn where it is, whatever its velocity.
            _ if states.previous().pose == states.current().pose => {
                motion.is_drawn = false;
                continue;
            }
            Some(ahead) => Smoothing::Extrapolate { horizon: ahead.horizon },
            None => Smoothing::Hermite,
        };
        draw_at(
            &states.drawn(smoothing, pass.alpha, dt).pose,
            marks.entity,
            place,
            pass,
            &mut globals,
        );
        motion.is_drawn = true;
    }
    motions.drawn = now;
}

/// Draws an entity at a pose, unless that has been done in this pass and nothing was written since.
pub(super) fn draw_at(
    pose: &Pose3,
    entity: Entity,
    (transform, mut global, has_parent, has_children): QueryItem<PoseQuery>,
    pass: Pass,
    globals: &mut Globals,
) {
    let is_in_tree = has_parent || has_children;
    let changed = [global.last_changed(), transform.last_changed()];
    if !is_in_tree && pass.is_done(slice::from_ref(&changed[0]), slice::from_ref(&changed[1])) {
        return;
    }
    let drawn = pose::transform(pose, transform.scale);
    if is_in_tree {
        globals.trees.insert(entity, drawn);
    } else {
        *global = pose::global(&drawn);
    }
}

/// Draws entities that moved in the last step where they are in truth.
pub(super) fn show_truth(mut globals: ResMut<Globals>, mut query: Query<(PoseQuery, &mut Motion, Marks)>) {
    for ((transform, mut global, has_parent, has_children), mut motion, marks) in &mut query {
        if !core::mem::take(&mut motion.is_drawn) {
            continue;
        }
        if has_parent || has_children {
            globals.trees.insert(marks.entity, *transform);
        } else {
            *global = pose::global(&transform);
        }
    }
}
