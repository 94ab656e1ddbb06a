//! The layout of the two poses of a body in an instance buffer.

use std::ops::Range;

use evenstep::poses::{Pose2, Pose3, Poses2, Poses3};
use wgpu::{VertexAttribute, vertex_attr_array};

/// Poses of many bodies as instance data for a vertex shader: for each body, the pose before the last step and the pose after it.
pub trait Instances {
    /// The type of the vertex attributes.
    type Attributes: AsRef<[VertexAttribute]>;

    /// The size of a body's data in bytes.
    const STRIDE: usize;

    /// The vertex attributes of a body, from the shader location `first_location` on. In two dimensions they are two `vec4<f32>`: position, cosine and sine
    /// of the angle, before the step and after it. In three dimensions they are four: position (`vec3<f32>`) and quaternion
    /// (`vec4<f32>`) before the step, and both after it.
    fn attributes(first_location: u32) -> Self::Attributes;

    /// The number of bodies.
    fn count(&self) -> usize;

    /// The number of the last step.
    fn last_step(&self) -> u64;

    /// The ranges of bodies whose poses may have changed since an earlier step.
    fn changed_since(&self, step: u64) -> impl Iterator<Item = Range<usize>>;

    /// Appends the data of a range of bodies.
    fn write(&self, bodies: Range<usize>, bytes: &mut Vec<u8>);
}

macro_rules! instances {
    ($poses:ty, $floats:literal, $to_floats:path, $attributes:expr, $count:literal) => {
        impl Instances for $poses {
            type Attributes = [VertexAttribute; $count];

            const STRIDE: usize = 2 * $floats * size_of::<f32>();

            fn attributes(first_location: u32) -> Self::Attributes {
                let mut attributes: Self::Attributes = $attributes;
                for attribute in &mut attributes {
                    attribute.shader_location += first_location;
                }
                attributes
            }

            fn count(&self) -> usize {
                self.len()
            }

            fn last_step(&self) -> u64 {
                self.step()
            }

            fn changed_since(&self, step: u64) -> impl Iterator<Item = Range<usize>> {
                self.moved_since(step)
            }

            fn write(&self, bodies: Range<usize>, bytes: &mut Vec<u8>) {
                for body in bodies {
                    let current = self.current(body);
                    // A teleported body is not interpolated.
                    let previous = if self.has_teleported(body) {
                        current
                    } else {
                        self.previous(body)
                    };
                    for number in [previous, current].into_iter().flatten().flat_map($to_floats) {
                        bytes.extend_from_slice(&number.to_le_bytes());
                    }
                }
            }
        }
    };
}

fn floats2(pose: Pose2) -> [f32; 4] {
    let [x, y] = pose.position;
    [x, y, pose.rotation.cos, pose.rotation.sin]
}

fn floats3(pose: Pose3) -> [f32; 7] {
    let ([x, y, z], turn) = (pose.position, pose.rotation);
    [x, y, z, turn.x, turn.y, turn.z, turn.w]
}

instances!(
    Poses2,
    4,
    floats2,
    vertex_attr_array![0 => Float32x4, 1 => Float32x4],
    2
);
instances!(
    Poses3,
    7,
    floats3,
    vertex_attr_array![0 => Float32x3, 1 => Float32x4, 2 => Float32x3, 3 => Float32x4],
    4
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_lie_one_after_the_other_and_fill_the_stride() {
        fn check<P: Instances>() {
            let attributes = P::attributes(5);
            let mut end = 0;
            for (location, attribute) in (5..).zip(attributes.as_ref()) {
                assert_eq!((attribute.shader_location, attribute.offset), (location, end));
                end += attribute.format.size();
            }
            assert_eq!(end, P::STRIDE as u64);
        }
        check::<Poses2>();
        check::<Poses3>();
    }

    #[test]
    fn bytes_are_the_states_before_and_after_the_step() {
        let mut poses = Poses2::new();
        for x in [1.0, 2.0] {
            poses.push(Pose2 {
                position: [x, 0.0],
                ..Pose2::IDENTITY
            });
        }
        poses.begin_step();
        let target = Pose2 {
            position: [3.0, 4.0],
            ..Pose2::IDENTITY
        };
        poses.set(0, target);
        poses.teleport(1, target);
        let mut bytes = Vec::new();
        poses.write(0..2, &mut bytes);
        let numbers: Vec<f32> = bytes
            .as_chunks()
            .0
            .iter()
            .map(|bytes| f32::from_le_bytes(*bytes))
            .collect();
        let (before, after) = ([1.0, 0.0, 1.0, 0.0], [3.0, 4.0, 1.0, 0.0]);
        assert_eq!(numbers, [before, after, after, after].concat());
        assert_eq!(bytes.len(), 2 * Poses2::STRIDE);
    }
}
