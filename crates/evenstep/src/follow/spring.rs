//! A critically damped spring, solved exactly.

use crate::math;

/// A critically damped spring along one axis, whose other end leaves the origin at a constant speed:
/// `x'' = ω² (speed·t − x) − 2ω x'`, with ω = 2 / lag.
pub(super) struct Spring {
    pub(super) lag: f64,
    pub(super) speed: f64,
    /// `x` at the start.
    pub(super) offset: f64,
    /// `x'` at the start.
    pub(super) velocity: f64,
}

impl Spring {
    /// Offset and velocity after this many seconds.
    pub(super) fn after(&self, seconds: f64) -> (f64, f64) {
        let &Self { lag, speed, .. } = self;
        let omega = 2.0 / lag;
        if !omega.is_finite() {
            return (speed * seconds, speed);
        }
        let fading = math::exp(-omega * seconds);
        let first = self.offset + speed * lag;
        let second = self.velocity - speed + omega * first;
        let rest = (first + second * seconds) * fading;
        (speed * (seconds - lag) + rest, speed + second * fading - omega * rest)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The spring by a thousand small steps of the classical method of Runge and Kutta.
    fn slowly(lag: f64, speed: f64, start: (f64, f64), seconds: f64) -> (f64, f64) {
        let omega = 2.0 / lag;
        let slope = |t: f64, (x, v): (f64, f64)| (v, omega * omega * (speed * t - x) - 2.0 * omega * v);
        let (mut now, dt) = (start, seconds / 1000.0);
        for step in 0..1000 {
            let t = f64::from(step) * dt;
            let along = |by: (f64, f64), dt: f64| (now.0 + by.0 * dt, now.1 + by.1 * dt);
            let a = slope(t, now);
            let b = slope(t + dt / 2.0, along(a, dt / 2.0));
            let c = slope(t + dt / 2.0, along(b, dt / 2.0));
            let d = slope(t + dt, along(c, dt));
            now = along(
                (
                    (a.0 + 2.0 * (b.0 + c.0) + d.0) / 6.0,
                    (a.1 + 2.0 * (b.1 + c.1) + d.1) / 6.0,
                ),
                dt,
            );
        }
        now
    }

    proptest! {
        #[test]
        fn the_closed_form_is_the_limit_of_small_steps(
            lag in 0.02..2.0_f64, speed in -20.0..20.0_f64, offset in -5.0..5.0_f64, velocity in -20.0..20.0_f64,
            seconds in 0.001..0.5_f64,
        ) {
            let (x, v) = Spring { lag, speed, offset, velocity }.after(seconds);
            let (slow_x, slow_v) = slowly(lag, speed, (offset, velocity), seconds);
            prop_assert!((x - slow_x).abs() < 1e-6, "{x} and {slow_x}");
            prop_assert!((v - slow_v).abs() < 1e-4, "{v} and {slow_v}");
        }
    }
}
