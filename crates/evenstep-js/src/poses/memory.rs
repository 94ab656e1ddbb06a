//! Floats that JavaScript reads and writes in place.
//!
//! JavaScript can keep a view of memory for longer than what it showed lives. So memory that was shown is never given back to
//! the allocator, only to other floats: who writes into an old view finds wrong floats there at worst, never a broken heap.

use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::RefCell;

use wasm_bindgen::prelude::wasm_bindgen;

/// Memory that was shown and is free. There is one in a program.
#[wasm_bindgen]
#[derive(Clone, Default)]
pub struct RawPool {
    free: Rc<RefCell<Vec<Vec<f32>>>>,
}

#[wasm_bindgen]
impl RawPool {
    /// With nothing in it.
    pub fn create() -> Self {
        Self::default()
    }
}

impl RawPool {
    /// Memory with room for so many floats: free one that is not far too large, or new.
    fn find(&self, count: usize) -> Vec<f32> {
        let room = count.next_power_of_two().max(64);
        let mut free = self.free.borrow_mut();
        let fits = |floats: &Vec<f32>| (count..=2 * room).contains(&floats.capacity());
        match free.iter().position(fits) {
            Some(at) => free.swap_remove(at),
            None => Vec::with_capacity(room),
        }
    }

    fn keep(&self, mut floats: Vec<f32>) {
        if floats.capacity() > 0 {
            floats.clear();
            self.free.borrow_mut().push(floats);
        }
    }
}

/// Floats that may be shown.
pub(crate) struct Shown {
    floats: Vec<f32>,
    pool: RawPool,
}

impl Shown {
    /// No floats yet.
    pub(crate) fn new(pool: &RawPool) -> Self {
        Self {
            floats: Vec::new(),
            pool: pool.clone(),
        }
    }

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
    pub(crate) fn resize(&mut self, count: usize) {
        if count > self.floats.capacity() {
            let mut larger = self.pool.find(count);
            larger.extend_from_slice(&self.floats);
            let smaller = core::mem::replace(&mut self.floats, larger);
            self.pool.keep(smaller);
        }
        self.floats.resize(count, 0.0);
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        self.pool.keep(core::mem::take(&mut self.floats));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_was_shown_goes_to_other_floats_only() {
        let pool = RawPool::create();
        let mut first = Shown::new(&pool);
        first.resize(10);
        let address = first.address();
        first.floats_mut()[9] = 1.0;
        first.resize(1000);
        assert_eq!((first.floats()[9], first.floats()[10]), (1.0, 0.0));
        let mut second = Shown::new(&pool);
        second.resize(60);
        assert_eq!(second.address(), address);
        assert_eq!(second.floats(), [0.0; 60]);
        drop(second);
        let mut third = Shown::new(&pool);
        third.resize(1);
        assert_eq!(third.address(), address);
    }
}
