//! Boxes that a gate removes: contacts and the game's own code in every step.

use evenstep::Rate;
use evenstep_physics::{BodyDef, Shape};

use super::physics_scene::{PhysicsScene, Role};
use super::scene_engine::{SceneEngine, SceneMotion as _};
use super::{ANY_ENGINE, GRAVITY, build_on_engine};
use crate::{SceneError, SceneInfo};

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "gates",
    rate: Rate::hz(60),
    engines: ANY_ENGINE,
    build: |engine| build_on_engine!(engine, build(), "box2d" Box2d, "rapier2d" Rapier2d, "rapier3d" Rapier3d),
};

/// The number of boxes.
const COUNT: u8 = 12;

fn build<E: SceneEngine>() -> Result<PhysicsScene<E>, SceneError> {
    let mut scene = PhysicsScene::<E>::new(INFO.rate, GRAVITY)?;
    scene.add_fixed((0.0, -4.0), (5.0, 1.0), Role::Gate)?;
    for side in [-1.0, 1.0] {
        scene.add_fixed((side * 5.5, 0.0), (2.5, 3.0), Role::Scenery)?;
    }
    for n in 0..COUNT {
        let (column, row) = (f32::from(n % 3), f32::from(n / 3));
        let x = (column - 1.0) * 2.2 + 0.15 * (row % 2.0);
        let start = E::Motion::resting(x, 5.0 + 1.6 * row, 0.2 * column);
        let shape = Shape::Box(E::Motion::half(0.6, 0.3));
        scene.add(&BodyDef::new(shape).moving(start), Role::Passer)?;
    }
    Ok(scene)
}
