//! The scene trait, and what scenes expose for drawing and measuring.

use std::any::Any;

use evenstep::inspect::{self, Dump};
use evenstep::poses::Pose2;
use evenstep::{Inspect, PositionVelocity, Rate, Step, Tick};
use evenstep_physics::PhysicsError;

use crate::hockey::ChargesError;

/// The whole state of a simulation.
pub trait SceneState {
    /// A hash of its bits.
    fn hash(&self) -> u64;

    /// Its values before a tick, each with its path.
    fn dump(&self, tick: Tick) -> Dump;

    /// Saves the state; `None` if the engine cannot be saved.
    fn save(&self) -> Option<SavedScene>;

    /// Restores a state that this scene object has saved. A state of another scene is ignored.
    fn restore(&mut self, saved: &SavedScene);
}

impl<S: Inspect + Clone + 'static> SceneState for S {
    fn hash(&self) -> u64 {
        inspect::hash(self)
    }

    fn dump(&self, tick: Tick) -> Dump {
        Dump::new(tick, self)
    }

    fn save(&self) -> Option<SavedScene> {
        Some(SavedScene(Box::new(self.clone())))
    }

    fn restore(&mut self, saved: &SavedScene) {
        if let Some(saved) = saved.0.downcast_ref() {
            self.clone_from(saved);
        }
    }
}

/// A simulation that can be stepped, drawn and hashed.
pub trait Scene: SceneState {
    /// Advances the simulation by a step.
    fn step(&mut self, step: &Step);

    /// The outcome so far.
    fn outcome(&self) -> Outcome;

    /// The present value, in m, and velocity of each of the scene's channels, which can be drawn over time.
    fn read(&self) -> Vec<PositionVelocity<f64>>;

    /// Changes the velocity of the first two channels by `by`, in units per second. This is the scene's only input; it belongs to the
    /// step that follows.
    fn nudge(&mut self, by: [f64; 2]);

    /// The scene's boxes where they are at present, always in the same order.
    fn blocks(&self) -> Vec<Block> {
        Vec::new()
    }

    /// The deepest penetration of a body into another one so far, in metres, where it is measured. Long steps make it deeper.
    fn deepest(&self) -> Option<f32> {
        None
    }
}

/// A saved state of a scene.
pub struct SavedScene(pub(crate) Box<dyn Any>);

/// The outcome of a scene so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The scene is running.
    Running,
    /// The scene has ended, with a description.
    Ended(&'static str),
    /// The state diverged beyond a bound. It is finite, and what diverged is no longer stepped.
    Exploded,
}

/// A box of a scene in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// The position of its centre in metres, and its rotation.
    pub pose: Pose2,
    /// The half extents in metres.
    pub half: [f32; 2],
    /// The depth of its lowest point below the floor, in metres; negative above the floor.
    pub depth: f32,
}

/// The description of a scene, from which it can be built.
#[derive(Debug)]
pub struct SceneInfo {
    /// The name in commands.
    pub name: &'static str,
    /// The default step rate.
    pub rate: Rate,
    /// The engines on which it runs; none if it needs no engine.
    pub engines: &'static [&'static str],
    pub(crate) build: fn(&str) -> Result<Box<dyn Scene>, SceneError>,
}

impl SceneInfo {
    /// Builds the scene on one of its engines. A scene that needs none ignores the name.
    ///
    /// # Errors
    ///
    /// If the engine is not compiled in or returns an error.
    pub fn build(&self, engine: &str) -> Result<Box<dyn Scene>, SceneError> {
        (self.build)(engine)
    }
}

/// An error of building a scene.
#[derive(Debug, thiserror::Error)]
pub enum SceneError {
    /// The charges that were placed are invalid.
    #[error(transparent)]
    Charges(#[from] ChargesError),
    /// The physics engine returned an error.
    #[error(transparent)]
    Physics(#[from] PhysicsError),
    /// This program was built without the engine.
    #[error("engine {0} is not compiled in; build with --features {0}, or choose another")]
    NotCompiled(String),
}
