use crate::body_motion::BodyMotion;
use crate::error::PhysicsError;
use crate::vector::PhysicsVector;

/// What a body is to the engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyKind {
    /// Moved by forces and contacts.
    #[default]
    Dynamic,
    /// Never moves.
    Fixed,
    /// Moves at the velocity it is given, and pushes without being pushed.
    Kinematic,
}

/// What a body collides as.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape<V> {
    /// A disc or a ball of a radius.
    Ball(f32),
    /// A box, from its centre to its sides.
    Box(V),
}

/// A body to be created. Lengths are in the world's own unit, which is a metre unless the engine was told otherwise.
///
/// ```
/// use evenstep::poses::{Motion2, Pose2, Rot2};
/// use evenstep_physics::{BodyDef, BodyKind, Shape};
///
/// let crate_in_the_air = BodyDef::<Motion2>::new(Shape::Box([0.5, 0.5])).at(Pose2::new([0.0, 10.0], Rot2::IDENTITY));
/// let floor = BodyDef::<Motion2>::new(Shape::Box([50.0, 1.0])).of_kind(BodyKind::Fixed);
/// # let _ = (crate_in_the_air, floor);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BodyDef<M: BodyMotion> {
    /// What it is to the engine.
    pub kind: BodyKind,
    /// Where it is and how it moves.
    pub motion: M,
    /// What it collides as.
    pub shape: Shape<M::Vector>,
    /// Mass per area (kg/m²) or volume (kg/m³).
    pub density: f32,
    /// Coulomb's coefficient of friction.
    pub friction: f32,
    /// The share of the approach speed that a collision gives back.
    pub restitution: f32,
    /// Whether it is kept from tunnelling through other moving bodies, at a cost.
    pub is_bullet: bool,
}

impl<M: BodyMotion + Default> BodyDef<M> {
    /// A dynamic body at rest at the origin: density 1, friction 0.6, no restitution.
    #[must_use]
    pub fn new(shape: Shape<M::Vector>) -> Self {
        Self {
            kind: BodyKind::Dynamic,
            motion: M::default(),
            shape,
            density: 1.0,
            friction: 0.6,
            restitution: 0.0,
            is_bullet: false,
        }
    }
}

impl<M: BodyMotion> BodyDef<M> {
    /// The same at rest at a pose.
    #[must_use]
    pub fn at(self, pose: M::Pose) -> Self {
        Self {
            motion: M::at(pose),
            ..self
        }
    }

    /// The same moving so.
    #[must_use]
    pub fn moving(self, motion: M) -> Self {
        Self { motion, ..self }
    }

    /// The same of another kind.
    #[must_use]
    pub fn of_kind(self, kind: BodyKind) -> Self {
        Self { kind, ..self }
    }

    /// The same with another restitution.
    #[must_use]
    pub fn with_restitution(self, restitution: f32) -> Self {
        Self { restitution, ..self }
    }

    /// The same with another friction.
    #[must_use]
    pub fn with_friction(self, friction: f32) -> Self {
        Self { friction, ..self }
    }

    /// The same with another density.
    #[must_use]
    pub fn with_density(self, density: f32) -> Self {
        Self { density, ..self }
    }

    /// The same as a bullet.
    #[must_use]
    pub fn as_bullet(self) -> Self {
        Self {
            is_bullet: true,
            ..self
        }
    }

    pub(crate) fn check(&self) -> Result<(), PhysicsError> {
        let sizes = match &self.shape {
            Shape::Ball(radius) => std::slice::from_ref(radius),
            Shape::Box(half) => half.components(),
        };
        let refuse = |field, reason| {
            Err(PhysicsError::Refused {
                body: None,
                field,
                reason,
            })
        };
        if !self.motion.is_finite() {
            return refuse("motion", "must be finite");
        }
        if !sizes.iter().all(|size| *size > 0.0 && size.is_finite()) {
            return refuse("shape", "must have sizes above zero");
        }
        if !(self.density > 0.0 && self.density.is_finite()) {
            return refuse("density", "must be above zero");
        }
        if !(self.friction >= 0.0 && self.friction.is_finite()) {
            return refuse("friction", "must not be negative");
        }
        if !(0.0..=1.0).contains(&self.restitution) {
            return refuse("restitution", "must be from 0 to 1");
        }
        Ok(())
    }
}
