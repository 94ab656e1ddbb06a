//! Boxes that a gate removes: contacts and the game's own code in every step.

use evenstep::Rate;
use evenstep_physics::{BodyDef, Shape};

use super::physics_scene::{PhysicsScene, Role};
use super::scene_engine::{SceneEngine, SceneMotion as _};
use super::{ANY_ENGINE, GRAVITY, POSITION, build_on_engine, count};
use crate::{SceneError, SceneInfo, Settings};

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "gates",
    rate: Rate::hz(60),
    settings: &[ANY_ENGINE, count("12", 200)],
    channels: POSITION,
    build: |settings| build_on_engine!(settings, build, "box2d" Box2d, "rapier2d" Rapier2d, "rapier3d" Rapier3d),
};

fn build<E: SceneEngine>(settings: &Settings) -> Result<PhysicsScene<E>, SceneError> {
    let mut scene = PhysicsScene::<E>::new(&INFO, GRAVITY)?;
    scene.add_fixed((0.0, -4.0), (5.0, 1.0), Role::Gate)?;
    for side in [-1.0, 1.0] {
        scene.add_fixed((side * 5.5, 0.0), (2.5, 3.0), Role::Scenery)?;
    }
    for n in 0..settings.number("count") as u32 {
        let (column, row) = ((n % 3) as f32, (n / 3) as f32);
        let x = (column - 1.0) * 2.2 + 0.15 * (row % 2.0);
        let start = E::Motion::resting(x, 5.0 + 1.6 * row, 0.2 * column);
        let shape = Shape::Box(E::Motion::half(0.6, 0.3));
        scene.add(&BodyDef::new(shape).moving(start), Role::Passer)?;
    }
    Ok(scene)
}
