//! A saved state of a world, and its hash.

use bevy_ecs::archetype::ArchetypeId;
use bevy_ecs::component::ComponentId;
use bevy_ecs::entity::Entity;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::event::EntityEvent;
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::query::Allow;
use bevy_ecs::world::{World, WorldId};
use bevy_time::{Fixed, Time};
use core::any::type_name;
use core::fmt;
use std::collections::{BTreeMap, BTreeSet};

use evenstep::inspect::{self, Dump, Visitor};
use evenstep::{Inspect, Tick};

use super::entities::{Entities, RewindId, There};
use super::registry::{RewindRegistry, Saved};
use super::related::{Named, Related, SavedRelationship};
use crate::smooth::{adopt_restored, in_simulated_pose};

/// The registered components, resources and relationships of a world at a moment, and the hierarchy of the entities that have them.
///
/// Transforms of smoothed entities are the simulation's, whenever the state is saved or restored.
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::Resource;
/// use bevy_evenstep::ExactLoopPlugin;
/// use bevy_evenstep::rewind::{RewindPlugin, WorldState};
///
/// #[derive(Resource, Clone)]
/// struct Score(u64);
///
/// let mut app = App::new();
/// app.add_plugins((ExactLoopPlugin::hz(60), RewindPlugin::new(|score: &Score| score.0)));
/// app.insert_resource(Score(3));
/// let saved = WorldState::save(app.world_mut());
/// app.insert_resource(Score(5));
/// let changed = WorldState::save(app.world_mut());
/// let desync = saved.dump(0).compare(&changed.dump(0)).expect("they differ");
/// assert!(desync.to_string().ends_with("Score: 3 here, 5 there"));
///
/// saved.restore(app.world_mut())?;
/// assert_eq!(app.world().resource::<Score>().0, 3);
/// assert_eq!(WorldState::save(app.world_mut()).hash(), saved.hash());
/// # Ok::<(), bevy_evenstep::rewind::RestoreError>(())
/// ```
pub struct WorldState {
    entities: BTreeMap<RewindId, SavedEntity>,
    hierarchy: Related<ChildOf>,
    /// Registered ones.
    relationships: Vec<Box<dyn SavedRelationship>>,
    /// Numbers that several entities had.
    ambiguous: Vec<(RewindId, [Entity; 2])>,
    /// The saved values of each type.
    saved: Vec<Box<dyn Saved>>,
    fixed: Option<Time<Fixed>>,
    world: WorldId,
    /// Entities that were spawned until then existed when the state was saved.
    saved_at: bevy_ecs::change_detection::Tick,
}

/// What is known of an entity, beside its registered components.
struct SavedEntity {
    entity: Entity,
    archetype: ArchetypeId,
}

/// How often a state is restored until observers and hooks leave it unchanged.
const MAX_ROUNDS: usize = 8;

impl WorldState {
    /// The state of a world now.
    #[must_use]
    pub fn save(world: &mut World) -> Self {
        in_simulated_pose(world, |world| {
            let registered = world.get_resource::<RewindRegistry>().cloned().unwrap_or_default();
            let saved = registered.types.iter().map(|save| save(world)).collect();
            let Found { entities, surplus } = Found::new(world, |_| None);
            let ambiguous = surplus.iter().map(|(id, entity)| (*id, [entities[id], *entity]));
            let of_entity = |(id, entity): (&RewindId, &Entity)| {
                let archetype = world.entity(*entity).archetype().id();
                let entity = *entity;
                (*id, SavedEntity { entity, archetype })
            };
            let relationships = registered.relationships.iter();
            Self {
                ambiguous: ambiguous.collect(),
                hierarchy: Related::save(world, &entities),
                relationships: relationships.map(|save| save(world, &entities)).collect(),
                entities: entities.iter().map(of_entity).collect(),
                saved,
                fixed: world.get_resource::<Time<Fixed>>().copied(),
                world: world.id(),
                saved_at: world.increment_change_tick(),
            }
        })
    }

    /// Puts a world into this state: entities that it does not have are despawned, missing ones are spawned again, and all have the
    /// parents and the order of children that they had, as of every registered relationship. Unregistered components and resources stay unchanged.
    ///
    /// Components are inserted and removed as by any command, so observers and hooks run, and see a world that is partly restored. Then
    /// what they changed is restored again. Values of mutable components and resources are written last, in place: no observer runs after that.
    /// For each entity that was spawned again, [`Respawned`] is triggered.
    ///
    /// # Errors
    ///
    /// As [`RestoreError`] says. Nothing is changed, except where the state is [`Unsettled`](RestoreError::Unsettled).
    pub fn restore(&self, world: &mut World) -> Result<(), RestoreError> {
        self.check(world)?;
        in_simulated_pose(world, |world| self.restore_all(world))
    }

    /// Whether the state can be restored.
    fn check(&self, world: &mut World) -> Result<(), RestoreError> {
        if let Some((id, entities)) = self.ambiguous.first().copied() {
            return Err(RestoreError::Ambiguous { id, entities });
        }
        let found = self.find(world);
        let now = world.change_tick();
        let was_there = |entity: Entity| {
            let spawned = world.entity(entity).spawn_tick();
            self.world == world.id() && !spawned.is_newer_than(self.saved_at, now)
        };
        if let Some((id, entity)) = found.surplus.iter().copied().find(|(_, entity)| was_there(*entity)) {
            return Err(RestoreError::LateId { id, entity });
        }
        for (index, related) in self.relationships().enumerate() {
            let mut lost = related.plain_targets();
            // What is below an entity cannot be its parent, and may be what it points to by another relationship.
            lost.retain(|(id, target)| !self.remains(world, (index == 0).then_some(*id), *target));
            if !lost.is_empty() {
                let type_name = related.type_name();
                return Err(RestoreError::LostTargets { type_name, lost });
            }
        }
        Ok(())
    }

    /// The hierarchy, then the registered ones.
    fn relationships(&self) -> impl Iterator<Item = &dyn SavedRelationship> {
        let registered = self.relationships.iter().map(|related| &**related);
        core::iter::once(&self.hierarchy as &dyn SavedRelationship).chain(registered)
    }

    /// Whether all that an entity is despawned with remains, and is neither a child of its own nor in a circle.
    fn remains(&self, world: &World, child: Option<RewindId>, entity: Entity) -> bool {
        let mut path: BTreeSet<Named> = child.map(Named::Saved).into_iter().collect();
        let (mut seen, mut open) = (BTreeSet::new(), vec![(Named::Plain(entity), false)]);
        while let Some((next, is_left)) = open.pop() {
            if is_left {
                path.remove(&next);
                continue;
            }
            if path.contains(&next) {
                return false;
            }
            if !seen.insert(next) {
                continue;
            }
            path.insert(next);
            open.push((next, true));
            let above: Vec<Named> = match next {
                Named::Saved(id) if self.entities.contains_key(&id) => self.hierarchy.target(id).into_iter().collect(),
                Named::Saved(_) => return false,
                Named::Plain(entity) => match world.get_entity(entity) {
                    Ok(entity) => match entity.get::<RewindId>() {
                        Some(id) => vec![Named::Saved(*id)],
                        None => {
                            let owners = self.relationships().filter_map(|related| related.owner(entity));
                            owners.map(Named::Plain).collect()
                        }
                    },
                    Err(_) => return false,
                },
            };
            open.extend(above.into_iter().map(|above| (above, false)));
        }
        true
    }

    fn restore_all(&self, world: &mut World) -> Result<(), RestoreError> {
        let mut round = 0;
        let there = loop {
            let (there, respawned) = self.restore_entities(world, round == 0);
            for saved in &self.saved {
                saved.restore_components(world, &there, round == 0);
            }
            for (id, entity) in respawned {
                self.tell_respawned(world, id, entity);
            }
            let found = self.find(world);
            let Some((type_name, id)) = self.difference(world, &found, false) else {
                break self.there(found.entities);
            };
            round += 1;
            if round == MAX_ROUNDS {
                return Err(RestoreError::Unsettled { type_name, id });
            }
        };
        // No observer runs from here on.
        for saved in &self.saved {
            saved.write_in_place(world, &there);
        }
        for related in self.relationships() {
            related.restore_order(world, &there.entities);
        }
        if cfg!(debug_assertions) {
            let found = self.find(world);
            if let Some((type_name, id)) = self.difference(world, &found, true) {
                return Err(RestoreError::Unsettled { type_name, id });
            }
        }
        adopt_restored(world);
        if let (Some(mut fixed), Some(mut present)) = (self.fixed, world.get_resource_mut::<Time<Fixed>>()) {
            // Where to draw is not part of the state.
            fixed.discard_overstep(fixed.overstep());
            fixed.accumulate_overstep(present.overstep());
            *present = fixed;
        }
        Ok(())
    }

    /// The saved entities, and others with numbers. Of several with one number it is the one that was saved.
    fn find(&self, world: &mut World) -> Found {
        let mut found = Found::new(world, |id| self.entities.get(&id).map(|saved| saved.entity));
        let is_saved = |id: &RewindId| self.entities.contains_key(id);
        let later = found.entities.extract_if(.., |id, _| !is_saved(id));
        found.surplus.extend(later);
        found
    }

    /// The present entities, and which of them are others than those that were saved.
    fn there(&self, entities: Entities) -> There {
        let others = entities.iter().filter_map(|(id, present)| {
            let saved = self.entities.get(id)?.entity;
            (saved != *present).then_some((saved, *present))
        });
        There {
            others: others.collect(),
            entities,
        }
    }

    /// Spawns and despawns entities and restores what they point to. Returns all entities, and the spawned ones.
    fn restore_entities(&self, world: &mut World, is_every: bool) -> (There, Entities) {
        let Found { mut entities, surplus } = self.find(world);
        let mut respawned = Entities::new();
        for id in self.entities.keys() {
            entities.entry(*id).or_insert_with(|| {
                let entity = world.spawn(*id).id();
                respawned.insert(*id, entity);
                entity
            });
        }
        // Before others are despawned, which may take with them what points to them.
        for related in self.relationships() {
            related.restore(world, &entities, is_every);
        }
        for (_, entity) in surplus {
            // It may be gone with its parent.
            _ = world.try_despawn(entity);
        }
        (self.there(entities), respawned)
    }

    fn tell_respawned(&self, world: &mut World, id: RewindId, entity: Entity) {
        let Ok(present) = world.get_entity(entity) else {
            return;
        };
        let before = (self.world == world.id()).then(|| world.archetypes().get(self.entities[&id].archetype));
        let before = before.flatten().map_or(&[][..], |archetype| archetype.components());
        let missing = before
            .iter()
            .copied()
            .filter(|component| !present.contains_id(*component));
        let missing = missing.collect();
        world.trigger(Respawned { entity, id, missing });
        world.flush();
    }

    /// The first type in which the world differs from the state, and the entity. Values of mutable components are compared if `is_deep`.
    fn difference(&self, world: &World, found: &Found, is_deep: bool) -> Option<(&'static str, Option<RewindId>)> {
        let is_gone = |id: &&RewindId| !found.entities.contains_key(id);
        let surplus = found.surplus.first().map(|(id, _)| id);
        if let Some(id) = surplus.or_else(|| self.entities.keys().find(is_gone)) {
            return Some((type_name::<RewindId>(), Some(*id)));
        }
        for related in self.relationships() {
            if let Some(id) = related.difference(world, &found.entities) {
                return Some((related.type_name(), Some(id)));
            }
        }
        let there = self.there(found.entities.clone());
        let mut types = self.saved.iter();
        types.find_map(|saved| saved.difference(world, &there, is_deep))
    }

    /// A [hash](inspect::hash) of the state, the same on every machine.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let entities: Vec<u64> = self.entities.keys().map(|id| id.0).collect();
        let related: Vec<u64> = self.relationships().map(SavedRelationship::hash).collect();
        let hashes: Vec<u64> = self.saved.iter().map(|saved| saved.hash()).collect();
        inspect::hash(&(entities, related, hashes))
    }

    /// The values of this state before a tick, by entity, type and field: `entities[7].game::Health.hits`, `resources.game::Score.0`. Compare it
    /// with another machine's or another run's.
    ///
    /// A type that was not registered [by its fields](super::RewindPlugin::by_field) has its key in it.
    #[must_use]
    pub fn dump(&self, tick: Tick) -> Dump {
        let mut dump = Dump::new(tick, &Ids(self.entities.keys().map(|id| id.0).collect()));
        for related in self.relationships() {
            related.dump(&mut dump);
        }
        for saved in &self.saved {
            saved.dump(&mut dump);
        }
        dump
    }
}

/// An entity of a [restored state](WorldState::restore) was gone and has been spawned again, with its [`RewindId`], its registered components,
/// what these require, and what observers inserted.
///
/// Observe it to give an entity its picture again where observers of its components do not.
#[derive(EntityEvent, Clone, Debug)]
#[non_exhaustive]
pub struct Respawned {
    /// The new entity.
    pub entity: Entity,
    /// Its number.
    pub id: RewindId,
    /// Components that the entity had when the state was saved, in this world, and does not have now.
    pub missing: Vec<ComponentId>,
}

/// Why a state was not restored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// Entities would point to nothing: their parent, or their target in a registered relationship, has no [`RewindId`] and is gone since, is part
    /// of an entity that must be despawned, or is part of its former child now.
    #[error(
        "entities would be restored without their targets by {type_name}, which have no RewindId and are gone, go, or are parts of them now: {}",
        pairs(lost)
    )]
    LostTargets {
        /// The relationship, such as `ChildOf`.
        type_name: &'static str,
        /// Entities of the state, and their targets without a [`RewindId`].
        lost: Vec<(RewindId, Entity)>,
    },
    /// Several entities had one number when the state was saved.
    #[error("RewindId({}) was that of {} and of {}; give each entity a number of its own", id.0, entities[0], entities[1])]
    Ambiguous {
        /// The number.
        id: RewindId,
        /// Two of the entities.
        entities: [Entity; 2],
    },
    /// An entity existed when the state was saved, and had no number or another one.
    #[error("{entity} existed when the state was saved, and got RewindId({}) later; spawn it with its RewindId", id.0)]
    LateId {
        /// The number that it has now.
        id: RewindId,
        /// The entity.
        entity: Entity,
    },
    /// Observers or hooks changed the world each time that it was restored. It is partly in the state.
    #[error(
        "observers or hooks changed {type_name} of {} each time it was restored; let them do nothing during a restore",
        owner(*id)
    )]
    Unsettled {
        /// The first type that differs.
        type_name: &'static str,
        /// The entity; none for a resource.
        id: Option<RewindId>,
    },
}

fn owner(id: Option<RewindId>) -> String {
    id.map_or_else(|| "the resources".to_owned(), |RewindId(id)| format!("RewindId({id})"))
}

fn pairs(lost: &[(RewindId, Entity)]) -> String {
    let pair = |(RewindId(id), parent): &(RewindId, Entity)| format!("RewindId({id}) of {parent}");
    lost.iter().map(pair).collect::<Vec<_>>().join(", ")
}

impl fmt::Debug for WorldState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut output = f.debug_struct("WorldState");
        output
            .field("entities", &self.entities.len())
            .field("hash", &self.hash())
            .finish_non_exhaustive()
    }
}

/// The entities with numbers.
struct Found {
    entities: Entities,
    /// Others, among them those whose number another entity has.
    surplus: Vec<(RewindId, Entity)>,
}

impl Found {
    /// Of several entities with one number it is the preferred one.
    fn new(world: &mut World, preferred: impl Fn(RewindId) -> Option<Entity>) -> Self {
        let mut found = Self {
            entities: Entities::new(),
            surplus: Vec::new(),
        };
        let mut query = world.query_filtered::<(&RewindId, Entity), Allow<Disabled>>();
        for (&id, entity) in query.iter(world) {
            if let Some(other) = found.entities.insert(id, entity) {
                let surplus = if preferred(id) == Some(other) {
                    found.entities.insert(id, other);
                    entity
                } else {
                    other
                };
                found.surplus.push((id, surplus));
            }
        }
        found
    }
}

/// The entities of a state.
struct Ids(BTreeSet<u64>);

impl Inspect for Ids {
    fn visit(&self, visitor: &mut impl Visitor) {
        visitor.field("entities", &self.0);
    }
}
