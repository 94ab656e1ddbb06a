//! The overlay of a game: its title, its keys, how it is shown, and the panel of statistics, all scaled to the window.

use evenstep::Rate;

use crate::View;
use crate::words::{Image, parts, strip_height, wrap};

pub(crate) const SHADER: &str = "
@group(0) @binding(0) var image: texture_2d<f32>;

struct Corner { @builtin(position) place: vec4<f32>, @location(0) point: vec2<f32> }

@vertex
fn vertex(@builtin(vertex_index) corner: u32) -> Corner {
    let point = vec2<f32>(f32(corner & 1u), f32(corner >> 1u));
    return Corner(vec4<f32>(point * 2.0 - 1.0, 0.0, 1.0), vec2<f32>(point.x, 1.0 - point.y));
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4<f32> {
    return textureLoad(image, vec2<u32>(corner.point * vec2<f32>(textureDimensions(image))), 0);
}
";

/// The number of frames between two updates of the animation error, which would be unreadable if it changed in every frame.
const CHANGE: u64 = 15;

/// The overlay of a game.
pub(crate) struct Hud {
    help: Vec<String>,
    pub(crate) has_cross: bool,
    pipeline: wgpu::RenderPipeline,
    window: [u32; 2],
    strip: Layer,
    lines: Vec<String>,
    /// The number of lines for which the strip has room.
    rows: usize,
    title: Layer,
    written: String,
    cross: Layer,
    panel: Option<Layer>,
}

/// An image that is drawn on the screen.
struct Layer {
    texture: wgpu::Texture,
    binding: wgpu::BindGroup,
}

impl Layer {
    fn new(device: &wgpu::Device, pipeline: &wgpu::RenderPipeline, [width, height]: [u32; 2]) -> Self {
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d {
                width,
                height,
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

    fn size(&self) -> [u32; 2] {
        [self.texture.width(), self.texture.height()]
    }

    /// Shows another image, in a new texture if the size has changed.
    fn set(&mut self, (device, queue): (&wgpu::Device, &wgpu::Queue), pipeline: &wgpu::RenderPipeline, image: &Image) {
        if self.size() != image.size {
            *self = Self::new(device, pipeline, image.size);
        }
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(4 * image.size[0]),
            rows_per_image: None,
        };
        queue.write_texture(self.texture.as_image_copy(), &image.bytes, layout, self.texture.size());
    }

    /// Draws the image at a position in pixels, if it fits into the window there.
    fn draw(&self, pass: &mut wgpu::RenderPass<'_>, [width, height]: [u32; 2], [left, top]: [u32; 2]) {
        let [wide, high] = self.size();
        if left + wide <= width && top + high <= height {
            let [x, y, wide, high] = [left, top, wide, high].map(|pixels| pixels as f32);
            pass.set_viewport(x, y, wide, high, 0.0, 1.0);
            pass.set_bind_group(0, &self.binding, &[]);
            pass.draw(0..4, 0..1);
        }
    }
}

impl Hud {
    pub(crate) fn new(device: &wgpu::Device, pipeline: wgpu::RenderPipeline, help: &str, window: [u32; 2]) -> Self {
        let [strip, title, cross] = [(); 3].map(|()| Layer::new(device, &pipeline, [1, 1]));
        let mut hud = Self {
            help: parts(help),
            has_cross: false,
            pipeline,
            window: [0; 2],
            strip,
            lines: Vec::new(),
            rows: 0,
            title,
            written: String::new(),
            cross,
            panel: None,
        };
        hud.resize(window);
        hud
    }

    /// Makes room for the help text and the longest status in a window of this size.
    pub(crate) fn resize(&mut self, window: [u32; 2]) {
        let help = wrap(&self.help, window).len();
        self.rows = help + wrap(&View::longest_status(), window).len();
        self.window = window;
        // They are drawn again in the new size.
        self.lines.clear();
        self.written.clear();
    }

    /// The height of the strip at the lower edge of the window in pixels. A window in which it would take more than half has none.
    pub(crate) fn strip_height(&self) -> u32 {
        let height = strip_height(self.rows, self.window[1]);
        if 2 * height > self.window[1] { 0 } else { height }
    }

    /// Updates the text and the panel if they have changed.
    pub(crate) fn update(
        &mut self,
        card: (&wgpu::Device, &wgpu::Queue),
        title: &str,
        view: &View,
        (has_stepped, rate, display): (bool, Rate, Option<f64>),
    ) {
        let height = self.window[1];
        if self.written != title {
            self.title.set(card, &self.pipeline, &Image::title(title, height));
            self.cross.set(card, &self.pipeline, &Image::cross(height));
            title.clone_into(&mut self.written);
        }
        let is_switched = view.has_panel() != self.panel.is_some();
        if self.lines.is_empty() || is_switched || view.stats().frame_count() % CHANGE == 1 {
            let lines = [wrap(&self.help, self.window), wrap(&view.status(), self.window)].concat();
            if self.lines != lines {
                let strip = Image::strip(&lines, self.rows, self.window);
                self.strip.set(card, &self.pipeline, &strip);
                self.lines = lines;
            }
        }
        if !view.has_panel() {
            self.panel = None;
        } else if has_stepped || self.panel.is_none() {
            let image = Image::panel(view.stats(), (rate, display), height);
            let panel = self.panel.take();
            let mut panel = panel.unwrap_or_else(|| Layer::new(card.0, &self.pipeline, image.size));
            panel.set(card, &self.pipeline, &image);
            self.panel = Some(panel);
        }
    }

    /// Draws the overlay on top of the frame.
    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        let [width, height] = self.window;
        let scene = height - self.strip_height();
        pass.set_pipeline(&self.pipeline);
        if self.has_cross {
            let [wide, high] = self.cross.size();
            let middle = [width.saturating_sub(wide) / 2, scene.saturating_sub(high) / 2];
            self.cross.draw(pass, self.window, middle);
        }
        self.title.draw(pass, self.window, [0, 0]);
        if self.strip_height() > 0 {
            self.strip.draw(pass, self.window, [0, scene]);
        }
        if let Some(panel) = &self.panel {
            let left = width.saturating_sub(panel.size()[0]);
            panel.draw(pass, self.window, [left, 0]);
        }
    }
}
