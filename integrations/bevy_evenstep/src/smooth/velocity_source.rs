//! Velocities that the game or its physics engine keeps in components of its own.

use bevy_app::{App, Plugin};
use bevy_ecs::change_detection::DetectChanges;
use bevy_ecs::component::Component;
use bevy_ecs::query::{Added, Changed, Or};
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::system::Query;
use bevy_math::Vec3;
use core::marker::PhantomData;

use super::components::SmoothAhead;
use super::systems::keep;
use super::velocity::{SmoothVelocity, VelocityState};
use crate::steps::ensure_steps;
use crate::system_sets::Keep;

/// Reads a velocity from a component. For `()` the velocity is zero.
pub trait VelocitySource: Send + Sync + 'static {
    /// The component of the velocity before a step. It is not read: the velocity of the step before is known.
    type Previous: Component;
    /// The component of the velocity.
    type Current: Component;

    /// The velocity before the step. It is not called.
    fn previous(start: &Self::Previous) -> Vec3;

    /// The velocity after the step, per second: of length, or in radians about the axes.
    fn current(end: &Self::Current) -> Vec3;
}

/// The component of an entity without a velocity.
#[derive(Component)]
pub struct NoVelocity(());

impl VelocitySource for () {
    type Previous = NoVelocity;
    type Current = NoVelocity;

    fn previous(_: &NoVelocity) -> Vec3 {
        Vec3::ZERO
    }

    fn current(_: &NoVelocity) -> Vec3 {
        Vec3::ZERO
    }
}

/// Copies velocities of other components to [`SmoothVelocity`] after each step: `L` is the source of the linear and `A` of the angular
/// velocity. A [`SmoothAhead`] gets a [`SmoothVelocity`] by it.
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::Component;
/// use bevy_evenstep::{SmoothTransformPlugin, SmoothVelocityPlugin, VelocitySource};
/// use bevy_math::Vec3;
///
/// #[derive(Component)]
/// struct Speed(f32);
///
/// struct AlongX;
///
/// impl VelocitySource for AlongX {
///     type Previous = Speed;
///     type Current = Speed;
///
///     fn previous(start: &Speed) -> Vec3 {
///         Vec3::X * start.0
///     }
///
///     fn current(end: &Speed) -> Vec3 {
///         Vec3::X * end.0
///     }
/// }
///
/// App::new().add_plugins((SmoothTransformPlugin::default(), SmoothVelocityPlugin::<AlongX, ()>::default()));
/// ```
#[derive(Debug)]
pub struct SmoothVelocityPlugin<L, A = ()>(PhantomData<fn() -> (L, A)>);

impl<L, A> Default for SmoothVelocityPlugin<L, A> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<L: VelocitySource, A: VelocitySource> Plugin for SmoothVelocityPlugin<L, A> {
    fn build(&self, app: &mut App) {
        ensure_steps(app);
        // An error says that another plugin has done so.
        let _ = app.try_register_required_components::<SmoothAhead, SmoothVelocity>();
        app.add_systems(Keep, copy::<L, A>.before(keep));
    }

    fn is_unique(&self) -> bool {
        false
    }
}

type Velocities<L, A> = (
    &'static mut SmoothVelocity,
    &'static mut VelocityState,
    Option<&'static <L as VelocitySource>::Current>,
    Option<&'static <A as VelocitySource>::Current>,
);

/// What was written since the last step.
type Written<L, A> = Or<(
    Changed<<L as VelocitySource>::Current>,
    Changed<<A as VelocitySource>::Current>,
    Added<SmoothVelocity>,
)>;

fn copy<L: VelocitySource, A: VelocitySource>(mut entities: Query<Velocities<L, A>, Written<L, A>>) {
    for (mut velocity, mut state, linear, angular) in &mut entities {
        let is_new = velocity.is_added();
        velocity.linear = linear.map_or(velocity.linear, L::current);
        velocity.angular = angular.map_or(velocity.angular, A::current);
        if is_new {
            state.to = *velocity; // it had this velocity before, too
        }
    }
}
