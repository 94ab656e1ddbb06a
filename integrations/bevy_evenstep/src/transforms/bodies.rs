//! The last two poses of all interpolated entities.

use bevy_ecs::change_detection::Tick;
use bevy_ecs::entity::Entity;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::DeferredWorld;
use bevy_math::Vec3;
use bevy_transform::components::Transform;
use evenstep::poses::{Pose3, Poses3};

use super::compaction::Order;
use super::globals::{Globals, Pass, stop_drawing};
use super::moved_rows::{Marks, Moving};
use super::pose::{global, pose, shifted, transform};
use super::rows::{RUN, Rows, any_newer};
use super::slot::Slot;
use super::teleports::Orphans;

/// The states of all interpolated entities, side by side.
#[derive(Resource)]
pub(super) struct Bodies {
    /// Their positions and rotations when we looked last: after a step, or after a write outside of steps.
    poses: Poses3,
    /// Their scales then.
    scales: Vec<Vec3>,
    /// Their scales before the last step, of those whose scale it changed.
    scales_before: Vec<Vec3>,
    /// The effect of the last step on each run of bodies.
    marks: Vec<Marks>,
    /// The bodies that moved in the last step.
    pub(super) moving: Moving,
    free: Vec<Slot>,
    pub(super) order: Order,
    /// Whether some may have no place yet.
    pub(super) has_arrivals: bool,
    /// When the last step began that was captured.
    pub(super) begun: Tick,
    /// When a step was captured last.
    pub(super) captured: Tick,
    /// When they were drawn last.
    pub(super) drawn: Tick,
    /// Room for the poses of a run.
    run: [Pose3; RUN],
}

impl Default for Bodies {
    fn default() -> Self {
        Self {
            poses: Poses3::new(),
            scales: Vec::new(),
            scales_before: Vec::new(),
            marks: Vec::new(),
            moving: Moving::default(),
            free: Vec::new(),
            order: Order::default(),
            has_arrivals: true, // before the plugin
            begun: Tick::default(),
            captured: Tick::default(),
            drawn: Tick::default(),
            run: [Pose3::IDENTITY; RUN],
        }
    }
}

impl Bodies {
    fn len(&self) -> usize {
        self.poses.len() - self.free.len()
    }

    /// Takes a body in, at rest.
    pub(super) fn add(&mut self, transform: &Transform) -> Slot {
        let slot = self.free.pop().unwrap_or_else(|| self.push());
        if let Some(index) = slot.index() {
            self.reset(index, transform);
            self.rest(index);
        }
        slot
    }

    fn push(&mut self) -> Slot {
        let index = self.poses.push(Pose3::IDENTITY);
        self.scales.push(Vec3::ONE);
        self.scales_before.push(Vec3::ONE);
        if index.is_multiple_of(RUN) {
            self.marks.push(Marks::default());
        }
        Slot::new(index)
    }

    /// A body has not moved to where it is now.
    fn reset(&mut self, index: usize, transform: &Transform) {
        self.poses.reset(index, pose(transform));
        self.scales[index] = transform.scale;
    }

    /// Where a body was when we looked last.
    fn truth(&self, index: usize) -> Pose3 {
        self.poses.current(index).unwrap_or(Pose3::IDENTITY)
    }

    /// Whether a body is where it was then.
    fn is_at(&self, index: usize, transform: &Transform) -> bool {
        pose(transform) == self.truth(index) && transform.scale == self.scales[index]
    }

    /// Forgets a body. Returns whether it moved in the last step.
    fn remove(&mut self, slot: Slot) -> bool {
        let Some(index) = slot.index() else { return false };
        self.free.push(slot);
        let was_moving = self.is_moving(index);
        self.rest(index);
        was_moving
    }

    /// Whether places and rows have drifted apart far enough for all to be given new places.
    pub(super) fn are_scattered(&mut self) -> bool {
        self.order.should_compact(self.free.len(), self.len())
    }

    /// Gives all bodies new places, in the order in which `each` shows them, before a step.
    pub(super) fn gather(&mut self, mut each: impl FnMut(&mut dyn FnMut(&mut Slot))) {
        let mut shown = 0;
        each(&mut |slot| shown += usize::from(slot.index().is_some()));
        if shown != self.len() {
            return; // Some are hidden: entities that are disabled keep their places.
        }
        let (mut poses, mut scales) = (Poses3::new(), Vec::with_capacity(shown));
        each(&mut |slot| {
            if let Some(index) = slot.index() {
                *slot = Slot::new(poses.push(self.truth(index)));
                scales.push(self.scales[index]);
            }
        });
        self.free.clear();
        (self.poses, self.scales) = (poses, scales);
        self.scales_before = vec![Vec3::ONE; shown];
        self.marks = vec![Marks::default(); shown.div_ceil(RUN)];
    }

    /// Stores the transforms of a run of bodies that were written since the last step: the next step begins with them.
    pub(super) fn take_over(&mut self, first: usize, rows: &Rows) {
        for (index, transform) in (first..).zip(rows.transforms) {
            if !self.is_at(index, transform) {
                self.reset(index, transform);
            }
        }
    }

    pub(super) fn begin_step(&mut self) {
        self.poses.begin_step();
        self.moving.clear();
        self.order.begin_step();
    }

    /// Where a run of bodies is after the step: all of them may have moved, and none has teleported.
    pub(super) fn end_step_of_run(&mut self, first: usize, rows: &Rows) {
        let bodies = first..first + rows.entities.len();
        let (run, scales) = (&mut self.run[..bodies.len()], &mut self.scales[bodies.clone()]);
        self.poses.blend_range(first, 1.0, run); // where they were
        let (mut moved, mut scaled) = (0, 0);
        let pairs = rows.transforms.iter().zip(&*scales);
        for (place, ((transform, scale), run)) in pairs.zip(&mut *run).enumerate() {
            let (before, after) = (*run, pose(transform));
            let is_scaled = transform.scale != *scale;
            let is_elsewhere = (after.position != before.position) | (after.rotation != before.rotation);
            scaled |= u32::from(is_scaled) << place;
            moved |= u32::from(is_scaled | is_elsewhere) << place;
            *run = after;
        }
        if moved == 0 {
            return;
        }
        if scaled != 0 {
            self.scales_before[bodies].copy_from_slice(scales);
            for (scale, transform) in scales.iter_mut().zip(rows.transforms) {
                *scale = transform.scale;
            }
        }
        self.poses.set_range(first, run);
        self.marks[first / RUN].add(self.poses.step(), first, moved, scaled);
        self.moving.extend(rows.entities, self.poses.len());
    }

    /// Where a body is after the step.
    pub(super) fn end_step_of(&mut self, index: usize, entity: Entity, transform: &Transform, has_teleported: bool) {
        if self.is_at(index, transform) {
            return;
        }
        let (pose, scale) = (pose(transform), self.scales[index]);
        if has_teleported {
            self.poses.teleport(index, pose);
        } else {
            self.poses.set(index, pose);
        }
        (self.scales_before[index], self.scales[index]) = (scale, transform.scale);
        let scaled = u32::from(scale != transform.scale);
        self.marks[index / RUN].add(self.poses.step(), index, 1, scaled);
        self.moving.extend(&[entity], self.poses.len());
    }

    /// Marks of the bodies of a run that moved in the last step.
    #[inline]
    fn moving_of(&self, first: usize, count: usize) -> u32 {
        self.marks[first / RUN].moving(self.poses.step(), first) & all(count)
    }

    #[inline]
    pub(super) fn is_moving(&self, index: usize) -> bool {
        self.moving_of(index, 1) != 0
    }

    /// A body did not move in the last step.
    fn rest(&mut self, index: usize) {
        self.marks[index / RUN].clear(index);
    }

    /// Draws those of a run that move.
    pub(super) fn draw(&mut self, first: usize, rows: Rows, pass: Pass, orphans: &Orphans, globals: &mut Globals) {
        let count = rows.entities.len();
        if self.moving_of(first, count) != 0 && any_newer(rows.changed, self.captured, pass.now) {
            for row in 0..count {
                self.shift(first + row, &rows, row, orphans, pass.now);
            }
        }
        let moving = self.moving_of(first, count);
        let is_in_tree = rows.are_in_trees();
        if moving == 0 || (!is_in_tree && pass.is_done(rows.globals_changed, rows.changed)) {
            return;
        }
        let scaling = self.marks[first / RUN].scaling(self.poses.step(), first);
        self.poses.blend_range(first, pass.alpha, &mut self.run[..count]);
        for row in ones(moving) {
            let scale = if scaling & (1 << row) == 0 {
                self.scales[first + row]
            } else {
                self.scale_at(first + row, pass.alpha)
            };
            let drawn = transform(&self.run[row], scale);
            if is_in_tree {
                globals.trees.insert(rows.entities[row], drawn);
            } else {
                (rows.globals[row], rows.globals_changed[row]) = (global(&drawn), pass.now);
            }
        }
    }

    /// Draws those of a run that move where their transforms say.
    pub(super) fn show_truth(&self, first: usize, rows: Rows, now: Tick, globals: &mut Globals) {
        for row in ones(self.moving_of(first, rows.entities.len())) {
            if rows.are_in_trees() {
                globals.trees.insert(rows.entities[row], rows.transforms[row]);
            } else {
                (rows.globals[row], rows.globals_changed[row]) = (global(&rows.transforms[row]), now);
            }
        }
    }

    /// Stores the transform of a moving body that was written since its last step: the drawn pose is offset by the same amount. A body that
    /// teleported is at rest until the next step.
    fn shift(&mut self, index: usize, rows: &Rows, row: usize, orphans: &Orphans, now: Tick) {
        let transform = &rows.transforms[row];
        if !self.is_moving(index) || self.is_at(index, transform) {
            return;
        }
        if rows.is_teleport(row, false, orphans, [self.captured, now]) {
            self.reset(index, transform);
            self.rest(index);
            return;
        }
        let (from, to, scale) = (self.truth(index), pose(transform), self.scales[index]);
        self.poses.shift(index, |pose| *pose = shifted(pose, &from, &to));
        self.scales[index] = transform.scale;
        let before = transform.scale - (scale - self.scales_before[index]);
        self.scales_before[index] = if before.is_finite() { before } else { transform.scale };
    }

    /// The scale to draw; a teleport is drawn as soon as alpha exceeds zero.
    fn scale_at(&self, index: usize, alpha: f64) -> Vec3 {
        let (before, after) = (self.scales_before[index], self.scales[index]);
        if alpha > 0.0 && self.poses.has_teleported(index) {
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

/// Forgets an entity, which is no longer drawn between steps.
pub(super) fn release(world: &mut DeferredWorld, entity: Entity) {
    let slot = world
        .get_mut::<Slot>(entity)
        .map(|mut slot| core::mem::take(&mut *slot));
    let (Some(slot), Some(mut bodies)) = (slot, world.get_resource_mut::<Bodies>()) else {
        return;
    };
    if bodies.remove(slot) {
        stop_drawing(world, entity);
    }
}
