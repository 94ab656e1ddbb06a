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
pub(super) struct ShownGlobals {
    pub(super) are_kept: bool,
    globals: Vec<(Entity, GlobalTransform)>,
}

/// Propagation writes what has changed, and all below it. What has changed below another one is kept twice, which is less work than to look for it.
pub(super) fn keep(
    mut shown: ResMut<ShownGlobals>,
    changed: Query<(Entity, &GlobalTransform), Changed<Transform>>,
    parents: Query<Entity, (With<Children>, Changed<Transform>)>,
    children: Query<&Children>,
    globals: Query<&GlobalTransform>,
) {
    shown.are_kept = true;
    let kept = &mut shown.globals;
    kept.extend(changed.iter().map(|(entity, global)| (entity, *global)));
    let (mut waiting, mut seen): (Vec<Entity>, _) = (parents.iter().collect(), EntityHashSet::default());
    while let Some(parent) = waiting.pop() {
        if !seen.insert(parent) {
            continue; // below one that has changed as well, or its own ancestor
        }
        for child in children.get(parent).into_iter().flatten().copied() {
            if let Ok(global) = globals.get(child) {
                kept.push((child, *global));
            }
            if children.contains(child) {
                waiting.push(child);
            }
        }
    }
}

/// Until it is propagated again, `GlobalTransform` is what the last frame showed.
pub(super) fn put_back(mut shown: ResMut<ShownGlobals>, mut globals: Query<&mut GlobalTransform>) {
    shown.are_kept = false;
    for (entity, was) in shown.globals.drain(..) {
        if let Ok(mut global) = globals.get_mut(entity) {
            *global.bypass_change_detection() = was;
        }
    }
}
