//! Programs from the engines' own documentation, adopted with `adopt`: at every frame rate, the run is bit-identical to the engine's own.

mod box2d;
mod program;
mod rapier;
mod vehicle;
