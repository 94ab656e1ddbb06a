//! Games in a window, with Bevy and `bevy_evenstep`. The rules of each game are in this library; its program opens the window.

pub mod display;
pub mod falling_blocks;
mod screen;
pub mod shooter;
pub mod view_keys;
