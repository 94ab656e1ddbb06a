//! Two blocks between walls at a low step rate, to compare raw and smoothed drawing.

use evenstep::Rate;
use evenstep_physics::engine::BodyMotion;
use evenstep_physics::{BodyDef, Shape};

use super::physics_scene::{PhysicsScene, Role};
use super::scene_engine::SceneEngine;
use super::{ANY_ENGINE, build_on_engine};
use crate::{Channel, SceneError, SceneInfo, Settings};

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "two-paths",
    summary: "Two blocks bounce between walls at 20 steps a second: the raw motion stutters, the smoothed motion does not.",
    rate: Rate::hz(20),
    seconds: 10,
    settings: &[ANY_ENGINE],
    channels: &[
        Channel { name: "x", unit: "m" },
        Channel { name: "y", unit: "m" },
        Channel {
            name: "second x",
            unit: "m",
        },
        Channel {
            name: "second y",
            unit: "m",
        },
    ],
    path: Some((0, 1)),
    build: |settings| build_on_engine!(settings, build, any),
};

fn build<E: SceneEngine<Motion: Default>>(_: &Settings) -> Result<PhysicsScene<E>, SceneError> {
    let mut scene = PhysicsScene::new(0.0, INFO.rate)?;
    scene.add_border((20.0, 10.0))?;
    for (y, vx, vy) in [(4.0, 9.0, 5.0), (-4.0, -8.0, 6.0)] {
        let motion = E::Motion::at(E::pose(0.0, y, 0.4)).with_velocity(E::vector(vx, vy));
        let def = BodyDef::new(Shape::Box(E::half(1.0, 1.0))).moving(motion);
        let block = scene.add(&def.with_restitution(1.0).with_friction(0.1), Role::Thing)?;
        scene.follow(block);
    }
    Ok(scene)
}
