//! How the windows look: a canvas of one size in every window, the colours of the lab's page, text and charts.

use macroquad::prelude::*;

/// The size of the canvas, which is scaled to the window.
pub const SIZE: Vec2 = vec2(1280.0, 800.0);

/// Behind everything.
pub const PAPER: Color = hex(0x0014_171a);
/// Behind a scene.
pub const CARD: Color = hex(0x001c_2024);
/// Lines, floors and walls.
pub const LINE: Color = hex(0x003a_4047);
/// Text.
pub const INK: Color = hex(0x00ec_eae4);
/// Text that explains.
pub const SOFT: Color = hex(0x00aa_b0b8);
/// What is drawn as the newest step left it.
pub const RAW: Color = hex(0x00fb_8b4b);
/// What is drawn between two steps.
pub const SMOOTH: Color = hex(0x0074_a9ff);
/// What is drawn ahead of the newest step.
pub const AHEAD: Color = hex(0x00e3_c567);
/// Steps.
pub const STEP: Color = hex(0x004c_c483);
/// What is lost or wrong.
pub const LOST: Color = hex(0x00f0_7ccb);

const fn hex(rgb: u32) -> Color {
    let [_, red, green, blue] = rgb.to_be_bytes();
    Color::new(red as f32 / 255.0, green as f32 / 255.0, blue as f32 / 255.0, 1.0)
}

/// Begins the drawing of a frame on the canvas: its origin is at the top left, and `y` points down. Writes what the window shows above, and
/// the keys below.
pub fn begin_drawing(title: &str, colour: Color, help: &str) {
    let screen = vec2(screen_width(), screen_height());
    let scale = (screen / SIZE).min_element();
    set_camera(&Camera2D {
        target: SIZE / 2.0,
        zoom: 2.0 * scale / screen,
        ..Camera2D::default()
    });
    clear_background(PAPER);
    write([20.0, 42.0], title, 30.0, colour);
    write([20.0, SIZE.y - 14.0], help, 20.0, SOFT);
}

/// Writes text that begins at a place.
pub fn write([left, base]: [f32; 2], text: &str, size: f32, color: Color) {
    let (font_size, font_scale, font_scale_aspect) = camera_font_scale(size);
    let params = TextParams {
        font_size,
        font_scale,
        font_scale_aspect,
        color,
        ..TextParams::default()
    };
    draw_text_ex(text, left, base, params);
}

/// Draws a box around its middle, turned counter-clockwise.
pub fn draw_box(middle: Vec2, half: Vec2, radians: f32, color: Color) {
    let params = DrawRectangleParams {
        offset: vec2(0.5, 0.5),
        rotation: -radians,
        color,
    };
    // Boxes that touch are told apart by a gap.
    let size = 2.0 * half - 2.0;
    draw_rectangle_ex(middle.x, middle.y, size.x, size.y, params);
}

/// A chart of values from 0 to `largest` with their colours, a bar of two pixels for each, the newest first and at the right.
pub fn draw_bars(area: Rect, largest: f32, newest_first: impl Iterator<Item = (f32, Color)>) {
    draw_rectangle(area.x, area.y, area.w, area.h, CARD);
    for (age, (value, colour)) in (1..=(area.w / 2.0) as u16).zip(newest_first) {
        let height = area.h * (value / largest).clamp(0.0, 1.0);
        draw_rectangle(
            area.right() - 2.0 * f32::from(age),
            area.bottom() - height,
            2.0,
            height,
            colour,
        );
    }
    draw_line(area.x, area.bottom(), area.right(), area.bottom(), 1.0, LINE);
}
