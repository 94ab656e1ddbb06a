//! A window with a graphics card that draws in it.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use evenstep::{Frame, Rate};
use glam::Vec2;
use wgpu::{CurrentSurfaceTexture, TextureFormat, TextureUsages};
use winit::window::Window;

use crate::View;
use crate::hud::{Hud, SHADER};

/// Why a game cannot continue.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

/// The number of samples per pixel, which smooth edges.
const SAMPLES: u32 = 4;
const DEPTH: TextureFormat = TextureFormat::Depth32Float;

/// A window with a graphics card that draws in it.
pub struct Screen {
    window: Arc<Window>,
    title: String,
    instance: wgpu::Instance,
    surface: wgpu::Surface<'static>,
    settings: wgpu::SurfaceConfiguration,
    device: wgpu::Device,
    queue: wgpu::Queue,
    /// The multisampled colour texture and the depth texture; `None` until the window has a size.
    layers: Option<[wgpu::TextureView; 2]>,
    failure: Option<Failure>,
    view: View,
    hud: Option<Hud>,
}

impl Screen {
    /// Opens the graphics card for a window. `help` says what the keys do.
    pub(crate) fn open(window: Arc<Window>, help: &str) -> Result<Self, Failure> {
        let instance = wgpu::Instance::default();
        let surface = instance.create_surface(window.clone())?;
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            compatible_surface: Some(&surface),
            ..Default::default()
        }));
        let adapter = adapter
            .map_err(|error| format!("no graphics card ({error}); on Debian: apt-get install mesa-vulkan-drivers"))?;
        let (device, queue) = pollster::block_on(adapter.request_device(&Default::default()))?;
        let size = window.inner_size();
        let settings = surface.get_default_config(&adapter, size.width.max(1), size.height.max(1));
        let mut settings = settings.ok_or("the graphics card cannot draw in this window")?;
        // A format without conversion of the colours that the shader returns.
        let plain = settings.format.remove_srgb_suffix();
        if surface.get_capabilities(&adapter).formats.contains(&plain) {
            settings.format = plain;
        }
        let mut screen = Self {
            title: window.title(),
            window,
            instance,
            surface,
            settings,
            device,
            queue,
            layers: None,
            failure: None,
            view: View::new(),
            hud: None,
        };
        screen.configure();
        let pipeline = screen.pipeline(SHADER, &[]);
        screen.hud = Some(Hud::new(&screen.device, pipeline, help, screen.size()));
        Ok(screen)
    }

    /// Changes the title of the window, which is also shown in its upper left corner.
    pub fn set_title(&mut self, title: &str) {
        if self.title != title {
            title.clone_into(&mut self.title);
            self.window.set_title(title);
        }
    }

    /// Shows or hides a cross in the middle of the scene, for aiming.
    pub fn set_cross(&mut self, is_shown: bool) {
        if let Some(hud) = &mut self.hud {
            hud.has_cross = is_shown;
        }
    }

    /// The alpha at which to draw between the last two states: the frame's, or 1, the newest state, if the player switched interpolation
    /// off.
    #[must_use]
    pub fn alpha(&self, frame: &Frame) -> f64 {
        self.view.alpha(frame)
    }

    pub(crate) const fn view(&self) -> &View {
        &self.view
    }

    pub(crate) const fn view_mut(&mut self) -> &mut View {
        &mut self.view
    }

    /// Counts a frame that was drawn at the time `now`.
    pub(crate) fn record(&mut self, now: Duration, frame: &Frame, rate: Rate, display: Option<f64>) {
        self.view.record(now, frame);
        if let Some(hud) = &mut self.hud {
            let (card, has_stepped) = ((&self.device, &self.queue), frame.steps().len() > 0);
            hud.update(card, &self.title, &self.view, (has_stepped, rate, display));
        }
    }

    /// Sets whether frames wait for the display. They never do while another display is imitated.
    pub(crate) fn set_vsync(&mut self, is_wanted: bool) {
        let mode = if is_wanted && self.view.display().is_none() {
            wgpu::PresentMode::AutoVsync
        } else {
            wgpu::PresentMode::AutoNoVsync
        };
        if mode != self.settings.present_mode {
            self.settings.present_mode = mode;
            self.configure();
        }
    }

    /// The graphics card.
    #[must_use]
    pub const fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// The command queue of the graphics card.
    #[must_use]
    pub const fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// Width and height in pixels.
    #[must_use]
    pub const fn size(&self) -> [u32; 2] {
        [self.settings.width, self.settings.height]
    }

    /// The size of the scene in pixels: the window without the strip with the keys.
    fn scene(&self) -> [f32; 2] {
        let [width, height] = self.size();
        let strip = self.hud.as_ref().map_or(0, Hud::strip_height);
        [width, height - strip].map(|side| side as f32)
    }

    /// The height of the scene divided by its width.
    #[must_use]
    pub fn aspect(&self) -> f32 {
        let [width, height] = self.scene();
        height / width
    }

    /// The view that fits a world of this size into a scene of any shape: the scales of x and y, and the world's centre.
    #[must_use]
    pub fn fit(&self, world: Vec2) -> [f32; 4] {
        let across = (2.0 / world.x).min(2.0 / world.y * self.aspect());
        [across, across / self.aspect(), world.x / 2.0, world.y / 2.0]
    }

    pub(crate) fn resize(&mut self, [width, height]: [u32; 2]) {
        // On some systems a minimised window has the size zero.
        if width > 0 && height > 0 && [width, height] != self.size() {
            (self.settings.width, self.settings.height) = (width, height);
            self.configure();
            if let Some(hud) = &mut self.hud {
                hud.resize([width, height]);
            }
        }
    }

    /// Creates the surface again, after it was lost.
    pub(crate) fn renew(&mut self) {
        match self.instance.create_surface(self.window.clone()) {
            Ok(surface) => {
                self.surface = surface;
                self.configure();
            }
            Err(error) => self.failure = Some(error.into()),
        }
    }

    pub(crate) fn take_failure(&mut self) -> Option<Failure> {
        self.failure.take()
    }

    fn configure(&mut self) {
        // A window that was destroyed has no surface any more. That ends the program, but without a panic.
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        self.surface.configure(&self.device, &self.settings);
        if let Some(error) = pollster::block_on(scope.pop()) {
            self.failure = Some(error.to_string().into());
        }
        self.layers = Some([self.settings.format, DEPTH].map(|format| {
            let texture = self.device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: wgpu::Extent3d {
                    width: self.settings.width,
                    height: self.settings.height,
                    depth_or_array_layers: 1,
                },
                mip_level_count: 1,
                sample_count: SAMPLES,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            });
            texture.create_view(&Default::default())
        }));
    }

    /// The next texture of the surface; `None` if there is none at the moment.
    fn next_surface_texture(&mut self) -> Option<wgpu::SurfaceTexture> {
        if self.failure.is_some() {
            return None;
        }
        match self.surface.get_current_texture() {
            CurrentSurfaceTexture::Success(picture) => return Some(picture),
            CurrentSurfaceTexture::Suboptimal(picture) => {
                drop(picture);
                self.configure();
            }
            CurrentSurfaceTexture::Outdated => self.configure(),
            CurrentSurfaceTexture::Lost => self.renew(),
            CurrentSurfaceTexture::Timeout | CurrentSurfaceTexture::Occluded => {
                // At the moment frames do not wait for a display, so limit their rate.
                std::thread::sleep(Duration::from_millis(5));
                return None;
            }
            CurrentSurfaceTexture::Validation => self.failure = Some("the window cannot be drawn in".into()),
        }
        if self.failure.is_some() {
            return None;
        }
        match self.surface.get_current_texture() {
            CurrentSurfaceTexture::Success(picture) | CurrentSurfaceTexture::Suboptimal(picture) => Some(picture),
            _ => None,
        }
    }

    /// Draws a frame on a background of one colour, and presents it.
    pub fn draw(&mut self, [r, g, b]: [f64; 3], paint: impl FnOnce(&mut wgpu::RenderPass<'_>)) {
        let Some(picture) = self.next_surface_texture() else {
            return;
        };
        let Some([colours, depth]) = &self.layers else { return };
        let view = picture.texture.create_view(&Default::default());
        let mut commands = self.device.create_command_encoder(&Default::default());
        let mut pass = commands.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: colours,
                depth_slice: None,
                resolve_target: Some(&view),
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a: 1.0 }),
                    store: wgpu::StoreOp::Discard,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(1.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..Default::default()
        });
        let [width, height] = self.scene();
        pass.set_viewport(0.0, 0.0, width, height, 0.0, 1.0);
        paint(&mut pass);
        if let Some(hud) = &self.hud {
            hud.draw(&mut pass);
        }
        drop(pass);
        self.queue.submit([commands.finish()]);
        self.window.pre_present_notify();
        self.queue.present(picture);
    }

    /// Creates a pipeline that draws strips of triangles with a shader: WGSL with an entry point for vertices and one for fragments. Nearer
    /// surfaces cover farther ones; at the same depth, surfaces that are drawn later cover earlier ones.
    #[must_use]
    pub fn pipeline(&self, wgsl: &str, buffers: &[Option<wgpu::VertexBufferLayout<'_>>]) -> wgpu::RenderPipeline {
        let module = self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(wgsl.into()),
        });
        self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: None,
                compilation_options: Default::default(),
                buffers,
            },
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                ..Default::default()
            },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(true),
                depth_compare: Some(wgpu::CompareFunction::LessEqual),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState {
                count: SAMPLES,
                ..Default::default()
            },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: None,
                compilation_options: Default::default(),
                targets: &[Some(wgpu::ColorTargetState {
                    format: self.settings.format,
                    blend: Some(wgpu::BlendState::ALPHA_BLENDING),
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        })
    }

    /// Binds buffers to group 0 of a pipeline's shader, with bindings from 0 on.
    #[must_use]
    pub fn bind(&self, pipeline: &wgpu::RenderPipeline, resources: &[wgpu::BindingResource<'_>]) -> wgpu::BindGroup {
        let entries: Vec<_> = (0..)
            .zip(resources)
            .map(|(binding, resource)| wgpu::BindGroupEntry {
                binding,
                resource: resource.clone(),
            })
            .collect();
        self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &entries,
        })
    }
}
