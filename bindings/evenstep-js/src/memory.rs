//! Floats that JavaScript reads and writes in place.
//!
//! JavaScript can keep a view of memory for longer than what it showed lives. So memory that was shown is never given back to
//! the allocator, only to other floats: who writes into an old view finds wrong floats there at worst, never a broken heap.

use alloc::vec::Vec;

/// Memory that was shown and is free.
pub(crate) struct Pool {
    free: Vec<Vec<f32>>,
}

impl Pool {
    /// With nothing in it.
    pub(crate) const fn new() -> Self {
        Self { free: Vec::new() }
    }

    /// Memory with room for `count` floats: a free block that is not far too large, or a new one.
    fn find(&mut self, count: usize) -> Vec<f32> {
        let room = count.next_power_of_two().max(64);
        let fits = |floats: &Vec<f32>| (count..=2 * room).contains(&floats.capacity());
        match self.free.iter().position(fits) {
            Some(at) => self.free.swap_remove(at),
            None => Vec::with_capacity(room),
        }
    }

    /// Takes memory back.
    pub(crate) fn keep(&mut self, shown: Shown) {
        let mut floats = shown.floats;
        if floats.capacity() > 0 {
            floats.clear();
            self.free.push(floats);
        }
    }
}

/// Floats that may be shown. They must go back to the pool.
#[derive(Default)]
pub(crate) struct Shown {
    floats: Vec<f32>,
}

impl Shown {
    /// Where they are, in bytes.
    pub(crate) fn address(&self) -> usize {
        self.floats.as_ptr() as usize
    }

    pub(crate) fn floats(&self) -> &[f32] {
        &self.floats
    }

    pub(crate) fn floats_mut(&mut self) -> &mut [f32] {
        &mut self.floats
    }

    /// Sets how many there are. They move if there is no room; new ones are zero.
    pub(crate) fn resize(&mut self, count: usize, pool: &mut Pool) {
        if count > self.floats.capacity() {
            let mut floats = pool.find(count);
            floats.extend_from_slice(&self.floats);
            pool.keep(core::mem::replace(self, Self { floats }));
        }
        self.floats.resize(count, 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_was_shown_goes_to_other_floats_only() {
        let mut pool = Pool::new();
        let mut first = Shown::default();
        first.resize(10, &mut pool);
        let address = first.address();
        first.floats_mut()[9] = 1.0;
        first.resize(1000, &mut pool);
        assert_eq!((first.floats()[9], first.floats()[10]), (1.0, 0.0));
        let mut second = Shown::default();
        second.resize(60, &mut pool);
        assert_eq!(second.address(), address);
        assert_eq!(second.floats(), [0.0; 60]);
        pool.keep(second);
        let mut third = Shown::default();
        third.resize(1, &mut pool);
        assert_eq!(third.address(), address);
    }
}
