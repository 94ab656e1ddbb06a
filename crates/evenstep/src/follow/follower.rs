//! A camera that follows a target on a critically damped spring.

use core::time::Duration;

use crate::follow::spring::Spring;
use crate::math;

/// A point that follows another without jitter: a camera behind a player.
///
/// It is attached by a critically damped spring: it starts gently, catches up and never oscillates. Call [`step`](Self::step) in each
/// step with the target's position, and draw [`at`](Self::at) the frame's alpha. In between it moves along the exact solution for a
/// target that moves in a straight line through each step, which is how [`Smoothed`](crate::Smoothed) draws the target. So
/// its path is the same at every display rate, and beside a target that moves evenly it stands still.
///
/// ```
/// use evenstep::follow::Follower;
/// use std::time::Duration;
///
/// let mut camera = Follower::new([0.0, 0.0])
///     .with_lag(Duration::from_millis(100))
///     .with_limits([-50.0, 0.0], [50.0, 20.0]);
/// for step in 1..=100 {
///     camera.step([0.1 * f64::from(step), -3.0], 0.02); // the target runs at 5 m/s, below the level's floor
/// }
/// let [x, y] = camera.at(0.5);
/// assert!((x - (9.95 - 0.5)).abs() < 1e-3); // it trails by what the target runs in 100 ms
/// assert_eq!(y, 0.0);
/// ```
///
/// | to | call |
/// |---|---|
/// | trail a target by a time | [`with_lag`](Self::with_lag); without it, the follower is rigid |
/// | look at a point beside the target | [`with_offset`](Self::with_offset) |
/// | stay while the target moves a little | [`with_dead_zone`](Self::with_dead_zone) |
/// | look ahead of the target | [`with_look_ahead`](Self::with_look_ahead) |
/// | stay within the level | [`with_limits`](Self::with_limits) |
/// | move discontinuously | [`teleport`](Self::teleport) |
///
/// Positions are `f64` so that a camera far from the origin does not tremble. Subtract it from what you draw before you round to
/// `f32`.
///
/// The closed form is from T. Lowe, *Critically damped ease-in/ease-out smoothing* (Game Programming Gems 4, 2004), for a target
/// that moves.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "[f64; N]: serde::Serialize, [Option<f64>; N]: serde::Serialize",
        deserialize = "[f64; N]: serde::Deserialize<'de>, [Option<f64>; N]: serde::Deserialize<'de>"
    ))
)]
pub struct Follower<const N: usize> {
    settings: Settings<[f64; N], [Option<f64>; N]>,
    previous: FollowerState<[f64; N]>,
    current: FollowerState<[f64; N]>,
    /// Seconds between both.
    dt: f64,
    is_teleport: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Settings<V, L> {
    /// Seconds, at least zero.
    lag: f64,
    offset: V,
    dead_zone: f64,
    /// Seconds, at least zero.
    look_ahead: f64,
    /// None along axes without a limit.
    lowest: L,
    highest: L,
}

/// The state of a follower at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct FollowerState<V> {
    /// The point that it keeps in view: the target, or a point less than the dead zone away.
    focus: V,
    /// Where the spring pulls.
    goal: V,
    position: V,
    /// Units per second.
    velocity: V,
}

impl<const N: usize> Follower<N> {
    /// A follower on its target, rigid and without limits. One that begins with a target that is not finite is on the first finite one at once.
    #[must_use]
    pub fn new<T: Into<f64>>(target: [T; N]) -> Self {
        let settings = Settings {
            lag: 0.0,
            offset: [0.0; N],
            dead_zone: 0.0,
            look_ahead: 0.0,
            lowest: [None; N],
            highest: [None; N],
        };
        let moment = settings.at_rest(target.map(Into::into));
        Self {
            settings,
            previous: moment,
            current: moment,
            dt: 0.0,
            is_teleport: false,
        }
    }

    /// The same with a [lag](Self::set_lag), at rest.
    #[must_use]
    pub fn with_lag(self, lag: Duration) -> Self {
        self.with(|follower| follower.set_lag(lag))
    }

    /// The same with an [offset](Self::set_offset), at rest.
    #[must_use]
    pub fn with_offset<T: Into<f64>>(self, offset: [T; N]) -> Self {
        self.with(|follower| follower.set_offset(offset))
    }

    /// The same with a [dead zone](Self::set_dead_zone), at rest.
    #[must_use]
    pub fn with_dead_zone(self, radius: f64) -> Self {
        self.with(|follower| follower.set_dead_zone(radius))
    }

    /// The same with [look-ahead](Self::set_look_ahead), at rest.
    #[must_use]
    pub fn with_look_ahead(self, time: Duration) -> Self {
        self.with(|follower| follower.set_look_ahead(time))
    }

    /// The same with [limits](Self::set_limits), at rest.
    #[must_use]
    pub fn with_limits<T: Into<f64>>(self, lowest: [T; N], highest: [T; N]) -> Self {
        self.with(|follower| follower.set_limits(lowest, highest))
    }

    /// It trails a target that moves at a constant velocity by this time: two divided by the angular frequency of the spring. A new lag has
    /// effect from the next step on.
    pub fn set_lag(&mut self, lag: Duration) {
        self.settings.lag = lag.as_secs_f64();
    }

    /// It follows a place that is this far from the target. An offset that is not finite is not taken.
    pub fn set_offset<T: Into<f64>>(&mut self, offset: [T; N]) {
        let offset = offset.map(Into::into);
        if offset.iter().all(|axis| axis.is_finite()) {
            self.settings.offset = offset;
        }
    }

    /// It stays while the target is no farther than `radius` from the point in view. A radius below zero or NaN is treated as zero, and an
    /// infinite one holds it in place.
    pub fn set_dead_zone(&mut self, radius: f64) {
        self.settings.dead_zone = radius.max(0.0);
    }

    /// It follows the place where the target will be after this time, if it continues as in the last step. Lag is subtracted: 150 ms of
    /// look-ahead with 100 ms of lag leads by 50 ms.
    pub fn set_look_ahead(&mut self, time: Duration) {
        self.settings.look_ahead = time.as_secs_f64();
    }

    /// It stays within a box; a number that is not finite is no limit. Along an axis where `lowest` is above `highest`, because the level is
    /// smaller than the screen, it stays in the middle of both.
    pub fn set_limits<T: Into<f64>>(&mut self, lowest: [T; N], highest: [T; N]) {
        let finite = |number: T| Some(number.into()).filter(|number: &f64| number.is_finite());
        self.settings.lowest = lowest.map(finite);
        self.settings.highest = highest.map(finite);
    }

    /// With other settings, at rest where they put it.
    fn with(mut self, set: impl FnOnce(&mut Self)) -> Self {
        set(&mut self);
        self.current = self.settings.at_rest(self.current.focus);
        self.previous = self.current;
        self
    }

    /// The target is at `target` at the end of this step of `dt` seconds. Call it once in each step, after the target has moved.
    ///
    /// A target that is not finite is taken to be where it was. A `dt` that is no time leaves the follower where it is. Where
    /// the numbers are too large for the way there to be computed, it is on its target at once, at rest, as after a
    /// [`teleport`](Self::teleport).
    pub fn step<T: Into<f64>>(&mut self, target: [T; N], dt: f64) {
        self.previous = self.current;
        self.is_teleport = false;
        self.dt = if dt.is_finite() { dt.max(0.0) } else { 0.0 };
        let target = target.map(Into::into);
        let is_seen = target.iter().all(|axis| axis.is_finite());
        if is_seen {
            self.current.focus = self.settings.focus(self.current.focus, target);
        }
        if self.dt > 0.0 {
            self.current.goal = self.settings.goal(self.previous.focus, self.current.focus, self.dt);
            (self.current.position, self.current.velocity) = self.after(self.dt);
        }
        if !self.current.is_finite() {
            self.teleport_from(self.previous, if is_seen { target } else { self.previous.focus });
        }
    }

    /// In place of [`step`](Self::step): from this step on it is on its target, at rest. Nothing in between is drawn.
    ///
    /// Use it when the target teleports, and when the camera is given another target. A target that is not finite is taken to be
    /// where it was.
    pub fn teleport<T: Into<f64>>(&mut self, target: [T; N]) {
        self.teleport_from(self.current, target.map(Into::into));
    }

    fn teleport_from(&mut self, before: FollowerState<[f64; N]>, target: [f64; N]) {
        self.previous = before;
        self.is_teleport = true;
        let there = self.settings.at_rest(target);
        self.current = if there.is_finite() {
            there
        } else {
            FollowerState {
                velocity: [0.0; N],
                ..before
            }
        };
    }

    /// Moves everything alike: use it when the origin of the world moves. The limits move along. Nothing moves by a value that is not
    /// finite.
    pub fn shift<T: Into<f64>>(&mut self, by: [T; N]) {
        let by = by.map(Into::into);
        if by.iter().any(|axis| !axis.is_finite()) {
            return;
        }
        let plus = |place: &mut [f64; N]| place.iter_mut().zip(by).for_each(|(axis, by)| *axis += by);
        for FollowerState {
            focus, goal, position, ..
        } in [&mut self.previous, &mut self.current]
        {
            [focus, goal, position].into_iter().for_each(plus);
        }
        let Settings { lowest, highest, .. } = &mut self.settings;
        for limits in [lowest, highest] {
            let limits = limits.iter_mut().zip(by);
            limits.for_each(|(limit, by)| *limit = limit.map(|limit| limit + by));
        }
    }

    /// Where to draw from at `alpha`, as [`Smoothed::at`](crate::Smoothed::at): at 0 where it was before the last step, and
    /// towards 1 where it is now.
    #[must_use]
    pub fn at(&self, alpha: f64) -> [f64; N] {
        let position = if alpha <= 0.0 {
            self.previous.position
        } else if alpha >= 1.0 || self.is_teleport {
            self.current.position
        } else {
            self.after(alpha * self.dt).0
        };
        self.settings.limited(position)
    }

    /// Position and velocity this many seconds after the step before.
    fn after(&self, seconds: f64) -> ([f64; N], [f64; N]) {
        let (from, to) = (&self.previous, &self.current);
        let (mut position, mut velocity) = (from.position, from.velocity);
        if self.dt == 0.0 {
            return (position, velocity);
        }
        for axis in 0..N {
            let spring = Spring {
                lag: self.settings.lag,
                speed: (to.goal[axis] - from.goal[axis]) / self.dt,
                offset: from.position[axis] - from.goal[axis],
                velocity: from.velocity[axis],
            };
            let (offset, now) = spring.after(seconds);
            position[axis] = from.goal[axis] + offset;
            velocity[axis] = now;
        }
        (position, velocity)
    }
}

impl<const N: usize> FollowerState<[f64; N]> {
    fn is_finite(&self) -> bool {
        let all = [self.focus, self.goal, self.position, self.velocity];
        all.iter().flatten().all(|number| number.is_finite())
    }
}

impl<const N: usize> Settings<[f64; N], [Option<f64>; N]> {
    fn at_rest(&self, target: [f64; N]) -> FollowerState<[f64; N]> {
        let goal = self.goal(target, target, 1.0);
        FollowerState {
            focus: target,
            goal,
            position: goal,
            velocity: [0.0; N],
        }
    }

    /// The point in view when the target is there: it is pulled along at the edge of the dead zone.
    fn focus(&self, focus: [f64; N], target: [f64; N]) -> [f64; N] {
        let way: [f64; N] = core::array::from_fn(|axis| target[axis] - focus[axis]);
        let squared: f64 = way.iter().map(|way| way * way).sum();
        if squared <= self.dead_zone * self.dead_zone {
            return focus;
        }
        let slack = self.dead_zone / math::sqrt(squared);
        core::array::from_fn(|axis| target[axis] - way[axis] * slack)
    }

    fn goal(&self, before: [f64; N], focus: [f64; N], dt: f64) -> [f64; N] {
        let ahead = self.look_ahead / dt;
        self.limited(core::array::from_fn(|axis| {
            focus[axis] + self.offset[axis] + (focus[axis] - before[axis]) * ahead
        }))
    }

    fn limited(&self, place: [f64; N]) -> [f64; N] {
        core::array::from_fn(|axis| {
            let (lowest, highest) = (self.lowest[axis], self.highest[axis]);
            match lowest.zip(highest) {
                Some((lowest, highest)) if lowest > highest => lowest + (highest - lowest) / 2.0,
                _ => {
                    let place = lowest.map_or(place[axis], |lowest| place[axis].max(lowest));
                    highest.map_or(place, |highest| place.min(highest))
                }
            }
        })
    }
}

#[cfg(test)]
mod tests;
