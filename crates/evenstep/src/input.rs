use alloc::collections::VecDeque;
use core::time::Duration;

use crate::frame::Progress;
use crate::wide::product;
use crate::{Frame, Step, Tick};

mod controls;
#[cfg(feature = "winit")]
mod winit;

pub use controls::{Controls, InputEvent};
#[cfg(feature = "winit")]
pub use winit::Button;

/// Timestamped input, each event delivered to exactly one step: the one whose interval contains its time.
///
/// A program that reads its input once a frame loses presses in frames without a step and sees them twice in frames with
/// several. Put events here as they arrive, with the time at which they happened, tell the buffer of every frame, and
/// take the events of each step.
///
/// Times are read from the clock that times the frames; any origin will do. The time since the last frame is laid out
/// evenly over the simulated time that the frame moved on by, whatever the time scale, so that under slow motion ten
/// taps are still ten taps in order.
///
/// ```
/// use evenstep::{FixedTimestep, InputBuffer, Rate};
/// use std::time::Duration;
///
/// let ms = Duration::from_millis;
/// let mut timestep = FixedTimestep::new(Rate::hz(100));
/// let mut input = InputBuffer::new(64);
/// input.push(ms(3), "jump").unwrap();
/// input.push(ms(17), "duck").unwrap();
///
/// let frame = timestep.advance(ms(25)); // the first frame, 25 ms after the clock began
/// input.begin_frame(ms(25), &frame);
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
/// | is older than the last frame | delivered to the next step, and counted as [late](InputCounts::late) |
/// | is older than one that was pushed before it | put in its place, and counted as [reordered](InputCounts::reordered) |
/// | finds the buffer full | handed back to the caller, and counted as [refused](InputCounts::refused) |
/// | belongs to a step that was dropped | delivered to the next step that is run |
#[derive(Clone, Debug)]
pub struct InputBuffer<E> {
    /// In order: first those that have a tick, then those that wait for their frame.
    events: VecDeque<Waiting<E>>,
    /// How many have a tick.
    placed: usize,
    capacity: usize,
    /// The time of the last frame.
    now: Duration,
    counts: InputCounts,
}

#[derive(Clone, Debug)]
struct Waiting<E> {
    at: Duration,
    /// The step that it belongs to, once that is known.
    tick: Tick,
    event: E,
}

/// What became of input that did not come as it should.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputCounts {
    /// Events that arrived after the frame of their time; they were delivered to the next step.
    pub late: u64,
    /// Events that arrived after a later one, and were put before it.
    pub reordered: u64,
    /// Events for which there was no room.
    pub refused: u64,
}

impl<E> InputBuffer<E> {
    /// A buffer with room for `capacity` events between two steps; with none it refuses every event. Its clock stands at
    /// zero until the first frame.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self {
            events: VecDeque::with_capacity(capacity),
            placed: 0,
            capacity,
            now: Duration::ZERO,
            counts: InputCounts::default(),
        }
    }

    /// Takes an event that happened at a time of the frames' clock.
    ///
    /// # Errors
    ///
    /// Hands the event back if the buffer is full.
    pub fn push(&mut self, at: Duration, event: E) -> Result<(), E> {
        if self.events.len() >= self.capacity {
            self.counts.refused += 1;
            return Err(event);
        }
        self.counts.late += u64::from(at < self.now);
        let later = self
            .events
            .iter()
            .skip(self.placed)
            .rev()
            .take_while(|other| other.at > at);
        let place = self.events.len() - later.count();
        self.counts.reordered += u64::from(place < self.events.len());
        self.events.insert(place, Waiting { at, tick: 0, event });
        Ok(())
    }

    /// Says that it is now `now` on the frames' clock, and what the frame must do: gives each event up to now its step. To
    /// be called once a frame, before its steps.
    pub fn begin_frame(&mut self, now: Duration, frame: &Frame) {
        let progress = frame.progress();
        let newest = frame.first.saturating_add(progress.steps_before(1, 1));
        // Where steps were dropped, what waited for them comes to the next ones.
        for event in self.events.iter_mut().take(self.placed) {
            event.tick = event.tick.min(newest);
        }
        let last = self.now.as_nanos();
        let interval = now.as_nanos().saturating_sub(last);
        while let Some(event) = self.events.get_mut(self.placed).filter(|event| event.at < now) {
            let since = event.at.as_nanos().saturating_sub(last);
            event.tick = frame.first.saturating_add(progress.steps_before(since, interval));
            self.placed += 1;
        }
        // Time that runs backwards, on a clock that was set, does not unsettle the order of events.
        let mut least = Tick::MAX;
        for event in self.events.iter_mut().take(self.placed).rev() {
            event.tick = event.tick.min(least);
            least = event.tick;
        }
        self.now = self.now.max(now);
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
