//! A saved state of a world, and its hash.

use bevy_ecs::entity::Entity;
use bevy_ecs::world::World;
use bevy_time::{Fixed, Time};
use core::any::Any;
use core::fmt;

use evenstep::snapshot::{self, Dump, Leaf, Visitor};
use evenstep::{Snapshot, Tick};

use super::registry::{Entities, RewindId, RewindRegistry};
use crate::transforms::fall_behind;

/// The registered components and resources of a world at a moment.
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::Resource;
/// use bevy_evenstep::EvenstepPlugin;
/// use bevy_evenstep::rewind::{RewindResourcePlugin, WorldState};
///
/// #[derive(Resource, Clone)]
/// struct Score(u64);
///
/// let mut app = App::new();
/// app.add_plugins((EvenstepPlugin::hz(60), RewindResourcePlugin::new(|score: &Score| score.0)));
/// app.insert_resource(Score(3));
/// let saved = WorldState::save(app.world_mut());
/// app.insert_resource(Score(5));
/// let changed = WorldState::save(app.world_mut());
/// assert!(saved.difference(&changed).unwrap().ends_with("Score"));
///
/// saved.restore(app.world_mut());
/// assert_eq!(app.world().resource::<Score>().0, 3);
/// assert_eq!(WorldState::save(app.world_mut()).hash(), saved.hash());
/// ```
pub struct WorldState {
    ids: Vec<RewindId>,
    kinds: RewindRegistry,
    /// The saved values of each type.
    saved: Vec<Box<dyn Any + Send + Sync>>,
    fixed: Option<Time<Fixed>>,
}

impl WorldState {
    /// The state of a world now.
    #[must_use]
    pub fn save(world: &mut World) -> Self {
        let kinds = world.get_resource::<RewindRegistry>().cloned().unwrap_or_default();
        let saved = kinds.saved.iter().map(|kind| kind.save(world)).collect();
        Self {
            ids: entities(world).into_keys().collect(),
            kinds,
            saved,
            fixed: world.get_resource::<Time<Fixed>>().copied(),
        }
    }

    /// Puts a world into this state: entities that were not there are despawned, and those that are gone are spawned again. Unregistered
    /// components and resources stay unchanged.
    pub fn restore(&self, world: &mut World) {
        let mut there = entities(world);
        for id in &self.ids {
            there.entry(*id).or_insert_with(|| world.spawn(*id).id());
        }
        there.retain(|id, entity| {
            let was_there = self.ids.binary_search(id).is_ok();
            if !was_there {
                world.despawn(*entity);
            }
            was_there
        });
        for (kind, saved) in self.kinds.saved.iter().zip(&self.saved) {
            kind.restore(world, &**saved, &there);
        }
        fall_behind(world);
        if let (Some(mut fixed), Some(mut present)) = (self.fixed, world.get_resource_mut::<Time<Fixed>>()) {
            // Where to draw is not part of the state.
            fixed.discard_overstep(fixed.overstep());
            fixed.accumulate_overstep(present.overstep());
            *present = fixed;
        }
    }

    /// A [hash](snapshot::hash) of the state, the same on every machine.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let hashes: Vec<u64> = self.hashes().map(|(_, hash)| hash).collect();
        snapshot::hash(&(Entries(&self.ids), hashes))
    }

    /// The hash of each registered component and resource, by the names of their types.
    pub fn hashes(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let kinds = self.kinds.saved.iter().zip(&self.saved);
        kinds.map(|(kind, saved)| (kind.name(), kind.hash(&**saved)))
    }

    /// The values of this state before a tick, by entity, type and field: `entities[7].game::Health.hits`, `resources.game::Score.0`. Compare it
    /// with that of another machine, or of another run.
    ///
    /// A type that was not registered [by its fields](super::RewindPlugin::by_field) has its key in it.
    #[must_use]
    pub fn dump(&self, tick: Tick) -> Dump {
        let mut dump = Dump::new(tick, &Ids(&self.ids));
        for (kind, saved) in self.kinds.saved.iter().zip(&self.saved) {
            kind.dump(&**saved, &mut dump);
        }
        dump
    }

    /// The name of the first registered type that differs in another state of the same world; that of [`RewindId`] where the sets of
    /// entities differ.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<&'static str> {
        if self.ids != other.ids {
            return Some(core::any::type_name::<RewindId>());
        }
        let mut pairs = self.hashes().zip(other.hashes());
        pairs.find_map(|((name, mine), (_, theirs))| (mine != theirs).then_some(name))
    }
}

impl fmt::Debug for WorldState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut output = f.debug_struct("WorldState");
        output
            .field("entities", &self.ids.len())
            .field("hash", &self.hash())
            .finish_non_exhaustive()
    }
}

fn entities(world: &mut World) -> Entities {
    let mut query = world.query::<(&RewindId, Entity)>();
    query.iter(world).map(|(id, entity)| (*id, entity)).collect()
}

/// The entities of a state.
struct Ids<'a>(&'a [RewindId]);

impl Snapshot for Ids<'_> {
    fn visit(&self, visitor: &mut impl Visitor) {
        visitor.field("entities", &Entries(self.0));
    }
}

struct Entries<'a>(&'a [RewindId]);

impl Snapshot for Entries<'_> {
    fn visit(&self, visitor: &mut impl Visitor) {
        visitor.leaf(Leaf::Length(self.0.len()));
        for id in self.0 {
            visitor.entry(&id.0, &());
        }
    }
}
