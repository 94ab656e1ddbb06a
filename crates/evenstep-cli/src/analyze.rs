//! `evenstep analyze`: what players recorded, measured.

use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use evenstep_trace::{Analysis, Chain, ChainAnalysis, ChainName, Measured, Trace};
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use serde::Serialize;

use crate::cli::{self, AnalyzeArgs};
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
    let mut exit = ExitCode::SUCCESS;
    let files = expand(&args.files, |failure| exit = failure.report())?;
    let (rows, report_file) = outputs(args, &files)?;
    let read: Vec<Result<Read, Failure>> = match rows {
        Some(rows) => vec![measure_and_write(args, &files[0], rows)],
        None => files.par_iter().map(|file| measure(args, file, |_, _| ())).collect(),
    };
    let mut good = Vec::new();
    for result in read {
        match result {
            Ok(read) => good.push(read),
            Err(failure) => exit = failure.report(),
        }
    }
    if good.is_empty() {
        return Ok(exit);
    }
    if let Some(file) = report_file {
        let report = report(&good);
        file.write(|output| output.write_all(report.html().as_bytes()))?;
    }
    let files = good.into_iter().map(|read| read.analysis).collect();
    let analyses = Analyses { files };
    output::say(&if args.json {
        output::json(&analyses)?
    } else {
        text(&analyses)
    })?;
    Ok(exit)
}

/// Patterns as the files that they match; a shell may have done so already. Folders that cannot be looked into are told.
fn expand(given: &[PathBuf], mut tell: impl FnMut(Failure)) -> Result<Vec<PathBuf>, Failure> {
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
        let before = files.len();
        for found in matches {
            match found {
                Ok(path) if path.is_file() => files.push(path),
                Ok(_) => {}
                Err(error) => {
                    let (folder, kind) = (error.path().display(), error.error().kind());
                    tell(Failure::Run(format!(
                        "{folder}: cannot be searched for {pattern}: {kind}; give its files by name"
                    )));
                }
            }
        }
        if files.len() == before {
            return Err(wrong("no file matches; give a pattern that does".to_owned()));
        }
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

/// A trace that was read: what there is to say of it and, for a report, its frames.
struct Read {
    analysis: Analysis,
    trace: Option<Trace>,
}

/// Measures a trace while it is read, once: it may be a pipe.
fn measure(args: &AnalyzeArgs, file: &Path, each: impl FnMut(&ChainName, &Measured)) -> Result<Read, Failure> {
    let (input, name, rows) = (
        progress::open(file)?,
        file.display().to_string(),
        cli::rows(args.lenient),
    );
    let (analysis, trace) = if args.report.is_some() {
        let (analysis, trace) = Analysis::read_with_trace(input, &name, rows, each)?;
        (analysis, Some(trace))
    } else {
        (Analysis::read(input, &name, rows, each)?, None)
    };
    let analysis = match &args.chain {
        Some(chain) => analysis.only(chain)?,
        None => analysis,
    };
    Ok(Read { analysis, trace })
}

/// Measures a trace, and writes its rows as they come.
fn measure_and_write(args: &AnalyzeArgs, file: &Path, rows: OutputFile) -> Result<Read, Failure> {
    let mut measured = None;
    let written = rows.write(|output| {
        let mut writer = RowWriter::new(output)?;
        let mut failed = None;
        let result = measure(args, file, |name, row| {
            let is_wanted = args.chain.as_ref().is_none_or(|chain| name.is_called(chain));
            if is_wanted && failed.is_none() {
                failed = writer.write(name, row).err();
            }
        });
        let is_good = result.is_ok();
        measured = Some(result);
        match failed {
            Some(error) => Err(error),
            None if is_good => writer.output.flush(),
            // Nothing is written of a trace that cannot be read.
            None => Err(std::io::ErrorKind::InvalidData.into()),
        }
    });
    match measured {
        Some(Ok(read)) => written.map(|()| read),
        Some(failed) => failed,
        None => Err(written
            .err()
            .unwrap_or_else(|| Failure::Run("nothing was written".to_owned()))),
    }
}

/// Writes measured rows.
struct RowWriter<W: Write> {
    output: csv::Writer<W>,
}

impl<W: Write> RowWriter<W> {
    fn new(output: W) -> std::io::Result<Self> {
        let mut output = csv::Writer::from_writer(output);
        output.write_record([
            "process",
            "pid",
            "swap_chain",
            "row",
            "MsBetweenPresents",
            "MsBetweenDisplayChange",
            "MsAnimationError",
        ])?;
        Ok(Self { output })
    }

    fn write(&mut self, name: &ChainName, row: &Measured) -> std::io::Result<()> {
        let number = |value: Option<f64>| value.map_or_else(|| "NA".to_owned(), |value| format!("{value:.4}"));
        self.output.write_record([
            &name.application,
            &name.process,
            &name.swap_chain,
            &row.row.to_string(),
            &number(row.between_presents),
            &number(row.between_display_change),
            &number(row.animation_error),
        ])?;
        Ok(())
    }
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
    let plural = if hitches == 1 { "" } else { "es" };
    facts.push(("stutter", format!("{share:.2} % of the time, {hitches} hitch{plural}")));
    for found in &chain.diagnosis {
        facts.push(("diagnosis", format!("{}: {}", found.kind, found.evidence)));
        facts.push(("", found.cure.to_owned()));
    }
    facts
}

/// A page with a section for each chain of each file.
fn report(read: &[Read]) -> Document {
    let mut page = Document::new("Recorded frame times");
    for Read { analysis, trace } in read {
        for told in &analysis.chains {
            page.heading(&format!("{}: {}", analysis.file, name(told)));
            page.table(&facts(told));
            let mut chains = trace.iter().flat_map(|trace| &trace.chains);
            if let Some(chain) = chains.find(|chain| chain.name == told.name()) {
                report_chain(&mut page, chain);
            }
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
