//! Several rates in one order.
//!
//! ```
//! use evenstep::Rate;
//! use evenstep::schedule::Schedule;
//! use std::time::Duration;
//!
//! let mut schedule = Schedule::new();
//! let physics = schedule.add(Rate::hz(120));
//! let decisions = schedule.add(Rate::hz(10));
//! let _lost = schedule.advance(Duration::from_millis(100)); // once a frame
//! while let Some((task, step)) = schedule.next_step() {
//!     if task == physics {
//!         // step.dt is 1/120 s
//!     } else if task == decisions {
//!         assert_eq!(step.tick, 0);
//!     }
//! }
//! ```

use alloc::vec::Vec;
use core::time::Duration;

use crate::step::frame::{LARGEST_ALPHA, Progress};
use crate::step::timestep::Arrival;
use crate::step::{FixedTimestep, Lost, Step};
use crate::time::{Rate, SimDuration, SimTime, Tick, TimeScale};

/// Several tasks at rates of their own, stepped from one clock in one order.
///
/// Physics at 120 Hz, decisions at 10 Hz, packets at 20 Hz: give each a [`Rate`], tell the schedule how much time has
/// passed, and run the steps that it names. They come in the order in which they end, exactly, and where several end at the
/// same time in the order in which the tasks were added; so the order is the same on every machine and every display.
/// Time scale, slewing and caps are common to all.
///
/// ```
/// use evenstep::Rate;
/// use evenstep::schedule::Schedule;
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
/// Input that falls in the steps of a task has an [`InputBuffer`](crate::input::InputBuffer) of its own, which is told of each frame with
/// [`begin_task`](crate::input::InputBuffer::begin_task).
///
/// A step that cannot be run now is [refused](Self::refuse) and stays due, with its time; so do steps that were not asked
/// for. Once the oldest has been due for [`max_behind`](Self::with_max_behind), time that arrives is given up, by all tasks
/// alike.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    tasks: Vec<Task>,
    /// What has arrived: a step is a second.
    clock: FixedTimestep,
    scale: TimeScale,
    /// Thousandths by which simulated time is made to run faster.
    slew: i32,
    max_behind: Duration,
    /// The latest time that was ever drawn: later than now where that was rounded down.
    drawn: SimTime,
    last: Option<TaskId>,
    /// What arrived with the last delta.
    arrival: Arrival,
}

/// A task of a [`Schedule`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TaskId(usize);

#[derive(Clone, Debug, PartialEq)]
struct Task {
    rate: Rate,
    phase: Duration,
    next: Tick,
}

impl Schedule {
    /// A schedule without tasks at time zero. It believes deltas of up to 250 ms, and lets steps be due for up to 250 ms of
    /// simulated time.
    #[must_use]
    pub fn new() -> Self {
        Self {
            tasks: Vec::new(),
            clock: FixedTimestep::new(Rate::hz(1)).with_max_steps(u32::MAX),
            scale: TimeScale::NORMAL,
            slew: 0,
            max_behind: Duration::from_millis(250),
            drawn: SimTime::ZERO,
            last: None,
            arrival: Arrival::NONE,
        }
    }

    /// The same with another longest real delta that is believed. A delta worth more than 2^32 s is cut off there in any case.
    #[must_use]
    pub fn with_max_delta(mut self, max_delta: Duration) -> Self {
        self.clock.set_max_delta(max_delta);
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
    pub fn set_time_scale(&mut self, scale: TimeScale) {
        self.scale = scale;
        self.clock.set_time_scale(self.speed());
    }

    /// Lets simulated time run faster by `thousandths`, or slower if negative, by at most 100 (10 %) either way: to fall in
    /// step with another machine without a jump. Applies to the next delta, on top of the time scale.
    pub fn set_slew(&mut self, thousandths: i32) {
        self.slew = thousandths.clamp(-100, 100);
        self.clock.set_time_scale(self.speed());
    }

    /// The time scale and the slew together: the speed at which deltas count. Where the exact product has terms beyond 32
    /// bits it is the nearest speed that has not, or almost.
    #[must_use]
    pub fn speed(&self) -> TimeScale {
        self.scale.slewed(self.slew)
    }

    /// Begins a known pause: until [`resume`](Self::resume), deltas are reported as [suspended](Lost::suspended) and bring no
    /// time. Steps that are due stay due.
    pub fn suspend(&mut self) {
        self.clock.suspend();
    }

    /// Ends a known pause. The next delta began within it, and is the last to be [suspended](Lost::suspended).
    pub fn resume(&mut self) {
        self.clock.resume();
    }

    /// Whether deltas are being reported as [suspended](Lost::suspended) for now.
    #[must_use]
    pub fn is_suspended(&self) -> bool {
        self.clock.is_suspended()
    }

    /// Starts over at time zero with the same tasks and settings. A known pause goes on. This alone sets time back.
    pub fn reset(&mut self) {
        self.clock.reset();
        (self.drawn, self.last, self.arrival) = (SimTime::ZERO, None, Arrival::NONE);
        for task in &mut self.tasks {
            task.next = 0;
        }
    }

    /// Takes the real time since the last frame. The steps that are due now are those that
    /// [`next_step`](Self::next_step) names. Answers with the time that was given up: `dropped` is the simulated time that no
    /// task will step, because a step was due for longer than [`max_behind`](Self::with_max_behind), or because the end of
    /// time is reached, after 2^64 s.
    pub fn advance(&mut self, delta: Duration) -> Lost<SimDuration> {
        self.last = None;
        self.drawn = self.drawn();
        let oldest = self.tasks.iter().filter_map(Task::next_end).min();
        let limit = oldest.map_or(Duration::MAX, |end| end.to_duration().saturating_add(self.max_behind));
        let lost;
        (lost, self.arrival) = self.clock.advance_until(delta, limit);
        lost
    }

    /// How the last delta lies in the steps of a task; none for a task of another schedule.
    pub(crate) fn progress(&self, task: TaskId) -> Option<Progress> {
        let task = self.tasks.get(task.0)?;
        Some(self.arrival.progress(task.rate, task.phase))
    }

    /// The real time until the next step is due, to the nanosecond: zero if one is. None if no time brings one: while time
    /// stands still or is suspended, and without tasks.
    ///
    /// It can be longer than the longest delta that is believed; frames must then come more often.
    #[must_use]
    pub fn until_next_step(&self) -> Option<Duration> {
        let end = self.tasks.iter().filter_map(Task::next_end).min()?;
        self.clock.until(end)
    }

    /// The next step that is due, and the task that it belongs to; none when all have run.
    pub fn next_step(&mut self) -> Option<(TaskId, Step)> {
        self.last = None;
        let ends = self.tasks.iter().map(Task::next_end).enumerate();
        let ends = ends.filter_map(|(index, end)| Some((index, end?)));
        let earliest = ends.min_by(|(_, one), (_, other)| one.cmp(other)); // the first of equals
        let (index, _) = earliest.filter(|(_, end)| *end <= self.now())?;
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
    pub fn now(&self) -> SimTime {
        self.clock.arrived()
    }

    /// Where to draw a task between its previous state (0) and its current one (towards 1), as
    /// [`Frame::alpha`](crate::Frame::alpha) says. The picture never goes back from frame to frame if it is drawn once a
    /// frame, after what was refused. Zero for a task of another schedule.
    #[must_use]
    pub fn alpha(&self, task: TaskId) -> f64 {
        let Some(task) = self.tasks.get(task.0) else { return 0.0 };
        let since = self.drawn() - task.begin();
        (since.as_secs_f64() / task.rate.period_secs_f64()).min(LARGEST_ALPHA)
    }

    fn drawn(&self) -> SimTime {
        self.drawn.max(self.now())
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
            assert!(lost.is_none());
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
        assert_eq!(lost.dropped, SimDuration::from(Duration::from_millis(10)));
        assert_eq!((schedule.now(), steps(&mut schedule).len()), (before, 20));
    }

    #[test]
    fn a_task_whose_ticks_are_used_up_is_not_due() {
        let mut schedule = Schedule::new().with_max_delta(Duration::MAX);
        for _ in 0..2 {
            let _ = schedule.advance(Duration::from_secs(u64::from(u32::MAX)));
        }
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
    fn a_known_pause_brings_no_time_and_leaves_what_is_due() {
        let mut schedule = Schedule::new();
        let task = schedule.add(Rate::hz(100));
        let _ = schedule.advance(Duration::from_millis(25));
        schedule.suspend();
        let hour = Duration::from_secs(3600);
        for _ in 0..2 {
            assert_eq!(schedule.advance(hour).suspended, hour);
            assert_eq!(schedule.until_next_step(), Some(Duration::ZERO));
            schedule.resume();
        }
        assert_eq!((steps(&mut schedule).len(), schedule.alpha(task)), (2, 0.5));
        assert_eq!(schedule.until_next_step(), Some(Duration::from_millis(5)));
    }

    #[test]
    fn a_reset_begins_all_tasks_anew() {
        let mut schedule = Schedule::new();
        let _ = schedule.advance(Duration::from_millis(95));
        let task = schedule.add(Rate::hz(10));
        let _ = schedule.advance(Duration::from_millis(10));
        schedule.reset();
        assert_eq!((schedule.now(), schedule.tick(task)), (SimTime::ZERO, 0));
        let _ = schedule.advance(Duration::from_millis(100));
        assert_eq!(steps(&mut schedule), [(task, 0)]);
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
