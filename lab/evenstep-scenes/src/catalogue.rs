//! The list of all scenes.

use crate::{SceneInfo, hockey, physics, spring, spring_and_ball};

/// The scene `falling-blocks`. A program that names a scene by its constant contains only that one.
pub const FALLING_BLOCKS: SceneInfo = physics::falling_blocks::INFO;

/// The scene `two-blocks`.
pub const TWO_BLOCKS: SceneInfo = physics::two_blocks::INFO;

/// The scene `snooker`.
pub const SNOOKER: SceneInfo = physics::snooker::INFO;

/// All scenes, in a recommended order.
pub const SCENES: &[SceneInfo] = &[
    spring_and_ball::INFO,
    spring::INFO,
    hockey::INFO,
    FALLING_BLOCKS,
    TWO_BLOCKS,
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
