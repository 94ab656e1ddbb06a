//! Replaces Bevy's `sync_simple_transforms`, which would overwrite drawn poses with true ones, which would then be drawn once more.

use bevy_ecs::change_detection::{DetectChanges, Ref};
use bevy_ecs::hierarchy::{ChildOf, Children};
use bevy_ecs::lifecycle::RemovedComponents;
use bevy_ecs::query::{Added, Changed, Or, Without};
use bevy_ecs::system::{ParamSet, Query, Res, SystemChangeTick};
use bevy_transform::components::{GlobalTransform, Transform};

use super::bodies::Bodies;
use super::motion::{Motion, Motions};
use super::slot::Slot;

/// Entities without parents and children.
type Alone = (Without<ChildOf>, Without<Children>);

/// The transforms of an entity, and the components that say whether it is drawn elsewhere.
type PoseQuery = (
    Ref<'static, Transform>,
    &'static mut GlobalTransform,
    Option<&'static Slot>,
    Option<&'static Motion>,
);

type Written = Or<(Changed<Transform>, Added<GlobalTransform>)>;

/// Copies the transforms of entities without parents and children, except of those that were drawn since they were written.
pub(super) fn sync_simple_transforms(
    mut queries: ParamSet<(
        Query<PoseQuery, (Written, Alone)>,
        Query<(&Transform, &mut GlobalTransform), Alone>,
    )>,
    mut orphans: RemovedComponents<ChildOf>,
    (bodies, motions): (Res<Bodies>, Res<Motions>),
    ticks: SystemChangeTick,
) {
    let written = &mut queries.p0();
    written
        .par_iter_mut()
        .for_each(|(transform, mut global, slot, motion)| {
            let drawn = match (slot.and_then(|slot| slot.index()), motion) {
                (Some(index), _) if bodies.is_moving(index) => Some(bodies.drawn),
                (_, Some(motion)) if motion.is_drawn => Some(motions.drawn),
                _ => None,
            };
            let is_newer = |drawn| transform.last_changed().is_newer_than(drawn, ticks.this_run());
            if drawn.is_none_or(is_newer) {
                *global = (*transform).into();
            }
        });
    // Where they were drawn was in the space of another parent.
    let alone = &mut queries.p1();
    let mut orphans = alone.iter_many_mut(orphans.read());
    while let Some((transform, mut global)) = orphans.fetch_next() {
        *global = (*transform).into();
    }
}
