//! Rapier behind the engine's interface; the same code for the plane and for space.

use std::sync::Mutex;

use super::dim::{self, Motion, rapier};
use crate::engine::{LoadOf, VectorOf};
use crate::{Amount, BodyDef, BodyKind, Engine, PhysicsError, Report, Touch};
use rapier::prelude::{
    ActiveEvents, BroadPhaseBvh, ColliderHandle, ColliderSet, CollisionEvent, ContactPair, EventHandler,
    ImpulseJointSet, IslandManager, MultibodyJointSet, NarrowPhase, PhysicsWorld, Real, RigidBodyBuilder,
    RigidBodyHandle, RigidBodySet, RigidBodyType,
};

/// The approach speed in m/s above which a contact is reported as a hit, as Box2D has it by default.
const HIT_SPEED: f32 = 1.0;

/// Rapier's world. Its forces last until they are reset, which happens after every step.
pub struct Rapier {
    world: PhysicsWorld,
    events: Collector,
    /// Bodies on which a force acts in the next step.
    loaded: Vec<RigidBodyHandle>,
}

impl Rapier {
    /// An empty world, with gravity in m/s².
    #[must_use]
    pub fn new(gravity: VectorOf<Self>) -> Self {
        Self::with_length_unit(gravity, 1.0)
    }

    /// An empty world whose unit of length is a `length_unit`-th of a metre, such as 100 for a game in pixels of which
    /// 100 make a metre. Rapier's thresholds are scaled with it. `gravity` is in that unit.
    #[must_use]
    pub fn with_length_unit(gravity: VectorOf<Self>, length_unit: f32) -> Self {
        let mut world = PhysicsWorld::new();
        world.gravity = dim::vector(gravity);
        world.integration_parameters.length_unit = length_unit;
        Self {
            world,
            events: Collector::default(),
            loaded: Vec::new(),
        }
    }

    /// Rapier's own world.
    #[must_use]
    pub const fn world(&self) -> &PhysicsWorld {
        &self.world
    }

    /// Rapier's own world, to be changed. `user_data` of the bodies is taken.
    pub const fn world_mut(&mut self) -> &mut PhysicsWorld {
        &mut self.world
    }

    fn report_hit(&self, started: &Started, report: &mut Report<Motion>) -> Option<()> {
        let pair = self.world.narrow_phase.contact_pair(started.first, started.second)?;
        let collider = self.world.colliders.get(pair.collider1)?;
        let (manifold, contact) = pair.find_deepest_contact()?;
        let impulse = pair.total_impulse_magnitude();
        let inverse_mass = |handle| {
            let parent = self.world.colliders.get(handle).and_then(|collider| collider.parent());
            let body = parent.and_then(|parent| self.world.bodies.get(parent));
            body.filter(|body| body.is_dynamic())
                .map_or(0.0, |body| 1.0 / body.mass())
        };
        let change = impulse * (inverse_mass(started.first) + inverse_mass(started.second));
        if change < HIT_SPEED * self.world.integration_parameters.length_unit {
            return None;
        }
        let swapped = pair.collider1 != started.first;
        let normal = dim::from_vector(manifold.data.normal);
        let point = collider.position().transform_point(contact.local_p1);
        let touch = Touch::Hit {
            point: dim::from_vector(point),
            normal: if swapped { normal.times(-1.0) } else { normal },
            impulse,
        };
        let [first, second] = started.slots;
        report.contacts.push((first, second, touch));
        Some(())
    }
}

/// All of Rapier's state but its workspace.
pub struct SavedRapier {
    islands: IslandManager,
    broad_phase: BroadPhaseBvh,
    narrow_phase: NarrowPhase,
    bodies: RigidBodySet,
    colliders: ColliderSet,
    impulse_joints: ImpulseJointSet,
    multibody_joints: MultibodyJointSet,
}

impl Engine for Rapier {
    type Motion = Motion;
    type Handle = RigidBodyHandle;
    type Saved = SavedRapier;

    fn create(&mut self, def: &BodyDef<Motion>, slot: u32) -> Result<RigidBodyHandle, PhysicsError> {
        let kind = match def.kind {
            BodyKind::Dynamic => RigidBodyType::Dynamic,
            BodyKind::Fixed => RigidBodyType::Fixed,
            BodyKind::Kinematic => RigidBodyType::KinematicVelocityBased,
        };
        let body = RigidBodyBuilder::new(kind)
            .pose(dim::pose(&def.motion.pose))
            .linvel(dim::vector(def.motion.velocity))
            .angvel(dim::spin(def.motion.angular_velocity))
            .ccd_enabled(def.is_bullet)
            .user_data(tag(slot));
        let collider = dim::collider(&def.shape)
            .density(def.density)
            .friction(def.friction)
            .restitution(def.restitution)
            .active_events(ActiveEvents::COLLISION_EVENTS);
        Ok(self.world.insert(body, collider).0)
    }

    fn destroy(&mut self, body: RigidBodyHandle) {
        self.world.remove_body(body);
    }

    fn motion(&self, body: RigidBodyHandle) -> Option<Motion> {
        self.world.bodies.get(body).map(dim::motion)
    }

    fn set_motion(&mut self, body: RigidBodyHandle, motion: &Motion) -> Result<(), PhysicsError> {
        let body = self.world.bodies.get_mut(body).ok_or_else(|| PhysicsError::Engine {
            action: "move a body",
            reason: "Rapier has none of this handle".to_owned(),
        })?;
        body.set_position(dim::pose(&motion.pose), true);
        body.set_linvel(dim::vector(motion.velocity), true);
        body.set_angvel(dim::spin(motion.angular_velocity), true);
        Ok(())
    }

    fn load(&mut self, handle: RigidBodyHandle, force: &LoadOf<Self>, impulse: &LoadOf<Self>) {
        if let Some(body) = self.world.bodies.get_mut(handle) {
            body.add_force(dim::vector(force.linear), true);
            body.add_torque(dim::spin(force.angular), true);
            body.apply_impulse(dim::vector(impulse.linear), true);
            body.apply_torque_impulse(dim::spin(impulse.angular), true);
            self.loaded.push(handle);
        }
    }

    fn step(&mut self, dt: f32, report: &mut Report<Motion>) -> Result<(), PhysicsError> {
        self.world.integration_parameters.dt = dt;
        self.world.step_with_events(&(), &self.events);
        for handle in self.loaded.drain(..) {
            if let Some(body) = self.world.bodies.get_mut(handle) {
                body.reset_forces(false);
                body.reset_torques(false);
            }
        }
        for handle in self.world.islands.active_bodies() {
            let body = &self.world.bodies[handle];
            if let Some(slot) = slot(body.user_data) {
                report.moved.push((slot, dim::from_pose(body.position())));
            }
        }
        let (started, touches) = self.events.take();
        report.contacts.extend(touches.iter().copied());
        for started in &started {
            let _ = self.report_hit(started, report);
        }
        self.events.put_back(started, touches);
        Ok(())
    }

    fn save(&self) -> Result<SavedRapier, PhysicsError> {
        Ok(SavedRapier {
            islands: self.world.islands.clone(),
            broad_phase: self.world.broad_phase.clone(),
            narrow_phase: self.world.narrow_phase.clone(),
            bodies: self.world.bodies.clone(),
            colliders: self.world.colliders.clone(),
            impulse_joints: self.world.impulse_joints.clone(),
            multibody_joints: self.world.multibody_joints.clone(),
        })
    }

    fn restore(&mut self, saved: &SavedRapier, _: impl FnMut(u32, RigidBodyHandle)) -> Result<(), PhysicsError> {
        self.world.islands.clone_from(&saved.islands);
        self.world.broad_phase.clone_from(&saved.broad_phase);
        self.world.narrow_phase.clone_from(&saved.narrow_phase);
        self.world.bodies.clone_from(&saved.bodies);
        self.world.colliders.clone_from(&saved.colliders);
        self.world.impulse_joints.clone_from(&saved.impulse_joints);
        self.world.multibody_joints.clone_from(&saved.multibody_joints);
        self.loaded.clear();
        Ok(())
    }
}

/// A slot as a body's `user_data`; 0 is a body that the program made itself.
const fn tag(slot: u32) -> u128 {
    slot as u128 + 1
}

fn slot(user_data: u128) -> Option<u32> {
    u32::try_from(user_data.checked_sub(1)?).ok()
}

type Touches = Vec<(u32, u32, Touch<VectorOf<Rapier>>)>;

/// Two colliders that began to touch.
struct Started {
    first: ColliderHandle,
    second: ColliderHandle,
    slots: [u32; 2],
}

/// Gathers the events of a step.
#[derive(Default)]
struct Collector(Mutex<(Vec<Started>, Touches)>);

impl Collector {
    fn take(&self) -> (Vec<Started>, Touches) {
        self.0.lock().map_or_else(
            |poisoned| std::mem::take(&mut *poisoned.into_inner()),
            |mut all| std::mem::take(&mut all),
        )
    }

    /// Gives the room back, emptied, for the next step.
    fn put_back(&self, mut started: Vec<Started>, mut touches: Touches) {
        started.clear();
        touches.clear();
        if let Ok(mut all) = self.0.lock() {
            *all = (started, touches);
        }
    }
}

impl EventHandler for Collector {
    fn handle_collision_event(
        &self,
        bodies: &RigidBodySet,
        colliders: &ColliderSet,
        event: CollisionEvent,
        _: Option<&ContactPair>,
    ) {
        let slot_of = |handle| {
            let parent = colliders.get(handle).and_then(|collider| collider.parent());
            slot(bodies.get(parent?)?.user_data)
        };
        let (first, second) = (event.collider1(), event.collider2());
        let (Some(one), Some(other)) = (slot_of(first), slot_of(second)) else {
            return;
        };
        let Ok(mut all) = self.0.lock() else { return };
        if event.started() {
            all.1.push((one, other, Touch::Begin));
            all.0.push(Started {
                first,
                second,
                slots: [one, other],
            });
        } else {
            all.1.push((one, other, Touch::End));
        }
    }

    fn handle_contact_force_event(&self, _: Real, _: &RigidBodySet, _: &ColliderSet, _: &ContactPair, _: Real) {}

    fn handle_soft_body_tear_event(&self, _: &rapier::prelude::SoftBodySet, _: &rapier::prelude::SoftBodyTearEvent) {}
}
