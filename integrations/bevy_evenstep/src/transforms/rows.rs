//! Rows of Bevy's tables, in runs of neighbours whose states lie side by side as well.

use bevy_ecs::change_detection::Tick;
use bevy_ecs::entity::Entity;
use bevy_transform::components::{GlobalTransform, Transform};
use core::ops::Range;

use super::slot::Slot;
use super::teleports::Orphans;

/// The most rows of a run: as many bodies as are blended at once.
pub(super) const RUN: usize = 32;

/// Neighbouring rows of a table.
pub(super) struct Rows<'a> {
    pub(super) entities: &'a [Entity],
    pub(super) transforms: &'a [Transform],
    /// When the transforms were written last.
    pub(super) changed: &'a [Tick],
    /// Where they are drawn.
    pub(super) globals: &'a mut [GlobalTransform],
    /// When that was written last. Code that writes to them writes here as well.
    pub(super) globals_changed: &'a mut [Tick],
    pub(super) slots: &'a mut [Slot],
    pub(super) slots_changed: &'a mut [Tick],
    pub(super) teleports_added: &'a [Tick],
    /// When they were marked last, or added.
    pub(super) teleports: &'a [Tick],
    /// When they came to their parents, if they have any.
    pub(super) parents: Option<&'a [Tick]>,
    pub(super) have_children: bool,
}

impl Rows<'_> {
    fn part(&mut self, rows: Range<usize>) -> Rows<'_> {
        Rows {
            entities: &self.entities[rows.clone()],
            transforms: &self.transforms[rows.clone()],
            changed: &self.changed[rows.clone()],
            globals: &mut self.globals[rows.clone()],
            globals_changed: &mut self.globals_changed[rows.clone()],
            slots: &mut self.slots[rows.clone()],
            slots_changed: &mut self.slots_changed[rows.clone()],
            teleports_added: &self.teleports_added[rows.clone()],
            teleports: &self.teleports[rows.clone()],
            parents: self.parents.map(|parents| &parents[rows]),
            have_children: self.have_children,
        }
    }

    /// Whether one of them has teleported since, or has another parent.
    pub(super) fn is_teleport(&self, row: usize, is_new: bool, orphans: &Orphans, since: [Tick; 2]) -> bool {
        let parent = self.parents.filter(|_| !is_new).map(|parents| parents[row]);
        let teleport = [self.teleports_added[row], self.teleports[row]];
        orphans.is_teleport(self.entities[row], teleport, parent, since)
    }

    /// Whether they have parents or children.
    pub(super) fn are_in_trees(&self) -> bool {
        self.have_children || self.parents.is_some()
    }

    /// Visits runs of rows with slots in which anything was written since. A comparison of 32 ticks skips rows at rest.
    pub(super) fn for_each_run(&mut self, since: Tick, now: Tick, visit: &mut impl FnMut(usize, Rows)) {
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
