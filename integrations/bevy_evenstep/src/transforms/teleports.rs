//! Entities that teleport because they lost their parent.

use bevy_ecs::change_detection::Tick;
use bevy_ecs::entity::Entity;
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::lifecycle::RemovedComponents;

/// The entities that have lost their parent in a step.
pub(super) struct Orphans(Vec<Entity>);

impl Orphans {
    pub(super) fn read(mut removed: RemovedComponents<ChildOf>) -> Self {
        let mut orphans: Vec<Entity> = removed.read().collect();
        orphans.sort_unstable();
        Self(orphans)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an entity was marked since, after it came into being, or has come into the space of another parent, or of none.
    pub(super) fn is_teleport(
        &self,
        entity: Entity,
        [added, marked]: [Tick; 2],
        parent: Option<Tick>,
        [since, now]: [Tick; 2],
    ) -> bool {
        let is_new = |changed: Tick| changed.is_newer_than(since, now);
        (marked != added && is_new(marked)) || parent.is_some_and(is_new) || self.0.binary_search(&entity).is_ok()
    }
}
