//! Restores the simulated poses before the steps of a frame, keeps them after each, and draws between them.

use bevy_ecs::change_detection::{CheckChangeTicks, DetectChangesMut, Tick};
use bevy_ecs::entity::Entity;
use bevy_ecs::observer::On;
use bevy_ecs::query::Changed;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Query, Res, ResMut, SystemChangeTick};
use bevy_ecs::world::World;
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;

use super::awake::{Awake, Bodies, Smoothed, for_each_awake};
use super::components::Teleport;
use super::state::{Moment, SmoothState, has_same_bits};
use super::velocity::{SmoothVelocity, VelocityState};

/// What `Transform` of smoothed entities is at the moment.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(super) struct Easing {
    /// Whether it is the drawn pose.
    pub(super) is_drawn: bool,
    /// The moment that was drawn last.
    pub(super) at: Moment,
    /// When that was. An entity whose transform was written earlier rests: all that move were written then or since.
    pub(super) since: Tick,
    /// When the last step was kept.
    kept: Tick,
    /// The entity that has left its parent last, until one comes to a parent or moves.
    pub(super) left: Option<Entity>,
}

/// Bevy keeps ticks from growing so old that they look new.
pub(super) fn check_ticks(check: On<CheckChangeTicks>, mut easing: ResMut<Easing>) {
    easing.since.check_tick(*check);
    easing.kept.check_tick(*check);
}

impl Easing {
    /// Takes in what was written since the pose was drawn, or since the step if it has not been drawn.
    #[inline]
    fn fold(&self, body: &mut Awake, now: Tick) {
        let drawn = if self.is_drawn {
            if *body.changed == self.since {
                return;
            }
            body.drawn(self.at)
        } else {
            if !body.changed.is_newer_than(self.kept, now) {
                return;
            }
            None
        };
        let drawn = drawn.unwrap_or(body.state.to);
        fold(body.state, body.teleport, &drawn, body.transform);
    }
}

/// Takes in what was written.
pub(super) fn fold(state: &mut SmoothState, teleport: &mut Teleport, drawn: &Transform, written: &Transform) {
    if has_same_bits(drawn, written) {
        return;
    }
    if teleport.is_marked() {
        teleport.clear();
        *state = SmoothState::at_rest(*written);
    } else {
        state.fold(drawn, written);
    }
}

/// Before a step, `Transform` is the simulation's.
pub(super) fn restore(mut easing: ResMut<Easing>, mut bodies: Bodies, ticks: SystemChangeTick) {
    if !easing.is_drawn {
        return;
    }
    let now = ticks.this_run();
    for_each_awake(&mut bodies, easing.since, now, |mut body| {
        easing.fold(&mut body, now);
        if !has_same_bits(body.transform, &body.state.to) {
            *body.transform = body.state.to;
            *body.changed = now;
        }
    });
    easing.is_drawn = false;
}

/// After a step, its state is kept.
pub(super) fn keep(mut easing: ResMut<Easing>, mut bodies: Bodies, ticks: SystemChangeTick) {
    let now = ticks.this_run();
    for_each_awake(&mut bodies, easing.since, now, |body| {
        body.state.from = body.state.to;
        body.state.to = *body.transform;
        if body.teleport.is_marked() && !has_same_bits(&body.state.from, body.transform) {
            body.teleport.clear();
            body.state.from = *body.transform;
        }
        if let Some((velocity, state)) = body.velocity {
            (state.from, state.to) = (state.to, *velocity);
        }
    });
    (easing.kept, easing.left) = (now, None);
}

/// After `keep`: the velocity of what does not move, or is not smoothed at the moment, is that at its last state as well.
pub(super) fn keep_velocities(mut written: Query<(&SmoothVelocity, &mut VelocityState), Changed<SmoothVelocity>>) {
    for (velocity, mut state) in &mut written {
        state.bypass_change_detection().to = *velocity;
    }
}

/// After the steps of a frame, `Transform` is the drawn pose.
pub(super) fn ease(mut easing: ResMut<Easing>, mut bodies: Bodies, fixed: Res<Time<Fixed>>, ticks: SystemChangeTick) {
    let (now, at) = (ticks.this_run(), moment(&fixed));
    easing.left = None;
    if easing.is_drawn && easing.at == at {
        return; // paused: what is written meanwhile is taken in later
    }
    for_each_awake(&mut bodies, easing.since, now, |mut body| {
        easing.fold(&mut body, now);
        body.draw(at, now);
    });
    (easing.is_drawn, easing.at, easing.since) = (true, at, now);
}

/// Restored states are the simulation's, and none has moved there.
fn adopt(mut bodies: Query<(&Transform, &mut SmoothState), Smoothed>) {
    for (transform, mut state) in &mut bodies {
        if !has_same_bits(transform, &state.to) {
            *state = SmoothState::at_rest(*transform);
        }
    }
}

fn moment(fixed: &Time<Fixed>) -> Moment {
    let below_one = 1.0 - f32::EPSILON / 2.0;
    Moment {
        alpha: fixed.overstep_fraction().min(below_one),
        dt: fixed.timestep().as_secs_f32(),
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
}

/// Runs `function` while `Transform` is the simulation's. Transforms that it restores are drawn as they are.
pub(crate) fn in_simulated_pose<R>(world: &mut World, function: impl FnOnce(&mut World) -> R) -> R {
    let is_drawn = world.get_resource::<Easing>().is_some_and(|easing| easing.is_drawn);
    restore_simulated(world);
    let result = function(world);
    if is_drawn {
        draw(world);
    }
    result
}

/// Takes the transforms of a restored world over.
pub(crate) fn adopt_restored(world: &mut World) {
    if world.contains_resource::<Easing>() {
        let _ = world.run_system_cached(adopt);
    }
}
