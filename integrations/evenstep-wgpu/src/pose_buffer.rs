use std::marker::PhantomData;
use std::ops::Range;

use wgpu::{
    Buffer, BufferAddress, BufferDescriptor, BufferUsages, Device, Queue, VertexAttribute, VertexBufferLayout,
    VertexStepMode,
};

use crate::Instances;

/// Bodies that a buffer has room for at least.
const LEAST_ROOM: usize = 64;

/// Bodies at rest between others that are uploaded with them: that is faster than two writes.
const WORTH_A_WRITE: usize = 256;

/// Bytes of the uniform that holds alpha: a uniform's size is a multiple of 16.
const ALPHA_SIZE: BufferAddress = 16;

/// The states of bodies before and after the last step, in the memory of the graphics card, and the alpha to blend them
/// with. `P` is [`Poses2`](evenstep::poses::Poses2) or [`Poses3`](evenstep::poses::Poses3).
///
/// A body that jumped in the last step is at its new place from the step's first frame on.
#[derive(Debug)]
pub struct PoseBuffer<P> {
    instances: Buffer,
    alpha: Buffer,
    /// Bodies that there is room for.
    room: usize,
    /// The step that was uploaded last.
    uploaded: u64,
    bytes: Vec<u8>,
    poses: PhantomData<P>,
}

impl<P: Instances> PoseBuffer<P> {
    /// A buffer with room for these bodies; the first [`upload`](Self::upload) fills it.
    #[must_use]
    pub fn new(device: &Device, poses: &P) -> Self {
        let room = poses.count().max(LEAST_ROOM);
        Self {
            instances: instances::<P>(device, room),
            alpha: device.create_buffer(&BufferDescriptor {
                label: Some("alpha"),
                size: ALPHA_SIZE,
                usage: BufferUsages::UNIFORM | BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            room,
            uploaded: 0,
            bytes: Vec::new(),
            poses: PhantomData,
        }
    }

    /// Hands the card what has changed since the last call: to be called after the steps of a frame, if there were any, and
    /// after bodies were added, removed or put elsewhere; always with the same bodies. Answers with the number of bytes.
    pub fn upload(&mut self, device: &Device, queue: &Queue, poses: &P) -> usize {
        let count = poses.count();
        if count > self.room {
            self.room = count.next_power_of_two();
            self.instances = instances::<P>(device, self.room);
            self.uploaded = 0;
        }
        let mut written = 0;
        for bodies in joined(poses.changed_since(self.uploaded)) {
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

    /// Sets the alpha of the frame: where between the two states it is drawn, from 0 to 1.
    pub fn set_alpha(&self, queue: &Queue, alpha: f64) {
        queue.write_buffer(&self.alpha, 0, &(alpha as f32).to_le_bytes());
    }

    /// The instance buffer, for `set_vertex_buffer`. It is another one after bodies were added beyond its room.
    pub const fn instances(&self) -> &Buffer {
        &self.instances
    }

    /// The uniform with alpha, an `f32`, for a bind group.
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

fn instances<P: Instances>(device: &Device, room: usize) -> Buffer {
    device.create_buffer(&BufferDescriptor {
        label: Some("poses before and after a step"),
        size: (room * P::STRIDE) as BufferAddress,
        usage: BufferUsages::VERTEX | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    })
}

/// Ranges in ascending order, with those joined between which there is little.
fn joined(mut ranges: impl Iterator<Item = Range<usize>>) -> impl Iterator<Item = Range<usize>> {
    let mut pending = ranges.next();
    std::iter::from_fn(move || {
        let mut range = pending.take()?;
        for next in ranges.by_ref() {
            if next.start - range.end > WORTH_A_WRITE {
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
        joined(ranges.iter().cloned()).collect()
    }

    #[test]
    fn ranges_are_joined_over_small_gaps_and_only_over_those() {
        assert_eq!(all(&[]), []);
        let far = 96 + WORTH_A_WRITE + 1;
        assert_eq!(all(&[0..32, 64..96, far..far + 32]), [0..96, far..far + 32]);
        assert_eq!(all(&[0..32, 1000..1032, 2000..2032]), [0..32, 1000..1032, 2000..2032]);
    }
}
