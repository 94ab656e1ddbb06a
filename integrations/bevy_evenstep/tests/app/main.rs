//! Bevy apps with the plugin, without a window: what a game can rely on.

mod common;
mod desync;
#[cfg(feature = "diagnostics")]
mod diagnostics;
mod display;
mod events;
mod fixed_loop;
mod frames;
#[cfg(feature = "window")]
mod hidden;
mod in_between;
#[cfg(feature = "input")]
mod input;
mod many;
mod messages;
mod moving;
mod origins;
#[cfg(feature = "input")]
mod pauses;
mod rates;
mod rewind;
mod scripts;
#[cfg(feature = "input")]
mod states;
mod transforms;
mod twins;
mod written;
