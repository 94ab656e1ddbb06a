//! Engines: what a world asks of them, and the types that it has from them.

use std::fmt;
use std::hash::Hash;

use crate::body::BodyDef;
pub use crate::body_motion::{BodyMotion, ManyPoses};
use crate::contact::ContactKind;
use crate::drag::Drag;
use crate::error::PhysicsError;
pub use crate::vector::PhysicsVector;
use crate::wrench::Wrench;

/// Lengths and forces of an engine.
pub type VectorOf<E> = <<E as Engine>::Motion as BodyMotion>::Vector;
/// Poses of an engine.
pub type PoseOf<E> = <<E as Engine>::Motion as BodyMotion>::Pose;
/// Forces and torques of an engine.
pub type WrenchOf<E> = Wrench<VectorOf<E>, <<E as Engine>::Motion as BodyMotion>::Angular>;

/// A physics engine behind a [`World`](crate::World): the little that every engine can do.
///
/// Programs do not call it; they use the world, and for all else the engine's own API, which
/// [`World::engine_mut`](crate::World::engine_mut) leads to.
pub trait Engine: Sized {
    /// Poses and velocities.
    type Motion: BodyMotion;
    /// The engine's own name of a body.
    type Handle: Copy + Eq + Hash + fmt::Debug;
    /// The engine's own name of a shape: what of a body collides.
    type ShapeHandle: Copy + Eq + Hash + fmt::Debug;
    /// All of the engine's state.
    type Saved;

    /// Whether the engine itself refuses velocities that are not finite, so that nobody has to look for them.
    const REFUSES_NON_FINITE: bool = false;

    /// Creates a body.
    ///
    /// # Errors
    ///
    /// If the engine refuses.
    fn create(&mut self, def: &BodyDef<Self::Motion>) -> Result<Self::Handle, PhysicsError>;

    /// Destroys a body, if there is one.
    fn destroy(&mut self, body: Self::Handle);

    /// Reports a body under a number from now on.
    fn adopt(&mut self, body: Self::Handle, slot: u32);

    /// Reports a body no more, whether it exists or not.
    fn release(&mut self, body: Self::Handle);

    /// The number under which a body is reported.
    fn slot(&self, body: Self::Handle) -> Option<u32>;

    /// A body's pose and velocities; none if the engine has no such body.
    fn motion(&self, body: Self::Handle) -> Option<Self::Motion>;

    /// A body's pose; none if the engine has no such body. Asked of all bodies after the program changed some of them.
    fn pose_of(&self, body: Self::Handle) -> Option<PoseOf<Self>> {
        Some(self.motion(body)?.pose())
    }

    /// Sets a body's pose and velocities. Wakes it, what touched it and what it touches.
    ///
    /// # Errors
    ///
    /// If the engine refuses.
    fn set_motion(&mut self, body: Self::Handle, motion: &Self::Motion) -> Result<(), PhysicsError>;

    /// Sets a body's velocity and wakes it. Its pose keeps its bits.
    ///
    /// # Errors
    ///
    /// If the engine refuses.
    fn set_velocity(&mut self, body: Self::Handle, velocity: VectorOf<Self>) -> Result<(), PhysicsError>;

    /// Where a body's centre of mass is in the world; none if the engine has no such body.
    fn center_of_mass(&self, body: Self::Handle) -> Option<VectorOf<Self>>;

    /// Sets how much of the world's gravity acts on a body. Wakes it if that changes.
    ///
    /// # Errors
    ///
    /// If the engine refuses.
    fn set_gravity_scale(&mut self, body: Self::Handle, scale: f32) -> Result<(), PhysicsError>;

    /// What a dynamic body lacks: `mass` or `inertia`, if that is zero and nothing keeps the body from moving or turning.
    /// Forces and contacts would not move such a body, or move it to nowhere.
    fn lacks(&self, body: Self::Handle) -> Option<&'static str>;

    /// Whether a body moves as it is told and not by forces.
    fn is_kinematic(&self, body: Self::Handle) -> bool;

    /// Carries all bodies on by `dt` seconds, with what acts on some of them in this step only.
    ///
    /// # Errors
    ///
    /// If the engine refuses. Nothing has moved then, and nothing acts on.
    fn step(&mut self, dt: f32, actions: &[Action<Self>], report: &mut Report<Self>) -> Result<(), PhysicsError>;

    /// A copy of all of the engine's state.
    ///
    /// # Errors
    ///
    /// If the engine cannot.
    fn save(&self) -> Result<Self::Saved, PhysicsError>;

    /// The same into a state that is not needed any more, whose memory is used again as far as the engine can.
    ///
    /// # Errors
    ///
    /// If the engine cannot. The state is as it was then.
    fn save_into(&self, saved: &mut Self::Saved) -> Result<(), PhysicsError> {
        *saved = self.save()?;
        Ok(())
    }

    /// Puts all of the engine's state back. `names` are handles of that time, to be replaced by those that bodies and shapes
    /// have now.
    ///
    /// # Errors
    ///
    /// If the state is another engine's. Nothing has changed then.
    fn restore<'a>(
        &mut self,
        saved: &Self::Saved,
        names: impl Iterator<Item = Name<'a, Self>>,
    ) -> Result<(), PhysicsError>
    where
        Self: 'a;
}

/// The engine's own name of something, kept by the world.
#[derive(Debug)]
pub enum Name<'a, E: Engine> {
    /// Of a body.
    Body(&'a mut E::Handle),
    /// Of a shape.
    Shape(&'a mut E::ShapeHandle),
}

/// What acts on a body in a step.
#[derive(Clone, Copy, Debug)]
pub struct Action<E: Engine> {
    /// The body.
    pub body: E::Handle,
    /// Acts throughout the step.
    pub force: WrenchOf<E>,
    /// Acts at its beginning.
    pub impulse: WrenchOf<E>,
    /// Resists the velocity at its end, whatever else acts: see [`Drag::force`]. Wakes a sleeping body only if the medium
    /// moves.
    pub drag: Drag<VectorOf<E>>,
    /// Where a kinematic body is to be at its end.
    pub target: Option<PoseOf<E>>,
}

/// What happened in a step.
#[derive(Debug)]
pub struct Report<E: Engine> {
    /// Adopted bodies that moved, by slots, and where they are now.
    pub moved: Vec<(u32, PoseOf<E>)>,
    /// Contacts of all bodies, adopted or not.
    pub contacts: Vec<Touch<E>>,
    /// What failed in a step that was carried out nevertheless: the program's own code in the engine, or to read all that
    /// happened.
    pub failure: Option<PhysicsError>,
}

impl<E: Engine> Report<E> {
    /// Empties it, keeping its room.
    pub(crate) fn clear(&mut self) {
        self.moved.clear();
        self.contacts.clear();
        self.failure = None;
    }
}

impl<E: Engine> Default for Report<E> {
    fn default() -> Self {
        Self {
            moved: Vec::new(),
            contacts: Vec::new(),
            failure: None,
        }
    }
}

/// Two sides, and what they did to each other.
pub type Touch<E> = (Side<E>, Side<E>, ContactKind<VectorOf<E>>);

/// One of the two that take part in a contact.
#[derive(Clone, Copy, Debug)]
pub struct Side<E: Engine> {
    /// The slot of its body, if that is adopted.
    pub slot: Option<u32>,
    /// Its body; none if the shape has none, or is gone.
    pub body: Option<E::Handle>,
    /// Its shape.
    pub shape: E::ShapeHandle,
}
