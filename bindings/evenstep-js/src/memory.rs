//! Memory for floats that JavaScript reads and writes in place.
//!
//! A view in JavaScript can outlive the floats that it shows. So memory that was shown is never returned to the allocator, only
//! reused for other floats: writing to a stale view can corrupt other floats, but never the heap.

use alloc::vec::Vec;

/// Memory that was shown and is free.
pub(crate) struct Pool {
    free: Vec<Vec<f32>>,
}

impl Pool {
    /// An empty pool.
    pub(crate) const fn new() -> Self {
        Self { free: Vec::new() }
    }

    /// Memory with room for `count` floats: a free block that is not much larger, or a new one.
    fn find(&mut self, count: usize) -> Vec<f32> {
        let room = count.next_power_of_two().max(64);
        let fits = |floats: &Vec<f32>| (count..=2 * room).contains(&floats.capacity());
        match self.free.iter().position(fits) {
            Some(at) => self.free.swap_remove(at),
            None => Vec::with_capacity(room),
        }
    }

    /// Returns memory to the pool.
    pub(crate) fn release(&mut self, shown: Shown) {
        let mut floats = shown.floats;
        if floats.capacity() > 0 {
            floats.clear();
            self.free.push(floats);
        }
    }
}

/// Floats that JavaScript may have a view of. They must be returned to the pool.
#[derive(Default)]
pub(crate) struct Shown {
    floats: Vec<f32>,
}

impl Shown {
    /// The address of the floats in bytes.
    pub(crate) fn address(&self) -> usize {
        self.floats.as_ptr() as usize
    }

    pub(crate) fn floats(&self) -> &[f32] {
        &self.floats
    }

    pub(crate) fn floats_mut(&mut self) -> &mut [f32] {
        &mut self.floats
    }

    /// Sets the number of floats. They move if there is no room; new floats are zero.
    pub(crate) fn resize(&mut self, count: usize, pool: &mut Pool) {
        if count > self.floats.capacity() {
            let mut floats = pool.find(count);
            floats.extend_from_slice(&self.floats);
            pool.release(core::mem::replace(self, Self { floats }));
        }
        self.floats.resize(count, 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_was_shown_is_only_reused_for_other_floats() {
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
        pool.release(second);
        let mut third = Shown::default();
        third.resize(1, &mut pool);
        assert_eq!(third.address(), address);
    }
}
