//! `evenstep analyze`: measures recordings of frame times.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

use clap::Args;
use evenstep_trace::{Analysis, SwapChain};
use serde::Serialize;

use crate::commands::part::Part;
use crate::commands::runs::Runs;
use crate::failure::Failure;
use crate::output::analysis::{self, Recording};
use crate::output::output_file::{Files, OutputFile};
use crate::output::progress::Progress;
use crate::{input, output};

/// The arguments of `analyze`.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The traces, and folders of traces; patterns such as 'captures/**/*.csv' are expanded, `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    part: Part,
    /// The traces are runs of one scene: print one result, with the noise between the runs and the run that differs from the others.
    #[arg(long, conflicts_with_all = ["json", "rows"])]
    runs: bool,
    /// Write PresentMon's metrics of each present, recomputed, to a CSV file; for one trace.
    #[arg(long, value_name = "OUT.csv")]
    rows: Option<PathBuf>,
    /// Write a chart of frame times and of times on the screen, as a picture of less than 40 kB; for one trace.
    #[arg(long, value_name = "OUT.svg")]
    plot: Option<PathBuf>,
    /// Of many traces, print a line for each: without this option, for those that need attention first.
    #[arg(long)]
    all: bool,
    /// Print JSON instead of a table.
    #[arg(long)]
    json: bool,
    /// Write a page with charts of each chain.
    #[arg(long, value_name = "OUT.html")]
    report: Option<PathBuf>,
}

impl Arguments {
    /// Whether the frames are needed after the measurement.
    fn keeps_frames(&self) -> bool {
        self.rows.is_some() || self.plot.is_some() || self.report.is_some()
    }
}

/// The most recordings that are printed in full; more are a table with a line each.
const MAX_FILES_IN_FULL: usize = 5;

/// The most lines of that table without `--all`, so that the summary fits into a terminal of 24 lines.
const MAX_LINES: usize = 12;

/// The output of `--json`, which the crate's README describes.
#[derive(Serialize)]
struct Analyses {
    files: Vec<Analysis>,
}

/// Measures all traces. A trace that cannot be read does not stop the others.
pub(crate) fn analyze(args: &Arguments) -> Result<ExitCode, Failure> {
    let mut exit = ExitCode::SUCCESS;
    let files = input::find::find(&args.files, |failure| exit = failure.report())?;
    let [rows, plot, report_file] = outputs(args, &files)?;
    let mut good = Vec::new();
    for result in measure_all(args, &files) {
        match result {
            Ok(recording) => good.push(recording),
            Err(failure) => exit = failure.report(),
        }
    }
    if good.is_empty() {
        return Ok(exit);
    }
    if let Some(file) = rows {
        let chains = good.iter().filter_map(|one| one.trace.as_ref());
        let chains = chains.flat_map(|trace| &trace.chains);
        let is_wanted = |chain: &&SwapChain| args.part.chain.as_ref().is_none_or(|name| chain.name.has_name(name));
        file.write(analysis::rows(chains.filter(is_wanted)).as_bytes())?;
    }
    if let (Some(file), [recording]) = (plot, &good[..]) {
        file.write(analysis::plot(recording).unwrap_or_default().as_bytes())?;
    }
    if let Some(file) = report_file {
        let mut progress = Progress::default();
        progress.show("drawing the charts");
        file.write(analysis::page(&good).html().as_bytes())?;
    }
    if args.runs {
        output::print(&Runs::new(good).text())?;
        return Ok(exit);
    }
    let files: Vec<Analysis> = good.into_iter().map(|recording| recording.analysis).collect();
    output::print(&if args.json {
        output::json(&Analyses { files })?
    } else if files.len() > MAX_FILES_IN_FULL {
        analysis::summary(&files, if args.all { usize::MAX } else { MAX_LINES })
    } else {
        analysis::text(&files)
    })?;
    Ok(exit)
}

/// Measures recordings on all cores: each takes the next one.
fn measure_all(args: &Arguments, files: &[PathBuf]) -> Vec<Result<Recording, Failure>> {
    let results: Vec<OnceLock<_>> = files.iter().map(|_| OnceLock::new()).collect();
    let next = Mutex::new(files.iter().zip(&results));
    let take = || next.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while let Some((file, result)) = take() {
            let _ = result.set(args.part.measure(file, args.keeps_frames()));
        }
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| (0..cores.min(files.len())).for_each(|_| drop(scope.spawn(work))));
    results.into_iter().filter_map(OnceLock::into_inner).collect()
}

/// The files to write: the rows, the plot and the report.
fn outputs(args: &Arguments, files: &[PathBuf]) -> Result<[Option<OutputFile>; 3], Failure> {
    for (option, output) in [("--rows", &args.rows), ("--plot", &args.plot)] {
        if output.is_some() && files.len() != 1 {
            let count = files.len();
            return Err(Failure::Usage(format!(
                "{option}: is for one trace, and there are {count}; give them one by one"
            )));
        }
    }
    let mut known = Files::default();
    known.read("FILE", files);
    Ok([
        known.output("--rows", args.rows.as_deref())?,
        known.output("--plot", args.plot.as_deref())?,
        known.output("--report", args.report.as_deref())?,
    ])
}
