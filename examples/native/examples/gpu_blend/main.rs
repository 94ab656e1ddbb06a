//! Draws 100 000 bodies that the graphics card blends between their last two steps. A step uploads the poses of the bodies that moved; a
//! frame uploads alpha, four bytes. The same bodies, blended by the processor, must give the same picture.
//!
//! `cargo run --release -p evenstep-examples --example gpu_blend`. Any adapter will do, including Mesa's lavapipe.

use std::error::Error;

use evenstep::poses::{Pose3, Poses3, Quat};
use wgpu::{BufferUsages, VertexAttribute, vertex_attr_array};

const BODIES: usize = 100_000;
/// Width and height of the pictures in pixels. The bytes of a row are a multiple of wgpu's copy alignment.
const SIDE: u32 = 1024;
const ALPHA: f64 = 0.4;
/// The number of pixels that may differ: the card may round differently, which shows where an edge crosses the centre of a pixel.
const MAX_DIFFERENT: usize = 200;
/// The bytes of a body: position and rotation, before and after the step.
const STRIDE: usize = 2 * 7 * size_of::<f32>();
/// Bodies between two ranges that are uploaded in one write, because their bytes cost less than a second write.
const MAX_GAP: usize = 256;

fn main() -> Result<(), Box<dyn Error>> {
    let card = Card::new()?;
    let mut poses = Poses3::new();
    (0..BODIES).for_each(|body| _ = poses.push(pose(body, 0.0)));
    let bodies = card.buffer(BODIES * STRIDE, BufferUsages::VERTEX | BufferUsages::COPY_DST);
    upload(&card, &bodies, &poses, 0..BODIES);
    // In each step only some of them move.
    for (step, moving) in [(1, 0..BODIES), (2, 60_000..80_000), (3, 60_000..70_000)] {
        let uploaded = poses.step();
        poses.begin_step();
        moving.for_each(|body| _ = poses.set(body, pose(body, 0.1 * step as f32)));
        let mut pending: Option<std::ops::Range<usize>> = None;
        let mut bytes = 0;
        for range in poses.moved_since(uploaded) {
            match &mut pending {
                Some(before) if range.start - before.end <= MAX_GAP => before.end = range.end,
                _ => {
                    bytes += pending
                        .replace(range)
                        .map_or(0, |range| upload(&card, &bodies, &poses, range))
                }
            }
        }
        bytes += pending.map_or(0, |range| upload(&card, &bodies, &poses, range));
        println!("step {step} uploads {bytes} bytes, a frame 4");
    }
    let alpha = card.buffer(16, BufferUsages::UNIFORM | BufferUsages::COPY_DST); // uniforms have multiples of 16 bytes
    card.queue.write_buffer(&alpha, 0, &(ALPHA as f32).to_le_bytes());
    let attributes = vertex_attr_array![0 => Float32x3, 1 => Float32x4, 2 => Float32x3, 3 => Float32x4];
    let by_card = card.draw("blended", &attributes, &bodies, Some(&alpha))?;

    let mut matrices = vec![[[0.0; 4]; 4]; BODIES];
    poses.blend_all_matrices(ALPHA, &mut matrices);
    let numbers = matrices.as_flattened().as_flattened().iter();
    let bytes: Vec<u8> = numbers.flat_map(|number: &f32| number.to_le_bytes()).collect();
    let placed = card.buffer(bytes.len(), BufferUsages::VERTEX | BufferUsages::COPY_DST);
    card.queue.write_buffer(&placed, 0, &bytes);
    let attributes = vertex_attr_array![0 => Float32x4, 1 => Float32x4, 2 => Float32x4, 3 => Float32x4];
    let by_processor = card.draw("placed", &attributes, &placed, None)?;

    let pixels = || by_card.as_chunks::<4>().0.iter().zip(by_processor.as_chunks::<4>().0);
    let drawn = pixels().filter(|(one, _)| **one != [0, 0, 0, 255]).count();
    let different = pixels().filter(|(one, other)| one != other).count();
    println!("{drawn} pixels show bodies, {different} differ between the graphics card and the processor");
    if drawn < 100_000 || different > MAX_DIFFERENT {
        return Err(format!("at least 100000 pixels must show bodies, and at most {MAX_DIFFERENT} differ").into());
    }
    Ok(())
}

/// A body on a sphere that rotates, the last ones by large angles.
fn pose(body: usize, time: f32) -> Pose3 {
    let part = body as f32 / BODIES as f32;
    let height = 2.0 * part - 1.0;
    let (sin, cos) = (body as f32 * 2.399_963 + time).sin_cos(); // the golden angle spaces them evenly
    let radius = (1.0 - height * height).sqrt();
    let turn = Quat::from_scaled_axis([time * part * 8.0, 0.5 * cos, part * 20.0 + time]);
    Pose3::new([1.2 * radius * cos, 1.2 * height, 0.3 + 0.2 * radius * sin], turn)
}

/// Writes the poses of a range of bodies into the buffer. Returns the number of bytes.
fn upload(card: &Card, buffer: &wgpu::Buffer, poses: &Poses3, bodies: std::ops::Range<usize>) -> usize {
    let mut bytes = Vec::with_capacity(bodies.len() * STRIDE);
    let offset = (bodies.start * STRIDE) as u64;
    for body in bodies {
        let current = poses.current(body).unwrap_or_default();
        // A teleported body is not blended.
        let previous = if poses.has_teleported(body) {
            None
        } else {
            poses.previous(body)
        };
        for Pose3 { position, rotation } in [previous.unwrap_or(current), current] {
            let turn = [rotation.x, rotation.y, rotation.z, rotation.w];
            let numbers = position.into_iter().chain(turn);
            bytes.extend(numbers.flat_map(f32::to_le_bytes));
        }
    }
    card.queue.write_buffer(buffer, offset, &bytes);
    bytes.len()
}

/// A device, and a texture to draw into.
struct Card {
    device: wgpu::Device,
    queue: wgpu::Queue,
    texture: wgpu::Texture,
    shader: wgpu::ShaderModule,
}

impl Card {
    fn new() -> Result<Self, Box<dyn Error>> {
        let adapter =
            pollster::block_on(wgpu::Instance::default().request_adapter(&Default::default())).map_err(|error| {
                format!("no graphics adapter ({error}); on Debian: apt-get install mesa-vulkan-drivers")
            })?;
        println!("drawing with {}", adapter.get_info().name);
        let (device, queue) = pollster::block_on(adapter.request_device(&Default::default()))?;
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d {
                width: SIDE,
                height: SIDE,
                depth_or_array_layers: 1,
            },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let shader = device.create_shader_module(wgpu::include_wgsl!("blend.wgsl"));
        Ok(Self {
            device,
            queue,
            texture,
            shader,
        })
    }

    fn buffer(&self, size: usize, usage: BufferUsages) -> wgpu::Buffer {
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: size as u64,
            usage,
            mapped_at_creation: false,
        })
    }

    /// Draws all bodies with an entry point of the shader, and returns the pixels.
    fn draw(
        &self,
        entry: &str,
        attributes: &[VertexAttribute],
        bodies: &wgpu::Buffer,
        alpha: Option<&wgpu::Buffer>,
    ) -> Result<Vec<u8>, Box<dyn Error>> {
        let layout = wgpu::VertexBufferLayout {
            array_stride: attributes.iter().map(|attribute| attribute.format.size()).sum(),
            step_mode: wgpu::VertexStepMode::Instance,
            attributes,
        };
        let pipeline = self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: None,
            vertex: wgpu::VertexState {
                module: &self.shader,
                entry_point: Some(entry),
                compilation_options: Default::default(),
                buffers: &[Some(layout)],
            },
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                ..Default::default()
            },
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &self.shader,
                entry_point: None,
                compilation_options: Default::default(),
                targets: &[Some(self.texture.format().into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let group = alpha.map(|alpha| {
            self.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: None,
                layout: &pipeline.get_bind_group_layout(0),
                entries: &[wgpu::BindGroupEntry {
                    binding: 0,
                    resource: alpha.as_entire_binding(),
                }],
            })
        });
        let pixels = self.buffer(
            (4 * SIDE * SIDE) as usize,
            BufferUsages::MAP_READ | BufferUsages::COPY_DST,
        );
        let view = self.texture.create_view(&Default::default());
        let mut commands = self.device.create_command_encoder(&Default::default());
        let mut pass = commands.begin_render_pass(&wgpu::RenderPassDescriptor {
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, group.as_ref(), &[]);
        pass.set_vertex_buffer(0, bodies.slice(..));
        pass.draw(0..4, 0..BODIES as u32);
        drop(pass);
        let into = wgpu::TexelCopyBufferInfo {
            buffer: &pixels,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(4 * SIDE),
                rows_per_image: None,
            },
        };
        commands.copy_texture_to_buffer(self.texture.as_image_copy(), into, self.texture.size());
        self.queue.submit([commands.finish()]);
        pixels.map_async(wgpu::MapMode::Read, .., |_| {});
        self.device.poll(wgpu::PollType::wait_indefinitely())?;
        Ok(pixels.get_mapped_range(..)?.to_vec())
    }
}
