use bevy_ecs::change_detection::{DetectChanges, DetectChangesMut, Tick};
use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::DeferredWorld;
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use evenstep::poses::{Pose3, Poses3};

use super::moving::{Marks, Moving};
use super::order::Order;
use super::ours::{Ours, Written, pose, put};
use super::rows::{RUN, Rows, any_newer};
use super::slot::Slot;

/// The states of all interpolated entities, side by side.
#[derive(Resource)]
pub(super) struct Bodies {
    poses: Poses3,
    /// Where they are after the last step.
    truths: Vec<Transform>,
    /// Their scales before the last step, of those whose scale it changed.
    scales_before: Vec<Vec3>,
    /// What the last step did to each run of them.
    marks: Vec<Marks>,
    /// Those that moved in the last step.
    pub(super) moving: Moving,
    free: Vec<Slot>,
    pub(super) order: Order,
    /// Whether some may have no place yet.
    pub(super) has_arrivals: bool,
    pub(super) ours: Ours,
    /// Room for the poses of a run.
    run: [Pose3; RUN],
}

impl Default for Bodies {
    fn default() -> Self {
        Self {
            poses: Poses3::new(),
            truths: Vec::new(),
            scales_before: Vec::new(),
            marks: Vec::new(),
            moving: Moving::default(),
            free: Vec::new(),
            order: Order::default(),
            has_arrivals: true, // before the plugin
            ours: Ours::default(),
            run: [Pose3::IDENTITY; RUN],
        }
    }
}

impl Bodies {
    fn len(&self) -> usize {
        self.truths.len() - self.free.len()
    }

    /// Takes a body in, at rest.
    pub(super) fn add(&mut self, transform: &Transform) -> Slot {
        let slot = self.free.pop().unwrap_or_else(|| self.push());
        if let Some(index) = slot.index() {
            self.poses.reset(index, pose(transform));
            self.truths[index] = *transform;
            self.rest(index);
        }
        slot
    }

    fn push(&mut self) -> Slot {
        let index = self.poses.push(Pose3::IDENTITY);
        self.truths.push(Transform::IDENTITY);
        self.scales_before.push(Vec3::ONE);
        if index.is_multiple_of(RUN) {
            self.marks.push(Marks::default());
        }
        Slot::new(index)
    }

    /// Forgets a body. Answers with its truth and what its transform shows, if that is something else.
    fn remove(&mut self, slot: Slot) -> Option<[Transform; 2]> {
        let index = slot.index()?;
        self.free.push(slot);
        let shows_other = self.ours.is_drawn() && self.is_moving(index);
        let truth_and_left = [self.truths[index], self.left(index)];
        self.rest(index);
        shows_other.then_some(truth_and_left)
    }

    /// Whether places and rows have come so far apart that it is worth giving all new places.
    pub(super) fn are_scattered(&mut self) -> bool {
        self.order.is_lost(self.free.len(), self.len())
    }

    /// Gives all bodies new places, in the order in which `each` shows them. They must show the truth, before a step.
    pub(super) fn gather(&mut self, mut each: impl FnMut(&mut dyn FnMut(&mut Slot))) {
        let mut shown = 0;
        each(&mut |slot| shown += usize::from(slot.index().is_some()));
        if shown != self.len() {
            return; // Some are hidden: entities that are disabled keep their places.
        }
        let mut truths = Vec::with_capacity(shown);
        each(&mut |slot| {
            if let Some(index) = slot.index() {
                *slot = Slot::new(truths.len());
                truths.push(self.truths[index]);
            }
        });
        self.free.clear();
        self.poses = Poses3::new();
        for truth in &truths {
            self.poses.push(pose(truth));
        }
        self.truths = truths;
        self.scales_before = vec![Vec3::ONE; shown];
        self.marks = vec![Marks::default(); shown.div_ceil(RUN)];
    }

    pub(super) fn begin_step(&mut self) {
        self.poses.begin_step();
        self.moving.clear();
        self.order.begin_step();
    }

    /// Where a run of bodies is after the step: all of them may have moved, and none has jumped.
    pub(super) fn end_step_of_run(&mut self, first: usize, rows: &Rows) {
        let bodies = first..first + rows.entities.len();
        let truths = &mut self.truths[bodies.clone()];
        let (mut moved, mut scaled) = (0, 0);
        let pairs = rows.transforms.iter().zip(&*truths);
        for (place, ((transform, truth), run)) in pairs.zip(&mut self.run).enumerate() {
            let is_scaled = transform.scale != truth.scale;
            let is_elsewhere = (transform.translation != truth.translation) | (transform.rotation != truth.rotation);
            scaled |= u32::from(is_scaled) << place;
            moved |= u32::from(is_scaled | is_elsewhere) << place;
            *run = pose(transform);
        }
        if moved == 0 {
            return;
        }
        if scaled != 0 {
            for (before, truth) in self.scales_before[bodies].iter_mut().zip(&*truths) {
                *before = truth.scale;
            }
        }
        truths.copy_from_slice(rows.transforms);
        self.poses.set_range(first, &self.run[..truths.len()]);
        self.marks[first / RUN].add(self.poses.step(), first, moved, scaled);
        self.moving.extend(rows.entities, self.truths.len());
    }

    /// Where a body is after the step.
    pub(super) fn end_step_of(&mut self, index: usize, entity: Entity, transform: &Transform, has_jumped: bool) {
        let (pose, truth) = (pose(transform), self.truths[index]);
        if *transform == truth {
            return;
        }
        if has_jumped {
            self.poses.teleport(index, pose);
        } else {
            self.poses.set(index, pose);
        }
        self.scales_before[index] = truth.scale;
        self.truths[index] = *transform;
        let scaled = u32::from(truth.scale != transform.scale);
        self.marks[index / RUN].add(self.poses.step(), index, 1, scaled);
        self.moving.extend(&[entity], self.truths.len());
    }

    /// Marks of the bodies of a run that moved in the last step.
    #[inline]
    fn moving_of(&self, first: usize, count: usize) -> u32 {
        self.marks[first / RUN].moving(self.poses.step(), first) & all(count)
    }

    #[inline]
    fn is_moving(&self, index: usize) -> bool {
        self.moving_of(index, 1) != 0
    }

    #[inline]
    fn is_scaling(&self, index: usize) -> bool {
        self.marks[index / RUN].scaling(self.poses.step(), index) & 1 != 0
    }

    /// A body did not move in the last step.
    fn rest(&mut self, index: usize) {
        self.marks[index / RUN].clear(index);
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

    /// Writes what to draw of those of a run that move, and takes over what others have written to them.
    pub(super) fn draw(&mut self, first: usize, rows: Rows, alpha: f64, now: Tick) {
        let count = rows.entities.len();
        if self.moving_of(first, count) != 0 && any_newer(rows.changed, self.ours.since, now) {
            for row in 0..count {
                if self.is_moving(first + row) {
                    self.adopt(first + row, &mut rows.transforms[row], &mut rows.changed[row], now);
                }
            }
        }
        let moving = self.moving_of(first, count);
        if moving == 0 {
            return;
        }
        let drawn = &mut self.run[..count];
        self.poses.blend_range(first, alpha, drawn);
        if moving == all(count) {
            for (transform, pose) in rows.transforms.iter_mut().zip(&*drawn) {
                put(pose, transform);
            }
            rows.changed.fill(now);
        } else {
            for row in ones(moving) {
                put(&drawn[row], &mut rows.transforms[row]);
                rows.changed[row] = now;
            }
        }
        for row in ones(moving & self.marks[first / RUN].scaling(self.poses.step(), first)) {
            rows.transforms[row].scale = self.scale_at(first + row, alpha);
        }
    }

    /// Writes where those of a run are in truth, and takes over what others have written to them.
    pub(super) fn show_truth(&mut self, first: usize, rows: Rows, now: Tick) {
        let count = rows.entities.len();
        let is_drawn = self.ours.is_drawn();
        if self.moving_of(first, count) == all(count) && !any_newer(rows.changed, self.ours.since, now) {
            if is_drawn {
                rows.transforms.copy_from_slice(&self.truths[first..first + count]);
                rows.changed.fill(now);
            }
            return;
        }
        for (index, (transform, changed)) in (first..).zip(rows.transforms.iter_mut().zip(rows.changed)) {
            if changed.is_newer_than(self.ours.captured, now) {
                self.adopt(index, transform, changed, now);
                if is_drawn && self.is_moving(index) {
                    (*transform, *changed) = (self.truths[index], now);
                }
            }
        }
    }

    /// Takes over what others wrote to a transform: these parts rest there. What they left as it was drawn is not taken for the truth.
    fn adopt(&mut self, index: usize, transform: &mut Transform, changed: &mut Tick, now: Tick) {
        let since = self.ours_since(index);
        let Some(written) = Written::find(transform, *changed, [since, now], || self.left(index)) else {
            return;
        };
        self.truths[index] = written.merged(transform, self.truths[index]);
        if written.scale {
            self.marks[index / RUN].clear_scaling(index);
        }
        let current = self.poses.current(index).unwrap_or_default();
        let previous = self.poses.previous(index).filter(|_| !self.poses.has_jumped(index));
        let [previous, current] = [previous.unwrap_or(current), current].map(|pose| written.over(pose, transform));
        if written.translation || written.rotation {
            self.poses.reset(index, previous);
            self.poses.set(index, current);
        }
        if self.is_moving(index) && previous == current && !self.is_scaling(index) {
            (*transform, *changed) = (self.truths[index], now);
            self.rest(index);
        }
    }

    /// What we left in a transform: what it shows where nobody else has written.
    fn left(&self, index: usize) -> Transform {
        match self.ours.drawn_at {
            Some(alpha) if self.is_moving(index) => self.between(index, alpha),
            _ => self.truths[index],
        }
    }

    /// What to draw of a body that moves, to the bit what is drawn of it in a run.
    fn between(&self, index: usize, alpha: f64) -> Transform {
        let (mut between, mut drawn) = (self.truths[index], [Pose3::IDENTITY]);
        self.poses.blend_range(index, alpha, &mut drawn);
        put(&drawn[0], &mut between);
        if self.is_scaling(index) {
            between.scale = self.scale_at(index, alpha);
        }
        between
    }

    /// The scale to draw; a jump is drawn as soon as alpha exceeds zero.
    fn scale_at(&self, index: usize, alpha: f64) -> Vec3 {
        let (before, after) = (self.scales_before[index], self.truths[index].scale);
        if alpha > 0.0 && self.poses.has_jumped(index) {
            after
        } else {
            before.lerp(after, alpha as f32)
        }
    }
}

/// The marks of a run that are all set.
#[inline]
fn all(count: usize) -> u32 {
    u32::MAX >> (RUN - count)
}

/// The places of the marks that are set.
fn ones(mut marks: u32) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let place = (marks != 0).then(|| marks.trailing_zeros() as usize);
        marks &= marks.wrapping_sub(1);
        place
    })
}

/// Says that an entity may have no place yet.
pub(super) fn arrive(world: &mut DeferredWorld) {
    if let Some(mut bodies) = world.get_resource_mut::<Bodies>() {
        bodies.has_arrivals = true;
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
        let written = Written::find(&transform, transform.last_changed(), [since, now], || left);
        transform.set_if_neq(written.map_or(truth, |written| written.merged(&transform, truth)));
    }
}
