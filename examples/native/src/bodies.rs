//! Draws bodies that the graphics card interpolates.

use std::ops::Range;

use evenstep::Frame;
use evenstep_wgpu::{Instances, PoseBuffer};
use glam::{Vec3, vec3};
use wgpu::util::{BufferInitDescriptor, DeviceExt as _};
use wgpu::{BufferUsages, VertexBufferLayout, VertexStepMode, vertex_attr_array};

use crate::Screen;

/// The shape of a body and its colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    /// Half the width, height and depth. In the plane the depth selects the shape: 0 is a box, 1 a ball, 2 a ring, 3 a background that
    /// darkens upwards.
    pub half: Vec3,
    /// Red, green and blue, each from 0 to 1.
    pub colour: Vec3,
}

impl Shape {
    /// A shape from its parts.
    #[must_use]
    pub const fn new(half: Vec3, colour: Vec3) -> Self {
        Self { half, colour }
    }
}

/// A colour between orange, for 0, and blue, for 1.
#[must_use]
pub fn hue(part: f32) -> Vec3 {
    let stops = [
        vec3(1.0, 0.66, 0.26),
        vec3(0.97, 0.36, 0.42),
        vec3(0.62, 0.36, 0.86),
        vec3(0.30, 0.62, 1.0),
    ];
    let place = 3.0 * part.clamp(0.0, 1.0);
    let stop = (place as usize).min(2);
    stops[stop].lerp(stops[stop + 1], place - stop as f32)
}

/// Bodies that the graphics card blends between two steps and draws, each as a strip of triangles.
pub struct Bodies<P> {
    poses: PoseBuffer<P>,
    shapes: wgpu::Buffer,
    view: wgpu::Buffer,
    pipeline: wgpu::RenderPipeline,
    binding: wgpu::BindGroup,
}

impl<P: Instances> Bodies<P> {
    /// Creates bodies with these poses and shapes.
    ///
    /// `shader` is WGSL. Its locations from 0 on are the poses before and after the step; location 8 is half the sides and 9 the colour. In
    /// group 0, binding 0 is `alpha`, and binding 1 has `view` numbers, which [`update`](Self::update) sets for each frame.
    #[must_use]
    pub fn new(screen: &Screen, shader: &str, poses: &P, shapes: &[Shape], view: usize) -> Self {
        let device = screen.device();
        let attributes = P::attributes(0);
        let shape = VertexBufferLayout {
            array_stride: size_of::<Shape>() as u64,
            step_mode: VertexStepMode::Instance,
            attributes: &vertex_attr_array![8 => Float32x3, 9 => Float32x3],
        };
        let pipeline = screen.pipeline(
            shader,
            &[Some(PoseBuffer::<P>::layout(attributes.as_ref())), Some(shape)],
        );
        let shapes: Vec<f32> = shapes
            .iter()
            .flat_map(|shape| [shape.half, shape.colour])
            .flat_map(|part| part.to_array())
            .collect();
        let buffer = |numbers: &[f32], usage| {
            let contents = &bytes(numbers);
            let label = None;
            device.create_buffer_init(&BufferInitDescriptor { label, contents, usage })
        };
        let view = buffer(&vec![0.0; view], BufferUsages::UNIFORM | BufferUsages::COPY_DST);
        let bodies = PoseBuffer::new(device, poses);
        let resources = [bodies.alpha(), &view].map(wgpu::Buffer::as_entire_binding);
        Self {
            shapes: buffer(&shapes, BufferUsages::VERTEX),
            binding: screen.bind(&pipeline, &resources),
            poses: bodies,
            view,
            pipeline,
        }
    }

    /// Uploads the data of a frame to the graphics card: the poses, if there were steps, the frame's place between two steps, and its
    /// view.
    pub fn update(&mut self, screen: &Screen, poses: &P, frame: &Frame, view: &[f32]) {
        if frame.steps().len() > 0 {
            self.poses.upload(screen.device(), screen.queue(), poses);
        }
        self.poses.set_alpha(screen.queue(), screen.alpha(frame));
        screen.queue().write_buffer(&self.view, 0, &bytes(view));
    }

    /// Draws a range of bodies, each as a strip with `corners` corners.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>, corners: u32, bodies: Range<usize>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.binding, &[]);
        pass.set_vertex_buffer(0, self.poses.instances().slice(..));
        pass.set_vertex_buffer(1, self.shapes.slice(..));
        pass.draw(0..corners, bodies.start as u32..bodies.end as u32);
    }
}

fn bytes(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}
