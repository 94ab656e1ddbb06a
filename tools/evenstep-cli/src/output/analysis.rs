//! Analyses of recordings as text, as a page, and row by row.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use evenstep_trace::measure::{HitchOf, MissingMetric};
use evenstep_trace::{
    Analysis, Metrics, PresentMetrics, StutterKind, SwapChain, SwapChainAnalysis, SwapChainName, Trace,
};

use crate::output::charts::{Axis, Chart, LOST, RAW, REAL_TIME, SMOOTHED, Style};
use crate::output::html::Document;

/// The analysis of a recording and, for a page, its frames.
pub(crate) struct Recording {
    pub(crate) analysis: Analysis,
    pub(crate) trace: Option<Trace>,
}

impl Recording {
    /// The analysis of the main chain.
    pub(crate) fn main(&self) -> &SwapChainAnalysis {
        &self.analysis.chains[0]
    }

    /// The frames of a chain, if they were kept.
    pub(crate) fn frames(&self, of: &SwapChainAnalysis) -> Option<&SwapChain> {
        let mut chains = self.trace.iter().flat_map(|trace| &trace.chains);
        chains.find(|chain| chain.name == of.name)
    }
}

/// The metrics of all presents as CSV, in the order of the recording's rows.
pub(crate) fn rows<'c>(chains: impl Iterator<Item = &'c SwapChain>) -> String {
    let measured = chains.flat_map(|chain| chain.measure().into_iter().map(move |row| (&chain.name, row)));
    let mut rows: Vec<(&SwapChainName, PresentMetrics)> = measured.collect();
    rows.sort_unstable_by_key(|(_, row)| row.row);
    let mut text = "process,pid,swap_chain,row,MsBetweenPresents,MsBetweenDisplayChange,MsAnimationError\n".to_owned();
    for (name, row) in rows {
        let [program, process, chain] = [&name.application, &name.process, &name.swap_chain].map(|name| quoted(name));
        let _ = write!(text, "{program},{process},{chain},{}", row.row);
        for value in [row.between_presents, row.between_display_change, row.animation_error] {
            let _ = match value {
                Some(value) => write!(text, ",{value:.4}"),
                None => write!(text, ",NA"),
            };
        }
        text.push('\n');
    }
    text
}

/// Text as a field of CSV.
pub(crate) fn quoted(text: &str) -> Cow<'_, str> {
    match text.contains([',', '"', ';', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")).into(),
        false => text.into(),
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
            let _ = writeln!(text, "  {}", name(chain));
            for (name, what) in facts(chain) {
                let _ = writeln!(text, "    {name:17}{what}");
            }
        }
    }
    text
}

/// The chain's program, process and swap chain, as far as the file names them.
pub(crate) fn name(chain: &SwapChainAnalysis) -> String {
    let name = &chain.name;
    let application = if name.application.is_empty() {
        "frames"
    } else {
        &name.application
    };
    format!("{application} {} {}", name.process, name.swap_chain)
        .trim_end()
        .to_owned()
}

/// The lines about a chain, the most general first.
fn facts(chain: &SwapChainAnalysis) -> Vec<(&'static str, String)> {
    let metrics = &chain.metrics;
    let times = metrics.frame_time_ms;
    let rates = |average: f64, low: f64, lowest: f64| {
        format!("{average:.1} fps; slowest 1 % {low:.1}, slowest 0.1 % {lowest:.1}")
    };
    let (median, p99, max) = (times.median, times.p99, times.max);
    let mut facts = vec![
        ("frames", format!("{} in {:.2} s", metrics.frames, metrics.seconds)),
        (
            "rate",
            rates(metrics.fps_average, metrics.fps_low_1pct, metrics.fps_low_01pct),
        ),
        (
            "frame time",
            format!("median {median:.2} ms, 99 % at most {p99:.2}, longest {max:.2}"),
        ),
    ];
    if let (Some(displayed), Some(not)) = (metrics.displayed, metrics.not_displayed) {
        let generated = metrics.generated;
        let by = match metrics.generated_by.as_slice() {
            [] => String::new(),
            names => format!(" by {}", names.join(", ")),
        };
        let display = format!("{displayed} displayed, {not} never displayed, {generated} generated{by}");
        facts.push(("display", display));
    }
    if let (Some(rate), Some(low), Some(lowest), Some(times)) = (
        metrics.displayed_fps_average,
        metrics.displayed_fps_low_1pct,
        metrics.displayed_fps_low_01pct,
        metrics.display_interval_ms,
    ) {
        let (rates, p99, max) = (rates(rate, low, lowest), times.p99, times.max);
        let displayed = format!("{rates}; 99 % of intervals at most {p99:.2} ms, longest {max:.2}");
        facts.push(("displayed rate", displayed));
    }
    let latencies = [
        ("until displayed", metrics.until_displayed_ms),
        ("PC latency", metrics.pc_latency_ms),
        ("click to photon", metrics.click_to_photon_ms),
    ];
    facts.extend(latencies.into_iter().filter_map(|(name, times)| {
        let times = times?;
        Some((
            name,
            format!("median {:.1} ms, 99 % at most {:.1}", times.median, times.p99),
        ))
    }));
    let bound = [
        ("the GPU", metrics.gpu_bound_pct),
        ("the program", metrics.cpu_bound_pct),
    ];
    let bound = bound
        .into_iter()
        .filter_map(|(name, share)| Some(format!("{name} {:.0} % of the time", share?)));
    let bound: Vec<String> = bound.collect();
    if !bound.is_empty() {
        facts.push(("bound by", bound.join(", ")));
    }
    if let Some(error) = metrics.animation_error_ms {
        let (rms, p99, max) = (error.rms, error.p99_abs, error.max_abs);
        let error = format!("rms {rms:.2} ms, 99 % at most {p99:.2}, largest {max:.2}");
        facts.push(("animation error", error));
    }
    let is_start_unknown =
        |missing: &&MissingMetric| missing.name == "animation_error_ms" && metrics.displayed.is_some();
    if let Some(missing) = metrics.absent.iter().find(is_start_unknown) {
        facts.push(("animation error", format!("unknown: {}", missing.reason)));
    }
    facts.push(("stutter", stutter(metrics)));
    facts.extend(chain.unevenness.as_ref().map(|account| ("uneven", account.to_string())));
    for found in &chain.diagnosis {
        facts.push(("diagnosis", format!("{}: {}", found.kind, found.evidence)));
        facts.push(("", found.cure.to_owned()));
    }
    facts
}

/// The share of time in long frames, and the first hitches.
fn stutter(metrics: &Metrics) -> String {
    let hitches = &metrics.hitches;
    let plural = if hitches.len() == 1 { "" } else { "es" };
    let first = hitches.iter().take(3).map(|hitch| {
        let of = if hitch.of == HitchOf::Display {
            " of the display"
        } else {
            ""
        };
        format!("{:.0} ms{of} at {:.2} s", hitch.ms, hitch.at_s)
    });
    let mut listed = first.collect::<Vec<_>>().join(", ");
    if hitches.len() > 3 {
        listed += ", …";
    }
    if !listed.is_empty() {
        listed = format!(" ({listed})");
    }
    format!(
        "{:.2} % of the time, {} hitch{plural}{listed}",
        metrics.stutter_time_pct,
        hitches.len()
    )
}

/// A line for the first chain of each recording, and for each kind of diagnosis with its recordings. Of more than `most` recordings, lines
/// only of those that need attention first: other than even, then with the most hitches.
pub(crate) fn summary(analyses: &[Analysis], most: usize) -> String {
    let mut rows: Vec<(&Analysis, &SwapChainAnalysis)> = analyses.iter().map(|one| (one, &one.chains[0])).collect();
    let mut kinds: BTreeMap<String, Vec<&Metrics>> = BTreeMap::new();
    for (_, chain) in &rows {
        let kind = chain.diagnosis[0].kind.to_string();
        kinds.entry(kind).or_default().push(&chain.metrics);
    }
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort_by_key(|(_, all)| std::cmp::Reverse(all.len()));
    if rows.len() > most {
        rows.sort_by_key(|(_, chain)| {
            let is_even = chain.diagnosis[0].kind == StutterKind::Even;
            (is_even, std::cmp::Reverse(chain.metrics.hitches.len()))
        });
    }
    let left_out = rows.len().saturating_sub(most);
    rows.truncate(most);
    let names: Vec<String> = rows.iter().map(|(one, _)| file_name(&one.file)).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).min(28);
    let mut text = format!(
        "{:width$} {:>6} {:>6} {:>6} {:>6} {:>7} {:>6} {:>7}  diagnosis\n",
        "", "frames", "s", "fps", "1 %", "99 % ms", "shown", "hitches"
    );
    for (name, (analysis, chain)) in names.iter().zip(rows) {
        let (metrics, diagnosis) = (&chain.metrics, &chain.diagnosis[0]);
        let shown = metrics
            .displayed_fps_average
            .map_or_else(|| "-".to_owned(), |rate| format!("{rate:.1}"));
        let verdict = format!("{}: {}", diagnosis.kind, diagnosis.evidence);
        let warnings = if analysis.warnings.is_empty() {
            ""
        } else {
            " (warnings)"
        };
        let _ = writeln!(
            text,
            "{:width$} {:>6} {:>6.1} {:>6.1} {:>6.1} {:>7.1} {shown:>6} {:>7}  {}{warnings}",
            shortened(name, width),
            metrics.frames,
            metrics.seconds,
            metrics.fps_average,
            metrics.fps_low_1pct,
            metrics.frame_time_ms.p99,
            metrics.hitches.len(),
            shortened(&verdict, 64),
        );
    }
    if left_out > 0 {
        let _ = writeln!(text, "{left_out} more have a line with --all");
    }
    let _ = writeln!(text, "{} recordings:", analyses.len());
    for (kind, all) in kinds {
        let range = |of: fn(&Metrics) -> f64| {
            let values = || all.iter().map(|metrics| of(metrics));
            let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
            match all.len() {
                1 => format!("{least:.1}"),
                _ => format!("{least:.1} to {most:.1}"),
            }
        };
        let hitches: usize = all.iter().map(|metrics| metrics.hitches.len()).sum();
        let _ = writeln!(
            text,
            "{:>4} {kind:25} {} fps, slowest 1 % {}, hitches {hitches}",
            all.len(),
            range(|metrics| metrics.fps_average),
            range(|metrics| metrics.fps_low_1pct),
        );
    }
    text
}

fn file_name(path: &str) -> String {
    let name = std::path::Path::new(path).file_name();
    name.map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned())
}

fn shortened(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// A page with a section for each chain of each recording.
pub(crate) fn page(recordings: &[Recording]) -> Document {
    let mut page = Document::new("Recorded frame times");
    for recording in recordings {
        for measured in &recording.analysis.chains {
            page.heading(&format!("{}: {}", recording.analysis.file, name(measured)));
            page.table(&facts(measured));
            if let Some(chain) = recording.frames(measured) {
                FRAME_TIMES.draw(&mut page, &[(RAW, chain)]);
                INTERVALS.draw(&mut page, &[(SMOOTHED, chain)]);
                ANIMATION_ERRORS.draw(&mut page, &[(LOST, chain)]);
            }
        }
    }
    page
}

/// The frame times of a recording's first chain, and how long each frame was displayed, as one SVG; `None` without frames.
pub(crate) fn plot(recording: &Recording) -> Option<String> {
    let chain = recording.frames(recording.main())?;
    let chart = Chart {
        y: "time in ms",
        ..INTERVALS.chart
    };
    let lines = [
        ("frame time of the program", (RAW, frame_times(chain))),
        ("time on the screen", (SMOOTHED, (INTERVALS.points)(chain))),
    ];
    chart.file(&lines)
}

/// A chart of recordings.
pub(crate) struct Figure {
    pub(crate) title: &'static str,
    pub(crate) text: &'static str,
    pub(crate) chart: Chart,
    pub(crate) points: fn(&SwapChain) -> Vec<(f64, f64)>,
}

impl Figure {
    /// Appends the figure to a page, with a line for each chain in its colour.
    pub(crate) fn draw(&self, page: &mut Document, chains: &[(&'static str, &SwapChain)]) {
        let lines = chains.iter().map(|(color, chain)| (*color, (self.points)(chain)));
        page.figure(self.title, self.text, self.chart.svg(&lines.collect::<Vec<_>>()));
    }
}

pub(crate) const FRAME_TIMES: Figure = Figure {
    title: "Frame time",
    text: "What the program's own loop would have read.",
    chart: Chart {
        x: REAL_TIME,
        y: "frame time in ms",
        style: Style::Stepped,
        axis: Axis::FromZero,
    },
    points: frame_times,
};

pub(crate) const INTERVALS: Figure = Figure {
    title: "Time between changes of the display",
    text: "How long each frame was displayed.",
    chart: Chart {
        x: REAL_TIME,
        y: "interval in ms",
        style: Style::Dots,
        axis: Axis::FromZero,
    },
    points: |chain| over_time(chain, |one| one.between_display_change),
};

const ANIMATION_ERRORS: Figure = Figure {
    title: "Animation error",
    text: "By how much the time that a frame shows advanced more than the time at which it was displayed.",
    chart: Chart {
        x: REAL_TIME,
        y: "animation error in ms",
        style: Style::Dots,
        axis: Axis::Values,
    },
    points: |chain| over_time(chain, |one| one.animation_error),
};

/// The frame times over the time since the start.
fn frame_times(chain: &SwapChain) -> Vec<(f64, f64)> {
    let mut elapsed = 0.0;
    let times = chain.deltas.iter().map(|delta| {
        elapsed += delta.as_secs_f64();
        (elapsed, delta.as_secs_f64() * 1e3)
    });
    times.collect()
}

fn over_time(chain: &SwapChain, value: fn(&PresentMetrics) -> Option<f64>) -> Vec<(f64, f64)> {
    let first = chain.presents.first().map_or(0.0, |present| present.presented);
    let measured = chain.measure();
    let measured = chain.presents.iter().zip(&measured);
    let points = measured.filter_map(|(present, one)| Some(((present.displayed? - first) / 1e3, value(one)?)));
    points.collect()
}
