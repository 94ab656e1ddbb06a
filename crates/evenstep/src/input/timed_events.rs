//! Delivers each input event to the step of its time.

use alloc::collections::VecDeque;
use core::mem;
use core::ops::Range;
use core::time::Duration;

use crate::filter::FrameTime;
use crate::input::coalesce::Coalesce;
use crate::input::spread::Spread;
use crate::schedule::{Schedule, TaskId};
use crate::step::frame::Progress;
use crate::step::{Frame, Step};
use crate::time::{Tick, saturating_nanos};

/// The number of states beyond the capacity, one for each key: more than all devices of a player have.
const STATES: usize = 1024;

/// An event that is further from its frame than this has a time of another clock.
const FAR: Duration = Duration::from_secs(1);

/// Events that wait for the step of their time, the common part of an [`InputBuffer`](super::InputBuffer) and an
/// [`InputQueue`](super::InputQueue).
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct TimedEvents<E> {
    /// Sorted by time: first the events with a tick, then the events that wait for their frame.
    events: VecDeque<Waiting<E>>,
    /// The number of events with a tick.
    assigned: usize,
    /// The number of events that are motion, which have room of their own.
    #[cfg_attr(feature = "serde", serde(skip))]
    motions: usize,
    /// The number of other events that are accepted unchanged, and of motion.
    capacity: usize,
    /// Motion without a time.
    spread: Spread<E>,
    /// Whether a frame has begun.
    has_begun: bool,
    /// The number of events since the last frame whose time is far after it.
    ahead: u64,
    /// The end of the last frame on the timestep's time line.
    reached: Duration,
    /// The delay with which events act.
    delay: Duration,
    /// The time of the last frame on the clock.
    last_now: Duration,
    /// The last pause that was called, on the clock. All events before its end have a tick.
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
    is_state: bool,
    /// Whether the next frame tells if it belongs to a pause, because it has a tick and no time.
    is_open: bool,
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
    /// Events of pauses, and of the time before the first frame, that were reduced to a state.
    pub paused: u64,
    /// Events whose time is over a second before the last frame or after the next: it is of another clock. The earlier ones act in the
    /// next step, the later ones wait for their time.
    pub foreign: u64,
}

impl<E: Coalesce> TimedEvents<E> {
    /// Events that are kept as they are, or reduced to their state in a pause and where there is no room. Motion is added up instead.
    pub(crate) const fn new(capacity: usize, keeps_pauses: bool) -> Self {
        Self {
            // A capacity is a limit that most buffers never reach.
            events: VecDeque::new(),
            assigned: 0,
            motions: 0,
            capacity,
            spread: Spread::new(),
            has_begun: false,
            ahead: 0,
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
                foreign: 0,
            },
        }
    }

    /// Takes an event that happened at a time of the frames' clock, and counts it if it is refused.
    pub(crate) fn push_at(&mut self, at: Duration, event: E) {
        let is_behind = self.has_begun && at.saturating_add(FAR) < self.last_now;
        count(&mut self.counts.foreign, is_behind);
        count(&mut self.ahead, at > self.last_now.saturating_add(FAR));
        let is_late = self.acts_at(at) < self.reached || at < self.pause.end;
        let is_paused = !self.keeps_pauses && self.pause.contains(&at);
        let later = self.events.iter().rev().take_while(|other| other.at > at);
        let place = self.events.len() - later.count();
        let is_reordered = place < self.events.len();
        let waiting = Waiting {
            at,
            tick: 0,
            event,
            is_state: is_paused,
            is_open: false,
        };
        if self.insert(place, waiting, is_late) {
            count(&mut self.counts.reordered, is_reordered);
            count(&mut self.counts.late, is_late);
        }
    }

    /// Takes an event without a time for the next step that runs: after the events that have a tick, before those that wait for their
    /// frame.
    pub(crate) fn push(&mut self, mut event: E) {
        if let Some(motion) = event.split_off(1) {
            self.spread.push(motion);
            return;
        }
        let place = self.assigned;
        let older = place
            .checked_sub(1)
            .map_or(Duration::ZERO, |older| self.events[older].at);
        let newer = self.events.get(place).map_or(Duration::MAX, |newer| newer.at);
        let waiting = Waiting {
            at: self.last_late().max(older).min(newer),
            tick: 0,
            event,
            is_state: false,
            is_open: !self.keeps_pauses,
        };
        self.insert(place, waiting, true);
    }

    /// The latest time that is late.
    const fn last_late(&self) -> Duration {
        self.reached
            .saturating_sub(self.delay)
            .saturating_sub(Duration::from_nanos(1))
    }

    /// Inserts an event, or the state that is left of it. Returns whether it is there.
    fn insert(&mut self, place: usize, mut waiting: Waiting<E>, is_late: bool) -> bool {
        let (is_motion, is_paused) = (waiting.event.is_motion(), waiting.is_state);
        let is_full = !is_motion && self.events.len() - self.motions >= self.capacity;
        if is_full && self.keeps_pauses {
            count(&mut self.counts.refused, true);
            return false;
        }
        count(&mut self.counts.paused, is_paused);
        if is_paused && is_motion {
            return false;
        }
        let is_assigned = is_late || place < self.assigned;
        // The next step, unless an older event waits for a later one.
        let older = place.checked_sub(1).filter(|_| is_assigned);
        waiting.tick = older.map_or(0, |older| self.events[older].tick);
        waiting.is_state |= is_full;
        if waiting.is_state {
            waiting.event.reduce();
        }
        self.assigned += usize::from(is_assigned);
        self.motions += usize::from(is_motion);
        self.events.insert(place, waiting);
        let place = self.replace(place);
        let is_gone = self.events.len() - self.motions > self.capacity.saturating_add(STATES);
        if is_gone {
            self.remove(place);
        }
        count(&mut self.counts.refused, is_full && !is_paused || is_gone);
        if self.motions > self.capacity.max(4) {
            self.add_up();
        }
        !is_gone
    }

    /// Adds motion to motion of its kind a short time before it. What remains, up to a quarter of the capacity of each kind, is spread
    /// evenly over the time of all motion, so that its steps stay right as far as there is room.
    fn add_up(&mut self) {
        let events = self.events.make_contiguous();
        let mut motion = events.iter().filter(|waiting| waiting.event.is_motion());
        let span = match (motion.next(), motion.next_back()) {
            (Some(first), Some(last)) => last.at - first.at,
            _ => return,
        };
        let grain = span / u32::try_from(self.capacity / 4).unwrap_or(u32::MAX).max(1);
        let (mut kept, mut assigned) = (0, 0);
        for place in 0..events.len() {
            let (older, newer) = events.split_at_mut(place);
            let newer = &newer[0];
            // What waits for its frame may belong to a pause.
            let first = if place < self.assigned { 0 } else { assigned };
            let mut near = older[first..kept]
                .iter_mut()
                .rev()
                .take_while(|older| newer.at - older.at <= grain);
            if newer.event.is_motion() && near.any(|older| older.event.add(&newer.event)) {
                self.motions -= 1;
                continue;
            }
            assigned += usize::from(place < self.assigned);
            events.swap(kept, place);
            kept += 1;
        }
        self.events.truncate(kept);
        self.assigned = assigned;
    }

    fn remove(&mut self, place: usize) -> Option<Waiting<E>> {
        let removed = self.events.remove(place)?;
        self.assigned -= usize::from(place < self.assigned);
        self.motions -= usize::from(removed.event.is_motion());
        Some(removed)
    }

    /// Removes the states before one that replaces them, up to the next event that is neither a state nor motion. Returns its index then.
    fn replace(&mut self, mut place: usize) -> usize {
        if !self.events[place].is_state {
            return place;
        }
        let mut older = place;
        while older > 0 && (self.events[older - 1].is_state || self.events[older - 1].event.is_motion()) {
            older -= 1;
            if self.events[place].event.replaces(&self.events[older].event) {
                self.remove(older);
                place -= 1;
            }
        }
        place
    }

    /// Reduces all open events with a tick to states.
    fn reduce(&mut self) {
        let mut place = 0;
        while place < self.assigned {
            let waiting = &mut self.events[place];
            if !waiting.is_open {
                place += 1;
                continue;
            }
            count(&mut self.counts.paused, !waiting.is_state);
            if waiting.event.is_motion() {
                self.remove(place);
            } else {
                waiting.event.reduce();
                waiting.is_state = true;
                place = self.replace(place) + 1;
            }
        }
    }

    /// Assigns a step of a timestep to each event up to the end of the frame.
    pub(crate) fn begin_frame(&mut self, time: &FrameTime, frame: &Frame) {
        self.begin(time, &frame.progress(), frame.single_steps(), frame.tick());
    }

    /// Assigns a step of a task. Returns whether the schedule has the task.
    pub(super) fn begin_task(&mut self, time: &FrameTime, schedule: &Schedule, task: TaskId) -> bool {
        let progress = schedule.progress(task);
        if let Some(progress) = &progress {
            self.begin(time, progress, 0, progress.tick_at(1, 1));
        }
        progress.is_some()
    }

    /// `end` is the tick after the steps of the frame.
    fn begin(&mut self, time: &FrameTime, progress: &Progress, single_steps: u32, end: Tick) {
        let (stands_still, begin) = (progress.stands_still, progress.first.saturating_sub(progress.early));
        let progress = progress.without_single_steps(single_steps);
        let newest = progress.tick_at(1, 1);
        let is_first = self.starts_over(time) && time.delta.is_zero() && time.unfiltered_delta.is_zero();
        // Events that waited for dropped steps are delivered to the next ones.
        for event in self.events.range_mut(..self.assigned) {
            event.tick = event.tick.min(newest);
        }
        self.delay = time.max_lead;
        let (first, last) = (self.assigned, self.reached);
        self.reached = self.reached.max(time.filtered_now);
        let interval = saturating_nanos(self.reached - last);
        // Where the filter lets no time pass, the next frame determines whether this one belongs to a pause.
        let has_moved = interval > 0 || time.is_paused;
        if has_moved {
            let previous = self.last_now;
            self.last_now = previous.max(time.unfiltered_now);
            if stands_still {
                let goes_on = self.pause.end == previous;
                self.pause = if goes_on { self.pause.start } else { previous }..self.last_now;
            }
        }
        // What came before the first frame is as of a pause.
        let stood_until = if is_first {
            self.pause.end.max(self.last_now.saturating_add(time.unfiltered_delta))
        } else {
            self.pause.end
        };
        while let Some(at) = self.events.get(self.assigned).map(|event| event.at) {
            if self.acts_at(at) >= self.reached && at >= stood_until {
                break;
            }
            let since = saturating_nanos(self.acts_at(at).saturating_sub(last));
            self.events[self.assigned].tick = progress.tick_at(since, interval);
            self.assigned += 1;
        }
        let is_pause = is_first || stands_still && has_moved;
        if is_pause && !self.keeps_pauses {
            let start = if is_first { Duration::ZERO } else { self.pause.start };
            let earlier = self.events.partition_point(|event| event.at < start);
            let of_pause = self.events.iter_mut().take(self.assigned).skip(first.max(earlier));
            of_pause.for_each(|event| event.is_open = true);
            self.reduce();
            count(&mut self.counts.paused, self.spread.drop_open());
        }
        if is_pause || !stands_still {
            self.events
                .range_mut(..self.assigned)
                .for_each(|event| event.is_open = false);
            self.spread.close();
        }
        self.spread.begin_frame(begin, end);
        if self.ahead > 0 {
            let far = self.last_now.saturating_add(FAR);
            let ahead = self.events.len() - self.events.partition_point(|event| event.at <= far);
            self.counts.foreign = self
                .counts
                .foreign
                .saturating_add(mem::take(&mut self.ahead).min(ahead as u64));
        }
        // The order of events is kept if the timestep was set back.
        let mut least = Tick::MAX;
        for event in self.events.range_mut(..self.assigned).rev() {
            event.tick = event.tick.min(least);
            least = event.tick;
        }
    }

    /// Takes the begin of a frame for its own, if that is its first, or if it is before the last one, and so by another clock. Returns
    /// whether it does.
    fn starts_over(&mut self, time: &FrameTime) -> bool {
        let is_other = self.has_begun && time.unfiltered_now < self.last_now;
        if self.has_begun && !is_other {
            return false;
        }
        self.has_begun = true;
        self.reached = time.filtered_now.saturating_sub(time.delta);
        self.last_now = time.unfiltered_now.saturating_sub(time.unfiltered_delta);
        self.pause = self.last_now..self.last_now;
        // What waits has times of the other clock.
        for event in self.events.iter_mut().filter(|_| is_other) {
            event.at = event.at.min(self.last_now);
        }
        true
    }

    /// Converts a time of the clock to the timestep's time line.
    const fn acts_at(&self, at: Duration) -> Duration {
        at.saturating_add(self.delay)
    }

    /// The next event of a step with its time, oldest first, beginning with events of earlier steps that were never run.
    pub(crate) fn next(&mut self, step: &Step) -> Option<(Duration, E)> {
        if let Some(motion) = self.spread.take(step.tick) {
            return Some((self.last_late(), motion));
        }
        if self.assigned == 0 || self.events.front()?.tick > step.tick {
            return None;
        }
        self.remove(0).map(|waiting| (waiting.at, waiting.event))
    }

    pub(super) const fn counts(&self) -> InputCounts {
        self.counts
    }

    /// The number of events that wait for their step.
    pub(super) fn len(&self) -> usize {
        self.events.len() + self.spread.len()
    }
}

fn count(events: &mut u64, is_one_more: bool) {
    *events = events.saturating_add(u64::from(is_one_more));
}

/// Reads stored events, and checks them.
#[cfg(feature = "serde")]
pub(crate) fn restored<'de, E, D>(deserializer: D) -> Result<TimedEvents<E>, D::Error>
where
    E: Coalesce + serde::Deserialize<'de>,
    D: serde::Deserializer<'de>,
{
    use serde::{Deserialize as _, de::Error as _};

    let mut saved = TimedEvents::<E>::deserialize(deserializer)?;
    let assigned = saved.events.iter().take(saved.assigned);
    let is_in_order =
        saved.events.iter().is_sorted_by_key(|event| event.at) && assigned.is_sorted_by_key(|event| event.tick);
    if saved.assigned > saved.events.len() || !is_in_order {
        return Err(D::Error::custom("input events are not in the order of their times"));
    }
    saved.motions = saved.events.iter().filter(|waiting| waiting.event.is_motion()).count();
    let others = saved.events.len() - saved.motions;
    if others > saved.capacity.saturating_add(STATES) || saved.motions > saved.capacity.max(4) {
        return Err(D::Error::custom("there are more input events than there is room for"));
    }
    Ok(saved)
}
