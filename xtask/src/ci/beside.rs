//! A second process for steps that mostly wait or use one core for a long time, such as a browser's frames, a download, or a compiler of
//! another language. Both processes build in the same folder: cargo lets only one build at a time, and the other one's tests run meanwhile.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::Duration;

use anyhow::{Context, Result};
use xshell::Shell;

use crate::built::built;
use crate::ci::outcome::{Outcome, Ran};
use crate::ci::steps::{Lane, Step};

/// The process, and the steps that it runs.
pub(super) struct Beside {
    child: Child,
    steps: Vec<&'static Step>,
    log: PathBuf,
    outcomes: PathBuf,
}

impl Beside {
    /// Starts the steps of the second lane, if both lanes have steps to run.
    pub(super) fn start(shell: &Shell, steps: &[&'static Step], jobs: Option<u16>) -> Result<Option<Self>> {
        let (steps, others): (Vec<&'static Step>, Vec<&'static Step>) =
            steps.iter().copied().partition(|step| step.lane == Lane::Beside);
        if steps.is_empty() || others.is_empty() {
            return Ok(None);
        }
        let folder = built(shell, "ci")?;
        fs::create_dir_all(&folder)?;
        let (log, outcomes) = (folder.join("beside.log"), folder.join("beside.tsv"));
        let output = File::create(&log).with_context(|| log.display().to_string())?;
        fs::write(&outcomes, "")?;
        let names: Vec<_> = steps.iter().map(|step| step.name).collect();
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["ci", "--all", "--steps", &names.join(","), "--outcomes"]);
        command.arg(&outcomes);
        if let Some(jobs) = jobs {
            command.args(["--jobs", &jobs.to_string()]);
        }
        let child = command.stdout(output.try_clone()?).stderr(output).spawn()?;
        println!("beside the others, into {}: {}", log.display(), names.join(", "));
        Ok(Some(Self {
            child,
            steps,
            log,
            outcomes,
        }))
    }

    /// Waits for the process and prints its output. A step without an outcome has failed.
    pub(super) fn wait(mut self) -> Result<Vec<Ran>> {
        println!("waiting for the steps beside the others: {}", self.log.display());
        let status = self.child.wait()?;
        let output = fs::read(&self.log)?;
        println!("{}", String::from_utf8_lossy(&output));
        let written = fs::read_to_string(&self.outcomes)?;
        let all = self.steps.iter().map(|step| {
            let told = written.lines().find_map(|line| Ran::read(line, step.name));
            told.unwrap_or_else(|| Ran {
                name: step.name,
                outcome: Outcome::Failed(format!("the process that runs it ended early: {status}")),
                time: Duration::ZERO,
                processor: None,
            })
        });
        Ok(all.collect())
    }
}
