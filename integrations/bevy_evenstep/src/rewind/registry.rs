//! Which components and resources are saved, and how.

use bevy_app::{App, Plugin};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::query::Allow;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::World;
use core::any::type_name;
use std::collections::BTreeMap;
use std::sync::Arc;

use evenstep::Snapshot;
use evenstep::snapshot::{self, Dump};

/// Names an entity whose registered components are saved and restored, by a number of its own, such as that of a player.
///
/// A restored world has an entity for each number that was saved. An entity that has been despawned since is spawned again, so saved data
/// must refer to it by this number and not by its `Entity`. One with Bevy's `Disabled` is saved and restored as any other; register
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

/// Registers a component to be saved, restored and hashed, on entities with a [`RewindId`], or a resource, such as a score or random
/// numbers.
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::{Component, Resource};
/// use bevy_evenstep::ExactLoopPlugin;
/// use bevy_evenstep::rewind::RewindPlugin;
/// use bevy_transform::components::Transform;
///
/// #[derive(Component, Clone)]
/// struct Ammunition(u32);
///
/// #[derive(Resource, Clone)]
/// struct Score(u64);
///
/// App::new().add_plugins((
///     ExactLoopPlugin::hz(60),
///     RewindPlugin::new(|ammunition: &Ammunition| ammunition.0),
///     RewindPlugin::new(|transform: &Transform| transform.translation.to_array()),
///     RewindPlugin::new(|score: &Score| score.0),
/// ));
/// ```
#[derive(Clone)]
pub struct RewindPlugin<C> {
    hash: Arc<dyn Fn(&C) -> u64 + Send + Sync>,
    dump: Arc<dyn Fn(&C) -> Dump + Send + Sync>,
}

impl<C: 'static> RewindPlugin<C> {
    /// The key of a component has all its data that must be the same: for a type of another crate, whose fields cannot be read.
    #[must_use]
    pub fn new<K: Snapshot + 'static>(key: fn(&C) -> K) -> Self {
        Self {
            hash: Arc::new(move |value: &C| snapshot::hash(&key(value))),
            dump: Arc::new(move |value: &C| Dump::new(0, &key(value))),
        }
    }
}

impl<C: Snapshot> RewindPlugin<C> {
    /// For a component whose fields can be read, by `#[derive(Snapshot)]`: differences are then [reported by
    /// field](super::WorldState::dump).
    #[must_use]
    pub fn by_field() -> Self {
        Self {
            hash: Arc::new(|value: &C| snapshot::hash(value)),
            dump: Arc::new(|value: &C| Dump::new(0, value)),
        }
    }
}

impl<C: Component + Clone> Plugin for RewindPlugin<C> {
    fn build(&self, app: &mut App) {
        let read = self.clone();
        let save = move |world: &mut World| -> Box<dyn Saved> {
            let mut query = world.query_filtered::<(&RewindId, &C), Allow<Disabled>>();
            let of_entities = query.iter(world).map(|(id, value)| (Some(*id), value.clone()));
            let resource = resource_entity::<C>(world).and_then(|entity| world.get::<C>(entity));
            Box::new(Values {
                values: of_entities.chain(resource.map(|value| (None, value.clone()))).collect(),
                read: read.clone(),
            })
        };
        app.init_resource::<RewindRegistry>();
        app.world_mut().resource_mut::<RewindRegistry>().0.push(Arc::new(save));
    }

    fn is_unique(&self) -> bool {
        false
    }
}

/// The entity whose component is the resource, or was until it was removed.
fn resource_entity<C: Component>(world: &World) -> Option<Entity> {
    world.resource_entities().get(world.component_id::<C>()?)
}

/// What saves each registered type.
#[derive(Resource, Clone, Default)]
pub(super) struct RewindRegistry(pub(super) Vec<Arc<dyn Fn(&mut World) -> Box<dyn Saved> + Send + Sync>>);

/// Entities by their numbers.
pub(super) type Entities = BTreeMap<RewindId, Entity>;

/// The saved values of a type.
pub(super) trait Saved: Send + Sync + 'static {
    fn restore(&self, world: &mut World, entities: &Entities);
    fn hash(&self) -> u64;
    /// Adds the values to the dump of a world.
    fn dump(&self, world: &mut Dump);
}

struct Values<C> {
    /// By the numbers of their entities. A resource is a component of an entity of its own, which has none.
    values: BTreeMap<Option<RewindId>, C>,
    read: RewindPlugin<C>,
}

impl<C: Component + Clone> Saved for Values<C> {
    fn restore(&self, world: &mut World, entities: &Entities) {
        // Inserted into an empty entity, the value becomes the resource, by a hook of Bevy.
        let new = |world: &mut World| self.values.contains_key(&None).then(|| world.spawn_empty().id());
        let resource = resource_entity::<C>(world).or_else(|| new(world));
        let mut restore = |id: Option<RewindId>, entity: Entity| {
            let Ok(mut entity) = world.get_entity_mut(entity) else {
                return;
            };
            match self.values.get(&id) {
                Some(value) => _ = entity.insert(value.clone()),
                None => _ = entity.remove::<C>(),
            }
        };
        match resource {
            Some(entity) => restore(None, entity),
            None => entities.iter().for_each(|(id, entity)| restore(Some(*id), *entity)),
        }
    }

    fn hash(&self) -> u64 {
        let values = self.values.iter();
        let hashes = values.map(|(id, value)| (id.map(|id| id.0), (self.read.hash)(value)));
        snapshot::hash(&hashes.collect::<Vec<_>>())
    }

    fn dump(&self, world: &mut Dump) {
        for (id, value) in &self.values {
            let owner = id.map_or_else(|| "resources".to_owned(), |RewindId(id)| format!("entities[{id}]"));
            world.append(&format!("{owner}.{}", type_name::<C>()), &(self.read.dump)(value));
        }
    }
}
