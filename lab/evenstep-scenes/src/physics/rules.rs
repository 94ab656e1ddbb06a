//! The rules that scenes apply in their steps: they move lifts and characters, remove missiles and count bodies.

use evenstep::{Snapshot, Step};
use evenstep_physics::engine::{BodyMotion, PhysicsVector, VectorOf};
use evenstep_physics::{BodyKey, Contact, ContactKind, PhysicsError, StepHandler, World};

use super::GRAVITY;
use super::scene_engine::SceneEngine;

/// The role of a body in a scene.
#[derive(Clone, Debug, Snapshot)]
pub(super) enum Role<V> {
    /// A fixed body.
    Scenery,
    /// A box whose penetration is measured, by its half extents.
    Block(V),
    /// Any other moving body.
    Thing,
    /// The target of missiles.
    Target,
    /// A missile, which is removed when it touches the target.
    Missile,
    /// A body that is counted when it enters the gate.
    Passer,
}

/// A kinematic body that moves to and fro.
#[derive(Clone)]
pub(super) struct Lift {
    pub(super) body: BodyKey,
    pub(super) from: (f32, f32),
    pub(super) to: (f32, f32),
    /// The number of steps from one end to the other.
    pub(super) ticks: u64,
}

impl Lift {
    /// Its position at the end of a step.
    fn position_at(&self, tick: u64) -> (f32, f32) {
        let phase = (tick + 1) % (2 * self.ticks);
        let share = phase.min(2 * self.ticks - phase) as f32 / self.ticks as f32;
        let between = |from: f32, to: f32| from + (to - from) * share;
        (between(self.from.0, self.to.0), between(self.from.1, self.to.1))
    }
}

/// A kinematic character that walks to and fro.
#[derive(Clone, Snapshot)]
pub(super) struct Walker {
    #[snapshot(skip)]
    pub(super) body: BodyKey,
    /// The walking speed in m/s.
    pub(super) speed: f32,
    /// The number of steps in one direction.
    pub(super) ticks: u64,
    /// The vertical velocity in m/s.
    pub(super) vertical_velocity: f32,
}

impl Walker {
    fn walk<E: SceneEngine>(
        &mut self,
        world: &mut World<E, Role<VectorOf<E>>>,
        step: &Step,
    ) -> Result<(), PhysicsError> {
        let (handle, place) = (world.handle(self.body)?, world.motion(self.body)?.position());
        let dt = step.dt as f32;
        let velocity = if (step.tick / self.ticks).is_multiple_of(2) {
            self.speed
        } else {
            -self.speed
        };
        self.vertical_velocity += GRAVITY * dt;
        let by = (velocity * dt, self.vertical_velocity * dt);
        let (x, y) = world.engine_mut().walk(handle, by, dt)?;
        if y > by.1 {
            // It stands on something.
            self.vertical_velocity = 0.0;
        }
        let [from_x, from_y] = [0, 1].map(|axis| place.components()[axis]);
        world.move_to(self.body, E::pose(from_x + x, from_y + y, 0.0))
    }
}

/// The rules of a scene, and the values that they track.
#[derive(Clone, Default, Snapshot)]
pub(super) struct Rules {
    /// The height of the floor, if blocks fall on it.
    pub(super) floor: Option<f32>,
    pub(super) deepest: f32,
    pub(super) missiles: usize,
    #[snapshot(skip)] // set once
    pub(super) lifts: Vec<Lift>,
    pub(super) walkers: Vec<Walker>,
    /// The number of bodies that have not passed through the gate yet, if there is one.
    pub(super) awaited: Option<usize>,
}

impl<E: SceneEngine> StepHandler<E, Role<VectorOf<E>>> for Rules {
    type Error = PhysicsError;

    fn step(&mut self, world: &mut World<E, Role<VectorOf<E>>>, step: &Step) -> Result<(), PhysicsError> {
        for lift in &self.lifts {
            let (x, y) = lift.position_at(step.tick);
            world.move_to(lift.body, E::pose(x, y, 0.0))?;
        }
        self.walkers.iter_mut().try_for_each(|walker| walker.walk(world, step))
    }

    fn contact(&mut self, world: &mut World<E, Role<VectorOf<E>>>, contact: &Contact<E>) -> Result<(), PhysicsError> {
        let pair = || contact.keys().into_iter().flatten();
        let is = |key: &BodyKey, wanted: fn(&Role<VectorOf<E>>) -> bool| world.data(*key).is_ok_and(wanted);
        let hits_target =
            contact.kind == ContactKind::Begin && pair().any(|key| is(&key, |role| matches!(role, Role::Target)));
        let missile = pair().find(|key| hits_target && is(key, |role| matches!(role, Role::Missile)));
        if let Some(missile) = missile {
            world.remove(missile)?;
            self.missiles -= 1;
        }
        let passes = contact.kind == ContactKind::SensorBegin;
        let passer = pair().find(|key| passes && world.data(*key).is_ok_and(|role| matches!(role, Role::Passer)));
        if let (Some(passer), Some(awaited)) = (passer, &mut self.awaited) {
            // Count each body once, at its first shape.
            *world.data_mut(passer)? = Role::Thing;
            *awaited -= 1;
        }
        Ok(())
    }
}
