//! The behaviour of the crate on every engine that is compiled, as one program, so that the engines are linked only once. To run the tests of one file:
//! `cargo test -p evenstep-physics --all-features --test engines drag::`.

#[macro_use]
mod common;
#[macro_use]
#[path = "../../evenstep/tests/machines/coverage.rs"]
mod coverage;
#[path = "common/fake_engine.rs"]
mod fake_engine;
#[path = "../examples/controllers.rs"]
#[allow(dead_code, reason = "the program itself")]
mod own_controllers;
#[path = "common/stepped.rs"]
mod stepped;

#[cfg(all(feature = "rapier2d", feature = "rapier3d"))]
mod adopters;
mod adoption;
mod center_of_mass;
mod commands;
mod contact_pairs;
mod controllers;
mod drag;
mod drawing;
mod engine_limits;
mod hits;
mod last_writer;
mod limits;
#[cfg(all(feature = "rapier2d", feature = "rapier3d"))]
mod range_ends;
mod saving;
mod state_machine;
mod system;
