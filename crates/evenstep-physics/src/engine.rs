//! The interface to a physics engine: the [`Engine`] trait, and the inputs and outputs of its step.

use std::fmt;
use std::hash::Hash;

use crate::body::{BodyDef, BodyKind};
pub use crate::body_motion::BodyMotion;
use crate::drag::Drag;
use crate::error::PhysicsError;
pub use crate::vector::PhysicsVector;
use crate::wrench::Wrench;

/// The vector type of an engine: lengths, velocities and forces.
pub type VectorOf<E> = <<E as Engine>::Motion as BodyMotion>::Vector;
/// The pose type of an engine.
pub type PoseOf<E> = <<E as Engine>::Motion as BodyMotion>::Pose;
/// The type of forces with torques of an engine.
pub type WrenchOf<E> = Wrench<VectorOf<E>, <<E as Engine>::Motion as BodyMotion>::Angular>;

/// A physics engine behind a [`World`](crate::World): the operations that all engines have in common.
///
/// Programs do not call these methods. They use the world and, for everything else, the engine's own API through
/// [`World::engine_mut`](crate::World::engine_mut).
pub trait Engine: Sized {
    /// The type of a body's pose and velocities.
    type Motion: BodyMotion;
    /// The engine's handle of a body.
    type Handle: Copy + Eq + Hash + fmt::Debug;
    /// The engine's handle of a shape (Rapier's collider).
    type ShapeHandle: Copy + Eq + Hash + fmt::Debug;
    /// A saved copy of the engine's whole state.
    type Saved;

    /// Creates a body.
    ///
    /// # Errors
    ///
    /// If the engine returns an error.
    fn create(&mut self, def: &BodyDef<Self::Motion>) -> Result<Self::Handle, PhysicsError>;

    /// Destroys a body, if it exists.
    fn destroy(&mut self, body: Self::Handle);

    /// A body's pose and velocities; `None` if the engine has no such body. A body whose state is not finite is returned with it.
    fn motion(&self, body: Self::Handle) -> Option<Self::Motion>;

    /// Sets a body's pose and velocities. Wakes the body, the bodies that touched it and the bodies that it touches now.
    ///
    /// # Errors
    ///
    /// If the engine returns an error.
    fn set_motion(&mut self, body: Self::Handle, motion: &Self::Motion) -> Result<(), PhysicsError>;

    /// Sets a body's pose and nothing else. Called for kinematic bodies that the step did not move exactly to their targets.
    ///
    /// # Errors
    ///
    /// If the engine returns an error.
    fn set_pose(&mut self, body: Self::Handle, pose: PoseOf<Self>) -> Result<(), PhysicsError>;

    /// Sets a body's velocity and wakes it. Its pose stays bit-identical.
    ///
    /// # Errors
    ///
    /// If the engine returns an error.
    fn set_velocity(&mut self, body: Self::Handle, velocity: VectorOf<Self>) -> Result<(), PhysicsError>;

    /// The position of a body's centre of mass in the world; `None` if the engine has no such body.
    fn center_of_mass(&self, body: Self::Handle) -> Option<VectorOf<Self>>;

    /// Sets the factor by which the world's gravity acts on a body. Wakes the body if the factor changes.
    ///
    /// # Errors
    ///
    /// If the engine returns an error.
    fn set_gravity_scale(&mut self, body: Self::Handle, scale: f32) -> Result<(), PhysicsError>;

    /// The mass property that a dynamic body is missing: `"mass"` or `"inertia"`, if it is zero and the body's axes are not
    /// locked. Forces and contacts would not move such a body, or make its pose non-finite.
    fn missing_mass_property(&self, body: Self::Handle) -> Option<&'static str>;

    /// Whether a shape exists.
    fn has_shape(&self, shape: Self::ShapeHandle) -> bool;

    /// The body of a shape; `None` if the shape has no body or does not exist.
    fn body_of(&self, shape: Self::ShapeHandle) -> Option<Self::Handle>;

    /// How a body moves; `None` if the engine has no such body.
    fn kind(&self, body: Self::Handle) -> Option<BodyKind>;

    /// The largest speed of a body in units per second. The engine slows faster bodies down, and the world refuses higher speeds.
    fn max_speed(&self) -> f32;

    /// Steps all bodies by `dt` seconds and applies `actions`, which act in this step only.
    ///
    /// # Errors
    ///
    /// If the engine cannot step. Then no body has moved, and the actions are undone. After a caught panic in a callback, or if memory cannot be
    /// allocated, `Box2d` refuses a step with its actions applied.
    fn step(&mut self, dt: f32, actions: &[Action<Self>], report: &mut Report<Self>) -> Result<(), PhysicsError>;

    /// Saves the engine's whole state.
    ///
    /// # Errors
    ///
    /// If the engine cannot be saved.
    fn save(&self) -> Result<Self::Saved, PhysicsError>;

    /// Saves the engine's whole state into an existing copy, whose memory is reused where the engine supports that.
    ///
    /// # Errors
    ///
    /// If the engine cannot be saved. Then `saved` is unchanged.
    fn save_into(&self, saved: &mut Self::Saved) -> Result<(), PhysicsError>;

    /// A body's pose and velocities in a saved state; `None` if the engine cannot read them there, or had no such body.
    fn saved_motion(_saved: &Self::Saved, _body: Self::Handle) -> Option<Self::Motion> {
        None
    }

    /// Restores the engine's whole state.
    ///
    /// # Errors
    ///
    /// If the state was saved by another engine. Then nothing has changed.
    fn restore(&mut self, saved: &Self::Saved) -> Result<(), PhysicsError>;

    /// The present handle of a body that had the handle `saved` when the state was saved that was restored last. An engine overrides this if
    /// a restore changes handles.
    fn restored_body(&self, saved: Self::Handle) -> Self::Handle {
        saved
    }

    /// The present handle of a shape, in the same way.
    fn restored_shape(&self, saved: Self::ShapeHandle) -> Self::ShapeHandle {
        saved
    }
}

/// The forces, impulses, drag and kinematic target of one body in one step.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Action<E: Engine> {
    /// The body.
    pub body: E::Handle,
    /// The force, which acts throughout the step.
    pub force: WrenchOf<E>,
    /// The impulse, which acts at the start of the step.
    pub impulse: WrenchOf<E>,
    /// The drag, which depends on the velocity at the end of the step: see [`Drag::force`]. It wakes a sleeping body only if
    /// the medium moves.
    pub drag: Drag<VectorOf<E>>,
    /// The pose that a kinematic body reaches at the end of the step.
    pub target: Option<PoseOf<E>>,
}

/// The results of a step: poses and contacts.
#[derive(Debug)]
#[non_exhaustive]
pub struct Report<E: Engine> {
    /// The bodies that moved, adopted or not, and their new poses.
    pub moved: Vec<(E::Handle, PoseOf<E>)>,
    /// Whether bodies may have moved that are not among `moved`, so that the world reads the pose of each body.
    pub is_incomplete: bool,
    /// Contacts of all bodies, adopted or not, hits last. A contact that ends and begins again in the step ends first. The world leaves
    /// out begins of pairs that touch already and ends of pairs that do not.
    pub contacts: Vec<RawContact<E>>,
    /// An error of a step that was carried out nevertheless: a callback of the program failed, or events could not be read.
    pub failure: Option<PhysicsError>,
}

impl<E: Engine> Report<E> {
    /// Removes all entries and keeps the capacity.
    pub(crate) fn clear(&mut self) {
        self.moved.clear();
        self.is_incomplete = false;
        self.contacts.clear();
        self.failure = None;
    }
}

impl<E: Engine> Default for Report<E> {
    fn default() -> Self {
        Self {
            moved: Vec::new(),
            is_incomplete: false,
            contacts: Vec::new(),
            failure: None,
        }
    }
}

/// A contact as the engine reports it: the two shapes, the sensor first if one is, and the kind of event.
pub type RawContact<E> = (
    <E as Engine>::ShapeHandle,
    <E as Engine>::ShapeHandle,
    ContactKind<VectorOf<E>>,
);

/// The kind of a contact event.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ContactKind<V> {
    /// The two shapes began to touch.
    Begin,
    /// The two shapes stopped touching.
    End,
    /// The second shape entered the sensor.
    SensorBegin,
    /// The second shape left the sensor.
    SensorEnd,
    /// The two shapes hit each other faster than the engine's threshold.
    Hit {
        /// The contact point in the world.
        point: V,
        /// The unit normal from the first shape to the second.
        normal: V,
        /// The impulse in N·s.
        impulse: f32,
    },
}
