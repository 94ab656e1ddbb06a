//! Renders a terminal as SVG, for the figures of the book.

use std::fmt::Write as _;
use std::{env, fs};

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

/// Checks that a figure of the book matches the terminal, or writes it if `EVENSTEP_WRITE` is set, as `cargo xtask bless` does.
pub(crate) fn assert_book_figure(name: &str, buffer: &Buffer) {
    let path = format!("{}/../../docs/pages/{name}", env!("CARGO_MANIFEST_DIR"));
    let svg = svg(buffer);
    if env::var_os("EVENSTEP_WRITE").is_some() {
        fs::write(&path, &svg).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == svg, "{path} is out of date: cargo xtask bless --only figures");
}

/// Width and height of a character, in pixels.
const CELL: (u16, u16) = (8, 17);

/// A terminal as SVG.
fn svg(buffer: &Buffer) -> String {
    let (width, height) = (buffer.area.width * CELL.0, buffer.area.height * CELL.1);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"monospace\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" \
         fill=\"#14161a\"/>\n"
    );
    for y in 0..buffer.area.height {
        let cells: Vec<(u16, &Cell)> = (0..buffer.area.width).map(|x| (x, &buffer[(x, y)])).collect();
        for (x, cell) in &cells {
            if let Some(eighths) = "▁▂▃▄▅▆▇█".chars().position(|block| cell.symbol().starts_with(block))
            {
                let bar = (eighths as u16 + 1) * CELL.1 / 8;
                let (left, top) = (x * CELL.0, (y + 1) * CELL.1 - bar);
                let _ = writeln!(
                    svg,
                    "<rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{bar}\" fill=\"{}\"/>",
                    CELL.0,
                    color(cell)
                );
            }
        }
        for (x, cell) in &cells {
            draw_dots(&mut svg, (*x, y), cell);
        }
        let is_text = |cell: &Cell| {
            dots(cell).is_none() && !cell.symbol().starts_with([' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'])
        };
        let alike = |one: &Cell, other: &Cell| is_text(one) == is_text(other) && one.style() == other.style();
        for word in cells.chunk_by(|(_, one), (_, other)| alike(one, other)) {
            let (x, first) = word[0];
            if !is_text(first) {
                continue;
            }
            let text: String = word.iter().map(|(_, cell)| cell.symbol()).collect();
            let weight = if first.modifier.contains(Modifier::BOLD) {
                " font-weight=\"bold\""
            } else {
                ""
            };
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" textLength=\"{}\" fill=\"{}\"{weight}>{}</text>",
                x * CELL.0,
                (y + 1) * CELL.1 - 4,
                word.len() as u16 * CELL.0,
                color(first),
                text.replace('&', "&amp;").replace('<', "&lt;")
            );
        }
    }
    svg + "</svg>\n"
}

/// The dots that a Braille character has, of eight.
fn dots(cell: &Cell) -> Option<u32> {
    let bits = u32::from(cell.symbol().chars().next()?).checked_sub(0x2800)?;
    (bits < 256).then_some(bits)
}

/// Draws the dots as rectangles, since fonts differ in their positions.
fn draw_dots(svg: &mut String, (x, y): (u16, u16), cell: &Cell) {
    const PLACES: [(u16, u16); 8] = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (0, 3), (1, 3)];
    let Some(bits) = dots(cell) else { return };
    for (dot, (column, row)) in PLACES.into_iter().enumerate() {
        if bits >> dot & 1 == 1 {
            let (left, top) = (x * CELL.0 + column * 4 + 1, y * CELL.1 + row * 4 + 1);
            let color = color(cell);
            let _ = writeln!(
                svg,
                "<rect x=\"{left}\" y=\"{top}\" width=\"3\" height=\"3\" fill=\"{color}\"/>"
            );
        }
    }
}

fn color(cell: &Cell) -> String {
    match cell.fg {
        Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
        _ => "#e8e6e1".to_owned(),
    }
}
