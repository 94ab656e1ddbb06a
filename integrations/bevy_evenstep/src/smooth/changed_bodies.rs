//! Smoothed entities that may have moved, found by one look at the change ticks of all.

use bevy_ecs::change_detection::{ContiguousMut, DetectChanges, DetectChangesMut, Tick};
use bevy_ecs::entity::Entity;
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::query::{Has, QueryData, With, Without};
use bevy_ecs::system::Query;
use bevy_transform::components::Transform;

use super::components::{NoSmoothTransform, SmoothAhead, SmoothTransform, Teleport};
use super::state::{BlendPoint, DrawnPath, SmoothState, Space, has_same_bits};
use super::velocity::{SmoothVelocity, VelocityState};

/// A smoothed entity.
#[derive(QueryData)]
#[query_data(mutable, contiguous(mutable))]
pub(super) struct Body {
    transform: &'static mut Transform,
    state: &'static mut SmoothState,
    teleport: &'static mut Teleport,
    parent: Option<&'static ChildOf>,
    velocity: Option<(&'static SmoothVelocity, &'static mut VelocityState)>,
    is_ahead: Has<SmoothAhead>,
}

pub(super) type Smoothed = (With<SmoothTransform>, Without<NoSmoothTransform>);
pub(super) type Bodies<'w, 's> = Query<'w, 's, Body, Smoothed>;

/// A smoothed entity that was written.
pub(super) struct ChangedBody<'a> {
    pub(super) transform: &'a mut Transform,
    /// When `transform` was written. Whoever writes it sets this.
    pub(super) changed: &'a mut Tick,
    pub(super) state: &'a mut SmoothState,
    pub(super) teleport: &'a mut Teleport,
    /// When `teleport` was written.
    pub(super) marked: Tick,
    pub(super) parent: Option<Entity>,
    pub(super) velocity: Option<(&'a SmoothVelocity, &'a mut VelocityState)>,
    pub(super) is_ahead: bool,
}

impl ChangedBody<'_> {
    /// The pose that is drawn; none if the entity rests.
    pub(super) fn drawn(&self, at: BlendPoint) -> Option<Transform> {
        let (path, mut drawn) = (DrawnPath::new(&self.velocity, self.is_ahead), Transform::IDENTITY);
        self.state.draw(path, at, &mut drawn).then_some(drawn)
    }

    /// Makes `transform` the pose to draw, unless the entity rests. `now` is the tick of the system.
    #[inline]
    pub(super) fn draw(&mut self, at: BlendPoint, now: Tick) {
        let path = DrawnPath::new(&self.velocity, self.is_ahead);
        if self.state.draw(path, at, self.transform) {
            *self.changed = now;
        }
    }

    /// Makes `transform` the simulation's.
    #[inline]
    pub(super) fn show_simulated(&mut self, now: Tick) {
        if !has_same_bits(self.transform, &self.state.to) {
            (*self.transform, *self.changed) = (self.state.to, now);
        }
    }

    /// Notes its parent. Returns whether that is another one than before: its states are in the space of the former one.
    #[inline]
    pub(super) fn has_come_to_another_space(&mut self) -> bool {
        let space = Space::below(self.parent);
        self.state.space.replace(space).is_some_and(|before| before != space)
    }

    /// Ends a mark. Returns whether it was made after the tick `since`.
    pub(super) fn take_mark(&mut self, since: Tick, now: Tick) -> bool {
        self.teleport.take() && self.marked.is_newer_than(since, now)
    }
}

/// Calls `act` for an entity by itself.
pub(super) fn change(mut body: BodyItem, act: impl FnOnce(ChangedBody)) {
    let written = body.transform.last_changed();
    let mut changed = written;
    act(ChangedBody {
        transform: body.transform.bypass_change_detection(),
        changed: &mut changed,
        state: body.state.bypass_change_detection(),
        marked: body.teleport.last_changed(),
        teleport: body.teleport.bypass_change_detection(),
        parent: body.parent.map(ChildOf::parent),
        velocity: body
            .velocity
            .as_mut()
            .map(|(velocity, state)| (*velocity, state.bypass_change_detection())),
        is_ahead: body.is_ahead,
    });
    if changed != written {
        body.transform.set_last_changed(changed);
    }
}

/// How many change ticks are looked at in one go.
const CHUNK: usize = 64;

/// Calls `act` for the entities whose `Transform` was written at the tick `since` or later. `now` is the tick of the system.
#[inline]
pub(super) fn for_each_changed(bodies: &mut Bodies, since: Tick, now: Tick, mut act: impl FnMut(ChangedBody)) {
    let oldest = now.get().wrapping_sub(since.get());
    let is_changed = |changed: Tick| now.get().wrapping_sub(changed.get()) <= oldest;
    let Ok(tables) = bodies.contiguous_iter_mut() else {
        // Some app's default filter is a component in a sparse set.
        for body in bodies {
            if is_changed(body.transform.last_changed()) {
                change(body, &mut act);
            }
        }
        return;
    };
    for mut table in tables {
        let (transforms, mut ticks) = ContiguousMut::bypass_change_detection_split(table.transform);
        let states = table.state.bypass_change_detection();
        let (teleports, marks) = ContiguousMut::bypass_change_detection_split(table.teleport);
        let chunks = ticks.changed_mut().chunks_mut(CHUNK).enumerate();
        for (number, ticks) in chunks {
            if !ticks.iter().fold(false, |any, changed| any | is_changed(*changed)) {
                continue;
            }
            for (row, changed) in (number * CHUNK..).zip(ticks) {
                if is_changed(*changed) {
                    act(ChangedBody {
                        transform: &mut transforms[row],
                        changed,
                        state: &mut states[row],
                        teleport: &mut teleports[row],
                        marked: marks.changed()[row],
                        parent: table.parent.map(|parents| parents[row].parent()),
                        velocity: table
                            .velocity
                            .as_mut()
                            .map(|(velocities, states)| (&velocities[row], &mut states.bypass_change_detection()[row])),
                        is_ahead: table.is_ahead,
                    });
                }
            }
        }
    }
}
