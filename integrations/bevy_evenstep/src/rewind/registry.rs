//! Which components and resources are saved, and how.

use bevy_app::{App, Plugin};
use bevy_ecs::component::{Component, ComponentMutability, Immutable, Mutable};
use bevy_ecs::entity::Entity;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::query::Allow;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::{EntityWorldMut, World};
use core::any::type_name;
use std::collections::BTreeMap;
use std::sync::Arc;

use evenstep::Inspect;
use evenstep::inspect::{self, Dump};

/// Names an entity whose registered components are saved and restored, by a number of its own, such as a player's.
///
/// A restored world has an entity for each number that was saved. An entity that has been despawned since is spawned again, so saved data
/// must refer to it by this number and not by its `Entity`. Give it the number when you spawn it, and keep it. One with Bevy's `Disabled` is saved and restored as any other; register
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
    pub fn new<K: Inspect + 'static>(key: fn(&C) -> K) -> Self {
        Self {
            hash: Arc::new(move |value: &C| inspect::hash(&key(value))),
            dump: Arc::new(move |value: &C| Dump::new(0, &key(value))),
        }
    }
}

impl<C: Inspect> RewindPlugin<C> {
    /// For a component whose fields can be read, by `#[derive(Inspect)]`: differences are then [reported by
    /// field](super::WorldState::dump).
    #[must_use]
    pub fn by_field() -> Self {
        Self {
            hash: Arc::new(|value: &C| inspect::hash(value)),
            dump: Arc::new(|value: &C| Dump::new(0, value)),
        }
    }
}

/// How the value of a component is replaced: in place where Bevy allows it, so that no observer runs. It is implemented for the two
/// values of [`Component::Mutability`].
pub trait Overwrite<C>: ComponentMutability {
    /// Replaces the value of an entity that has the component, unless it is immutable.
    fn overwrite(entity: &mut EntityWorldMut, value: &C);
}

impl<C: Component<Mutability = Self> + Clone> Overwrite<C> for Mutable {
    fn overwrite(entity: &mut EntityWorldMut, value: &C) {
        if let Some(mut present) = entity.get_mut::<C>() {
            present.clone_from(value);
        }
    }
}

impl<C> Overwrite<C> for Immutable {
    fn overwrite(_: &mut EntityWorldMut, _: &C) {}
}

impl<C: Component<Mutability: Overwrite<C>> + Clone> Plugin for RewindPlugin<C> {
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
    /// Inserts and removes components, for which observers run, and replaces the values of immutable ones: all, or only different ones.
    fn restore_components(&self, world: &mut World, entities: &Entities, is_every: bool);
    /// Replaces the values of mutable components. No observer runs.
    fn write_in_place(&self, world: &mut World, entities: &Entities);
    /// The type, and the first entity (`None` for a resource) that has the component and should not, lacks it and should have it, or has
    /// another value. Values of mutable components are compared if `is_deep`.
    fn difference(&self, world: &World, entities: &Entities, is_deep: bool)
    -> Option<(&'static str, Option<RewindId>)>;
    fn hash(&self) -> u64;
    /// Adds the values to the dump of a world.
    fn dump(&self, world: &mut Dump);
}

struct Values<C> {
    /// By the numbers of their entities. A resource is a component of an entity of its own, which has none.
    values: BTreeMap<Option<RewindId>, C>,
    read: RewindPlugin<C>,
}

impl<C: Component> Values<C> {
    /// The entities that may have the component: the resource's entity, or all saved entities.
    fn owners(&self, world: &World, entities: &Entities) -> Vec<(Option<RewindId>, Entity)> {
        match resource_entity::<C>(world) {
            Some(entity) => vec![(None, entity)],
            None => entities.iter().map(|(id, entity)| (Some(*id), *entity)).collect(),
        }
    }

    fn is_same(&self, one: &C, other: &C) -> bool {
        (self.read.hash)(one) == (self.read.hash)(other)
    }
}

impl<C: Component<Mutability: Overwrite<C>> + Clone> Saved for Values<C> {
    fn restore_components(&self, world: &mut World, entities: &Entities, is_every: bool) {
        if let (Some(value), None) = (self.values.get(&None), resource_entity::<C>(world)) {
            // The value becomes the resource, by a hook of Bevy.
            world.spawn_empty().insert(value.clone());
            return;
        }
        for (id, entity) in self.owners(world, entities) {
            let Ok(mut entity) = world.get_entity_mut(entity) else {
                continue; // An observer despawned it: the next round spawns it.
            };
            match (self.values.get(&id), entity.get::<C>()) {
                (Some(value), Some(present)) if C::Mutability::MUTABLE || !is_every && self.is_same(value, present) => {
                }
                (Some(value), _) => _ = entity.insert(value.clone()),
                (None, Some(_)) => _ = entity.remove::<C>(),
                (None, None) => {}
            }
        }
    }

    fn write_in_place(&self, world: &mut World, entities: &Entities) {
        for (id, entity) in self.owners(world, entities) {
            if let (Some(value), Ok(mut entity)) = (self.values.get(&id), world.get_entity_mut(entity)) {
                C::Mutability::overwrite(&mut entity, value);
            }
        }
    }

    fn difference(
        &self,
        world: &World,
        entities: &Entities,
        is_deep: bool,
    ) -> Option<(&'static str, Option<RewindId>)> {
        let differs = |(id, entity): &(Option<RewindId>, Entity)| match (self.values.get(id), world.get::<C>(*entity)) {
            (Some(value), Some(present)) => (is_deep || !C::Mutability::MUTABLE) && !self.is_same(value, present),
            (None, None) => false,
            _ => true,
        };
        let owner = self.owners(world, entities).into_iter().find(differs);
        owner.map(|(id, _)| (type_name::<C>(), id))
    }

    fn hash(&self) -> u64 {
        let values = self.values.iter();
        let hashes = values.map(|(id, value)| (id.map(|id| id.0), (self.read.hash)(value)));
        inspect::hash(&hashes.collect::<Vec<_>>())
    }

    fn dump(&self, world: &mut Dump) {
        for (id, value) in &self.values {
            let owner = id.map_or_else(|| "resources".to_owned(), |RewindId(id)| format!("entities[{id}]"));
            world.append(&format!("{owner}.{}", type_name::<C>()), &(self.read.dump)(value));
        }
    }
}
