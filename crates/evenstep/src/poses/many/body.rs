//! The trait of the states of many bodies, whose numbers [`Blocks`] store side by side.
//!
//! Everything that runs over many bodies is a function of a concrete state, so that it is compiled here, as a program
//! compiles its dependencies, and not with the settings of the program's own code.

use super::blocks::{Blocks, Numbers};
use super::write::{Between, Each, Which, write, write_moved};
use crate::drawing::{Extrapolate, Smoothing};
use crate::poses::slerp::{FarSlerp, Slerp};

/// A state that consists of numbers, the first ones of which are those of its pose.
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
    fn set_range(blocks: &mut Blocks<Self::Numbers>, start: usize, states: &[Self]);

    /// Writes poses as they blend.
    fn write(blocks: &mut Blocks<Self::Numbers>, which: Which, alpha: f64, out: Out<'_, Self::Pose, Self::Matrix>);

    /// Writes the poses of neighbours as they blend.
    fn write_range(blocks: &Blocks<Self::Numbers>, start: usize, alpha: f64, out: Out<'_, Self::Pose, Self::Matrix>);
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
    fn write_with(
        blocks: &mut Blocks<Self::Numbers>,
        way: (Smoothing, f64, f64),
        out: Out<'_, Self::Pose, Self::Matrix>,
    );
}

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

/// A pose of `M` numbers.
pub(super) trait Placed<const M: usize>: PartialEq + Sized {
    /// The numbers of a pose.
    fn numbers(self) -> [f32; M];
}

/// Writes states with velocities in a chosen way: `shape` brings a pose's numbers into
/// place.
#[inline]
pub(super) fn write_with<S, P, const N: usize, const M: usize, T>(
    blocks: &mut Blocks<[f32; N]>,
    (smoothing, alpha, dt): (Smoothing, f64, f64),
    out: &mut [T],
    pose: fn(S) -> P,
    shape: impl Fn([f32; M], &mut T) + Sync,
) where
    S: Body<Numbers = [f32; N]> + Extrapolate,
    P: Placed<M>,
    Blended: Between<N, M>,
    T: Send,
{
    match smoothing {
        Smoothing::None => write(blocks, out, Which::Moved, 1.0, &Blended::at(1.0), shape),
        Smoothing::Interpolate => write(blocks, out, Which::Moved, alpha, &Blended::at(alpha), shape),
        Smoothing::Extrapolate { horizon } => {
            let seconds = (alpha * dt).clamp(0.0, horizon.as_secs_f64());
            // Nothing ahead is where it is; anything else is in no way between two states.
            let alpha = if seconds == 0.0 { 1.0 } else { 0.5 };
            write_moved(
                blocks,
                out,
                false,
                alpha,
                &Each(ahead(seconds, pose), P::numbers),
                shape,
            );
        }
        Smoothing::Hermite => {
            let each = Each(on_curve(alpha, dt, pose), P::numbers);
            write(blocks, out, Which::Moved, alpha, &each, shape);
        }
    }
}

fn ahead<S: Body<Numbers = [f32; N]> + Extrapolate, P: PartialEq, const N: usize>(
    seconds: f64,
    pose: fn(S) -> P,
) -> impl Fn([f32; N], [f32; N]) -> P {
    move |previous, current| {
        let (previous, current) = (S::from_numbers(previous), S::from_numbers(current));
        let rests = rests(previous, current, pose);
        pose(if rests { current } else { current.extrapolate(seconds) })
    }
}

fn on_curve<S: Body<Numbers = [f32; N]> + Extrapolate, P: PartialEq, const N: usize>(
    alpha: f64,
    dt: f64,
    pose: fn(S) -> P,
) -> impl Fn([f32; N], [f32; N]) -> P {
    move |previous, current| {
        let (previous, current) = (S::from_numbers(previous), S::from_numbers(current));
        let rests = rests(previous, current, pose);
        pose(if rests {
            current
        } else {
            previous.hermite(&current, alpha, dt)
        })
    }
}

/// Whether a body stayed where it was: then it is drawn there at any velocity, as are bodies in blocks that rest.
fn rests<S, P: PartialEq>(previous: S, current: S, pose: fn(S) -> P) -> bool {
    pose(previous) == pose(current)
}
