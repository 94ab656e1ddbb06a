//! Games in a window, with Bevy and `bevy_evenstep`. Each has its rules in one file; its program opens the window.

pub mod display;
pub mod falling_blocks;
mod screen;
pub mod shooter;
pub mod view_keys;
