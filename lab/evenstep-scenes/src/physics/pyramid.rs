//! A pyramid of boxes: many contacts that must carry a load.

use evenstep::Rate;

use super::physics_scene::PhysicsScene;
use super::scene_engine::SceneEngine;
use super::{ANY_ENGINE, GRAVITY, POSITION, build_on_engine, count};
use crate::{SceneError, SceneInfo, Settings};

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "pyramid",
    summary: "A large pyramid of boxes that stands, if steps are short enough for its contacts.",
    rate: Rate::hz(60),
    seconds: 5,
    settings: &[ANY_ENGINE, count("rows", "rows of boxes", 20.0, 60.0)],
    channels: POSITION,
    path: None,
    build: |settings| build_on_engine!(settings, build, any),
};

fn build<E: SceneEngine<Motion: Default>>(settings: &Settings) -> Result<PhysicsScene<E>, SceneError> {
    let mut scene = PhysicsScene::new(GRAVITY, INFO.rate)?;
    scene.add_floor()?;
    let rows = settings.number("rows") as u32;
    for row in 0..rows {
        for column in 0..rows - row {
            let x = column as f32 - 0.5 * (rows - row - 1) as f32;
            let block = scene.add_block((1.1 * x, 0.5 + row as f32), 0.0, (0.5, 0.5))?;
            if row + 1 == rows {
                scene.follow(block);
            }
        }
    }
    Ok(scene)
}
