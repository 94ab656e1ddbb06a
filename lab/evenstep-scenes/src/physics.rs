//! Scenes on a physics engine, for each engine that is compiled in.

use crate::Setting;

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
const POSITION: &[&str] = &["x", "y"];

const ANY_ENGINE: Setting = engine(&["box2d", "rapier2d", "rapier3d"]);
const ENGINE_2D: Setting = engine(&["box2d", "rapier2d"]);
const ENGINE_3D: Setting = engine(&["rapier3d"]);

const fn engine(engines: &'static [&'static str]) -> Setting {
    Setting::choice("engine", engines)
}

/// The number of boxes.
const fn count(default: &'static str, max: u32) -> Setting {
    Setting::whole("count", default, max)
}

/// Builds a scene by a generic function with the engine that the settings name: one of those that follow, each with its feature.
macro_rules! build_on_engine {
    ($settings:expr, $build:ident, $($feature:literal $engine:ident),+) => {
        match $settings.text("engine") {
            $(
                #[cfg(feature = $feature)]
                $feature => Ok(Box::new($build::<evenstep_physics::$engine>($settings)?)),
            )+
            other => Err($crate::SceneError::NotCompiled(other.to_owned())),
        }
    };
}

use build_on_engine;
