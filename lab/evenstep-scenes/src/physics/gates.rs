//! Crosses that fall through a gate: sensors, filters and bodies of several shapes.

use evenstep::Rate;

use super::native_api::NativeApi;
use super::physics_scene::{PhysicsScene, Role};
use super::{ANY_ENGINE, GRAVITY, POSITION, build_on_engine, count};
use crate::{SceneError, SceneInfo, Settings};

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "gates",
    summary: "Crosses fall through a gate that counts them; every other one is a ghost that the rest pass through.",
    rate: Rate::hz(60),
    seconds: 8,
    settings: &[ANY_ENGINE, count("count", "how many crosses", 12.0, 200.0)],
    channels: POSITION,
    path: Some((0, 1)),
    build: |settings| build_on_engine!(settings, build, any),
};

fn build<E: NativeApi<Motion: Default>>(settings: &Settings) -> Result<PhysicsScene<E>, SceneError> {
    let mut scene = PhysicsScene::<E>::new(GRAVITY, INFO.rate)?;
    scene.add_wall((0.0, -12.0), (60.0, 1.0))?;
    for side in [-1.0, 1.0] {
        scene.add_wall((side * 7.0, 0.0), (2.0, 3.0))?;
    }
    scene.system.world_mut().engine_mut().sensor((0.0, 0.0), (5.0, 0.5))?;
    let count = settings.number("count") as u32;
    scene.count_through_gate(count as usize);
    for n in 0..count {
        let (column, row) = ((n % 3) as f32, (n / 3) as f32);
        let cross = [((0.0, 0.0), (0.6, 0.15)), ((0.0, 0.0), (0.15, 0.6))];
        let centre = ((column - 1.0) * 2.2 + 0.15 * (row % 2.0), 5.0 + 1.6 * row);
        let cross = scene
            .system
            .world_mut()
            .engine_mut()
            .compound(centre, &cross, n % 2 == 1)?;
        let key = scene.adopt(cross, Role::Passer)?;
        if n == 0 {
            scene.follow(key);
        }
    }
    Ok(scene)
}
