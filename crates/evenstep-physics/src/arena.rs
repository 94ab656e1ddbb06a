//! A generational arena: bodies by key, in slots that are reused.

use std::fmt;

/// The key of a body. Keys are never used twice, even after an earlier state is restored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyKey {
    pub(crate) slot: u32,
    /// Increases with every body that is created.
    pub(crate) generation: u64,
}

impl BodyKey {
    /// The number of the body in the [`Inspect`](evenstep::Inspect) of a system: `bodies[3]`. After the body is removed, another body may
    /// reuse it.
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

/// A generational arena whose generations are assigned by the caller.
///
/// Unlike the arenas of other crates, it can be restored to an earlier state without making stale keys valid again: the
/// generation counter is not part of the state.
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
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            (self.slots.len() - 1) as u32
        });
        self.slots[slot as usize] = Some((generation, value));
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

    /// All values, mutably.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.slots.iter_mut().flatten().map(|(_, value)| value)
    }

    /// All values, in the order of their slots.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (BodyKey, &T)> {
        (0..).zip(&self.slots).filter_map(|(slot, content)| {
            let (generation, value) = content.as_ref()?;
            let generation = *generation;
            Some((BodyKey { slot, generation }, value))
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }
}

// A derived `clone_from` would not reuse memory.
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
