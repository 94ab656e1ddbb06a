//! Analyses of recordings as text, as a page, and row by row.

use std::fmt::Write as _;
use std::io::Write;

use evenstep_trace::{Analysis, PresentMetrics, SwapChain, SwapChainAnalysis, SwapChainName, Trace};

use crate::output::charts::{Axis, Chart, Line, REAL_TIME, Role, Style};
use crate::output::html::Document;
use crate::output::io_error;

/// The analysis of a recording and, for a page, its frames.
pub(crate) struct Recording {
    pub(crate) analysis: Analysis,
    pub(crate) trace: Option<Trace>,
}

/// Writes measured rows.
pub(crate) struct RowWriter<W: Write> {
    output: csv::Writer<W>,
}

impl<W: Write> RowWriter<W> {
    pub(crate) fn new(output: W) -> std::io::Result<Self> {
        let mut output = csv::Writer::from_writer(output);
        let header = output.write_record([
            "process",
            "pid",
            "swap_chain",
            "row",
            "MsBetweenPresents",
            "MsBetweenDisplayChange",
            "MsAnimationError",
        ]);
        header.map_err(io_error)?;
        Ok(Self { output })
    }

    pub(crate) fn write(&mut self, name: &SwapChainName, row: &PresentMetrics) -> std::io::Result<()> {
        let number = |value: Option<f64>| value.map_or_else(|| "NA".to_owned(), |value| format!("{value:.4}"));
        let row = self.output.write_record([
            &name.application,
            &name.process,
            &name.swap_chain,
            &row.row.to_string(),
            &number(row.between_presents),
            &number(row.between_display_change),
            &number(row.animation_error),
        ]);
        row.map_err(io_error)
    }

    pub(crate) fn flush(&mut self) -> std::io::Result<()> {
        self.output.flush()
    }
}

/// The analyses as text.
pub(crate) fn text(analyses: &[Analysis]) -> String {
    let mut text = String::new();
    for file in analyses {
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

fn tell_chain(text: &mut String, chain: &SwapChainAnalysis) {
    let _ = writeln!(text, "  {}", name(chain));
    for (name, what) in facts(chain) {
        let _ = writeln!(text, "    {name:17}{what}");
    }
}

/// The chain's program, process and swap chain, as far as the file names them.
pub(crate) fn name(chain: &SwapChainAnalysis) -> String {
    let process = if chain.process.is_empty() {
        "frames"
    } else {
        &chain.process
    };
    format!("{process} {} {}", chain.pid, chain.swap_chain)
        .trim_end()
        .to_owned()
}

/// The lines about a chain, the most general first.
fn facts(chain: &SwapChainAnalysis) -> Vec<(&'static str, String)> {
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
            format!("{displayed} displayed, {not} never displayed, {generated} generated"),
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

/// A page with a section for each chain of each recording.
pub(crate) fn page(recordings: &[Recording]) -> Document {
    let mut page = Document::new("Recorded frame times");
    for Recording { analysis, trace } in recordings {
        for measured in &analysis.chains {
            page.heading(&format!("{}: {}", analysis.file, name(measured)));
            page.table(&facts(measured));
            let mut chains = trace.iter().flat_map(|trace| &trace.chains);
            if let Some(chain) = chains.find(|chain| chain.name == measured.name()) {
                draw_chain(&mut page, chain);
            }
        }
    }
    page
}

fn draw_chain(page: &mut Document, chain: &SwapChain) {
    let chart = |y, role, style, axis, points| {
        let lines = vec![Line { role, points, style }];
        Chart {
            x: REAL_TIME,
            y,
            lines,
            axis,
        }
        .svg()
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
    let over_time = |value: fn(&PresentMetrics) -> Option<f64>| {
        let pairs = chain.presents.iter().zip(&measured);
        let points = pairs.filter_map(|(present, one)| Some(((present.displayed? - first) / 1e3, value(one)?)));
        points.collect::<Vec<_>>()
    };
    let intervals = over_time(|one| one.between_display_change);
    let svg = chart("interval in ms", Role::Smoothed, Style::Dots, Axis::FromZero, intervals);
    page.figure(
        "Time between changes of the display",
        "How long each frame was displayed.",
        svg,
    );
    let errors = over_time(|one| one.animation_error);
    let svg = chart("animation error in ms", Role::Lost, Style::Dots, Axis::Values, errors);
    let text = "By how much the time that a frame shows advanced more than the time at which it was displayed.";
    page.figure("Animation error", text, svg);
}
