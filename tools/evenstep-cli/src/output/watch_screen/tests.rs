//! Snapshots of the view that `watch` draws.

use std::fmt::Write as _;

use evenstep_trace::BadRows;
use evenstep_trace::live::GrowingAnalysis;
use ratatui::Terminal;
use ratatui::backend::TestBackend;

use super::*;
use crate::output::terminal_svg::assert_book_figure;

/// A game on a display at 60 Hz that shows each frame after whole refreshes, independent of the game's own timestamps.
fn game(frames: usize, time: fn(usize) -> f64) -> String {
    const REFRESH: f64 = 1e3 / 60.0;
    let header = "Application,ProcessID,SwapChainAddress,TimeInSeconds,MsBetweenPresents,MsUntilDisplayed\n";
    let (mut text, mut now, mut shown) = (header.to_owned(), 0.0, 40.0);
    for frame in 0..frames {
        now += time(frame);
        shown += REFRESH * (time(frame) / REFRESH).round();
        let (at, until) = (now / 1e3, shown - now);
        let _ = writeln!(text, "my-game.exe,4711,0x1,{at:.6},{:.4},{until:.4}", time(frame));
    }
    text
}

/// Deltas with noise that grows up to 5 ms, and a hitch every five seconds.
fn with_hitches(frame: usize) -> f64 {
    let noise = (frame * 7919 % 1009) as f64 / 505.0 - 1.0;
    let most = 1.0 + (frame % 700) as f64 / 175.0;
    if frame % 300 == 299 {
        50.0
    } else {
        50.0 / 3.0 + most * noise
    }
}

fn screen(text: &str) -> Screen {
    let mut growing = GrowingAnalysis::new("my-game.csv", BadRows::Skip);
    growing.push(text.as_bytes()).unwrap();
    let mut screen = Screen::new("my-game.csv");
    screen.state = State::Growing;
    screen.show(growing.snapshot());
    screen
}

fn drawn(screen: &Screen, width: u16, height: u16) -> Terminal<TestBackend> {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| screen.draw(frame)).unwrap();
    terminal
}

fn text(screen: &Screen, width: u16, height: u16) -> String {
    drawn(screen, width, height).backend().to_string()
}

/// Compares a view with the stored one.
fn assert_stored(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(concat!(env!("CARGO_MANIFEST_DIR"), "/../../stored/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn a_game_with_hitches_looks_like_this() {
    let screen = screen(&game(2_400, with_hitches));
    assert_stored("watch_hitches", &text(&screen, 80, 28));
}

#[test]
fn the_view_of_a_missing_file() {
    let mut screen = Screen::new("my-game.csv");
    let missing = text(&screen, 50, 4);
    screen.state = State::Held;
    assert_stored("watch_missing", &format!("{missing}{}", text(&screen, 50, 4)));
}

#[test]
fn samples_instead_of_frames_are_reported() {
    let screen = screen("fps,frametime,elapsed\n60,16,0\n60,16,100000000\n60,16,200000000\n60,16,300000000\n");
    let printed = text(&screen, 120, 5);
    assert!(printed.contains("record every frame"), "{printed}");
}

#[test]
fn bad_rows_are_reported_and_the_next_chain_can_be_shown() {
    let mut other = game(100, |_| 16.5).replace("my-game.exe", "other.exe");
    other = other
        .lines()
        .skip(1)
        .fold(String::new(), |text, line| text + line + "\n");
    let mut screen = screen(&(game(120, |_| 16.0) + &other + "nonsense\n"));
    let one = text(&screen, 90, 30);
    assert!(
        one.contains("my-game.exe 4711 0x1 (1 of 2)") && one.contains("tab next chain"),
        "{one}"
    );
    assert!(
        one.contains("the last: my-game.csv:222: MsBetweenPresents: the row ends"),
        "{one}"
    );
    screen.next_chain();
    assert!(text(&screen, 90, 30).contains("other.exe 4711 0x1 (2 of 2)"));
    screen.next_chain();
    assert_eq!(text(&screen, 90, 30), one);
}

#[test]
fn a_terminal_of_any_size_is_drawn_on() {
    let screen = screen(&game(1_500, with_hitches));
    for (width, height) in [(0, 0), (1, 1), (9, 5), (10, 20), (40, 3), (300, 100)] {
        drawn(&screen, width, height);
    }
}

#[test]
fn a_group_of_frames_keeps_its_bar_when_more_frames_arrive() {
    let rows = |frames| drawn(&screen(&game(frames, with_hitches)), 80, 28);
    let bars = |terminal: &Terminal<TestBackend>| -> Vec<String> {
        let buffer = terminal.backend().buffer();
        let column = |x| (2..8).map(|y| buffer[(x, y)].symbol()).collect::<String>();
        (AXIS..80).map(column).collect()
    };
    let group = RECENT_FRAMES / 71;
    let (before, after) = (bars(&rows(71 * group)), bars(&rows(73 * group)));
    assert!(before.iter().any(|bar| *bar != before[0]));
    assert_eq!(before[2..], after[..69]);
}

#[test]
fn the_figure_in_the_book_is_up_to_date() {
    let screen = screen(&game(2_400, with_hitches));
    assert_book_figure("watch.svg", drawn(&screen, 92, 32).backend().buffer());
}
