//! Which entity each saved entity points to by a relationship, such as its parent, and in which order a target lists those that point to it.

use bevy_ecs::entity::Entity;
use bevy_ecs::relationship::{Relationship, RelationshipSourceCollection, RelationshipTarget};
use bevy_ecs::world::{EntityRef, World};
use core::any::type_name;
use std::collections::{BTreeMap, BTreeSet};

use evenstep::inspect::{self, Dump};

use super::entities::{Entities, RewindId};

/// A parent or a child, by its number if it is a saved entity.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Named {
    Saved(RewindId),
    /// One without a [`RewindId`], or one whose number another entity has.
    Plain(Entity),
}

impl Named {
    fn new(world: &World, entity: Entity, saved: &Entities) -> Self {
        let id = world.get(entity).filter(|id| saved.get(id) == Some(&entity));
        id.map_or(Self::Plain(entity), |id| Self::Saved(*id))
    }

    fn entity(self, there: &Entities) -> Option<Entity> {
        match self {
            Self::Saved(id) => there.get(&id).copied(),
            Self::Plain(entity) => Some(entity),
        }
    }

    const fn id(self) -> Option<u64> {
        match self {
            Self::Saved(id) => Some(id.0),
            Self::Plain(_) => None,
        }
    }
}

/// What saved entities point to by a relationship.
pub(super) trait SavedRelationship: Send + Sync + 'static {
    fn type_name(&self) -> &'static str;
    /// The saved entities that point to one without a number, and that one.
    fn plain_targets(&self) -> Vec<(RewindId, Entity)>;
    /// With what an entity is despawned.
    fn owner(&self, entity: EntityRef) -> Option<Entity>;
    /// Makes the entities point to what they pointed to. Where there is other data than the target, `is_every` replaces it as well.
    fn restore(&self, world: &mut World, there: &Entities, is_every: bool);
    /// Sorts the lists of the targets. What came since and has no number stays behind the others.
    fn restore_order(&self, world: &mut World, there: &Entities);
    /// The first entity that points elsewhere.
    fn difference(&self, world: &World, there: &Entities) -> Option<RewindId>;
    /// Of what has the same name on every machine.
    fn hash(&self) -> u64;
    fn dump(&self, dump: &mut Dump);
}

pub(super) struct Related<R> {
    sources: BTreeMap<RewindId, (Named, R)>,
    /// Of each target to which several entities point, saved ones among them, if its list keeps an order.
    order: BTreeMap<Named, Vec<Named>>,
}

impl<R: Relationship + Clone> Related<R> {
    pub(super) fn save(world: &World, entities: &Entities) -> Self {
        let mut sources = BTreeMap::new();
        let mut targets = BTreeSet::new();
        for (id, entity) in entities {
            if let Some(relationship) = world.get::<R>(*entity) {
                let target = Named::new(world, relationship.get(), entities);
                sources.insert(*id, (target, relationship.clone()));
                targets.insert(relationship.get());
            }
        }
        let named = |entity| Named::new(world, entity, entities);
        let several = |target| {
            let list = world.get::<R::RelationshipTarget>(target)?;
            (list.len() > 1).then(|| (named(target), list.iter().map(named).collect()))
        };
        targets.retain(|_| keeps_order::<R::RelationshipTarget>());
        let order = targets.into_iter().filter_map(several).collect();
        Self { sources, order }
    }

    pub(super) fn target(&self, id: RewindId) -> Option<Named> {
        self.sources.get(&id).map(|(target, _)| *target)
    }

    /// The entities whose targets are named on every machine, and these.
    fn pairs(&self) -> impl Iterator<Item = (u64, u64)> {
        let pair = |(id, (target, _)): (&RewindId, &(Named, R))| Some((id.0, target.id()?));
        self.sources.iter().filter_map(pair)
    }

    /// The order of the saved entities in the list of each saved target.
    fn lists(&self) -> impl Iterator<Item = (u64, Vec<u64>)> {
        self.order.iter().filter_map(|(target, list)| {
            let list: Vec<u64> = list.iter().filter_map(|source| source.id()).collect();
            (list.len() > 1).then_some((target.id()?, list))
        })
    }
}

/// Whether a target's list keeps the order in which it is written: a set has an order of its own.
fn keeps_order<T: RelationshipTarget>() -> bool {
    let entities = [3, 1, 4, 2]
        .map(Entity::from_raw_u32)
        .map(|entity| entity.unwrap_or(Entity::PLACEHOLDER));
    let mut list = T::Collection::new();
    list.extend_from_iter(entities);
    list.iter().eq(entities)
}

impl<R: Relationship + Clone> SavedRelationship for Related<R> {
    fn type_name(&self) -> &'static str {
        type_name::<R>()
    }

    fn plain_targets(&self) -> Vec<(RewindId, Entity)> {
        let plain = |(id, (target, _)): (&RewindId, &(Named, R))| match target {
            Named::Plain(target) => Some((*id, *target)),
            Named::Saved(_) => None,
        };
        self.sources.iter().filter_map(plain).collect()
    }

    fn owner(&self, entity: EntityRef) -> Option<Entity> {
        let is_linked = R::RelationshipTarget::LINKED_SPAWN;
        entity.get().filter(|_| is_linked).map(R::get)
    }

    /// Entities leave their present targets before any comes to another one: a parent may have been the child of its child, and a target may
    /// have room for one only.
    fn restore(&self, world: &mut World, there: &Entities, is_every: bool) {
        let has_data = size_of::<R>() > size_of::<Entity>();
        let wanted = there.iter().map(|(id, entity)| {
            let wanted = self.sources.get(id);
            (
                *entity,
                wanted.and_then(|(target, value)| Some((target.entity(there)?, value))),
            )
        });
        let mut changed: Vec<(Entity, Option<(Entity, &R)>)> = wanted.collect();
        changed.retain(|(entity, wanted)| {
            let target = wanted.map(|(target, _)| target);
            target.is_some() && has_data && is_every || world.get::<R>(*entity).map(R::get) != target
        });
        for (entity, _) in &changed {
            if let Ok(mut entity) = world.get_entity_mut(*entity) {
                entity.remove::<R>();
            }
        }
        for (entity, wanted) in changed {
            if let (Ok(mut entity), Some((target, value))) = (world.get_entity_mut(entity), wanted) {
                let mut value = value.clone();
                value.set_risky(target);
                entity.insert(value);
            }
        }
    }

    fn restore_order(&self, world: &mut World, there: &Entities) {
        for (target, order) in &self.order {
            let places = order.iter().enumerate();
            let places: BTreeMap<Entity, usize> = places
                .filter_map(|(place, source)| Some((source.entity(there)?, place)))
                .collect();
            let target = target.entity(there);
            if let Some(mut list) = target.and_then(|target| world.get_mut::<R::RelationshipTarget>(target)) {
                let present: Vec<Entity> = list.iter().collect();
                let mut sorted = present.clone();
                sorted.sort_by_key(|source| places.get(source).copied().unwrap_or(usize::MAX));
                if sorted != present {
                    let list = list.collection_mut_risky();
                    list.clear();
                    list.extend_from_iter(sorted);
                }
            }
        }
    }

    fn difference(&self, world: &World, there: &Entities) -> Option<RewindId> {
        let is_elsewhere = |(id, entity): &(&RewindId, &Entity)| {
            let target = world
                .get::<R>(**entity)
                .map(|relationship| Named::new(world, relationship.get(), there));
            target != self.target(**id)
        };
        there.iter().find(is_elsewhere).map(|(id, _)| *id)
    }

    fn hash(&self) -> u64 {
        inspect::hash(&(self.pairs().collect::<Vec<_>>(), self.lists().collect::<Vec<_>>()))
    }

    fn dump(&self, dump: &mut Dump) {
        for (id, target) in self.pairs() {
            dump.append(&format!("entities[{id}].{}", type_name::<R>()), &Dump::new(0, &target));
        }
        for (id, list) in self.lists() {
            let path = format!("entities[{id}].{}", type_name::<R::RelationshipTarget>());
            dump.append(&path, &Dump::new(0, &list));
        }
    }
}
