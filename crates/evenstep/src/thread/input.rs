//! The channel for input to the simulation thread.

use alloc::sync::Arc;
use core::fmt;
use std::time::Instant;

use super::system::mpsc::{SyncSender, TrySendError};
use super::system::{AtomicUsize, Ordering};
use crate::input::InputBuffer;
use crate::step::Step;

/// The input of a step, oldest first.
#[derive(Debug)]
pub struct StepInput<'a, I> {
    pub(super) step: &'a Step,
    pub(super) buffer: &'a mut InputBuffer<Sent<I>>,
}

impl<I> Iterator for StepInput<'_, I> {
    type Item = I;

    fn next(&mut self) -> Option<I> {
        self.buffer.next(self.step).map(|sent| sent.input)
    }
}

/// Room for one input, kept until it is used or dropped: [`SimThread::reserve`](super::SimThread::reserve).
#[must_use = "a permit that is dropped gives its room back"]
pub struct InputPermit<I> {
    room: Room,
    channel: SyncSender<(Instant, Sent<I>)>,
}

impl<I> InputPermit<I> {
    pub(super) fn new(room: Room, channel: SyncSender<(Instant, Sent<I>)>) -> Self {
        Self { room, channel }
    }

    /// Sends input that happened at an instant, to be delivered to the step of that time. There is room, so it arrives. Never
    /// waits.
    ///
    /// # Errors
    ///
    /// Hands the input back if the simulation is gone.
    pub fn send(self, at: Instant, input: I) -> Result<(), I> {
        send(&self.channel, self.room, at, input)
    }
}

impl<I> fmt::Debug for InputPermit<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InputPermit").finish_non_exhaustive()
    }
}

/// A permit guarantees channel capacity: the channel holds as many inputs as there are permits.
pub(super) fn send<I>(channel: &SyncSender<(Instant, Sent<I>)>, room: Room, at: Instant, input: I) -> Result<(), I> {
    let sent = channel.try_send((at, Sent { input, _room: room }));
    sent.map_err(|error| {
        let (TrySendError::Full((_, sent)) | TrySendError::Disconnected((_, sent))) = error;
        sent.input
    })
}

/// An input on its way to its step, and the room that it takes up until then.
#[derive(Debug)]
pub(super) struct Sent<I> {
    input: I,
    _room: Room,
}

/// A permit for one input, returned when it is dropped.
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
        // Whoever sees the room free also sees that the channel has it.
        self.taken.fetch_sub(1, Ordering::Release);
    }
}
