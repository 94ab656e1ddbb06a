//! Lifts that carry boxes: kinematic bodies that are told where to be.

use evenstep::Rate;
use evenstep_physics::{BodyDef, BodyKind, Shape};

use super::stage::{Lift, Role, Stage};
use super::upright::Upright;
use super::{ANY_ENGINE, GRAVITY, POSITION, build_on_engine, count};
use crate::{SceneError, SceneInfo, Settings};

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "platforms",
    summary: "Lifts go up and down and to and fro; the boxes that stand on them are carried along.",
    rate: Rate::hz(60),
    seconds: 10,
    settings: &[ANY_ENGINE, count("lifts", "how many lifts", 3.0, 20.0)],
    channels: POSITION,
    path: Some((0, 1)),
    build: |settings| build_on_engine!(settings, build, any),
};

fn build<E: Upright<Motion: Default>>(settings: &Settings) -> Result<Stage<E>, SceneError> {
    let mut stage = Stage::<E>::new(GRAVITY, INFO.rate)?;
    stage.add_wall((0.0, -6.0), (200.0, 1.0))?;
    for n in 0..settings.number("lifts") as u32 {
        let from = (10.0 * n as f32, 0.0);
        let to = if n % 2 == 0 { (from.0, 4.0) } else { (from.0 + 3.0, 0.0) };
        let lift = BodyDef::new(Shape::Box(E::half(2.0, 0.25)))
            .of_kind(BodyKind::Kinematic)
            .at(E::pose(from.0, from.1, 0.0));
        let lift = stage.add(&lift.with_friction(0.9), Role::Thing)?;
        stage.add_lift(Lift {
            body: lift,
            from,
            to,
            ticks: 150,
        });
        for row in 0..2 {
            let centre = (from.0, 0.75 + row as f32);
            let rider = BodyDef::new(Shape::Box(E::half(0.5, 0.5))).at(E::pose(centre.0, centre.1, 0.0));
            let rider = stage.add(&rider.with_friction(0.9), Role::Thing)?;
            if n == 0 && row == 0 {
                stage.follow(rider);
            }
        }
    }
    Ok(stage)
}
