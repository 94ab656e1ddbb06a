use bevy_ecs::change_detection::{DetectChanges, DetectChangesMut, Mut, Tick};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::DeferredWorld;
use bevy_transform::components::Transform;
use evenstep::Smoothed;
use evenstep::poses::{Motion3, Pose3};

use super::ours::{Ours, Written, put};

/// The last two states of an entity with a velocity; none before its first step.
#[derive(Component, Clone, Copy, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(super) struct Motion {
    pub(super) states: Option<Smoothed<Motion3>>,
    /// What its transform shows where nobody else has written to it.
    pub(super) shown: Pose3,
    /// Whether it came in before the step at hand.
    pub(super) is_new: bool,
}

/// What is ours of the transforms of entities with a velocity.
#[derive(Resource, Default)]
pub(super) struct Motions(pub(super) Ours);

impl Motion {
    /// Takes over what others wrote to a transform: these parts rest there until the next step.
    pub(super) fn adopt(&mut self, transform: &Mut<Transform>, since: Tick, now: Tick) {
        let (Some(written), Some(states)) = (self.written(transform, since, now), &mut self.states) else {
            return;
        };
        states.shift(|state| {
            state.pose = written.over(state.pose, transform);
            if written.translation {
                state.velocity = [0.0; 3];
            }
            if written.rotation {
                state.angular_velocity = [0.0; 3];
            }
        });
    }

    fn written(&self, transform: &Mut<Transform>, since: Tick, now: Tick) -> Option<Written> {
        Written::find(transform, transform.last_changed(), [since, now], || {
            let mut left = **transform; // its scale is not ours
            put(&self.shown, &mut left);
            left
        })
    }
}

/// Forgets an entity, whose transform is true again where nobody else has written to it.
pub(super) fn release(world: &mut DeferredWorld, entity: Entity) {
    let now = world.change_tick();
    let Some(ours) = world.get_resource::<Motions>().map(|motions| motions.0) else {
        return;
    };
    let motion = world
        .get_mut::<Motion>(entity)
        .map(|mut motion| core::mem::take(&mut *motion));
    if let Some(motion) = motion
        && let Some(states) = motion.states
        && ours.is_drawn()
        && let Some(mut transform) = world.get_mut::<Transform>(entity)
    {
        let mut truth = *transform;
        put(&states.current().pose, &mut truth);
        let written = motion.written(&transform, ours.since, now);
        transform.set_if_neq(written.map_or(truth, |written| written.merged(&transform, truth)));
    }
}
