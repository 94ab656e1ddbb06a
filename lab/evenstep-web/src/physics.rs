//! The figures on a physics engine: the second module.

pub mod blocks;
pub mod snooker;
pub mod two_blocks;
