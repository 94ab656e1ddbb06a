//! The tables of interpolated entities.

use bevy_ecs::change_detection::{ContiguousMut, DetectChanges, DetectChangesMut, Ref, Tick};
use bevy_ecs::entity::Entity;
use bevy_ecs::hierarchy::{ChildOf, Children};
use bevy_ecs::query::{Has, QueryItem, With, Without};
use bevy_ecs::system::Query;
use bevy_transform::components::{GlobalTransform, Transform};
use core::slice;

use super::components::{NoTransformEasing, Teleport, TransformInterpolation};
use super::rows::Rows;
use super::slot::Slot;

/// The components of an interpolated entity.
pub(super) type Item = (
    Entity,
    Ref<'static, Transform>,
    &'static mut GlobalTransform,
    &'static mut Slot,
    Ref<'static, Teleport>,
    Option<Ref<'static, ChildOf>>,
    Has<Children>,
);

/// The entities that are interpolated.
pub(super) type Interpolated = (With<TransformInterpolation>, Without<NoTransformEasing>);

/// Visits all tables.
pub(super) fn for_each_table(query: &mut Query<Item, Interpolated>, mut visit: impl FnMut(Rows)) {
    if let Ok(tables) = query.contiguous_iter_mut() {
        for (entities, transforms, globals, slots, teleports, parents, have_children) in tables {
            let (globals, mut global_ticks) = ContiguousMut::bypass_change_detection_split(globals);
            let (slots, mut slot_ticks) = ContiguousMut::bypass_change_detection_split(slots);
            visit(Rows {
                entities,
                transforms: &transforms,
                changed: transforms.changed_ticks_slice(),
                globals,
                globals_changed: global_ticks.changed_mut(),
                slots,
                slots_changed: slot_ticks.changed_mut(),
                teleports_added: teleports.added_ticks_slice(),
                teleports: teleports.changed_ticks_slice(),
                parents: parents.as_ref().map(|parents| parents.changed_ticks_slice()),
                have_children,
            });
        }
        return;
    }
    // Where entities are disabled by a component in a sparse set, Bevy iterates over them one by one only.
    for item in query {
        as_row(item, &mut visit);
    }
}

/// Visits runs of rows with places, where anything was written since.
pub(super) fn for_each_run(
    query: &mut Query<Item, Interpolated>,
    since: Tick,
    now: Tick,
    mut visit: impl FnMut(usize, Rows),
) {
    for_each_table(query, |mut rows| rows.for_each_run(since, now, &mut visit));
}

/// Visits entities one by one, those of them that have places.
pub(super) fn for_each_of(
    query: &mut Query<Item, Interpolated>,
    entities: &[Entity],
    mut visit: impl FnMut(usize, Rows),
) {
    let mut items = query.iter_many_mut(entities);
    while let Some(item) = items.fetch_next() {
        if let Some(index) = item.3.index() {
            as_row(item, |row| visit(index, row));
        }
    }
}

/// One entity as a table of one row.
fn as_row(
    (entity, transform, mut global, mut slot, teleport, parent, have_children): QueryItem<Item>,
    visit: impl FnOnce(Rows),
) {
    let parent = parent.map(|parent| parent.last_changed());
    let (mut global_ticks, mut slot_ticks) = (global.last_changed(), slot.last_changed());
    visit(Rows {
        entities: slice::from_ref(&entity),
        transforms: slice::from_ref(&*transform),
        changed: slice::from_ref(&transform.last_changed()),
        globals: slice::from_mut(global.bypass_change_detection()),
        globals_changed: slice::from_mut(&mut global_ticks),
        slots: slice::from_mut(slot.bypass_change_detection()),
        slots_changed: slice::from_mut(&mut slot_ticks),
        teleports_added: slice::from_ref(&teleport.added()),
        teleports: slice::from_ref(&teleport.last_changed()),
        parents: parent.as_ref().map(slice::from_ref),
        have_children,
    });
    global.set_last_changed(global_ticks);
    slot.set_last_changed(slot_ticks);
}
