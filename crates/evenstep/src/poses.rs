//! Smoothing for many bodies at once.

use core::ops::Range;

use crate::{Motion as _, Motion2, Motion3, Pose2, Pose3, Smoothing};

mod blocks;
mod plane;
mod space;

#[cfg(feature = "rayon")]
use blocks::write_parallel;
use blocks::{Blocks, Each, write, write_moved};

macro_rules! bodies {
    ($(#[$doc:meta])* $name:ident, $state:ty, $lanes:literal, $into:path, $from:path) => {
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
            pub fn push(&mut self, state: $state) -> usize {
                self.blocks.push($into(state))
            }

            /// Removes a body; the last one takes its index. None if there is no such body.
            pub fn swap_remove(&mut self, index: usize) -> Option<$state> {
                self.blocks.swap_remove(index).map($from)
            }

            /// Begins a step: what is current becomes what was previous. Costs nothing.
            pub fn begin_step(&mut self) {
                self.blocks.begin_step();
            }

            /// Says where a body is after the step. Bodies that do not move need not be told of; an index that there is not is
            /// ignored.
            #[inline]
            pub fn set(&mut self, index: usize, state: $state) {
                self.blocks.set(index, $into(state));
            }

            /// Says where all bodies are after the step, from the first one on; faster than one by one. There may be fewer or
            /// more states than bodies.
            pub fn set_all(&mut self, states: &[$state]) {
                self.blocks.set_all(states, |state| $into(*state));
            }

            /// As [`set`](Self::set), for a body that did not go there but jumped: in this step it is drawn nowhere between,
            /// also if it is set again.
            pub fn teleport(&mut self, index: usize, state: $state) {
                self.blocks.teleport(index, $into(state));
            }

            /// Puts another body in place of one: it is there, and was there before.
            pub fn reset(&mut self, index: usize, state: $state) {
                self.blocks.reset(index, $into(state));
            }

            /// Whether a body jumped in the last step.
            #[must_use]
            pub fn has_jumped(&self, index: usize) -> bool {
                self.blocks.has_jumped(index)
            }

            /// Puts all bodies back to where a copy has them that was made earlier: for rolling back. Steps are counted on.
            pub fn restore(&mut self, saved: &Self) {
                self.blocks.restore(&saved.blocks);
            }

            /// The number of the last step, counted by [`begin_step`](Self::begin_step).
            #[must_use]
            pub const fn step(&self) -> u64 {
                self.blocks.step()
            }

            /// Which bodies may be elsewhere, before the last step or after it, than they were in an earlier one, as ranges of
            /// indices with some of their neighbours: what to hand to the graphics card.
            pub fn moved_since(&self, step: u64) -> impl Iterator<Item = Range<usize>> {
                self.blocks.moved_since(step)
            }

            /// Where a body was before the step.
            #[must_use]
            pub fn previous(&self, index: usize) -> Option<$state> {
                self.blocks.previous(index).map($from)
            }

            /// Where a body is after the step.
            #[must_use]
            pub fn current(&self, index: usize) -> Option<$state> {
                self.blocks.current(index).map($from)
            }
        }

        impl Default for $name {
            fn default() -> Self {
                Self::new()
            }
        }
    };
}

macro_rules! blends {
    ($name:ident, $pose:ty, $matrix:ty, $shape:literal, $module:ident) => {
        impl $name {
            /// Writes the pose to draw at `alpha` of every body that has moved since the last call. The others keep what
            /// that call wrote: use one buffer for all calls. It may be shorter or longer than there are bodies.
            pub fn blend(&mut self, alpha: f64, out: &mut [$pose]) {
                write(&mut self.blocks, out, false, alpha, &$module::Blended(alpha), $module::put_pose);
            }

            /// The same of all bodies, for a buffer that is new.
            pub fn blend_all(&mut self, alpha: f64, out: &mut [$pose]) {
                write(&mut self.blocks, out, true, alpha, &$module::Blended(alpha), $module::put_pose);
            }

            #[doc = concat!("As [`blend`](Self::blend), as ", $shape, " with the columns one after the other, for instanced drawing.")]
            pub fn blend_matrices(&mut self, alpha: f64, out: &mut [$matrix]) {
                write(&mut self.blocks, out, false, alpha, &$module::Blended(alpha), $module::put_matrix);
            }

            #[doc = concat!("As [`blend_all`](Self::blend_all), as ", $shape, " with the columns one after the other.")]
            pub fn blend_all_matrices(&mut self, alpha: f64, out: &mut [$matrix]) {
                write(&mut self.blocks, out, true, alpha, &$module::Blended(alpha), $module::put_matrix);
            }

            /// As [`blend`](Self::blend), on the threads of rayon's pool: worth it from some ten thousand bodies that move.
            #[cfg(feature = "rayon")]
            pub fn blend_parallel(&mut self, alpha: f64, out: &mut [$pose]) {
                write_parallel(&mut self.blocks, out, alpha, &$module::Blended(alpha), $module::put_pose);
            }

            /// As [`blend_matrices`](Self::blend_matrices), on the threads of rayon's pool.
            #[cfg(feature = "rayon")]
            pub fn blend_matrices_parallel(&mut self, alpha: f64, out: &mut [$matrix]) {
                write_parallel(&mut self.blocks, out, alpha, &$module::Blended(alpha), $module::put_matrix);
            }
        }
    };
}

macro_rules! draws {
    ($name:ident, $pose:ty, $matrix:ty, $shape:literal, $module:ident) => {
        impl $name {
            /// Writes the pose to draw of every body that has moved since the last call, in a chosen way, between steps of
            /// `dt` seconds. The others keep what that call wrote: use one buffer, and one way, for all calls.
            pub fn draw(&mut self, smoothing: Smoothing, alpha: f64, dt: f64, out: &mut [$pose]) {
                self.write(smoothing, alpha, dt, out, $module::put_pose);
            }

            #[doc = concat!("The same as ", $shape, " with the columns one after the other, for instanced drawing.")]
            pub fn draw_matrices(&mut self, smoothing: Smoothing, alpha: f64, dt: f64, out: &mut [$matrix]) {
                self.write(smoothing, alpha, dt, out, $module::put_matrix);
            }

            fn write<T>(
                &mut self,
                smoothing: Smoothing,
                alpha: f64,
                dt: f64,
                out: &mut [T],
                shape: impl Fn($module::Numbers, &mut T),
            ) {
                let blocks = &mut self.blocks;
                match smoothing {
                    Smoothing::None => write(blocks, out, false, 1.0, &$module::Blended(1.0), shape),
                    Smoothing::Interpolate => write(blocks, out, false, alpha, &$module::Blended(alpha), shape),
                    Smoothing::Extrapolate { horizon } => {
                        let seconds = (alpha * dt).clamp(0.0, horizon.as_secs_f64());
                        // Nothing ahead is where it is; anything else is in no way between two states.
                        let alpha = if seconds == 0.0 { 1.0 } else { 0.5 };
                        let ahead = Each(
                            |_, current| $module::motion(current).extrapolate(seconds).pose,
                            $module::numbers,
                        );
                        write_moved(blocks, out, false, alpha, &ahead, shape);
                    }
                    Smoothing::Hermite => {
                        let on_curve = |previous, current| {
                            let (previous, current) = ($module::motion(previous), $module::motion(current));
                            // What was put where it is does not leave it.
                            let rests = previous.pose == current.pose;
                            if rests {
                                current
                            } else {
                                previous.hermite(&current, alpha, dt)
                            }
                            .pose
                        };
                        write(
                            blocks,
                            out,
                            false,
                            alpha,
                            &Each(on_curve, $module::numbers),
                            shape,
                        );
                    }
                }
            }
        }
    };
}

bodies! {
    /// Poses of many bodies in the plane, smoothed together: what [`Smoothed`](crate::Smoothed) does for one body, several at once.
    ///
    /// Bodies that rest cost nothing. The numbers of 32 bodies lie side by side, so that the compiler blends several at
    /// once; those beside one that turns by more than 15° in a step are blended one by one. What is drawn is to the bit what
    /// [`Pose2`]'s own [`Blend`](crate::Blend) gives.
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
    Poses2, Pose2, 4, plane::numbers, plane::pose
}
blends!(Poses2, Pose2, [[f32; 2]; 3], "3×2 matrices", plane);

bodies! {
    /// Poses of many bodies in space, smoothed together. As [`Poses2`]; bodies beside one that turns by more
    /// than four degrees in a step are blended one by one.
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
    Poses3, Pose3, 7, space::numbers, space::pose
}
blends!(Poses3, Pose3, [[f32; 4]; 4], "4×4 matrices", space);

bodies! {
    /// Poses and velocities of many bodies in the plane: as [`Poses2`], for those who extrapolate or draw along curves. Both
    /// work body by body.
    ///
    /// ```
    /// use evenstep::{Motion2, Motions2, Pose2, Smoothing};
    /// use std::time::Duration;
    ///
    /// let mut motions = Motions2::new();
    /// let ball = motions.push(Motion2::default());
    /// motions.begin_step();
    /// motions.set(ball, Motion2 { velocity: [6.0, 0.0], ..Motion2::default() });
    /// let mut drawn = vec![Pose2::IDENTITY; motions.len()];
    /// let ahead = Smoothing::Extrapolate { horizon: Duration::from_millis(100) };
    /// motions.draw(ahead, 0.5, 1.0 / 60.0, &mut drawn);
    /// assert!((drawn[ball].position[0] - 0.05).abs() < 1e-6);
    /// ```
    Motions2, Motion2, 7, plane::motion_numbers, plane::motion
}
draws!(Motions2, Pose2, [[f32; 2]; 3], "3×2 matrices", plane);

bodies! {
    /// Poses and velocities of many bodies in space. As [`Motions2`].
    ///
    /// ```
    /// use evenstep::{Motion3, Motions3, Pose3, Smoothing};
    ///
    /// let mut motions = Motions3::new();
    /// let top = motions.push(Motion3 { angular_velocity: [0.0, 6.0, 0.0], ..Motion3::default() });
    /// let mut drawn = vec![Pose3::IDENTITY; motions.len()];
    /// motions.draw(Smoothing::Hermite, 0.5, 1.0 / 60.0, &mut drawn);
    /// assert_eq!(drawn[top], Pose3::IDENTITY); // it has not moved yet
    /// ```
    Motions3, Motion3, 13, space::motion_numbers, space::motion
}
draws!(Motions3, Pose3, [[f32; 4]; 4], "4×4 matrices", space);
