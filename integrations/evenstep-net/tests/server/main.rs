//! A server and its clients over a simulated network, against a plain model, and hostile messages.

mod balls;
mod client;
mod eight_clients;
mod hostile;
mod laws;
mod model;
mod world;
