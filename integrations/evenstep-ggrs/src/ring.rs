use evenstep::Tick;
use evenstep::history::Rewind;

/// The states of the last ticks, in memory that is used again.
pub(crate) struct Ring<S> {
    /// That of a tick is at its remainder by their number.
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

    /// The state before a tick, if it is there.
    pub(crate) fn get(&self, tick: Tick) -> Option<&S> {
        let saved = self.slots.iter().flatten().find(|(of, _)| *of == tick);
        saved.map(|(_, saved)| saved)
    }
}
