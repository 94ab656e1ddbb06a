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
    /// Whether it has jumped since.
    pub(super) fn is_jump(&self, orphans: &Orphans, since: Tick, now: Tick) -> bool {
        let parent = self.parent.as_ref().map(|parent| parent.last_changed());
        orphans.is_jump(self.entity, self.teleport.last_changed(), parent, [since, now])
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

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether an entity has jumped since, or come into the space of another parent, or of none.
    pub(super) fn is_jump(
        &self,
        entity: Entity,
        teleport: Tick,
        parent: Option<Tick>,
        [since, now]: [Tick; 2],
    ) -> bool {
        let is_new = |changed: Tick| changed.is_newer_than(since, now);
        is_new(teleport) || parent.is_some_and(is_new) || self.0.binary_search(&entity).is_ok()
    }
}
