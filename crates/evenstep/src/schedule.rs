use alloc::vec::Vec;
use core::time::Duration;

use crate::frame::LARGEST_ALPHA;
use crate::ratio::gcd;
use crate::time::NANOS_PER_SEC;
use crate::{Rate, SimTime, Step, Tick, TimeScale};

/// The finest unit of time: this many in a nanosecond at most.
const FINEST: u128 = 1 << 90;

/// The most units that a frame can bring.
const MOST_UNITS: u128 = 1 << 120;

/// Several tasks at rates of their own, stepped from one clock in one order.
///
/// Physics at 120 Hz, decisions at 10 Hz, packets at 20 Hz: give each a [`Rate`], tell the schedule how much time has
/// passed, and run the steps that it names. They come in the order in which they end, exactly, and where several end at the
/// same time in the order in which the tasks were added; so the order is the same on every machine and every display.
/// Time scale, slewing and caps are common to all.
///
/// ```
/// use evenstep::{Rate, Schedule};
/// use std::time::Duration;
///
/// let mut schedule = Schedule::new();
/// let physics = schedule.add(Rate::hz(100));
/// let decisions = schedule.add(Rate::hz(50));
///
/// let _lost = schedule.advance(Duration::from_millis(25));
/// let mut order = Vec::new();
/// while let Some((task, step)) = schedule.next_step() {
///     order.push((task == physics, step.tick));
/// }
/// assert_eq!(order, [(true, 0), (true, 1), (false, 0)]);
/// assert_eq!(schedule.alpha(physics), 0.5);
/// assert_eq!(schedule.alpha(decisions), 0.25);
/// ```
///
/// A step that cannot be run now is [refused](Self::refuse) and stays due, with its time; so do steps that were not asked
/// for. Once the oldest has been due for [`max_behind`](Self::with_max_behind), time that arrives is given up, by all tasks
/// alike.
#[derive(Clone, Debug)]
pub struct Schedule {
    tasks: Vec<Task>,
    /// What has arrived, in units of which `resolution` make a nanosecond.
    now: SimTime,
    resolution: u128,
    /// The latest time that was ever drawn: later than `now` where that was rounded down.
    drawn: SimTime,
    /// Simulated nanoseconds in a real one: numerator and denominator.
    speed: (u64, u64),
    scale: TimeScale,
    /// Thousandths by which simulated time is made to run faster.
    slew: i32,
    max_delta: Duration,
    max_behind: Duration,
    last: Option<TaskId>,
}

/// A task of a [`Schedule`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TaskId(usize);

#[derive(Clone, Debug)]
struct Task {
    rate: Rate,
    phase: Duration,
    next: Tick,
}

/// Time that a [`Schedule`] gave up in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use = "time that was given up should be seen"]
pub struct ScheduleLost {
    /// Real time cut off because the delta exceeded [`max_delta`](Schedule::with_max_delta).
    pub clamped: Duration,
    /// Simulated time that no task will step, because a step was due for longer than
    /// [`max_behind`](Schedule::with_max_behind), or because the end of time is reached, after 2^64 seconds.
    pub dropped: SimTime,
    /// Simulated time rounded away, below a nanosecond. Zero unless the time scale changed between fractions whose
    /// common denominator exceeds 90 bits.
    pub rounded: SimTime,
}

impl Schedule {
    /// A schedule without tasks at time zero. It believes deltas of up to 250 ms, and lets steps be due for up to 250 ms of
    /// simulated time.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            tasks: Vec::new(),
            now: SimTime::ZERO,
            resolution: 1,
            drawn: SimTime::ZERO,
            speed: (1, 1),
            scale: TimeScale::NORMAL,
            slew: 0,
            max_delta: Duration::from_millis(250),
            max_behind: Duration::from_millis(250),
            last: None,
        }
    }

    /// The same with another longest real delta that is believed.
    #[must_use]
    pub const fn with_max_delta(mut self, max_delta: Duration) -> Self {
        self.max_delta = max_delta;
        self
    }

    /// The same with another limit for how long the oldest step that is due may wait, in simulated time. What arrives beyond
    /// it is dropped: the game slows down. The end of that step counts rounded down to a nanosecond.
    #[must_use]
    pub const fn with_max_behind(mut self, max_behind: Duration) -> Self {
        self.max_behind = max_behind;
        self
    }

    /// Adds a task. Its tick `n` ends at `(n + 1)` periods. A task that is added later begins with the step that is under
    /// way then.
    pub fn add(&mut self, rate: Rate) -> TaskId {
        self.add_with_phase(rate, Duration::ZERO)
    }

    /// Adds a task whose steps end `phase` of simulated time later than they would, so that tasks of one rate do not all
    /// fall into the same frame.
    pub fn add_with_phase(&mut self, rate: Rate, phase: Duration) -> TaskId {
        let phase = phase.min(Duration::from_secs(u64::from(u32::MAX)));
        let mut task = Task { rate, phase, next: 0 };
        task.next = task.first_after(self.now());
        self.tasks.push(task);
        TaskId(self.tasks.len() - 1)
    }

    /// How much simulated time passes in a second; applies to the next delta.
    pub const fn set_time_scale(&mut self, scale: TimeScale) {
        self.scale = scale;
    }

    /// Lets simulated time run faster by `thousandths`, or slower if negative, by at most 100 (10 %) either way: to fall in
    /// step with another machine without a jump. Applies to the next delta, on top of the time scale.
    pub fn set_slew(&mut self, thousandths: i32) {
        self.slew = thousandths.clamp(-100, 100);
    }

    /// Takes the real time since the last frame. The steps that are due now are those that
    /// [`next_step`](Self::next_step) names.
    pub fn advance(&mut self, delta: Duration) -> ScheduleLost {
        let mut lost = ScheduleLost {
            rounded: self.rescale(),
            ..ScheduleLost::default()
        };
        self.last = None;
        let per_nano = self.resolution / u128::from(self.speed.1) * u128::from(self.speed.0);
        let longest = MOST_UNITS
            .checked_div(per_nano)
            .unwrap_or(u128::MAX)
            .min(self.max_delta.as_nanos());
        let accepted = delta.as_nanos().min(longest);
        lost.clamped = from_nanos(delta.as_nanos() - accepted);
        let arrived = accepted * per_nano;
        let kept = arrived.min(self.room());
        lost.dropped = SimTime::new(arrived - kept, self.resolution);
        self.now = self.now.after(kept, self.resolution);
        lost
    }

    /// How much time may arrive before the oldest step has waited too long, in units.
    fn room(&self) -> u128 {
        let oldest = self.tasks.iter().filter_map(Task::next_end).min();
        let limit = oldest.map_or(Duration::MAX, |end| end.to_duration().saturating_add(self.max_behind));
        let (nanos, beyond) = self.now.in_nanos(self.resolution);
        match limit.as_nanos().checked_sub(nanos) {
            Some(left) => left.saturating_mul(self.resolution).saturating_sub(beyond),
            None => 0,
        }
    }

    /// Counts in units that suit the speed; answers with what had to be rounded away.
    fn rescale(&mut self) -> SimTime {
        let (numer, denom) = (u64::from(self.scale.numer()), u64::from(self.scale.denom()));
        let slew = (1000 + self.slew) as u64;
        let divisor = gcd(u128::from(numer * slew), u128::from(denom) * 1000) as u64;
        let speed = (
            numer * slew / divisor,
            (u128::from(denom) * 1000 / u128::from(divisor)) as u64,
        );
        if speed == self.speed {
            return SimTime::ZERO;
        }
        self.speed = speed;
        let own = u128::from(speed.1);
        let (_, needed) = self.now.subsec();
        let needed = needed / gcd(needed, u128::from(NANOS_PER_SEC));
        let common = (needed / gcd(needed, own)).checked_mul(own);
        self.resolution = common.filter(|common| *common <= FINEST).unwrap_or(own);
        self.drawn = self.drawn();
        let rest;
        (self.now, rest) = self.now.in_units(self.resolution);
        rest
    }

    /// The next step that is due, and the task that it belongs to; none when all have run.
    pub fn next_step(&mut self) -> Option<(TaskId, Step)> {
        self.last = None;
        let ends = self.tasks.iter().map(Task::next_end).enumerate();
        let ends = ends.filter_map(|(index, end)| Some((index, end?)));
        let earliest = ends.min_by(|(_, one), (_, other)| one.cmp(other)); // the first of equals
        let (index, _) = earliest.filter(|(_, end)| *end <= self.now)?;
        let task = &mut self.tasks[index];
        let step = Step::new(task.next, task.rate);
        task.next += 1;
        self.last = Some(TaskId(index));
        Some((TaskId(index), step))
    }

    /// Takes back the step that [`next_step`](Self::next_step) named last: it stays due, and is the next to be named.
    /// Answers with whether there was one.
    ///
    /// A rollback session that must wait for the other players' input refuses its step and leaves the loop; the next frame
    /// brings it again.
    pub fn refuse(&mut self) -> bool {
        let last = self.last.take();
        if let Some(TaskId(index)) = last {
            self.tasks[index].next -= 1;
        }
        last.is_some()
    }

    /// The simulated time that has arrived, exact.
    #[must_use]
    pub const fn now(&self) -> SimTime {
        self.now
    }

    /// Where to draw a task between its previous state (0) and its current one (towards 1), as
    /// [`Frame::alpha`](crate::Frame::alpha) says. The picture never goes back from frame to frame if it is drawn once a
    /// frame, after what was refused. Zero for a task of another schedule.
    #[must_use]
    pub fn alpha(&self, task: TaskId) -> f64 {
        let Some(task) = self.tasks.get(task.0) else { return 0.0 };
        let (drawn, begun) = (self.drawn(), task.begin());
        if drawn < begun {
            return 0.0;
        }
        (drawn.secs_since(begun) / task.rate.period_secs_f64()).min(LARGEST_ALPHA)
    }

    fn drawn(&self) -> SimTime {
        self.drawn.max(self.now)
    }

    /// How many steps of a task were named and not refused: the tick of its next. Zero for a task of another schedule.
    #[must_use]
    pub fn tick(&self, task: TaskId) -> Tick {
        self.tasks.get(task.0).map_or(0, |task| task.next)
    }
}

impl Default for Schedule {
    fn default() -> Self {
        Self::new()
    }
}

impl Task {
    /// When the next step begins, exact.
    fn begin(&self) -> SimTime {
        self.at(self.next)
    }

    /// When the next step ends, exact; never after the last tick of all.
    fn next_end(&self) -> Option<SimTime> {
        self.next.checked_add(1).map(|end| self.at(end))
    }

    fn at(&self, tick: Tick) -> SimTime {
        let numer = u128::from(self.rate.numer());
        SimTime::at_tick(tick, self.rate).after(self.phase.as_nanos() * numer, numer)
    }

    /// The first tick that ends after `now`.
    fn first_after(&self, now: SimTime) -> Tick {
        let (mut low, mut high) = (0, Tick::MAX);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.at(middle.saturating_add(1)) > now {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        low
    }
}

fn from_nanos(nanos: u128) -> Duration {
    let billion = u128::from(NANOS_PER_SEC);
    Duration::new((nanos / billion) as u64, (nanos % billion) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(schedule: &mut Schedule) -> Vec<(TaskId, Tick)> {
        core::iter::from_fn(|| schedule.next_step())
            .map(|(task, step)| (task, step.tick))
            .collect()
    }

    #[test]
    fn phases_spread_tasks_of_one_rate_over_frames() {
        let mut schedule = Schedule::new();
        let tasks: Vec<_> = (0..4)
            .map(|n| schedule.add_with_phase(Rate::hz(10), Duration::from_millis(25 * n)))
            .collect();
        let mut most = 0;
        for _ in 0..400 {
            let _ = schedule.advance(Duration::from_millis(10));
            most = most.max(steps(&mut schedule).len());
        }
        assert_eq!(most, 1);
        assert!(tasks.iter().all(|task| (39..=40).contains(&schedule.tick(*task))));
    }

    #[test]
    fn a_refused_step_comes_again_and_nothing_overtakes_it() {
        let mut schedule = Schedule::new();
        let fast = schedule.add(Rate::hz(100));
        let slow = schedule.add(Rate::hz(50));
        let _ = schedule.advance(Duration::from_millis(20));
        assert_eq!(
            schedule.next_step().map(|(task, step)| (task, step.tick)),
            Some((fast, 0))
        );
        assert!(schedule.refuse());
        assert!(!schedule.refuse());
        let _ = schedule.advance(Duration::from_millis(1));
        assert_eq!(steps(&mut schedule), [(fast, 0), (fast, 1), (slow, 0)]);
    }

    #[test]
    fn steps_that_pile_up_are_given_up_by_all_tasks_alike() {
        let mut schedule = Schedule::new().with_max_behind(Duration::from_millis(100));
        let fast = schedule.add(Rate::hz(100));
        let slow = schedule.add(Rate::hz(10));
        let mut dropped = 0.0;
        for _ in 0..50 {
            dropped += schedule.advance(Duration::from_millis(20)).dropped.as_secs_f64();
        }
        assert!((dropped - 0.89).abs() < 1e-12, "{dropped}"); // the first ends after 10 ms, and waits for 100
        assert_eq!(steps(&mut schedule).len(), 12);
        assert_eq!((schedule.tick(fast), schedule.tick(slow)), (11, 1));
    }

    #[test]
    fn what_is_due_is_limited_also_while_the_speed_changes() {
        for slews in [[0, 0], [0, 1], [-100, 100]] {
            let mut schedule = Schedule::new().with_max_behind(Duration::from_millis(100));
            let task = schedule.add(Rate::hz(100));
            let mut dropped = 0.0;
            for slew in slews.into_iter().cycle().take(1000) {
                schedule.set_slew(slew);
                dropped += schedule.advance(Duration::from_millis(10)).dropped.as_secs_f64();
                let _ = schedule.next_step();
                schedule.refuse();
            }
            assert!(dropped > 9.8, "{dropped} s at {slews:?}");
            assert_eq!((steps(&mut schedule).len(), schedule.tick(task)), (11, 11));
        }
    }

    #[test]
    fn a_step_that_always_waits_a_little_drops_nothing() {
        let mut schedule = Schedule::new().with_max_behind(Duration::from_millis(100));
        schedule.add(Rate::hz(100));
        let _ = schedule.advance(Duration::from_millis(20));
        for _ in 0..100 {
            assert!(schedule.next_step().is_some());
            let lost = schedule.advance(Duration::from_millis(10));
            assert_eq!(lost, ScheduleLost::default());
        }
    }

    #[test]
    fn a_limit_that_is_lowered_does_not_set_time_back() {
        let mut schedule = Schedule::new();
        schedule.add(Rate::hz(100));
        let _ = schedule.advance(Duration::from_millis(200));
        let mut schedule = schedule.with_max_behind(Duration::from_millis(50));
        let before = schedule.now();
        let lost = schedule.advance(Duration::from_millis(10));
        assert_eq!(lost.dropped, SimTime::from(Duration::from_millis(10)));
        assert_eq!((schedule.now(), steps(&mut schedule).len()), (before, 20));
    }

    #[test]
    fn a_task_whose_ticks_are_used_up_is_not_due() {
        let mut schedule = Schedule::new().with_max_delta(Duration::MAX);
        let _ = schedule.advance(Duration::from_secs(1 << 33));
        let task = schedule.add(Rate::hz(u32::MAX));
        assert_eq!((schedule.next_step(), schedule.tick(task)), (None, Tick::MAX));
    }

    #[test]
    fn slewing_by_ten_percent_changes_the_rate_without_a_jump() {
        let mut schedule = Schedule::new();
        let task = schedule.add(Rate::hz(60));
        let mut last = 0.0;
        let mut run = |schedule: &mut Schedule, slew, frames| {
            schedule.set_slew(slew);
            let before = schedule.tick(task);
            for _ in 0..frames {
                let _ = schedule.advance(Duration::from_millis(5));
                steps(schedule);
                let drawn = schedule.tick(task) as f64 + schedule.alpha(task);
                assert!(drawn - last < 0.34, "a jump of {} steps", drawn - last);
                last = drawn;
            }
            schedule.tick(task) - before
        };
        assert_eq!(run(&mut schedule, 0, 200), 60);
        assert_eq!(run(&mut schedule, 100, 200), 66);
        assert_eq!(run(&mut schedule, -100, 200), 54);
        assert_eq!(run(&mut schedule, -9999, 200), 54);
    }

    #[test]
    fn a_task_that_is_added_later_begins_with_the_step_under_way() {
        let mut schedule = Schedule::new();
        schedule.add(Rate::hz(100));
        let _ = schedule.advance(Duration::from_millis(35));
        steps(&mut schedule);
        let late = schedule.add(Rate::hz(100));
        assert_eq!((schedule.tick(late), schedule.alpha(late)), (3, 0.5));
    }

    #[test]
    fn time_that_stands_still_has_no_steps_and_keeps_alpha() {
        let mut schedule = Schedule::new();
        let task = schedule.add(Rate::hz(60));
        let _ = schedule.advance(Duration::from_millis(10));
        schedule.set_time_scale(TimeScale::PAUSED);
        let _ = schedule.advance(Duration::from_millis(100));
        assert_eq!((schedule.next_step(), schedule.alpha(task)), (None, 0.6));
    }
}
