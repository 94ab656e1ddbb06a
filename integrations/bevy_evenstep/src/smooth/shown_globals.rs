//! Keeps what `GlobalTransform`s showed while steps have the simulation's.

use bevy_ecs::change_detection::DetectChangesMut;
use bevy_ecs::entity::{Entity, EntityHashSet};
use bevy_ecs::hierarchy::Children;
use bevy_ecs::query::{Changed, With};
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Query, ResMut};
use bevy_transform::components::{GlobalTransform, Transform};

/// What the last frame showed of entities that are propagated for the steps of a frame; none outside of them.
#[derive(Resource, Default)]
pub(super) struct ShownGlobals(Option<Vec<(Entity, GlobalTransform)>>);

impl ShownGlobals {
    pub(super) const fn are_kept(&self) -> bool {
        self.0.is_some()
    }
}

/// Propagation writes what has changed, and all below it.
pub(super) fn keep(
    mut shown: ResMut<ShownGlobals>,
    changed: Query<Entity, (With<GlobalTransform>, Changed<Transform>)>,
    children: Query<&Children>,
    globals: Query<&GlobalTransform>,
) {
    let (mut waiting, mut seen): (Vec<Entity>, _) = (changed.iter().collect(), EntityHashSet::default());
    let mut kept = Vec::new();
    while let Some(entity) = waiting.pop() {
        if !seen.insert(entity) {
            continue; // below one that has changed as well, or its own ancestor
        }
        if let Ok(global) = globals.get(entity) {
            kept.push((entity, *global));
        }
        if let Ok(children) = children.get(entity) {
            waiting.extend_from_slice(children);
        }
    }
    shown.0 = Some(kept);
}

/// Until it is propagated again, `GlobalTransform` is what the last frame showed.
pub(super) fn put_back(mut shown: ResMut<ShownGlobals>, mut globals: Query<&mut GlobalTransform>) {
    for (entity, was) in shown.0.take().into_iter().flatten() {
        if let Ok(mut global) = globals.get_mut(entity) {
            *global.bypass_change_detection() = was;
        }
    }
}
