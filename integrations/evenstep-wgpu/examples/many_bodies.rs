//! Draws 100 000 bodies in two dimensions and 100 000 in three, interpolated on the GPU from poses that are uploaded once per step,
//! and interpolated on the CPU as matrices. Fails if the images differ.
//!
//! `cargo run --release -p evenstep-wgpu --example many_bodies [FOLDER]` also writes the images. Any adapter works,
//! including Mesa's software renderer lavapipe.

use std::error::Error;
use std::f32::consts::TAU;
use std::fs::File;
use std::path::PathBuf;

use evenstep::poses::{Pose2, Pose3, Poses2, Poses3, Quat, Rot2};
use evenstep_wgpu::{Instances, PoseBuffer, WGSL2, WGSL3};

const BODIES: usize = 100_000;
/// Width and height of the images in pixels. The bytes of a row are a multiple of wgpu's copy alignment.
const SIDE: u32 = 1024;
const ALPHA: f64 = 0.4;
/// The bodies that still move after the first step.
const SOME: std::ops::Range<usize> = 60_000..80_000;
/// The number of pixels that may differ: the GPU may round differently, which shows where an edge crosses the centre of a pixel.
const MOST_DIFFERENT: usize = 200;

/// The end of all shaders: the colour of each body, and the corners of its rectangle.
const COMMON: &str = "
struct Corner { @builtin(position) place: vec4<f32>, @location(0) @interpolate(flat) colour: vec3<f32> }

fn colour(body: u32) -> vec3<f32> {
    let hue = f32(body % 6151u) / 6151.0 * 6.2831853;
    return 0.55 + 0.45 * cos(vec3<f32>(hue, hue + 2.1, hue + 4.2));
}

fn rectangle(corner: u32) -> vec2<f32> {
    return (vec2<f32>(f32(corner & 1u), f32(corner >> 1u)) - 0.5) * vec2<f32>(0.010, 0.004);
}

@fragment
fn fragment(corner: Corner) -> @location(0) vec4<f32> {
    return vec4<f32>(corner.colour, 1.0);
}
";

const BLENDED2: &str = "
struct Frame { alpha: f32 }
@group(0) @binding(0) var<uniform> frame: Frame;

@vertex
fn vertex(
    @builtin(vertex_index) corner: u32, @builtin(instance_index) body: u32,
    @location(0) previous: vec4<f32>, @location(1) current: vec4<f32>,
) -> Corner {
    let pose = evenstep_blend2(previous, current, frame.alpha);
    return Corner(vec4<f32>(evenstep_transform2(pose, rectangle(corner)), 0.0, 1.0), colour(body));
}
";

const MATRICES2: &str = "
@vertex
fn vertex(
    @builtin(vertex_index) corner: u32, @builtin(instance_index) body: u32,
    @location(0) x: vec2<f32>, @location(1) y: vec2<f32>, @location(2) place: vec2<f32>,
) -> Corner {
    let point = rectangle(corner);
    return Corner(vec4<f32>(x * point.x + y * point.y + place, 0.0, 1.0), colour(body));
}
";

const BLENDED3: &str = "
struct Frame { alpha: f32 }
@group(0) @binding(0) var<uniform> frame: Frame;

@vertex
fn vertex(
    @builtin(vertex_index) corner: u32, @builtin(instance_index) body: u32,
    @location(0) from_place: vec3<f32>, @location(1) from_turn: vec4<f32>,
    @location(2) to_place: vec3<f32>, @location(3) to_turn: vec4<f32>,
) -> Corner {
    let place = evenstep_position3(from_place, to_place, frame.alpha);
    let turn = evenstep_rotation3(from_turn, to_turn, frame.alpha);
    let point = evenstep_transform3(place, turn, vec3<f32>(rectangle(corner), 0.0));
    return Corner(vec4<f32>(point.xy, 0.5 * point.z, point.z + 1.0), colour(body));
}
";

const MATRICES3: &str = "
@vertex
fn vertex(
    @builtin(vertex_index) corner: u32, @builtin(instance_index) body: u32,
    @location(0) x: vec4<f32>, @location(1) y: vec4<f32>, @location(2) z: vec4<f32>, @location(3) place: vec4<f32>,
) -> Corner {
    let point = mat4x4<f32>(x, y, z, place) * vec4<f32>(rectangle(corner), 0.0, 1.0);
    return Corner(vec4<f32>(point.xy, 0.5 * point.z, point.z + 1.0), colour(body));
}
";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let renderer = Renderer::new()?;
    println!("drawing with {}", renderer.adapter);
    let steps = plane();
    let plane = &steps[steps.len() - 1];
    let mut matrices = vec![[[0.0; 2]; 3]; plane.len()];
    plane.clone().blend_all_matrices(ALPHA, &mut matrices);
    let columns = wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32x2, 2 => Float32x2];
    let by_gpu = renderer.blended(&steps, &[WGSL2, BLENDED2, COMMON].concat())?;
    let by_cpu = renderer.placed(
        &[MATRICES2, COMMON].concat(),
        &columns,
        matrices.as_flattened().as_flattened(),
    )?;
    compare("plane", &by_gpu, &by_cpu, folder.as_ref())?;

    let steps = space();
    let space = &steps[steps.len() - 1];
    let mut matrices = vec![[[0.0; 4]; 4]; space.len()];
    space.clone().blend_all_matrices(ALPHA, &mut matrices);
    let columns = wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x4, 2 => Float32x4, 3 => Float32x4];
    let by_gpu = renderer.blended(&steps, &[WGSL3, BLENDED3, COMMON].concat())?;
    let by_cpu = renderer.placed(
        &[MATRICES3, COMMON].concat(),
        &columns,
        matrices.as_flattened().as_flattened(),
    )?;
    compare("space", &by_gpu, &by_cpu, folder.as_ref())
}

/// The bodies after a step in which all of them move, and after each of two steps in which some of them move.
macro_rules! steps {
    ($poses:ty, $at:expr) => {{
        let mut poses = <$poses>::new();
        (0..BODIES).for_each(|body| _ = poses.push($at(body, 0.0)));
        poses.begin_step();
        (0..BODIES).for_each(|body| {
            poses.set(body, $at(body, 0.1));
        });
        let mut steps = vec![poses.clone()];
        for time in [0.2, 0.3] {
            poses.begin_step();
            SOME.for_each(|body| {
                poses.set(body, $at(body, time));
            });
            steps.push(poses.clone());
        }
        steps
    }};
}

/// The angle between neighbours on a spiral with evenly spaced points.
const GOLDEN_ANGLE: f32 = 2.399_963;

/// Bodies on a disc that rotates and pulsates.
fn plane() -> Vec<Poses2> {
    let at = |body: usize, time: f32| {
        let way = body as f32 / BODIES as f32;
        let (sin, cos) = (body as f32 * GOLDEN_ANGLE + 0.2 * time).sin_cos();
        let radius = 0.97 * way.sqrt() * (1.0 - 0.05 * (way * 60.0 + time).cos());
        Pose2::new(
            [radius * cos, radius * sin],
            Rot2::from_radians(way * 3.0 * TAU + 2.0 * time),
        )
    };
    steps!(Poses2, at)
}

/// Bodies on a sphere that rotates, the last ones by large angles.
fn space() -> Vec<Poses3> {
    let at = |body: usize, time: f32| {
        let way = body as f32 / BODIES as f32;
        let height = 2.0 * way - 1.0;
        let (sin, cos) = (body as f32 * GOLDEN_ANGLE + time).sin_cos();
        let radius = (1.0 - height * height).sqrt();
        let turn = Quat::from_scaled_axis([time * way * 8.0, 0.5 * cos, way * 20.0 + time]);
        Pose3::new([1.2 * radius * cos, 1.2 * height, 0.3 + 0.2 * radius * sin], turn)
    };
    steps!(Poses3, at)
}

/// Prints how many pixels of two images differ. Fails if too many differ or too few show bodies.
fn compare(name: &str, one: &[u8], other: &[u8], folder: Option<&PathBuf>) -> Result<(), Box<dyn Error>> {
    if let Some(folder) = folder {
        std::fs::create_dir_all(folder)?;
        for (device, pixels) in [("gpu", one), ("cpu", other)] {
            let path = folder.join(format!("{name}-{device}.png"));
            let mut encoder = png::Encoder::new(File::create(&path)?, SIDE, SIDE);
            encoder.set_color(png::ColorType::Rgba);
            encoder.write_header()?.write_image_data(pixels)?;
            println!("wrote {}", path.display());
        }
    }
    let pixels = || one.as_chunks::<4>().0.iter().zip(other.as_chunks::<4>().0);
    let drawn = pixels().filter(|(one, _)| **one != [0, 0, 0, 255]).count();
    let different = pixels().filter(|(one, other)| one != other).count();
    println!("{name}: {drawn} pixels show bodies, {different} differ between the GPU and the CPU");
    if drawn < 100_000 || different > MOST_DIFFERENT {
        return Err(
            format!("{name}: at least 100000 pixels must show bodies, and at most {MOST_DIFFERENT} differ").into(),
        );
    }
    Ok(())
}

/// A device, and a texture to draw into.
struct Renderer {
    adapter: String,
    device: wgpu::Device,
    queue: wgpu::Queue,
    texture: wgpu::Texture,
}

impl Renderer {
    fn new() -> Result<Self, Box<dyn Error>> {
        let adapter =
            pollster::block_on(wgpu::Instance::default().request_adapter(&Default::default())).map_err(|error| {
                format!("no graphics adapter ({error}); on Debian: apt-get install mesa-vulkan-drivers")
            })?;
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
        Ok(Self {
            adapter: adapter.get_info().name,
            device,
            queue,
            texture,
        })
    }

    /// The image of bodies that the GPU interpolates, after several steps.
    fn blended<P: Instances>(&self, steps: &[P], shader: &str) -> Result<Vec<u8>, Box<dyn Error>> {
        let mut buffer = PoseBuffer::new(&self.device, &steps[0]);
        for poses in steps {
            let bytes = buffer.upload(&self.device, &self.queue, poses);
            println!("a step uploads {bytes} bytes, a frame 4");
        }
        buffer.set_alpha(&self.queue, ALPHA);
        let attributes = P::attributes(0);
        let pipeline = self.pipeline(shader, PoseBuffer::<P>::layout(attributes.as_ref()));
        let frame = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: buffer.alpha().as_entire_binding(),
            }],
        });
        self.draw(&pipeline, Some(&frame), buffer.instances())
    }

    /// The image of bodies that were interpolated on the CPU.
    fn placed(
        &self,
        shader: &str,
        columns: &[wgpu::VertexAttribute],
        matrices: &[f32],
    ) -> Result<Vec<u8>, Box<dyn Error>> {
        let bytes: Vec<u8> = matrices.iter().flat_map(|number| number.to_le_bytes()).collect();
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: bytes.len() as u64,
            usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        self.queue.write_buffer(&buffer, 0, &bytes);
        let layout = wgpu::VertexBufferLayout {
            array_stride: columns.iter().map(|column| column.format.size()).sum(),
            step_mode: wgpu::VertexStepMode::Instance,
            attributes: columns,
        };
        self.draw(&self.pipeline(shader, layout), None, &buffer)
    }

    fn pipeline(&self, shader: &str, layout: wgpu::VertexBufferLayout<'_>) -> wgpu::RenderPipeline {
        let module = self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(shader.into()),
        });
        self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: None,
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
                module: &module,
                entry_point: None,
                compilation_options: Default::default(),
                targets: &[Some(self.texture.format().into())],
            }),
            multiview_mask: None,
            cache: None,
        })
    }

    /// Draws all bodies, and returns the pixels.
    fn draw(
        &self,
        pipeline: &wgpu::RenderPipeline,
        frame: Option<&wgpu::BindGroup>,
        instances: &wgpu::Buffer,
    ) -> Result<Vec<u8>, Box<dyn Error>> {
        let pixels = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: u64::from(4 * SIDE * SIDE),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
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
        pass.set_pipeline(pipeline);
        pass.set_bind_group(0, frame, &[]);
        pass.set_vertex_buffer(0, instances.slice(..));
        pass.draw(0..4, 0..BODIES as u32);
        drop(pass);
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(4 * SIDE),
            rows_per_image: None,
        };
        let into = wgpu::TexelCopyBufferInfo {
            buffer: &pixels,
            layout,
        };
        commands.copy_texture_to_buffer(self.texture.as_image_copy(), into, self.texture.size());
        self.queue.submit([commands.finish()]);
        pixels.map_async(wgpu::MapMode::Read, .., |_| {});
        self.device.poll(wgpu::PollType::wait_indefinitely())?;
        Ok(pixels.get_mapped_range(..)?.to_vec())
    }
}
