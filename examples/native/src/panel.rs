//! Draws the overlay's panel with wgpu.

use evenstep::filter::DisplayClock;
use evenstep::{Frame, FrameStats, FrameTime, Rate};
use evenstep_overlay::{PANEL_SIZE, Pixels, draw};

use crate::Screen;

const SHADER: &str = "
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

/// How even frames and steps are, in the right upper corner of a screen.
pub struct Panel {
    /// Whether it is drawn.
    pub is_shown: bool,
    stats: FrameStats<240>,
    pipeline: wgpu::RenderPipeline,
    picture: wgpu::Texture,
    binding: wgpu::BindGroup,
    bytes: Vec<u8>,
    scale: u32,
    screen: [u32; 2],
}

impl Panel {
    /// A panel as large as the screen's pixels are small.
    #[must_use]
    pub fn new(screen: &Screen) -> Self {
        let scale = screen.window().scale_factor().round().max(1.0) as u32;
        let (width, height) = (PANEL_SIZE.0 * scale, PANEL_SIZE.1 * scale);
        let picture = screen.device().create_texture(&wgpu::TextureDescriptor {
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
        let pipeline = screen.pipeline(SHADER, &[]);
        let view = picture.create_view(&Default::default());
        let binding = screen.bind(&pipeline, &[wgpu::BindingResource::TextureView(&view)]);
        Self {
            is_shown: true,
            stats: FrameStats::new(),
            pipeline,
            picture,
            binding,
            bytes: vec![0; (4 * width * height) as usize],
            scale,
            screen: screen.size(),
        }
    }

    /// Counts a frame.
    pub fn record(&mut self, screen: &Screen, time: &FrameTime, frame: &Frame, rate: Rate, display: &DisplayClock) {
        self.stats.record(time.unfiltered_delta, frame);
        self.screen = screen.size();
        if !self.is_shown || frame.steps().len() == 0 {
            return;
        }
        let size = self.picture.size();
        self.bytes.fill(0);
        if let Ok(pixels) = Pixels::new(&mut self.bytes, size.width, size.height) {
            draw(
                &self.stats,
                rate,
                display.refresh_hz(),
                &mut pixels.with_scale(self.scale),
            );
        }
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(4 * size.width),
            rows_per_image: None,
        };
        screen
            .queue()
            .write_texture(self.picture.as_image_copy(), &self.bytes, layout, size);
    }

    /// Draws it over what is drawn already, where the window is large enough.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        let size = self.picture.size();
        let [width, height] = self.screen;
        if self.is_shown && width >= size.width && height >= size.height {
            let left = (width - size.width) as f32;
            pass.set_viewport(left, 0.0, size.width as f32, size.height as f32, 0.0, 1.0);
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, &self.binding, &[]);
            pass.draw(0..4, 0..1);
        }
    }
}
