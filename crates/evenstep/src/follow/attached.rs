//! Poses relative to a parent, by rigid transforms.

use crate::drawing::{Blend, Smoothed, Vector as _};
use crate::poses::{Pose2, Pose3};

/// A pose to which others can be attached. [`Pose2`] and [`Pose3`] implement it; a program can implement it for its own type.
pub trait RigidTransform: Blend + Copy {
    /// Where something is in the world that is at `local` in the frame of this pose.
    #[must_use]
    fn place(&self, local: &Self) -> Self;

    /// Where something is in the frame of this pose that is at `world` in the world. Undoes [`place`](Self::place), to rounding.
    #[must_use]
    fn locate(&self, world: &Self) -> Self;
}

macro_rules! rigid_transforms {
    ($($pose:ty)*) => {$(
        impl RigidTransform for $pose {
            fn place(&self, local: &Self) -> Self {
                let position = self.position.plus(self.rotation.rotate(local.position), 1.0);
                Self::new(position, self.rotation.after(local.rotation))
            }

            fn locate(&self, world: &Self) -> Self {
                let back = self.rotation.inverse();
                let position = back.rotate(world.position.plus(self.position, -1.0));
                Self::new(position, back.after(world.rotation))
            }
        }
    )*};
}

rigid_transforms! { Pose2 Pose3 }

/// An object attached to another object: a weapon in a hand, a rider, the end of a rope.
///
/// It is blended in its parent's frame and placed then. An object that does not move relative to its parent is drawn without any motion
/// relative to it, however both turn. Blended in world space, each would take a path of its own: while the parent turns, a hand would be
/// drawn nearer to it between steps than in them.
///
/// ```
/// use evenstep::Smoothed;
/// use evenstep::follow::Attached;
/// use evenstep::poses::{Pose2, Rot2};
///
/// let mut arm = Smoothed::new(Pose2::IDENTITY);
/// let hand = Attached::new(Pose2::new([1.0, 0.0], Rot2::IDENTITY)); // one metre from the shoulder
/// arm.begin_step();
/// arm.set(Pose2::new([0.0, 0.0], Rot2::from_radians(1.0)));
///
/// let drawn = hand.at(&arm.at(0.5), 0.5);
/// let [x, y] = drawn.position;
/// assert!((x * x + y * y - 1.0).abs() < 1e-6);
/// ```
///
/// Attach it to another parent by [`reparent`](Self::reparent), which continues its motion in the world, or by
/// [`teleport`](Self::teleport) and [`set`](Self::set), which is a teleport.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Attached<P> {
    local: Smoothed<P>,
}

impl<P: RigidTransform> Attached<P> {
    /// At rest in its parent's frame.
    #[must_use]
    pub fn new(local: P) -> Self {
        Self {
            local: Smoothed::new(local),
        }
    }

    /// Makes the current pose the previous one. Call it before each step, as for [`Smoothed`].
    pub fn begin_step(&mut self) {
        self.local.begin_step();
    }

    /// Its current pose in its parent's frame.
    #[must_use]
    pub const fn local(&self) -> &P {
        self.local.current()
    }

    /// Moves it in its parent's frame.
    pub fn set(&mut self, local: P) {
        self.local.set(local);
    }

    /// Marks the current step as a teleport within the parent's frame, before or after it is [`set`](Self::set). A parent that
    /// teleports takes it along without that.
    pub const fn teleport(&mut self) {
        self.local.teleport();
    }

    /// Detaches it from one parent and attaches it to another in the current step, after both have moved and it is
    /// [`set`](Self::set). In the world it continues its motion: nothing teleports, and from now on it moves with the new parent.
    ///
    /// If one of the parents teleports in this step, so do the objects attached to it.
    pub fn reparent(&mut self, from: &Smoothed<P>, to: &Smoothed<P>) {
        let previous = to.previous().locate(&from.previous().place(self.local.previous()));
        let current = to.current().locate(&from.current().place(self.local.current()));
        let teleports = self.local.is_teleport() || from.is_teleport() || to.is_teleport();
        self.local = Smoothed::new(previous);
        self.local.set(current);
        if teleports {
            self.local.teleport();
        }
    }

    /// Its drawn pose at `alpha`, with a parent that is drawn at `parent`.
    #[must_use]
    pub fn at(&self, parent: &P, alpha: f64) -> P {
        parent.place(&self.local.at(alpha))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::poses::{Quat, Rot2};

    fn any_plane() -> impl Strategy<Value = Pose2> {
        ([-5.0..5.0_f32, -5.0..5.0], -3.0..3.0_f32)
            .prop_map(|(position, angle)| Pose2::new(position, Rot2::from_radians(angle)))
    }

    fn any_space() -> impl Strategy<Value = Pose3> {
        (
            [-5.0..5.0_f32, -5.0..5.0, -5.0..5.0],
            [-1.5..1.5_f32, -1.5..1.5, -1.5..1.5],
        )
            .prop_map(|(position, axis)| Pose3::new(position, Quat::from_scaled_axis(axis)))
    }

    fn moved<P: RigidTransform>(from: P, to: P) -> Smoothed<P> {
        let mut moved = Smoothed::new(from);
        moved.begin_step();
        moved.set(to);
        moved
    }

    fn apart<const N: usize>(one: [f32; N], other: [f32; N]) -> f32 {
        one.iter()
            .zip(other)
            .map(|(a, b)| (a - b) * (a - b))
            .sum::<f32>()
            .sqrt()
    }

    proptest! {
        #[test]
        fn place_and_locate_are_inverse_in_the_plane(parent in any_plane(), child in any_plane()) {
            let back = parent.locate(&parent.place(&child));
            prop_assert!(apart(back.position, child.position) < 1e-5);
            prop_assert!(back.rotation.turn_to(child.rotation).abs() < 1e-5);
        }

        #[test]
        fn place_and_locate_are_inverse_in_space(parent in any_space(), child in any_space()) {
            let back = parent.locate(&parent.place(&child));
            prop_assert!(apart(back.position, child.position) < 1e-4);
            let turn = back.rotation.after(child.rotation.inverse()).to_scaled_axis();
            prop_assert!(apart(turn, [0.0; 3]) < 1e-5);
        }

        #[test]
        fn a_child_fixed_to_its_parent_does_not_move_relative_to_it(
            from in any_space(), to in any_space(), local in any_space(), alpha in 0.0..1.0_f64,
        ) {
            let (parent, hand) = (moved(from, to), Attached::new(local));
            let drawn = parent.at(alpha);
            let seen = drawn.locate(&hand.at(&drawn, alpha));
            prop_assert!(apart(seen.position, local.position) < 1e-4);
        }

        #[test]
        fn handing_over_changes_nothing_at_the_ends_of_the_step(
            one in [any_space(), any_space()], other in [any_space(), any_space()], local in [any_space(), any_space()],
        ) {
            let (one, other) = (moved(one[0], one[1]), moved(other[0], other[1]));
            let mut weapon = Attached::new(local[0]);
            weapon.begin_step();
            weapon.set(local[1]);
            let before = [0.0, 1.0].map(|alpha| weapon.at(&one.at(alpha), alpha));
            weapon.reparent(&one, &other);
            for (alpha, before) in [0.0, 1.0].into_iter().zip(before) {
                prop_assert!(apart(weapon.at(&other.at(alpha), alpha).position, before.position) < 1e-3);
            }
        }
    }

    #[test]
    fn a_parent_that_teleports_takes_it_along() {
        let mut parent = Smoothed::new(Pose2::IDENTITY);
        let hand = Attached::new(Pose2::new([1.0, 0.0], Rot2::IDENTITY));
        parent.begin_step();
        parent.teleport();
        parent.set(Pose2::new([100.0, 0.0], Rot2::IDENTITY));
        assert_eq!(hand.at(&parent.at(0.0), 0.0).position, [1.0, 0.0]);
        assert_eq!(hand.at(&parent.at(0.3), 0.3).position, [101.0, 0.0]);
    }

    #[test]
    fn reparented_to_a_parent_that_teleports_it_is_never_drawn_in_between() {
        let here = Smoothed::new(Pose2::IDENTITY);
        let mut there = Smoothed::new(Pose2::IDENTITY);
        there.begin_step();
        there.teleport();
        there.set(Pose2::new([100.0, 0.0], Rot2::IDENTITY));
        let mut weapon = Attached::new(Pose2::new([1.0, 0.0], Rot2::IDENTITY));
        weapon.begin_step();
        weapon.reparent(&here, &there);
        assert_eq!(weapon.at(&there.at(0.5), 0.5).position, [1.0, 0.0]);
        weapon.begin_step();
        weapon.teleport();
        weapon.set(Pose2::IDENTITY);
        there.begin_step();
        assert_eq!(weapon.at(&there.at(0.5), 0.5).position, [100.0, 0.0]);
    }
}
