//! The velocities by which an entity is drawn.

use bevy_ecs::component::Component;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::world::DeferredWorld;
use bevy_math::Vec3;
use bevy_reflect::{Reflect, std_traits::ReflectDefault};

/// How an entity with [`SmoothTransform`](super::SmoothTransform) moves, for drawing only. With it the entity is drawn on a cubic curve that has these velocities
/// at both of its last states, which is smooth where steps are coarse; with [`SmoothAhead`](super::SmoothAhead), ahead by it.
///
/// Write it in each step, after the velocity of the step is known, or let a [`SmoothVelocityPlugin`](super::SmoothVelocityPlugin) copy it from
/// components of the game.
///
/// ```
/// use bevy_evenstep::SmoothVelocity;
/// use bevy_math::Vec3;
///
/// let spin = SmoothVelocity { angular: Vec3::Y * 3.0, ..Default::default() };
/// assert_eq!(spin.linear, Vec3::ZERO);
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[require(VelocityState)]
#[component(on_add = begin_velocity)]
pub struct SmoothVelocity {
    /// Units of length per second, in the space of the `Transform`.
    pub linear: Vec3,
    /// Radians per second about the axes of that space.
    pub angular: Vec3,
}

/// The velocities at both states.
#[derive(Component, Clone, Copy, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(super) struct VelocityState {
    pub(super) from: SmoothVelocity,
    pub(super) to: SmoothVelocity,
}

/// The entity had this velocity before, too.
fn begin_velocity(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    if let Some(to) = world.get::<SmoothVelocity>(entity).copied()
        && let Some(mut state) = world.get_mut::<VelocityState>(entity)
    {
        *state = VelocityState { from: to, to };
    }
}
