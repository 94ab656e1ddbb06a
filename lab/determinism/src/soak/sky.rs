//! The part of an engine that falling blocks need.

use anyhow::Result;
use evenstep::poses::{Pose2, Pose3, Quat, Rot2};
use evenstep_physics::engine::{PoseOf, VectorOf};
use evenstep_physics::{Box2d, Engine, Rapier2d, Rapier3d};

const GRAVITY: f32 = -10.0;

/// An engine in which bodies fall along `y`.
pub(super) trait Sky: Engine {
    /// A world with gravity and nothing else.
    fn empty() -> Result<Self>;
    /// A square or a cube with this half extent.
    fn half(side: f32) -> VectorOf<Self>;
    /// An upright pose at a place.
    fn pose(x: f32, y: f32) -> PoseOf<Self>;
}

impl Sky for Box2d {
    fn empty() -> Result<Self> {
        Ok(Self::new([0.0, GRAVITY])?)
    }

    fn half(side: f32) -> [f32; 2] {
        [side; 2]
    }

    fn pose(x: f32, y: f32) -> Pose2 {
        Pose2::new([x, y], Rot2::IDENTITY)
    }
}

impl Sky for Rapier2d {
    fn empty() -> Result<Self> {
        Ok(Self::new([0.0, GRAVITY]))
    }

    fn half(side: f32) -> [f32; 2] {
        [side; 2]
    }

    fn pose(x: f32, y: f32) -> Pose2 {
        Pose2::new([x, y], Rot2::IDENTITY)
    }
}

impl Sky for Rapier3d {
    fn empty() -> Result<Self> {
        Ok(Self::new([0.0, GRAVITY, 0.0]))
    }

    fn half(side: f32) -> [f32; 3] {
        [side; 3]
    }

    fn pose(x: f32, y: f32) -> Pose3 {
        Pose3::new([x, y, 0.0], Quat::IDENTITY)
    }
}
