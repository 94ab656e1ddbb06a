use core::time::Duration;

use crate::follow::spring::Spring;
use crate::math;

/// A point that follows another without jitter: a camera behind a player.
///
/// It hangs on a critically damped spring: it starts gently, catches up and never swings. Call [`step`](Self::step) in each step
/// with where the target is now, and draw [`at`](Self::at) the frame's alpha. In between it moves along the exact solution for a
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
/// | trail a target by a time | [`with_lag`](Self::with_lag); without, the follower is rigid |
/// | look at a place beside it | [`with_offset`](Self::with_offset) |
/// | stay while it moves a little | [`with_dead_zone`](Self::with_dead_zone) |
/// | show what lies ahead of it | [`with_look_ahead`](Self::with_look_ahead) |
/// | stay within the level | [`with_limits`](Self::with_limits) |
/// | be elsewhere at once | [`cut`](Self::cut) |
///
/// Positions are `f64` so that a camera far from the origin does not tremble. Subtract it from what you draw before you round to
/// `f32`.
///
/// The closed form is that of T. Lowe, *Critically damped ease-in/ease-out smoothing* (Game Programming Gems 4, 2004), for a target
/// that moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Follower<const N: usize> {
    settings: Settings<N>,
    previous: Moment<N>,
    current: Moment<N>,
    /// Seconds between both.
    dt: f64,
    is_cut: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Settings<const N: usize> {
    /// Seconds, at least zero.
    lag: f64,
    offset: [f64; N],
    dead_zone: f64,
    /// Seconds, at least zero.
    look_ahead: f64,
    lowest: [f64; N],
    highest: [f64; N],
}

/// What a follower is at the end of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Moment<const N: usize> {
    /// What it keeps in view: the target, or a point less than the dead zone away.
    focus: [f64; N],
    /// Where the spring pulls.
    goal: [f64; N],
    position: [f64; N],
    /// Units per second.
    velocity: [f64; N],
}

impl<const N: usize> Follower<N> {
    /// A follower on its target, rigid and without limits.
    #[must_use]
    pub fn new<T: Into<f64>>(target: [T; N]) -> Self {
        let settings = Settings {
            lag: 0.0,
            offset: [0.0; N],
            dead_zone: 0.0,
            look_ahead: 0.0,
            lowest: [f64::NEG_INFINITY; N],
            highest: [f64::INFINITY; N],
        };
        let moment = settings.at_rest(target.map(Into::into));
        Self {
            settings,
            previous: moment,
            current: moment,
            dt: 0.0,
            is_cut: false,
        }
    }

    /// It trails a target that moves evenly by so much time. It is two divided by the angular frequency of the spring.
    #[must_use]
    pub fn with_lag(self, lag: Duration) -> Self {
        let lag = lag.as_secs_f64();
        self.with(|settings| settings.lag = lag)
    }

    /// It follows a place so far from the target.
    #[must_use]
    pub fn with_offset<T: Into<f64>>(self, offset: [T; N]) -> Self {
        self.with(|settings| settings.offset = offset.map(Into::into))
    }

    /// It stays while the target is no farther from what it looks at than `radius`.
    #[must_use]
    pub fn with_dead_zone(self, radius: f64) -> Self {
        self.with(|settings| settings.dead_zone = radius.max(0.0))
    }

    /// It follows the place where the target will be after so much time, if it goes on as in the last step. The lag then swallows as
    /// much of it.
    #[must_use]
    pub fn with_look_ahead(self, time: Duration) -> Self {
        let seconds = time.as_secs_f64();
        self.with(|settings| settings.look_ahead = seconds)
    }

    /// It stays within a box. Along an axis where `lowest` is above `highest`, because the level is smaller than the screen, it
    /// stays in the middle of both.
    #[must_use]
    pub fn with_limits<T: Into<f64>>(self, lowest: [T; N], highest: [T; N]) -> Self {
        self.with(|settings| {
            settings.lowest = lowest.map(Into::into);
            settings.highest = highest.map(Into::into);
        })
    }

    /// With other settings, at rest where they put it.
    fn with(mut self, set: impl FnOnce(&mut Settings<N>)) -> Self {
        set(&mut self.settings);
        self.current = self.settings.at_rest(self.current.focus);
        self.previous = self.current;
        self
    }

    /// The target is at `target` at the end of this step of `dt` seconds. Call it once in each step, after the target has moved.
    ///
    /// A target that is not finite is taken to be where it was. A `dt` that is no time leaves the follower where it is. Where
    /// the numbers are too large for the way there to be computed, it is on its target at once, at rest, as after a
    /// [`cut`](Self::cut).
    pub fn step<T: Into<f64>>(&mut self, target: [T; N], dt: f64) {
        self.previous = self.current;
        self.is_cut = false;
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
            self.cut_from(self.previous, if is_seen { target } else { self.previous.focus });
        }
    }

    /// In place of [`step`](Self::step): from this step on it is on its target, at rest. Nothing in between is drawn.
    ///
    /// Use it when the target teleports, and when the camera is given another target. A target that is not finite is taken to be
    /// where it was.
    pub fn cut<T: Into<f64>>(&mut self, target: [T; N]) {
        self.cut_from(self.current, target.map(Into::into));
    }

    fn cut_from(&mut self, before: Moment<N>, target: [f64; N]) {
        self.previous = before;
        self.is_cut = true;
        let there = self.settings.at_rest(target);
        self.current = if there.is_finite() {
            there
        } else {
            Moment {
                velocity: [0.0; N],
                ..before
            }
        };
    }

    /// Moves everything alike: use it when the origin of the world moves. The limits move along. Nothing moves by what is not
    /// finite.
    pub fn shift<T: Into<f64>>(&mut self, by: [T; N]) {
        let by = by.map(Into::into);
        if by.iter().any(|axis| !axis.is_finite()) {
            return;
        }
        let plus = |place: &mut [f64; N]| place.iter_mut().zip(by).for_each(|(axis, by)| *axis += by);
        for Moment {
            focus, goal, position, ..
        } in [&mut self.previous, &mut self.current]
        {
            [focus, goal, position].into_iter().for_each(plus);
        }
        plus(&mut self.settings.lowest);
        plus(&mut self.settings.highest);
    }

    /// Where to draw from at `alpha`, as [`Smoothed::at`](crate::Smoothed::at): at 0 where it was before the last step, and
    /// towards 1 where it is now.
    #[must_use]
    pub fn at(&self, alpha: f64) -> [f64; N] {
        let position = if alpha <= 0.0 {
            self.previous.position
        } else if alpha >= 1.0 || self.is_cut {
            self.current.position
        } else {
            self.after(alpha * self.dt).0
        };
        self.settings.limited(position)
    }

    /// Position and velocity so many seconds after the step before.
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

impl<const N: usize> Moment<N> {
    fn is_finite(&self) -> bool {
        let all = [self.focus, self.goal, self.position, self.velocity];
        all.iter().flatten().all(|number| number.is_finite())
    }
}

impl<const N: usize> Settings<N> {
    fn at_rest(&self, target: [f64; N]) -> Moment<N> {
        let goal = self.goal(target, target, 1.0);
        Moment {
            focus: target,
            goal,
            position: goal,
            velocity: [0.0; N],
        }
    }

    /// What is kept in view when the target is there: it is pulled along at the edge of the dead zone.
    fn focus(&self, focus: [f64; N], target: [f64; N]) -> [f64; N] {
        let way: [f64; N] = core::array::from_fn(|axis| target[axis] - focus[axis]);
        let squared: f64 = way.iter().map(|way| way * way).sum();
        if squared <= self.dead_zone * self.dead_zone {
            return focus;
        }
        let slack = self.dead_zone / math::sqrt_f64(squared);
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
            if lowest > highest {
                lowest + (highest - lowest) / 2.0
            } else {
                place[axis].max(lowest).min(highest)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::*;
    use crate::{FixedTimestep, Rate, Smoothed};

    const MS: Duration = Duration::from_millis(1);

    /// What is drawn of a target and its follower at the display's frames: at each drawn time, in nanoseconds.
    fn drawn(camera: Follower<1>, path: &[f64], frames: u32) -> Vec<(u128, f64, f64)> {
        let mut timestep = FixedTimestep::new(Rate::hz(50)).with_max_steps(u32::MAX);
        let (mut camera, mut target) = (camera, Smoothed::new([path[0]]));
        let mut drawn = Vec::new();
        let frame = Duration::from_secs(1) / frames;
        for _ in 0..frames * path.len() as u32 / 50 {
            let frame = timestep.advance(frame);
            for step in frame.steps() {
                let Some(now) = path.get(step.tick as usize) else { break };
                target.begin_step();
                target.set([*now]);
                camera.step([*now], step.dt);
            }
            let time = frame.drawn_time().to_duration().as_nanos();
            drawn.push((time, target.at(frame.alpha())[0], camera.at(frame.alpha())[0]));
        }
        drawn
    }

    proptest! {
        #[test]
        fn every_display_shows_the_same_path(path in prop::collection::vec(-10.0..10.0_f64, 50)) {
            let camera = Follower::new([path[0]]).with_lag(150 * MS).with_dead_zone(0.5).with_look_ahead(50 * MS);
            let all = drawn(camera, &path, 1_000);
            for frames in [25, 50, 125, 250] {
                for shown in drawn(camera, &path, frames) {
                    prop_assert!(all.contains(&shown), "{shown:?} at {frames} Hz");
                }
            }
        }

        #[test]
        fn however_a_straight_way_is_cut_into_steps_it_is_the_same(
            lag in 0..500_u64, speed in -20.0..20.0_f64, cuts in prop::collection::vec(0.001..0.1_f64, 1..20),
        ) {
            let start = Follower::new([1.0]).with_lag(Duration::from_millis(lag));
            let (mut once, mut often, mut time) = (start, start, 0.0);
            for dt in &cuts {
                time += dt;
                often.step([1.0 + speed * time], *dt);
            }
            once.step([1.0 + speed * time], time);
            prop_assert!((once.at(1.0)[0] - often.at(1.0)[0]).abs() < 1e-9);
        }

        #[test]
        fn it_never_leaves_its_limits_and_never_loses_the_target(
            path in prop::collection::vec([-10.0..10.0_f64, -10.0..10.0], 1..60), radius in 0.0..3.0_f64, alpha in 0.0..1.0_f64,
        ) {
            let mut camera = Follower::new([0.0; 2]).with_lag(50 * MS).with_dead_zone(radius).with_limits([-4.0, 1.0], [6.0, -1.0]);
            for target in path {
                camera.step(target, 0.02);
                let [x, y] = camera.at(alpha);
                prop_assert!((-4.0..=6.0).contains(&x) && y == 0.0);
                let [dx, dy] = [0, 1].map(|axis| camera.current.focus[axis] - target[axis]);
                prop_assert!((dx * dx + dy * dy).sqrt() <= radius + 1e-9);
            }
        }

        #[test]
        fn no_step_makes_it_jump(path in prop::collection::vec(-10.0..10.0_f64, 2..60), lag in 0..300_u64) {
            let mut camera = Follower::new([0.0]).with_lag(Duration::from_millis(lag));
            for target in path {
                let before = camera.at(1.0);
                camera.step([target], 0.02);
                prop_assert_eq!(camera.at(0.0), before);
                prop_assert!((camera.at(1.0 - 1e-9)[0] - camera.at(1.0)[0]).abs() < 1e-6);
            }
        }

        #[test]
        fn no_number_makes_it_lose_its_place(target in any::<f64>(), dt in any::<f64>(), alpha in any::<f64>()) {
            let mut camera = Follower::new([2.0]).with_lag(100 * MS).with_limits([-10.0], [10.0]);
            camera.step([target], dt);
            camera.step([f64::NAN], 0.02);
            prop_assert!((-10.0..=10.0).contains(&camera.at(alpha)[0]));
        }
    }

    /// Numbers of every size, and none.
    fn any_number() -> impl Strategy<Value = f64> {
        let extreme = [1e307, -1e307, f64::MAX, f64::MIN, f64::INFINITY, f64::NAN, 1e-300, 0.0];
        prop_oneof![-10.0..10.0_f64, any::<f64>(), prop::sample::select(extreme.to_vec())]
    }

    proptest! {
        #[test]
        fn whatever_it_was_told_it_is_finite_and_finds_its_target_again(
            nonsense in prop::collection::vec((any_number(), any_number(), 0..4_u32), 1..8),
            start in any_number(), lag in 0..300_u64, alpha in 0.0..1.0_f64,
        ) {
            let mut camera = Follower::new([start, 0.0]).with_lag(Duration::from_millis(lag)).with_look_ahead(50 * MS);
            for (number, dt, call) in nonsense {
                match call {
                    0 => camera.cut([number, dt]),
                    1 => camera.step([number, 0.0], 0.02),
                    _ => camera.step([0.0, number], dt),
                }
                prop_assert!(camera.at(alpha).iter().all(|axis| axis.is_finite()) || !start.is_finite(), "{camera:?}");
            }
            // A spring that was a finite number of metres away has been there after so many of its times.
            (0..800).for_each(|_| camera.step([3.0, -1.0], 1.0));
            let [x, y] = camera.at(alpha);
            prop_assert!((x - 3.0).abs() < 1e-6 && (y + 1.0).abs() < 1e-6, "{x} {y}");
        }
    }

    #[test]
    fn beside_a_target_that_moves_evenly_it_stands_still() {
        let path: Vec<f64> = (0..500).map(|tick| 0.13 * f64::from(tick)).collect();
        let camera = Follower::new([0.0]).with_lag(200 * MS);
        for (_, target, eye) in &drawn(camera, &path, 144)[1000..] {
            assert!((target - eye - 0.2 * 6.5).abs() < 1e-9, "{}", target - eye);
        }
    }

    #[test]
    fn within_the_dead_zone_it_does_not_move_a_bit() {
        let mut camera = Follower::new([1.0, 2.0]).with_lag(100 * MS).with_dead_zone(0.5);
        for target in [[1.4, 2.0], [0.7, 2.3], [1.0, 1.6]] {
            camera.step(target, 0.02);
            assert_eq!(camera.at(0.7), [1.0, 2.0]);
        }
    }

    #[test]
    fn a_look_ahead_as_long_as_the_lag_keeps_an_even_target_in_the_middle() {
        let mut camera = Follower::new([0.0]).with_lag(200 * MS).with_look_ahead(200 * MS);
        let target = |step: u32| 0.1 * f64::from(step);
        (1..=500).for_each(|step| camera.step([target(step)], 0.02));
        assert!((camera.at(1.0)[0] - target(500)).abs() < 1e-9);
    }

    #[test]
    fn a_cut_is_seen_with_the_step_in_which_it_happens_and_not_before() {
        let mut camera = Follower::new([0.0]).with_lag(200 * MS);
        camera.step([1.0], 0.02);
        let before = camera.at(1.0);
        camera.cut([100.0]);
        assert_eq!(camera.at(0.0), before);
        assert_eq!(camera.at(0.01), [100.0]);
        camera.step([100.0], 0.02);
        assert_eq!(camera.at(0.5), [100.0]);
    }

    #[test]
    fn moving_the_origin_moves_all() {
        let mut camera = Follower::new([1.0]).with_lag(200 * MS).with_limits([0.0], [50.0]);
        camera.step([3.0], 0.02);
        let before = camera.at(0.5)[0];
        camera.shift([1000.0]);
        assert!((camera.at(0.5)[0] - 1000.0 - before).abs() < 1e-9);
        camera.step([2000.0], 10.0);
        camera.step([2000.0], 10.0);
        assert_eq!(camera.at(1.0), [1050.0]);
    }
}
