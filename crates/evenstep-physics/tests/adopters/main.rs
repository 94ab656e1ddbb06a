//! Programs as the engines' own documentation has them, behind `adopt`: at every frame rate equal in bits to the engine's
//! own run.

mod box2d;
#[path = "../common/mod.rs"]
mod common;
mod program;
mod rapier;
mod vehicle;
