//! Missiles that pursue a target: a controller in every step.

use evenstep::Rate;
use evenstep_physics::controller::{Guidance, Missile};
use evenstep_physics::engine::BodyMotion;
use evenstep_physics::{BodyDef, Shape};

use super::physics_scene::{PhysicsScene, Role};
use super::scene_engine::SceneEngine;
use super::{ANY_ENGINE, POSITION, build_on_engine, count};
use crate::{SceneError, SceneInfo, Setting, SettingKind, Settings};

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "missiles",
    summary: "Missiles steer at a target that crosses their way, by pursuit or by proportional navigation.",
    rate: Rate::hz(60),
    seconds: 10,
    settings: &[
        ANY_ENGINE,
        count("count", "how many missiles", 8.0, 100.0),
        Setting {
            key: "guidance",
            help: "how they choose their direction",
            kind: SettingKind::Choice(&["proportional", "pursuit"]),
        },
    ],
    channels: POSITION,
    path: Some((0, 1)),
    build: |settings| build_on_engine!(settings, build, any),
};

fn build<E: SceneEngine<Motion: Default>>(settings: &Settings) -> Result<PhysicsScene<E>, SceneError> {
    let mut scene = PhysicsScene::new(0.0, INFO.rate)?;
    let crossing = E::Motion::at(E::pose(-40.0, 60.0, 0.0)).with_velocity(E::vector(12.0, 0.0));
    let target = scene.add(
        &BodyDef::new(Shape::Ball(1.5)).with_density(100.0).moving(crossing),
        Role::Target,
    )?;
    let guidance = match settings.choice("guidance") {
        "pursuit" => Guidance::Pursuit,
        _ => Guidance::ProportionalNavigation { gain: 4.0 },
    };
    let count = settings.number("count") as u32;
    let mut missiles = Vec::new();
    for n in 0..count {
        let x = 3.0 * (n as f32 - 0.5 * (count - 1) as f32);
        // One behind the other, so that they do not jostle.
        let flying = E::Motion::at(E::pose(x, -5.0 * n as f32, 0.0)).with_velocity(E::vector(0.0, 25.0));
        missiles.push(scene.add(&BodyDef::new(Shape::Ball(0.3)).moving(flying), Role::Missile)?);
    }
    scene.follow(missiles[0]);
    scene.system.attach(Missile::new(target, guidance, 4.0), &missiles);
    Ok(scene)
}
