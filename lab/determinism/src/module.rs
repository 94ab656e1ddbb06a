//! The program's commands as functions that JavaScript calls.

use wasm_bindgen::prelude::wasm_bindgen;

use crate::scenes::{self, Pair};
use crate::toolkit;

/// The names of the scenes and engines that are compiled in.
#[wasm_bindgen]
#[must_use]
pub fn names() -> Vec<String> {
    Pair::all().map(|pair| pair.name()).collect()
}

/// A recorded run.
#[wasm_bindgen]
pub struct Recorded {
    hash: u64,
    file: Vec<u8>,
}

#[wasm_bindgen]
impl Recorded {
    /// The hash of its last state, in hexadecimal digits.
    #[must_use]
    pub fn hash(&self) -> String {
        format!("{:016x}", self.hash)
    }

    /// The recording as a file.
    #[must_use]
    pub fn file(&self) -> Vec<u8> {
        self.file.clone()
    }
}

/// Runs the scene and engine with a name, at frame times that the seed decides.
///
/// # Errors
///
/// If there is no such name, or the scene cannot be built.
#[wasm_bindgen]
pub fn record(name: &str, seed: u32) -> Result<Recorded, String> {
    let pair = Pair::all().find(|pair| pair.name() == name);
    let pair = pair.ok_or_else(|| format!("{name} is not compiled in"))?;
    let recorded = || {
        let recording = pair.record(u64::from(seed))?;
        let mut file = Vec::new();
        recording.write(&mut file)?;
        let hash = scenes::hash(&recording)?;
        anyhow::Ok(Recorded { hash, file })
    };
    recorded().map_err(|error| format!("{name}: {error:#}"))
}

/// Repeats a recording, and says where it differs.
///
/// # Errors
///
/// If the file cannot be read or the scene cannot be built.
#[wasm_bindgen]
pub fn replay(file: &[u8], name: &str) -> Result<String, String> {
    scenes::replay(file, name).map_err(|error| format!("{name}: {error:#}"))
}

/// The hashes of the parts of the toolkit, a line each.
#[wasm_bindgen]
#[must_use]
pub fn toolkit(frames: u32) -> String {
    let hashes = toolkit::run(frames).into_iter();
    hashes
        .map(|(part, hash)| format!("toolkit-{part} {hash:016x}\n"))
        .collect()
}
