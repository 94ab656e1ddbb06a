//! Fast balls on a table, which would tunnel through each other in long steps.

use evenstep::Rate;
use evenstep_physics::engine::BodyMotion;
use evenstep_physics::{BodyDef, Shape};

use super::physics_scene::{PhysicsScene, Role};
use super::scene_engine::{SceneEngine, SceneMotion as _};
use super::{ANY_ENGINE, build_on_engine};
use crate::{SceneError, SceneInfo};

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "snooker",
    rate: Rate::hz(60),
    engines: ANY_ENGINE,
    build: |engine| build_on_engine!(engine, build(), "box2d" Box2d, "rapier2d" Rapier2d, "rapier3d" Rapier3d),
};

/// The speed of the cue ball in m/s.
const SPEED: f32 = 60.0;

fn build<E: SceneEngine>() -> Result<PhysicsScene<E>, SceneError> {
    let mut scene = PhysicsScene::<E>::new(INFO.rate, 0.0)?;
    scene.add_border((20.0, 10.0))?;
    let ball = || {
        BodyDef::new(Shape::Ball(0.5))
            .with_restitution(0.9)
            .with_friction(0.1)
            .as_bullet()
    };
    let struck = E::Motion::resting(-15.0, 0.2, 0.0).with_velocity(E::Motion::vector(SPEED, 0.0));
    // Drawn as a block as large as the ball.
    let half = E::Motion::half(0.5, 0.5);
    scene.add(&ball().moving(struck), Role::Block(half))?;
    for row in 0..5 {
        for column in 0..=row {
            let y = 1.02 * (column as f32 - 0.5 * row as f32);
            let racked = E::Motion::resting(5.0 + 0.9 * row as f32, y, 0.0);
            scene.add(&ball().moving(racked), Role::Block(half))?;
        }
    }
    Ok(scene)
}
