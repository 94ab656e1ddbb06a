//! What scenes do in their steps: lifts and characters move, missiles vanish, bodies are counted.

use evenstep::Step;
use evenstep_physics::engine::{BodyMotion, PhysicsVector, VectorOf};
use evenstep_physics::{BodyKey, Contact, ContactKind, Game, PhysicsError, World};

use super::GRAVITY;
use super::scene_engine::SceneEngine;

/// What a body is to a scene.
#[derive(Clone, Debug)]
pub(super) enum Role<V> {
    /// Something that stays where it is.
    Scenery,
    /// A box that must not sink into the floor, from its centre to its sides.
    Block(V),
    /// Anything else that moves.
    Thing,
    /// What missiles are after.
    Target,
    /// What vanishes when it touches the target.
    Missile,
    /// What is counted when it comes into the gate.
    Passer,
}

/// A kinematic body that goes to and fro.
#[derive(Clone)]
pub(super) struct Lift {
    pub(super) body: BodyKey,
    pub(super) from: (f32, f32),
    pub(super) to: (f32, f32),
    /// How many steps it takes from one end to the other.
    pub(super) ticks: u64,
}

impl Lift {
    /// Where it is at the end of a step.
    fn place(&self, tick: u64) -> (f32, f32) {
        let phase = (tick + 1) % (2 * self.ticks);
        let share = phase.min(2 * self.ticks - phase) as f32 / self.ticks as f32;
        let between = |from: f32, to: f32| from + (to - from) * share;
        (between(self.from.0, self.to.0), between(self.from.1, self.to.1))
    }
}

/// A kinematic character that walks to and fro.
#[derive(Clone)]
pub(super) struct Walker {
    pub(super) body: BodyKey,
    /// In m/s.
    pub(super) speed: f32,
    /// How many steps it walks one way.
    pub(super) ticks: u64,
    /// How fast it rises, in m/s.
    pub(super) rising: f32,
}

impl Walker {
    fn walk<E: SceneEngine>(
        &mut self,
        world: &mut World<E, Role<VectorOf<E>>>,
        step: &Step,
    ) -> Result<(), PhysicsError> {
        let (handle, place) = (world.handle(self.body)?, world.motion(self.body)?.position());
        let dt = step.dt as f32;
        let way = if (step.tick / self.ticks).is_multiple_of(2) {
            self.speed
        } else {
            -self.speed
        };
        self.rising += GRAVITY * dt;
        let by = (way * dt, self.rising * dt);
        let (x, y) = world.engine_mut().walk(handle, by, dt)?;
        if y > by.1 {
            // It stands.
            self.rising = 0.0;
        }
        let [from_x, from_y] = [0, 1].map(|axis| place.components()[axis]);
        world.move_to(self.body, E::pose(from_x + x, from_y + y, 0.0))
    }
}

/// What a scene does and watches in its steps.
#[derive(Clone, Default)]
pub(super) struct Rules {
    /// The height of the floor, if blocks fall on it.
    pub(super) floor: Option<f32>,
    pub(super) deepest: f32,
    pub(super) missiles: usize,
    pub(super) lifts: Vec<Lift>,
    pub(super) walkers: Vec<Walker>,
    /// How many bodies are still to come through the gate, if there is one.
    pub(super) awaited: Option<usize>,
}

impl<E: SceneEngine> Game<E, Role<VectorOf<E>>> for Rules {
    type Error = PhysicsError;

    fn step(&mut self, world: &mut World<E, Role<VectorOf<E>>>, step: &Step) -> Result<(), PhysicsError> {
        for lift in &self.lifts {
            let (x, y) = lift.place(step.tick);
            world.move_to(lift.body, E::pose(x, y, 0.0))?;
        }
        self.walkers.iter_mut().try_for_each(|walker| walker.walk(world, step))
    }

    fn contact(&mut self, world: &mut World<E, Role<VectorOf<E>>>, contact: &Contact<E>) -> Result<(), PhysicsError> {
        let pair = || contact.keys().into_iter().flatten();
        let is = |key: &BodyKey, wanted: fn(&Role<VectorOf<E>>) -> bool| world.data(*key).is_ok_and(wanted);
        let hits =
            contact.kind == ContactKind::Begin && pair().any(|key| is(&key, |role| matches!(role, Role::Target)));
        let missile = pair().find(|key| hits && is(key, |role| matches!(role, Role::Missile)));
        if let Some(missile) = missile {
            world.remove(missile)?;
            self.missiles -= 1;
        }
        let passes = contact.kind == ContactKind::SensorBegin;
        let passer = pair().find(|key| passes && world.data(*key).is_ok_and(|role| matches!(role, Role::Passer)));
        if let (Some(passer), Some(awaited)) = (passer, &mut self.awaited) {
            // Once each, whichever of its shapes comes first.
            *world.data_mut(passer)? = Role::Thing;
            *awaited -= 1;
        }
        Ok(())
    }
}
