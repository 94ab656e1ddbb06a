//! Both peers of a game, side by side on a terminal.

use std::collections::VecDeque;

use evenstep_scenes::duel::{FIELD, GOAL, PUCK_RADIUS};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style, Stylize as _};
use ratatui::symbols::Marker;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::canvas::{Canvas, Circle, Context, Line as Stroke};
use ratatui::widgets::{Paragraph, Sparkline};
use simulated_network::LinkConditions;

use crate::duel::messages::Status;
use crate::duel::relay::Counts;
use crate::duel::result::{description, rows};

#[cfg(test)]
mod tests;

/// The colours of the lab: the puck and both players, lost time, secondary text.
const PUCK: Color = Color::Rgb(0xfb, 0x92, 0x3c);
const PLAYERS: [Color; 2] = [Color::Rgb(0x7d, 0xab, 0xff), Color::Rgb(0x4a, 0xde, 0x80)];
const LOST: Color = Color::Rgb(0xfb, 0x71, 0x85);
const QUIET: Color = Color::Rgb(0x8b, 0x90, 0x9a);

/// A player's radius as drawn, in m.
const PLAYER_RADIUS: f64 = 0.6;

/// The number of status messages that the graphs show.
const REMEMBERED: usize = 400;

/// The terminal view of `duel`.
pub(crate) struct Screen {
    link: LinkConditions,
    is_bots: bool,
    pub(crate) statuses: [Status; 2],
    pub(crate) packets: [Counts; 2],
    /// The number of re-simulated ticks between statuses, the newest last.
    again: [VecDeque<u64>; 2],
}

impl Screen {
    pub(crate) fn new(link: LinkConditions, is_bots: bool) -> Self {
        Self {
            link,
            is_bots,
            statuses: Default::default(),
            packets: Default::default(),
            again: Default::default(),
        }
    }

    /// Takes a status of a peer.
    pub(crate) fn update(&mut self, side: usize, status: Status) {
        let again = &mut self.again[side];
        if status.is_connected {
            let before = self.statuses[side].figures.resimulated;
            again.push_back(status.figures.resimulated.saturating_sub(before));
        }
        while again.len() > REMEMBERED {
            again.pop_front();
        }
        self.statuses[side] = status;
    }

    pub(crate) fn draw(&self, frame: &mut Frame<'_>) {
        let [title, body, keys] =
            Layout::vertical([Constraint::Length(1), Constraint::Min(0), Constraint::Length(1)]).areas(frame.area());
        let words = [
            Span::from(" duel ").bold(),
            Span::from(description(&self.link)).fg(QUIET),
        ];
        frame.render_widget(Line::from(words.to_vec()), title);
        let sides = Layout::horizontal([Constraint::Fill(1); 2]).spacing(2).areas::<2>(body);
        for (side, area) in sides.into_iter().enumerate() {
            self.draw_peer(side, area, frame);
        }
        let play = if self.is_bots { "" } else { "   arrows go   space stop" };
        frame.render_widget(Line::from(format!(" q quit{play}")).fg(QUIET), keys);
    }

    fn draw_peer(&self, side: usize, area: Rect, frame: &mut Frame<'_>) {
        let status = &self.statuses[side];
        let figures = self.figures(side);
        let lines = figures.lines.len() as u16;
        let heights = [
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(lines),
            Constraint::Length(1),
            Constraint::Max(3),
        ];
        let [name, field, table, caption, graph] = Layout::vertical(heights).areas(area);
        let who = ["the left peer", "the right peer"][side];
        let plays = if side == 0 && !self.is_bots { "you" } else { "a bot" };
        let [left, right] = status.figures.score;
        let mut title = vec![
            Span::from(format!(" {who}")).fg(PLAYERS[side]).bold(),
            Span::from(format!(", {plays}   ")).fg(QUIET),
            Span::from(format!("{left} : {right}")).bold(),
        ];
        if !status.is_connected {
            title.push(Span::from("   connecting").fg(LOST));
        }
        frame.render_widget(Line::from(title), name);
        draw_field(status, field, frame);
        frame.render_widget(Paragraph::new(figures), table);
        frame.render_widget(Line::from(" ticks simulated again").fg(QUIET), caption);
        let again = &self.again[side];
        let newest = again.len().saturating_sub(usize::from(graph.width));
        let bars = Sparkline::default().data(again.iter().skip(newest)).max(16);
        frame.render_widget(bars.style(Style::new().fg(PUCK)), graph);
    }

    fn figures(&self, side: usize) -> Text<'static> {
        let (status, packets) = (&self.statuses[side], &self.packets[side]);
        let now = [
            ("ticks ahead", format!("{:+}", status.ahead)),
            ("time scale now", format!("{:.2}", status.time_scale)),
            ("packets sent, lost", format!("{} {:6}", packets.packets, packets.lost)),
        ];
        let all = rows()
            .into_iter()
            .skip(1)
            .map(|(name, cell)| (name, cell(&status.figures)));
        let line = |(name, value): (&str, String)| Line::from(format!(" {name:22}{value:>16}"));
        now.into_iter().chain(all).map(line).collect()
    }
}

/// The field as a peer draws it, as large as it can be without being stretched.
fn draw_field(status: &Status, area: Rect, frame: &mut Frame<'_>) {
    // A character is about twice as high as wide.
    let [width, height] = FIELD;
    let columns = area.width.min((f64::from(area.height) * 2.0 * width / height) as u16);
    let rows = area
        .height
        .min((f64::from(columns) * height / width / 2.0).ceil() as u16);
    let area = Rect {
        width: columns,
        height: rows,
        ..area
    };
    let [puck, left, right] = status.positions;
    let draw = |canvas: &mut Context<'_>| {
        for (x1, y1, x2, y2) in walls() {
            canvas.draw(&Stroke::new(x1, y1, x2, y2, QUIET));
        }
        if !status.is_connected {
            return;
        }
        for (at, radius, color) in [
            (left, PLAYER_RADIUS, PLAYERS[0]),
            (right, PLAYER_RADIUS, PLAYERS[1]),
            (puck, PUCK_RADIUS, PUCK),
        ] {
            canvas.layer();
            // Filled by concentric circles.
            for part in 1..=4 {
                let radius = radius * f64::from(part) / 4.0;
                canvas.draw(&Circle {
                    x: at[0],
                    y: at[1],
                    radius,
                    color,
                });
            }
        }
    };
    let canvas = Canvas::default()
        .marker(Marker::Braille)
        .x_bounds([0.0, width])
        .y_bounds([0.0, height]);
    frame.render_widget(canvas.paint(draw), area);
}

/// The sides of the field except the goals, and its middle line.
fn walls() -> [(f64, f64, f64, f64); 7] {
    let ([width, height], [low, high]) = (FIELD, GOAL);
    [
        (0.0, 0.0, width, 0.0),
        (0.0, height, width, height),
        (0.0, 0.0, 0.0, low),
        (0.0, high, 0.0, height),
        (width, 0.0, width, low),
        (width, high, width, height),
        (width / 2.0, 0.0, width / 2.0, height),
    ]
}
