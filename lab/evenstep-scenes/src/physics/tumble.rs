//! Boxes that tumble in space: rotations as quaternions.

use evenstep::Rate;
use evenstep::poses::{Motion3, Pose3, Quat};
use evenstep_physics::{BodyDef, Shape};

use super::physics_scene::{PhysicsScene, Role};
use super::scene_engine::SceneEngine;
use super::{ENGINE_3D, GRAVITY, build_on_engine};
use crate::{SceneError, SceneInfo};

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "tumble",
    rate: Rate::hz(60),
    engines: ENGINE_3D,
    build: |engine| build_on_engine!(engine, build(), "rapier3d" Rapier3d),
};

/// The number of boxes.
const COUNT: u8 = 40;

fn build<E: SceneEngine<Motion = Motion3>>() -> Result<PhysicsScene<E>, SceneError> {
    let mut scene = PhysicsScene::new(INFO.rate, GRAVITY)?;
    scene.add_floor()?;
    for n in 0..COUNT {
        let [column, row, layer] = [n % 4, n / 4 % 4, n / 16].map(f32::from);
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
