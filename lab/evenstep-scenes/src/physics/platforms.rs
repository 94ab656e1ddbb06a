//! Lifts that carry boxes and a character: kinematic bodies with targets.

use evenstep::Rate;
use evenstep_physics::{BodyDef, BodyKind, Shape};

use super::character::CAPSULE;
use super::native_api::NativeApi;
use super::physics_scene::{Lift, PhysicsScene, Role, Walker};
use super::{ANY_ENGINE, GRAVITY, build_on_engine, count};
use crate::{Channel, Outline, SceneError, SceneInfo, Settings};

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "platforms",
    summary: "Lifts go up and down and to and fro; they carry boxes, and a character that walks on one of them.",
    rate: Rate::hz(60),
    seconds: 10,
    settings: &[ANY_ENGINE, count("lifts", "how many lifts", 3.0, 20.0)],
    channels: &[
        Channel { name: "x", unit: "m" },
        Channel { name: "y", unit: "m" },
        Channel {
            name: "character x",
            unit: "m",
        },
        Channel {
            name: "character y",
            unit: "m",
        },
    ],
    path: Some((0, 1)),
    build: |settings| build_on_engine!(settings, build, any),
};

const LIFT: (f32, f32) = (2.0, 0.25);

fn build<E: NativeApi<Motion: Default>>(settings: &Settings) -> Result<PhysicsScene<E>, SceneError> {
    let mut scene = PhysicsScene::<E>::new(GRAVITY, INFO.rate)?;
    let lifts = settings.number("lifts") as u32;
    scene.add_ground((5.0 * lifts as f32, -6.0), (5.0 * lifts as f32 + 20.0, 1.0))?;
    for n in 0..lifts {
        let from = (10.0 * n as f32, 0.0);
        let to = if n % 2 == 0 { (from.0, 4.0) } else { (from.0 + 3.0, 0.0) };
        let lift = BodyDef::new(Shape::Box(E::half(LIFT.0, LIFT.1)))
            .of_kind(BodyKind::Kinematic)
            .at(E::pose(from.0, from.1, 0.0));
        let body = scene.add(&lift.with_friction(0.9), Role::Thing)?;
        scene.draw(body, vec![Outline::of_box((0.0, 0.0), LIFT)]);
        scene.add_lift(Lift {
            body,
            from,
            to,
            ticks: 150,
        });
        for row in 0..2 {
            let centre = (from.0 + 1.3 * (n % 2) as f32, 0.75 + row as f32);
            let rider = BodyDef::new(Shape::Box(E::half(0.5, 0.5))).at(E::pose(centre.0, centre.1, 0.0));
            let rider = scene.add(&rider.with_friction(0.9), Role::Thing)?;
            scene.draw(rider, vec![Outline::of_box((0.0, 0.0), (0.5, 0.5))]);
            if n == 0 && row == 0 {
                scene.follow(rider);
            }
        }
    }
    // On the left half of the first lift, which goes up and down.
    add_character(&mut scene, (-1.4, LIFT.1 + CAPSULE.0 + CAPSULE.1 + 0.05))?;
    Ok(scene)
}

fn add_character<E: NativeApi<Motion: Default>>(
    scene: &mut PhysicsScene<E>,
    centre: (f32, f32),
) -> Result<(), SceneError> {
    let character = scene.system.world_mut().engine_mut().character(centre)?;
    let body = scene.adopt(character, Role::Thing)?;
    let (length, radius) = CAPSULE;
    scene.draw(
        body,
        vec![Outline::of_box((0.0, 0.0), (radius, length + radius)).rounded()],
    );
    scene.add_walker(Walker {
        body,
        speed: 0.5,
        ticks: 60,
        vertical_velocity: 0.0,
    });
    scene.follow(body);
    Ok(())
}
