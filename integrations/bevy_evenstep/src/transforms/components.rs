//! The components that choose how an entity is drawn between steps.

use bevy_ecs::component::Component;
use bevy_ecs::lifecycle::HookContext;
#[cfg(feature = "reflect")]
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy_ecs::world::DeferredWorld;
use bevy_math::Vec3;
#[cfg(feature = "reflect")]
use bevy_reflect::{Reflect, std_traits::ReflectDefault};
use bevy_transform::components::Transform;
use core::time::Duration;

use super::motion::Motion;
use super::rate_states::RateStates;
use super::slot::Slot;
use super::{bodies, motion};

/// Draws the entity between its last two states: smooth at every frame rate, one step late.
///
/// `Transform` is the simulation's: systems in `FixedUpdate`, `Update` and elsewhere see the state after the last step, and change it. What
/// is drawn is in `GlobalTransform`, and only there: from the end of the fixed loop on, so that cameras and followers in `Update` that
/// read it are on the same time, and after `PostUpdate`, for rendering, picking and sound. In steps `GlobalTransform` is the
/// simulation's as well. Children of a smoothed parent follow it; a child with a component of its own is drawn between its own states as
/// well.
///
/// A write outside of steps means what it means without smoothing: it changes the simulated state at once, and the entity is drawn as far
/// off as was written. So `transform.translation += …` in `Update` loses nothing at any frame rate, and an entity that is put elsewhere is not
/// drawn on the way. A write in a step is motion. To teleport in a step, mark [`Teleport`]; an entity with a new parent teleports as well.
///
/// A camera that copies the `Transform` of what it follows shakes, because that changes in steps: let it read the `GlobalTransform`.
///
/// An entity that rests costs two looks at its tick in a step, and nothing in frames between steps. Use one of this,
/// [`TransformExtrapolation`] and [`TransformHermite`].
///
/// ```
/// use bevy_app::{App, FixedUpdate};
/// use bevy_ecs::prelude::{Query, World};
/// use bevy_evenstep::{EvenstepPlugin, TransformInterpolation};
/// use bevy_transform::components::{GlobalTransform, Transform};
/// # use bevy_time::TimeUpdateStrategy;
/// # use std::time::Duration;
///
/// fn fly(mut ships: Query<&mut Transform>) {
///     ships.iter_mut().for_each(|mut ship| ship.translation.x += 1.0);
/// }
///
/// let mut app = App::new();
/// app.add_plugins(EvenstepPlugin::hz(10)).add_systems(FixedUpdate, fly);
/// let ship = app.world_mut().spawn((Transform::default(), TransformInterpolation)).id();
/// # app.finish();
/// # app.update();
/// # app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(125)));
/// app.update(); // 125 ms later: after a step, and a quarter of the next one
/// assert_eq!(app.world().get::<Transform>(ship).unwrap().translation.x, 1.0);
/// assert_eq!(app.world().get::<GlobalTransform>(ship).unwrap().translation().x, 0.25);
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "reflect",
    derive(Reflect),
    reflect(Component, Clone, Debug, Default, PartialEq)
)]
#[require(Transform, Teleport, Slot)]
#[component(on_add = arrive, on_remove = release)]
pub struct TransformInterpolation;

/// Draws the entity ahead of its newest state, by its [`TransformVelocity`]: without delay, but it overshoots when the velocity
/// changes. Scale is not extrapolated.
///
/// ```
/// use bevy_ecs::prelude::World;
/// use bevy_evenstep::{TransformExtrapolation, TransformVelocity};
/// use bevy_math::Vec3;
///
/// let velocity = TransformVelocity { linear: Vec3::X, ..Default::default() };
/// World::new().spawn((TransformExtrapolation::default(), velocity));
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "reflect",
    derive(Reflect),
    reflect(Component, Clone, Debug, Default, PartialEq)
)]
#[require(Transform, Teleport, TransformVelocity, Motion)]
#[component(on_remove = release)]
pub struct TransformExtrapolation {
    /// The longest time to look ahead; a step at most.
    pub horizon: Duration,
}

impl Default for TransformExtrapolation {
    /// Up to 100 ms ahead.
    fn default() -> Self {
        Self {
            horizon: Duration::from_millis(100),
        }
    }
}

/// Draws the entity between its last two states along a cubic curve that has its [`TransformVelocity`] at both: smooth where
/// steps are coarse, one step late. Scale is not interpolated.
///
/// ```
/// use bevy_ecs::prelude::World;
/// use bevy_evenstep::TransformHermite;
///
/// World::new().spawn(TransformHermite);
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "reflect",
    derive(Reflect),
    reflect(Component, Clone, Debug, Default, PartialEq)
)]
#[require(Transform, Teleport, TransformVelocity, Motion)]
#[component(on_remove = release)]
pub struct TransformHermite;

/// Draws the entity between the last two states of a schedule with a [rate of its own](crate::RatePlugin), for entities that move in that
/// schedule: smooth at every frame rate, one step of that rate and one of `FixedMain` late. Scale is not interpolated.
///
/// Use it in place of [`TransformInterpolation`], for which a motion of a slower rate is one of a single step of `FixedMain`. Writes outside
/// of the schedule's steps and [`Teleport`] have the same effect as there.
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::Query;
/// use bevy_ecs::schedule::ScheduleLabel;
/// use bevy_evenstep::{EvenstepPlugin, RateInterpolation, RatePlugin};
/// use bevy_transform::components::Transform;
/// use evenstep::Rate;
///
/// #[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
/// struct Decide;
///
/// fn advance(mut pieces: Query<&mut Transform>) {
///     pieces.iter_mut().for_each(|mut piece| piece.translation.x += 1.0);
/// }
///
/// let mut app = App::new();
/// app.add_plugins((EvenstepPlugin::hz(60), RatePlugin::new(Decide, Rate::hz(5)))).add_systems(Decide, advance);
/// app.world_mut().spawn(RateInterpolation::new(Decide));
/// ```
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
#[require(Transform, Teleport, Motion, RateStates)]
#[component(on_remove = release)]
pub struct RateInterpolation(InternedScheduleLabel);

impl RateInterpolation {
    /// Between the steps of the schedule `label`.
    pub fn new(label: impl ScheduleLabel) -> Self {
        Self(label.intern())
    }

    pub(super) fn label(self) -> InternedScheduleLabel {
        self.0
    }
}

/// How an entity with [`TransformExtrapolation`] or [`TransformHermite`] moves, for drawing only. Write it in each step, after the
/// step's own velocity is known.
///
/// ```
/// use bevy_evenstep::TransformVelocity;
/// use bevy_math::Vec3;
///
/// let spin = TransformVelocity { angular: Vec3::Y * 3.0, ..Default::default() };
/// assert_eq!(spin.linear, Vec3::ZERO);
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(
    feature = "reflect",
    derive(Reflect),
    reflect(Component, Clone, Debug, Default, PartialEq)
)]
pub struct TransformVelocity {
    /// Units of length per second, in the space of the `Transform`.
    pub linear: Vec3,
    /// Radians per second about the axes of that space.
    pub angular: Vec3,
}

/// Marks a step as a teleport: the entity is drawn at its new pose and not in between. [Mark](Self::mark) it before or after the write
/// to `Transform`, in the step or any time before it. Every smoothed entity has one.
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
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "reflect",
    derive(Reflect),
    reflect(Component, Clone, Debug, Default, PartialEq)
)]
pub struct Teleport {
    epoch: u32,
}

impl Teleport {
    /// Marks the entity's motion in this step as a teleport.
    pub const fn mark(&mut self) {
        self.epoch = self.epoch.wrapping_add(1);
    }
}

/// Draws an entity as it is, for as long as it has this, though it has a component that would smooth it.
///
/// ```
/// use bevy_ecs::prelude::World;
/// use bevy_evenstep::{NoTransformEasing, TransformInterpolation};
///
/// World::new().spawn((TransformInterpolation, NoTransformEasing));
/// ```
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "reflect",
    derive(Reflect),
    reflect(Component, Clone, Debug, Default, PartialEq)
)]
#[component(on_add = release, on_remove = arrive)]
pub struct NoTransformEasing;

/// Makes the components known to scenes and inspectors.
#[cfg(feature = "reflect")]
pub(super) fn register(app: &mut bevy_app::App) {
    app.register_type::<TransformInterpolation>()
        .register_type::<TransformExtrapolation>()
        .register_type::<TransformHermite>()
        .register_type::<TransformVelocity>()
        .register_type::<Teleport>()
        .register_type::<NoTransformEasing>();
}

/// From now on an entity may be smoothed.
fn arrive(mut world: DeferredWorld, _: HookContext) {
    bodies::arrive(&mut world);
}

/// Shows the true pose again when an entity is no longer smoothed.
fn release(mut world: DeferredWorld, HookContext { entity, .. }: HookContext) {
    bodies::release(&mut world, entity);
    motion::release(&mut world, entity);
}
