//! Hockey for two over a network that delays and loses packets: two peers as processes, and a relay between them.
//!
//! The command starts the [relay] and, with itself, both [peer]s; [peers] are its ends of the pipes to them, which carry
//! [messages]. [game] is the game of a peer, [bot] a computer player. [screen] and [result] are the output for the user.

pub(crate) mod bot;
pub(crate) mod game;
pub(crate) mod messages;
pub(crate) mod peer;
pub(crate) mod peers;
pub(crate) mod relay;
pub(crate) mod result;
pub(crate) mod screen;
