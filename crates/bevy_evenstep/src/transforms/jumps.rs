use bevy_ecs::change_detection::{DetectChanges, Ref, Tick};
use bevy_ecs::entity::Entity;
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::lifecycle::RemovedComponents;
use bevy_ecs::query::QueryData;

use super::components::Teleport;

/// What says that an entity jumps in a step.
#[derive(QueryData)]
pub(super) struct Marks {
    pub(super) entity: Entity,
    teleport: Ref<'static, Teleport>,
    parent: Option<Ref<'static, ChildOf>>,
}

impl MarksItem<'_, '_> {
    /// Whether it has jumped since, or come into the space of another parent, or of none.
    pub(super) fn is_jump(&self, orphans: &Orphans, since: Tick, now: Tick) -> bool {
        let is_new = |changed: Tick| changed.is_newer_than(since, now);
        is_new(self.teleport.last_changed())
            || self.parent.as_ref().is_some_and(|parent| is_new(parent.last_changed()))
            || orphans.0.binary_search(&self.entity).is_ok()
    }
}

/// Those that have lost their parent in a step.
pub(super) struct Orphans(Vec<Entity>);

impl Orphans {
    pub(super) fn read(mut removed: RemovedComponents<ChildOf>) -> Self {
        let mut orphans: Vec<Entity> = removed.read().collect();
        orphans.sort_unstable();
        Self(orphans)
    }
}
