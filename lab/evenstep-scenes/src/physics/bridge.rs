//! A car drives over a bridge of hinged planks and on over hills: joints, motors and terrain by the engine's own API.

use evenstep::Rate;

use super::native_api::{Motor, NativeApi};
use super::physics_scene::{PhysicsScene, Role};
use super::{ANY_ENGINE, GRAVITY, POSITION, build_on_engine, count};
use crate::{Outline, SceneError, SceneInfo, Settings};

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "bridge",
    summary: "A car with motors in its wheels drives over a bridge of hinged planks and on over hills.",
    rate: Rate::hz(60),
    seconds: 12,
    settings: &[ANY_ENGINE, count("planks", "how many planks", 16.0, 60.0)],
    channels: POSITION,
    path: Some((0, 1)),
    build: |settings| build_on_engine!(settings, build, any),
};

/// The motor of a wheel; it drives to the right.
const MOTOR: Motor = Motor {
    speed: -8.0,
    torque: 40.0,
};

fn build<E: NativeApi<Motion: Default>>(settings: &Settings) -> Result<PhysicsScene<E>, SceneError> {
    let mut scene = PhysicsScene::<E>::new(GRAVITY, INFO.rate)?;
    let planks = settings.number("planks") as u32;
    let half = 0.5 * planks as f32;
    let left = scene.add_ground((-half - 20.0, -1.0), (20.0, 1.0))?;
    let right = scene.add_ground((half + 3.0, -1.0), (3.0, 1.0))?;
    add_hills(&mut scene, half + 5.0)?;

    let mut last = scene.system.world().handle(left)?;
    for n in 0..planks {
        let x = n as f32 - half;
        let engine = scene.system.world_mut().engine_mut();
        let plank = engine.compound((x + 0.5, -0.1), &[((0.0, 0.0), (0.48, 0.1))], false)?;
        engine.hinge(last, plank, (x, -0.1), None)?;
        let key = scene.adopt(plank, Role::Thing)?;
        scene.draw(key, vec![Outline::of_box((0.0, 0.0), (0.48, 0.1))]);
        last = plank;
    }
    let right = scene.system.world().handle(right)?;
    let engine = scene.system.world_mut().engine_mut();
    engine.hinge(last, right, (half, -0.1), None)?;

    let start = -half - 6.0;
    let body = [((0.0, 0.0), (1.5, 0.25)), ((-0.3, 0.45), (0.7, 0.2))];
    let chassis = engine.compound((start, 1.0), &body, false)?;
    let mut car = vec![chassis];
    for x in [start - 1.0, start + 1.0] {
        let wheel = engine.wheel((x, 0.6), 0.5)?;
        engine.hinge(chassis, wheel, (x, 0.6), Some(MOTOR))?;
        car.push(wheel);
    }
    for (n, part) in car.into_iter().enumerate() {
        let key = scene.adopt(part, Role::Thing)?;
        if n == 0 {
            scene.follow(key);
            scene.draw(key, body.map(|(at, half)| Outline::of_box(at, half)).to_vec());
        } else {
            scene.draw(key, vec![Outline::of_box((0.0, 0.0), (0.5, 0.5)).rounded()]);
        }
    }
    Ok(scene)
}

/// Hills to the right of `from`, each higher than the last; the first is as flat as the bank.
fn add_hills<E: NativeApi>(scene: &mut PhysicsScene<E>, from: f32) -> Result<(), SceneError> {
    const SPACING: f32 = 0.5;
    let height = |n: u32| {
        let (hill, along) = (n / 12, (n % 12) as f32 / 12.0);
        // Squared, it begins and ends level, so that hills meet without a kink.
        let bump = 4.0 * along * (1.0 - along);
        0.25 * hill as f32 * bump * bump
    };
    let heights: Vec<f32> = (0..=84).map(height).collect();
    scene
        .system
        .world_mut()
        .engine_mut()
        .terrain((from, 0.0), SPACING, &heights)?;
    scene.show_terrain((from, 0.0), SPACING, &heights);
    Ok(())
}
