use std::fmt;

/// Names a body for as long as it lives. Keys are never used twice, also not after an earlier state is restored.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BodyKey {
    pub(crate) slot: u32,
    /// Counted up with every body that is ever created.
    pub(crate) birth: u64,
}

impl BodyKey {
    /// Its place among the poses of all bodies ([`World::captured`](crate::World::captured)). When it is removed, another body
    /// may take it.
    #[must_use]
    pub const fn index(self) -> usize {
        self.slot as usize
    }
}

impl fmt::Display for BodyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "body {}", self.birth)
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
/// valid for bodies that come after: births are not put back.
#[derive(Clone, Debug)]
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

    /// The slot that the next body takes.
    pub(crate) fn next_slot(&self) -> u32 {
        self.free.last().copied().unwrap_or(self.slots.len() as u32)
    }

    pub(crate) fn insert(&mut self, birth: u64, value: T) -> BodyKey {
        let slot = self.next_slot();
        let occupied = Some((birth, value));
        match self.free.pop() {
            Some(slot) => self.slots[slot as usize] = occupied,
            None => self.slots.push(occupied),
        }
        BodyKey { slot, birth }
    }

    pub(crate) fn remove(&mut self, key: BodyKey) -> Option<T> {
        let slot = self.slots.get_mut(key.slot as usize)?;
        let (_, value) = slot.take_if(|(birth, _)| *birth == key.birth)?;
        self.free.push(key.slot);
        Some(value)
    }

    pub(crate) fn get(&self, key: BodyKey) -> Option<&T> {
        let (birth, value) = self.slots.get(key.slot as usize)?.as_ref()?;
        (*birth == key.birth).then_some(value)
    }

    pub(crate) fn get_mut(&mut self, key: BodyKey) -> Option<&mut T> {
        let (birth, value) = self.slots.get_mut(key.slot as usize)?.as_mut()?;
        (*birth == key.birth).then_some(value)
    }

    /// The body in a slot.
    pub(crate) fn in_slot(&mut self, slot: u32) -> Option<(BodyKey, &mut T)> {
        let (birth, value) = self.slots.get_mut(slot as usize)?.as_mut()?;
        Some((BodyKey { slot, birth: *birth }, value))
    }

    /// All bodies, in the order of their slots.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (BodyKey, &T)> {
        let slots = (0..).zip(&self.slots);
        slots.filter_map(|(slot, body)| {
            body.as_ref()
                .map(|(birth, value)| (BodyKey { slot, birth: *birth }, value))
        })
    }

    pub(crate) fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }
}
