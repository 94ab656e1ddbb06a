//! Crosses that fall through a gate: sensors, filters and bodies of several shapes.

use evenstep::Rate;

use super::own::OwnApi;
use super::stage::{Role, Stage};
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

fn build<E: OwnApi<Motion: Default>>(settings: &Settings) -> Result<Stage<E>, SceneError> {
    let mut stage = Stage::<E>::new(GRAVITY, INFO.rate)?;
    stage.add_wall((0.0, -12.0), (60.0, 1.0))?;
    for side in [-1.0, 1.0] {
        stage.add_wall((side * 7.0, 0.0), (2.0, 3.0))?;
    }
    stage.system.world_mut().engine_mut().sensor((0.0, 0.0), (5.0, 0.5))?;
    let count = settings.number("count") as u32;
    stage.count_through_gate(count as usize);
    for n in 0..count {
        let (column, row) = ((n % 3) as f32, (n / 3) as f32);
        let cross = [((0.0, 0.0), (0.6, 0.15)), ((0.0, 0.0), (0.15, 0.6))];
        let centre = ((column - 1.0) * 2.2 + 0.15 * (row % 2.0), 5.0 + 1.6 * row);
        let cross = stage
            .system
            .world_mut()
            .engine_mut()
            .compound(centre, &cross, n % 2 == 1)?;
        let key = stage.adopt(cross, Role::Passer)?;
        if n == 0 {
            stage.follow(key);
        }
    }
    Ok(stage)
}
