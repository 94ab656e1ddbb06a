//! `determinism run SEED FOLDER`: runs every scene on every engine at frame times by the seed, prints the hashes of the last states
//! and writes recordings. `determinism replay FOLDER` repeats what another machine recorded. `determinism toolkit FRAMES` prints hashes of
//! the rest of the toolkit. `determinism soak SECONDS` runs on all engines for that time, or for a simulated day. In WebAssembly the
//! first three are functions, which `run.mjs` calls.
#![forbid(unsafe_code)]

mod bits;
mod frames;
#[cfg(not(target_family = "wasm"))]
mod products;
mod scenes;
#[cfg(all(feature = "box2d", feature = "rapier2d", feature = "rapier3d"))]
mod soak;
mod toolkit;

#[cfg(target_family = "wasm")]
mod module;
#[cfg(not(target_family = "wasm"))]
mod program;

#[cfg(not(target_family = "wasm"))]
fn main() -> anyhow::Result<()> {
    program::run()
}

#[cfg(target_family = "wasm")]
fn main() {}
