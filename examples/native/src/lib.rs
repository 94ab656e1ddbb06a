//! The shared code of the games in a window: the window and its drawing, the panel, gamepads, and the stage on which tests play them.
//!
//! The games are the programs in `src/bin`. Each is one file with its timestep, its loop, its input and its rules.

#[cfg(feature = "wgpu")]
mod bodies;
#[cfg(feature = "wgpu")]
mod camera;
#[cfg(feature = "wgpu")]
mod hud;
mod input;
mod quad;
#[cfg(feature = "wgpu")]
mod run;
#[cfg(feature = "wgpu")]
mod screen;
mod stage;
mod view;
mod words;

#[cfg(feature = "wgpu")]
pub use bodies::{Bodies, Shape, hue};
#[cfg(feature = "wgpu")]
pub use camera::{camera, states, turned, view_of};
pub use input::{Input, Key, direction};
pub use quad::{Label, QuadWindow};
#[cfg(feature = "wgpu")]
pub use run::{Game, run};
#[cfg(feature = "wgpu")]
pub use screen::Screen;
pub use view::View;

/// A shader for [`Bodies`], to be appended to `evenstep_wgpu::WGSL2`: boxes, discs, rings and a background in the plane, interpolated between two steps.
#[cfg(feature = "wgpu")]
pub const FLAT: &str = include_str!("flat.wgsl");
