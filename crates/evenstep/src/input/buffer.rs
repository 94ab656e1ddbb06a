//! Delivers each input event to the step of its time.

use alloc::collections::VecDeque;
use core::ops::Range;
use core::time::Duration;

use crate::filter::FrameTime;
use crate::input::coalesce::{Coalesce, Rules};
use crate::schedule::{Schedule, TaskId};
use crate::step::frame::Progress;
use crate::step::{Frame, Step};
use crate::time::Tick;

/// The number of other events that motion may pass to be merged with earlier motion.
const NEAR: usize = 8;

/// The number of states beyond the capacity, one for each key: more than all devices of a player have.
const STATES: usize = 1024;

/// Timestamped input: each event reaches exactly one step, the one whose interval contains its time.
///
/// A program that reads its input once a frame loses presses in frames without a step and receives them twice in frames with several. Push
/// events here as they arrive, with the time at which they happened. Call [`begin_frame`](Self::begin_frame) in every frame, and take the
/// events of each step.
///
/// Event times are read from the clock that times the frames; its origin is arbitrary. The buffer places events on the time line of the
/// timestep, which is the clock's after the filter of the [`FrameClock`](crate::FrameClock). The step of an event therefore depends on its
/// time alone, not on when frames were drawn. In slow motion, events keep their order and are spread over the steps that the slower time
/// brings.
///
/// A filter may run ahead of the clock by its [lead](crate::filter::DeltaFilter::max_lead). A step must not run before its input can be
/// known, so every event acts later by this lead. Without a filter there is no delay.
///
/// ```
/// use evenstep::{FixedTimestep, FrameClock, Rate};
/// use evenstep::input::InputBuffer;
/// use std::time::Duration;
///
/// let ms = Duration::from_millis;
/// let mut clock = FrameClock::unfiltered(); // no filter
/// let mut timestep = FixedTimestep::new(Rate::hz(100));
/// let mut input = InputBuffer::lossless(64); // orders, which a pause does not drop
/// clock.begin_frame(ms(0)); // the first frame
/// input.push(ms(3), "jump").unwrap();
/// input.push(ms(17), "duck").unwrap();
///
/// let time = clock.begin_frame(ms(25));
/// let frame = timestep.advance(time.delta);
/// input.begin_frame(&time, &frame);
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
/// | happened in a pause | reduced to its state, and counted as [paused](InputCounts::paused) |
/// | finds the buffer full | reduced to its state, and counted as [refused](InputCounts::refused); motion is added to other motion |
/// | belongs to a step that was dropped | delivered to the next step that runs |
///
/// No event overtakes an older one: a late event that follows one still waiting for its step waits with it.
///
/// # Pauses, and a full buffer
///
/// A frame belongs to a pause if no time arrives in it and it has no single step: suspended, in the frame after
/// [`resume`](crate::FixedTimestep::resume), or at a time scale of zero. A frame whose time is dropped is none. It lasts from the time of the frame before to its own, by
/// the program's clock, regardless of the filter. Presses, motion and turns of the wheel in a pause never
/// reach a step. States do: in the first step after the pause held keys are held, and those are released that were released in the
/// pause. [`Coalesce`] says what the state of an event is.
///
/// From half full on, motion is added to the motion before it, so that little room holds any amount of it. In a full buffer any other
/// event leaves its state, for which there is always room: up to 1024 states, one for each key, beyond the capacity. So no
/// release is ever lost.
///
/// A buffer that is made with [`lossless`](Self::lossless) does none of this. It holds events of any type, keeps those of a pause for the
/// first step after it, and returns events for which there is no room.
#[derive(Clone, Debug, PartialEq)]
pub struct InputBuffer<E> {
    /// Sorted by time: first the events with a tick, then the events that wait for their frame.
    events: VecDeque<Waiting<E>>,
    /// The number of events with a tick.
    placed: usize,
    capacity: usize,
    /// The end of the last frame on the timestep's time line.
    reached: Duration,
    /// The delay with which events act.
    delay: Duration,
    /// The time of the last frame on the clock.
    last_now: Duration,
    /// The last pause, on the clock. All events before its end have a tick.
    pause: Range<Duration>,
    /// None if events are kept unchanged.
    rules: Option<Rules<E>>,
    counts: InputCounts,
}

#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
struct Waiting<E> {
    at: Duration,
    /// The tick of its step, once it has one.
    tick: Tick,
    event: E,
    /// Whether it is the state that remains of an event. Later states may replace it.
    is_rest: bool,
}

/// Counts of input that was not delivered in the ordinary way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct InputCounts {
    /// Events that arrived after the frame of their time; they went to the next step.
    pub late: u64,
    /// Events that arrived after a later one, and went before it.
    pub reordered: u64,
    /// Events that arrived while the buffer was full. Unless they were returned to the caller, their state was kept.
    pub refused: u64,
    /// Events of pauses, of which only the state was kept.
    pub paused: u64,
}

impl<E: Coalesce> InputBuffer<E> {
    /// A buffer with room for `capacity` events between two steps. Its time line begins at zero of the clock.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self {
            rules: Some(Rules::new()),
            ..Self::lossless(capacity)
        }
    }
}

impl<E> InputBuffer<E> {
    /// The same, for events of any type, each of which reaches a step: events of a pause are delivered after it, and a full buffer returns
    /// events to the caller. For orders that a player gives in a pause, and for replays.
    #[must_use]
    pub fn lossless(capacity: usize) -> Self {
        Self {
            // A capacity is a limit: most buffers never need as much.
            events: VecDeque::new(),
            placed: 0,
            capacity,
            reached: Duration::ZERO,
            delay: Duration::ZERO,
            last_now: Duration::ZERO,
            pause: Duration::ZERO..Duration::ZERO,
            rules: None,
            counts: InputCounts::default(),
        }
    }

    /// Takes an event that happened at a time of the frames' clock. The cost is linear in the number of later events that wait.
    ///
    /// # Errors
    ///
    /// Returns the event if the buffer is full: at its capacity if it [keeps](Self::lossless) events unchanged, otherwise only where states
    /// of 1024 keys wait as well.
    pub fn push(&mut self, at: Duration, mut event: E) -> Result<(), E> {
        let is_full = self.events.len() >= self.capacity;
        if is_full && self.rules.is_none() {
            self.counts.refused = self.counts.refused.saturating_add(1);
            return Err(event);
        }
        let later = self.events.iter().rev().take_while(|other| other.at > at);
        let place = self.events.len() - later.count();
        let is_late = self.acts_at(at) < self.reached || at < self.pause.end;
        let is_placed = is_late || place < self.placed;
        // The next step, unless an older event waits for a later one.
        let older = place.checked_sub(1).filter(|_| is_placed);
        let tick = older.map_or(0, |older| self.events[older].tick);
        let mut is_rest = false;
        if let Some(rules) = self.rules {
            let is_paused = self.pause.contains(&at);
            self.counts.paused = self.counts.paused.saturating_add(u64::from(is_paused));
            // An event without a tick never belongs to the step of one that has a tick.
            let first = if is_placed { 0 } else { self.placed };
            if !is_paused && self.is_half_full() && self.add(first..place, rules, tick, &event) {
                return Ok(());
            }
            is_rest = is_paused || is_full;
            match (rules.state)(&event) {
                Some(state) if is_rest => {
                    self.counts.refused = self.counts.refused.saturating_add(u64::from(!is_paused));
                    event = state;
                }
                None if is_paused => return Ok(()),
                _ => {}
            }
        }
        let is_reordered = place < self.events.len();
        self.placed += usize::from(is_placed);
        let waiting = Waiting {
            at,
            tick,
            event,
            is_rest,
        };
        self.events.insert(place, waiting);
        let place = self.replace(place);
        if self.events.len() > self.capacity.saturating_add(STATES)
            && let Some(waiting) = self.events.remove(place)
        {
            self.placed -= usize::from(is_placed);
            return Err(waiting.event);
        }
        self.counts.reordered = self.counts.reordered.saturating_add(u64::from(is_reordered));
        self.counts.late = self.counts.late.saturating_add(u64::from(is_late));
        Ok(())
    }

    /// Whether motion is added to earlier motion instead of taking room.
    fn is_half_full(&self) -> bool {
        self.events.len() > self.capacity / 2
    }

    /// Adds an event to one of a range, the nearest before it, if both reach the same step.
    fn add(&mut self, range: Range<usize>, rules: Rules<E>, tick: Tick, event: &E) -> bool {
        let mut passed = 0;
        for older in self.events.range_mut(range).rev() {
            if older.tick != tick || passed > NEAR {
                return false;
            }
            if (rules.add)(&mut older.event, event) {
                return true;
            }
            passed += usize::from(!older.is_rest);
        }
        false
    }

    /// Removes the remaining states right before one that replaces them. Returns its index then.
    fn replace(&mut self, mut place: usize) -> usize {
        let Some(rules) = self.rules.filter(|_| self.events[place].is_rest) else {
            return place;
        };
        let mut older = place;
        while older > 0 && self.events[older - 1].is_rest {
            older -= 1;
            if (rules.replaces)(&self.events[place].event, &self.events[older].event) {
                self.events.remove(older);
                self.placed -= usize::from(older < self.placed);
                place -= 1;
            }
        }
        place
    }

    /// Reduces all events with a tick to states, from an index on.
    fn reduce(&mut self, rules: Rules<E>, mut place: usize) {
        while place < self.placed {
            let waiting = &mut self.events[place];
            self.counts.paused = self.counts.paused.saturating_add(u64::from(!waiting.is_rest));
            if let Some(state) = (rules.state)(&waiting.event) {
                (waiting.event, waiting.is_rest) = (state, true);
                place = self.replace(place) + 1;
            } else {
                self.events.remove(place);
                self.placed -= 1;
            }
        }
    }

    /// Merges events that reach the same step.
    fn add_up(&mut self, rules: Rules<E>) {
        let (placed, all) = (self.placed, self.events.len());
        let mut kept = 0;
        for place in 0..all {
            let Some(waiting) = self.events.pop_front() else { return };
            let len = self.events.len();
            if place < placed && self.add(len - kept..len, rules, waiting.tick, &waiting.event) {
                self.placed -= 1;
            } else {
                self.events.push_back(waiting);
                kept += 1;
            }
        }
    }

    /// Assigns a step to each event up to the end of the frame. Call it once a frame, before the steps.
    ///
    /// `time` is the result of the frame clock, and `frame` that of the timestep for its delta.
    pub fn begin_frame(&mut self, time: &FrameTime, frame: &Frame) {
        self.begin(time, &frame.progress(), frame.single_steps());
    }

    /// Does the same for a task of a [`Schedule`] that has just advanced: assigns each event to a step of that task. Each
    /// task that takes input needs its own buffer.
    /// Returns whether the schedule has the [task](TaskId); if not, nothing has changed.
    ///
    /// ```
    /// use evenstep::{FrameClock, Rate};
    /// use evenstep::input::InputBuffer;
    /// use evenstep::schedule::Schedule;
    /// use std::time::Duration;
    ///
    /// let ms = Duration::from_millis;
    /// let mut clock = FrameClock::unfiltered();
    /// clock.begin_frame(ms(0));
    /// let mut schedule = Schedule::new();
    /// let physics = schedule.add(Rate::hz(100));
    /// let decisions = schedule.add(Rate::hz(10));
    /// let mut input = InputBuffer::lossless(64); // for physics
    /// input.push(ms(27), "jump").unwrap();
    ///
    /// let time = clock.begin_frame(ms(40));
    /// let _lost = schedule.advance(time.delta);
    /// assert!(input.begin_task(&time, &schedule, physics));
    /// let mut seen = Vec::new();
    /// while let Some((task, step)) = schedule.next_step() {
    ///     if task == physics {
    ///         seen.extend(input.next(&step).map(|event| (step.tick, event)));
    ///     }
    /// }
    /// assert_eq!(seen, [(2, "jump")]);
    /// ```
    pub fn begin_task(&mut self, time: &FrameTime, schedule: &Schedule, task: TaskId) -> bool {
        let progress = schedule.progress(task);
        if let Some(progress) = &progress {
            self.begin(time, progress, 0);
        }
        progress.is_some()
    }

    fn begin(&mut self, time: &FrameTime, progress: &Progress, single_steps: u32) {
        let stands_still = progress.stands_still;
        let progress = progress.without_single_steps(single_steps);
        let newest = progress.tick_at(1, 1);
        // Events that waited for dropped steps are delivered to the next ones.
        for event in self.events.iter_mut().take(self.placed) {
            event.tick = event.tick.min(newest);
        }
        self.delay = time.max_lead;
        let (first, from) = (self.placed, self.reached);
        let last = from.as_nanos();
        self.reached = self.reached.max(time.filtered_now);
        let interval = self.reached.as_nanos() - last;
        // Where the filter lets no time pass, the next frame determines whether this one belongs to a pause.
        let has_moved = interval > 0;
        if has_moved {
            let previous = self.last_now;
            self.last_now = previous.max(time.unfiltered_now);
            if stands_still {
                let goes_on = self.pause.end == previous;
                self.pause = if goes_on { self.pause.start } else { previous }..self.last_now;
            }
        }
        while let Some(at) = self.events.get(self.placed).map(|event| event.at)
            && (self.acts_at(at) < self.reached || at < self.pause.end)
        {
            let since = self.acts_at(at).as_nanos().saturating_sub(last);
            self.events[self.placed].tick = progress.tick_at(since, interval);
            self.placed += 1;
        }
        if let Some(rules) = self.rules {
            if stands_still && has_moved {
                let begin = self.pause.start;
                let earlier = self.events.partition_point(|event| event.at < begin);
                self.reduce(rules, first.max(earlier));
            } else if self.is_half_full() {
                self.add_up(rules);
            }
        }
        // The order of events is kept if the timestep was set back.
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

    /// Counts of input that was not delivered in the ordinary way.
    #[must_use]
    pub const fn counts(&self) -> InputCounts {
        self.counts
    }

    /// The number of events that wait for their step.
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

#[cfg(feature = "serde")]
mod saved {
    //! How a buffer is stored: its events and how far it is, checked when it is read back.

    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::*;

    #[derive(Serialize)]
    #[serde(rename = "InputBuffer")]
    struct SavedRef<'a, E> {
        events: &'a VecDeque<Waiting<E>>,
        placed: usize,
        capacity: usize,
        reached: Duration,
        delay: Duration,
        last_now: Duration,
        pause: &'a Range<Duration>,
        is_lossless: bool,
        counts: InputCounts,
    }

    #[derive(Deserialize)]
    #[serde(rename = "InputBuffer", deny_unknown_fields)]
    struct Saved<E> {
        events: VecDeque<Waiting<E>>,
        placed: usize,
        capacity: usize,
        reached: Duration,
        delay: Duration,
        last_now: Duration,
        pause: Range<Duration>,
        is_lossless: bool,
        counts: InputCounts,
    }

    impl<E: Serialize> Serialize for InputBuffer<E> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let saved = SavedRef {
                events: &self.events,
                placed: self.placed,
                capacity: self.capacity,
                reached: self.reached,
                delay: self.delay,
                last_now: self.last_now,
                pause: &self.pause,
                is_lossless: self.rules.is_none(),
                counts: self.counts,
            };
            saved.serialize(serializer)
        }
    }

    impl<'de, E: Coalesce + Deserialize<'de>> Deserialize<'de> for InputBuffer<E> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let saved = Saved::<E>::deserialize(deserializer)?;
            let placed = saved.events.iter().take(saved.placed);
            let is_in_order =
                saved.events.iter().is_sorted_by_key(|event| event.at) && placed.is_sorted_by_key(|event| event.tick);
            if saved.placed > saved.events.len() || !is_in_order {
                return Err(D::Error::custom(
                    "the events of an input buffer are not in the order of their times",
                ));
            }
            if saved.events.len() > saved.capacity.saturating_add(STATES) {
                return Err(D::Error::custom(
                    "an input buffer holds more events than it has room for",
                ));
            }
            Ok(Self {
                events: saved.events,
                placed: saved.placed,
                capacity: saved.capacity,
                reached: saved.reached,
                delay: saved.delay,
                last_now: saved.last_now,
                pause: saved.pause,
                rules: (!saved.is_lossless).then(Rules::new),
                counts: saved.counts,
            })
        }
    }
}
