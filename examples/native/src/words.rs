//! Text and the panel as images, scaled to the window.

use embedded_graphics::Drawable as _;
use embedded_graphics::geometry::Point;
use embedded_graphics::mono_font::iso_8859_1::{FONT_6X10, FONT_9X15, FONT_10X20};
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
use embedded_graphics::pixelcolor::Rgb888;
use embedded_graphics::text::{Baseline, Text};
use evenstep::{FrameStats, Rate};
use evenstep_overlay::{PANEL_SIZE, Pixels, draw};

/// The colour of text.
pub(crate) const WHITE: Rgb888 = Rgb888::new(0xe8, 0xe6, 0xe1);
/// The colour of keys in a text.
const KEY: Rgb888 = Rgb888::new(0xff, 0xc8, 0x6b);
/// The ground of text: red, green, blue and opacity.
const GROUND: [u8; 4] = [10, 11, 14, 205];
/// The space between the parts of a line.
const GAP: &str = "   ";

/// An image: rows from the top, with red, green, blue and opacity of each pixel.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Image {
    pub(crate) size: [u32; 2],
    pub(crate) bytes: Vec<u8>,
}

impl Image {
    fn new([width, height]: [u32; 2], ground: [u8; 4], scale: u32, paint: impl FnOnce(&mut Pixels<'_>)) -> Self {
        let size = [width.max(1), height.max(1)];
        let mut bytes = ground.repeat((size[0] * size[1]) as usize);
        if let Ok(pixels) = Pixels::new(&mut bytes, size[0], size[1]) {
            paint(&mut pixels.with_scale(scale));
        }
        Self { size, bytes }
    }

    /// A line of text on a transparent ground, for a window of this height.
    pub(crate) fn line(text: &str, colour: Rgb888, window_height: u32) -> Self {
        let (font, scale) = font(window_height);
        let [width, height] = [font.character_size.width, font.character_size.height];
        let size = [text.chars().count() as u32 * width * scale, height * scale];
        Self::new(size, [0; 4], scale, |pixels| {
            write(pixels, text, [0, 0], (font, colour))
        })
    }

    /// A title on a dark ground.
    #[cfg(feature = "wgpu")]
    pub(crate) fn title(text: &str, window_height: u32) -> Self {
        let (font, scale) = font(window_height);
        let [width, height] = [font.character_size.width, font.character_size.height];
        let columns = text.chars().count() as u32 + 2;
        let size = [columns * width * scale, (height + height / 2) * scale];
        Self::new(size, GROUND, scale, |pixels| {
            write(pixels, text, [width, height / 4], (font, WHITE));
        })
    }

    /// A strip of `rows` lines for the lower edge of a window of this size. Keys, which end with a colon, are highlighted.
    pub(crate) fn strip(lines: &[String], rows: usize, [window_width, window_height]: [u32; 2]) -> Self {
        let (font, scale) = font(window_height);
        let [width, row] = [font.character_size.width, row(font)];
        let size = [window_width, strip_height(rows, window_height)];
        Self::new(size, GROUND, scale, |pixels| {
            for (line, top) in lines.iter().zip((0..).map(|line| line * row + row / 4)) {
                let mut column = 1;
                for part in line.split(GAP) {
                    let key = part.find(": ").map_or(0, |colon| colon + 1);
                    let (key, rest) = part.split_at(key);
                    for (text, colour) in [(key, KEY), (rest, WHITE)] {
                        write(pixels, text, [column * width, top], (font, colour));
                        column += text.chars().count() as u32;
                    }
                    column += GAP.len() as u32;
                }
            }
        })
    }

    /// A cross for the middle of a window of this height.
    #[cfg(feature = "wgpu")]
    pub(crate) fn cross(window_height: u32) -> Self {
        let (_, scale) = font(window_height);
        let (side, middle) = (15 * scale, 7 * scale);
        let is_bar = |at: u32| (middle..middle + scale).contains(&at);
        let is_gap = |at: u32| at.abs_diff(middle) < 3 * scale;
        let pixel = |at: u32| {
            let (x, y) = (at % side, at / side);
            let is_set = (is_bar(x) && !is_gap(y)) || (is_bar(y) && !is_gap(x));
            [u8::MAX, u8::MAX, u8::MAX, if is_set { 230 } else { 0 }]
        };
        Self {
            size: [side, side],
            bytes: (0..side * side).flat_map(pixel).collect(),
        }
    }

    /// The panel of statistics, about 40 % of the height of a window.
    pub(crate) fn panel<const WINDOW: usize>(
        stats: &FrameStats<WINDOW>,
        (rate, display): (Rate, Option<f64>),
        window_height: u32,
    ) -> Self {
        let scale = ((window_height + 80) / 400).max(1);
        let size = [PANEL_SIZE.0 * scale, PANEL_SIZE.1 * scale];
        Self::new(size, [0; 4], scale, |pixels| draw(stats, rate, display, pixels))
    }
}

fn write(pixels: &mut Pixels<'_>, text: &str, [x, y]: [u32; 2], (font, colour): (&MonoFont<'_>, Rgb888)) {
    let (place, style) = (Point::new(x as i32, y as i32), MonoTextStyle::new(font, colour));
    let Ok(_) = Text::with_baseline(text, place, style, Baseline::Top).draw(pixels);
}

/// The font and the scale in pixels whose letters are closest to a fortieth of the window's height.
fn font(window_height: u32) -> (&'static MonoFont<'static>, u32) {
    let mut best = (&FONT_6X10, 1);
    for (font, scale) in (1..9).flat_map(|scale| [(&FONT_9X15, scale), (&FONT_10X20, scale)]) {
        let error =
            |(font, scale): (&MonoFont<'_>, u32)| (font.character_size.height * scale).abs_diff(window_height / 40);
        if error((font, scale)) < error(best) {
            best = (font, scale);
        }
    }
    best
}

const fn row(font: &MonoFont<'_>) -> u32 {
    font.character_size.height + font.character_size.height / 4
}

/// The height of a strip of `rows` lines in pixels.
pub(crate) fn strip_height(rows: usize, window_height: u32) -> u32 {
    let (font, scale) = font(window_height);
    (rows as u32 * row(font) + row(font) / 4) * scale
}

/// Joins parts to lines that fit into a window of this size, unless a part is longer.
pub(crate) fn wrap(parts: &[String], [window_width, window_height]: [u32; 2]) -> Vec<String> {
    let (font, scale) = font(window_height);
    let columns = (window_width / scale / font.character_size.width).saturating_sub(1) as usize;
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if line.chars().count() + GAP.len() + part.chars().count() <= columns => {
                line.push_str(GAP);
                line.push_str(part);
            }
            _ => lines.push(part.clone()),
        }
    }
    lines
}

/// The parts of a help text.
pub(crate) fn parts(help: &str) -> Vec<String> {
    help.split(GAP).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use embedded_graphics::pixelcolor::RgbColor as _;

    use super::*;

    #[test]
    fn a_line_is_wrapped_between_its_parts_only() {
        let parts = parts("Space: jump   I: raw   F: display");
        assert_eq!(wrap(&parts, [23 * 6, 300]), ["Space: jump   I: raw", "F: display"]);
        assert_eq!(wrap(&parts, [30, 300]), ["Space: jump", "I: raw", "F: display"]);
    }

    #[test]
    fn letters_grow_with_the_window() {
        let rows = [360, 540, 720, 800, 1080, 1440, 1600, 2160].map(|height| {
            let (font, scale) = font(height);
            height / (font.character_size.height * scale)
        });
        assert!(rows.iter().all(|rows| (32..=43).contains(rows)), "{rows:?}");
    }

    #[test]
    fn keys_are_highlighted_and_what_they_do_is_not() {
        let strip = Image::strip(&["I: raw".to_owned()], 1, [80, 300]);
        let pixels = strip.bytes.as_chunks::<4>().0;
        let columns = |colour: Rgb888| {
            let rgb = [colour.r(), colour.g(), colour.b()];
            let found = pixels.iter().enumerate().filter(|(_, pixel)| pixel[..3] == rgb);
            let columns: Vec<usize> = found.map(|(at, _)| at % 80 / 6).collect();
            (columns.iter().min().copied(), columns.iter().max().copied())
        };
        assert_eq!(columns(KEY), (Some(1), Some(2)));
        assert_eq!(columns(WHITE), (Some(4), Some(6)));
    }
}
