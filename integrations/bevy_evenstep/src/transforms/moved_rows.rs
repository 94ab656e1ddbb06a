//! Which bodies moved in the last step.

use bevy_ecs::entity::Entity;

use super::rows::RUN;

/// The effect of a step on the bodies of a run: a bit for each.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Marks {
    /// The step in which any of them moved last.
    step: u64,
    moving: u32,
    /// Bodies whose scale changed as they moved.
    scaling: u32,
}

impl Marks {
    /// Adds bodies from one on, which a step moved.
    pub(super) fn add(&mut self, step: u64, first: usize, moved: u32, scaled: u32) {
        if self.step != step {
            *self = Self {
                step,
                ..Self::default()
            };
        }
        let place = first % RUN;
        self.moving |= moved << place;
        self.scaling = (self.scaling & !(moved << place)) | (scaled << place);
    }

    /// The bodies that the step moved, from `first` on.
    #[inline]
    pub(super) fn moving(self, step: u64, first: usize) -> u32 {
        if self.step == step {
            self.moving >> (first % RUN)
        } else {
            0
        }
    }

    /// Those whose scale the step changed, from one on.
    #[inline]
    pub(super) fn scaling(self, step: u64, first: usize) -> u32 {
        if self.step == step {
            self.scaling >> (first % RUN)
        } else {
            0
        }
    }

    pub(super) fn clear(&mut self, index: usize) {
        self.moving &= !(1 << (index % RUN));
        self.scaling &= !(1 << (index % RUN));
    }
}

/// If one in this many moves, a pass over all is faster than looking up the moved ones.
const WORTH_A_PASS: usize = 8;

/// The entities that moved in the last step, as long as they are few.
#[derive(Debug, Default)]
pub(super) struct Moving {
    list: Vec<Entity>,
    is_dense: bool,
}

impl Moving {
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.is_dense = false;
    }

    /// Adds some, of `all` that there are.
    pub(super) fn extend(&mut self, entities: &[Entity], all: usize) {
        self.is_dense |= (self.list.len() + entities.len()) * WORTH_A_PASS >= all;
        if !self.is_dense {
            self.list.extend_from_slice(entities);
        }
    }

    pub(super) fn is_any(&self) -> bool {
        self.is_dense || !self.list.is_empty()
    }

    /// Takes the list, if they are few.
    pub(super) fn take_list(&mut self) -> Option<Vec<Entity>> {
        (!self.is_dense).then(|| core::mem::take(&mut self.list))
    }

    pub(super) fn put_back(&mut self, list: Vec<Entity>) {
        self.list = list;
    }
}
