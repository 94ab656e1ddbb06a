//! Boxes that tumble in space: rotations as quaternions.

use evenstep::Rate;
use evenstep::poses::{Motion3, Pose3, Quat};
use evenstep_physics::{BodyDef, Shape};

use super::physics_scene::{PhysicsScene, Role};
use super::scene_engine::SceneEngine;
use super::{ENGINE_3D, GRAVITY, POSITION, build_on_engine, count};
use crate::{SceneError, SceneInfo, Settings};

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "tumble",
    rate: Rate::hz(60),
    settings: &[ENGINE_3D, count("40", 500)],
    channels: POSITION,
    build: |settings| build_on_engine!(settings, build, "rapier3d" Rapier3d),
};

fn build<E: SceneEngine<Motion = Motion3>>(settings: &Settings) -> Result<PhysicsScene<E>, SceneError> {
    let mut scene = PhysicsScene::new(&INFO, GRAVITY)?;
    scene.add_floor()?;
    let count = settings.number("count") as u32;
    for n in 0..count {
        let (column, row, layer) = ((n % 4) as f32, (n / 4 % 4) as f32, (n / 16) as f32);
        let position = [2.2 * (column - 1.5), 6.0 + 2.5 * layer, 2.2 * (row - 1.5)];
        let motion = Motion3 {
            pose: Pose3::new(position, Quat::from_scaled_axis([0.3 * column, 0.2 * row, 0.1 * layer])),
            velocity: [0.0; 3],
            angular_velocity: [3.0 - column, 0.5 * row, 2.0],
        };
        let half = [0.8, 0.5, 0.3];
        scene.add(&BodyDef::new(Shape::Box(half)).moving(motion), Role::Block(half))?;
    }
    Ok(scene)
}
