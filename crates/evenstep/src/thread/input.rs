//! The channel for input to the simulation thread.

use alloc::sync::Arc;
use core::sync::atomic::{AtomicUsize, Ordering};

use crate::input::InputQueue;
use crate::step::Step;

/// The input of a step, oldest first.
#[derive(Debug)]
pub struct StepInput<'a, I> {
    pub(super) step: &'a Step,
    pub(super) queue: &'a mut InputQueue<Sent<I>>,
}

impl<I> Iterator for StepInput<'_, I> {
    type Item = I;

    fn next(&mut self) -> Option<I> {
        self.queue.next(self.step).map(|sent| sent.input)
    }
}

/// An input on its way to its step, and the room that it takes up until then.
#[derive(Debug)]
pub(super) struct Sent<I> {
    pub(super) input: I,
    pub(super) _room: Room,
}

/// Room for one input, given back when it is dropped.
#[derive(Debug)]
pub(super) struct Room {
    taken: Arc<AtomicUsize>,
}

impl Room {
    /// Takes room, if less than `capacity` is taken.
    pub(super) fn take(taken: &Arc<AtomicUsize>, capacity: usize) -> Option<Self> {
        let one_more = |taken| (taken < capacity).then_some(taken + 1);
        taken
            .fetch_update(Ordering::Acquire, Ordering::Relaxed, one_more)
            .ok()?;
        Some(Self {
            taken: Arc::clone(taken),
        })
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // A thread that observes the free room also observes that the channel has it.
        self.taken.fetch_sub(1, Ordering::Release);
    }
}
