use bevy_ecs::change_detection::Tick;
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::lifecycle::RemovedComponents;
use bevy_ecs::system::{Query, Res, ResMut, SystemChangeTick};

use super::bodies::Bodies;
use super::jumps::Orphans;
use super::rows::{Rows, all_newer, any_newer};
use super::tables::{Interpolated, Item, for_each_of, for_each_run, for_each_table};
use crate::news::LastFrame;

/// Puts transforms back to the truth, and takes in what is new or was written by others.
pub(super) fn show_truth(mut bodies: ResMut<Bodies>, mut query: Query<Item, Interpolated>, ticks: SystemChangeTick) {
    let (bodies, now) = (&mut *bodies, ticks.this_run());
    take_in(bodies, &mut query, now);
    // What nobody has written since, neither we nor others, is true.
    for_each_run(&mut query, bodies.ours.captured, now, |first, rows| {
        bodies.show_truth(first, rows, now);
    });
    bodies.ours.show_truth(now);
}

/// What was true is the state before the step.
pub(super) fn begin_step(mut bodies: ResMut<Bodies>, mut query: Query<Item, Interpolated>) {
    if bodies.are_scattered() {
        bodies.gather(|visit| {
            for_each_table(&mut query, |rows| {
                rows.slots.iter_mut().for_each(&mut *visit);
            });
        });
    }
    bodies.begin_step();
}

/// Captures what moved in the step.
pub(super) fn end_step(
    mut bodies: ResMut<Bodies>,
    mut query: Query<Item, Interpolated>,
    orphans: RemovedComponents<ChildOf>,
    ticks: SystemChangeTick,
) {
    let (bodies, now, orphans) = (&mut *bodies, ticks.this_run(), Orphans::read(orphans));
    take_in(bodies, &mut query, now);
    let (begun, captured) = (bodies.ours.since, bodies.ours.captured);
    for_each_run(&mut query, begun, now, |first, rows| {
        bodies.order.count(rows.entities.len());
        if !may_jump(&rows, &orphans, captured, now) && all_newer(rows.changed, begun, now) {
            bodies.end_step_of_run(first, &rows);
            return;
        }
        for row in 0..rows.entities.len() {
            if rows.changed[row].is_newer_than(begun, now) {
                // Who came in before this step has not jumped since the last one.
                let is_new = rows.slots_changed[row].is_newer_than(captured, now);
                let since = if is_new { begun } else { captured };
                let parent = rows.parents.map(|parents| parents[row]);
                let has_jumped = orphans.is_jump(rows.entities[row], rows.teleports[row], parent, [since, now]);
                bodies.end_step_of(first + row, rows.entities[row], &rows.transforms[row], has_jumped);
            }
        }
    });
    bodies.ours.end_step(now);
}

fn may_jump(rows: &Rows, orphans: &Orphans, since: Tick, now: Tick) -> bool {
    any_newer(rows.teleports, since, now)
        || rows.parents.is_some_and(|parents| any_newer(parents, since, now))
        || !orphans.is_empty()
}

/// Writes what is to be drawn of entities that moved in the last step.
pub(super) fn draw(
    mut bodies: ResMut<Bodies>,
    frame: Res<LastFrame>,
    mut query: Query<Item, Interpolated>,
    ticks: SystemChangeTick,
) {
    if !bodies.moving.is_any() {
        return;
    }
    let (bodies, now, alpha) = (&mut *bodies, ticks.this_run(), frame.alpha());
    if let Some(entities) = bodies.moving.take_list() {
        for_each_of(&mut query, &entities, |index, row| bodies.draw(index, row, alpha, now));
        bodies.moving.put_back(entities);
    } else {
        for_each_run(&mut query, bodies.ours.begun, now, |first, rows| {
            bodies.draw(first, rows, alpha, now);
        });
    }
    bodies.ours.draw(now, alpha);
}

/// Gives places to those that have come, in the order in which they lie in memory.
fn take_in(bodies: &mut Bodies, query: &mut Query<Item, Interpolated>, now: Tick) {
    if !core::mem::take(&mut bodies.has_arrivals) {
        return;
    }
    for_each_table(query, |rows| {
        let places = rows.slots.iter_mut().zip(rows.slots_changed);
        for ((slot, changed), transform) in places.zip(&*rows.transforms) {
            if slot.index().is_none() {
                (*slot, *changed) = (bodies.add(transform), now);
            }
        }
    });
}
