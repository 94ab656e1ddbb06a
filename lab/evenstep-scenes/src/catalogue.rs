//! The list of all scenes.

use crate::{SceneInfo, hockey, physics, spring, spring_and_ball};

/// The scene `snooker`. A program that names it by this constant contains no other.
pub const SNOOKER: SceneInfo = physics::snooker::INFO;

/// All scenes, in a recommended order.
pub const SCENES: &[SceneInfo] = &[
    spring_and_ball::INFO,
    spring::INFO,
    hockey::INFO,
    physics::falling_blocks::INFO,
    physics::two_blocks::INFO,
    physics::pool::INFO,
    physics::tumble::INFO,
    SNOOKER,
    physics::gates::INFO,
];

impl SceneInfo {
    /// The scene with a name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        SCENES.iter().find(|scene| scene.name == name)
    }
}
