//! The components that choose how an entity is drawn between steps.

use bevy_ecs::change_detection::DetectChangesMut;
use bevy_ecs::component::Component;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::world::DeferredWorld;
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use bevy_transform::components::Transform;

use super::state::SmoothState;

/// Draws the entity between its last two states: smooth at every frame rate, one step late.
///
/// In steps `Transform` is the simulation's, bit for bit. From the end of the fixed loop until the next step it is the drawn pose, so a camera
/// that copies it in `Update`, a gizmo and a debug line are on the same time as the picture. Bevy's own propagation makes
/// `GlobalTransform` of it. Children of a smoothed parent follow it; a child with a component of its own is drawn between its own states
/// as well.
///
/// A write outside of steps, in `Update` or `PreUpdate`, is drawn as written, and moves the simulated state by the same amount:
/// `transform.translation += …` loses nothing at any frame rate. A value that is set, as in `transform.translation = place`, is drawn
/// exactly; the simulation is off by at most the motion of a step, because the drawn pose was. To set both exactly, mark
/// [`Teleport`] as well. A write in a step is motion.
///
/// Where its parent changes, in a step or in a frame, the entity is where its `Transform` says, and is not drawn on its way until the next step.
///
/// An entity that rests is not written, and costs a look at its change tick.
///
/// ```
/// use bevy_app::{App, FixedUpdate};
/// use bevy_ecs::prelude::Query;
/// use bevy_evenstep::{SmoothTransform, SmoothTransformPlugin};
/// use bevy_time::{Fixed, Time, TimePlugin};
/// use bevy_transform::components::Transform;
/// # use bevy_time::TimeUpdateStrategy;
/// # use std::time::Duration;
///
/// fn fly(mut ships: Query<&mut Transform>) {
///     ships.iter_mut().for_each(|mut ship| ship.translation.x += 1.0);
/// }
///
/// let mut app = App::new();
/// app.add_plugins((TimePlugin, SmoothTransformPlugin::default()))
///     .insert_resource(Time::<Fixed>::from_hz(10.0))
///     .add_systems(FixedUpdate, fly);
/// let ship = app.world_mut().spawn(SmoothTransform).id();
/// # app.finish();
/// # app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO));
/// # app.update();
/// # app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(125)));
/// app.update(); // 125 ms later: after a step, and a quarter of the next one
/// assert_eq!(app.world().get::<Transform>(ship).unwrap().translation.x, 0.25);
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[require(Transform, Teleport, SmoothState)]
pub struct SmoothTransform;

/// Draws the entity ahead of its last state: without delay, but it overshoots when the motion changes. It goes on by its
/// [`SmoothVelocity`](crate::SmoothVelocity), and without one as in the last step. Scale is the last state's.
///
/// ```
/// use bevy_ecs::prelude::World;
/// use bevy_evenstep::{SmoothAhead, SmoothVelocity};
/// use bevy_math::Vec3;
///
/// World::new().spawn(SmoothAhead);
/// World::new().spawn((SmoothAhead, SmoothVelocity { linear: Vec3::X, ..Default::default() }));
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
#[require(SmoothTransform)]
pub struct SmoothAhead;

/// Marks a write to an entity's `Transform` as a teleport: the entity is drawn at its new pose and not in between.
/// [Mark](Self::mark) it before or after the write, in a step or in a frame; a mark ends with the step in which it was made, or with the
/// next one. Every smoothed entity has a `Teleport`.
///
/// ```
/// use bevy_ecs::prelude::Query;
/// use bevy_evenstep::Teleport;
/// use bevy_transform::components::Transform;
///
/// fn respawn(mut players: Query<(&mut Transform, &mut Teleport)>) {
///     for (mut transform, mut teleport) in &mut players {
///         if transform.translation.y < -100.0 {
///             transform.translation = Default::default();
///             teleport.mark();
///         }
///     }
/// }
/// # bevy_ecs::system::assert_is_system(respawn);
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
pub struct Teleport {
    is_marked: bool,
}

impl Teleport {
    /// Marks the entity's motion in this step, or its write in this frame, as a teleport.
    pub const fn mark(&mut self) {
        self.is_marked = true;
    }

    /// Ends the mark. Returns whether there was one.
    pub(super) const fn take(&mut self) -> bool {
        core::mem::replace(&mut self.is_marked, false)
    }
}

/// The pose of one step ago, for an entity that is spawned moving. Without it the entity rests in the step or frame in which it is spawned, so a
/// shot from a moving gun would be drawn up to one step of motion ahead of the gun.
///
/// Insert it with the `Transform`: at a spawn, or when an entity leaves its parent, such as a bomb that a moving ship drops. Changes that other
/// systems add to the `Transform` in the same step or frame move both poses. It sets the state, and is removed at once.
///
/// ```
/// use bevy_ecs::prelude::{Commands, Component, Query, Res, With};
/// use bevy_evenstep::PreviousTransform;
/// use bevy_math::Vec3;
/// use bevy_time::{Fixed, Time};
/// use bevy_transform::components::Transform;
///
/// #[derive(Component)]
/// struct Gun {
///     velocity: Vec3,
/// }
///
/// fn shoot(guns: Query<(&Transform, &Gun)>, time: Res<Time<Fixed>>, mut commands: Commands) {
///     for (gun, Gun { velocity }) in &guns {
///         let muzzle = *gun * Transform::from_xyz(2.0, 0.0, 0.0);
///         let a_step_ago = muzzle.with_translation(muzzle.translation - *velocity * time.timestep().as_secs_f32());
///         commands.spawn((muzzle, PreviousTransform(a_step_ago)));
///     }
/// }
/// # bevy_ecs::system::assert_is_system(shoot);
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Component, Clone, Debug, PartialEq)]
#[require(SmoothTransform)]
#[component(on_insert = set_previous)]
pub struct PreviousTransform(pub Transform);

fn set_previous(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    type Moving<'a> = (&'a PreviousTransform, &'a mut Transform, &'a mut SmoothState);
    if let Ok(mut moving) = world.get_entity_mut(entity)
        && let Ok((PreviousTransform(from), mut transform, mut state)) = moving.get_components_mut::<Moving>()
    {
        transform.set_changed(); // it is looked at, even if it was not written
        *state = SmoothState::moving(*from, *transform, state.smoothed_since);
    }
    world.commands().entity(entity).try_remove::<PreviousTransform>();
}

/// Draws an entity as it is, for as long as it has this, though it has [`SmoothTransform`].
///
/// Bevy's `Disabled` does the same. With a disabling component of the app's own, insert and remove this one as well: systems that do not see an
/// entity do not restore its state.
///
/// ```
/// use bevy_ecs::prelude::World;
/// use bevy_evenstep::{NoSmoothTransform, SmoothTransform};
///
/// World::new().spawn((SmoothTransform, NoSmoothTransform));
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[reflect(Component, Clone, Debug, Default, PartialEq)]
pub struct NoSmoothTransform;
