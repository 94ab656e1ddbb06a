//! Missiles that pursue a target: a controller in every step.

use std::collections::BTreeMap;

use evenstep::{Rate, Step, Vector as _};
use evenstep_physics::controller::Controller;
use evenstep_physics::engine::{BodyMotion, PhysicsVector, VectorOf};
use evenstep_physics::{BodyDef, BodyKey, Engine, Shape, World};

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
    let steering = Missile::<VectorOf<E>> {
        target,
        guidance,
        turn_rate: 4.0,
        lines_of_sight: BTreeMap::new(),
    };
    scene.system.attach(steering, &missiles);
    Ok(scene)
}

/// How a missile chooses its direction.
#[derive(Clone, Copy)]
enum Guidance {
    /// *Pure pursuit*: steers at the target's present position.
    Pursuit,
    /// *Proportional navigation*: turns `gain` times as fast as the line of sight.
    ProportionalNavigation { gain: f32 },
}

/// Steers bodies towards another body at constant speed and a limited turn rate.
#[derive(Clone)]
struct Missile<V> {
    target: BodyKey,
    guidance: Guidance,
    turn_rate: f32,
    /// The line of sight of each missile in the last step.
    lines_of_sight: BTreeMap<BodyKey, V>,
}

impl<E: Engine, U> Controller<E, U> for Missile<VectorOf<E>> {
    fn control(&mut self, world: &mut World<E, U>, body: BodyKey, step: &Step) {
        let (Ok(own), Ok(from), Ok(to)) = (
            world.motion(body),
            world.center_of_mass(body),
            world.center_of_mass(self.target),
        ) else {
            return;
        };
        let (velocity, limit) = (own.velocity(), (self.turn_rate * step.dt as f32).max(0.0));
        let Some(sight) = direction(to.plus(from, -1.0)) else {
            return;
        };
        let Some(heading) = direction(velocity) else { return };
        let turned = match self.guidance {
            Guidance::Pursuit => turned_towards(heading, sight, limit),
            Guidance::ProportionalNavigation { gain } => {
                let last = self.lines_of_sight.insert(body, sight).unwrap_or(sight);
                let turn = sight.plus(last, -1.0);
                // The rotation of the line of sight, perpendicular to the heading.
                let across = turn.plus(heading, -f64::from(turn.dot(&heading)));
                let wanted = (across.length() * gain).max(0.0);
                match direction(across) {
                    Some(side) => turned_aside(heading, side, wanted.min(limit)),
                    None => heading,
                }
            }
        };
        let _ = world.set_velocity(body, turned.times(f64::from(velocity.length())));
    }
}

fn direction<V: PhysicsVector>(vector: V) -> Option<V> {
    let length = vector.length();
    (length > 0.0).then(|| vector.times(1.0 / f64::from(length)))
}

/// A unit vector rotated towards another by at most `limit` radians.
fn turned_towards<V: PhysicsVector>(from: V, to: V, limit: f32) -> V {
    let cos = from.dot(&to).clamp(-1.0, 1.0);
    let angle = libm::acosf(cos);
    if angle <= limit {
        return to;
    }
    match direction(to.plus(from, -f64::from(cos))) {
        Some(side) => turned_aside(from, side, limit),
        None => from,
    }
}

/// A unit vector rotated by an angle towards a perpendicular unit vector.
fn turned_aside<V: PhysicsVector>(from: V, side: V, angle: f32) -> V {
    let (sin, cos) = libm::sincosf(angle);
    from.times(f64::from(cos)).plus(side, f64::from(sin))
}
