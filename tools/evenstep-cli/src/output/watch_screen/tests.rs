//! The view that `watch` draws.

use std::fmt::Write as _;
use std::num::NonZero;

use evenstep_trace::BadRows;
use evenstep_trace::live::GrowingAnalysis;

use super::*;

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
    screen.show(growing.current());
    screen
}

/// What a terminal of this size shows.
fn text(screen: &Screen, width: u16, height: u16) -> String {
    let rows = screen.rows([width.into(), height.into()]);
    assert_eq!(rows.len(), usize::from(height));
    let [lines, columns] = [height, width].map(|size| NonZero::new(size).unwrap());
    let mut terminal = vt100::Parser::new(lines, columns, 0);
    terminal.process(rows.join("\r\n").as_bytes());
    let rows = terminal.screen().rows(0, width);
    rows.map(|row| row.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_book_shows_a_game_with_hitches() {
    let page = include_str!("../../../../../docs/pages/recordings.md");
    let (_, after) = page.split_once("## While the game runs").unwrap();
    let (_, shown) = after.split_once("```text\n").unwrap();
    let (shown, _) = shown.split_once("\n```").unwrap();
    let screen = screen(&game(2_400, with_hitches));
    assert_eq!(text(&screen, 92, 28), shown);
}

#[test]
fn the_view_of_a_missing_and_of_an_empty_file() {
    let mut screen = Screen::new("my-game.csv");
    assert!(text(&screen, 50, 4).starts_with(" missing  my-game.csv\nThe file does not exist yet."));
    screen.state = State::Held;
    assert!(text(&screen, 50, 4).starts_with(" held  my-game.csv\nThere is no frame in it yet."));
}

#[test]
fn samples_instead_of_frames_are_reported() {
    let screen = screen("fps,frametime,elapsed\n60,16,0\n60,16,100000000\n60,16,200000000\n60,16,300000000\n");
    let printed = text(&screen, 120, 30);
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
    for size in [[0, 0], [1, 1], [9, 5], [10, 20], [40, 3], [300, 100]] {
        assert_eq!(screen.rows(size).len(), size[1]);
    }
}

#[test]
fn a_group_of_frames_keeps_its_bar_when_more_frames_arrive() {
    let bars = |frames| -> Vec<String> {
        let printed = text(&screen(&game(frames, with_hitches)), 80, 28);
        let rows: Vec<Vec<char>> = printed
            .lines()
            .skip(2)
            .take(6)
            .map(|row| row.chars().collect())
            .collect();
        let column = |x: usize| rows.iter().map(|row| row.get(x).unwrap_or(&' ')).collect();
        (AXIS..80).map(column).collect()
    };
    let group = RECENT_FRAMES / 71;
    let (before, after) = (bars(71 * group), bars(73 * group));
    assert!(before.iter().any(|bar| *bar != before[0]));
    assert_eq!(before[2..], after[..69]);
}

#[test]
fn control_characters_of_a_file_do_not_reach_the_terminal() {
    let text = "Application,MsBetweenPresents\n\u{1b}[2Jred.exe,16\n\u{1b}[2Jred.exe,17\n";
    let rows = screen(text).rows([80, 30]);
    assert!(rows.iter().all(|row| !row.contains("\u{1b}[2J")), "{rows:?}");
}
