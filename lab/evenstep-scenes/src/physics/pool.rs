//! Boxes afloat in the wind: forces that depend on the position of a body.

use evenstep::Rate;
use evenstep::poses::Motion2;
use evenstep_physics::controller::{Buoyancy, Wind};
use evenstep_physics::{BodyDef, Shape};

use super::physics_scene::{PhysicsScene, Role};
use super::scene_engine::{SceneEngine, SceneMotion as _};
use super::{ENGINE_2D, GRAVITY, build_on_engine};
use crate::{SceneError, SceneInfo};

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "pool",
    rate: Rate::hz(60),
    engines: ENGINE_2D,
    build: |engine| build_on_engine!(engine, build(), "box2d" Box2d, "rapier2d" Rapier2d),
};

/// The fluid's mass per area in kg/m².
const DENSITY: f32 = 2.0;

fn build<E: SceneEngine<Motion = Motion2>>() -> Result<PhysicsScene<E>, SceneError> {
    let mut scene = PhysicsScene::new(INFO.rate, GRAVITY)?;
    for (centre, half) in [
        ((0.0, -9.0), (30.0, 1.0)),
        ((-30.0, 0.0), (1.0, 10.0)),
        ((30.0, 0.0), (1.0, 10.0)),
    ] {
        scene.add_fixed(centre, half, Role::Scenery)?;
    }
    let mut afloat = Vec::new();
    for column in (0..12_u8).map(f32::from) {
        let start = Motion2::resting((column - 5.5) * 3.0, 3.0, 0.2 * column);
        let def = BodyDef::new(Shape::Box([1.0, 0.6]))
            .with_density(0.5 + 0.1 * column)
            .moving(start);
        afloat.push(scene.add(&def, Role::Thing)?);
    }
    let water = Buoyancy::new(Shape::Box([1.0, 0.6]), 0.0)
        .with_density(DENSITY)
        .with_gravity(-GRAVITY)
        .with_drag(2.0);
    let breeze = Wind::new([4.0, 0.0], 0.05).with_wakes_at(0.1);
    scene.system.attach(water, &afloat);
    scene.system.attach(breeze, &afloat);
    Ok(scene)
}
