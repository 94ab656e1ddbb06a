//! Box2D v3 behind the engine's interface.

use std::cell::RefCell;

use boxdd::{BodyId, BodyType, Foundation, FoundationConfig, ShapeDef, ShapeId, Snapshot, WorkerCount};
use evenstep::poses::{Motion2, Pose2, Rot2};
use rustc_hash::FxHashMap;

use crate::engine::{Action, Report};
use crate::{BodyDef, BodyKind, Engine, PhysicsError, PhysicsVector as _, Shape};

mod events;
mod rotation;

use events::Events;

/// Solver iterations in a step, as Box2D recommends.
const SUB_STEPS: i32 = 4;

/// Box2D's world. It zeroes forces in every step, so one that lasts is set again each time.
pub struct Box2d {
    /// boxdd borrows a world for writing to read a body; nothing that borrows it outlives a method.
    world: RefCell<boxdd::World>,
    sub_steps: i32,
    slots: FxHashMap<BodyId, u32>,
    /// Bodies in the order in which the last step reported them: mostly that of the next step, too, which saves to look
    /// them up.
    reported: Vec<(BodyId, u32)>,
    events: Events,
    /// Velocities before impulses, to be put back if the step is refused.
    undo: Vec<(BodyId, Motion2)>,
}

/// Over a world that exists, with all that is in it; its bodies can be [adopted](crate::World::adopt).
impl From<boxdd::World> for Box2d {
    fn from(world: boxdd::World) -> Self {
        Self {
            world: RefCell::new(world),
            sub_steps: SUB_STEPS,
            slots: FxHashMap::default(),
            reported: Vec::new(),
            events: Events::default(),
            undo: Vec::new(),
        }
    }
}

impl Box2d {
    /// An empty world, with gravity in m/s².
    ///
    /// # Errors
    ///
    /// If Box2D refuses.
    pub fn new(gravity: [f32; 2]) -> Result<Self, PhysicsError> {
        Self::with_workers(gravity, 1)
    }

    /// An empty world that steps on several threads; its results are the same on any number.
    ///
    /// # Errors
    ///
    /// If Box2D refuses.
    pub fn with_workers(gravity: [f32; 2], workers: u32) -> Result<Self, PhysicsError> {
        let create = || {
            let foundation = match Foundation::get() {
                Some(foundation) => foundation,
                None => Foundation::initialize_default()?,
            };
            let count = WorkerCount::new(workers)?;
            foundation.create_world(
                foundation
                    .world_builder()
                    .gravity(gravity)
                    .worker_count(count)
                    .build()?,
            )
        };
        create()
            .map(Self::from)
            .map_err(|error| refused("create a world", &error))
    }

    /// Sets the unit of length for all of Box2D in this process: a `units_per_metre`-th of a metre. Box2D's thresholds
    /// are scaled with it. It must be called before the first world is made, and holds for good.
    ///
    /// # Errors
    ///
    /// If another unit holds already.
    pub fn set_units_per_metre(units_per_metre: f32) -> Result<(), PhysicsError> {
        let config = FoundationConfig::new(units_per_metre);
        Foundation::initialize(config)
            .map(|_| ())
            .map_err(|error| refused("set the unit of length", &error))
    }

    /// The same with another number of solver iterations in a step, at least 1.
    #[must_use]
    pub fn with_sub_steps(self, sub_steps: u32) -> Self {
        Self {
            sub_steps: i32::try_from(sub_steps.max(1)).unwrap_or(i32::MAX),
            ..self
        }
    }

    /// Box2D's own world.
    pub fn world_mut(&mut self) -> &mut boxdd::World {
        self.world.get_mut()
    }

    fn create_body(&mut self, def: &BodyDef<Motion2>) -> boxdd::Result<BodyId> {
        let world = self.world.get_mut();
        let builder = world.body_builder();
        let builder = builder
            .body_type(match def.kind {
                BodyKind::Dynamic => BodyType::Dynamic,
                BodyKind::Fixed => BodyType::Static,
                BodyKind::Kinematic => BodyType::Kinematic,
            })
            .position(def.motion.pose.position)
            .linear_velocity(def.motion.velocity)
            .angular_velocity(def.motion.angular_velocity)
            .bullet(def.is_bullet);
        let shape = ShapeDef::builder()
            .density(def.density)
            .material(
                boxdd::SurfaceMaterial::new()
                    .with_friction(def.friction)?
                    .with_restitution(def.restitution)?,
            )
            .enable_contact_events(true)
            .enable_hit_events(true)
            .enable_sensor_events(true)
            .build()?;
        let id = world.create_body(builder.build()?)?;
        let created = self.set_pose(id, &def.motion.pose).and_then(|()| {
            let mut body = self.world.get_mut().body(id)?;
            match def.shape {
                Shape::Ball(radius) => body.create_centered_circle(&shape, radius),
                Shape::Box([x, y]) => body.create_box(&shape, x, y),
            }
        });
        if let Err(error) = created {
            self.world.get_mut().body(id)?.destroy()?;
            return Err(error);
        }
        Ok(id)
    }

    fn set_pose(&mut self, id: BodyId, pose: &Pose2) -> boxdd::Result<()> {
        let world = self.world.get_mut();
        // What boxdd refuses, it refuses here.
        let rotation = boxdd::Rot::from_raw(boxdd_sys::ffi::b2Rot {
            c: pose.rotation.cos,
            s: pose.rotation.sin,
        })?;
        boxdd::WorldTransform::new(pose.position.into(), rotation)?;
        if !rotation::set_pose(world, id, pose)? {
            world
                .body(id)?
                .set_position_and_rotation(pose.position, pose.rotation.radians())?;
        }
        Ok(())
    }

    fn read(&self, id: BodyId) -> boxdd::Result<Motion2> {
        let mut world = self.world.borrow_mut();
        let body = world.body(id)?;
        let velocity = body.linear_velocity()?;
        Ok(Motion2 {
            pose: pose_of(&body.transform()?),
            velocity: [velocity.x, velocity.y],
            angular_velocity: body.angular_velocity()?,
        })
    }

    fn write(&mut self, id: BodyId, motion: &Motion2) -> boxdd::Result<()> {
        // What stood on it stands on nothing now, and would sleep on there.
        self.world.get_mut().body(id)?.wake_touching()?;
        self.set_pose(id, &motion.pose)?;
        let mut body = self.world.get_mut().body(id)?;
        if body.body_type()? != BodyType::Static {
            body.set_linear_velocity(motion.velocity)?;
            body.set_angular_velocity(motion.angular_velocity)?;
            body.set_awake(true)?;
        }
        Ok(())
    }

    fn write_velocity(&mut self, id: BodyId, velocity: [f32; 2]) -> boxdd::Result<()> {
        let mut body = self.world.get_mut().body(id)?;
        body.set_linear_velocity(velocity)?;
        body.set_awake(true)
    }

    fn act(&mut self, dt: f32, action: &Action<Self>) -> boxdd::Result<()> {
        if !action.impulse.is_zero() {
            self.undo.push((action.body, self.read(action.body)?));
        }
        let mut body = self.world.get_mut().body(action.body)?;
        if !action.force.is_zero() {
            body.apply_force_to_center(action.force.linear, true)?;
            body.apply_torque(action.force.angular, true)?;
        }
        if !action.impulse.is_zero() {
            body.apply_linear_impulse_to_center(action.impulse.linear, true)?;
            body.apply_angular_impulse(action.impulse.angular, true)?;
        }
        if let Some(target) = &action.target {
            let rotation = boxdd::Rot::from_raw(boxdd_sys::ffi::b2Rot {
                c: target.rotation.cos,
                s: target.rotation.sin,
            })?;
            body.set_target_transform(boxdd::WorldTransform::new(target.position.into(), rotation)?, dt, true)?;
        }
        Ok(())
    }

    /// Takes back what was to act in a step that was refused.
    fn undo(&mut self, actions: &[Action<Self>]) -> boxdd::Result<()> {
        let world = self.world.get_mut();
        for action in actions.iter().filter(|action| !action.force.is_zero()) {
            let mut body = world.body(action.body)?;
            body.apply_force_to_center(action.force.linear.times(-1.0), false)?;
            body.apply_torque(-action.force.angular, false)?;
        }
        for (id, motion) in self.undo.drain(..) {
            let mut body = world.body(id)?;
            body.set_linear_velocity(motion.velocity)?;
            body.set_angular_velocity(motion.angular_velocity)?;
        }
        Ok(())
    }

    fn advance(&mut self, dt: f32, report: &mut Report<Self>) -> boxdd::Result<()> {
        let step = self.world.get_mut().step(dt, self.sub_steps)?;
        for (place, event) in step.body_events()?.iter().enumerate() {
            let body = event.body_id;
            let slot = match self.reported.get(place) {
                Some((before, slot)) if *before == body => *slot,
                _ => {
                    let Some(slot) = self.slots.get(&body).copied() else {
                        continue;
                    };
                    self.reported.truncate(place);
                    self.reported.push((body, slot));
                    slot
                }
            };
            report.moved.push((slot, pose_of(&event.transform)));
        }
        self.events.gather(&step)?;
        let failed = step.post_step_error();
        drop(step);
        self.events.report(self.world.get_mut(), &self.slots, report);
        report.failure = failed.map(|error| refused("call the program back in a step", &error));
        Ok(())
    }
}

fn position(position: boxdd::Position) -> [f32; 2] {
    [position.x, position.y]
}

fn pose_of(transform: &boxdd::WorldTransform) -> Pose2 {
    let rotation = transform.rotation();
    let turn = Rot2 {
        cos: rotation.cosine(),
        sin: rotation.sine(),
    };
    Pose2::new(position(transform.position()), turn)
}

fn refused(action: &'static str, error: &boxdd::Error) -> PhysicsError {
    PhysicsError::Engine {
        action,
        reason: error.to_string(),
    }
}

/// All of Box2D's state, and which body is in which slot.
pub struct SavedBox2d {
    snapshot: Snapshot,
    slots: FxHashMap<BodyId, u32>,
    shapes: FxHashMap<ShapeId, (BodyId, u32)>,
}

impl Engine for Box2d {
    type Motion = Motion2;
    type Handle = BodyId;
    type ShapeHandle = ShapeId;
    type Saved = SavedBox2d;

    fn create(&mut self, def: &BodyDef<Motion2>) -> Result<BodyId, PhysicsError> {
        self.create_body(def).map_err(|error| refused("create a body", &error))
    }

    fn destroy(&mut self, body: BodyId) {
        if let Ok(body) = self.world.get_mut().body(body) {
            let _ = body.destroy();
        }
    }

    fn adopt(&mut self, body: BodyId, slot: u32) {
        self.slots.insert(body, slot);
    }

    fn release(&mut self, body: BodyId) {
        self.slots.remove(&body);
        self.reported.clear();
    }

    fn slot(&self, body: BodyId) -> Option<u32> {
        self.slots.get(&body).copied()
    }

    fn motion(&self, body: BodyId) -> Option<Motion2> {
        self.read(body).ok()
    }

    fn set_motion(&mut self, body: BodyId, motion: &Motion2) -> Result<(), PhysicsError> {
        self.write(body, motion).map_err(|error| refused("move a body", &error))
    }

    fn set_velocity(&mut self, body: BodyId, velocity: [f32; 2]) -> Result<(), PhysicsError> {
        self.write_velocity(body, velocity)
            .map_err(|error| refused("set a body's velocity", &error))
    }

    fn center_of_mass(&self, body: BodyId) -> Option<[f32; 2]> {
        let mut world = self.world.borrow_mut();
        let center = world.body(body).and_then(|body| body.world_center_of_mass());
        center.ok().map(position)
    }

    fn is_kinematic(&self, body: BodyId) -> bool {
        let mut world = self.world.borrow_mut();
        let kind = world.body(body).and_then(|body| body.body_type());
        kind.is_ok_and(|kind| kind == BodyType::Kinematic)
    }

    fn step(&mut self, dt: f32, actions: &[Action<Self>], report: &mut Report<Self>) -> Result<(), PhysicsError> {
        self.undo.clear();
        for action in actions {
            // What is finite and acts on a body that exists is not refused.
            let _ = self.act(dt, action);
        }
        self.advance(dt, report).map_err(|error| {
            let _ = self.undo(actions);
            refused("step", &error)
        })
    }

    fn save(&self) -> Result<SavedBox2d, PhysicsError> {
        Ok(SavedBox2d {
            snapshot: self
                .world
                .borrow()
                .snapshot()
                .map_err(|error| refused("save its state", &error))?,
            slots: self.slots.clone(),
            shapes: self.events.save(),
        })
    }

    fn restore(&mut self, saved: &SavedBox2d, mut renamed: impl FnMut(u32, BodyId)) -> Result<(), PhysicsError> {
        let names = self
            .world
            .get_mut()
            .restore(&saved.snapshot)
            .map_err(|error| refused("restore a state", &error))?;
        let body = |(id, slot): (&BodyId, &u32)| (names.body_id(*id).unwrap_or(*id), *slot);
        self.reported.clear();
        self.slots = saved.slots.iter().map(body).collect();
        self.events.restore(&saved.shapes, &names);
        self.slots.iter().for_each(|(id, slot)| renamed(*slot, *id));
        Ok(())
    }
}
