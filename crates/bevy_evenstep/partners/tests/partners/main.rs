//! Plugins that nobody here wrote, under `EvenstepPlugin` and under Bevy's own loop.

mod apps;
mod avian;
mod interpolation;
mod leafwing;
