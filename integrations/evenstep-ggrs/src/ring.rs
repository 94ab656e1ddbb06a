//! Saved states of the last ticks, in memory that is reused.

use evenstep::Tick;
use evenstep::history::Rewind;

/// A ring buffer of saved states.
pub(crate) struct Ring<S> {
    /// The state before tick `t` is at index `t % slots.len()`.
    slots: Vec<Option<(Tick, S)>>,
}

impl<S> Ring<S> {
    pub(crate) const fn new() -> Self {
        Self { slots: Vec::new() }
    }

    /// Saves the state before a tick, for the last `count` ticks.
    pub(crate) fn save<W: Rewind<Saved = S>>(&mut self, world: &W, tick: Tick, count: usize) {
        if self.slots.len() != count {
            self.slots.clear();
            self.slots.resize_with(count, || None);
        }
        let at = (tick % count as Tick) as usize;
        match &mut self.slots[at] {
            Some((of, saved)) => {
                *of = tick;
                world.save_into(saved);
            }
            empty => *empty = Some((tick, world.save())),
        }
    }

    /// The state before a tick, if it is saved.
    pub(crate) fn get(&self, tick: Tick) -> Option<&S> {
        let saved = self.slots.iter().flatten().find(|(of, _)| *of == tick);
        saved.map(|(_, saved)| saved)
    }
}
