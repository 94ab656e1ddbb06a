//! Scenes on a physics engine, for each engine that is compiled in.

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

const ANY_ENGINE: &[&str] = &["box2d", "rapier2d", "rapier3d"];
const ENGINE_2D: &[&str] = &["box2d", "rapier2d"];
const ENGINE_3D: &[&str] = &["rapier3d"];

/// Builds a scene on the engine of this name, by a generic function. The engines follow, each after its feature.
macro_rules! build_on_engine {
    ($name:expr, $build:ident $arguments:tt, $($feature:literal $engine:ident),+) => {
        match $name {
            $(
                #[cfg(feature = $feature)]
                $feature => Ok(Box::new($build::<evenstep_physics::$engine> $arguments?)),
            )+
            other => Err($crate::SceneError::NotCompiled(other.to_owned())),
        }
    };
}

use build_on_engine;
