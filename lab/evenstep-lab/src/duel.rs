//! Hockey for two over a network that delays and loses packets: two peers as processes, and a relay between them.
//!
//! The command starts the [relay] and, with itself, both [peer]s; [peers] are its ends of the pipes to them, on which they say
//! [messages]. What a peer plays is [game]; [bot] is a player. [screen] and [result] are what the user sees.

pub(crate) mod bot;
pub(crate) mod game;
pub(crate) mod link_conditions;
pub(crate) mod messages;
pub(crate) mod peer;
pub(crate) mod peers;
pub(crate) mod relay;
pub(crate) mod result;
pub(crate) mod screen;
