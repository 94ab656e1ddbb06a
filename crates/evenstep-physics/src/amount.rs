use evenstep::Vector;

/// A physical quantity of as many components as the space has: forces, velocities, torques.
///
/// Implemented for `f32` and arrays of it.
pub trait Amount: Vector + PartialEq + std::fmt::Debug + 'static {
    /// Nothing of it.
    const ZERO: Self;

    /// Its components.
    fn components(&self) -> &[f32];

    /// `self + other`.
    #[must_use]
    fn add(self, other: Self) -> Self {
        self.plus(other, 1.0)
    }

    /// `self × factor`.
    #[must_use]
    fn times(self, factor: f64) -> Self {
        Self::ZERO.plus(self, factor)
    }

    /// The sum of the products of the components.
    #[must_use]
    fn dot(&self, other: &Self) -> f32 {
        self.components()
            .iter()
            .zip(other.components())
            .map(|(one, other)| one * other)
            .sum()
    }

    /// How large it is, regardless of its direction.
    #[must_use]
    fn length(&self) -> f32 {
        self.dot(self).sqrt()
    }

    /// Whether all components are finite.
    fn all_finite(&self) -> bool {
        self.components().iter().all(|component| component.is_finite())
    }
}

impl Amount for f32 {
    const ZERO: Self = 0.0;

    fn components(&self) -> &[f32] {
        std::slice::from_ref(self)
    }
}

impl<const N: usize> Amount for [f32; N] {
    const ZERO: Self = [0.0; N];

    fn components(&self) -> &[f32] {
        self
    }
}

/// A force and a torque (N, N·m), or an impulse and an angular impulse (N·s, N·m·s), at a body's centre of mass.
///
/// ```
/// use evenstep_physics::Load;
///
/// let thrust: Load<[f32; 2], f32> = Load::linear([0.0, 10.0]);
/// assert_eq!(thrust.angular, 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load<V, S> {
    /// Force in N, or impulse in N·s.
    pub linear: V,
    /// Torque in N·m, or angular impulse in N·m·s.
    pub angular: S,
}

impl<V: Amount, S: Amount> Load<V, S> {
    /// Nothing.
    pub const ZERO: Self = Self {
        linear: V::ZERO,
        angular: S::ZERO,
    };

    /// A force or impulse without a torque.
    #[must_use]
    pub const fn linear(linear: V) -> Self {
        Self {
            linear,
            angular: S::ZERO,
        }
    }

    /// A torque or angular impulse without a force.
    #[must_use]
    pub const fn angular(angular: S) -> Self {
        Self {
            linear: V::ZERO,
            angular,
        }
    }

    pub(crate) fn plus(self, other: Self, factor: f64) -> Self {
        Self {
            linear: self.linear.plus(other.linear, factor),
            angular: self.angular.plus(other.angular, factor),
        }
    }

    pub(crate) fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    pub(crate) fn is_finite(&self) -> bool {
        self.linear.all_finite() && self.angular.all_finite()
    }
}
