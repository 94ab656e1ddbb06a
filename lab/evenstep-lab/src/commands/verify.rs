//! `evenstep-lab verify`: repeats many recorded runs on all cores.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use indicatif::{ParallelProgressIterator as _, ProgressBar, ProgressStyle};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use walkdir::WalkDir;

use crate::commands::replay::is_recording;
use evenstep_cli::failure::{Failure, reason, warn};
use evenstep_cli::output;
use evenstep_cli::output::output_file::Files;

mod junit;
mod shard;
mod verdict;

use shard::{Shard, ShardChoice};
use verdict::Verdict;

/// The arguments of `verify`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Recordings, and folders in which to look for recordings.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Verify only a share of them, such as 3/16: each recording is in one of the 16. `auto` takes the share from the environment of a
    /// Slurm array, GitLab CI or CircleCI, and `auto/16` that of an indexed Kubernetes job.
    #[arg(long, value_name = "K/N|auto")]
    shard: Option<ShardChoice>,
    /// Print a line of JSON for each recording.
    #[arg(long)]
    json: bool,
    /// Write the results as JUnit XML, which CI systems show.
    #[arg(long, value_name = "OUT.xml")]
    junit: Option<PathBuf>,
}

/// The files to verify, each with the name that decides its shard.
type Found = BTreeSet<(PathBuf, PathBuf)>;

/// Replays all recordings of the shard.
pub(crate) fn verify(args: &Arguments) -> Result<ExitCode, Failure> {
    let shard = args
        .shard
        .map_or(Ok(Shard::ALL), |choice| choice.shard(|name| std::env::var(name).ok()))?;
    let (files, others) = find(&args.paths)?;
    // Includes the recordings of other shards, because other machines read them.
    let recordings = files.iter().map(|(_, file)| file);
    let junit = Files::default()
        .reading("PATH", recordings)
        .optional("--junit", args.junit.as_deref())?;
    let files: Vec<PathBuf> = files
        .into_iter()
        .filter(|(name, _)| shard.has(name))
        .map(|(_, file)| file)
        .collect();
    let style = ProgressStyle::with_template("{wide_bar} {pos} of {len} recordings, {eta} left");
    let bar = ProgressBar::new(files.len() as u64).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let verdicts: Vec<Verdict> = files
        .par_iter()
        .progress_with(bar)
        .map(|file| Verdict::of(file))
        .collect();
    if let Some(file) = junit {
        for level in verdicts.iter().filter_map(|verdict| verdict.level.as_deref()) {
            file.must_not_be_read("PATH", level)?;
        }
        file.write(|output| junit::write(&verdicts, output))?;
    }
    if args.json {
        let mut lines = String::new();
        for verdict in &verdicts {
            lines += &serde_json::to_string(verdict).map_err(|error| Failure::Run(error.to_string()))?;
            lines.push('\n');
        }
        output::print(&lines)?;
    }
    conclude(&verdicts, others, shard, args.json)
}

/// The recordings among these paths and below, and how many other files there are. A path that is named itself counts as a recording.
fn find(paths: &[PathBuf]) -> Result<(Found, usize), Failure> {
    let (mut files, mut others) = (Found::new(), 0);
    for path in paths {
        if !path.is_dir() {
            files.insert((path.clone(), path.clone()));
            continue;
        }
        let mut is_empty = true;
        for entry in WalkDir::new(path).follow_links(true) {
            let entry = entry.map_err(|error| unlisted(path, &error))?;
            if !entry.file_type().is_file() {
                continue;
            }
            if is_recording(entry.path()) {
                // The path within the folder decides the shard, because it is the same on every machine.
                let name = entry.path().strip_prefix(path).unwrap_or(entry.path());
                files.insert((name.to_owned(), entry.path().to_owned()));
                is_empty = false;
            } else {
                others += 1;
            }
        }
        if is_empty {
            return Err(Failure::Run(format!(
                "{}: has no recordings; give a folder with files that evenstep-lab run --record has written",
                path.display()
            )));
        }
    }
    Ok((files, others))
}

fn unlisted(folder: &Path, error: &walkdir::Error) -> Failure {
    let path = error.path().unwrap_or(folder).display();
    let why = match error.io_error() {
        Some(error) => reason(error),
        None => "it leads back to a folder that it is in".to_owned(),
    };
    Failure::Run(format!("{path}: cannot be listed: {why}; leave it out, or fix it"))
}

/// Summarises the results.
fn conclude(verdicts: &[Verdict], others: usize, shard: Shard, quiet: bool) -> Result<ExitCode, Failure> {
    let count = verdicts.len();
    let wrong: Vec<&String> = verdicts.iter().filter_map(|verdict| verdict.message.as_ref()).collect();
    match wrong[..] {
        [] => {
            let states: usize = verdicts.iter().filter_map(|verdict| verdict.states).sum();
            let others = if others == 0 {
                String::new()
            } else {
                format!("; {others} other files")
            };
            if !quiet {
                output::print(&format!(
                    "{shard}{count} recordings, {states} states, all the same{others}\n"
                ))?;
            }
            Ok(ExitCode::SUCCESS)
        }
        [one] => Err(Failure::Run(one.clone())),
        _ => {
            wrong.iter().for_each(|message| warn(message));
            let wrong = wrong.len();
            Err(Failure::Run(format!(
                "{shard}{wrong} of {count} recordings cannot be verified; see above, and evenstep-lab replay FILE"
            )))
        }
    }
}
