//! Runs one set of tests on every engine.

#![allow(dead_code, reason = "each test file uses a part of it")]

use std::time::Duration;

use evenstep::poses::{Pose2, Rot2};
#[cfg(feature = "rapier3d")]
use evenstep::poses::{Pose3, Quat};
use evenstep::{FixedTimestep, Rate};
use evenstep_physics::engine::{BodyMotion, PoseOf, VectorOf};
use evenstep_physics::{
    BodyDef, BodyKey, BodyKind, Contact, Engine, PhysicsError, PhysicsSystem, Shape, StepHandler, World,
};

pub(crate) const RATE: Rate = Rate::hz(60);

/// The dimension-independent interface between the tests and the engines.
pub(crate) trait TestEngine: Engine + std::fmt::Debug {
    /// Gives a body a NaN velocity. Returns false if the engine rejects it.
    fn break_body(&mut self, _body: Self::Handle) -> bool {
        false
    }
    fn fresh(gravity: f32) -> Self;
    fn vector(x: f32, y: f32) -> VectorOf<Self>;
    fn pose(x: f32, y: f32) -> PoseOf<Self>;

    fn unit_box() -> BodyDef<Self::Motion>
    where
        Self::Motion: Default,
    {
        BodyDef::new(Shape::Box(Self::half(0.5, 0.5)))
    }
    fn half(x: f32, y: f32) -> VectorOf<Self>;

    /// Adds another box to a body, beside its middle, with the engine's own API; without a body, adds it to the world.
    fn native_box(&mut self, on: Option<Self::Handle>, x: f32, y: f32, is_sensor: bool) -> Self::ShapeHandle;
    /// A dynamic body without shapes, created with the engine's own API.
    fn native_body(&mut self, x: f32, y: f32) -> Self::Handle;
    /// A kinematic body without shapes, created with the engine's own API.
    fn native_lift(&mut self, x: f32, y: f32) -> Self::Handle;
    fn native_move(&mut self, body: Self::Handle, x: f32, y: f32);
    fn native_destroy(&mut self, body: Self::Handle);
    /// A force that the program itself applies to the engine's body, for at least the next step.
    fn native_push(&mut self, body: Self::Handle, x: f32);
    /// The engine's own damping of a body, per second.
    fn native_damping(&mut self, body: Self::Handle, linear: f32, angular: f32);
    fn is_awake(&mut self, body: Self::Handle) -> bool;
    /// A dynamic body with a mass and no extent, created with the engine's own API, whose rotations may be locked.
    fn native_point_mass(&mut self, x: f32, y: f32, is_locked: bool) -> Self::Handle;
    /// A hinge between two bodies, in the middle between them.
    fn native_hinge(&mut self, first: Self::Handle, second: Self::Handle, apart: f32);
}

#[cfg(any(feature = "rapier2d", feature = "rapier3d"))]
macro_rules! native_api_of_rapier {
    ($rapier:ident, $vector:expr, $box:expr, $joint:expr) => {
        fn native_box(&mut self, on: Option<Self::Handle>, x: f32, y: f32, is_sensor: bool) -> Self::ShapeHandle {
            use $rapier::prelude::{ActiveCollisionTypes, ActiveEvents};
            let collider = $box
                .translation($vector(x, y))
                .density(1.0)
                .sensor(is_sensor)
                .active_collision_types(ActiveCollisionTypes::default() | ActiveCollisionTypes::FIXED_FIXED)
                .active_events(ActiveEvents::COLLISION_EVENTS);
            let world = self.world_mut();
            match on {
                Some(body) => world
                    .colliders
                    .insert_with_parent(collider, body, &mut world.bodies),
                None => world.colliders.insert(collider),
            }
        }
        fn native_body(&mut self, x: f32, y: f32) -> Self::Handle {
            let body = $rapier::prelude::RigidBodyBuilder::dynamic().translation($vector(x, y));
            self.world_mut().bodies.insert(body)
        }
        fn native_lift(&mut self, x: f32, y: f32) -> Self::Handle {
            let body = $rapier::prelude::RigidBodyBuilder::kinematic_velocity_based().translation($vector(x, y));
            self.world_mut().bodies.insert(body)
        }
        fn native_move(&mut self, body: Self::Handle, x: f32, y: f32) {
            self.world_mut().bodies[body].set_translation($vector(x, y), true);
        }
        fn native_destroy(&mut self, body: Self::Handle) {
            self.world_mut().remove_body(body);
        }
        fn native_push(&mut self, body: Self::Handle, x: f32) {
            self.world_mut().bodies[body].add_force($vector(x, 0.0), true);
        }
        fn native_damping(&mut self, body: Self::Handle, linear: f32, angular: f32) {
            let body = &mut self.world_mut().bodies[body];
            body.set_linear_damping(linear);
            body.set_angular_damping(angular);
        }
        fn is_awake(&mut self, body: Self::Handle) -> bool {
            !self.world().bodies[body].is_sleeping()
        }
        fn native_point_mass(&mut self, x: f32, y: f32, is_locked: bool) -> Self::Handle {
            let body = $rapier::prelude::RigidBodyBuilder::dynamic()
                .translation($vector(x, y))
                .additional_mass_properties($rapier::prelude::MassProperties {
                    inv_mass: 0.5,
                    ..Default::default()
                });
            let body = if is_locked { body.lock_rotations() } else { body };
            self.world_mut().bodies.insert(body)
        }
        fn native_hinge(&mut self, first: Self::Handle, second: Self::Handle, apart: f32) {
            let joint = $joint
                .local_anchor1($vector(0.5 * apart, 0.0))
                .local_anchor2($vector(-0.5 * apart, 0.0));
            self.world_mut().impulse_joints.insert(first, second, joint, true);
        }
    };
}

impl TestEngine for evenstep_physics::Box2d {
    fn fresh(gravity: f32) -> Self {
        Self::new([0.0, gravity]).unwrap()
    }
    fn vector(x: f32, y: f32) -> [f32; 2] {
        [x, y]
    }
    fn pose(x: f32, y: f32) -> Pose2 {
        Pose2::new([x, y], Rot2::IDENTITY)
    }
    fn half(x: f32, y: f32) -> [f32; 2] {
        [x, y]
    }

    fn native_box(&mut self, on: Option<Self::Handle>, x: f32, y: f32, is_sensor: bool) -> Self::ShapeHandle {
        let world = self.world_mut();
        let shape = boxdd::ShapeDef::builder()
            .density(1.0)
            .sensor(is_sensor)
            .enable_sensor_events(true)
            .enable_contact_events(true)
            .build()
            .unwrap();
        let on = on.unwrap_or_else(|| {
            let body = world.body_builder().body_type(boxdd::BodyType::Static).build().unwrap();
            world.create_body(body).unwrap()
        });
        let corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(|[u, v]| [x + u, y + v]);
        let mut body = world.body(on).unwrap();
        body.create_polygon_from_points(&shape, corners, 0.0).unwrap()
    }
    fn native_body(&mut self, x: f32, y: f32) -> Self::Handle {
        let world = self.world_mut();
        let body = world
            .body_builder()
            .body_type(boxdd::BodyType::Dynamic)
            .position([x, y]);
        world.create_body(body.build().unwrap()).unwrap()
    }
    fn native_lift(&mut self, x: f32, y: f32) -> Self::Handle {
        let world = self.world_mut();
        let body = world
            .body_builder()
            .body_type(boxdd::BodyType::Kinematic)
            .position([x, y]);
        world.create_body(body.build().unwrap()).unwrap()
    }
    fn native_move(&mut self, body: Self::Handle, x: f32, y: f32) {
        self.world_mut()
            .body(body)
            .unwrap()
            .set_position_and_rotation([x, y], 0.0)
            .unwrap();
    }
    fn native_destroy(&mut self, body: Self::Handle) {
        self.world_mut().body(body).unwrap().destroy().unwrap();
    }
    fn native_push(&mut self, body: Self::Handle, x: f32) {
        self.world_mut()
            .body(body)
            .unwrap()
            .apply_force_to_center([x, 0.0], true)
            .unwrap();
    }
    fn native_damping(&mut self, body: Self::Handle, linear: f32, angular: f32) {
        let mut body = self.world_mut().body(body).unwrap();
        body.set_linear_damping(linear).unwrap();
        body.set_angular_damping(angular).unwrap();
    }
    fn is_awake(&mut self, body: Self::Handle) -> bool {
        self.world_mut().body(body).unwrap().is_awake().unwrap()
    }
    fn native_point_mass(&mut self, x: f32, y: f32, is_locked: bool) -> Self::Handle {
        let handle = self.native_body(x, y);
        let mass = boxdd::MassData::new(2.0, boxdd::Vec2::new(0.0, 0.0), 0.0).unwrap();
        let mut body = self.world_mut().body(handle).unwrap();
        // Changing locks recomputes the mass of the shapes.
        let locks = boxdd::MotionLocks::new(false, false, is_locked);
        body.set_motion_locks(locks).unwrap();
        body.set_mass_data(mass).unwrap();
        handle
    }
    fn native_hinge(&mut self, first: Self::Handle, second: Self::Handle, _: f32) {
        let world = self.world_mut();
        let [one, other] = [first, second].map(|body| world.body(body).unwrap().position().unwrap());
        let middle = [0.5 * (one.x + other.x), 0.5 * (one.y + other.y)];
        world.create_revolute_joint_world(first, second, middle).unwrap();
    }
}

#[cfg(feature = "rapier2d")]
impl TestEngine for evenstep_physics::Rapier2d {
    fn break_body(&mut self, body: Self::Handle) -> bool {
        let speed = rapier2d::prelude::Vector::new(f32::NAN, 0.0);
        self.world_mut().bodies[body].set_linvel(speed, true);
        true
    }
    fn fresh(gravity: f32) -> Self {
        Self::new([0.0, gravity])
    }
    fn vector(x: f32, y: f32) -> [f32; 2] {
        [x, y]
    }
    fn pose(x: f32, y: f32) -> Pose2 {
        Pose2::new([x, y], Rot2::IDENTITY)
    }
    fn half(x: f32, y: f32) -> [f32; 2] {
        [x, y]
    }
    native_api_of_rapier!(
        rapier2d,
        rapier2d::prelude::Vector::new,
        rapier2d::prelude::ColliderBuilder::cuboid(0.5, 0.5),
        rapier2d::prelude::RevoluteJointBuilder::new()
    );
}

#[cfg(feature = "rapier3d")]
impl TestEngine for evenstep_physics::Rapier3d {
    fn break_body(&mut self, body: Self::Handle) -> bool {
        let speed = rapier3d::prelude::Vector::new(f32::NAN, 0.0, 0.0);
        self.world_mut().bodies[body].set_linvel(speed, true);
        true
    }
    fn fresh(gravity: f32) -> Self {
        Self::new([0.0, gravity, 0.0])
    }
    fn vector(x: f32, y: f32) -> [f32; 3] {
        [x, y, 0.0]
    }
    fn pose(x: f32, y: f32) -> Pose3 {
        Pose3::new([x, y, 0.0], Quat::IDENTITY)
    }
    fn half(x: f32, y: f32) -> [f32; 3] {
        [x, y, x]
    }
    native_api_of_rapier!(
        rapier3d,
        |x, y| rapier3d::prelude::Vector::new(x, y, 0.0),
        rapier3d::prelude::ColliderBuilder::cuboid(0.5, 0.5, 0.5),
        rapier3d::prelude::RevoluteJointBuilder::new(rapier3d::prelude::Vector::Z)
    );
}

pub(crate) type System<E> = PhysicsSystem<E, u32>;

/// A system at 60 Hz that keeps up with ten frames a second.
pub(crate) fn system<E: TestEngine>(gravity: f32) -> System<E> {
    PhysicsSystem::new(E::fresh(gravity), FixedTimestep::new(RATE).with_max_steps(30))
}

pub(crate) fn y<M: BodyMotion>(motion: &M) -> f32 {
    use evenstep_physics::engine::PhysicsVector;
    motion.position().components()[1]
}

/// A floor and a heap of boxes above it.
pub(crate) fn heap<E: TestEngine>(count: u32) -> (System<E>, Vec<BodyKey>)
where
    E::Motion: Default,
{
    let mut physics = system::<E>(-10.0);
    let floor = BodyDef::new(Shape::Box(E::half(40.0, 1.0)))
        .of_kind(BodyKind::Fixed)
        .at(E::pose(0.0, -1.0));
    physics.world_mut().create(&floor, 0).unwrap();
    let create = |n: u32| {
        let (column, row) = ((n % 5) as f32, (n / 5) as f32);
        let def = E::unit_box().at(E::pose(column * 1.2 + 0.3 * (row % 2.0), 0.8 + row * 1.1));
        physics.world_mut().create(&def, n + 1).unwrap()
    };
    let keys = (0..count).map(create).collect();
    (physics, keys)
}

/// Runs frames of a display that is slightly slower than the steps.
pub(crate) fn run<E: Engine, U>(physics: &mut PhysicsSystem<E, U>, count: u32) {
    for _ in 0..count {
        physics.update(frames("59"), |_, _| {}).unwrap();
    }
}

pub(crate) fn frames(rate: &str) -> Duration {
    Duration::from_secs_f64(rate.parse::<Rate>().unwrap().period_secs_f64())
}

/// A program that takes contacts and does nothing else.
pub(crate) struct OnContact<F>(pub(crate) F);

impl<E: Engine, U, F: FnMut(&mut World<E, U>, &Contact<E>) -> Result<(), PhysicsError>> StepHandler<E, U>
    for OnContact<F>
{
    type Error = PhysicsError;

    fn contact(&mut self, world: &mut World<E, U>, contact: &Contact<E>) -> Result<(), PhysicsError> {
        self.0(world, contact)
    }
}

/// Runs frames at a rate with a program.
pub(crate) fn run_with<E: Engine, U>(
    physics: &mut PhysicsSystem<E, U>,
    rate: &str,
    count: u32,
    game: &mut impl StepHandler<E, U, Error = PhysicsError>,
) {
    for _ in 0..count {
        let frame = physics.advance(frames(rate));
        physics.run(frame, game).unwrap();
    }
}

/// Runs frames at a rate, and collects their contacts.
pub(crate) fn contacts<E: Engine, U>(physics: &mut PhysicsSystem<E, U>, rate: &str, count: u32) -> Vec<Contact<E>> {
    let mut seen = Vec::new();
    let gather = |_: &mut World<E, U>, contact: &Contact<E>| {
        seen.push(*contact);
        Ok(())
    };
    run_with(physics, rate, count, &mut OnContact(gather));
    seen
}

/// Runs tests that take an engine, on every engine that is compiled.
#[macro_export]
macro_rules! for_every_engine {
    ($($test:ident)*) => {
        mod box2d {
            $(#[test] fn $test() { super::$test::<evenstep_physics::Box2d>() })*
        }
        #[cfg(feature = "rapier2d")]
        mod rapier2d {
            $(#[test] fn $test() { super::$test::<evenstep_physics::Rapier2d>() })*
        }
        #[cfg(feature = "rapier3d")]
        mod rapier3d {
            $(#[test] fn $test() { super::$test::<evenstep_physics::Rapier3d>() })*
        }
    };
}
