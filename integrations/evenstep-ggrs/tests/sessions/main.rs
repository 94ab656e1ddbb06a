//! Games driven by sessions of GGRS over a simulated network, compared with reference games that know all inputs.

mod desyncs;
mod drawing;
mod faulty;
mod laws;
mod machine;
mod peers;
mod spectators;
mod sync_tests;
mod tag;
