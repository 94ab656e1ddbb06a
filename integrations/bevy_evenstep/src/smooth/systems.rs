//! Restores the simulated poses before the steps of a frame, keeps them after each, and draws between them.

use bevy_ecs::change_detection::{DetectChanges, Tick};
use bevy_ecs::entity::Entity;
use bevy_ecs::query::{Has, QueryData, With, Without};
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Query, Res, ResMut, SystemChangeTick};
use bevy_ecs::world::World;
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;

use super::components::{NoSmoothTransform, SmoothAhead, SmoothTransform, Teleport};
use super::state::{Course, Moment, SmoothState, has_same_bits};
use super::velocity::{SmoothVelocity, VelocityState};

/// What `Transform` of smoothed entities is at the moment.
#[derive(Resource, Clone, Copy, Debug, Default)]
pub(super) struct Easing {
    /// Whether it is the drawn pose.
    pub(super) is_drawn: bool,
    /// The moment that was drawn last.
    pub(super) at: Moment,
    /// When that was. An entity whose transform was written earlier rests: all that move were written then or since.
    since: Tick,
    /// The entity that has left its parent last, until one comes to a parent.
    pub(super) left: Option<Entity>,
}

impl Easing {
    fn is_awake(&self, changed: Tick, now: Tick) -> bool {
        changed == self.since || changed.is_newer_than(self.since, now)
    }
}

/// A smoothed entity.
#[derive(QueryData)]
#[query_data(mutable)]
pub(super) struct Body {
    transform: &'static mut Transform,
    state: &'static mut SmoothState,
    teleport: &'static mut Teleport,
    velocity: Option<&'static VelocityState>,
    is_ahead: Has<SmoothAhead>,
}

pub(super) type Smoothed = (With<SmoothTransform>, Without<NoSmoothTransform>);

pub(super) fn course(velocity: Option<&VelocityState>, is_ahead: bool) -> Course {
    match velocity {
        Some(velocity) if is_ahead => Course::Ahead(velocity.to),
        Some(velocity) => Course::Curve(*velocity),
        None => Course::Straight,
    }
}

impl BodyItem<'_, '_> {
    fn drawn(&self, at: Moment) -> Option<Transform> {
        self.state.drawn(course(self.velocity, self.is_ahead), at)
    }

    /// Takes in what was written since the pose was drawn, or since the step if it has not been drawn.
    fn fold(&mut self, easing: &Easing) {
        let drawn = if easing.is_drawn { self.drawn(easing.at) } else { None };
        let drawn = drawn.unwrap_or(self.state.to);
        fold(&mut self.state, &mut self.teleport, &drawn, &self.transform);
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
pub(super) fn restore(mut easing: ResMut<Easing>, mut bodies: Query<Body, Smoothed>, ticks: SystemChangeTick) {
    if !easing.is_drawn {
        return;
    }
    for mut body in &mut bodies {
        let changed = body.transform.last_changed();
        if !easing.is_awake(changed, ticks.this_run()) {
            continue;
        }
        if changed != easing.since {
            body.fold(&easing);
        }
        if !has_same_bits(&body.transform, &body.state.to) {
            *body.transform = body.state.to;
        }
    }
    easing.is_drawn = false;
}

/// After a step, its state is kept.
pub(super) fn keep(easing: Res<Easing>, mut bodies: Query<Body, Smoothed>, ticks: SystemChangeTick) {
    for mut body in &mut bodies {
        if !easing.is_awake(body.transform.last_changed(), ticks.this_run()) {
            continue;
        }
        let (from, to) = (body.state.to, *body.transform);
        *body.state = SmoothState { from, to };
        if body.teleport.is_marked() && !has_same_bits(&from, &to) {
            body.teleport.clear();
            body.state.from = to;
        }
    }
}

pub(super) fn keep_velocities(mut velocities: Query<(&SmoothVelocity, &mut VelocityState)>) {
    for (velocity, mut state) in &mut velocities {
        (state.from, state.to) = (state.to, *velocity);
    }
}

/// After the steps of a frame, `Transform` is the drawn pose.
pub(super) fn ease(
    mut easing: ResMut<Easing>,
    mut bodies: Query<Body, Smoothed>,
    fixed: Res<Time<Fixed>>,
    ticks: SystemChangeTick,
) {
    let (now, at) = (ticks.this_run(), moment(&fixed));
    if easing.is_drawn && easing.at == at {
        return; // paused: what is written meanwhile is taken in later
    }
    for mut body in &mut bodies {
        let changed = body.transform.last_changed();
        if !easing.is_awake(changed, now) {
            continue;
        }
        if !easing.is_drawn || changed != easing.since {
            body.fold(&easing);
        }
        if let Some(drawn) = body.drawn(at) {
            *body.transform = drawn;
        }
    }
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
