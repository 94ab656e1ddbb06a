use bevy_ecs::change_detection::{DetectChanges, Ref};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::query::{Or, With, Without};
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Query, Res, ResMut, SystemChangeTick};
use bevy_ecs::world::DeferredWorld;
use bevy_transform::components::Transform;
use evenstep::poses::{Motion3, Pose3};
use evenstep::{Smoothed, Smoothing};

use super::components::{NoTransformEasing, Teleport, TransformExtrapolation, TransformHermite, TransformVelocity};
use super::{Ours, pose, put};
use crate::{LastFrame, Timestep};

/// The last two states of an entity with a velocity; none before its first step.
#[derive(Component, Clone, Copy, Debug, Default)]
#[component(clone_behavior = Ignore)]
pub(super) struct Motion {
    states: Option<Smoothed<Motion3>>,
    /// What its transform shows where nobody else has written to it.
    shown: Pose3,
}

/// What is ours of the transforms of entities with a velocity.
#[derive(Resource, Default)]
pub(super) struct Motions(pub(super) Ours);

/// The entities that are drawn by their velocity.
type Moving = (
    Or<(With<TransformExtrapolation>, With<TransformHermite>)>,
    Without<NoTransformEasing>,
);

fn state(transform: &Transform, velocity: TransformVelocity) -> Motion3 {
    Motion3 {
        pose: pose(transform),
        velocity: velocity.linear.to_array(),
        angular_velocity: velocity.angular.to_array(),
    }
}

/// Puts transforms back to the truth, and takes in what is new or was written by others.
pub(super) fn show_truth(
    mut motions: ResMut<Motions>,
    mut query: Query<(&mut Transform, &mut Motion, &TransformVelocity), Moving>,
    ticks: SystemChangeTick,
) {
    let (ours, now) = (&mut motions.0, ticks.this_run());
    for (mut transform, mut motion, velocity) in &mut query {
        let is_written = transform.last_changed().is_newer_than(ours.since, now) && pose(&transform) != motion.shown;
        let states = motion.states.filter(|_| !is_written);
        let states = states.unwrap_or_else(|| Smoothed::new(state(&transform, *velocity)));
        let truth = states.current().pose;
        if ours.is_drawn() && truth != pose(&transform) {
            put(&truth, &mut transform);
        }
        (motion.states, motion.shown) = (Some(states), truth);
    }
    ours.show_truth(now);
}

/// What was true is the state before the step.
pub(super) fn begin_step(mut query: Query<&mut Motion, Moving>) {
    for states in query
        .iter_mut()
        .filter_map(|motion| motion.into_inner().states.as_mut())
    {
        states.begin_step();
    }
}

/// Captures the states that the step led to.
pub(super) fn end_step(
    mut motions: ResMut<Motions>,
    mut query: Query<
        (
            &Transform,
            &mut Motion,
            &TransformVelocity,
            Ref<Teleport>,
            Option<Ref<ChildOf>>,
        ),
        Moving,
    >,
    ticks: SystemChangeTick,
) {
    let (ours, now) = (&mut motions.0, ticks.this_run());
    for (transform, mut motion, velocity, teleport, parent) in &mut query {
        let now_there = state(transform, *velocity);
        let states = motion.states.get_or_insert_with(|| Smoothed::new(now_there));
        states.set(now_there);
        let is_marked =
            |changed: bool, at| changed && bevy_ecs::change_detection::Tick::is_newer_than(at, ours.captured, now);
        if is_marked(!teleport.is_added(), teleport.last_changed())
            || parent.is_some_and(|parent| is_marked(!parent.is_added(), parent.last_changed()))
        {
            states.teleport();
        }
        motion.shown = now_there.pose;
    }
    ours.end_step(now);
}

/// Writes what is to be drawn.
pub(super) fn draw(
    mut motions: ResMut<Motions>,
    frame: Res<LastFrame>,
    timestep: Res<Timestep>,
    mut query: Query<
        (
            &mut Transform,
            &mut Motion,
            &TransformVelocity,
            Option<&TransformExtrapolation>,
        ),
        Moving,
    >,
    ticks: SystemChangeTick,
) {
    let (ours, now, alpha) = (&mut motions.0, ticks.this_run(), frame.alpha());
    let dt = timestep.rate().period_secs_f64();
    for (mut transform, mut motion, velocity, extrapolation) in &mut query {
        let Some(mut states) = motion.states else { continue };
        if transform.last_changed().is_newer_than(ours.since, now) && pose(&transform) != motion.shown {
            states = Smoothed::new(state(&transform, *velocity));
            motion.states = Some(states);
        }
        let smoothing = extrapolation.map_or(Smoothing::Hermite, |ahead| Smoothing::Extrapolate {
            horizon: ahead.horizon,
        });
        let drawn = states.drawn(smoothing, alpha, dt).pose;
        if drawn != pose(&transform) {
            put(&drawn, &mut transform);
        }
        motion.shown = drawn;
    }
    ours.draw(now, alpha);
}

/// Forgets an entity, whose transform is true again.
pub(super) fn release(world: &mut DeferredWorld, entity: Entity) {
    let motion = world
        .get_mut::<Motion>(entity)
        .map(|mut motion| core::mem::take(&mut *motion));
    let Some(Motion {
        states: Some(states),
        shown,
    }) = motion
    else {
        return;
    };
    let is_drawn = world
        .get_resource::<Motions>()
        .is_some_and(|motions| motions.0.is_drawn());
    if let Some(mut transform) = world.get_mut::<Transform>(entity)
        && is_drawn
        && pose(&transform) == shown
    {
        put(&states.current().pose, &mut transform);
    }
}
