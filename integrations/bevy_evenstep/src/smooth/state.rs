//! The last two states of an entity, and the pose between them.

use bevy_ecs::change_detection::Tick;
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_math::{Quat, Vec3};
use bevy_transform::components::Transform;
use core::f32::consts::TAU;

use super::velocity::{SmoothVelocity, VelocityState};

/// Cosine of half of the angle from which rotations are blended along the arc: below it the chord is within 0.01 degrees.
const CHORD: f32 = 0.995;

/// The simulated states before and after the last step.
#[derive(Component, Clone, Copy, Debug)]
#[component(clone_behavior = Ignore)]
pub(super) struct SmoothState {
    pub(super) from: Transform,
    pub(super) to: Transform,
    /// The coordinate space of both: the parent's when they were first read; `None` before.
    pub(super) space: Option<Space>,
    /// Whether `from` was set in the step that is being run, or since the last one.
    pub(super) is_previous_set: bool,
    /// When the entity came to be smoothed, or to its place.
    pub(super) smoothed_since: Tick,
}

impl Default for SmoothState {
    fn default() -> Self {
        Self::at_rest(Transform::IDENTITY, Tick::new(0))
    }
}

/// Whose children the numbers of a pose are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Space(Entity);

impl Space {
    /// That of a parent, or else the world's.
    pub(super) const fn below(parent: Option<Entity>) -> Self {
        match parent {
            Some(parent) => Self(parent),
            None => Self(Entity::PLACEHOLDER),
        }
    }
}

/// The time of a frame in steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct BlendPoint {
    /// Between the last two states, from 0 to 1.
    pub(super) alpha: f32,
    /// After the last one, in the same unit.
    pub(super) ahead: f32,
    /// The time between the two states, in seconds.
    pub(super) dt: f32,
}

/// The largest number below one.
pub(super) const BELOW_ONE: f32 = 1.0 - f32::EPSILON / 2.0;

/// How a moving entity is drawn: between its states, on a curve through them, or ahead of them.
#[derive(Clone, Copy)]
pub(super) enum DrawnPath<'a> {
    Straight,
    Curve(&'a VelocityState),
    /// Without a velocity by the motion of the last step.
    Ahead(Option<&'a SmoothVelocity>),
}

impl<'a> DrawnPath<'a> {
    pub(super) const fn new(velocity: &'a Option<(&SmoothVelocity, &mut VelocityState)>, is_ahead: bool) -> Self {
        match velocity {
            Some((_, velocity)) if is_ahead => Self::Ahead(Some(&velocity.to)),
            None if is_ahead => Self::Ahead(None),
            Some((_, velocity)) => Self::Curve(velocity),
            None => Self::Straight,
        }
    }
}

impl SmoothState {
    /// At rest, in the space in which it is looked at next.
    pub(super) const fn at_rest(transform: Transform, smoothed_since: Tick) -> Self {
        Self {
            is_previous_set: false,
            ..Self::moving(transform, transform, smoothed_since)
        }
    }

    /// Moving, in the space in which it is looked at next.
    pub(super) const fn moving(from: Transform, to: Transform, smoothed_since: Tick) -> Self {
        Self {
            from,
            to,
            space: None,
            is_previous_set: true,
            smoothed_since,
        }
    }

    /// Puts it at rest.
    pub(super) const fn rest_at(&mut self, transform: Transform) {
        (self.from, self.to) = (transform, transform);
    }

    /// Puts at rest what is not as it was drawn, part by part, and leaves the others on their way.
    pub(super) fn rest_where_written(&mut self, drawn: &Transform, written: &Transform) {
        let Self { from, to, .. } = self;
        rest_by(
            [&mut from.translation, &mut to.translation],
            drawn.translation,
            written.translation,
        );
        rest_by([&mut from.scale, &mut to.scale], drawn.scale, written.scale);
        if drawn.rotation.to_array().map(f32::to_bits) != written.rotation.to_array().map(f32::to_bits) {
            (from.rotation, to.rotation) = (written.rotation, written.rotation);
        }
    }

    pub(super) fn rests(&self) -> bool {
        has_same_bits(&self.from, &self.to)
    }

    /// Writes the pose to draw to `drawn`. Returns whether it did: not if the entity rests.
    #[inline]
    pub(super) fn draw(&self, path: DrawnPath, at: BlendPoint, drawn: &mut Transform) -> bool {
        let Self { from, to, .. } = self;
        if has_same_bits(from, to) {
            return false;
        }
        drawn.translation = from.translation + (to.translation - from.translation) * at.alpha;
        drawn.rotation = turned(from.rotation, to.rotation, at.alpha);
        drawn.scale = from.scale + (to.scale - from.scale) * at.alpha;
        match path {
            DrawnPath::Straight => {}
            DrawnPath::Curve(velocity) => self.draw_curve(velocity, at, drawn),
            DrawnPath::Ahead(velocity) => self.draw_ahead(velocity, at, drawn),
        }
        true
    }

    #[inline(never)]
    fn draw_curve(&self, velocity: &VelocityState, at: BlendPoint, drawn: &mut Transform) {
        let Self { from, to, .. } = self;
        let curve = |way, by: fn(&SmoothVelocity) -> Vec3| {
            cubic(way, by(&velocity.from) * at.dt, by(&velocity.to) * at.dt, at.alpha)
        };
        let way = to.translation - from.translation;
        drawn.translation = from.translation + curve(way, |velocity| velocity.linear);
        let way = whole_turns(
            (to.rotation * from.rotation.inverse()).to_scaled_axis(),
            (velocity.from.angular + velocity.to.angular) * (at.dt / 2.0),
        );
        drawn.rotation = Quat::from_scaled_axis(curve(way, |velocity| velocity.angular)) * from.rotation;
    }

    #[inline(never)]
    fn draw_ahead(&self, velocity: Option<&SmoothVelocity>, at: BlendPoint, drawn: &mut Transform) {
        let Self { from, to, .. } = self;
        let (way, turn) = match velocity {
            Some(velocity) => (velocity.linear * at.dt, velocity.angular * at.dt),
            None => (
                to.translation - from.translation,
                (to.rotation * from.rotation.inverse()).to_scaled_axis(),
            ),
        };
        drawn.translation = to.translation + way * at.ahead;
        drawn.rotation = Quat::from_scaled_axis(turn * at.ahead) * to.rotation;
        drawn.scale = to.scale;
    }

    /// Applies a write outside of steps to the simulated state: both states move by the difference from the drawn pose. Where the drawn pose was the
    /// simulated one, the written bits are taken. Rotations are multiplied from the left, so `Transform::rotate` is exact.
    pub(super) fn apply_write(&mut self, drawn: &Transform, written: &Transform) {
        let Self { from, to, .. } = self;
        if has_same_bits(from, to) {
            return self.rest_at(*written);
        }
        let is_moved = move_by(
            [&mut from.translation, &mut to.translation],
            drawn.translation,
            written.translation,
        );
        let is_scaled = move_by([&mut from.scale, &mut to.scale], drawn.scale, written.scale);
        let is_turned = turn_by([&mut from.rotation, &mut to.rotation], drawn.rotation, written.rotation);
        if !(is_moved && is_scaled && is_turned) {
            self.rest_at(*written); // from or to a state with numbers that are not finite
        }
    }
}

fn rest_by([from, to]: [&mut Vec3; 2], drawn: Vec3, written: Vec3) {
    for axis in 0..3 {
        if drawn[axis].to_bits() != written[axis].to_bits() {
            (from[axis], to[axis]) = (written[axis], written[axis]);
        }
    }
}

/// Moves both states. Returns whether the result is finite.
fn move_by([from, to]: [&mut Vec3; 2], drawn: Vec3, written: Vec3) -> bool {
    let mut is_finite = true;
    for axis in 0..3 {
        if written[axis].to_bits() != drawn[axis].to_bits() {
            // In 64 bits the difference is exact for all states that are near each other, so it is rounded once.
            let by = f64::from(written[axis]) - f64::from(drawn[axis]);
            let is_simulated = drawn[axis].to_bits() == to[axis].to_bits();
            let moved = |state: f32| (f64::from(state) + by) as f32;
            from[axis] = moved(from[axis]);
            to[axis] = if is_simulated { written[axis] } else { moved(to[axis]) };
            is_finite &= by.is_finite();
        }
    }
    is_finite
}

fn turn_by([from, to]: [&mut Quat; 2], drawn: Quat, written: Quat) -> bool {
    if written.to_array().map(f32::to_bits) == drawn.to_array().map(f32::to_bits) {
        return true;
    }
    let by = written * drawn.inverse();
    let is_simulated = drawn.to_array().map(f32::to_bits) == to.to_array().map(f32::to_bits);
    *from = (by * *from).normalize();
    *to = if is_simulated { written } else { (by * *to).normalize() };
    from.is_finite() && to.is_finite()
}

/// Whether two transforms are the same, bit by bit: `0.0` and `-0.0` are not.
#[inline]
pub(super) fn has_same_bits(one: &Transform, other: &Transform) -> bool {
    let vector = |one: Vec3, other: Vec3| one.to_array().map(f32::to_bits) == other.to_array().map(f32::to_bits);
    vector(one.translation, other.translation)
        && one.rotation.to_array().map(f32::to_bits) == other.rotation.to_array().map(f32::to_bits)
        && vector(one.scale, other.scale)
}

/// Between two rotations, the shorter way.
#[inline]
fn turned(from: Quat, to: Quat, alpha: f32) -> Quat {
    if from == to {
        return to;
    }
    let cosine = from.dot(to);
    if cosine.abs() < CHORD {
        return along_arc(from, to, alpha);
    }
    let to = if cosine < 0.0 { -to } else { to };
    (from + (to - from) * alpha).normalize()
}

/// It is long, and rarely needed.
#[inline(never)]
fn along_arc(from: Quat, to: Quat, alpha: f32) -> Quat {
    from.slerp(to, alpha)
}

/// How far along a cubic curve of length `way` that begins and ends with velocities per step.
fn cubic(way: Vec3, first: Vec3, last: Vec3, alpha: f32) -> Vec3 {
    let (square, cube) = (alpha * alpha, alpha * alpha * alpha);
    way * (3.0 * square - 2.0 * cube) + first * (alpha - 2.0 * square + cube) + last * (cube - square)
}

/// A rotation about its axis, by as many more whole turns as bring it nearest to an expected one.
fn whole_turns(rotation: Vec3, expected: Vec3) -> Vec3 {
    let axis = rotation.try_normalize().or_else(|| expected.try_normalize());
    axis.map_or(rotation, |axis| {
        rotation + axis * (TAU * ((expected - rotation).dot(axis) / TAU).round())
    })
}
