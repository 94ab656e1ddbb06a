//! The trait of the poses of many bodies, whose numbers [`Poses`] store side by side.
//!
//! Everything that runs over many bodies is a function of a concrete pose, so that it is compiled here, as a program
//! compiles its dependencies, and not with the settings of the program's own code.

use super::Poses;
use super::blocks::Numbers;

/// A pose that [`Poses`] hold, in numbers. For bounds of generic code; it cannot be implemented outside this crate.
pub trait Body: Copy {
    /// Its numbers.
    type Numbers: Numbers;
    /// The same as a matrix for instanced drawing, column by column.
    type Matrix;

    /// The numbers of a pose.
    fn numbers(self) -> Self::Numbers;

    /// The pose of numbers.
    fn from_numbers(numbers: Self::Numbers) -> Self;

    /// Sets neighbouring poses.
    fn set_range(poses: &mut Poses<Self>, start: usize, states: &[Self]);

    /// Writes the poses that have moved since they were written last, as they blend.
    fn write(poses: &mut Poses<Self>, alpha: f64, out: Out<'_, Self, Self::Matrix>);

    /// Writes the poses of neighbours as they blend.
    fn write_range(poses: &Poses<Self>, start: usize, alpha: f64, out: Out<'_, Self, Self::Matrix>);
}

/// Where poses are written, and in which form.
pub enum Out<'a, P, M> {
    /// As they are.
    Poses(&'a mut [P]),
    /// As matrices.
    Matrices(&'a mut [M]),
}

/// Implements [`Body`] for a pose of so many numbers, with the functions of the module that convert it and write poses and matrices.
macro_rules! body {
    ($pose:ty: $count:literal, $matrix:ty) => {
        impl Body for $pose {
            type Numbers = [f32; $count];
            type Matrix = $matrix;

            #[inline]
            fn numbers(self) -> [f32; $count] {
                numbers(self)
            }

            #[inline]
            fn from_numbers(numbers: [f32; $count]) -> Self {
                pose(numbers)
            }

            fn set_range(poses: &mut Poses<Self>, start: usize, states: &[Self]) {
                set_range(poses, start, states);
            }

            fn write(poses: &mut Poses<Self>, alpha: f64, out: Out<'_, Self, $matrix>) {
                match out {
                    Out::Poses(out) => write(poses, out, alpha, put_pose),
                    Out::Matrices(out) => write(poses, out, alpha, put_matrix),
                }
            }

            fn write_range(poses: &Poses<Self>, start: usize, alpha: f64, out: Out<'_, Self, $matrix>) {
                match out {
                    Out::Poses(out) => write_range(poses, start, out, alpha, put_pose),
                    Out::Matrices(out) => write_range(poses, start, out, alpha, put_matrix),
                }
            }
        }
    };
}
pub(super) use body;
