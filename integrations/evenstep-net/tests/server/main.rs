//! A server and its clients: over a simulated network against a plain model, and over UDP on the loopback under attack.

mod attack;
mod balls;
mod fields;
mod game_checks;
mod inbox;
mod large;
mod laws;
mod loopback;
mod messages;
mod model;
mod netcode_client;
mod netcode_filter;
mod replays;
mod world;
