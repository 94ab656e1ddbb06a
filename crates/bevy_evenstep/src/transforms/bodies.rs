use bevy_ecs::change_detection::{DetectChanges, Tick};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::DeferredWorld;
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use evenstep::Blend;
use evenstep::poses::{Pose3, Poses3};

use super::{Ours, pose, put};

/// Where the states of an entity are kept; none before it is seen first.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[component(clone_behavior = Ignore)]
pub(super) struct Slot(Option<u32>);

impl Slot {
    pub(super) fn index(self) -> Option<usize> {
        self.0.map(|index| index as usize)
    }
}

/// What [`Bodies::moved_in`] says of a body that came in before the step at hand.
const NEW: u64 = u64::MAX;

/// The states of all interpolated entities, side by side.
#[derive(Resource, Default)]
pub(super) struct Bodies {
    poses: Poses3,
    /// What is to be drawn of them.
    drawn: Vec<Pose3>,
    /// Their true scales, before the last step and after it.
    scales: Vec<[Vec3; 2]>,
    /// The step in which each moved last.
    moved_in: Vec<u64>,
    /// Whether each changed its scale as it moved last.
    is_scaling: Vec<bool>,
    /// Those that moved in the last step.
    pub(super) moving: Vec<Entity>,
    free: Vec<u32>,
    pub(super) ours: Ours,
}

impl Bodies {
    pub(super) fn len(&self) -> usize {
        self.drawn.len() - self.free.len()
    }

    /// Takes a body in, at rest.
    pub(super) fn add(&mut self, transform: &Transform) -> Slot {
        let index = self.free.pop().or_else(|| {
            let index = u32::try_from(self.poses.push(Pose3::IDENTITY)).ok()?;
            self.drawn.push(Pose3::IDENTITY);
            self.scales.push([Vec3::ONE; 2]);
            self.moved_in.push(NEW);
            self.is_scaling.push(false);
            Some(index)
        });
        let slot = Slot(index);
        if let Some(index) = slot.index() {
            self.poses.reset(index, pose(transform));
            (self.scales[index], self.moved_in[index]) = ([transform.scale; 2], NEW);
        }
        slot
    }

    /// Forgets a body. Answers with its truth, if its transform shows something else.
    fn remove(&mut self, slot: Slot) -> Option<(Pose3, Vec3)> {
        let index = slot.index()?;
        self.free.extend(slot.0);
        let shows_other = self.ours.is_drawn() && self.is_moving(index);
        self.moved_in[index] = NEW;
        let truth = (self.poses.current(index)?, self.scales[index][1]);
        shows_other.then_some(truth)
    }

    /// Whether a body came in before the step at hand; asked once.
    pub(super) fn is_new(&mut self, index: usize) -> bool {
        let is_new = self.moved_in[index] == NEW;
        if is_new {
            self.moved_in[index] = 0;
        }
        is_new
    }

    pub(super) fn begin_step(&mut self) {
        self.poses.begin_step();
        self.moving.clear();
    }

    /// Where a body is after the step, if that is elsewhere.
    pub(super) fn end_step(&mut self, entity: Entity, index: usize, transform: &Transform, has_jumped: bool) {
        let (pose, [_, before]) = (pose(transform), self.scales[index]);
        let is_scaling = before != transform.scale;
        if !is_scaling && self.poses.current(index) == Some(pose) {
            return;
        }
        if has_jumped {
            self.poses.teleport(index, pose);
        } else {
            self.poses.set(index, pose);
        }
        self.scales[index] = [before, transform.scale];
        self.is_scaling[index] = is_scaling;
        self.moved_in[index] = self.poses.step();
        self.moving.push(entity);
    }

    pub(super) fn is_moving(&self, index: usize) -> bool {
        self.moved_in[index] == self.poses.step()
    }

    /// When we wrote a body's transform last, or later: what is newer was written by others. Those at rest are not drawn, so what
    /// was written to them before others were drawn is still to be taken over.
    pub(super) fn ours_since(&self, index: usize) -> Tick {
        if self.is_moving(index) {
            self.ours.since
        } else {
            self.ours.captured
        }
    }

    /// Works out what to draw of those that moved.
    pub(super) fn blend(&mut self, alpha: f64) {
        self.poses.blend(alpha, &mut self.drawn);
    }

    /// Writes what to draw of a body that moves.
    pub(super) fn show(&self, index: usize, transform: &mut Transform, alpha: f64) {
        put(&self.drawn[index], transform);
        if self.is_scaling[index] {
            transform.scale = self.scale_at(index, alpha);
        }
    }

    /// Writes where a body that moves is in truth.
    pub(super) fn restore(&self, index: usize, transform: &mut Transform) {
        if let Some(truth) = self.poses.current(index) {
            put(&truth, transform);
        }
        if self.is_scaling[index] {
            transform.scale = self.scales[index][1];
        }
    }

    /// The scale to draw; a jump is drawn as soon as alpha exceeds zero.
    fn scale_at(&self, index: usize, alpha: f64) -> Vec3 {
        let [before, after] = self.scales[index];
        if alpha > 0.0 && self.poses.has_jumped(index) {
            after
        } else {
            before.lerp(after, alpha as f32)
        }
    }

    /// Takes over what others wrote to a transform: a place, at which the body then rests, or a scale. What they left as it was drawn
    /// is not taken for the truth.
    pub(super) fn adopt(&mut self, index: usize, transform: &mut Transform) {
        let (shown, scale) = self.shown(index);
        if transform.scale != scale {
            self.scales[index] = [transform.scale; 2];
            self.is_scaling[index] = false;
        }
        if Some(pose(transform)) != shown {
            self.poses.reset(index, pose(transform));
            self.moved_in[index] = 0;
            transform.scale = self.scales[index][1];
        }
    }

    /// What a transform shows that nobody else has written to.
    fn shown(&self, index: usize) -> (Option<Pose3>, Vec3) {
        let (current, scale) = (self.poses.current(index), self.scales[index][1]);
        let (Some(alpha), true) = (self.ours.drawn_at, self.is_moving(index)) else {
            return (current, scale);
        };
        let scale = if self.is_scaling[index] {
            self.scale_at(index, alpha)
        } else {
            scale
        };
        if alpha > 0.0 && self.poses.has_jumped(index) {
            return (current, scale);
        }
        let between = self.poses.previous(index).zip(current);
        (
            between.map(|(previous, current)| previous.blend(&current, alpha)),
            scale,
        )
    }
}

/// Forgets an entity, whose transform is true again.
pub(super) fn release(world: &mut DeferredWorld, entity: Entity) {
    let now = world.change_tick();
    let slot = world
        .get_mut::<Slot>(entity)
        .map(|mut slot| core::mem::take(&mut *slot));
    let (Some(slot), Some(mut bodies)) = (slot, world.get_resource_mut::<Bodies>()) else {
        return;
    };
    let (truth, since) = (bodies.remove(slot), bodies.ours.since);
    if let (Some((truth, scale)), Some(mut transform)) = (truth, world.get_mut::<Transform>(entity))
        && !transform.last_changed().is_newer_than(since, now)
    {
        put(&truth, &mut transform);
        transform.scale = scale;
    }
}
