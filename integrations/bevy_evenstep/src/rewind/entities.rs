//! Entities by numbers of their own.

use bevy_ecs::component::Component;
use bevy_ecs::entity::{Entity, EntityHashMap, EntityMapper};
use std::collections::BTreeMap;

/// Names an entity whose registered components are saved and restored, by a number of its own, such as a player's.
///
/// A restored world has an entity for each number that was saved. An entity that has been despawned since is spawned again as another `Entity`:
/// saved data must refer to it by this number, by a registered [relationship](super::RewindPlugin::relationship), or by fields that Bevy maps
/// (`#[entities]`). Give it the number when you spawn it, and keep it. One with Bevy's `Disabled` is saved and restored as any other; register
/// `Disabled` if steps insert or remove it.
///
/// ```
/// use bevy_ecs::prelude::World;
/// use bevy_evenstep::rewind::RewindId;
///
/// World::new().spawn(RewindId(7));
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RewindId(pub u64);

/// Entities by their numbers.
pub(super) type Entities = BTreeMap<RewindId, Entity>;

/// The entities of a world that is being restored.
pub(super) struct There {
    pub(super) entities: Entities,
    /// By the entities that were saved, those that are there in their place.
    pub(super) others: EntityHashMap<Entity>,
}

impl EntityMapper for &There {
    fn get_mapped(&mut self, source: Entity) -> Entity {
        self.others.get(&source).copied().unwrap_or(source)
    }

    fn set_mapped(&mut self, _: Entity, _: Entity) {}
}
