//! Scenes on a physics engine, for each engine that is compiled in.

use crate::{Channel, Setting, SettingKind};

pub(crate) mod falling_blocks;
pub(crate) mod gates;
mod physics_scene;
pub(crate) mod pool;
mod rules;
mod scene_engine;
pub(crate) mod snooker;
pub(crate) mod tumble;
pub(crate) mod two_blocks;

/// Gravity in m/s².
const GRAVITY: f32 = -10.0;

/// The channels of scenes that follow one body: its position.
const POSITION: &[Channel] = &[Channel { name: "x", unit: "m" }, Channel { name: "y", unit: "m" }];

const fn engine(engines: &'static [&'static str]) -> Setting {
    Setting {
        key: "engine",
        help: "the physics engine",
        kind: SettingKind::Choice(engines),
    }
}

const ANY_ENGINE: Setting = engine(&["box2d", "rapier2d", "rapier3d"]);
const ENGINE_2D: Setting = engine(&["box2d", "rapier2d"]);
const ENGINE_3D: Setting = engine(&["rapier3d"]);

const fn count(key: &'static str, help: &'static str, default: f64, max: f64) -> Setting {
    let kind = SettingKind::Number {
        default,
        min: 1.0,
        max,
        unit: "",
    };
    Setting { key, help, kind }
}

/// Builds a scene with the engine that the settings name, by a generic function: for all engines (`any`), for two-dimensional ones
/// (`two_d`) or for three-dimensional ones (`three_d`).
macro_rules! build_on_engine {
    ($settings:expr, $build:ident, two_d) => {
        match $settings.choice("engine") {
            #[cfg(feature = "box2d")]
            "box2d" => Ok(Box::new($build::<evenstep_physics::Box2d>($settings)?)),
            #[cfg(feature = "rapier2d")]
            "rapier2d" => Ok(Box::new($build::<evenstep_physics::Rapier2d>($settings)?)),
            other => Err($crate::SceneError::NotCompiled(other)),
        }
    };
    ($settings:expr, $build:ident, three_d) => {
        match $settings.choice("engine") {
            #[cfg(feature = "rapier3d")]
            "rapier3d" => Ok(Box::new($build::<evenstep_physics::Rapier3d>($settings)?)),
            other => Err($crate::SceneError::NotCompiled(other)),
        }
    };
    ($settings:expr, $build:ident, any) => {
        match $settings.choice("engine") {
            #[cfg(feature = "box2d")]
            "box2d" => Ok(Box::new($build::<evenstep_physics::Box2d>($settings)?)),
            #[cfg(feature = "rapier2d")]
            "rapier2d" => Ok(Box::new($build::<evenstep_physics::Rapier2d>($settings)?)),
            #[cfg(feature = "rapier3d")]
            "rapier3d" => Ok(Box::new($build::<evenstep_physics::Rapier3d>($settings)?)),
            other => Err($crate::SceneError::NotCompiled(other)),
        }
    };
}

use build_on_engine;
