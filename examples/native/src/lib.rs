//! What the games in a window share: the window and what draws in it, the panel, gamepads, and the stage on which tests play them.
//!
//! The games are the programs in `src/bin`. Each is one file with its timestep, its loop, its input and its rules.

mod bodies;
mod camera;
mod input;
mod panel;
mod quad;
mod run;
mod screen;
mod stage;

pub use bodies::{Bodies, Shape};
pub use camera::{camera, states, turned, view_of};
pub use input::{Input, direction};
pub use panel::Panel;
pub use quad::QuadWindow;
pub use run::{Game, run};
pub use screen::Screen;
