//! An object of any kind.

use alloc::boxed::Box;

#[cfg(feature = "display")]
use evenstep_flat::filter_chain::FilterChain;

#[cfg(feature = "poses")]
use crate::rows::Poses;

/// An object of any kind.
#[derive(Default)]
pub(crate) enum Object {
    #[default]
    Free,
    #[cfg(feature = "poses")]
    Poses(Box<Poses>),
    #[cfg(feature = "display")]
    Filters(Box<FilterChain>),
}
