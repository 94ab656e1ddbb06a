//! The module of `evenstep/poses`: many bodies.

mod memory;
mod rows;
