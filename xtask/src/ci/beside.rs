//! Processes beside the first one, for steps that mostly wait or use one core for a long time, such as a browser's frames, a download, or a
//! compiler of another language. All build in the same folder: cargo lets only one build at a time, and the others' tests run meanwhile.

use std::env;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command};

use anyhow::{Context, Result};

use super::steps::Lane;
use crate::built::built;

/// A process.
pub(super) struct Beside {
    child: Child,
    pub(super) steps: usize,
    log: PathBuf,
}

impl Beside {
    /// Starts it with the arguments of this process.
    pub(super) fn start(lane: Lane, steps: usize) -> Result<Self> {
        let folder = built("ci")?;
        fs::create_dir_all(&folder)?;
        let lane = format!("{lane:?}").to_lowercase();
        let log = folder.join(format!("{lane}.log"));
        let output = File::create(&log).with_context(|| log.display().to_string())?;
        let child = Command::new(env::current_exe()?)
            .args(env::args_os().skip(1))
            .args(["--lane", &lane])
            .stdout(output.try_clone()?)
            .stderr(output)
            .spawn()?;
        println!("{steps} steps beside the others, into {}", log.display());
        Ok(Self { child, steps, log })
    }

    /// Waits for the process, prints its output, and returns how many of its steps failed: all of them if it was killed.
    pub(super) fn wait(mut self) -> Result<usize> {
        println!("waiting for the steps beside the others: {}", self.log.display());
        let status = self.child.wait()?;
        println!("{}", String::from_utf8_lossy(&fs::read(&self.log)?));
        let failed = status.code().and_then(|code| usize::try_from(code).ok());
        Ok(failed.map_or(self.steps, |failed| failed.min(self.steps)))
    }
}
