//! Tasks at different rates, stepped in one order.
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
use crate::step::sim_clock::SimClock;
#[cfg(feature = "tracing")]
use crate::step::step_span::StepSpan;
use crate::step::{Lost, Step};
use crate::time::{Rate, SimDuration, SimTime, Tick, saturating_nanos};

mod arrived;
#[cfg(feature = "serde")]
mod saved;
mod settings;
mod task;

use arrived::Arrived;
pub use task::TaskId;
use task::{MAX_PHASE, Task};

/// Tasks at different rates, stepped from one clock in one order.
///
/// Physics at 120 Hz, decisions at 10 Hz, packets at 20 Hz: give each a [`Rate`], pass the schedule the time that has passed, and run
/// the steps that it returns. They are in the exact order in which they end; steps that end at the same time are in the order in which
/// their tasks were added. So the order is the same on every machine and every display. Time scale, caps and the overrun policy are
/// common to all tasks.
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
/// assert_eq!(schedule.alpha(physics), Some(0.5));
/// assert_eq!(schedule.alpha(decisions), Some(0.25));
/// ```
///
/// A task with input needs its own [`InputBuffer`](crate::input::InputBuffer); call its
/// [`begin_task`](crate::input::InputBuffer::begin_task) in each frame.
///
/// [Refuse](Self::refuse) a step that you cannot run now: it stays due. Once the oldest step has been due for
/// [`max_behind`](Self::max_behind), all tasks keep back or drop equal time, as the [overrun policy](Self::overrun) says.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "saved::Saved"))]
pub struct Schedule {
    tasks: Vec<Task>,
    clock: SimClock,
    /// The simulated time that has arrived and is not kept back, in nanoseconds.
    now: u64,
    max_behind: Duration,
    max_advance: Duration,
    last: Option<TaskId>,
    /// The time that the last delta brought.
    arrived: Arrived,
    /// Of the step that was returned last.
    #[cfg(feature = "tracing")]
    #[cfg_attr(feature = "serde", serde(skip))]
    span: StepSpan,
}

impl Schedule {
    /// A schedule without tasks at time zero, at normal speed.
    #[must_use]
    pub fn new() -> Self {
        Self {
            tasks: Vec::new(),
            clock: SimClock::new(Rate::hz(1)),
            now: 0,
            max_behind: Duration::from_millis(250),
            max_advance: Duration::MAX,
            last: None,
            arrived: Arrived::NONE,
            #[cfg(feature = "tracing")]
            span: StepSpan::none(),
        }
    }

    /// Adds a task. Its tick `n` ends at `(n + 1)` periods. A task that is added later begins with the step that contains the current
    /// time.
    pub fn add(&mut self, rate: Rate) -> TaskId {
        self.add_with_phase(rate, Duration::ZERO)
    }

    /// Adds a task whose steps end `phase` of simulated time later than without a phase, so that tasks of the same rate do not all
    /// run in the same frame. Longer phases than 2^32 - 1 seconds are cut to that.
    pub fn add_with_phase(&mut self, rate: Rate, phase: Duration) -> TaskId {
        let phase = phase.min(MAX_PHASE);
        let mut task = Task { rate, phase, next: 0 };
        task.next = task.first_after(self.now);
        let id = task.id(self.tasks.len());
        self.tasks.push(task);
        id
    }

    /// Begins a known pause: until [`resume`](Self::resume), deltas are reported as [paused](Lost::paused) and bring no
    /// time. Steps that are due stay due.
    pub fn pause(&mut self) {
        self.clock.pause();
    }

    /// Ends a known pause. The next delta began within it, and is the last to be [paused](Lost::paused). Time that was kept back before the
    /// pause is released after it; steps that are due stay due.
    pub fn resume(&mut self) {
        self.clock.resume();
    }

    /// As [`resume`](Self::resume), but time that was kept back is dropped. Without a pause, for a load or an alt-tab that was noticed too
    /// late to [`pause`](Self::pause).
    pub fn resume_dropping(&mut self) {
        self.clock.resume_dropping();
    }

    /// Whether it is in a known pause: from [`pause`](Self::pause) to [`resume`](Self::resume).
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.clock.is_paused()
    }

    /// Starts over at time zero with the same tasks and settings. A known pause continues. No other method sets time back:
    /// [retract](crate::input::EventQueue::retract_from) events that have not been presented yet.
    pub fn reset(&mut self) {
        self.clock.reset();
        (self.now, self.last, self.arrived) = (0, None, Arrived::NONE);
        for task in &mut self.tasks {
            task.next = 0;
        }
    }

    /// Takes the real time since the last frame. Then [`next_step`](Self::next_step) returns the due
    /// steps. Returns the time that was lost: `dropped` is the simulated time that no
    /// task will step, because it did not fit and the [overrun policy](Self::overrun) does not keep it, or because the end of
    /// time is reached, after 2^64 - 1 ns, which are 584 years.
    pub fn advance(&mut self, delta: Duration) -> Lost<SimDuration> {
        self.last = None;
        let mut lost = Lost::default();
        let backlog = self.clock.take_backlog_to_drop().unwrap_or(0);
        let nanos = self.clock.accept_delta(delta, &mut lost);
        let passed = self.clock.advance(nanos);
        let oldest = self.tasks.iter().filter_map(Task::next_end).min();
        let end = oldest.map_or(u64::MAX, |end| {
            end.nanos_up().saturating_add(saturating_nanos(self.max_behind))
        });
        let taken = passed
            .released
            .min(end.saturating_sub(self.now))
            .min(saturating_nanos(self.max_advance));
        self.now += taken;
        let unkept = self.clock.keep_back(passed.released - taken, 1);
        self.arrived = Arrived::new(
            self.now.saturating_add(self.clock.backlog()),
            passed.arrived.saturating_sub(unkept),
            !passed.has_time,
        );
        lost.dropped = SimDuration::from(Duration::from_nanos(backlog + unkept));
        #[cfg(feature = "tracing")]
        {
            self.span.end();
            lost.trace(None, None, Some(lost.dropped.to_duration()));
        }
        lost
    }

    /// The task of an id, if it is one of these.
    fn task(&self, id: TaskId) -> Option<&Task> {
        let task = self.tasks.get(id.index)?;
        (task.id(id.index) == id).then_some(task)
    }

    /// The position of the last delta in the steps of a task; none for an unknown task.
    pub(crate) fn progress(&self, task: TaskId) -> Option<Progress> {
        let task = self.task(task)?;
        Some(self.arrived.progress(task.rate, task.phase))
    }

    /// The real time until the next step is due, to the nanosecond: zero if one is due. None if no step will become due: while time
    /// stands still or is paused, and without tasks. Zero also after [`resume`](Self::resume): the
    /// next frame ends the pause, and should begin at once.
    ///
    /// It can be longer than the longest delta that is accepted, or bring more than [`max_advance`](Self::max_advance); frames
    /// must then come more often.
    #[must_use]
    pub fn until_next_step(&self) -> Option<Duration> {
        let end = self.tasks.iter().filter_map(Task::next_end).min()?;
        if end <= self.now() {
            return Some(Duration::ZERO);
        }
        if self.max_advance.is_zero() || end > SimTime::at(Duration::from_nanos(u64::MAX)) {
            return None;
        }
        self.clock.until_released(end.nanos_up() - self.now)
    }

    /// The next step that is due, and the task that it belongs to; none when all have run.
    pub fn next_step(&mut self) -> Option<(TaskId, Step)> {
        self.last = None;
        #[cfg(feature = "tracing")]
        self.span.end();
        let ends = self.tasks.iter().map(Task::next_end).enumerate();
        let ends = ends.filter_map(|(index, end)| Some((index, end?)));
        let earliest = ends.min_by(|(_, one), (_, other)| one.cmp(other)); // the first of equals
        let now = self.now();
        let (index, _) = earliest.filter(|(_, end)| *end <= now)?;
        let task = &mut self.tasks[index];
        let tick = task.next;
        task.next += 1;
        let mut step = Step::new(tick, task.rate);
        step.is_last = task.next_end().is_none_or(|end| end > now);
        let id = task.id(index);
        self.last = Some(id);
        #[cfg(feature = "tracing")]
        self.span.begin(step.tick, Some(index));
        Some((id, step))
    }

    /// Takes back the step that [`next_step`](Self::next_step) returned last: it stays due, and is returned again next.
    /// Returns whether there was one.
    ///
    /// A rollback session that must wait for the other players' input refuses its step and leaves the loop; the step is returned
    /// again in the next frame.
    pub fn refuse(&mut self) -> bool {
        let last = self.last.take();
        #[cfg(feature = "tracing")]
        self.span.end();
        if let Some(TaskId { index, .. }) = last {
            self.tasks[index].next -= 1;
        }
        last.is_some()
    }

    /// Whether time is kept back for later frames, by a [policy that keeps time](crate::Overrun::keeps_time).
    #[must_use]
    pub fn is_behind(&self) -> bool {
        self.clock.backlog() > 0
    }

    /// The simulated time that has arrived and is not kept back, in whole nanoseconds.
    #[must_use]
    pub fn now(&self) -> SimTime {
        SimTime::at(Duration::from_nanos(self.now))
    }

    /// Where to draw a task between its previous state (0) and its current one (towards 1), as
    /// [`Frame::alpha`](crate::Frame::alpha) says. The drawn time never goes back if it is read once a frame, after all calls of
    /// [`refuse`](Self::refuse). None for an [unknown](TaskId) task.
    #[must_use]
    pub fn alpha(&self, task: TaskId) -> Option<f64> {
        let task = self.task(task)?;
        let since = self.now() - task.begin();
        Some((since.as_secs_f64() / task.rate.period_secs_f64()).min(LARGEST_ALPHA))
    }

    /// The number of steps of a task that were returned and not refused: the tick of its next step. None for an
    /// [unknown](TaskId) task.
    #[must_use]
    pub fn tick(&self, task: TaskId) -> Option<Tick> {
        self.task(task).map(|task| task.next)
    }
}

impl Default for Schedule {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests;
