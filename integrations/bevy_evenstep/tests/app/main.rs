//! Bevy apps with the plugin, without a window: what a game can rely on.

mod acceptance;
mod common;
#[cfg(feature = "diagnostics")]
mod diagnostics;
mod display;
mod events;
mod fixed_loop;
mod frames;
#[cfg(feature = "window")]
mod hidden;
#[cfg(feature = "input")]
mod input;
mod many;
mod messages;
mod moving;
mod order;
#[cfg(feature = "input")]
mod pauses;
mod placing;
mod rate_changes;
mod rates;
mod rewind;
mod rewind_reactions;
mod rewind_relationships;
mod smooth;
mod spaces;
mod spawning;
