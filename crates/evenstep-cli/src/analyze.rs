//! `evenstep analyze`: what players recorded, measured.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use evenstep_trace::{Analysis, Chain, ChainAnalysis, Measured, Rows, Trace};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use serde::Serialize;

use crate::cli::AnalyzeArgs;
use crate::failure::Failure;
use crate::output::{self, file::OutputFile};

/// What `--json` prints. The crate's README describes it.
#[derive(Serialize)]
struct Analyses {
    files: Vec<Analysis>,
}

/// Measures all traces; one that cannot be read does not stop the others.
pub(crate) fn analyze(args: &AnalyzeArgs) -> Result<ExitCode, Failure> {
    let files = expand(&args.files)?;
    let rows_file = rows_file(args, &files)?;
    let read: Vec<Result<(Trace, Analysis), Failure>> = files.par_iter().map(|file| measure(args, file)).collect();
    let mut analysis = Analyses { files: Vec::new() };
    let mut exit = ExitCode::SUCCESS;
    let mut only = None;
    for result in read {
        match result {
            Ok((trace, file)) => {
                analysis.files.push(file);
                only = Some(trace);
            }
            Err(failure) => exit = failure.report(),
        }
    }
    if let (Some(file), Some(trace)) = (rows_file, only) {
        file.write(|output| write_rows(output, &chains(args, &trace)))?;
    }
    if !analysis.files.is_empty() {
        output::say(&if args.json { json(&analysis)? } else { text(&analysis) })?;
    }
    Ok(exit)
}

/// Patterns as the files that they match; a shell may have done so already.
fn expand(given: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in given {
        let pattern = path
            .to_str()
            .filter(|text| !path.exists() && text.contains(['*', '?', '[']));
        let Some(pattern) = pattern else {
            files.push(path.clone());
            continue;
        };
        let wrong = |reason: String| Failure::Usage(format!("{pattern}: {reason}"));
        let matches = glob::glob(pattern).map_err(|error| wrong(error.to_string()))?;
        let matches: Vec<PathBuf> = matches.filter_map(Result::ok).filter(|path| path.is_file()).collect();
        if matches.is_empty() {
            return Err(wrong("no file matches; give a pattern that does".to_owned()));
        }
        files.extend(matches);
    }
    Ok(files)
}

fn rows_file(args: &AnalyzeArgs, files: &[PathBuf]) -> Result<Option<OutputFile>, Failure> {
    let Some(path) = &args.rows else { return Ok(None) };
    let [trace] = files else {
        let reason = format!(
            "--rows: is for one trace, and there are {}; give them one by one",
            files.len()
        );
        return Err(Failure::Usage(reason));
    };
    let file = OutputFile::check("--rows", path)?;
    file.must_not_be("FILE", trace)?;
    Ok(Some(file))
}

fn measure(args: &AnalyzeArgs, file: &Path) -> Result<(Trace, Analysis), Failure> {
    let rows = if args.lenient { Rows::Readable } else { Rows::All };
    let trace = Trace::read(file, rows)?;
    let analysis = trace.analyze(args.chain.as_deref())?;
    Ok((trace, analysis))
}

/// Those that were asked for.
fn chains<'a>(args: &AnalyzeArgs, trace: &'a Trace) -> Vec<&'a Chain> {
    match &args.chain {
        Some(name) => trace.chain(name).into_iter().collect(),
        None => trace.chains.iter().collect(),
    }
}

/// All presents in the order of the file's rows.
fn write_rows(output: &mut dyn Write, chains: &[&Chain]) -> std::io::Result<()> {
    let mut rows: Vec<(&Chain, Measured)> = Vec::new();
    for chain in chains {
        rows.extend(chain.measure().into_iter().map(|measured| (*chain, measured)));
    }
    rows.sort_by_key(|(_, measured)| measured.row);
    let mut writer = csv::Writer::from_writer(output);
    writer.write_record([
        "process",
        "pid",
        "swap_chain",
        "row",
        "MsBetweenPresents",
        "MsBetweenDisplayChange",
        "MsAnimationError",
    ])?;
    let number = |value: Option<f64>| value.map_or_else(|| "NA".to_owned(), |value| format!("{value:.4}"));
    for (chain, measured) in rows {
        writer.write_record([
            &chain.application,
            &chain.process,
            &chain.swap_chain,
            &measured.row.to_string(),
            &number(measured.between_presents),
            &number(measured.between_display_change),
            &number(measured.animation_error),
        ])?;
    }
    writer.flush()
}

fn json(analysis: &Analyses) -> Result<String, Failure> {
    let json = serde_json::to_string_pretty(analysis).map_err(|error| Failure::Run(error.to_string()))?;
    Ok(json + "\n")
}

fn text(analysis: &Analyses) -> String {
    let mut text = String::new();
    for file in &analysis.files {
        let _ = writeln!(text, "{} ({})", file.file, file.format);
        for warning in &file.warnings {
            let _ = writeln!(text, "  warning: {warning}");
        }
        for chain in &file.chains {
            tell_chain(&mut text, chain);
        }
    }
    text
}

fn tell_chain(text: &mut String, chain: &ChainAnalysis) {
    let ChainAnalysis {
        process,
        pid,
        swap_chain,
        metrics,
        diagnosis,
    } = chain;
    let name = if process.is_empty() { "frames" } else { process };
    let _ = writeln!(text, "  {name} {pid} {swap_chain}");
    let times = metrics.frame_time_ms;
    let mut tell = |name: &str, what: String| {
        let _ = writeln!(text, "    {name:17}{what}");
    };
    tell("frames", format!("{} in {:.2} s", metrics.frames, metrics.seconds));
    tell(
        "rate",
        format!(
            "{:.1} fps; slowest 1 % {:.1}, slowest 0.1 % {:.1}",
            metrics.fps_average, metrics.fps_low_1pct, metrics.fps_low_01pct
        ),
    );
    tell(
        "frame time",
        format!(
            "median {:.2} ms, 99 % at most {:.2}, longest {:.2}",
            times.median, times.p99, times.max
        ),
    );
    if let (Some(displayed), Some(not)) = (metrics.displayed, metrics.not_displayed) {
        tell(
            "display",
            format!("{displayed} shown, {not} never, {} generated", metrics.generated),
        );
    }
    if let Some(error) = metrics.animation_error_ms {
        let (rms, p99, max) = (error.rms, error.p99_abs, error.max_abs);
        tell(
            "animation error",
            format!("rms {rms:.2} ms, 99 % at most {p99:.2}, largest {max:.2}"),
        );
    }
    tell(
        "stutter",
        format!(
            "{:.2} % of the time, {} hitches",
            metrics.stutter_time_pct,
            metrics.hitches.len()
        ),
    );
    for found in diagnosis {
        tell("diagnosis", format!("{}: {}", found.kind, found.evidence));
        tell("", found.cure.to_owned());
    }
}
