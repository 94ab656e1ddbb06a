//! Plugins by others beside `bevy_evenstep`: see the tests.

#[cfg(doctest)]
#[doc = include_str!("../../../../docs/pages/bevy.md")]
mod page {}

#[cfg(doctest)]
#[doc = include_str!("../../../../docs/pages/rewinding.md")]
mod rewinding {}
