//! Tables of interpolated entities, in runs of neighbours whose states lie side by side as well.

use bevy_ecs::change_detection::{ContiguousMut, DetectChanges, DetectChangesMut, Ref, Tick};
use bevy_ecs::entity::Entity;
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::query::{QueryItem, With, Without};
use bevy_ecs::system::Query;
use bevy_transform::components::Transform;
use core::ops::Range;
use core::slice;

use super::components::{NoTransformEasing, Teleport, TransformInterpolation};
use super::slot::Slot;

/// What there is of an entity that is interpolated.
pub(super) type Item = (
    Entity,
    &'static mut Transform,
    &'static mut Slot,
    Ref<'static, Teleport>,
    Option<Ref<'static, ChildOf>>,
);

/// The entities that are interpolated.
pub(super) type Interpolated = (With<TransformInterpolation>, Without<NoTransformEasing>);

/// The most rows of a run: as many bodies as are blended at once.
pub(super) const RUN: usize = 32;

/// Neighbouring rows of a table.
pub(super) struct Rows<'a> {
    pub(super) entities: &'a [Entity],
    pub(super) transforms: &'a mut [Transform],
    /// When the transforms were written last. Who writes to them writes here as well.
    pub(super) changed: &'a mut [Tick],
    pub(super) slots: &'a mut [Slot],
    pub(super) slots_changed: &'a mut [Tick],
    pub(super) teleports: &'a [Tick],
    /// When they came to their parents, if they have any.
    pub(super) parents: Option<&'a [Tick]>,
}

impl Rows<'_> {
    fn part(&mut self, rows: Range<usize>) -> Rows<'_> {
        Rows {
            entities: &self.entities[rows.clone()],
            transforms: &mut self.transforms[rows.clone()],
            changed: &mut self.changed[rows.clone()],
            slots: &mut self.slots[rows.clone()],
            slots_changed: &mut self.slots_changed[rows.clone()],
            teleports: &self.teleports[rows.clone()],
            parents: self.parents.map(|parents| &parents[rows]),
        }
    }

    /// Visits runs of rows with places, where anything was written since. A look at 32 ticks passes over those that rest.
    fn for_each_run(&mut self, since: Tick, now: Tick, visit: &mut impl FnMut(usize, Rows)) {
        let rows = self.entities.len();
        // Places are taken in the order of rows: then a part is a block of states.
        let first = self.slots.first().and_then(|slot| slot.index()).unwrap_or(0);
        let (mut start, mut end) = (0, rows.min(RUN - first % RUN));
        while start < end {
            if any_newer(&self.changed[start..end], since, now) {
                let mut run = start;
                while run < end {
                    let count = neighbours(&self.slots[run..end]);
                    if let Some(index) = self.slots[run].index() {
                        visit(index, self.part(run..run + count));
                    }
                    run += count;
                }
            }
            (start, end) = (end, rows.min(end + RUN));
        }
    }
}

/// Visits all tables.
pub(super) fn for_each_table(query: &mut Query<Item, Interpolated>, mut visit: impl FnMut(Rows)) {
    if let Ok(tables) = query.contiguous_iter_mut() {
        for (entities, transforms, slots, teleports, parents) in tables {
            let (transforms, mut ticks) = ContiguousMut::bypass_change_detection_split(transforms);
            let (slots, mut slot_ticks) = ContiguousMut::bypass_change_detection_split(slots);
            visit(Rows {
                entities,
                transforms,
                changed: ticks.changed_mut(),
                slots,
                slots_changed: slot_ticks.changed_mut(),
                teleports: teleports.changed_ticks_slice(),
                parents: parents.as_ref().map(|parents| parents.changed_ticks_slice()),
            });
        }
        return;
    }
    // Where entities are disabled by a component in a sparse set, Bevy hands them out one by one only.
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
        if let Some(index) = item.2.index() {
            as_row(item, |row| visit(index, row));
        }
    }
}

/// One entity as a table of one row.
fn as_row((entity, mut transform, mut slot, teleport, parent): QueryItem<Item>, visit: impl FnOnce(Rows)) {
    let parent = parent.map(|parent| parent.last_changed());
    let (mut ticks, mut slot_ticks) = (transform.last_changed(), slot.last_changed());
    visit(Rows {
        entities: slice::from_ref(&entity),
        transforms: slice::from_mut(transform.bypass_change_detection()),
        changed: slice::from_mut(&mut ticks),
        slots: slice::from_mut(slot.bypass_change_detection()),
        slots_changed: slice::from_mut(&mut slot_ticks),
        teleports: slice::from_ref(&teleport.last_changed()),
        parents: parent.as_ref().map(slice::from_ref),
    });
    transform.set_last_changed(ticks);
    slot.set_last_changed(slot_ticks);
}

/// How many of the first rows are neighbours in a block of states as well. Those without places are alone.
#[inline]
fn neighbours(slots: &[Slot]) -> usize {
    let Some(first) = slots.first().and_then(|slot| slot.index()) else {
        return 1;
    };
    let within_block = &slots[..slots.len().min(RUN - first % RUN)];
    let follow = |(place, slot): (usize, &Slot)| *slot == Slot::new(first + place);
    // Without a way out, many are compared at once.
    let all = within_block
        .iter()
        .enumerate()
        .fold(true, |all, pair| all & follow(pair));
    if all {
        within_block.len()
    } else {
        within_block.iter().enumerate().take_while(|pair| follow(*pair)).count()
    }
}

/// Whether any is newer than another one, as [`Tick::is_newer_than`] counts; many at once.
#[inline]
pub(super) fn any_newer(ticks: &[Tick], since: Tick, now: Tick) -> bool {
    let age = age(since, now);
    ticks
        .iter()
        .fold(false, |any, tick| any | (now.get().wrapping_sub(tick.get()) < age))
}

/// Whether all are.
#[inline]
pub(super) fn all_newer(ticks: &[Tick], since: Tick, now: Tick) -> bool {
    let age = age(since, now);
    ticks
        .iter()
        .fold(true, |all, tick| all & (now.get().wrapping_sub(tick.get()) < age))
}

fn age(since: Tick, now: Tick) -> u32 {
    now.get().wrapping_sub(since.get()).min(Tick::MAX.get())
}
