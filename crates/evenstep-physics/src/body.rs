//! Body definitions: kind, shape, motion and material of a body to be created.

use crate::body_motion::BodyMotion;
use crate::error::{PhysicsError, check};
use crate::vector::PhysicsVector;

/// How a body moves: by forces, never, or at a given velocity.
///
/// Exhaustive: every engine has these three kinds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BodyKind {
    /// Moved by forces and contacts.
    #[default]
    Dynamic,
    /// Never moves.
    Fixed,
    /// Moves at a given velocity; pushes other bodies and is not pushed.
    Kinematic,
}

/// The collision shape of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Shape<V> {
    /// A disc or a ball, given by its radius, which must be above zero.
    Ball(f32),
    /// A box, given by its half extents, which must all be above zero.
    Box(V),
}

/// The definition of a body to be created. A value outside its range is refused when the body is created, by an error that names the
/// field. Lengths are in the world's unit of length, which is a metre unless the engine was created with another one. No coordinate may be
/// beyond 10⁹, and no speed beyond the engine's [largest](crate::Engine::max_speed).
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
#[non_exhaustive]
pub struct BodyDef<M: BodyMotion> {
    /// How the body moves.
    pub kind: BodyKind,
    /// The initial pose and velocities.
    pub motion: M,
    /// The collision shape.
    pub shape: Shape<M::Vector>,
    /// The mass per area (kg/m²) or volume (kg/m³), above zero.
    pub density: f32,
    /// The coefficient of (Coulomb) friction, not negative.
    pub friction: f32,
    /// The coefficient of restitution: the ratio of the speed after a collision to the speed before, from 0 to 1.
    pub restitution: f32,
    /// Whether continuous collision detection against other moving bodies is on, at a cost.
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
    /// Sets the pose; the velocities are zero.
    #[must_use]
    pub fn at(self, pose: M::Pose) -> Self {
        Self {
            motion: M::at(pose),
            ..self
        }
    }

    /// Sets the pose and velocities.
    #[must_use]
    pub fn moving(self, motion: M) -> Self {
        Self { motion, ..self }
    }

    /// Sets the kind.
    #[must_use]
    pub fn of_kind(self, kind: BodyKind) -> Self {
        Self { kind, ..self }
    }

    /// Sets the restitution.
    #[must_use]
    pub fn with_restitution(self, restitution: f32) -> Self {
        Self { restitution, ..self }
    }

    /// Sets the friction.
    #[must_use]
    pub fn with_friction(self, friction: f32) -> Self {
        Self { friction, ..self }
    }

    /// Sets the density.
    #[must_use]
    pub fn with_density(self, density: f32) -> Self {
        Self { density, ..self }
    }

    /// Turns continuous collision detection on.
    #[must_use]
    pub fn as_bullet(self) -> Self {
        Self {
            is_bullet: true,
            ..self
        }
    }

    pub(crate) fn check(&self, max_speed: f32) -> Result<(), PhysicsError> {
        let sizes = match &self.shape {
            Shape::Ball(radius) => std::slice::from_ref(radius),
            Shape::Box(half) => half.components(),
        };
        let check = |field, holds, reason| check(None, field, holds, reason);
        let is_positive = |value: f32| value > 0.0 && value.is_finite();
        let has_mass = self.kind != BodyKind::Dynamic || self.has_computable_mass(sizes);
        check("motion", self.motion.is_finite(), FINITE)?;
        check(
            "shape",
            sizes.iter().copied().all(is_positive),
            "must have sizes above zero",
        )?;
        check("motion", is_in_range(self.motion.position()), IN_RANGE)?;
        check("motion", self.motion.velocity().length() <= max_speed, NOT_TOO_FAST)?;
        check("density", is_positive(self.density), "must be above zero")?;
        check(
            "mass",
            has_mass,
            "is beyond what an engine can compute; change the size or the density",
        )?;
        check(
            "friction",
            self.friction >= 0.0 && self.friction.is_finite(),
            "must not be negative",
        )?;
        check(
            "restitution",
            (0.0..=1.0).contains(&self.restitution),
            "must be from 0 to 1",
        )
    }

    /// Whether mass, moment of inertia and their inverses are far from the ends of the range of `f32`.
    fn has_computable_mass(&self, sizes: &[f32]) -> bool {
        let volume: f64 = match &self.shape {
            Shape::Ball(radius) => {
                let dimensions = self.motion.position().components().len();
                std::iter::repeat_n(f64::from(*radius), dimensions).product()
            }
            Shape::Box(_) => sizes.iter().map(|size| f64::from(*size)).product(),
        };
        let mass = f64::from(self.density) * volume;
        let inertia = |size: f32| mass * f64::from(size) * f64::from(size);
        let range = 1e-34..=1e34;
        range.contains(&mass) && sizes.iter().all(|size| range.contains(&inertia(*size)))
    }
}

/// The largest coordinate of a position with which the engines work.
const MAX_COORDINATE: f32 = 1e9;

pub(crate) const FINITE: &str = "must be finite";
pub(crate) const IN_RANGE: &str = "must have coordinates of at most 10⁹";
pub(crate) const NOT_TOO_FAST: &str = "must not be faster than the engine's largest speed";

/// Whether all coordinates of a position are in range.
pub(crate) fn is_in_range(position: impl PhysicsVector) -> bool {
    let mut coordinates = position.components().iter();
    coordinates.all(|coordinate| coordinate.abs() <= MAX_COORDINATE)
}
