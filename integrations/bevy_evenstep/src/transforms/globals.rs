//! The content of `GlobalTransform`: the drawn pose, or in steps the true one.

use bevy_ecs::change_detection::Tick;
use bevy_ecs::entity::{Entity, EntityHashMap};
use bevy_ecs::hierarchy::{ChildOf, Children};
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Local, Query, Res, ResMut, SystemParam};
use bevy_ecs::world::{DeferredWorld, World};
use bevy_transform::components::{GlobalTransform, Transform};
use bevy_transform::systems::StaticTransformOptimizations;

use super::rows::any_newer;
use crate::resources::LastFrame;
use crate::system_sets::{Propagate, ShowTruth};

/// Which poses `GlobalTransform` has.
#[derive(Resource, Debug, Default)]
pub(super) struct Globals {
    /// Entities with parents or children that are drawn between their states, and where in the space of their parents. Their
    /// descendants follow them.
    pub(super) trees: EntityHashMap<Transform>,
    /// At which alpha entities are drawn; none where the truth is shown.
    alpha: Option<f64>,
    /// Whether they were before this pass.
    are_drawn: bool,
    /// Whether steps have run since Bevy propagated transforms.
    is_behind: bool,
}

/// A pass in which entities are drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pass {
    pub(super) alpha: f64,
    pub(super) now: Tick,
    /// When all were drawn at this alpha, if they were.
    since: Option<Tick>,
}

impl Pass {
    /// Whether none of these was written since all were drawn, neither by Bevy, which writes true poses, nor by a system.
    pub(super) fn is_done(&self, globals: &[Tick], transforms: &[Tick]) -> bool {
        let is_newer = |since| any_newer(globals, since, self.now) || any_newer(transforms, since, self.now);
        self.since.is_some_and(|since| !is_newer(since))
    }
}

impl Globals {
    /// The current pass, of the entities that were drawn last at a time.
    pub(super) fn pass(&self, drawn: Tick, now: Tick) -> Pass {
        Pass {
            alpha: self.alpha.unwrap_or_default(),
            now,
            since: self.are_drawn.then_some(drawn),
        }
    }
}

/// Begins a pass in which all entities are drawn.
pub(super) fn begin_drawing(mut globals: ResMut<Globals>, frame: Res<LastFrame>) {
    let alpha = Some(frame.alpha());
    globals.are_drawn = globals.alpha == alpha;
    globals.alpha = alpha;
    globals.trees.clear();
}

/// After entities without parents and children were drawn: draws the others and their descendants.
pub(super) fn end_drawing(globals: Res<Globals>, mut hierarchy: Hierarchy) {
    hierarchy.place(&globals.trees, |entity| globals.trees.get(&entity).copied());
}

/// After entities without parents and children were set to their true poses: does the same for the others and their descendants.
pub(super) fn end_showing_truth(mut globals: ResMut<Globals>, mut hierarchy: Hierarchy) {
    hierarchy.place(&globals.trees, |_| None);
    globals.trees.clear();
}

/// Bevy has propagated transforms.
pub(super) fn catch_up(mut globals: ResMut<Globals>) {
    globals.is_behind = false;
}

/// Transforms were written by steps or by a restored state, and `GlobalTransform` does not know.
pub(crate) fn fall_behind(world: &mut World) {
    if let Some(mut globals) = world.get_resource_mut::<Globals>() {
        globals.is_behind = true;
    }
}

/// Lets `GlobalTransform` show the truth, for a step: that of the last propagation, or that of this moment where a step has run since.
pub(crate) fn show_truth(world: &mut World) {
    let Some(mut globals) = world.get_resource_mut::<Globals>() else {
        return;
    };
    let (alpha, is_behind) = (globals.alpha.take(), core::mem::take(&mut globals.is_behind));
    if alpha.is_some() {
        world.run_schedule(ShowTruth);
    }
    // Only where Bevy propagates at all.
    if is_behind && world.contains_resource::<StaticTransformOptimizations>() {
        world.run_schedule(Propagate);
    }
}

/// An entity is no longer drawn between its states: it and its descendants get their true poses.
pub(super) fn stop_drawing(world: &mut DeferredWorld, entity: Entity) {
    let parent = world.get::<ChildOf>(entity).map(ChildOf::parent);
    let parent = parent.and_then(|parent| world.get::<GlobalTransform>(parent).copied());
    let mut waiting = vec![(entity, parent)];
    while let Some((entity, parent)) = waiting.pop() {
        let global = world
            .get::<Transform>(entity)
            .map(|transform| within(parent, *transform));
        if let (Some(global), Some(mut shown)) = (global, world.get_mut::<GlobalTransform>(entity)) {
            *shown = global;
            let children = world.get::<Children>(entity).into_iter().flatten();
            waiting.extend(children.map(|child| (*child, Some(global))));
        }
    }
}

/// Bit-identical to Bevy's propagation.
fn within(parent: Option<GlobalTransform>, local: Transform) -> GlobalTransform {
    parent.map_or_else(|| local.into(), |parent| parent.mul_transform(local))
}

/// Parents and children, and where they are.
#[derive(SystemParam)]
pub(super) struct Hierarchy<'w, 's> {
    parents: Query<'w, 's, &'static ChildOf>,
    nodes: Query<'w, 's, (&'static Transform, Option<&'static Children>)>,
    globals: Query<'w, 's, &'static mut GlobalTransform>,
    waiting: Local<'s, Vec<(Entity, Option<GlobalTransform>)>>,
}

impl Hierarchy<'_, '_> {
    /// Sets where entities and their descendants are: at a place in the space of their parents, or else where their transforms say.
    fn place(&mut self, entities: &EntityHashMap<Transform>, at: impl Fn(Entity) -> Option<Transform>) {
        for entity in entities.keys() {
            let mut ancestors = self.parents.iter_ancestors(*entity);
            if ancestors.any(|ancestor| entities.contains_key(&ancestor)) {
                continue; // It follows that one.
            }
            let parent = self.parents.get(*entity).ok().map(ChildOf::parent);
            // Below a parent that is nowhere, Bevy propagates nothing.
            if let Ok(parent) = parent.map(|parent| self.globals.get(parent).copied()).transpose() {
                self.waiting.push((*entity, parent));
            }
        }
        while let Some((entity, parent)) = self.waiting.pop() {
            let (Ok((transform, children)), Ok(mut global)) = (self.nodes.get(entity), self.globals.get_mut(entity))
            else {
                continue;
            };
            let local = at(entity).unwrap_or(*transform);
            *global = within(parent, local);
            let children = children.into_iter().flatten();
            self.waiting.extend(children.map(|child| (*child, Some(*global))));
        }
    }
}
