//! Plugins that nobody here wrote, under `EvenstepPlugin` and under Bevy's own loop.

mod apps;
mod avian;
#[path = "../../../tests/app/frames.rs"]
mod frames;
mod interpolation;
mod leafwing;
mod rapier;
