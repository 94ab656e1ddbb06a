//! A saved state of a world, and its hash.

use bevy_ecs::entity::Entity;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::query::Allow;
use bevy_ecs::world::World;
use bevy_time::{Fixed, Time};
use core::any::type_name;
use core::fmt;
use std::collections::{BTreeMap, BTreeSet};

use evenstep::snapshot::{self, Dump, Visitor};
use evenstep::{Snapshot, Tick};

use super::registry::{Entities, RewindId, RewindRegistry, Saved};
use crate::smooth::{adopt_restored, in_simulated_pose};

/// The registered components and resources of a world at a moment, and the hierarchy of the entities that have them.
///
/// Transforms of smoothed entities are those of the simulation, whenever the state is saved or restored.
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
    /// The parents of all entities.
    parents: BTreeMap<RewindId, Option<Parent>>,
    /// The saved values of each type.
    saved: Vec<Box<dyn Saved>>,
    fixed: Option<Time<Fixed>>,
}

impl WorldState {
    /// The state of a world now.
    #[must_use]
    pub fn save(world: &mut World) -> Self {
        in_simulated_pose(world, |world| {
            let registered = world.get_resource::<RewindRegistry>().cloned().unwrap_or_default();
            let saved = registered.0.iter().map(|save| save(world)).collect();
            let entities = entities(world);
            let parent = |(id, entity): (&RewindId, &Entity)| (*id, Parent::of(world, *entity, &entities));
            Self {
                parents: entities.iter().map(parent).collect(),
                saved,
                fixed: world.get_resource::<Time<Fixed>>().copied(),
            }
        })
    }

    /// Puts a world into this state: entities that were not there are despawned, those that are gone are spawned again, and all have the
    /// parents that they had. Unregistered components and resources stay unchanged.
    ///
    /// # Errors
    ///
    /// If entities had a parent without a [`RewindId`] that is gone since, is part of an entity that must be despawned, or is part of its
    /// former child now. Then nothing is changed.
    pub fn restore(&self, world: &mut World) -> Result<(), RestoreError> {
        self.check(world)?;
        in_simulated_pose(world, |world| self.restore_all(world));
        Ok(())
    }

    /// Whether the state can be restored.
    fn check(&self, world: &World) -> Result<(), RestoreError> {
        // Whether all that the entity will be part of remains, and is not part of it.
        let remains = |id: RewindId, parent: Entity| {
            let (mut seen, mut above) = (BTreeSet::from([id]), Some(Parent::Plain(parent)));
            while let Some(parent) = above {
                let id = match parent {
                    Parent::Saved(id) => id,
                    Parent::Plain(entity) => {
                        let Ok(entity) = world.get_entity(entity) else {
                            return false;
                        };
                        let Some(id) = entity.get::<RewindId>() else {
                            above = entity.get().map(|of: &ChildOf| Parent::Plain(of.parent()));
                            continue;
                        };
                        *id
                    }
                };
                let Some(next) = self.parents.get(&id).filter(|_| seen.insert(id)) else {
                    return false;
                };
                above = *next;
            }
            true
        };
        let lost = self.parents.iter().filter_map(|(id, parent)| match parent {
            Some(Parent::Plain(parent)) if !remains(*id, *parent) => Some((*id, *parent)),
            _ => None,
        });
        let lost: Vec<_> = lost.collect();
        if lost.is_empty() {
            Ok(())
        } else {
            Err(RestoreError { lost })
        }
    }

    fn restore_all(&self, world: &mut World) {
        let mut there = entities(world);
        for id in self.parents.keys() {
            there.entry(*id).or_insert_with(|| world.spawn(*id).id());
        }
        self.restore_parents(world, &there);
        there.retain(|id, entity| {
            let was_there = self.parents.contains_key(id);
            if !was_there {
                // It may be gone with its parent.
                _ = world.try_despawn(*entity);
            }
            was_there
        });
        for saved in &self.saved {
            saved.restore(world, &there);
        }
        adopt_restored(world);
        if let (Some(mut fixed), Some(mut present)) = (self.fixed, world.get_resource_mut::<Time<Fixed>>()) {
            // Where to draw is not part of the state.
            fixed.discard_overstep(fixed.overstep());
            fixed.accumulate_overstep(present.overstep());
            *present = fixed;
        }
    }

    /// Entities leave their present parents before any comes to another one: a parent may have been the child of its child.
    fn restore_parents(&self, world: &mut World, there: &Entities) {
        let wanted = self.parents.iter().map(|(id, parent)| {
            let parent = parent.map(|parent| match parent {
                Parent::Saved(id) => there[&id],
                Parent::Plain(entity) => entity,
            });
            (there[id], parent)
        });
        let mut changed: Vec<(Entity, Option<Entity>)> = wanted.collect();
        changed.retain(|(entity, parent)| world.get::<ChildOf>(*entity).map(ChildOf::parent) != *parent);
        for (entity, _) in &changed {
            world.entity_mut(*entity).remove::<ChildOf>();
        }
        for (entity, parent) in changed {
            if let Some(parent) = parent {
                world.entity_mut(entity).insert(ChildOf(parent));
            }
        }
    }

    /// A [hash](snapshot::hash) of the state, the same on every machine.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let entities: Vec<u64> = self.parents.keys().map(|id| id.0).collect();
        let parents: Vec<(u64, u64)> = self.saved_parents().collect();
        let hashes: Vec<u64> = self.saved.iter().map(|saved| saved.hash()).collect();
        snapshot::hash(&(entities, parents, hashes))
    }

    /// The entities whose parents are named on every machine, and these.
    fn saved_parents(&self) -> impl Iterator<Item = (u64, u64)> {
        self.parents.iter().filter_map(|(id, parent)| match parent {
            Some(Parent::Saved(parent)) => Some((id.0, parent.0)),
            _ => None,
        })
    }

    /// The values of this state before a tick, by entity, type and field: `entities[7].game::Health.hits`, `resources.game::Score.0`. Compare it
    /// with that of another machine, or of another run.
    ///
    /// A type that was not registered [by its fields](super::RewindPlugin::by_field) has its key in it.
    #[must_use]
    pub fn dump(&self, tick: Tick) -> Dump {
        let mut dump = Dump::new(tick, &Ids(self.parents.keys().map(|id| id.0).collect()));
        for (id, parent) in self.saved_parents() {
            dump.append(
                &format!("entities[{id}].{}", type_name::<ChildOf>()),
                &Dump::new(tick, &parent),
            );
        }
        for saved in &self.saved {
            saved.dump(&mut dump);
        }
        dump
    }
}

/// The parent of a saved entity.
#[derive(Clone, Copy)]
enum Parent {
    Saved(RewindId),
    /// One without a [`RewindId`], or one that another entity has as well.
    Plain(Entity),
}

impl Parent {
    fn of(world: &World, entity: Entity, saved: &Entities) -> Option<Self> {
        let parent = world.get::<ChildOf>(entity)?.parent();
        let id = world.get(parent).filter(|id| saved.get(id) == Some(&parent));
        Some(id.map_or(Self::Plain(parent), |id| Self::Saved(*id)))
    }
}

/// Why a state was not restored: entities would have no parent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "entities would be restored without their parents, which have no RewindId and are gone, go, or are parts of them now: {}",
    pairs(lost)
)]
#[non_exhaustive]
pub struct RestoreError {
    /// Entities of the state, and their parents without a [`RewindId`].
    pub lost: Vec<(RewindId, Entity)>,
}

fn pairs(lost: &[(RewindId, Entity)]) -> String {
    let pair = |(RewindId(id), parent): &(RewindId, Entity)| format!("RewindId({id}) of {parent}");
    lost.iter().map(pair).collect::<Vec<_>>().join(", ")
}

impl fmt::Debug for WorldState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut output = f.debug_struct("WorldState");
        output
            .field("entities", &self.parents.len())
            .field("hash", &self.hash())
            .finish_non_exhaustive()
    }
}

fn entities(world: &mut World) -> Entities {
    let mut query = world.query_filtered::<(&RewindId, Entity), Allow<Disabled>>();
    query.iter(world).map(|(id, entity)| (*id, entity)).collect()
}

/// The entities of a state.
struct Ids(BTreeSet<u64>);

impl Snapshot for Ids {
    fn visit(&self, visitor: &mut impl Visitor) {
        visitor.field("entities", &self.0);
    }
}
