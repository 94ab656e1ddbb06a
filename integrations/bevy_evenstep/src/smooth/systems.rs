//! Restores the simulated poses before the steps of a frame, keeps them after each, and draws between them.

use bevy_ecs::change_detection::{CheckChangeTicks, DetectChangesMut, Mut, Tick};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::lifecycle::RemovedComponents;
use bevy_ecs::observer::On;
use bevy_ecs::query::{Allow, Changed, Without};
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Query, Res, ResMut, SystemChangeTick};
use bevy_ecs::world::World;
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;

use super::changed_bodies::{Bodies, ChangedBody, Smoothed, for_each_changed};
use super::drawn_time::DrawnTime;
use super::shown_globals::{ShownGlobals, put_back};
use super::state::{BELOW_ONE, BlendPoint, SmoothState, Space, has_same_bits};
use super::velocity::{SmoothVelocity, VelocityState};

/// What `Transform` of smoothed entities is at the moment.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(super) struct Easing {
    /// Whether it is the drawn pose.
    pub(super) is_drawn: bool,
    /// The moment that was drawn last.
    at: BlendPoint,
    /// When that was. An entity whose transform was written earlier rests: all that move were written then or since.
    since: Tick,
    /// When the last step was kept.
    kept: Tick,
    /// When the steps of this frame began; none outside of steps.
    steps_began: Option<Tick>,
    drawn_time: DrawnTime,
}

/// Bevy keeps ticks from growing so old that they look new.
pub(super) fn check_ticks(
    check: On<CheckChangeTicks>,
    mut easing: ResMut<Easing>,
    mut states: Query<&mut SmoothState, Allow<Disabled>>,
) {
    easing.since.check_tick(*check);
    easing.kept.check_tick(*check);
    for mut state in &mut states {
        state.bypass_change_detection().smoothed_since.check_tick(*check);
    }
}

impl Easing {
    /// Whether an entity came in a step of this frame, so that no frame has shown it where it is.
    pub(super) fn is_new(&self, state: &SmoothState, now: Tick) -> bool {
        self.steps_began
            .is_some_and(|began| state.smoothed_since.is_newer_than(began, now))
    }

    /// Brings the states up to what has happened since the pose was drawn, or since the step if it has not been drawn: what was written is
    /// added to them. A mark, or a parent that is not the one before, puts the entity at rest where it is.
    #[inline]
    pub(super) fn apply_changes(&self, body: &mut ChangedBody, now: Tick) {
        let is_elsewhere = body.has_come_to_another_space();
        let may_be_written = if self.is_drawn {
            *body.changed != self.since
        } else {
            body.changed.is_newer_than(self.kept, now)
        };
        if is_elsewhere || may_be_written {
            self.update_states(body, is_elsewhere, now);
        }
        body.state.is_previous_set = false;
    }

    fn update_states(&self, body: &mut ChangedBody, is_elsewhere: bool, now: Tick) {
        let drawn = if self.is_drawn { body.drawn(self.at) } else { None };
        let drawn = drawn.unwrap_or(body.state.to);
        let is_written = !has_same_bits(&drawn, body.transform);
        let is_marked = is_written && body.take_mark(self.kept, now);
        if is_elsewhere && !is_written {
            (*body.transform, *body.changed) = (body.state.to, now);
        }
        if is_elsewhere {
            body.state.rest_at(*body.transform);
        } else if is_marked {
            body.state.rest_where_written(&drawn, body.transform);
        } else if is_written {
            body.state.apply_write(&drawn, body.transform);
        }
    }
}

/// An entity at rest may get another parent without a write to its `Transform`; its states change to that space too.
pub(super) fn follow_parents(
    mut children: Query<(&ChildOf, &mut SmoothState), Changed<ChildOf>>,
    mut left: RemovedComponents<ChildOf>,
    mut roots: Query<&mut SmoothState, Without<ChildOf>>,
) {
    let follow = |parent, mut state: Mut<SmoothState>| {
        if state.rests() {
            state.bypass_change_detection().space = Some(Space::below(parent));
        }
    };
    for (parent, state) in &mut children {
        follow(Some(parent.parent()), state);
    }
    for entity in left.read() {
        if let Ok(state) = roots.get_mut(entity) {
            follow(None, state);
        }
    }
}

/// Before a step, `Transform` is the simulation's.
pub(super) fn restore(
    mut easing: ResMut<Easing>,
    mut bodies: Bodies,
    fixed: Res<Time<Fixed>>,
    ticks: SystemChangeTick,
) {
    let now = ticks.this_run();
    easing.steps_began.get_or_insert(now);
    if !easing.is_drawn {
        return;
    }
    easing.drawn_time.begin_steps(fixed.timestep().as_secs_f32());
    for_each_changed(&mut bodies, easing.since, now, |mut body| {
        easing.apply_changes(&mut body, now);
        if easing.drawn_time.is_from_drawn {
            body.state.from = body.drawn(easing.at).unwrap_or(body.state.to);
        }
        body.show_simulated(now);
    });
    easing.is_drawn = false;
}

/// After a step, its state is kept.
pub(super) fn keep(mut easing: ResMut<Easing>, mut bodies: Bodies, fixed: Res<Time<Fixed>>, ticks: SystemChangeTick) {
    let now = ticks.this_run();
    let period = fixed.timestep();
    let ended = if fixed.delta().is_zero() { period } else { fixed.delta() };
    let from_stays = easing.drawn_time.step(ended.as_secs_f32(), period.as_secs_f32());
    for_each_changed(&mut bodies, easing.since, now, |mut body| {
        let written = *body.transform;
        let is_elsewhere = body.has_come_to_another_space();
        let moves = !has_same_bits(&body.state.to, &written);
        let is_marked = moves && body.take_mark(easing.kept, now);
        // What begins without a place is not moved to its first one.
        let is_placed = has_same_bits(&body.state.to, &Transform::IDENTITY)
            && body.state.rests()
            && !body.state.is_previous_set
            && easing.is_new(body.state, now);
        if is_elsewhere || is_marked || is_placed {
            body.state.rest_at(written);
        } else if core::mem::take(&mut body.state.is_previous_set) {
            let from_here = body.state.to;
            body.state.apply_write(&from_here, &written);
        } else {
            if !from_stays {
                body.state.from = body.state.to;
            }
            body.state.to = written;
        }
        if let Some((velocity, state)) = body.velocity {
            (state.from, state.to) = (state.to, *velocity);
        }
    });
    easing.kept = now;
}

/// After `keep`: the velocity of what does not move, or is not smoothed at the moment, is that at its last state as well.
pub(super) fn keep_velocities(mut written: Query<(&SmoothVelocity, &mut VelocityState), Changed<SmoothVelocity>>) {
    for (velocity, mut state) in &mut written {
        state.bypass_change_detection().to = *velocity;
    }
}

/// After the steps of a frame, `Transform` is the drawn pose.
pub(super) fn ease(mut easing: ResMut<Easing>, mut bodies: Bodies, fixed: Res<Time<Fixed>>, ticks: SystemChangeTick) {
    let now = ticks.this_run();
    let alpha = fixed.overstep_fraction().min(BELOW_ONE);
    let at = easing.drawn_time.draw(fixed.timestep().as_secs_f32(), alpha);
    if easing.is_drawn && easing.at == at {
        return; // paused: what is written meanwhile is taken in later
    }
    for_each_changed(&mut bodies, easing.since, now, |mut body| {
        easing.apply_changes(&mut body, now);
        body.draw(at, now);
    });
    (easing.is_drawn, easing.at, easing.since) = (true, at, now);
    easing.steps_began = None;
}

/// Restored states are the simulation's, and none has moved there.
fn adopt(mut bodies: Query<(&Transform, &mut SmoothState), Smoothed>) {
    for (transform, mut state) in &mut bodies {
        if !has_same_bits(transform, &state.to) {
            *state = SmoothState::at_rest(*transform, state.smoothed_since);
        }
    }
}

/// Makes `Transform` the simulation's, until the next frame is drawn.
pub(crate) fn restore_simulated(world: &mut World) {
    if world.contains_resource::<Easing>() {
        // The parameters of the system exist.
        let _ = world.run_system_cached(restore);
    }
}

/// Draws all entities between their states, after steps that the frame did not run.
pub(crate) fn draw(world: &mut World) {
    if world.contains_resource::<Easing>() && world.contains_resource::<Time<Fixed>>() {
        let _ = world.run_system_cached(ease);
    }
    if world.contains_resource::<ShownGlobals>() {
        let _ = world.run_system_cached(put_back);
    }
}

/// Runs `function` while `Transform` is the simulation's. Transforms that it restores are drawn as they are.
pub(crate) fn in_simulated_pose<R>(world: &mut World, function: impl FnOnce(&mut World) -> R) -> R {
    let is_drawn = world.get_resource::<Easing>().is_some_and(|easing| easing.is_drawn);
    if !is_drawn {
        return function(world);
    }
    restore_simulated(world);
    let result = function(world);
    draw(world);
    result
}

/// Takes the transforms of a restored world over.
pub(crate) fn adopt_restored(world: &mut World) {
    if world.contains_resource::<Easing>() {
        let _ = world.run_system_cached(adopt);
    }
}
