use crate::engine::Engine;

/// A body: the engine's own name of it, and what the program keeps with it.
pub(crate) struct Body<E: Engine, U> {
    pub(crate) handle: E::Handle,
    pub(super) data: U,
}

// Derived, it would ask the same of the engine.
impl<E: Engine, U: Clone> Clone for Body<E, U> {
    fn clone(&self) -> Self {
        let (handle, data) = (self.handle, self.data.clone());
        Self { handle, data }
    }
}
