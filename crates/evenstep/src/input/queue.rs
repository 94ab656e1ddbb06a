//! [`InputQueue`]: events of any type, each in exactly one step.

use core::time::Duration;

use crate::filter::FrameTime;
use crate::input::coalesce::Whole;
use crate::input::{InputCounts, TimedEvents};
use crate::schedule::{Schedule, TaskId};
use crate::step::{Frame, Step};

/// Timestamped events of any type, without loss: each reaches exactly one step, the one whose interval contains its time.
///
/// Use it for orders that a player gives also in a pause, for packets and for replays. For keys, buttons and a pointer use an
/// [`InputBuffer`](super::InputBuffer), which gives each step their state.
///
/// ```
/// use evenstep::input::InputQueue;
/// use evenstep::{FixedTimestep, FrameClock, Rate};
/// use std::time::Duration;
///
/// let ms = Duration::from_millis;
/// let mut clock = FrameClock::unfiltered();
/// let mut timestep = FixedTimestep::new(Rate::hz(100));
/// let mut orders = InputQueue::new(64);
/// let first = clock.begin_frame(ms(0)); // no time has passed
/// orders.begin_frame(&first, &timestep.advance(first.delta));
/// orders.push_at(ms(3), "build");
/// orders.push_at(ms(17), "attack");
///
/// let time = clock.begin_frame(ms(25));
/// let frame = timestep.advance(time.delta);
/// orders.begin_frame(&time, &frame);
/// let mut seen = Vec::new();
/// for step in frame.steps() {
///     while let Some(order) = orders.next(&step) {
///         seen.push((step.tick, order));
///     }
/// }
/// assert_eq!(seen, [(0, "build"), (1, "attack")]);
/// ```
///
/// Events of a pause are delivered to the first step after it. While the queue is full, a new event is refused and
/// [counted](InputCounts::refused); [`len`](Self::len) says how many wait. The table of [`InputBuffer`](super::InputBuffer) says what
/// becomes of late and reordered events.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct InputQueue<E> {
    #[cfg_attr(
        feature = "serde",
        serde(deserialize_with = "restored", bound(deserialize = "E: serde::Deserialize<'de>"))
    )]
    events: TimedEvents<Whole<E>>,
}

impl<E> InputQueue<E> {
    /// A queue with room for `capacity` events.
    #[must_use]
    pub const fn new(capacity: usize) -> Self {
        Self {
            events: TimedEvents::new(capacity, true),
        }
    }

    /// Takes an event with its time on the frames' clock, for the step whose interval contains the time. The cost is linear in the number
    /// of later events that wait.
    pub fn push_at(&mut self, at: Duration, event: E) {
        self.events.push_at(at, Whole(event));
    }

    /// Takes an event without a time, for the next step that runs.
    pub fn push(&mut self, event: E) {
        self.events.push(Whole(event));
    }

    /// Assigns each event up to the end of the frame to a step. Call it once a frame, before the steps.
    ///
    /// `time` is the result of the frame clock, and `frame` the timestep's result for its delta.
    pub fn begin_frame(&mut self, time: &FrameTime, frame: &Frame) {
        self.events.begin_frame(time, frame);
    }

    /// Does the same for a task of a [`Schedule`] that has just advanced. Each task that takes events needs its own queue.
    /// Returns whether the schedule has the [task](TaskId); if not, nothing has changed.
    pub fn begin_task(&mut self, time: &FrameTime, schedule: &Schedule, task: TaskId) -> bool {
        self.events.begin_task(time, schedule, task)
    }

    /// The next event of a step, oldest first, beginning with events of earlier steps that were never run.
    pub fn next(&mut self, step: &Step) -> Option<E> {
        self.events.next(step).map(|(_, Whole(event))| event)
    }

    /// Counts of events that were not delivered in the ordinary way.
    #[must_use]
    pub const fn counts(&self) -> InputCounts {
        self.events.counts()
    }

    /// The number of events that wait for their step.
    #[must_use]
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether no event waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Reads stored events; none was reduced to a state.
#[cfg(feature = "serde")]
fn restored<'de, E, D>(deserializer: D) -> Result<TimedEvents<Whole<E>>, D::Error>
where
    E: serde::Deserialize<'de>,
    D: serde::Deserializer<'de>,
{
    let events = super::timed_events::restored(deserializer)?;
    if events.keeps_pauses {
        Ok(events)
    } else {
        Err(serde::de::Error::custom(
            "the events of an input queue do not keep pauses",
        ))
    }
}
