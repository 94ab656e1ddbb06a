//! Which components and resources are saved, and how.

use bevy_app::{App, Plugin};
use bevy_ecs::component::{Component, ComponentMutability, Immutable, Mutable};
use bevy_ecs::entity::Entity;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::query::Allow;
use bevy_ecs::relationship::Relationship;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::{EntityWorldMut, World};
use core::any::type_name;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use evenstep::Inspect;
use evenstep::inspect::{self, Dump};

use super::entities::{Entities, RewindId, There};
use super::related::{Related, SavedRelationship};

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
    relationship: Option<SaveRelationship>,
}

impl<C: 'static> RewindPlugin<C> {
    /// The key of a component has all its data that must be the same: for a type of another crate, whose fields cannot be read.
    #[must_use]
    pub fn new<K: Inspect + 'static>(key: fn(&C) -> K) -> Self {
        Self {
            hash: Arc::new(move |value: &C| inspect::hash(&key(value))),
            dump: Arc::new(move |value: &C| Dump::new(0, &key(value))),
            relationship: None,
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
            relationship: None,
        }
    }
}

impl<R: Relationship + Clone> RewindPlugin<R> {
    /// For a relationship of the game's own: entities with a [`RewindId`] point to what they pointed to, also where that was spawned again, and
    /// the target lists them in the order in which it did. Targets are compared; other fields of the relationship are only restored. `ChildOf` is
    /// restored in any case.
    ///
    /// ```
    /// use bevy_app::App;
    /// use bevy_ecs::prelude::{Component, Entity};
    /// use bevy_evenstep::ExactLoopPlugin;
    /// use bevy_evenstep::rewind::RewindPlugin;
    ///
    /// #[derive(Component, Clone)]
    /// #[relationship(relationship_target = HuntedBy)]
    /// struct Hunts(Entity);
    ///
    /// #[derive(Component)]
    /// #[relationship_target(relationship = Hunts)]
    /// struct HuntedBy(Vec<Entity>);
    ///
    /// App::new().add_plugins((ExactLoopPlugin::hz(60), RewindPlugin::<Hunts>::relationship()));
    /// ```
    #[must_use]
    pub fn relationship() -> Self {
        Self {
            relationship: Some(|world, entities| Box::new(Related::<R>::save(world, entities))),
            ..Self::new(|_| ())
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
    /// # Panics
    ///
    /// If the component is part of a relationship that is not registered as one.
    fn build(&self, app: &mut App) {
        app.init_resource::<RewindRegistry>();
        if let Some(save) = self.relationship {
            app.world_mut()
                .resource_mut::<RewindRegistry>()
                .relationships
                .push(save);
            return;
        }
        assert!(
            C::relationship_accessor().is_none(),
            "{} is part of a relationship: register the component that points to the target, by RewindPlugin::relationship",
            type_name::<C>()
        );
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
        app.world_mut()
            .resource_mut::<RewindRegistry>()
            .types
            .push(Arc::new(save));
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
pub(super) struct RewindRegistry {
    pub(super) types: Vec<Arc<dyn Fn(&mut World) -> Box<dyn Saved> + Send + Sync>>,
    pub(super) relationships: Vec<SaveRelationship>,
}

type SaveRelationship = fn(&World, &Entities) -> Box<dyn SavedRelationship>;

/// The saved values of a type.
pub(super) trait Saved: Send + Sync + 'static {
    /// Inserts and removes components, for which observers run, and replaces the values of immutable ones: all, or only different ones.
    fn restore_components(&self, world: &mut World, there: &There, is_every: bool);
    /// Replaces the values of mutable components. No observer runs.
    fn write_in_place(&self, world: &mut World, there: &There);
    /// The type, and the first entity (`None` for a resource) that has the component and should not, lacks it and should have it, or has
    /// another value. Values of mutable components are compared if `is_deep`.
    fn difference(&self, world: &World, there: &There, is_deep: bool) -> Option<(&'static str, Option<RewindId>)>;
    fn hash(&self) -> u64;
    /// Adds the values to the dump of a world.
    fn dump(&self, world: &mut Dump);
}

struct Values<C> {
    /// By the numbers of their entities. A resource is a component of an entity of its own, which has none.
    values: BTreeMap<Option<RewindId>, C>,
    read: RewindPlugin<C>,
}

impl<C: Component + Clone> Values<C> {
    /// The entities that may have the component: the resource's entity, or all saved entities.
    fn owners(&self, world: &World, entities: &Entities) -> Vec<(Option<RewindId>, Entity)> {
        match resource_entity::<C>(world) {
            Some(entity) => vec![(None, entity)],
            None => entities.iter().map(|(id, entity)| (Some(*id), *entity)).collect(),
        }
    }

    /// The saved value, with the entities that are there now.
    fn value(&self, id: Option<RewindId>, there: &There) -> Option<Cow<'_, C>> {
        let value = self.values.get(&id)?;
        if there.others.is_empty() {
            return Some(Cow::Borrowed(value));
        }
        let mut value = value.clone();
        C::map_entities(&mut value, &mut &*there);
        Some(Cow::Owned(value))
    }

    fn is_same(&self, one: &C, other: &C) -> bool {
        (self.read.hash)(one) == (self.read.hash)(other)
    }
}

impl<C: Component<Mutability: Overwrite<C>> + Clone> Saved for Values<C> {
    fn restore_components(&self, world: &mut World, there: &There, is_every: bool) {
        if let (Some(value), None) = (self.value(None, there), resource_entity::<C>(world)) {
            // The value becomes the resource, by a hook of Bevy.
            world.spawn_empty().insert(value.into_owned());
            return;
        }
        for (id, entity) in self.owners(world, &there.entities) {
            let Ok(mut entity) = world.get_entity_mut(entity) else {
                continue; // An observer despawned it: the next round spawns it.
            };
            match (self.value(id, there), entity.get::<C>()) {
                (Some(_), Some(_)) if C::Mutability::MUTABLE => {}
                (Some(value), Some(present)) if !is_every && self.is_same(&value, present) => {}
                (Some(value), _) => _ = entity.insert(value.into_owned()),
                (None, Some(_)) => _ = entity.remove::<C>(),
                (None, None) => {}
            }
        }
    }

    fn write_in_place(&self, world: &mut World, there: &There) {
        for (id, entity) in self.owners(world, &there.entities) {
            if let (Some(value), Ok(mut entity)) = (self.value(id, there), world.get_entity_mut(entity)) {
                C::Mutability::overwrite(&mut entity, &value);
            }
        }
    }

    fn difference(&self, world: &World, there: &There, is_deep: bool) -> Option<(&'static str, Option<RewindId>)> {
        let differs =
            |(id, entity): &(Option<RewindId>, Entity)| match (self.value(*id, there), world.get::<C>(*entity)) {
                (Some(value), Some(present)) => (is_deep || !C::Mutability::MUTABLE) && !self.is_same(&value, present),
                (None, None) => false,
                _ => true,
            };
        let owner = self.owners(world, &there.entities).into_iter().find(differs);
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
