//! Box2D v3 behind the engine's interface.

use std::cell::RefCell;

use boxdd::{
    BodyId, BodyType, ContactHitEvent, Foundation, FoundationConfig, ShapeDef, ShapeId, Snapshot, WorkerCount,
};
use evenstep::{Motion2, Pose2, Rot2};
use rustc_hash::FxHashMap;

use crate::engine::{LoadOf, Report};
use crate::{BodyDef, BodyKind, Engine, PhysicsError, Shape, Touch};

/// Solver iterations in a step, as Box2D recommends.
const SUB_STEPS: i32 = 4;

/// Box2D's world. It zeroes forces in every step, so one that lasts is set again each time.
pub struct Box2d {
    /// boxdd borrows a world for writing to read a body; nothing that borrows it outlives a method.
    world: RefCell<boxdd::World>,
    sub_steps: i32,
    slots: FxHashMap<BodyId, u32>,
    shapes: FxHashMap<ShapeId, u32>,
    /// Bodies in the order in which the last step reported them: mostly that of the next step, too, which saves to look
    /// them up.
    reported: Vec<(BodyId, u32)>,
    /// Room for the hits of a step.
    hits: Vec<ContactHitEvent>,
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
        Ok(Self {
            world: RefCell::new(create().map_err(|error| refused("create a world", &error))?),
            sub_steps: SUB_STEPS,
            slots: FxHashMap::default(),
            shapes: FxHashMap::default(),
            reported: Vec::new(),
            hits: Vec::new(),
        })
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

    fn create_body(&mut self, def: &BodyDef<Motion2>) -> boxdd::Result<(BodyId, ShapeId)> {
        let world = self.world.get_mut();
        let builder = world.body_builder();
        let builder = builder
            .body_type(match def.kind {
                BodyKind::Dynamic => BodyType::Dynamic,
                BodyKind::Fixed => BodyType::Static,
                BodyKind::Kinematic => BodyType::Kinematic,
            })
            .position(def.motion.pose.position)
            .angle(def.motion.pose.rotation.radians())
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
            .build()?;
        let id = world.create_body(builder.build()?)?;
        let created = match def.shape {
            Shape::Ball(radius) => world.body(id)?.create_centered_circle(&shape, radius),
            Shape::Box([x, y]) => world.body(id)?.create_box(&shape, x, y),
        };
        match created {
            Ok(shape) => Ok((id, shape)),
            Err(error) => {
                world.body(id)?.destroy()?;
                Err(error)
            }
        }
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
        let mut body = self.world.get_mut().body(id)?;
        body.set_position_and_rotation(motion.pose.position, motion.pose.rotation.radians())?;
        body.set_linear_velocity(motion.velocity)?;
        body.set_angular_velocity(motion.angular_velocity)?;
        body.set_awake(true)
    }

    fn push(&mut self, id: BodyId, force: &LoadOf<Self>, impulse: &LoadOf<Self>) -> boxdd::Result<()> {
        let mut body = self.world.get_mut().body(id)?;
        body.apply_force_to_center(force.linear, true)?;
        body.apply_torque(force.angular, true)?;
        body.apply_linear_impulse_to_center(impulse.linear, true)?;
        body.apply_angular_impulse(impulse.angular, true)
    }

    fn advance(&mut self, dt: f32, report: &mut Report<Motion2>) -> boxdd::Result<()> {
        self.hits.clear();
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
        let contacts = step.contact_events()?;
        let mut touch = |first, second, touch| {
            if let (Some(first), Some(second)) = (self.shapes.get(&first), self.shapes.get(&second)) {
                report.contacts.push((*first, *second, touch));
            }
        };
        for event in contacts.begin() {
            touch(event.shape_a, event.shape_b, Touch::Begin);
        }
        for event in contacts.end() {
            touch(event.shape_a, event.shape_b, Touch::End);
        }
        self.hits.extend_from_slice(contacts.hit());
        let failed = step.post_step_error();
        drop(step);
        self.report_hits(report);
        failed.map_or(Ok(()), Err)
    }

    fn report_hits(&self, report: &mut Report<Motion2>) {
        let world = self.world.borrow();
        for hit in &self.hits {
            let (Some(first), Some(second)) = (self.shapes.get(&hit.shape_a), self.shapes.get(&hit.shape_b)) else {
                continue;
            };
            let points = |data: boxdd::ContactData| {
                data.manifold
                    .points()
                    .iter()
                    .map(|point| point.total_normal_impulse)
                    .sum()
            };
            let touch = Touch::Hit {
                point: position(hit.point),
                normal: [hit.normal.x, hit.normal.y],
                impulse: world.contact_data(hit.contact_id).map_or(0.0, points),
            };
            report.contacts.push((*first, *second, touch));
        }
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
    shapes: FxHashMap<ShapeId, u32>,
}

impl Engine for Box2d {
    type Motion = Motion2;
    type Handle = BodyId;
    type Saved = SavedBox2d;

    fn create(&mut self, def: &BodyDef<Motion2>, slot: u32) -> Result<BodyId, PhysicsError> {
        let (body, shape) = self
            .create_body(def)
            .map_err(|error| refused("create a body", &error))?;
        self.slots.insert(body, slot);
        self.shapes.insert(shape, slot);
        Ok(body)
    }

    fn destroy(&mut self, body: BodyId) {
        let Some(slot) = self.slots.remove(&body) else { return };
        self.shapes.retain(|_, owner| *owner != slot);
        if let Ok(body) = self.world.get_mut().body(body) {
            let _ = body.destroy();
        }
    }

    fn motion(&self, body: BodyId) -> Option<Motion2> {
        self.read(body).ok()
    }

    fn set_motion(&mut self, body: BodyId, motion: &Motion2) -> Result<(), PhysicsError> {
        self.write(body, motion).map_err(|error| refused("move a body", &error))
    }

    fn load(&mut self, body: BodyId, force: &LoadOf<Self>, impulse: &LoadOf<Self>) {
        // Finite loads on a body that exists are not refused.
        let _ = self.push(body, force, impulse);
    }

    fn step(&mut self, dt: f32, report: &mut Report<Motion2>) -> Result<(), PhysicsError> {
        self.advance(dt, report).map_err(|error| refused("step", &error))
    }

    fn save(&self) -> Result<SavedBox2d, PhysicsError> {
        Ok(SavedBox2d {
            snapshot: self
                .world
                .borrow()
                .snapshot()
                .map_err(|error| refused("save its state", &error))?,
            slots: self.slots.clone(),
            shapes: self.shapes.clone(),
        })
    }

    fn restore(&mut self, saved: &SavedBox2d, mut renamed: impl FnMut(u32, BodyId)) -> Result<(), PhysicsError> {
        let names = self
            .world
            .get_mut()
            .restore(&saved.snapshot)
            .map_err(|error| refused("restore a state", &error))?;
        let body = |(id, slot): (&BodyId, &u32)| (names.body_id(*id).unwrap_or(*id), *slot);
        let shape = |(id, slot): (&ShapeId, &u32)| (names.shape_id(*id).unwrap_or(*id), *slot);
        self.reported.clear();
        self.slots = saved.slots.iter().map(body).collect();
        self.shapes = saved.shapes.iter().map(shape).collect();
        self.slots.iter().for_each(|(id, slot)| renamed(*slot, *id));
        Ok(())
    }
}
