//! What the games in a window share: the window and its surface, the panel, gamepads, and the stage on which tests play them.
//!
//! The games are the programs in `src/bin`. Each has its timestep and its loop in its own file.

mod pad;
mod panel;
mod run;
mod screen;
mod stage;

pub use pad::{Input, Pad};
pub use panel::Panel;
pub use run::{Game, run};
pub use screen::{Screen, Shader};
pub use stage::{Moment, Stage};
