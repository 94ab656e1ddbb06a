//! The terminal screen of a growing recording.

use evenstep_trace::live::{CurrentAnalysis, RECENT_FRAMES};
use evenstep_trace::{Diagnosis, Metrics, SwapChain, SwapChainAnalysis, TraceError};

use crate::failure::printable;
use crate::output::analysis;

#[cfg(test)]
mod tests;

/// The codes of the lab's colours for a terminal: raw times, lost time, smoothed times.
const RAW: &str = "\x1b[38;2;251;146;60m";
const LOST: &str = "\x1b[38;2;251;113;133m";
const SMOOTHED: &str = "\x1b[38;2;125;171;255m";
const QUIET: &str = "\x1b[38;2;139;144;154m";

/// Frames longer than this many medians have the colour of lost time.
const LONG: f64 = 2.5;

/// The graph ends at this many medians; a longer frame is cut off.
const HIGHEST: f64 = 4.0;

/// The number of columns left of the graph.
const AXIS: usize = 9;

/// The most rows about the diagnosis and warnings.
const MAX_ROWS: usize = 8;

/// The state of the file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Missing,
    Growing,
    Held,
}

/// The view of `watch`.
pub(crate) struct Screen {
    file: String,
    pub(crate) state: State,
    shown: Result<CurrentAnalysis, String>,
    chain: usize,
}

impl Screen {
    pub(crate) fn new(file: &str) -> Self {
        Self {
            file: file.to_owned(),
            state: State::Missing,
            shown: Err(String::new()),
            chain: 0,
        }
    }

    pub(crate) fn show(&mut self, current: Result<CurrentAnalysis, TraceError>) {
        self.shown = current.map_err(|error| match error {
            TraceError::Empty { .. } | TraceError::NoFrames { .. } => String::new(),
            error => error.to_string(),
        });
    }

    pub(crate) fn next_chain(&mut self) {
        self.chain += 1;
    }

    /// The rows of a terminal of this size, with codes for colours.
    pub(crate) fn rows(&self, [width, height]: [usize; 2]) -> Vec<String> {
        let Some(keys) = height.checked_sub(1) else {
            return Vec::new();
        };
        let mut rows = vec![self.title()];
        rows.extend(match (&self.shown, self.state) {
            (Ok(current), _) => chain_rows(current, self.chain, [width, keys.saturating_sub(1)]),
            (Err(_), State::Missing) => vec!["The file does not exist yet.".to_owned()],
            (Err(problem), _) if problem.is_empty() => vec!["There is no frame in it yet.".to_owned()],
            (Err(problem), _) => wrapped(&printable(problem), width),
        });
        rows.resize(keys, String::new());
        let chains = self.shown.as_ref().map_or(0, |current| current.recent.len());
        let next = if chains > 1 { "   tab next chain" } else { "" };
        rows.push(painted(QUIET, &format!(" q quit   space hold{next}")));
        rows
    }

    fn title(&self) -> String {
        let format = self.shown.as_ref().map_or("", |current| &current.analysis.format);
        let state = match self.state {
            State::Missing => painted(LOST, "missing"),
            State::Growing => painted(SMOOTHED, "live"),
            State::Held => painted(LOST, "held"),
        };
        format!(
            " {state}  {}  {}",
            painted("\x1b[1m", &self.file),
            painted(QUIET, format)
        )
    }
}

/// Text in a colour, without control characters of its own.
fn painted(color: &str, text: &str) -> String {
    let text = printable(text).replace('\n', "\\n");
    format!("{color}{text}\x1b[0m")
}

/// Text in rows that end between words.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut rows: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match rows.last_mut() {
            Some(row) if row.chars().count() + 1 + word.chars().count() <= width => *row += &format!(" {word}"),
            _ => rows.push(word.to_owned()),
        }
    }
    rows
}

/// The rows about a chain: its graph gets the room that the others leave.
fn chain_rows(current: &CurrentAnalysis, chain: usize, [width, height]: [usize; 2]) -> Vec<String> {
    let of = current.recent.len();
    let chain = chain % of.max(1);
    let (Some(whole), Some(recent)) = (current.analysis.chains.get(chain), current.recent.get(chain)) else {
        return Vec::new();
    };
    let place = match of {
        1 => String::new(),
        _ => format!(" ({} of {of})", chain + 1),
    };
    let columns = width.saturating_sub(AXIS);
    let each = match group(columns) {
        1 => "a bar for each".to_owned(),
        group => format!("each bar the longest of {group}"),
    };
    let heading = format!(" {}{place}   frame times in ms, {each}", analysis::name(whole));
    let newest = recent.analysis();
    let figures = figures(&whole.metrics, &newest.metrics);
    let lines = diagnosis_lines(current, whole, &newest.diagnosis, width.saturating_sub(2));
    let left = height.saturating_sub(1 + figures.len() + 1 + lines.len());
    let graph = graph(recent, &newest.metrics, whole.metrics.frames, [columns, left]);
    let parts = [
        vec![painted(QUIET, &heading)],
        graph,
        figures,
        vec![String::new()],
        lines,
    ];
    parts.into_iter().flatten().collect()
}

/// The number of frames that share a bar, chosen so that the newest frames fill the graph.
fn group(columns: usize) -> usize {
    (RECENT_FRAMES / columns.max(1)).max(1)
}

/// Rows with a bar for each group of the newest frames: its longest frame. A group keeps its frames as the graph moves on.
fn graph(recent: &SwapChain, metrics: &Metrics, frames: usize, [columns, height]: [usize; 2]) -> Vec<String> {
    let group = group(columns);
    let oldest = frames - recent.deltas.len();
    let last = frames.saturating_sub(1) / group;
    let first = (last + 1).saturating_sub(columns);
    let mut bars = vec![0.0_f64; last + 1 - first];
    for (number, delta) in (oldest..).zip(&recent.deltas) {
        if let Some(bar) = (number / group)
            .checked_sub(first)
            .and_then(|column| bars.get_mut(column))
        {
            *bar = bar.max(delta.as_secs_f64() * 1e3);
        }
    }
    let median = metrics.frame_time_ms.median;
    let longest = bars.iter().copied().fold(0.0, f64::max);
    let top = longest.clamp(1.5 * median, HIGHEST * median).max(f64::MIN_POSITIVE);
    let median_row = (((1.0 - median / top) * height as f64) as usize).clamp(1, height.saturating_sub(1).max(1));
    let row = |row: usize| {
        let mut text = match row {
            0 => painted(QUIET, &format!("{top:7.2}  ")),
            _ if row == median_row => painted(QUIET, &format!("{median:7.2}  ")),
            _ => format!("{:AXIS$}", ""),
        };
        let mut color = "";
        for bar in &bars {
            let eighths = (bar / top * 8.0 * height as f64) as usize;
            let block = BLOCKS[eighths.saturating_sub(8 * (height - 1 - row)).min(8)];
            let wanted = if *bar > LONG * median { LOST } else { RAW };
            if block != ' ' && color != wanted {
                color = wanted;
                text += color;
            }
            text.push(block);
        }
        text
    };
    (0..height).map(row).collect()
}

/// Cells that are filled from below, by eighths.
const BLOCKS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// The metrics of the whole recording beside the metrics of its newest frames.
fn figures(whole: &Metrics, recent: &Metrics) -> Vec<String> {
    let newest = format!("newest {} frames", recent.frames);
    let heading = format!(" {:18}{:>22}{newest:>22}", "", "whole recording");
    let mut rows = vec![painted(QUIET, &heading)];
    let mut row = |name: &str, value: &dyn Fn(&Metrics) -> Option<String>| {
        if let Some(one) = value(whole) {
            let other = value(recent).unwrap_or_default();
            rows.push(format!(" {name:18}{one:>22}{other:>22}"));
        }
    };
    let ms = |time: f64| format!("{time:.2} ms");
    row("frames", &|one| Some(format!("{} in {:.1} s", one.frames, one.seconds)));
    row("rate", &|one| Some(format!("{:.1} fps", one.fps_average)));
    row("slowest 1 %", &|one| Some(format!("{:.1} fps", one.fps_low_1pct)));
    row("median", &|one| Some(ms(one.frame_time_ms.median)));
    row("95 % at most", &|one| Some(ms(one.frame_time_ms.p95)));
    row("99 % at most", &|one| Some(ms(one.frame_time_ms.p99)));
    row("longest", &|one| Some(ms(one.frame_time_ms.max)));
    row("animation error", &|one| {
        Some(format!("rms {}", ms(one.animation_error_ms?.rms)))
    });
    row("stutter", &|one| {
        Some(format!("{:.2} % of the time", one.stutter_time_pct))
    });
    row("hitches", &|one| Some(one.hitches.len().to_string()));
    rows
}

/// Lines about the recording and its newest frames.
fn diagnosis_lines(
    current: &CurrentAnalysis,
    whole: &SwapChainAnalysis,
    recent: &[Diagnosis],
    width: usize,
) -> Vec<String> {
    let mut texts = Vec::new();
    for found in &whole.diagnosis {
        texts.push((SMOOTHED, format!("{}: {}", found.kind, found.evidence)));
        texts.push(("", found.cure.to_owned()));
    }
    let kinds: Vec<String> = recent.iter().map(|found| found.kind.to_string()).collect();
    texts.push((QUIET, format!("newest frames: {}", kinds.join(", "))));
    let warnings = current.analysis.warnings.iter();
    texts.extend(warnings.map(|warning| (LOST, format!("warning: {warning}"))));
    let skipped = current.last_skipped.iter();
    texts.extend(skipped.map(|problem| (LOST, format!("the last: {problem}"))));
    let rows = texts.into_iter().flat_map(|(color, text)| {
        let rows = wrapped(&text, width).into_iter();
        rows.map(move |row| painted(color, &format!(" {row}")))
    });
    rows.take(MAX_ROWS).collect()
}
