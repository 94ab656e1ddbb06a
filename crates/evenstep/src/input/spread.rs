//! Motion without a time, spread over the steps of a frame.

use crate::input::coalesce::Coalesce;
use crate::time::Tick;

/// Motion that was pushed without a time: each step of a frame gets an equal part of it, so that a pointer that is read once in two steps
/// does not move in every other one.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(super) struct Spread<E> {
    /// The motion of earlier frames that no step has taken.
    due: Option<E>,
    /// The motion since the last frame: the next one tells if it belongs to a pause.
    open: Option<E>,
    /// The first tick that has taken none of it, and the tick after the steps of the frame.
    next: Tick,
    end: Tick,
}

impl<E: Coalesce> Spread<E> {
    pub(super) const fn new() -> Self {
        Self {
            due: None,
            open: None,
            next: 0,
            end: 0,
        }
    }

    /// Takes motion.
    pub(super) fn push(&mut self, motion: E) {
        add(&mut self.open, motion);
    }

    /// Forgets the motion since the last frame. Returns whether there was any.
    pub(super) fn drop_open(&mut self) -> bool {
        self.open.take().is_some()
    }

    /// The motion since the last frame belongs to no pause.
    pub(super) fn close(&mut self) {
        if let Some(open) = self.open.take() {
            add(&mut self.due, open);
        }
    }

    /// The steps of a frame begin with one tick and end before another.
    pub(super) fn begin_frame(&mut self, first: Tick, end: Tick) {
        (self.next, self.end) = (self.next.min(first), end);
    }

    /// The part of a step, once.
    pub(super) fn take(&mut self, step: Tick) -> Option<E> {
        if step < self.next {
            return None;
        }
        self.close();
        let parts = self.end.saturating_sub(step).max(1);
        let part = if parts == 1 {
            self.due.take()
        } else {
            self.due.as_mut().and_then(|due| due.split_off(parts))
        };
        self.next = step.saturating_add(u64::from(part.is_some()));
        part
    }

    pub(super) fn len(&self) -> usize {
        usize::from(self.due.is_some()) + usize::from(self.open.is_some())
    }
}

fn add<E: Coalesce>(sum: &mut Option<E>, motion: E) {
    match sum {
        Some(sum) => {
            sum.add(&motion);
        }
        None => *sum = Some(motion),
    }
}
