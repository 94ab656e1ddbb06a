//! Plugins that nobody here wrote, under `EvenstepPlugin` and under Bevy's own loop.

mod apps;
mod assets;
mod avian;
mod cameras;
mod curves;
mod framepace;
#[path = "../../../tests/app/frames.rs"]
mod frames;
mod ggrs;
mod interpolation;
mod leafwing;
mod lightyear;
mod pipelined;
mod rapier;
mod replicon;
mod scenes;
