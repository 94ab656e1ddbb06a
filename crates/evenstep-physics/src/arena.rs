use std::fmt;

/// Names a body for as long as it lives. Keys are never used twice, also not after an earlier state is restored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyKey {
    pub(crate) slot: u32,
    /// Counted up with every body that is ever created.
    pub(crate) generation: u64,
}

impl BodyKey {
    /// Its place among the poses of all bodies ([`World::pose_history`](crate::World::pose_history)). When it is removed,
    /// another body may take it.
    #[must_use]
    pub const fn index(self) -> usize {
        self.slot as usize
    }
}

impl fmt::Display for BodyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "body {}", self.generation)
    }
}

impl fmt::Debug for BodyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Bodies by key, in slots that are used again.
///
/// Unlike the arenas of other crates, it can be put back to an earlier state without making keys of the time between
/// valid for bodies that come after: generations are counted on.
#[derive(Debug)]
pub(crate) struct Arena<T> {
    slots: Vec<Option<(u64, T)>>,
    free: Vec<u32>,
}

impl<T> Arena<T> {
    pub(crate) const fn new() -> Self {
        Self {
            slots: Vec::new(),
            free: Vec::new(),
        }
    }

    pub(crate) fn insert(&mut self, generation: u64, value: T) -> BodyKey {
        let occupied = Some((generation, value));
        let slot = match self.free.pop() {
            Some(slot) => {
                self.slots[slot as usize] = occupied;
                slot
            }
            None => {
                self.slots.push(occupied);
                (self.slots.len() - 1) as u32
            }
        };
        BodyKey { slot, generation }
    }

    pub(crate) fn remove(&mut self, key: BodyKey) -> Option<T> {
        let slot = self.slots.get_mut(key.slot as usize)?;
        let (_, value) = slot.take_if(|(generation, _)| *generation == key.generation)?;
        self.free.push(key.slot);
        Some(value)
    }

    pub(crate) fn get(&self, key: BodyKey) -> Option<&T> {
        let (generation, value) = self.slots.get(key.slot as usize)?.as_ref()?;
        (*generation == key.generation).then_some(value)
    }

    pub(crate) fn get_mut(&mut self, key: BodyKey) -> Option<&mut T> {
        let (generation, value) = self.slots.get_mut(key.slot as usize)?.as_mut()?;
        (*generation == key.generation).then_some(value)
    }

    /// The body in a slot.
    pub(crate) fn in_slot(&self, slot: u32) -> Option<(BodyKey, &T)> {
        let (generation, value) = self.slots.get(slot as usize)?.as_ref()?;
        let generation = *generation;
        Some((BodyKey { slot, generation }, value))
    }

    /// All bodies, to be changed.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.slots.iter_mut().flatten().map(|(_, value)| value)
    }

    /// All bodies, in the order of their slots.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (BodyKey, &T)> {
        let slots = (0..).zip(&self.slots);
        slots.filter_map(|(slot, body)| {
            body.as_ref().map(|(generation, value)| {
                (
                    BodyKey {
                        slot,
                        generation: *generation,
                    },
                    value,
                )
            })
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }
}

// Derived, it would not use memory again.
impl<T: Clone> Clone for Arena<T> {
    fn clone(&self) -> Self {
        Self {
            slots: self.slots.clone(),
            free: self.free.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.slots.clone_from(&source.slots);
        self.free.clone_from(&source.free);
    }
}
