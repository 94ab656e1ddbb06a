//! The GPU buffers: the poses of all bodies, and alpha.

use std::marker::PhantomData;
use std::ops::Range;

use wgpu::{
    Buffer, BufferAddress, BufferDescriptor, BufferUsages, Device, Queue, VertexAttribute, VertexBufferLayout,
    VertexStepMode,
};

use crate::Instances;

/// The smallest capacity of a buffer, in bodies.
const MIN_CAPACITY: usize = 64;

/// The largest gap, in bodies, between two ranges that are uploaded in one write: the extra bytes cost less than a second write.
const MAX_GAP: usize = 256;

/// The size in bytes of the uniform buffer with alpha: uniform sizes are multiples of 16.
const ALPHA_SIZE: BufferAddress = 16;

/// The poses of bodies before and after the last step in GPU memory, and the alpha to interpolate between them. `P` is [`Poses2`](evenstep::poses::Poses2) or [`Poses3`](evenstep::poses::Poses3).
///
/// A body that was teleported in the last step is drawn at its new pose from the step's first frame on.
#[derive(Debug)]
pub struct PoseBuffer<P> {
    instances: Buffer,
    alpha: Buffer,
    /// The capacity in bodies.
    capacity: usize,
    /// The number of the step that was uploaded last.
    uploaded: u64,
    bytes: Vec<u8>,
    poses: PhantomData<P>,
}

impl<P: Instances> PoseBuffer<P> {
    /// Creates a buffer with capacity for these bodies; the first [`upload`](Self::upload) fills it.
    #[must_use]
    pub fn new(device: &Device, poses: &P) -> Self {
        let capacity = poses.count().max(MIN_CAPACITY);
        Self {
            instances: instances::<P>(device, capacity),
            alpha: device.create_buffer(&BufferDescriptor {
                label: Some("alpha"),
                size: ALPHA_SIZE,
                usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            capacity,
            uploaded: 0,
            bytes: Vec::new(),
            poses: PhantomData,
        }
    }

    /// Uploads the poses that changed since the last call. Call it after the steps of a frame, if there were any, and after bodies
    /// were added, removed or teleported; always with the same `poses`. Returns the number of bytes that were uploaded.
    pub fn upload(&mut self, device: &Device, queue: &Queue, poses: &P) -> usize {
        let count = poses.count();
        if count > self.capacity {
            self.capacity = count.next_power_of_two();
            self.instances = instances::<P>(device, self.capacity);
            self.uploaded = 0;
        }
        let mut written = 0;
        for bodies in coalesced(poses.changed_since(self.uploaded)) {
            written += self.write(queue, poses, bodies);
        }
        self.uploaded = poses.last_step();
        written
    }

    fn write(&mut self, queue: &Queue, poses: &P, bodies: Range<usize>) -> usize {
        let offset = bodies.start * P::STRIDE;
        self.bytes.clear();
        poses.write(bodies, &mut self.bytes);
        queue.write_buffer(&self.instances, offset as BufferAddress, &self.bytes);
        self.bytes.len()
    }

    /// Sets the alpha of the frame, from 0 (the pose before the last step) to 1 (the pose after it).
    pub fn set_alpha(&self, queue: &Queue, alpha: f64) {
        queue.write_buffer(&self.alpha, 0, &(alpha as f32).to_le_bytes());
    }

    /// The instance buffer, for `set_vertex_buffer`. It is replaced when bodies are added beyond its capacity.
    pub const fn instances(&self) -> &Buffer {
        &self.instances
    }

    /// The uniform buffer with alpha, an `f32`, for a bind group.
    pub const fn alpha(&self) -> &Buffer {
        &self.alpha
    }

    /// The layout of the instance buffer, for a pipeline's vertex state.
    #[must_use]
    pub const fn layout(attributes: &[VertexAttribute]) -> VertexBufferLayout<'_> {
        VertexBufferLayout {
            array_stride: P::STRIDE as BufferAddress,
            step_mode: VertexStepMode::Instance,
            attributes,
        }
    }
}

fn instances<P: Instances>(device: &Device, capacity: usize) -> Buffer {
    device.create_buffer(&BufferDescriptor {
        label: Some("poses before and after a step"),
        size: (capacity * P::STRIDE) as BufferAddress,
        usage: BufferUsages::VERTEX | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

/// Merges ascending ranges whose gap is at most [`MAX_GAP`].
fn coalesced(mut ranges: impl Iterator<Item = Range<usize>>) -> impl Iterator<Item = Range<usize>> {
    let mut pending = ranges.next();
    std::iter::from_fn(move || {
        let mut range = pending.take()?;
        for next in ranges.by_ref() {
            if next.start - range.end > MAX_GAP {
                pending = Some(next);
                break;
            }
            range.end = next.end;
        }
        Some(range)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(ranges: &[Range<usize>]) -> Vec<Range<usize>> {
        coalesced(ranges.iter().cloned()).collect()
    }

    #[test]
    fn ranges_are_merged_over_small_gaps_only() {
        assert_eq!(all(&[]), []);
        let far = 96 + MAX_GAP + 1;
        assert_eq!(all(&[0..32, 64..96, far..far + 32]), [0..96, far..far + 32]);
        assert_eq!(all(&[0..32, 1000..1032, 2000..2032]), [0..32, 1000..1032, 2000..2032]);
    }
}
