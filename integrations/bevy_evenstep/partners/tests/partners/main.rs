//! Plugins that nobody here wrote, with the plugins of this crate, under Bevy's own loop and under the exact one.

mod apps;
mod avian;
mod examples;
#[path = "../../../tests/app/frames.rs"]
mod frames;
mod interpolation;
mod leafwing;
mod preludes;
mod rapier;
mod replicon;
mod states;
