use alloc::collections::VecDeque;
use core::time::Duration;

use crate::filter::DeltaFilter;
use crate::filter::lead::from_nanos;
use crate::schedule::{Schedule, TaskId};
use crate::step::frame::Progress;
use crate::step::{Frame, Step};
use crate::time::Tick;
use crate::wide::product;

/// Room that a queue takes at once at most: a capacity is a limit, and may be beyond all memory.
pub(super) const RESERVED: usize = 1024;

/// Timestamped input: each event reaches exactly one step, the one whose interval contains its time.
///
/// A program that reads its input once a frame loses presses in frames without a step and sees them twice in frames with
/// several. Push events here as they arrive, with the time at which they happened. Tell the buffer of every frame, and
/// take the events of each step.
///
/// Event times are read from the clock that times the frames; any origin will do. The buffer lays events out on the time
/// line that the timestep sees, which is the clock's after the delta filter. So the step of an event depends on its time
/// alone, not on when frames happened to be drawn. Under slow motion, events keep their order and spread over the steps
/// that the slower time brings.
///
/// A filter may run ahead of the clock by its [lead](DeltaFilter::max_lead). A step must not run before its input can be
/// known, so every event acts that much later. Without a filter there is no such delay.
///
/// ```
/// use evenstep::{FixedTimestep, Rate};
/// use evenstep::input::InputBuffer;
/// use std::time::Duration;
///
/// let ms = Duration::from_millis;
/// let mut timestep = FixedTimestep::new(Rate::hz(100));
/// let mut input = InputBuffer::new(64);
/// input.push(ms(3), "jump").unwrap();
/// input.push(ms(17), "duck").unwrap();
///
/// let frame = timestep.advance(ms(25)); // the first frame, 25 ms after the clock began
/// input.begin_frame(ms(25), &(), &frame); // no filter
/// let mut seen = Vec::new();
/// for step in frame.steps() {
///     while let Some(event) = input.next(&step) {
///         seen.push((step.tick, event));
///     }
/// }
/// assert_eq!(seen, [(0, "jump"), (1, "duck")]);
/// ```
///
/// | an event that | is |
/// |---|---|
/// | is later than the frame | kept until its time comes |
/// | is older than the last frame | delivered to the next step that runs, and counted as [late](InputCounts::late) |
/// | is older than one that was pushed before it | delivered before that one, and counted as [reordered](InputCounts::reordered) |
/// | finds the buffer full | handed back to the caller, and counted as [refused](InputCounts::refused) |
/// | belongs to a step that was dropped | delivered to the next step that runs |
///
/// No event overtakes an older one: a late event that follows one still waiting for its step waits with it.
#[derive(Clone, Debug, PartialEq)]
pub struct InputBuffer<E> {
    /// By time; first those that have a tick, then those that wait for their frame.
    events: VecDeque<Waiting<E>>,
    /// How many have a tick.
    placed: usize,
    capacity: usize,
    /// How far the timestep's time line reached in the last frame.
    reached: Duration,
    /// By how much events act later than they happened.
    delay: Duration,
    counts: InputCounts,
}

#[derive(Clone, Debug, PartialEq)]
struct Waiting<E> {
    at: Duration,
    /// The step that it belongs to, once that is known.
    tick: Tick,
    event: E,
}

/// What became of input that did not come as it should.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputCounts {
    /// Events that arrived after the frame of their time; they went to the next step.
    pub late: u64,
    /// Events that arrived after a later one, and went before it.
    pub reordered: u64,
    /// Events for which there was no room.
    pub refused: u64,
}

impl<E> InputBuffer<E> {
    /// A buffer with room for `capacity` events between two steps; with none it refuses every event. Its time line begins
    /// at zero of the clock.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self {
            events: VecDeque::with_capacity(capacity.min(RESERVED)),
            placed: 0,
            capacity,
            reached: Duration::ZERO,
            delay: Duration::ZERO,
            counts: InputCounts::default(),
        }
    }

    /// Takes an event that happened at a time of the frames' clock. Costs as much as there are later events waiting.
    ///
    /// # Errors
    ///
    /// Hands the event back if the buffer is full.
    pub fn push(&mut self, at: Duration, event: E) -> Result<(), E> {
        if self.events.len() >= self.capacity {
            self.counts.refused += 1;
            return Err(event);
        }
        let later = self.events.iter().rev().take_while(|other| other.at > at);
        let place = self.events.len() - later.count();
        self.counts.reordered += u64::from(place < self.events.len());
        let is_late = self.acts_at(at) < self.reached;
        self.counts.late += u64::from(is_late);
        let mut tick = 0;
        if is_late || place < self.placed {
            self.placed += 1;
            // The next step, unless an older event waits for a later one.
            tick = place.checked_sub(1).map_or(0, |older| self.events[older].tick);
        }
        self.events.insert(place, Waiting { at, tick, event });
        Ok(())
    }

    /// Gives each event its step, up to where the frame reaches. Call it once a frame, before its steps.
    ///
    /// `now` is the clock's time of the frame. `filter` is what the delta went through on its way to the timestep: `&()` if
    /// nothing. `frame` is what the timestep answered.
    pub fn begin_frame(&mut self, now: Duration, filter: &dyn DeltaFilter, frame: &Frame) {
        self.begin(
            now,
            filter,
            &frame.progress().without_single_steps(frame.single_steps()),
        );
    }

    /// The same for a task of a [`Schedule`] that has just been told the time: gives each event its step of that task. Each
    /// task that takes input has a buffer of its own. Nothing happens for a task of another schedule.
    ///
    /// ```
    /// use evenstep::Rate;
    /// use evenstep::input::InputBuffer;
    /// use evenstep::schedule::Schedule;
    /// use std::time::Duration;
    ///
    /// let ms = Duration::from_millis;
    /// let mut schedule = Schedule::new();
    /// let physics = schedule.add(Rate::hz(100));
    /// let decisions = schedule.add(Rate::hz(10));
    /// let mut input = InputBuffer::new(64); // for physics
    /// input.push(ms(27), "jump").unwrap();
    ///
    /// let _lost = schedule.advance(ms(40));
    /// input.begin_task(ms(40), &(), &schedule, physics);
    /// let mut seen = Vec::new();
    /// while let Some((task, step)) = schedule.next_step() {
    ///     if task == physics {
    ///         seen.extend(input.next(&step).map(|event| (step.tick, event)));
    ///     }
    /// }
    /// assert_eq!(seen, [(2, "jump")]);
    /// ```
    pub fn begin_task(&mut self, now: Duration, filter: &dyn DeltaFilter, schedule: &Schedule, task: TaskId) {
        if let Some(progress) = schedule.progress(task) {
            self.begin(now, filter, &progress);
        }
    }

    pub(crate) fn begin(&mut self, now: Duration, filter: &dyn DeltaFilter, progress: &Progress) {
        let newest = progress.tick_at(1, 1);
        // Where steps were dropped, what waited for them comes to the next ones.
        for event in self.events.iter_mut().take(self.placed) {
            event.tick = event.tick.min(newest);
        }
        self.delay = filter.max_lead();
        let last = self.reached.as_nanos();
        let filtered = (now.as_nanos() as i128).saturating_sub(filter.residual());
        self.reached = self.reached.max(from_nanos(filtered));
        let interval = self.reached.as_nanos() - last;
        while let Some(acts_at) = self.events.get(self.placed).map(|event| self.acts_at(event.at))
            && acts_at < self.reached
        {
            let since = acts_at.as_nanos().saturating_sub(last);
            self.events[self.placed].tick = progress.tick_at(since, interval);
            self.placed += 1;
        }
        // A timestep that was set back does not unsettle the order of events.
        let mut least = Tick::MAX;
        for event in self.events.iter_mut().take(self.placed).rev() {
            event.tick = event.tick.min(least);
            least = event.tick;
        }
    }

    /// Where on the timestep's time line an event is that happened at a time of the clock.
    const fn acts_at(&self, at: Duration) -> Duration {
        at.saturating_add(self.delay)
    }

    /// The next event of a step, oldest first; those of earlier steps that were never run come first.
    pub fn next(&mut self, step: &Step) -> Option<E> {
        if self.placed == 0 || self.events.front()?.tick > step.tick {
            return None;
        }
        self.placed -= 1;
        self.events.pop_front().map(|waiting| waiting.event)
    }

    /// What became of input that did not come as it should, so far.
    #[must_use]
    pub const fn counts(&self) -> InputCounts {
        self.counts
    }

    /// How many events wait for their step.
    #[must_use]
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether no event waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }
}

impl Progress {
    /// The time that passed, where so many steps came without any. They lie before it, so that the simulation is ahead from
    /// the start of the frame on, also in the first frame of a [lookahead](crate::FixedTimestep::with_lookahead). Where no
    /// time passed, they take the input that there is.
    fn without_single_steps(mut self, single_steps: u32) -> Self {
        let skipped = u128::from(single_steps) * self.per_step;
        let end = self.end.saturating_sub(skipped);
        if end > self.begin {
            self.begin += skipped;
        } else {
            self.end = end;
        }
        self
    }

    /// The step in which simulated time was at `since / interval` of the frame.
    fn tick_at(&self, since: u128, interval: u128) -> Tick {
        let tick = self.first.saturating_add(self.steps_before(since, interval));
        tick.saturating_sub(self.early)
    }

    /// How many whole steps after the start of the first one simulated time was at `since / interval` of the frame.
    fn steps_before(&self, since: u128, interval: u128) -> Tick {
        if interval == 0 || self.end <= self.begin {
            return self.steps_at(self.begin.min(self.end));
        }
        let way = product(self.end - self.begin, since.min(interval));
        let (mut low, mut high) = (self.steps_at(self.begin), self.steps_at(self.end));
        while low < high {
            // Rounded up, without overflow.
            let middle = high - (high - low) / 2;
            let needed = u128::from(middle) * self.per_step - self.begin;
            if product(needed, interval) <= way {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        low
    }

    fn steps_at(&self, units: u128) -> Tick {
        Tick::try_from(units / self.per_step).unwrap_or(Tick::MAX)
    }
}
