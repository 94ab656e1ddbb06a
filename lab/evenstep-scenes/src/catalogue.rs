//! The list of all scenes.

use crate::{SceneInfo, hockey, physics, spring};

/// All scenes, in a recommended order.
pub const SCENES: &[SceneInfo] = &[
    spring::INFO,
    hockey::INFO,
    physics::falling_blocks::INFO,
    physics::two_paths::INFO,
    physics::pool::INFO,
    physics::tumble::INFO,
    physics::snooker::INFO,
    physics::gates::INFO,
];

impl SceneInfo {
    /// The scene with a name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        SCENES.iter().find(|scene| scene.name == name)
    }
}
