//! The last two states of a value, and interpolation between them.

use core::time::Duration;

use crate::drawing::{Blend, Extrapolate, Smoothing};

/// The last two states of something, drawn between them.
///
/// Change it by [`step`](Self::step) in each step, and draw [`at`](Self::at) the frame's alpha. Construct it with the true first state, or a new
/// body slides in.
///
/// A teleport must not be drawn as a motion. Each state has an *epoch*, which [`teleport`](Self::teleport) counts up. States of
/// different epochs are never blended. The mark may come before or after the move.
///
/// ```
/// use evenstep::Smoothed;
///
/// let mut position = Smoothed::new(0.0);
/// position.step(|x| *x += 4.0);
/// assert_eq!(position.at(0.25), 1.0);
///
/// position.step(|x| *x = 100.0);
/// position.teleport();
/// assert_eq!(position.at(0.25), 100.0);
/// ```
///
/// If a closure cannot reach the state, call [`begin_step`](Self::begin_step) before each step, and then change
/// [`current_mut`](Self::current_mut) or call [`set`](Self::set). Without `begin_step` a frame is drawn from an older state.
///
/// # Which way round
///
/// Alpha is the fraction of the next step that has arrived: at 0 the previous state is drawn, and towards 1 the current one,
/// `previous + alpha × (current − previous)`. The wrong way round, `current + alpha × (previous − current)`, a body that moves to the right
/// is drawn moving to the left between steps, and jumps two steps to the right in each step.
///
/// # Several steps in a frame
///
/// Only the states around a frame's last step are drawn. If a copy of the state is expensive, call [`begin_step`](Self::begin_step) only before the
/// step that [is the last](crate::Step::is_last):
///
/// ```
/// use evenstep::{FixedTimestep, Rate, Smoothed};
/// use std::time::Duration;
///
/// let mut position = Smoothed::new(0.0);
/// let frame = FixedTimestep::new(Rate::hz(100)).advance(Duration::from_millis(35));
/// for step in frame.steps() {
///     if step.is_last() {
///         position.begin_step(); // one copy for three steps
///     }
///     *position.current_mut() += 100.0 * step.dt;
/// }
/// assert_eq!(position.at(frame.alpha()), 2.5);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Smoothed<T> {
    previous: T,
    current: T,
    is_teleport: bool,
}

impl<T: Clone> Smoothed<T> {
    /// Starts with a first state, at rest.
    pub fn new(state: T) -> Self {
        Self {
            previous: state.clone(),
            current: state,
            is_teleport: false,
        }
    }

    /// Runs a step: makes the current state the previous one, and passes the current state to be changed. Returns what `simulate` returns.
    #[inline]
    pub fn step<R>(&mut self, simulate: impl FnOnce(&mut T) -> R) -> R {
        self.begin_step();
        simulate(&mut self.current)
    }

    /// Makes the current state the previous one: the first half of [`step`](Self::step).
    #[inline]
    pub fn begin_step(&mut self) {
        self.previous.clone_from(&self.current);
        self.is_teleport = false;
    }

    /// The previous state.
    pub const fn previous(&self) -> &T {
        &self.previous
    }

    /// The current state: the simulation's truth.
    pub const fn current(&self) -> &T {
        &self.current
    }

    /// The current state, to be stepped in place.
    pub const fn current_mut(&mut self) -> &mut T {
        &mut self.current
    }

    /// Sets the current state.
    #[inline]
    pub fn set(&mut self, state: T) {
        self.current = state;
    }

    /// Sets the state before the last step. What is spawned moving is here now and was there a step ago; it is then drawn on its way from its
    /// first frame on.
    ///
    /// ```
    /// use evenstep::Smoothed;
    ///
    /// let (muzzle, velocity, dt) = (2.0, 300.0, 0.05); // in metres, metres a second, and seconds
    /// let mut shot = Smoothed::new(muzzle);
    /// shot.set_previous(muzzle - velocity * dt);
    /// assert_eq!(shot.at(0.5), muzzle - 7.5);
    /// ```
    #[inline]
    pub fn set_previous(&mut self, state: T) {
        self.previous = state;
        self.is_teleport = false;
    }

    /// Marks the current step as a teleport, before or after the current state is set.
    pub const fn teleport(&mut self) {
        self.is_teleport = true;
    }

    /// Changes both states alike and keeps the motion between them: use it when the origin of the world moves.
    pub fn shift(&mut self, mut change: impl FnMut(&mut T)) {
        change(&mut self.previous);
        change(&mut self.current);
    }

    /// Whether the last step was a teleport.
    pub const fn is_teleport(&self) -> bool {
        self.is_teleport
    }
}

impl<T: Blend + Clone> Smoothed<T> {
    /// The state to draw at `alpha`: the previous one at 0, bit-identical, and towards 1 the current one. A teleport is
    /// drawn as soon as alpha exceeds 0.
    #[inline]
    pub fn at(&self, alpha: f64) -> T {
        self.between(alpha, |previous, current| previous.blend(current, alpha))
    }

    #[inline]
    fn between(&self, alpha: f64, blend: impl FnOnce(&T, &T) -> T) -> T {
        if alpha <= 0.0 {
            self.previous.clone()
        } else if alpha >= 1.0 || self.is_teleport() {
            self.current.clone()
        } else {
            blend(&self.previous, &self.current)
        }
    }
}

impl<T: Extrapolate + Clone> Smoothed<T> {
    /// The state to draw at `alpha` in a chosen way, between steps of `dt` seconds. A `dt` that is no time extrapolates nothing.
    ///
    /// ```
    /// use evenstep::{PositionVelocity, Smoothed, Smoothing};
    /// use std::time::Duration;
    ///
    /// let mut ball = Smoothed::new(PositionVelocity { position: 0.0, velocity: 2.0 });
    /// ball.begin_step();
    /// ball.set(PositionVelocity { position: 1.0, velocity: 2.0 });
    /// let drawn = |smoothing| ball.drawn(smoothing, 0.5, 0.5).position;
    /// assert_eq!(drawn(Smoothing::None), 1.0);
    /// assert_eq!(drawn(Smoothing::Interpolate), 0.5);
    /// assert_eq!(drawn(Smoothing::Hermite), 0.5);
    /// assert_eq!(drawn(Smoothing::Extrapolate { horizon: Duration::from_millis(100) }), 1.2);
    /// ```
    pub fn drawn(&self, smoothing: Smoothing, alpha: f64, dt: f64) -> T {
        match smoothing {
            Smoothing::None => self.current.clone(),
            Smoothing::Interpolate => self.at(alpha),
            Smoothing::Extrapolate { horizon } => self.ahead(alpha * dt, horizon),
            Smoothing::Hermite => self.between(alpha, |previous, current| previous.hermite(current, alpha, dt)),
        }
    }

    fn ahead(&self, seconds: f64, horizon: Duration) -> T {
        let seconds = seconds.clamp(0.0, horizon.as_secs_f64());
        if seconds == 0.0 {
            self.current.clone()
        } else {
            self.current.extrapolate(seconds)
        }
    }
}
