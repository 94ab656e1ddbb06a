//! The terminal screen of a growing recording.

use evenstep_trace::live::{RECENT_FRAMES, Snapshot};
use evenstep_trace::{Diagnosis, Metrics, SwapChain, SwapChainAnalysis, TraceError};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Margin, Rect};
use ratatui::style::{Color, Style, Stylize as _};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Paragraph, Sparkline, SparklineBar, Wrap};

use crate::output::analysis;

#[cfg(test)]
mod tests;

/// The colours of the lab: raw times, lost time, smoothed times.
const RAW: Color = Color::Rgb(0xfb, 0x92, 0x3c);
const LOST: Color = Color::Rgb(0xfb, 0x71, 0x85);
const SMOOTHED: Color = Color::Rgb(0x7d, 0xab, 0xff);
const QUIET: Color = Color::Rgb(0x8b, 0x90, 0x9a);

/// Frames longer than this many medians have the colour of lost time.
const LONG: f64 = 2.5;

/// The graph ends at this many medians; a longer frame is cut off.
const HIGHEST: f64 = 4.0;

/// The number of columns left of the graph.
const AXIS: u16 = 9;

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
    shown: Result<Snapshot, String>,
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

    pub(crate) fn show(&mut self, snapshot: Result<Snapshot, TraceError>) {
        self.shown = snapshot.map_err(|error| match error {
            TraceError::Empty { .. } | TraceError::NoFrames { .. } => String::new(),
            error => error.to_string(),
        });
    }

    pub(crate) fn next_chain(&mut self) {
        self.chain += 1;
    }

    pub(crate) fn draw(&self, frame: &mut Frame<'_>) {
        let [title, body, keys] =
            Layout::vertical([Constraint::Length(1), Constraint::Min(0), Constraint::Length(1)]).areas(frame.area());
        frame.render_widget(self.title(), title);
        match &self.shown {
            Ok(snapshot) => draw_chain(snapshot, self.chain, body, frame),
            Err(problem) => {
                let text = match (self.state, problem.as_str()) {
                    (State::Missing, _) => "The file does not exist yet.",
                    (_, "") => "There is no frame in it yet.",
                    (_, problem) => problem,
                };
                frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), body);
            }
        }
        let chains = self.shown.as_ref().map_or(0, |snapshot| snapshot.recent.len());
        let next = if chains > 1 { "   tab next chain" } else { "" };
        frame.render_widget(Line::from(format!(" q quit   space hold{next}")).fg(QUIET), keys);
    }

    fn title(&self) -> Line<'_> {
        let format = self.shown.as_ref().map_or("", |snapshot| &snapshot.analysis.format);
        let state = match self.state {
            State::Missing => "missing".fg(LOST),
            State::Growing => "live".fg(SMOOTHED),
            State::Held => "held".fg(LOST),
        };
        Line::from(vec![
            Span::from(" "),
            state.bold(),
            Span::from("  "),
            Span::from(&self.file).bold(),
            Span::from("  "),
            Span::from(format).fg(QUIET),
        ])
    }
}

fn draw_chain(snapshot: &Snapshot, chain: usize, area: Rect, frame: &mut Frame<'_>) {
    let chain = chain % snapshot.recent.len().max(1);
    let (Some(whole), Some(recent)) = (snapshot.analysis.chains.get(chain), snapshot.recent.get(chain)) else {
        return;
    };
    let figures = figures(&whole.metrics, &recent.metrics());
    let lines = figures.lines.len() as u16;
    let [name, graph, table, diagnosis] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Fill(1),
        Constraint::Length(lines + 1),
        Constraint::Max(8),
    ])
    .areas(area);
    let of = snapshot.recent.len();
    let place = if of > 1 {
        format!(" ({} of {of})", chain + 1)
    } else {
        String::new()
    };
    let group = group(graph.width.saturating_sub(AXIS));
    let each = if group > 1 {
        format!("each bar the longest of {group}")
    } else {
        "a bar for each".to_owned()
    };
    let heading = format!(" {}{place}   frame times in ms, {each}", analysis::name(whole));
    frame.render_widget(Line::from(heading).fg(QUIET), name);
    draw_graph(recent, whole.metrics.frames, graph, frame);
    frame.render_widget(Paragraph::new(figures), table);
    let diagnosis = diagnosis.inner(Margin::new(1, 0));
    let diagnosed = Paragraph::new(diagnosis_of(snapshot, whole, &recent.diagnose())).wrap(Wrap { trim: false });
    frame.render_widget(diagnosed, diagnosis);
}

/// The number of frames that share a bar, chosen so that the newest frames fill the graph.
fn group(columns: u16) -> usize {
    (RECENT_FRAMES / usize::from(columns).max(1)).max(1)
}

/// Draws a bar for each group of the newest frames: its longest frame. A group keeps its frames as the graph moves on.
fn draw_graph(recent: &SwapChain, frames: usize, area: Rect, frame: &mut Frame<'_>) {
    let [axis, graph] = Layout::horizontal([Constraint::Length(AXIS), Constraint::Fill(1)]).areas(area);
    if graph.is_empty() {
        return;
    }
    let (columns, group) = (usize::from(graph.width), group(graph.width));
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
    let median = recent.metrics().frame_time_ms.median;
    let longest = bars.iter().copied().fold(0.0, f64::max);
    let top = longest.clamp(1.5 * median, HIGHEST * median).max(f64::MIN_POSITIVE);
    let bar = |time: &f64| {
        let color = if *time > LONG * median { LOST } else { RAW };
        SparklineBar::from((time / top * 1e6) as u64).style(Style::new().fg(color))
    };
    frame.render_widget(Sparkline::default().data(bars.iter().map(bar)).max(1_000_000), graph);
    let mut label = |row: u16, time: f64| {
        let place = Rect {
            y: axis.y + row,
            height: 1,
            ..axis
        };
        frame.render_widget(Line::from(format!("{time:7.2} ")).fg(QUIET), place);
    };
    label(0, top);
    let below = graph.height - 1;
    label(
        (((1.0 - median / top) * f64::from(graph.height)) as u16).clamp(1.min(below), below),
        median,
    );
}

/// The metrics of the whole recording beside the metrics of its newest frames.
fn figures(whole: &Metrics, recent: &Metrics) -> Text<'static> {
    let newest = format!("newest {} frames", recent.frames);
    let mut lines = vec![Line::from(format!(" {:18}{:>22}{newest:>22}", "", "whole recording")).fg(QUIET)];
    let mut line = |name: &str, value: &dyn Fn(&Metrics) -> Option<String>| {
        if let Some(one) = value(whole) {
            let other = value(recent).unwrap_or_default();
            lines.push(Line::from(format!(" {name:18}{one:>22}{other:>22}")));
        }
    };
    let ms = |time: f64| format!("{time:.2} ms");
    line("frames", &|one| Some(format!("{} in {:.1} s", one.frames, one.seconds)));
    line("rate", &|one| Some(format!("{:.1} fps", one.fps_average)));
    line("slowest 1 %", &|one| Some(format!("{:.1} fps", one.fps_low_1pct)));
    line("median", &|one| Some(ms(one.frame_time_ms.median)));
    line("95 % at most", &|one| Some(ms(one.frame_time_ms.p95)));
    line("99 % at most", &|one| Some(ms(one.frame_time_ms.p99)));
    line("longest", &|one| Some(ms(one.frame_time_ms.max)));
    line("animation error", &|one| {
        Some(format!("rms {}", ms(one.animation_error_ms?.rms)))
    });
    line("stutter", &|one| {
        Some(format!("{:.2} % of the time", one.stutter_time_pct))
    });
    line("hitches", &|one| Some(one.hitches.len().to_string()));
    Text::from(lines)
}

fn diagnosis_of(snapshot: &Snapshot, whole: &SwapChainAnalysis, recent: &[Diagnosis]) -> Text<'static> {
    let mut lines = Vec::new();
    for found in &whole.diagnosis {
        let kind = Span::from(found.kind.to_string()).fg(SMOOTHED).bold();
        lines.push(Line::from(vec![kind, Span::from(format!(": {}", found.evidence))]));
        lines.push(Line::from(found.cure));
    }
    let kinds: Vec<String> = recent.iter().map(|found| found.kind.to_string()).collect();
    lines.push(Line::from(format!("newest frames: {}", kinds.join(", "))).fg(QUIET));
    for warning in &snapshot.analysis.warnings {
        lines.push(Line::from(format!("warning: {warning}")).fg(LOST));
    }
    if let Some(problem) = &snapshot.last_skipped {
        lines.push(Line::from(format!("the last: {problem}")).fg(LOST));
    }
    Text::from(lines)
}
