//! Snapshots of the terminal view.

use std::time::Duration;

use evenstep::{Rate, Step, history::Rewind as _};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use simulated_network::Jitter;

use super::*;
use crate::duel::bot::Bot;
use crate::duel::game::Match;
use crate::duel::messages::Figures;
use crate::terminal_svg::assert_book_figure;

fn link() -> LinkConditions {
    LinkConditions {
        delay: Duration::from_millis(40),
        jitter: Jitter::Uniform(Duration::from_millis(10)),
        loss_percent: 5.0,
        ..LinkConditions::default()
    }
}

/// Two bots after `ticks` ticks; the left peer is some ticks behind the right one.
fn screen(ticks: u64) -> Screen {
    let mut screen = Screen::new(link(), true);
    let mut game = Match::new(None);
    let mut bots = [0, 1].map(|side| Bot::new(1, side));
    for tick in 0..ticks {
        let keys = bots.each_mut().map(|bot| bot.keys(tick, &game.duel));
        game.step(&Step::new(tick, Rate::hz(60)), &keys);
        let side = (tick % 2) as usize;
        let figures = Figures {
            ticks: tick + 1,
            confirmed: tick.saturating_sub(3),
            score: game.duel.score(),
            rollbacks: tick / 6,
            resimulated: tick / 6 * 4 + tick / 31 * 3,
            longest: 8,
            predicted_mean: 3.4,
            slowest: 0.98,
            fastest: 1.01,
            ping_ms: Some(91),
            ..Figures::default()
        };
        let status = Status {
            is_connected: true,
            positions: game.positions(1.0),
            ahead: 1 - 2 * side as i32,
            time_scale: 1.0,
            figures,
            ..Status::default()
        };
        screen.update(side, status);
    }
    screen
}

fn drawn(screen: &Screen, width: u16, height: u16) -> Terminal<TestBackend> {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| screen.draw(frame)).unwrap();
    terminal
}

#[test]
fn both_peers_are_drawn_with_their_figures() {
    let printed = drawn(&screen(620), 92, 36).backend().to_string();
    for wanted in [
        "40 ms each way and up to 10 more, 5 % lost",
        "the left peer, a bot",
        "ticks ahead",
        "91 ms",
    ] {
        assert!(printed.contains(wanted), "{wanted}: {printed}");
    }
    assert!(!printed.contains("connecting") && drawn(&screen(0), 92, 36).backend().to_string().contains("connecting"));
}

#[test]
fn the_figure_in_the_book_is_up_to_date() {
    assert_book_figure("duel.svg", drawn(&screen(620), 92, 36).backend().buffer());
}

#[test]
fn a_terminal_of_any_size_is_drawn_on() {
    let screen = screen(500);
    for (width, height) in [(0, 0), (1, 1), (9, 5), (10, 20), (40, 3), (300, 100)] {
        drawn(&screen, width, height);
    }
}
