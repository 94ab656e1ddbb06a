use bevy_ecs::change_detection::{DetectChanges, Mut, Ref, Tick};
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::lifecycle::RemovedComponents;
use bevy_ecs::query::{With, Without};
use bevy_ecs::system::{Query, Res, ResMut, SystemChangeTick};
use bevy_transform::components::Transform;

use super::bodies::{Bodies, Slot};
use super::components::{NoTransformEasing, TransformInterpolation};
use super::jumps::{Marks, Orphans};
use crate::news::LastFrame;

/// The entities that are interpolated.
type Interpolated = (With<TransformInterpolation>, Without<NoTransformEasing>);

/// One in so many must move for going through all of them to be faster than looking up those that do.
const WORTH_A_PASS: usize = 8;

/// Puts transforms back to the truth, and takes in what is new or was written by others.
pub(super) fn show_truth(
    mut bodies: ResMut<Bodies>,
    mut query: Query<(&mut Transform, &mut Slot), Interpolated>,
    ticks: SystemChangeTick,
) {
    let (bodies, now) = (&mut *bodies, ticks.this_run());
    let (is_drawn, captured) = (bodies.ours.is_drawn(), bodies.ours.captured);
    for (mut transform, mut slot) in &mut query {
        let Some(index) = slot.index() else {
            *slot = bodies.add(&transform);
            continue;
        };
        // What nobody has written since, neither we nor others, is true.
        if transform.last_changed().is_newer_than(captured, now) {
            bodies.adopt(index, &mut transform, now);
            if is_drawn && bodies.is_moving(index) {
                bodies.restore(index, &mut transform);
            }
        }
    }
    bodies.ours.show_truth(now);
}

/// What was true is the state before the step.
pub(super) fn begin_step(mut bodies: ResMut<Bodies>) {
    bodies.begin_step();
}

/// Captures what moved in the step.
pub(super) fn end_step(
    mut bodies: ResMut<Bodies>,
    mut query: Query<(Ref<Transform>, &mut Slot, Marks), Interpolated>,
    orphans: RemovedComponents<ChildOf>,
    ticks: SystemChangeTick,
) {
    let (bodies, now, orphans) = (&mut *bodies, ticks.this_run(), Orphans::read(orphans));
    let (begun, captured) = (bodies.ours.since, bodies.ours.captured);
    for (transform, mut slot, marks) in &mut query {
        if !transform.last_changed().is_newer_than(begun, now) {
            continue;
        }
        let Some(index) = slot.index() else {
            *slot = bodies.add(&transform);
            continue;
        };
        // Who came in before this step has not jumped since the last one.
        let is_new = slot.last_changed().is_newer_than(captured, now);
        let has_jumped = marks.is_jump(&orphans, if is_new { begun } else { captured }, now);
        bodies.end_step(marks.entity, index, &transform, has_jumped);
    }
    bodies.ours.end_step(now);
}

/// Writes what is to be drawn of entities that moved in the last step.
pub(super) fn draw(
    mut bodies: ResMut<Bodies>,
    frame: Res<LastFrame>,
    mut query: Query<(&mut Transform, &Slot), Interpolated>,
    ticks: SystemChangeTick,
) {
    if bodies.moving.is_empty() {
        return;
    }
    let (bodies, now, alpha) = (&mut *bodies, ticks.this_run(), frame.alpha());
    bodies.blend(alpha);
    if bodies.moving.len() * WORTH_A_PASS >= bodies.len() {
        for (transform, slot) in &mut query {
            draw_one(bodies, transform, *slot, alpha, now);
        }
    } else {
        let moving = core::mem::take(&mut bodies.moving);
        let mut entities = query.iter_many_mut(&moving);
        while let Some((transform, slot)) = entities.fetch_next() {
            draw_one(bodies, transform, *slot, alpha, now);
        }
        bodies.moving = moving;
    }
    bodies.ours.draw(now, alpha);
}

#[inline]
fn draw_one(bodies: &mut Bodies, mut transform: Mut<Transform>, slot: Slot, alpha: f64, now: Tick) {
    let Some(index) = slot.index().filter(|index| bodies.is_moving(*index)) else {
        return;
    };
    let is_newer = transform.last_changed().is_newer_than(bodies.ours.since, now);
    if is_newer && bodies.adopt(index, &mut transform, now) {
        if !bodies.is_moving(index) {
            return;
        }
        bodies.blend_one(index, alpha);
    }
    bodies.show(index, &mut transform, alpha);
}
