//! An object of any kind.

use alloc::boxed::Box;

use crate::rows::Poses;

/// An object of any kind.
#[derive(Default)]
pub(crate) enum Object {
    #[default]
    Free,
    Poses(Box<Poses>),
}
