//! The component that says where the poses of an entity are stored.

use bevy_ecs::component::Component;

/// The index of the stored states of an entity; none before its first step.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[component(clone_behavior = Ignore)]
pub(super) struct Slot(u32);

impl Slot {
    /// Nowhere beyond four thousand million.
    #[inline]
    pub(super) fn new(index: usize) -> Self {
        Self(u32::try_from(index + 1).unwrap_or(0))
    }

    #[inline]
    pub(super) fn index(self) -> Option<usize> {
        (self.0 > 0).then(|| self.0 as usize - 1)
    }
}
