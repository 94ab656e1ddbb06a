use std::any::Any;

use evenstep::poses::{Pose2, Rot2};
use evenstep::{PositionVelocity, Rate, Step};
use evenstep_physics::PhysicsError;

use crate::hockey::LevelError;
use crate::{Setting, SettingError, Settings};

/// A simulation that can be stepped, drawn and hashed.
pub trait Scene {
    /// Carries the simulation on by a step. Once the outcome is no longer [`Outcome::Running`], it does nothing.
    fn step(&mut self, step: &Step);

    /// The bits of the whole simulation state, hashed.
    fn hash(&self) -> u64;

    /// How it went so far.
    fn outcome(&self) -> Outcome;

    /// Appends the present value and velocity of each of the scene's [channels](SceneInfo::channels).
    fn read(&self, values: &mut Vec<PositionVelocity<f64>>);

    /// Changes the velocity of what the first channels show by so many units per second: the scene's one input, which
    /// belongs to the step that follows.
    fn nudge(&mut self, by: [f64; 2]);

    /// The whole state, to be put back later; none if the engine cannot.
    fn save(&self) -> Option<SavedScene>;

    /// Puts back a state that this very scene has saved. Another one's is ignored.
    fn restore(&mut self, saved: &SavedScene);

    /// What stands still in the plane of the scene's [path](SceneInfo::path).
    fn surroundings(&self) -> Vec<Landmark> {
        Vec::new()
    }

    /// Appends the scene's boxes as they lie now, always in the same order.
    fn blocks(&self, _blocks: &mut Vec<Block>) {}

    /// Appends what the scene's bodies look like as they lie now, always in the same order.
    fn outlines(&self, _outlines: &mut Vec<Outline>) {}

    /// The exact value of the first channel `seconds` after the start, where a closed form is known.
    fn exact(&self, _seconds: f64) -> Option<f64> {
        None
    }

    /// Something about the run so far that depends on its steps, such as how deep bodies penetrated each other: the
    /// smaller, the better.
    fn step_error(&self) -> Option<StepError> {
        None
    }
}

/// The state of a scene at a moment.
pub struct SavedScene(pub(crate) Box<dyn Any>);

/// How a scene went so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It goes on.
    Running,
    /// It ended as it can.
    Ended(&'static str),
    /// The state grew beyond all bounds. It is still finite, and goes no further.
    Exploded,
}

/// Something in a scene's plane that stays where it is. Lengths in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Landmark {
    /// What the scene happens within: a rectangle from its lower left to its upper right corner.
    Field([f64; 2], [f64; 2]),
    /// What nothing passes: a rectangle likewise.
    Wall([f64; 2], [f64; 2]),
    /// Ground: a line between two points.
    Slope([f64; 2], [f64; 2]),
    /// Where to go: a line between two points.
    Goal([f64; 2], [f64; 2]),
    /// What attracts a thing that moves.
    Attractor([f64; 2]),
    /// What repels a thing that moves.
    Repeller([f64; 2]),
}

/// A box of a scene in the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// Where its centre is, in metres, and how it is turned.
    pub pose: Pose2,
    /// From its centre to its sides, in metres.
    pub half: [f32; 2],
    /// How deep it is in the floor, in metres; below zero it is above.
    pub depth: f32,
}

/// A box, a disc or a capsule in the plane. Lengths in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outline {
    /// Where its centre is, and how it is turned.
    pub pose: Pose2,
    /// From its centre to its sides.
    pub half: [f32; 2],
    /// Whether its shorter sides are half circles.
    pub is_round: bool,
}

impl Outline {
    /// A box, from the centre of its body.
    pub(crate) fn of_box((x, y): (f32, f32), (width, height): (f32, f32)) -> Self {
        Self {
            pose: Pose2::new([x, y], Rot2::IDENTITY),
            half: [width, height],
            is_round: false,
        }
    }

    /// The same with round ends.
    pub(crate) fn rounded(self) -> Self {
        Self { is_round: true, ..self }
    }

    /// The same on a body that is at a pose.
    pub(crate) fn on(&self, body: Pose2) -> Self {
        let (Rot2 { cos, sin }, [x, y]) = (body.rotation, self.pose.position);
        let position = [
            body.position[0] + cos * x - sin * y,
            body.position[1] + sin * x + cos * y,
        ];
        let pose = Pose2::new(position, body.rotation);
        Self { pose, ..*self }
    }
}

/// Something about a run that had better be small.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepError {
    /// What it is.
    pub name: &'static str,
    /// How large.
    pub value: f64,
    /// In which unit.
    pub unit: &'static str,
}

/// A value of a scene that can be drawn over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    /// What it is.
    pub name: &'static str,
    /// In which unit.
    pub unit: &'static str,
}

/// What there is to know of a scene before it is built.
#[derive(Debug)]
pub struct SceneInfo {
    /// Its name in commands.
    pub name: &'static str,
    /// What it shows, in a sentence.
    pub summary: &'static str,
    /// The rate at which it is meant to be stepped.
    pub rate: Rate,
    /// How many seconds of it there are to see.
    pub seconds: u32,
    /// What can be set.
    pub settings: &'static [Setting],
    /// What can be drawn.
    pub channels: &'static [Channel],
    /// The two channels that are a path in the plane, if it has one.
    pub path: Option<(usize, usize)>,
    pub(crate) build: fn(&Settings) -> Result<Box<dyn Scene>, SceneError>,
}

impl SceneInfo {
    /// Its settings, all at their defaults.
    #[must_use]
    pub fn settings(&self) -> Settings {
        Settings::new(self.settings)
    }

    /// Builds the scene.
    ///
    /// # Errors
    ///
    /// If a file that a setting names cannot be read or is wrong.
    pub fn build(&self, settings: &Settings) -> Result<Box<dyn Scene>, SceneError> {
        (self.build)(settings)
    }
}

/// Why a scene cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum SceneError {
    /// A setting is wrong.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// A level is wrong.
    #[error(transparent)]
    Level(#[from] LevelError),
    /// The physics engine refused.
    #[error(transparent)]
    Physics(#[from] PhysicsError),
    /// This program was built without the engine.
    #[error("engine {0} is not compiled in; build with --features {0}, or choose another")]
    NotCompiled(&'static str),
}
