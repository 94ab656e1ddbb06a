//! The record of one body.

use crate::engine::Engine;

/// A body: the engine's handle and the program's data.
pub(crate) struct Body<E: Engine, U> {
    pub(crate) handle: E::Handle,
    pub(super) data: U,
}

// A derived implementation would require `E: Clone`.
impl<E: Engine, U: Clone> Clone for Body<E, U> {
    fn clone(&self) -> Self {
        let (handle, data) = (self.handle, self.data.clone());
        Self { handle, data }
    }
}
