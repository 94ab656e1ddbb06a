use std::fmt;
use std::hash::Hash;

use crate::{BodyDef, BodyMotion, Load, PhysicsError};

/// Lengths and forces of an engine.
pub type VectorOf<E> = <<E as Engine>::Motion as BodyMotion>::Vector;
/// Angular velocities and torques of an engine.
pub type SpinOf<E> = <<E as Engine>::Motion as BodyMotion>::Spin;
/// Poses of an engine.
pub type PoseOf<E> = <<E as Engine>::Motion as BodyMotion>::Pose;
/// Forces and impulses of an engine.
pub type LoadOf<E> = Load<VectorOf<E>, SpinOf<E>>;

/// A physics engine behind a [`World`](crate::World): the little that every engine can do.
///
/// Programs do not call it; they use the world, and for all else the engine's own API, which
/// [`World::engine_mut`](crate::World::engine_mut) leads to.
pub trait Engine {
    /// Poses and velocities.
    type Motion: BodyMotion;
    /// The engine's own name of a body.
    type Handle: Copy + Eq + Hash + fmt::Debug;
    /// All of the engine's state.
    type Saved;

    /// Creates a body. `slot` is the number under which it is to be reported.
    ///
    /// # Errors
    ///
    /// If the engine refuses.
    fn create(&mut self, def: &BodyDef<Self::Motion>, slot: u32) -> Result<Self::Handle, PhysicsError>;

    /// Destroys a body.
    fn destroy(&mut self, body: Self::Handle);

    /// A body's pose and velocities; none if the engine has no such body any more.
    fn motion(&self, body: Self::Handle) -> Option<Self::Motion>;

    /// Sets a body's pose and velocities and wakes it.
    ///
    /// # Errors
    ///
    /// If the engine refuses.
    fn set_motion(&mut self, body: Self::Handle, motion: &Self::Motion) -> Result<(), PhysicsError>;

    /// Lets a force act throughout the next step, and an impulse before it.
    fn load(&mut self, body: Self::Handle, force: &LoadOf<Self>, impulse: &LoadOf<Self>);

    /// Carries all bodies on by `dt` seconds.
    ///
    /// # Errors
    ///
    /// If the engine refuses.
    fn step(&mut self, dt: f32, report: &mut Report<Self::Motion>) -> Result<(), PhysicsError>;

    /// A copy of all of the engine's state.
    ///
    /// # Errors
    ///
    /// If the engine cannot.
    fn save(&self) -> Result<Self::Saved, PhysicsError>;

    /// Puts all of the engine's state back. Handles may have changed: `renamed` is called for each that has.
    ///
    /// # Errors
    ///
    /// If the state is another engine's.
    fn restore(&mut self, saved: &Self::Saved, renamed: impl FnMut(u32, Self::Handle)) -> Result<(), PhysicsError>;
}

/// What happened in a step, by slots of bodies.
#[derive(Debug)]
pub struct Report<M: BodyMotion> {
    /// Bodies that moved, and where they are now.
    pub moved: Vec<(u32, M::Pose)>,
    /// Contacts that began, ended or hit hard.
    pub contacts: Vec<(u32, u32, Touch<M::Vector>)>,
}

impl<M: BodyMotion> Default for Report<M> {
    fn default() -> Self {
        Self {
            moved: Vec::new(),
            contacts: Vec::new(),
        }
    }
}

/// What a contact did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Touch<V> {
    /// Two bodies began to touch.
    Begin,
    /// They touch no more.
    End,
    /// They hit each other faster than the engine's threshold.
    Hit {
        /// Where, in the world.
        point: V,
        /// From the first body to the second, of length 1.
        normal: V,
        /// How hard, in N·s.
        impulse: f32,
    },
}
