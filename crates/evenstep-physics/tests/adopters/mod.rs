//! Programs from the engines' own documentation, behind `adopt`: at every frame rate bit-identical to the engine's own run.

mod box2d;
mod program;
mod rapier;
mod vehicle;
