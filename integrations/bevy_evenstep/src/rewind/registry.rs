//! Which components and resources are saved, and how.

use bevy_app::{App, Plugin};
use bevy_ecs::component::{Component, Mutable};
use bevy_ecs::entity::Entity;
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
/// must refer to it by this number and not by its `Entity`.
///
/// ```
/// use bevy_ecs::prelude::World;
/// use bevy_evenstep::rewind::RewindId;
///
/// World::new().spawn(RewindId(7));
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RewindId(pub u64);

/// Registers a component to be saved, restored and hashed, on entities with a [`RewindId`].
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::Component;
/// use bevy_evenstep::ExactLoopPlugin;
/// use bevy_evenstep::rewind::RewindPlugin;
/// use bevy_transform::components::Transform;
///
/// #[derive(Component, Clone)]
/// struct Ammunition(u32);
///
/// App::new().add_plugins((
///     ExactLoopPlugin::hz(60),
///     RewindPlugin::new(|ammunition: &Ammunition| ammunition.0),
///     RewindPlugin::new(|transform: &Transform| transform.translation.to_array()),
/// ));
/// ```
pub struct RewindPlugin<C, K = u64> {
    read: Read<C, K>,
}

impl<C, K: Snapshot> RewindPlugin<C, K> {
    /// The key of a component has all its data that must be the same: for a type of another crate, whose fields cannot be read.
    pub const fn new(key: fn(&C) -> K) -> Self {
        let read = Read { key, dump: None };
        Self { read }
    }
}

impl<C: Snapshot> RewindPlugin<C> {
    /// For a component whose fields can be read, by `#[derive(Snapshot)]`: differences are then [reported by
    /// field](super::WorldState::dump).
    #[must_use]
    pub const fn by_field() -> Self {
        let read = Read::BY_FIELD;
        Self { read }
    }
}

impl<C: Component<Mutability = Mutable> + Clone, K: Snapshot + 'static> Plugin for RewindPlugin<C, K> {
    fn build(&self, app: &mut App) {
        let read = self.read;
        register(app, move |world| {
            let mut query = world.query::<(&RewindId, &C)>();
            let values = query.iter(world).map(|(id, component)| (*id, component.clone()));
            Box::new(Components {
                values: values.collect(),
                read,
            })
        });
    }

    fn is_unique(&self) -> bool {
        false
    }
}

/// Registers a resource to be saved, restored and hashed, such as a score or random numbers.
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::Resource;
/// use bevy_evenstep::ExactLoopPlugin;
/// use bevy_evenstep::rewind::RewindResourcePlugin;
///
/// #[derive(Resource, Clone)]
/// struct Score(u64);
///
/// App::new().add_plugins((ExactLoopPlugin::hz(60), RewindResourcePlugin::new(|score: &Score| score.0)));
/// ```
pub struct RewindResourcePlugin<R, K = u64> {
    read: Read<R, K>,
}

impl<R, K: Snapshot> RewindResourcePlugin<R, K> {
    /// The key of a resource has all its data that must be the same, as with [`RewindPlugin::new`].
    pub const fn new(key: fn(&R) -> K) -> Self {
        let read = Read { key, dump: None };
        Self { read }
    }
}

impl<R: Snapshot> RewindResourcePlugin<R> {
    /// For a resource whose fields can be read, as with [`RewindPlugin::by_field`].
    #[must_use]
    pub const fn by_field() -> Self {
        let read = Read::BY_FIELD;
        Self { read }
    }
}

/// How a component or a resource is compared.
struct Read<T, K> {
    key: fn(&T) -> K,
    /// Its values, where its fields can be read.
    dump: Option<fn(&T) -> Dump>,
}

// A derived `Clone` would require one of both types.
impl<T, K> Clone for Read<T, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, K> Copy for Read<T, K> {}

impl<T: Snapshot> Read<T, u64> {
    const BY_FIELD: Self = Self {
        key: |value| snapshot::hash(value),
        dump: Some(|value| Dump::new(0, value)),
    };
}

impl<T, K: Snapshot> Read<T, K> {
    /// The values, or those of the key.
    fn dump(&self, value: &T) -> Dump {
        let key = || Dump::new(0, &(self.key)(value));
        self.dump.map_or_else(key, |dump| dump(value))
    }
}

impl<R: Resource + Clone, K: Snapshot + 'static> Plugin for RewindResourcePlugin<R, K> {
    fn build(&self, app: &mut App) {
        let read = self.read;
        register(app, move |world| {
            let value = world.get_resource::<R>().cloned();
            Box::new(OneResource { value, read })
        });
    }

    fn is_unique(&self) -> bool {
        false
    }
}

fn register(app: &mut App, save: impl Fn(&mut World) -> Box<dyn Saved> + Send + Sync + 'static) {
    app.init_resource::<RewindRegistry>();
    app.world_mut().resource_mut::<RewindRegistry>().0.push(Arc::new(save));
}

/// What saves each registered type.
#[derive(Resource, Clone, Default)]
pub(super) struct RewindRegistry(pub(super) Vec<Arc<dyn Fn(&mut World) -> Box<dyn Saved> + Send + Sync>>);

/// Entities by their numbers.
pub(super) type Entities = BTreeMap<RewindId, Entity>;

/// The saved values of a type.
pub(super) trait Saved: Send + Sync + 'static {
    /// The name of the type.
    fn name(&self) -> &'static str;
    fn restore(&self, world: &mut World, entities: &Entities);
    fn hash(&self) -> u64;
    /// Adds the values to the dump of a world.
    fn dump(&self, world: &mut Dump);
}

struct Components<C, K> {
    values: BTreeMap<RewindId, C>,
    read: Read<C, K>,
}

impl<C: Component<Mutability = Mutable> + Clone, K: Snapshot + 'static> Saved for Components<C, K> {
    fn name(&self) -> &'static str {
        type_name::<C>()
    }

    fn restore(&self, world: &mut World, entities: &Entities) {
        for (id, entity) in entities {
            let Ok(mut entity) = world.get_entity_mut(*entity) else {
                continue;
            };
            match self.values.get(id) {
                Some(value) => _ = entity.insert(value.clone()),
                None => _ = entity.remove::<C>(),
            }
        }
    }

    fn hash(&self) -> u64 {
        let keys = self.values.iter().map(|(id, value)| (id.0, (self.read.key)(value)));
        snapshot::hash(&keys.collect::<BTreeMap<_, _>>())
    }

    fn dump(&self, world: &mut Dump) {
        for (RewindId(id), value) in &self.values {
            world.append(&format!("entities[{id}].{}", self.name()), &self.read.dump(value));
        }
    }
}

struct OneResource<R, K> {
    value: Option<R>,
    read: Read<R, K>,
}

impl<R: Resource + Clone, K: Snapshot + 'static> Saved for OneResource<R, K> {
    fn name(&self) -> &'static str {
        type_name::<R>()
    }

    fn restore(&self, world: &mut World, _: &Entities) {
        match &self.value {
            Some(value) => world.insert_resource(value.clone()),
            None => _ = world.remove_resource::<R>(),
        }
    }

    fn hash(&self) -> u64 {
        snapshot::hash(&self.value.as_ref().map(self.read.key))
    }

    fn dump(&self, world: &mut Dump) {
        if let Some(value) = &self.value {
            world.append(&format!("resources.{}", self.name()), &self.read.dump(value));
        }
    }
}
