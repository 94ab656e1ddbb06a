//! The overlay of a game: its keys, how it is shown, and the panel of statistics, all scaled to the window.

use std::time::Duration;

use embedded_graphics::Drawable as _;
use embedded_graphics::geometry::Point;
use embedded_graphics::mono_font::ascii::{FONT_6X10, FONT_10X20};
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
use embedded_graphics::pixelcolor::Rgb888;
use embedded_graphics::text::{Baseline, Text};
use evenstep::{Frame, FrameStats, Rate};
use evenstep_overlay::{PANEL_SIZE, Pixels, draw};

use crate::View;

pub(crate) const SHADER: &str = "
@group(0) @binding(0) var picture: texture_2d<f32>;

struct Corner { @builtin(position) place: vec4<f32>, @location(0) point: vec2<f32> }

@vertex
fn vertex(@builtin(vertex_index) corner: u32) -> Corner {
    let point = vec2<f32>(f32(corner & 1u), f32(corner >> 1u));
    return Corner(vec4<f32>(point * 2.0 - 1.0, 0.0, 1.0), vec2<f32>(point.x, 1.0 - point.y));
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4<f32> {
    return textureLoad(picture, vec2<u32>(corner.point * vec2<f32>(textureDimensions(picture))), 0);
}
";

const WHITE: Rgb888 = Rgb888::new(0xe8, 0xe6, 0xe1);
/// The number of frames between two updates of the unevenness, which would be unreadable if it changed in every frame.
const CHANGE: u64 = 15;

/// The overlay of a game.
pub(crate) struct Hud {
    help: &'static str,
    pipeline: wgpu::RenderPipeline,
    stats: FrameStats<240>,
    words: Layer,
    panel: Layer,
    is_panel_shown: bool,
    written: Vec<String>,
    screen: [u32; 2],
}

/// A texture that is drawn on the screen.
struct Layer {
    texture: wgpu::Texture,
    binding: wgpu::BindGroup,
}

impl Layer {
    fn new(device: &wgpu::Device, pipeline: &wgpu::RenderPipeline, [width, height]: [u32; 2]) -> Self {
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d {
                width: width.max(1),
                height: height.max(1),
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let view = texture.create_view(&Default::default());
        let binding = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::TextureView(&view),
            }],
        });
        Self { texture, binding }
    }

    /// Fills the texture with one colour and paints on it.
    fn paint(&self, queue: &wgpu::Queue, ground: [u8; 4], scale: u32, paint: impl FnOnce(&mut Pixels<'_>)) {
        let size = self.texture.size();
        let mut bytes = ground.repeat((size.width * size.height) as usize);
        if let Ok(pixels) = Pixels::new(&mut bytes, size.width, size.height) {
            paint(&mut pixels.with_scale(scale));
        }
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(4 * size.width),
            rows_per_image: None,
        };
        queue.write_texture(self.texture.as_image_copy(), &bytes, layout, size);
    }

    /// Draws the texture at a position in pixels, if it fits into the window there.
    fn draw(&self, pass: &mut wgpu::RenderPass<'_>, [width, height]: [u32; 2], [left, top]: [u32; 2]) {
        let size = self.texture.size();
        if left + size.width <= width && top + size.height <= height {
            let [x, y, wide, high] = [left, top, size.width, size.height].map(|pixels| pixels as f32);
            pass.set_viewport(x, y, wide, high, 0.0, 1.0);
            pass.set_bind_group(0, &self.binding, &[]);
            pass.draw(0..4, 0..1);
        }
    }
}

impl Hud {
    pub(crate) fn new(device: &wgpu::Device, pipeline: wgpu::RenderPipeline, help: &'static str) -> Self {
        let [words, panel] = [(); 2].map(|()| Layer::new(device, &pipeline, [1, 1]));
        Self {
            help,
            stats: FrameStats::new(),
            words,
            panel,
            is_panel_shown: false,
            written: Vec::new(),
            screen: [0; 2],
            pipeline,
        }
    }

    /// Counts a frame, and updates the text and the panel if they have changed.
    pub(crate) fn update(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        screen: [u32; 2],
        view: &View,
        (delta, frame): (Duration, &Frame),
        (rate, display): (Rate, Option<f64>),
    ) {
        self.stats.record(delta, frame);
        let is_resized = screen != self.screen;
        self.screen = screen;
        self.is_panel_shown = view.has_panel();
        if is_resized || self.stats.frame_count() % CHANGE == 1 {
            self.write(device, queue, view);
        }
        if self.is_panel_shown && frame.steps().len() > 0 {
            // The panel has 158 rows, which take a third to a half of the height.
            let scale = ((screen[1] + 80) / 400).max(1);
            let size = [PANEL_SIZE.0 * scale, PANEL_SIZE.1 * scale];
            if [self.panel.texture.width(), self.panel.texture.height()] != size {
                self.panel = Layer::new(device, &self.pipeline, size);
            }
            let stats = &self.stats;
            self.panel
                .paint(queue, [0; 4], scale, |pixels| draw(stats, rate, display, pixels));
        }
    }

    fn write(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, view: &View) {
        let (font, scale) = font(self.screen[1]);
        let columns = (self.screen[0] / scale / font.character_size.width).saturating_sub(2) as usize;
        let keys = self.help.split("   ").map(str::to_owned);
        let lines = [keys.collect(), view.status().to_vec()].map(|parts| wrap(parts, columns));
        let lines = lines.concat();
        let (width, height) = (
            font.character_size.width,
            font.character_size.height + font.character_size.height / 4,
        );
        let longest = lines.iter().map(String::len).max().unwrap_or(0) as u32;
        let size = [
            (longest + 2) * width * scale,
            (lines.len() as u32 * height + height / 4) * scale,
        ];
        if [self.words.texture.width(), self.words.texture.height()] != size {
            self.words = Layer::new(device, &self.pipeline, size);
        } else if lines == self.written {
            return;
        }
        let style = MonoTextStyle::new(font, WHITE);
        self.words.paint(queue, [10, 11, 14, 190], scale, |pixels| {
            for (row, line) in (0..).zip(&lines) {
                let place = Point::new(width as i32, (row * height + height / 4) as i32);
                let Ok(_) = Text::with_baseline(line, place, style, Baseline::Top).draw(pixels);
            }
        });
        self.written = lines;
    }

    /// Draws the overlay on top of the frame.
    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.pipeline);
        self.words.draw(pass, self.screen, [0, 0]);
        if self.is_panel_shown {
            let left = self.screen[0].saturating_sub(self.panel.texture.width());
            self.panel.draw(pass, self.screen, [left, self.words.texture.height()]);
        }
    }
}

/// A font whose letters are about a fortieth of the window's height, and its scale in pixels.
fn font(height: u32) -> (&'static MonoFont<'static>, u32) {
    if height < 560 {
        (&FONT_6X10, 1)
    } else {
        (&FONT_10X20, ((height + 400) / 800).max(1))
    }
}

/// Joins parts to lines of at most `columns` letters, unless a part is longer.
fn wrap(parts: Vec<String>, columns: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if line.len() + 3 + part.len() <= columns => *line += &format!("   {part}"),
            _ => lines.push(part),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_wrapped_between_its_parts_only() {
        let parts = ["Space jump", "I raw", "F display"].map(str::to_owned).to_vec();
        assert_eq!(wrap(parts.clone(), 18), ["Space jump   I raw", "F display"]);
        assert_eq!(wrap(parts, 3), ["Space jump", "I raw", "F display"]);
    }

    #[test]
    fn letters_grow_with_the_window() {
        let rows = [360, 800, 1600, 2160].map(|height| {
            let (font, scale) = font(height);
            height / (font.character_size.height * scale)
        });
        assert!(rows.iter().all(|rows| (30..=42).contains(rows)), "{rows:?}");
    }
}
