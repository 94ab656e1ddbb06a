//! An object of any kind.

use alloc::boxed::Box;

#[cfg(feature = "display")]
use evenstep_flat::filter_chain::FilterChain;
#[cfg(feature = "display")]
use evenstep_flat::present::RefreshGrid;

#[cfg(feature = "display")]
use crate::pace::Pacer;
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
    #[cfg(feature = "display")]
    Grid(Box<RefreshGrid>),
    #[cfg(feature = "display")]
    Pacer(Box<Pacer>),
}
