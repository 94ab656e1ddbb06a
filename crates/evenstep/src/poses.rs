//! Smoothing for many bodies at once.

use crate::rotation::NEARLY_EQUAL;
use crate::{Blend as _, Pose2, Pose3, Quat, Rot2, math};

mod blocks;

use blocks::{Block, Blocks, Lanes, WIDTH, at};

macro_rules! poses {
    (
        $(#[$doc:meta])* $name:ident, $pose:ty, $lanes:literal, $matrix:ty, $shape:literal,
        $into:expr, $from:expr, $to_matrix:expr, $blend:path
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        pub struct $name {
            blocks: Blocks<$lanes>,
        }

        impl $name {
            /// No bodies.
            #[must_use]
            pub const fn new() -> Self {
                Self { blocks: Blocks::new() }
            }

            /// How many bodies there are.
            #[must_use]
            pub const fn len(&self) -> usize {
                self.blocks.len()
            }

            /// Whether there are none.
            #[must_use]
            pub const fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Adds a body that was there before. Answers with its index.
            pub fn push(&mut self, pose: $pose) -> usize {
                self.blocks.push($into(pose))
            }

            /// Removes a body; the last one takes its index. None if there is no such body.
            pub fn swap_remove(&mut self, index: usize) -> Option<$pose> {
                self.blocks.swap_remove(index).map($from)
            }

            /// Begins a step: what is current becomes what was previous. Costs nothing for bodies that have not moved.
            pub fn begin_step(&mut self) {
                self.blocks.begin_step();
            }

            /// Says where a body is after the step. Bodies that do not move need not be told of; an index that there is not is
            /// ignored.
            #[inline]
            pub fn set(&mut self, index: usize, pose: $pose) {
                self.blocks.set(index, $into(pose));
            }

            /// The same, for a body that did not go there but jumped: it is not drawn anywhere between.
            pub fn teleport(&mut self, index: usize, pose: $pose) {
                let state = $into(pose);
                self.blocks.put(index, state, state);
            }

            /// Where a body was before the step.
            #[must_use]
            pub fn previous(&self, index: usize) -> Option<$pose> {
                self.blocks.previous(index).map($from)
            }

            /// Where a body is after the step.
            #[must_use]
            pub fn current(&self, index: usize) -> Option<$pose> {
                self.blocks.current(index).map($from)
            }

            /// Writes the pose to draw at `alpha` of every body that has moved since the last call. The others keep what
            /// that call wrote: use one buffer for all calls. It may be shorter or longer than there are bodies.
            pub fn blend(&mut self, alpha: f64, out: &mut [$pose]) {
                self.write(alpha, out, false, $from);
            }

            /// The same of all bodies, for a buffer that is new.
            pub fn blend_all(&mut self, alpha: f64, out: &mut [$pose]) {
                self.write(alpha, out, true, $from);
            }

            #[doc = concat!("As [`blend`](Self::blend), as ", $shape, " with the columns one after the other, for instanced drawing.")]
            pub fn blend_matrices(&mut self, alpha: f64, out: &mut [$matrix]) {
                self.write(alpha, out, false, $to_matrix);
            }

            #[doc = concat!("As [`blend_all`](Self::blend_all), as ", $shape, " with the columns one after the other.")]
            pub fn blend_all_matrices(&mut self, alpha: f64, out: &mut [$matrix]) {
                self.write(alpha, out, true, $to_matrix);
            }

            #[inline]
            fn write<T>(&mut self, alpha: f64, out: &mut [T], all: bool, shape: impl Fn([f32; $lanes]) -> T) {
                let mut drawn = [[0.0; WIDTH]; $lanes];
                for (block, out) in self.blocks.stale(out, all) {
                    let lanes = if alpha <= 0.0 {
                        &block.previous
                    } else if alpha >= 1.0 || !block.has_moved {
                        &block.current
                    } else {
                        $blend(block, alpha, &mut drawn);
                        &drawn
                    };
                    if let Ok(out) = <&mut [T; WIDTH]>::try_from(&mut *out) {
                        // A whole block, whose length the compiler knows.
                        for place in 0..WIDTH {
                            out[place] = shape(at(lanes, place));
                        }
                    } else {
                        for (place, out) in out.iter_mut().enumerate() {
                            *out = shape(at(lanes, place));
                        }
                    }
                }
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::new()
            }
        }
    };
}

poses! {
    /// Poses of many bodies in the plane, smoothed together: what [`Smoothed`](crate::Smoothed) does for one body, at the speed of
    /// memory.
    ///
    /// Bodies that rest cost nothing. The numbers of 64 bodies lie side by side, so that the compiler blends several at
    /// once; what is drawn is to the bit what [`Pose2`]'s own [`Blend`](crate::Blend) gives.
    ///
    /// ```
    /// use evenstep::{Pose2, Poses2, Rot2};
    ///
    /// let mut poses = Poses2::new();
    /// let ball = poses.push(Pose2::IDENTITY);
    /// let mut drawn = vec![Pose2::IDENTITY; poses.len()];
    /// // in every step, for bodies that have moved:
    /// poses.begin_step();
    /// poses.set(ball, Pose2::new([4.0, 2.0], Rot2::IDENTITY));
    /// // in every frame:
    /// poses.blend(0.25, &mut drawn);
    /// assert_eq!(drawn[ball].position, [1.0, 0.5]);
    /// ```
    Poses2, Pose2, 4, [[f32; 2]; 3], "3×2 matrices",
    |pose: Pose2| [pose.position[0], pose.position[1], pose.rotation.cos, pose.rotation.sin],
    |[x, y, cos, sin]: [f32; 4]| Pose2::new([x, y], Rot2 { cos, sin }),
    |[x, y, cos, sin]: [f32; 4]| [[cos, sin], [-sin, cos], [x, y]],
    blend_plane
}

poses! {
    /// Poses of many bodies in space, smoothed together. As [`Poses2`]; bodies that turn by more than four degrees in a step are
    /// blended one by one.
    ///
    /// ```
    /// use evenstep::{Pose3, Poses3, Quat};
    ///
    /// let mut poses = Poses3::new();
    /// let box_ = poses.push(Pose3::IDENTITY);
    /// poses.begin_step();
    /// poses.set(box_, Pose3::new([0.0, 4.0, 0.0], Quat::IDENTITY));
    /// let mut matrices = vec![[[0.0; 4]; 4]; poses.len()];
    /// poses.blend_matrices(0.5, &mut matrices);
    /// assert_eq!(matrices[box_][3], [0.0, 2.0, 0.0, 1.0]);
    /// ```
    Poses3, Pose3, 7, [[f32; 4]; 4], "4×4 matrices",
    |Pose3 { position: [x, y, z], rotation }: Pose3| [x, y, z, rotation.x, rotation.y, rotation.z, rotation.w],
    |[x, y, z, i, j, k, w]: [f32; 7]| Pose3::new([x, y, z], Quat::new(i, j, k, w)),
    matrix_in_space,
    blend_space
}

/// The way from some numbers to others.
#[inline]
fn blend_numbers(previous: &[f32; WIDTH], current: &[f32; WIDTH], t: f32, out: &mut [f32; WIDTH]) {
    for place in 0..WIDTH {
        out[place] = previous[place] + (current[place] - previous[place]) * t;
    }
}

/// As [`Pose2`] blends, for a block.
#[inline]
fn blend_plane(block: &Block<4>, alpha: f64, out: &mut Lanes<4>) {
    let t = alpha as f32;
    for (out, (previous, current)) in out.iter_mut().zip(block.lanes()) {
        blend_numbers(previous, current, t, out);
    }
    let [_, _, cosines, sines] = out;
    let mut half_turns = 0;
    for place in 0..WIDTH {
        let (cos, sin) = (cosines[place], sines[place]);
        let length = math::sqrt(cos * cos + sin * sin);
        half_turns |= u32::from(length < 1e-3);
        let scale = 1.0 / length;
        (cosines[place], sines[place]) = (cos * scale, sin * scale);
    }
    if half_turns > 0 {
        turn_each_in_plane(block, alpha, out);
    }
}

/// Half a turn has no shorter way: the blend of one body knows what to do.
#[cold]
fn turn_each_in_plane(block: &Block<4>, alpha: f64, out: &mut Lanes<4>) {
    let [_, _, cosines, sines] = out;
    for (place, (cos, sin)) in cosines.iter_mut().zip(sines).enumerate() {
        let rotation = |lanes| {
            let [_, _, cos, sin] = at(lanes, place);
            Rot2 { cos, sin }
        };
        let blended = rotation(&block.previous).blend(&rotation(&block.current), alpha);
        (*cos, *sin) = (blended.cos, blended.sin);
    }
}

/// As [`Pose3`] blends, for a block.
#[inline]
fn blend_space(block: &Block<7>, alpha: f64, out: &mut Lanes<7>) {
    let t = alpha as f32;
    for (out, (previous, current)) in out.iter_mut().zip(block.lanes()).take(3) {
        blend_numbers(previous, current, t, out);
    }
    let ([_, _, _, px, py, pz, pw], [_, _, _, cx, cy, cz, cw]) = (&block.previous, &block.current);
    let [_, _, _, x, y, z, w] = out;
    let mut far_turns = 0;
    for place in 0..WIDTH {
        let (a, b) = (
            [px[place], py[place], pz[place], pw[place]],
            [cx[place], cy[place], cz[place], cw[place]],
        );
        let dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
        far_turns |= u32::from(dot.abs() <= NEARLY_EQUAL);
        // A quaternion and its negative are the same rotation; the nearer of the two is the shorter way.
        let (rest, way) = (1.0 - t, t.copysign(dot));
        let sum: [f32; 4] = core::array::from_fn(|part| a[part] * rest + b[part] * way);
        let scale = 1.0 / math::sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2] + sum[3] * sum[3]);
        (x[place], y[place]) = (sum[0] * scale, sum[1] * scale);
        (z[place], w[place]) = (sum[2] * scale, sum[3] * scale);
    }
    if far_turns > 0 {
        turn_each_in_space(block, alpha, out);
    }
}

/// Large turns go along an arc instead of a line.
#[cold]
fn turn_each_in_space(block: &Block<7>, alpha: f64, out: &mut Lanes<7>) {
    for place in 0..WIDTH {
        let rotation = |lanes| {
            let [_, _, _, x, y, z, w] = at(lanes, place);
            Quat::new(x, y, z, w)
        };
        let Quat { x, y, z, w } = rotation(&block.previous).blend(&rotation(&block.current), alpha);
        for (lane, number) in out[3..].iter_mut().zip([x, y, z, w]) {
            lane[place] = number;
        }
    }
}

/// The matrix of a rotation by a quaternion and a translation (K. Shoemake, *Animating Rotation with Quaternion Curves*, 1985).
#[inline]
fn matrix_in_space([x, y, z, i, j, k, w]: [f32; 7]) -> [[f32; 4]; 4] {
    let (i2, j2, k2) = (i + i, j + j, k + k);
    let (ii, jj, kk) = (i * i2, j * j2, k * k2);
    let (ij, ik, jk) = (i * j2, i * k2, j * k2);
    let (wi, wj, wk) = (w * i2, w * j2, w * k2);
    [
        [1.0 - (jj + kk), ij + wk, ik - wj, 0.0],
        [ij - wk, 1.0 - (ii + kk), jk + wi, 0.0],
        [ik + wj, jk - wi, 1.0 - (ii + jj), 0.0],
        [x, y, z, 1.0],
    ]
}
