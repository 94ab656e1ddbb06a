use bevy_ecs::change_detection::{DetectChangesMut, Mut, Tick};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::DeferredWorld;
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use core::num::NonZeroU32;
use evenstep::Blend;
use evenstep::poses::{Pose3, Poses3};

use super::ours::{Ours, Written, pose, put};

/// Where the states of an entity are kept; none before it is seen first.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq)]
#[component(clone_behavior = Ignore)]
pub(super) struct Slot(Option<NonZeroU32>);

impl Slot {
    fn new(index: usize) -> Self {
        Self(u32::try_from(index + 1).ok().and_then(NonZeroU32::new))
    }

    #[inline]
    pub(super) fn index(self) -> Option<usize> {
        self.0.map(|number| number.get() as usize - 1)
    }
}

/// The states of all interpolated entities, side by side.
#[derive(Resource, Default)]
pub(super) struct Bodies {
    poses: Poses3,
    /// What is to be drawn of them.
    drawn: Vec<Pose3>,
    /// Their true scales.
    scales: Vec<Vec3>,
    /// The same before the last step, of those whose scale it changed.
    scales_before: Vec<Vec3>,
    /// Whether each changed its scale as it moved last.
    is_scaling: Vec<bool>,
    /// The step in which each moved last.
    moved_in: Vec<u64>,
    /// Those that moved in the last step.
    pub(super) moving: Vec<Entity>,
    free: Vec<Slot>,
    pub(super) ours: Ours,
}

impl Bodies {
    pub(super) fn len(&self) -> usize {
        self.drawn.len() - self.free.len()
    }

    /// Takes a body in, at rest.
    pub(super) fn add(&mut self, transform: &Transform) -> Slot {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.drawn.push(Pose3::IDENTITY);
            self.scales.push(Vec3::ONE);
            self.scales_before.push(Vec3::ONE);
            self.is_scaling.push(false);
            self.moved_in.push(0);
            Slot::new(self.poses.push(Pose3::IDENTITY))
        });
        if let Some(index) = slot.index() {
            self.poses.reset(index, pose(transform));
            (self.scales[index], self.moved_in[index]) = (transform.scale, 0);
        }
        slot
    }

    /// Forgets a body. Answers with its truth and what its transform shows, if that is something else.
    fn remove(&mut self, slot: Slot) -> Option<[Transform; 2]> {
        let index = slot.index()?;
        self.free.push(slot);
        let shows_other = self.ours.is_drawn() && self.is_moving(index);
        let truth_and_left = [self.truth(index), self.left(index)];
        self.moved_in[index] = 0;
        shows_other.then_some(truth_and_left)
    }

    pub(super) fn begin_step(&mut self) {
        self.poses.begin_step();
        self.moving.clear();
    }

    /// Where a body is after the step, if that is elsewhere.
    #[inline]
    pub(super) fn end_step(&mut self, entity: Entity, index: usize, transform: &Transform, has_jumped: bool) {
        let (pose, before) = (pose(transform), self.scales[index]);
        let is_scaling = before != transform.scale;
        if !is_scaling && self.poses.current(index) == Some(pose) {
            return;
        }
        if has_jumped {
            self.poses.teleport(index, pose);
        } else {
            self.poses.set(index, pose);
        }
        if is_scaling {
            (self.scales_before[index], self.scales[index]) = (before, transform.scale);
        }
        self.is_scaling[index] = is_scaling;
        self.moved_in[index] = self.poses.step();
        self.moving.push(entity);
    }

    #[inline]
    pub(super) fn is_moving(&self, index: usize) -> bool {
        self.moved_in[index] == self.poses.step()
    }

    /// When we wrote a body's transform last, or later. Those at rest are not drawn, so what was written to them before others were
    /// drawn is still to be taken over.
    fn ours_since(&self, index: usize) -> Tick {
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

    /// The same of one.
    pub(super) fn blend_one(&mut self, index: usize, alpha: f64) {
        self.drawn[index] = pose(&self.between(index, alpha));
    }

    /// Writes what to draw of a body that moves.
    #[inline]
    pub(super) fn show(&self, index: usize, transform: &mut Transform, alpha: f64) {
        put(&self.drawn[index], transform);
        if self.is_scaling[index] {
            transform.scale = self.scale_at(index, alpha);
        }
    }

    /// Writes where a body that moves is in truth.
    #[inline]
    pub(super) fn restore(&self, index: usize, transform: &mut Transform) {
        put(&self.poses.current(index).unwrap_or_default(), transform);
        if self.is_scaling[index] {
            transform.scale = self.scales[index];
        }
    }

    /// Takes over what others wrote to a transform: these parts rest there. What they left as it was drawn is not taken for the truth.
    /// Answers with whether there was anything.
    pub(super) fn adopt(&mut self, index: usize, transform: &mut Mut<Transform>, now: Tick) -> bool {
        let Some(written) = Written::find(transform, self.ours_since(index), now, || self.left(index)) else {
            return false;
        };
        if written.scale {
            self.scales[index] = transform.scale;
            self.is_scaling[index] = false;
        }
        let current = self.poses.current(index).unwrap_or_default();
        let previous = self.poses.previous(index).filter(|_| !self.poses.has_jumped(index));
        let [previous, current] = [previous.unwrap_or(current), current].map(|pose| written.over(pose, transform));
        if written.translation || written.rotation {
            self.poses.reset(index, previous);
            self.poses.set(index, current);
        }
        if self.is_moving(index) && previous == current && !self.is_scaling[index] {
            self.restore(index, transform);
            self.moved_in[index] = 0;
        }
        true
    }

    /// What we left in a transform: what it shows where nobody else has written.
    fn left(&self, index: usize) -> Transform {
        match self.ours.drawn_at {
            Some(alpha) if self.is_moving(index) => self.between(index, alpha),
            _ => self.truth(index),
        }
    }

    fn truth(&self, index: usize) -> Transform {
        let mut truth = Transform::from_scale(self.scales[index]);
        put(&self.poses.current(index).unwrap_or_default(), &mut truth);
        truth
    }

    /// What to draw of a body that moves, to the bit what [`Self::blend`] and [`Self::show`] make of it.
    fn between(&self, index: usize, alpha: f64) -> Transform {
        let mut between = self.truth(index);
        if self.is_scaling[index] {
            between.scale = self.scale_at(index, alpha);
        }
        if let Some(previous) = self.poses.previous(index)
            && alpha <= 0.0
        {
            put(&previous, &mut between);
        } else if let Some(previous) = self.poses.previous(index)
            && !self.poses.has_jumped(index)
        {
            let current = pose(&between);
            put(&previous.blend(&current, alpha), &mut between);
        }
        between
    }

    /// The scale to draw; a jump is drawn as soon as alpha exceeds zero.
    fn scale_at(&self, index: usize, alpha: f64) -> Vec3 {
        let (before, after) = (self.scales_before[index], self.scales[index]);
        if alpha > 0.0 && self.poses.has_jumped(index) {
            after
        } else {
            before.lerp(after, alpha as f32)
        }
    }
}

/// Forgets an entity, whose transform is true again where nobody else has written to it.
pub(super) fn release(world: &mut DeferredWorld, entity: Entity) {
    let now = world.change_tick();
    let slot = world
        .get_mut::<Slot>(entity)
        .map(|mut slot| core::mem::take(&mut *slot));
    let (Some(slot), Some(mut bodies)) = (slot, world.get_resource_mut::<Bodies>()) else {
        return;
    };
    let (removed, since) = (bodies.remove(slot), bodies.ours.since);
    if let (Some([truth, left]), Some(mut transform)) = (removed, world.get_mut::<Transform>(entity)) {
        let written = Written::find(&transform, since, now, || left);
        transform.set_if_neq(written.map_or(truth, |written| written.merged(&transform, truth)));
    }
}
