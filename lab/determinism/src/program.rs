//! The program on platforms with arguments and files.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::products;
use crate::scenes::{self, Pair};
use crate::toolkit;

pub(crate) fn run() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["run", seed, folder] => record(seed.parse().context("the seed is no number")?, Path::new(folder)),
        ["replay", folder] => replay(Path::new(folder)),
        ["toolkit", frames] => {
            products::check()?;
            for (part, hash) in toolkit::run(frames.parse().context("the frames are no number")?) {
                println!("toolkit-{part} {hash:016x}");
            }
            Ok(())
        }
        #[cfg(all(feature = "box2d", feature = "rapier2d", feature = "rapier3d"))]
        ["soak", seconds] => crate::soak::run(seconds.parse().context("the seconds are no number")?),
        _ => bail!(
            "usage: determinism run SEED FOLDER, determinism replay FOLDER, determinism toolkit FRAMES or determinism soak SECONDS"
        ),
    }
}

fn record(seed: u64, folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)?;
    for pair in Pair::all() {
        let recording = pair.record(seed)?;
        println!("{} {:016x}", pair.name(), scenes::hash(&recording)?);
        let mut file = Vec::new();
        recording.write(&mut file)?;
        fs::write(folder.join(pair.name()).with_extension("rec"), file)?;
    }
    Ok(())
}

/// Replays the recordings whose engines are compiled in here.
fn replay(folder: &Path) -> Result<()> {
    let paths = Pair::all().map(|pair| (pair, folder.join(pair.name()).with_extension("rec")));
    for (pair, path) in paths.filter(|(_, path)| path.exists()) {
        let file = fs::read(&path).with_context(|| format!("{} cannot be read", path.display()))?;
        println!("{} {}", pair.name(), scenes::replay(&file, &path.to_string_lossy())?);
    }
    Ok(())
}
