//! The systems that capture poses around each step and interpolate them.

use bevy_ecs::change_detection::Tick;
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::lifecycle::RemovedComponents;
use bevy_ecs::system::{Query, ResMut, SystemChangeTick};

use super::bodies::Bodies;
use super::globals::Globals;
use super::rows::{Rows, all_newer, any_newer};
use super::tables::{Interpolated, Item, for_each_of, for_each_run, for_each_table};
use super::teleports::Orphans;

/// Stores the states of new entities, and of those that were written since the last step: the states before this step.
pub(super) fn begin_step(mut bodies: ResMut<Bodies>, mut query: Query<Item, Interpolated>, ticks: SystemChangeTick) {
    let (bodies, now) = (&mut *bodies, ticks.this_run());
    take_in(bodies, &mut query, now);
    for_each_run(&mut query, bodies.captured, now, |first, rows| {
        bodies.take_over(first, &rows);
    });
    if bodies.are_scattered() {
        bodies.gather(|visit| {
            for_each_table(&mut query, |rows| {
                rows.slots.iter_mut().for_each(&mut *visit);
            });
        });
    }
    bodies.begin_step();
    bodies.begun = now;
}

/// Captures the poses of entities that moved in the step.
pub(super) fn end_step(
    mut bodies: ResMut<Bodies>,
    mut query: Query<Item, Interpolated>,
    orphans: RemovedComponents<ChildOf>,
    ticks: SystemChangeTick,
) {
    let (bodies, now, orphans) = (&mut *bodies, ticks.this_run(), Orphans::read(orphans));
    take_in(bodies, &mut query, now);
    let (begun, captured) = (bodies.begun, bodies.captured);
    for_each_run(&mut query, begun, now, |first, rows| {
        bodies.order.count(rows.entities.len());
        if !may_teleport(&rows, &orphans, captured, now) && all_newer(rows.changed, begun, now) {
            bodies.end_step_of_run(first, &rows);
            return;
        }
        for row in 0..rows.entities.len() {
            if rows.changed[row].is_newer_than(begun, now) {
                let is_new = rows.slots_changed[row].is_newer_than(captured, now);
                let has_teleported = rows.is_teleport(row, is_new, &orphans, [captured, now]);
                bodies.end_step_of(first + row, rows.entities[row], &rows.transforms[row], has_teleported);
            }
        }
    });
    bodies.captured = now;
}

fn may_teleport(rows: &Rows, orphans: &Orphans, since: Tick, now: Tick) -> bool {
    any_newer(rows.teleports, since, now)
        || rows.parents.is_some_and(|parents| any_newer(parents, since, now))
        || !orphans.is_empty()
}

/// Draws entities that moved in the last step.
pub(super) fn draw(
    mut bodies: ResMut<Bodies>,
    mut globals: ResMut<Globals>,
    mut query: Query<Item, Interpolated>,
    orphans: RemovedComponents<ChildOf>,
    ticks: SystemChangeTick,
) {
    let (bodies, globals, now, orphans) = (&mut *bodies, &mut *globals, ticks.this_run(), Orphans::read(orphans));
    let pass = globals.pass(bodies.drawn, now);
    for_each_moving(bodies, &mut query, now, |bodies, first, rows| {
        bodies.draw(first, rows, pass, &orphans, globals);
    });
    bodies.drawn = now;
}

/// Draws entities that moved in the last step where they are in truth.
pub(super) fn show_truth(
    mut bodies: ResMut<Bodies>,
    mut globals: ResMut<Globals>,
    mut query: Query<Item, Interpolated>,
    ticks: SystemChangeTick,
) {
    let (globals, now) = (&mut *globals, ticks.this_run());
    for_each_moving(&mut bodies, &mut query, now, |bodies, first, rows| {
        bodies.show_truth(first, rows, now, globals);
    });
}

/// Visits all entities that moved in the last step, and possibly others.
fn for_each_moving(
    bodies: &mut Bodies,
    query: &mut Query<Item, Interpolated>,
    now: Tick,
    mut visit: impl FnMut(&mut Bodies, usize, Rows),
) {
    if !bodies.moving.is_any() {
        return;
    }
    if let Some(entities) = bodies.moving.take_list() {
        for_each_of(query, &entities, |index, row| visit(bodies, index, row));
        bodies.moving.put_back(entities);
    } else {
        // Entities that moved in the step were written since it began.
        for_each_run(query, bodies.begun, now, |first, rows| visit(bodies, first, rows));
    }
}

/// Gives slots to new entities, in the order in which they are stored.
fn take_in(bodies: &mut Bodies, query: &mut Query<Item, Interpolated>, now: Tick) {
    if !core::mem::take(&mut bodies.has_arrivals) {
        return;
    }
    for_each_table(query, |rows| {
        let places = rows.slots.iter_mut().zip(rows.slots_changed);
        for ((slot, changed), transform) in places.zip(rows.transforms) {
            if slot.index().is_none() {
                (*slot, *changed) = (bodies.add(transform), now);
            }
        }
    });
}
