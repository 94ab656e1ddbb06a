//! Boxes that fall on a floor: long steps let them sink in.

use evenstep::Rate;
use evenstep_physics::{BodyDef, Shape};

use super::physics_scene::{PhysicsScene, Role};
use super::scene_engine::{SceneEngine, SceneMotion as _};
use super::{ANY_ENGINE, GRAVITY, build_on_engine};
use crate::{Scene, SceneError, SceneInfo};

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "falling-blocks",
    rate: Rate::hz(60),
    engines: ANY_ENGINE,
    build: |engine| build(engine, 60),
};

/// The scene `falling-blocks` on an engine, with a number of blocks.
///
/// # Errors
///
/// If the engine is not compiled in or returns an error.
pub fn build(engine: &str, count: u32) -> Result<Box<dyn Scene>, SceneError> {
    build_on_engine!(engine, fall(count), "box2d" Box2d, "rapier2d" Rapier2d, "rapier3d" Rapier3d)
}

fn fall<E: SceneEngine>(count: u32) -> Result<PhysicsScene<E>, SceneError> {
    let mut scene = PhysicsScene::<E>::new(INFO.rate, GRAVITY)?;
    scene.add_floor()?;
    for n in 0..count {
        let (column, row) = ((n % 12) as f32, (n / 12) as f32);
        // Rows are set off against each other, so that boxes tumble.
        let x = (column - 5.5) * 1.6 + 0.35 * (row % 3.0 - 1.0);
        let start = E::Motion::resting(x, 6.0 + 1.5 * row, 0.1 * (n % 7) as f32);
        let half = E::Motion::half(0.5, 0.5);
        scene.add(&BodyDef::new(Shape::Box(half)).moving(start), Role::Block(half))?;
    }
    Ok(scene)
}
