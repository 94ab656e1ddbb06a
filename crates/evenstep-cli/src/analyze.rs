//! `evenstep analyze`: what players recorded, measured.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use evenstep_trace::{Analysis, Chain, ChainAnalysis, Measured, Rows, Trace, TraceError};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use serde::Serialize;

use crate::cli::AnalyzeArgs;
use crate::failure::Failure;
use crate::output::charts::{Axis, Chart, Line, Role, Style};
use crate::output::document::Document;
use crate::output::{self, file::OutputFile, progress};

/// What `--json` prints. The crate's README describes it.
#[derive(Serialize)]
struct Analyses {
    files: Vec<Analysis>,
}

/// Measures all traces; one that cannot be read does not stop the others.
pub(crate) fn analyze(args: &AnalyzeArgs) -> Result<ExitCode, Failure> {
    let files = expand(&args.files)?;
    let (rows, report_file) = outputs(args, &files)?;
    let read: Vec<Result<(Trace, Analysis), Failure>> = files.par_iter().map(|file| measure(args, file)).collect();
    let mut exit = ExitCode::SUCCESS;
    let mut good = Vec::new();
    for result in read {
        match result {
            Ok(read) => good.push(read),
            Err(failure) => exit = failure.report(),
        }
    }
    let Some((trace, _)) = good.first() else {
        return Ok(exit);
    };
    if let Some(file) = rows {
        file.write(|output| write_rows(output, &chains(args, trace)))?;
    }
    if let Some(file) = report_file {
        file.write(|output| output.write_all(report(&good, args).html().as_bytes()))?;
    }
    let analyses = Analyses {
        files: good.into_iter().map(|(_, analysis)| analysis).collect(),
    };
    output::say(&if args.json { json(&analyses)? } else { text(&analyses) })?;
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

/// The files to write, which are neither each other nor a trace to be read.
fn outputs(args: &AnalyzeArgs, files: &[PathBuf]) -> Result<(Option<OutputFile>, Option<OutputFile>), Failure> {
    if args.rows.is_some() && files.len() != 1 {
        let reason = format!(
            "--rows: is for one trace, and there are {}; give them one by one",
            files.len()
        );
        return Err(Failure::Usage(reason));
    }
    let check = |option, path: &Option<PathBuf>| -> Result<Option<OutputFile>, Failure> {
        let Some(path) = path else { return Ok(None) };
        let file = OutputFile::check(option, path)?;
        files.iter().try_for_each(|trace| file.must_not_be("FILE", trace))?;
        Ok(Some(file))
    };
    let (rows, report) = (check("--rows", &args.rows)?, check("--report", &args.report)?);
    if let (Some(report), Some(path)) = (&report, &args.rows) {
        report.must_not_be("--rows", path)?;
    }
    Ok((rows, report))
}

fn measure(args: &AnalyzeArgs, file: &Path) -> Result<(Trace, Analysis), Failure> {
    let rows = if args.lenient { Rows::Readable } else { Rows::All };
    let name = file.display().to_string();
    let trace = match progress::open(file) {
        Ok(input) => Trace::parse(input, &name, rows)?,
        Err(source) => return Err(TraceError::Unreadable { file: name, source }.into()),
    };
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
    let _ = writeln!(text, "  {}", name(chain));
    for (name, what) in facts(chain) {
        let _ = writeln!(text, "    {name:17}{what}");
    }
}

fn name(chain: &ChainAnalysis) -> String {
    let process = if chain.process.is_empty() {
        "frames"
    } else {
        &chain.process
    };
    format!("{process} {} {}", chain.pid, chain.swap_chain)
        .trim_end()
        .to_owned()
}

/// What there is to say of a chain, the most general first.
fn facts(chain: &ChainAnalysis) -> Vec<(&'static str, String)> {
    let metrics = &chain.metrics;
    let times = metrics.frame_time_ms;
    let mut facts = vec![
        ("frames", format!("{} in {:.2} s", metrics.frames, metrics.seconds)),
        (
            "rate",
            format!(
                "{:.1} fps; slowest 1 % {:.1}, slowest 0.1 % {:.1}",
                metrics.fps_average, metrics.fps_low_1pct, metrics.fps_low_01pct
            ),
        ),
        (
            "frame time",
            format!(
                "median {:.2} ms, 99 % at most {:.2}, longest {:.2}",
                times.median, times.p99, times.max
            ),
        ),
    ];
    if let (Some(displayed), Some(not)) = (metrics.displayed, metrics.not_displayed) {
        let generated = metrics.generated;
        facts.push((
            "display",
            format!("{displayed} shown, {not} never, {generated} generated"),
        ));
    }
    if let Some(error) = metrics.animation_error_ms {
        let (rms, p99, max) = (error.rms, error.p99_abs, error.max_abs);
        facts.push((
            "animation error",
            format!("rms {rms:.2} ms, 99 % at most {p99:.2}, largest {max:.2}"),
        ));
    }
    let (share, hitches) = (metrics.stutter_time_pct, metrics.hitches.len());
    facts.push(("stutter", format!("{share:.2} % of the time, {hitches} hitches")));
    for found in &chain.diagnosis {
        facts.push(("diagnosis", format!("{}: {}", found.kind, found.evidence)));
        facts.push(("", found.cure.to_owned()));
    }
    facts
}

/// A page with a section for each chain of each file.
fn report(read: &[(Trace, Analysis)], args: &AnalyzeArgs) -> Document {
    let mut page = Document::new("Recorded frame times");
    for (trace, analysis) in read {
        for (chain, told) in chains(args, trace).into_iter().zip(&analysis.chains) {
            page.heading(&format!("{}: {}", analysis.file, name(told)));
            page.table(&facts(told));
            report_chain(&mut page, chain);
        }
    }
    page
}

fn report_chain(page: &mut Document, chain: &Chain) {
    let chart = |y, role, style, axis, points| {
        let lines = vec![Line { role, points, style }];
        Chart { y, lines, axis }.svg()
    };
    let mut elapsed = 0.0;
    let times = chain.deltas.iter().map(|delta| {
        elapsed += delta.as_secs_f64();
        (elapsed, delta.as_secs_f64() * 1e3)
    });
    let svg = chart(
        "frame time in ms",
        Role::Raw,
        Style::Stepped,
        Axis::FromZero,
        times.collect(),
    );
    page.figure("Frame time", "What the program's own loop would have read.", svg);
    let first = chain.presents.first().map_or(0.0, |present| present.presented);
    let measured = chain.measure();
    let over_time = |value: fn(&Measured) -> Option<f64>| {
        let pairs = chain.presents.iter().zip(&measured);
        let points = pairs.filter_map(|(present, one)| Some(((present.displayed? - first) / 1e3, value(one)?)));
        points.collect::<Vec<_>>()
    };
    let intervals = over_time(|one| one.between_display_change);
    let svg = chart("interval in ms", Role::Smoothed, Style::Dots, Axis::FromZero, intervals);
    page.figure(
        "Time between changes of the display",
        "How long each picture was to be seen.",
        svg,
    );
    let errors = over_time(|one| one.animation_error);
    let svg = chart("animation error in ms", Role::Lost, Style::Dots, Axis::Values, errors);
    let text = "By how much the time that a picture shows moved on more than the time at which it was shown.";
    page.figure("Animation error", text, svg);
}
