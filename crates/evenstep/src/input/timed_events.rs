//! Delivers each input event to the step of its time.

use alloc::collections::VecDeque;
use core::ops::Range;
use core::time::Duration;

use crate::filter::FrameTime;
use crate::input::coalesce::Coalesce;
use crate::schedule::{Schedule, TaskId};
use crate::step::frame::Progress;
use crate::step::{Frame, Step};
use crate::time::{Tick, saturating_nanos};

/// The number of other events that motion may pass to be merged with earlier motion.
const NEAR: usize = 8;

/// The number of states beyond the capacity, one for each key: more than all devices of a player have.
const STATES: usize = 1024;

/// Events that wait for the step of their time, the common part of an [`InputBuffer`](super::InputBuffer) and an
/// [`InputQueue`](super::InputQueue).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct TimedEvents<E> {
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
    /// Whether events are kept unchanged.
    pub(super) keeps_pauses: bool,
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
    /// Events that arrived while there was no room. Their state was kept if the buffer reduces events, up to 1024 states.
    pub refused: u64,
    /// Events of pauses that were reduced to a state.
    pub paused: u64,
}

impl<E: Coalesce> TimedEvents<E> {
    /// Events that are kept as they are, or reduced to their state in a pause and where there is no room.
    pub(crate) const fn new(capacity: usize, keeps_pauses: bool) -> Self {
        Self {
            // A capacity is a limit that most buffers never reach.
            events: VecDeque::new(),
            placed: 0,
            capacity,
            reached: Duration::ZERO,
            delay: Duration::ZERO,
            last_now: Duration::ZERO,
            pause: Duration::ZERO..Duration::ZERO,
            keeps_pauses,
            counts: InputCounts {
                late: 0,
                reordered: 0,
                refused: 0,
                paused: 0,
            },
        }
    }

    /// Takes an event that happened at a time of the frames' clock, and counts it if it is refused.
    pub(crate) fn push(&mut self, at: Duration, mut event: E) {
        let is_full = self.events.len() >= self.capacity;
        if is_full && self.keeps_pauses {
            count(&mut self.counts.refused, true);
            return;
        }
        let later = self.events.iter().rev().take_while(|other| other.at > at);
        let place = self.events.len() - later.count();
        let is_late = self.acts_at(at) < self.reached || at < self.pause.end;
        let is_placed = is_late || place < self.placed;
        // The next step, unless an older event waits for a later one.
        let older = place.checked_sub(1).filter(|_| is_placed);
        let tick = older.map_or(0, |older| self.events[older].tick);
        let (mut is_rest, mut is_refused) = (false, false);
        if !self.keeps_pauses {
            let is_paused = self.pause.contains(&at);
            count(&mut self.counts.paused, is_paused);
            // An event without a tick never belongs to the step of one that has a tick.
            let first = if is_placed { 0 } else { self.placed };
            if !is_paused && self.is_half_full() && self.add(first..place, tick, &event) {
                return;
            }
            is_rest = is_paused || is_full;
            match event.state() {
                Some(state) if is_rest => {
                    is_refused = !is_paused;
                    event = state;
                }
                None if is_paused => return,
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
        let is_gone = self.events.len() > self.capacity.saturating_add(STATES);
        if is_gone {
            self.events.remove(place);
            self.placed -= usize::from(is_placed);
        }
        count(&mut self.counts.refused, is_refused || is_gone);
        count(&mut self.counts.reordered, is_reordered && !is_gone);
        count(&mut self.counts.late, is_late && !is_gone);
    }

    /// Whether motion is added to earlier motion instead of taking room.
    fn is_half_full(&self) -> bool {
        self.events.len() > self.capacity / 2
    }

    /// Adds an event to one of a range, the nearest before it, if both reach the same step.
    fn add(&mut self, range: Range<usize>, tick: Tick, event: &E) -> bool {
        let mut passed = 0;
        for older in self.events.range_mut(range).rev() {
            if older.tick != tick || passed > NEAR {
                return false;
            }
            if older.event.add(event) {
                return true;
            }
            passed += usize::from(!older.is_rest);
        }
        false
    }

    /// Removes the remaining states right before one that replaces them. Returns its index then.
    fn replace(&mut self, mut place: usize) -> usize {
        if !self.events[place].is_rest {
            return place;
        }
        let mut older = place;
        while older > 0 && self.events[older - 1].is_rest {
            older -= 1;
            if self.events[place].event.replaces(&self.events[older].event) {
                self.events.remove(older);
                self.placed -= usize::from(older < self.placed);
                place -= 1;
            }
        }
        place
    }

    /// Reduces all events with a tick to states, from an index on.
    fn reduce(&mut self, mut place: usize) {
        while place < self.placed {
            let waiting = &mut self.events[place];
            count(&mut self.counts.paused, !waiting.is_rest);
            if let Some(state) = waiting.event.state() {
                (waiting.event, waiting.is_rest) = (state, true);
                place = self.replace(place) + 1;
            } else {
                self.events.remove(place);
                self.placed -= 1;
            }
        }
    }

    /// Merges events that reach the same step.
    fn add_up(&mut self) {
        let (placed, all) = (self.placed, self.events.len());
        let mut kept = 0;
        for place in 0..all {
            let Some(waiting) = self.events.pop_front() else { return };
            let len = self.events.len();
            if place < placed && self.add(len - kept..len, waiting.tick, &waiting.event) {
                self.placed -= 1;
            } else {
                self.events.push_back(waiting);
                kept += 1;
            }
        }
    }

    /// Assigns a step of a timestep to each event up to the end of the frame.
    pub(crate) fn begin_frame(&mut self, time: &FrameTime, frame: &Frame) {
        self.begin(time, &frame.progress(), frame.single_steps());
    }

    /// Assigns a step of a task. Returns whether the schedule has the task.
    pub(super) fn begin_task(&mut self, time: &FrameTime, schedule: &Schedule, task: TaskId) -> bool {
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
        let (first, last) = (self.placed, self.reached);
        self.reached = self.reached.max(time.filtered_now);
        let interval = saturating_nanos(self.reached - last);
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
        while let Some(at) = self.events.get(self.placed).map(|event| event.at) {
            if self.acts_at(at) >= self.reached && at >= self.pause.end {
                break;
            }
            let since = saturating_nanos(self.acts_at(at).saturating_sub(last));
            self.events[self.placed].tick = progress.tick_at(since, interval);
            self.placed += 1;
        }
        if !self.keeps_pauses {
            if stands_still && has_moved {
                let begin = self.pause.start;
                let earlier = self.events.partition_point(|event| event.at < begin);
                self.reduce(first.max(earlier));
            } else if self.is_half_full() {
                self.add_up();
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

    /// The next event of a step with its time, oldest first, beginning with events of earlier steps that were never run.
    pub(crate) fn next(&mut self, step: &Step) -> Option<(Duration, E)> {
        if self.placed == 0 || self.events.front()?.tick > step.tick {
            return None;
        }
        self.placed -= 1;
        self.events.pop_front().map(|waiting| (waiting.at, waiting.event))
    }

    pub(super) const fn counts(&self) -> InputCounts {
        self.counts
    }

    /// The number of events that wait for their step.
    pub(super) fn len(&self) -> usize {
        self.events.len()
    }
}

fn count(events: &mut u64, is_one_more: bool) {
    *events = events.saturating_add(u64::from(is_one_more));
}

/// Reads stored events, and checks them.
#[cfg(feature = "serde")]
pub(crate) fn restored<'de, E, D>(deserializer: D) -> Result<TimedEvents<E>, D::Error>
where
    E: serde::Deserialize<'de>,
    D: serde::Deserializer<'de>,
{
    use serde::{Deserialize as _, de::Error as _};

    let saved = TimedEvents::<E>::deserialize(deserializer)?;
    let placed = saved.events.iter().take(saved.placed);
    let is_in_order =
        saved.events.iter().is_sorted_by_key(|event| event.at) && placed.is_sorted_by_key(|event| event.tick);
    if saved.placed > saved.events.len() || !is_in_order {
        return Err(D::Error::custom("input events are not in the order of their times"));
    }
    if saved.events.len() > saved.capacity.saturating_add(STATES) {
        return Err(D::Error::custom("there are more input events than there is room for"));
    }
    Ok(saved)
}
