//! Interpolates the bodies of a fixed-timestep simulation on the GPU.
//!
//! A renderer that interpolates on the CPU uploads the pose of every body in every frame. A [`PoseBuffer`] uploads the poses before
//! and after the last step once per step, and only those of bodies that moved. A frame then uploads four bytes for any number of
//! bodies, and the vertex shader interpolates with the functions of [`WGSL2`] or [`WGSL3`].
//!
//! ```no_run
//! use evenstep::{FixedTimestep, Rate};
//! use evenstep::poses::{Pose2, Poses2, Rot2};
//! use evenstep_wgpu::{Instances, PoseBuffer, WGSL2};
//! # use std::time::Duration;
//! # fn simulate(_: &mut Poses2) {}
//!
//! # fn run(device: wgpu::Device, queue: wgpu::Queue, delta: Duration) {
//! let mut timestep = FixedTimestep::new(Rate::hz(60));
//! let mut poses = Poses2::new();
//! poses.push(Pose2::IDENTITY);
//! let mut buffer = PoseBuffer::new(&device, &poses);
//!
//! // The shader gets the two poses of its body as attributes, and alpha as a uniform:
//! let shader = format!(
//!     "{WGSL2}
//!     struct Frame {{ alpha: f32 }}
//!     @group(0) @binding(0) var<uniform> frame: Frame;
//!
//!     @vertex
//!     fn vertex(
//!         @builtin(vertex_index) corner: u32,
//!         @location(0) previous: vec4<f32>,
//!         @location(1) current: vec4<f32>,
//!     ) -> @builtin(position) vec4<f32> {{
//!         let pose = evenstep_blend2(previous, current, frame.alpha);
//!         let point = vec2<f32>(f32(corner & 1u), f32(corner >> 1u)) - 0.5;
//!         return vec4<f32>(evenstep_transform2(pose, point), 0.0, 1.0);
//!     }}"
//! );
//! let attributes = Poses2::attributes(0);
//! let layout = PoseBuffer::<Poses2>::layout(&attributes); // for the pipeline's vertex state
//! # let _ = (shader, layout);
//!
//! // In every frame:
//! let frame = timestep.advance(delta);
//! let any_steps = frame.steps().len() > 0;
//! for _ in frame.steps() {
//!     poses.begin_step();
//!     simulate(&mut poses);
//! }
//! if any_steps {
//!     buffer.upload(&device, &queue, &poses);
//! }
//! buffer.set_alpha(&queue, frame.alpha());
//! # }
//! ```
//!
//! `cargo run --release -p evenstep-wgpu --example many_bodies` draws 100 000 bodies and compares the image with one whose bodies
//! were interpolated on the CPU.

mod instances;
mod pose_buffer;

pub use instances::Instances;
pub use pose_buffer::PoseBuffer;

/// WGSL functions that interpolate poses and transform points in two dimensions: `evenstep_blend2` and `evenstep_transform2`. Put
/// it before the shader's own code.
pub const WGSL2: &str = include_str!("blend2.wgsl");

/// WGSL functions that interpolate poses and transform points in three dimensions: `evenstep_position3`, `evenstep_rotation3` and `evenstep_transform3`.
pub const WGSL3: &str = include_str!("blend3.wgsl");
