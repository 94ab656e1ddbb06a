use crate::vector::PhysicsVector;

/// How a medium such as air or water resists a body's motion: with the force `k·(u − v)` and the torque `−c·ω`, where `v`
/// is the velocity of the body's centre of mass and `ω` its angular velocity.
///
/// ```
/// use evenstep_physics::Drag;
///
/// let syrup: Drag<[f32; 2]> = Drag { medium: [0.0; 2], linear: 20.0, angular: 1.0 };
/// // After a step of 0.1 s, a body of 1 kg that enters it at 3 m/s moves at 3 / (1 + 20 · 0.1 / 1) = 1 m/s:
/// assert_eq!(syrup.force([3.0, 0.0], 0.1), [-20.0, 0.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drag<V> {
    /// The velocity `u` of the medium in m/s.
    pub medium: V,
    /// `k` in N·s/m, not negative.
    pub linear: f32,
    /// `c` in N·m·s, not negative; about every axis alike.
    pub angular: f32,
}

impl<V: PhysicsVector> Drag<V> {
    /// None.
    pub const ZERO: Self = Self {
        medium: V::ZERO,
        linear: 0.0,
        angular: 0.0,
    };

    /// The force in N that, held over a step, resists the velocity at the step's end (backward Euler): whatever the mass and
    /// the step, it never carries the body beyond the medium's velocity.
    ///
    /// `free` is the velocity in m/s that the body would have at the end of the step without drag, and `gain` what each
    /// newton held over the step adds to it, in m/s: the length of the step divided by the mass.
    #[must_use]
    pub fn force(&self, free: V, gain: f32) -> V {
        held(self.linear, self.medium.plus(free, -1.0), gain)
    }

    /// The same for the torque in N·m about an axis: `free` in radians per second, and `gain` the length of the step divided by
    /// the moment of inertia.
    #[must_use]
    pub fn torque(&self, free: f32, gain: f32) -> f32 {
        held(self.angular, -free, gain)
    }

    /// Both at once: what two media do together.
    pub(crate) fn and(self, other: Self) -> Self {
        let linear = f64::from(self.linear) + f64::from(other.linear);
        let share = if linear > 0.0 {
            f64::from(other.linear) / linear
        } else {
            0.0
        };
        Self {
            medium: self.medium.plus(other.medium.plus(self.medium, -1.0), share),
            linear: (linear as f32).min(f32::MAX),
            angular: (self.angular + other.angular).min(f32::MAX),
        }
    }

    /// Whether it resists nothing.
    pub(crate) fn is_zero(&self) -> bool {
        self.linear == 0.0 && self.angular == 0.0
    }

    /// Whether it carries a body along that is at rest.
    pub(crate) fn flows(&self) -> bool {
        self.linear > 0.0 && self.medium != V::ZERO
    }

    /// What is wrong of it.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        if !(self.medium.all_finite() && self.linear.is_finite() && self.angular.is_finite()) {
            return Some("must be finite");
        }
        (self.linear < 0.0 || self.angular < 0.0).then_some("must not be negative")
    }
}

/// By how much a body turns in a step at most, in radians, whatever its spin: so Box2D has it, and Rapier after it. A drag that
/// were computed from a faster spin would reverse the one that the engine makes of it.
pub(crate) const MOST_TURN: f32 = std::f32::consts::FRAC_PI_4;

/// A velocity as an engine takes it that lets nothing be faster than so.
pub(crate) fn capped<V: PhysicsVector>(velocity: V, most: f32) -> V {
    let speed = velocity.length();
    if speed > most {
        velocity.times(f64::from(most / speed))
    } else {
        velocity
    }
}

fn held<V: PhysicsVector>(resistance: f32, missing: V, gain: f32) -> V {
    let resistance = f64::from(resistance);
    let force = missing.times(resistance / (1.0 + resistance * f64::from(gain)));
    // Beyond the range of numbers only for a body that nothing moves.
    if force.all_finite() { force } else { V::ZERO }
}
