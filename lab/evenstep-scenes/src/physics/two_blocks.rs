//! Two blocks that bounce between walls under gravity at a low step rate, to compare raw and interpolated drawing.

use evenstep::Rate;
use evenstep_physics::engine::BodyMotion;
use evenstep_physics::{BodyDef, Shape};

use super::physics_scene::{PhysicsScene, Role};
use super::scene_engine::{SceneEngine, SceneMotion as _};
use super::{ENGINE_2D, build_on_engine};
use crate::{Scene, SceneError, SceneInfo};

/// Metres per pixel: the engine's lengths by the game's.
const SCALE: f32 = 0.02;

/// Gravity in px/s².
const GRAVITY: f32 = -500.0;

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "two-blocks",
    rate: Rate::hz(20),
    engines: ENGINE_2D,
    build: |engine| build(engine, 50.0),
};

/// The scene `two-blocks` on an engine. Its `threshold` is the slowest hit that bounces, in pixels of 0.02 m a second: 50 px/s are 1 m/s.
///
/// # Errors
///
/// If the engine is not compiled in or returns an error.
pub fn build(engine: &str, threshold: f32) -> Result<Box<dyn Scene>, SceneError> {
    build_on_engine!(engine, throw(threshold * SCALE), "box2d" Box2d, "rapier2d" Rapier2d)
}

/// An engine in which slow hits do not bounce.
trait Threshold: SceneEngine {
    /// An empty world with gravity in m/s², in which hits slower than `threshold` in m/s do not bounce.
    fn with_threshold(gravity: f32, threshold: f32) -> Result<Self, SceneError>;

    /// Applies the threshold to the bodies that were added.
    fn apply_threshold(&mut self) {}
}

#[cfg(feature = "box2d")]
impl Threshold for evenstep_physics::Box2d {
    fn with_threshold(gravity: f32, threshold: f32) -> Result<Self, SceneError> {
        let mut engine = Self::with_gravity(gravity)?;
        // No scene has a negative threshold, the only one that Box2D refuses.
        let _ = engine.world_mut().set_restitution_threshold(threshold);
        Ok(engine)
    }
}

/// Rapier has no threshold: a contact modifier takes the restitution away from slow hits.
#[cfg(feature = "rapier2d")]
mod rapier {
    use evenstep_physics::Rapier2d;
    use evenstep_physics::rapier2d::prelude::{ActiveHooks, ContactModificationContext, PhysicsHooks, RigidBodyHandle};

    use super::{SceneEngine as _, SceneError, Threshold};

    /// The slowest hit that bounces, in m/s.
    struct Slowest(f32);

    impl PhysicsHooks for Slowest {
        fn modify_solver_contacts(&self, context: &mut ContactModificationContext<'_>) {
            let bodies = context.bodies;
            let velocity = |body: Option<RigidBodyHandle>| {
                let body = body.and_then(|handle| bodies.get(handle));
                body.map(|body| body.linvel()).unwrap_or_default()
            };
            let apart = velocity(context.rigid_body2) - velocity(context.rigid_body1);
            let Some(contact) = context.rigid_mut() else { return };
            // The normal points from the first body to the second.
            if -apart.dot(*contact.normal) < self.0 {
                *contact.restitution = 0.0;
            }
        }
    }

    impl Threshold for Rapier2d {
        fn with_threshold(gravity: f32, threshold: f32) -> Result<Self, SceneError> {
            Ok(Self::with_gravity(gravity)?.with_hooks(Slowest(threshold)))
        }

        fn apply_threshold(&mut self) {
            for (_, collider) in self.world_mut().colliders.iter_mut() {
                collider.set_active_hooks(ActiveHooks::MODIFY_SOLVER_CONTACTS);
            }
        }
    }
}

fn throw<E: Threshold>(threshold: f32) -> Result<PhysicsScene<E>, SceneError> {
    let engine = E::with_threshold(GRAVITY * SCALE, threshold)?;
    let mut scene = PhysicsScene::on(engine, INFO.rate, 2);
    scene.add_border((480.0 * SCALE, 320.0 * SCALE))?;
    let half = E::Motion::half(32.0 * SCALE, 32.0 * SCALE);
    for (x, vx, vy) in [(-300.0, 260.0, 120.0), (300.0, -220.0, 160.0)] {
        let thrown =
            E::Motion::resting(x * SCALE, 150.0 * SCALE, 0.4).with_velocity(E::Motion::vector(vx * SCALE, vy * SCALE));
        let def = BodyDef::new(Shape::Box(half)).moving(thrown);
        scene.add(&def.with_restitution(1.0).with_friction(0.1), Role::Block(half))?;
    }
    scene.system.world_mut().engine_mut().apply_threshold();
    Ok(scene)
}
