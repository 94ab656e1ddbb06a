//! Which components and resources are saved, and how.

use bevy_app::{App, Plugin};
use bevy_ecs::component::{Component, Mutable};
use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::World;
use core::any::{Any, type_name};
use std::collections::BTreeMap;
use std::sync::Arc;

use evenstep::Snapshot;
use evenstep::snapshot::{self, Dump, Leaf, Visitor};

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
        register(app, Components(self.read));
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
        register(app, OneResource(self.read));
    }

    fn is_unique(&self) -> bool {
        false
    }
}

fn register(app: &mut App, kind: impl Kind) {
    app.init_resource::<RewindRegistry>();
    app.world_mut()
        .resource_mut::<RewindRegistry>()
        .saved
        .push(Arc::new(kind));
}

/// All that is saved.
#[derive(Resource, Clone, Default)]
pub(crate) struct RewindRegistry {
    pub(super) saved: Vec<Arc<dyn Kind>>,
}

/// Entities by their numbers.
pub(super) type Entities = BTreeMap<RewindId, Entity>;

/// A kind of data that is saved.
pub(super) trait Kind: Send + Sync + 'static {
    fn name(&self) -> &'static str;
    fn save(&self, world: &mut World) -> Box<dyn Any + Send + Sync>;
    fn restore(&self, world: &mut World, saved: &dyn Any, entities: &Entities);
    fn hash(&self, saved: &dyn Any) -> u64;
    /// Adds its values to the dump of a world.
    fn dump(&self, saved: &dyn Any, world: &mut Dump);
}

struct Components<C, K>(Read<C, K>);

/// The components of entities, in the order of their numbers.
type Column<C> = Vec<(RewindId, C)>;

impl<C: Component<Mutability = Mutable> + Clone, K: Snapshot + 'static> Kind for Components<C, K> {
    fn name(&self) -> &'static str {
        type_name::<C>()
    }

    fn save(&self, world: &mut World) -> Box<dyn Any + Send + Sync> {
        let mut query = world.query::<(&RewindId, &C)>();
        let mut column: Column<C> = query
            .iter(world)
            .map(|(id, component)| (*id, component.clone()))
            .collect();
        column.sort_by_key(|(id, _)| *id);
        Box::new(column)
    }

    fn restore(&self, world: &mut World, saved: &dyn Any, entities: &Entities) {
        let Some(column) = saved.downcast_ref::<Column<C>>() else {
            return;
        };
        for (id, entity) in entities {
            let Ok(mut entity) = world.get_entity_mut(*entity) else {
                continue;
            };
            match column.binary_search_by_key(id, |(id, _)| *id) {
                Ok(place) => _ = entity.insert(column[place].1.clone()),
                Err(_) => _ = entity.remove::<C>(),
            }
        }
    }

    fn hash(&self, saved: &dyn Any) -> u64 {
        let column = saved.downcast_ref::<Column<C>>();
        snapshot::hash(&Keys(column.map_or(&[], Vec::as_slice), self.0.key))
    }

    fn dump(&self, saved: &dyn Any, world: &mut Dump) {
        for (RewindId(id), component) in saved.downcast_ref::<Column<C>>().into_iter().flatten() {
            let path = format!("entities[{id}].{}", self.name());
            world.append(&path, &self.0.dump(component));
        }
    }
}

/// The keys of a column.
struct Keys<'a, C, K>(&'a [(RewindId, C)], fn(&C) -> K);

impl<C, K: Snapshot> Snapshot for Keys<'_, C, K> {
    fn visit(&self, visitor: &mut impl Visitor) {
        visitor.leaf(Leaf::Length(self.0.len()));
        for (id, component) in self.0 {
            visitor.entry(&id.0, &(self.1)(component));
        }
    }
}

struct OneResource<R, K>(Read<R, K>);

impl<R: Resource + Clone, K: Snapshot + 'static> Kind for OneResource<R, K> {
    fn name(&self) -> &'static str {
        type_name::<R>()
    }

    fn save(&self, world: &mut World) -> Box<dyn Any + Send + Sync> {
        Box::new(world.get_resource::<R>().cloned())
    }

    fn restore(&self, world: &mut World, saved: &dyn Any, _: &Entities) {
        match saved.downcast_ref::<Option<R>>() {
            Some(Some(resource)) => world.insert_resource(resource.clone()),
            Some(None) => _ = world.remove_resource::<R>(),
            None => {}
        }
    }

    fn hash(&self, saved: &dyn Any) -> u64 {
        let resource = saved.downcast_ref::<Option<R>>().and_then(Option::as_ref);
        snapshot::hash(&resource.map(self.0.key))
    }

    fn dump(&self, saved: &dyn Any, world: &mut Dump) {
        if let Some(Some(resource)) = saved.downcast_ref::<Option<R>>() {
            world.append(&format!("resources.{}", self.name()), &self.0.dump(resource));
        }
    }
}
