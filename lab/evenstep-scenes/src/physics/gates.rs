//! Boxes that a gate removes: contacts and the game's own code in every step.

use evenstep::Rate;
use evenstep_physics::{BodyDef, Shape};

use super::physics_scene::{PhysicsScene, Role};
use super::scene_engine::SceneEngine;
use super::{ANY_ENGINE, GRAVITY, POSITION, build_on_engine, count};
use crate::{SceneError, SceneInfo, Settings};

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "gates",
    summary: "Boxes fall between two walls onto a gate, which removes each box that touches it.",
    rate: Rate::hz(60),
    seconds: 8,
    settings: &[ANY_ENGINE, count("count", "how many boxes", 12.0, 200.0)],
    channels: POSITION,
    path: Some((0, 1)),
    build: |settings| build_on_engine!(settings, build, any),
};

fn build<E: SceneEngine<Motion: Default>>(settings: &Settings) -> Result<PhysicsScene<E>, SceneError> {
    let mut scene = PhysicsScene::<E>::new(GRAVITY, INFO.rate)?;
    scene.add_gate((0.0, -4.0), (5.0, 1.0))?;
    for side in [-1.0, 1.0] {
        scene.add_wall((side * 5.5, 0.0), (2.5, 3.0))?;
    }
    for n in 0..settings.number("count") as u32 {
        let (column, row) = ((n % 3) as f32, (n / 3) as f32);
        let pose = E::pose((column - 1.0) * 2.2 + 0.15 * (row % 2.0), 5.0 + 1.6 * row, 0.2 * column);
        let def = BodyDef::new(Shape::Box(E::half(0.6, 0.3))).at(pose);
        let passer = scene.add(&def, Role::Passer)?;
        if n == 0 {
            scene.follow(passer);
        }
    }
    Ok(scene)
}
