//! A server and its clients: over a simulated network against a plain model, and over UDP on the loopback under attack.

mod attack;
mod balls;
mod door;
mod fitness;
mod gate;
mod inbox;
mod large;
mod laws;
mod loopback;
mod messages;
mod model;
mod replays;
mod world;
