//! The trait of the states of many bodies, whose numbers [`Poses`] store side by side.
//!
//! Everything that runs over many bodies is a function of a concrete state, so that it is compiled here, as a program
//! compiles its dependencies, and not with the settings of the program's own code.

use super::Poses;
use super::blocks::Numbers;
use super::write::{Between, Each, write};
use crate::drawing::{Extrapolate, Smoothing};
use crate::poses::slerp::{FarSlerp, Slerp};

/// A state that [`Poses`] holds: it consists of numbers, the first ones of which are those of its pose. For bounds of generic
/// code; it cannot be implemented outside this crate.
pub trait Body: Copy {
    /// Its numbers.
    type Numbers: Numbers;
    /// Where it is.
    type Pose;
    /// The same as a matrix for instanced drawing, column by column.
    type Matrix;

    /// The numbers of a state.
    fn numbers(self) -> Self::Numbers;

    /// The state of numbers.
    fn from_numbers(numbers: Self::Numbers) -> Self;

    /// Sets neighbouring states.
    fn set_range(poses: &mut Poses<Self>, start: usize, states: &[Self]);

    /// Writes the poses that have moved since they were written last, as they blend.
    fn write(poses: &mut Poses<Self>, alpha: f64, out: Out<'_, Self::Pose, Self::Matrix>);

    /// Writes the poses of neighbours as they blend.
    fn write_range(poses: &Poses<Self>, start: usize, alpha: f64, out: Out<'_, Self::Pose, Self::Matrix>);
}

/// Where poses are written, and in which form.
pub enum Out<'a, P, M> {
    /// As they are.
    Poses(&'a mut [P]),
    /// As matrices.
    Matrices(&'a mut [M]),
}

/// A state with velocities.
pub trait MovingBody: Body {
    /// Writes poses in a chosen way: the smoothing, alpha, and the seconds of a step.
    fn write_with(poses: &mut Poses<Self>, way: (Smoothing, f64, f64), out: &mut [Self::Pose]);
}

/// Implements [`Body`] for a state of so many numbers, with the functions of the module that convert it and write poses and matrices.
macro_rules! body {
    ($(#[$inline:meta])? $state:ty: $count:literal, $numbers:path, $from_numbers:path => $pose:ty, $matrix:ty) => {
        impl Body for $state {
            type Numbers = [f32; $count];
            type Pose = $pose;
            type Matrix = $matrix;

            #[inline]
            fn numbers(self) -> [f32; $count] {
                $numbers(self)
            }

            #[inline]
            fn from_numbers(numbers: [f32; $count]) -> Self {
                $from_numbers(numbers)
            }

            $(#[$inline])?
            fn set_range(poses: &mut Poses<Self>, start: usize, states: &[Self]) {
                set_range(poses, start, states);
            }

            $(#[$inline])?
            fn write(poses: &mut Poses<Self>, alpha: f64, out: Out<'_, $pose, $matrix>) {
                match out {
                    Out::Poses(out) => write(poses, out, alpha, false, &Blended::at(alpha), put_pose),
                    Out::Matrices(out) => write(poses, out, alpha, false, &Blended::at(alpha), put_matrix),
                }
            }

            $(#[$inline])?
            fn write_range(poses: &Poses<Self>, start: usize, alpha: f64, out: Out<'_, $pose, $matrix>) {
                match out {
                    Out::Poses(out) => write_range(poses, start, out, alpha, &Blended::at(alpha), put_pose),
                    Out::Matrices(out) => write_range(poses, start, out, alpha, &Blended::at(alpha), put_matrix),
                }
            }
        }
    };
}
pub(super) use body;

/// As poses blend, at an alpha between 0 and 1.
pub(super) struct Blended {
    pub(super) t: f32,
    pub(super) near: Slerp,
    pub(super) far: FarSlerp,
}

impl Blended {
    pub(super) fn at(alpha: f64) -> Self {
        let t = alpha as f32;
        Self {
            t,
            near: Slerp::at(t),
            far: FarSlerp::at(t),
        }
    }
}

/// Writes states with velocities in a chosen way: `put` brings a pose's numbers into place.
#[inline]
pub(super) fn write_with<S, const N: usize, const M: usize>(
    poses: &mut Poses<S>,
    (smoothing, alpha, dt): (Smoothing, f64, f64),
    out: &mut [S::Pose],
    pose: fn(S) -> S::Pose,
    put: impl Fn([f32; M], &mut S::Pose),
) where
    S: Body<Numbers = [f32; N]> + Extrapolate,
    S::Pose: Body<Numbers = [f32; M]> + PartialEq,
    Blended: Between<N, M>,
{
    match smoothing {
        Smoothing::None => write(poses, out, 1.0, false, &Blended::at(1.0), put),
        Smoothing::Interpolate => write(poses, out, alpha, false, &Blended::at(alpha), put),
        Smoothing::Extrapolate { horizon } => {
            let seconds = (alpha * dt).clamp(0.0, horizon.as_secs_f64());
            let ahead = unless_at_rest(pose, |_, current: S| current.extrapolate(seconds));
            // Nothing ahead is where it is; anything else is in no way between two states.
            write(poses, out, if seconds == 0.0 { 1.0 } else { 0.5 }, true, &ahead, put);
        }
        Smoothing::Hermite => {
            let on_curve = unless_at_rest(pose, |previous: S, current| previous.hermite(&current, alpha, dt));
            write(poses, out, alpha, false, &on_curve, put);
        }
    }
}

/// Draws one body at a time. One that stayed where it was is drawn there at any velocity, as are bodies in blocks that rest.
fn unless_at_rest<S, const N: usize, const M: usize>(
    pose: fn(S) -> S::Pose,
    draw: impl Fn(S, S) -> S,
) -> Each<impl Fn([f32; N], [f32; N]) -> [f32; M]>
where
    S: Body<Numbers = [f32; N]>,
    S::Pose: Body<Numbers = [f32; M]> + PartialEq,
{
    Each(move |previous, current| {
        let (previous, current) = (S::from_numbers(previous), S::from_numbers(current));
        let rests = pose(previous) == pose(current);
        pose(if rests { current } else { draw(previous, current) }).numbers()
    })
}
