//! Events from steps to the renderer.

use alloc::collections::VecDeque;

use crate::step::Step;
use crate::time::{SimTime, Tick};

/// Events from steps to the renderer, such as sounds and flashes, delivered when their state is drawn.
///
/// An interpolated frame shows an earlier moment than the simulation has reached, so a hit that sounds as soon as its step has run is heard
/// before it is visible. An event is due once the state at the end of its step is drawn.
///
/// ```
/// use evenstep::{FixedTimestep, Rate, Smoothing};
/// use evenstep::input::{EventQueue, QueueOverflow};
/// use std::time::Duration;
///
/// let mut timestep = FixedTimestep::new(Rate::hz(50));
/// let mut sounds = EventQueue::new(32, QueueOverflow::DropOldest);
/// let mut heard = Vec::new();
/// for frame_number in 0..10 {
///     let frame = timestep.advance(Duration::from_millis(15));
///     for step in frame.steps() {
///         if step.tick == 2 {
///             sounds.emit(&step, "bang"); // in the state of 60 ms
///         }
///     }
///     while let Some((_tick, sound)) = sounds.next_due(frame.shown_time(Smoothing::Interpolate)) {
///         heard.push((frame_number, sound));
///     }
/// }
/// // After the sixth frame, 90 ms have arrived and 70 ms are drawn.
/// assert_eq!(heard, [(5, "bang")]);
/// ```
///
/// Pass the [time](crate::Frame::shown_time) of the smoothing that is drawn. For events that are not drawn, pass the time of
/// [`Smoothing::None`](crate::Smoothing::None): each is then due as soon as its step has run.
#[derive(Clone, Debug, PartialEq)]
pub struct EventQueue<E> {
    events: VecDeque<Emitted<E>>,
    capacity: usize,
    overflow: QueueOverflow,
    dropped: u64,
}

#[derive(Clone, Debug, PartialEq)]
struct Emitted<E> {
    tick: Tick,
    due: SimTime,
    event: E,
}

/// Which event a full [`EventQueue`] drops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum QueueOverflow {
    /// The event that has waited longest.
    #[default]
    DropOldest,
    /// The new event.
    DropNewest,
}

impl<E> EventQueue<E> {
    /// A queue with room for `capacity` events. With a capacity of zero it drops every event.
    #[must_use]
    pub fn new(capacity: usize, overflow: QueueOverflow) -> Self {
        Self {
            events: VecDeque::new(),
            capacity,
            overflow,
            dropped: 0,
        }
    }

    /// Takes an event of a step. Emit in the order of steps.
    pub fn emit(&mut self, step: &Step, event: E) {
        if self.events.len() >= self.capacity {
            self.dropped = self.dropped.saturating_add(1);
            if self.overflow == QueueOverflow::DropNewest || self.capacity == 0 {
                return;
            }
            self.events.pop_front();
        }
        self.events.push_back(Emitted {
            tick: step.tick,
            due: step.end(),
            event,
        });
    }

    /// The next event that is due when the frame shows the simulated time `drawn`, with the tick that emitted it. Events come
    /// in the order in which they were emitted.
    pub fn next_due(&mut self, drawn: SimTime) -> Option<(Tick, E)> {
        if self.events.front()?.due > drawn {
            return None;
        }
        self.events.pop_front().map(|emitted| (emitted.tick, emitted.event))
    }

    /// The events that wait with their ticks, in the order in which they were emitted.
    pub fn iter(&self) -> impl Iterator<Item = (Tick, &E)> {
        self.events.iter().map(|emitted| (emitted.tick, &emitted.event))
    }

    /// Retracts the events of a tick and of all later ones, because these steps will be simulated again. Events that were already
    /// delivered are not retracted.
    ///
    /// If time is [set back](crate::FixedTimestep::reset) and another run begins, retract all events from tick 0 on: events of the
    /// old run would wait for its ticks, and events of the new run behind them.
    pub fn retract_from(&mut self, tick: Tick) {
        self.events.retain(|emitted| emitted.tick < tick);
    }

    /// The number of events that were dropped because the queue was full.
    #[must_use]
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// The number of events that have not been delivered yet.
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

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use super::*;
    use crate::drawing::Smoothing;
    use crate::step::FixedTimestep;
    use crate::time::Rate;

    #[test]
    fn no_event_is_due_before_its_state_is_drawn_nor_a_frame_after() {
        for (rate, frame_ms) in [(60, 7), (20, 16), (144, 33)] {
            let mut timestep = FixedTimestep::new(Rate::hz(rate)).with_max_steps(64);
            let mut queue = EventQueue::new(64, QueueOverflow::DropOldest);
            let mut last_drawn = SimTime::ZERO;
            for _ in 0..500 {
                let frame = timestep.advance(Duration::from_millis(frame_ms));
                for step in frame.steps() {
                    queue.emit(&step, step.end());
                }
                while let Some((_, due)) = queue.next_due(frame.shown_time(Smoothing::Interpolate)) {
                    assert!(due <= frame.shown_time(Smoothing::Interpolate) && due > last_drawn);
                }
                last_drawn = frame.shown_time(Smoothing::Interpolate);
            }
            assert!(timestep.tick() > 100 && queue.len() <= 2);
        }
    }
}
