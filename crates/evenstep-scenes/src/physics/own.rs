//! What scenes make with the engines' own APIs, for the world to adopt: joints, sensors, filters, bodies of several shapes.

use evenstep_physics::PhysicsError;

use super::upright::Upright;

/// A box from its centre, in the body's own coordinates, to its sides.
pub(super) type Part = ((f32, f32), (f32, f32));

/// What a hinge does by itself.
#[derive(Clone, Copy)]
pub(super) struct Motor {
    /// In rad/s, counter-clockwise.
    pub(super) speed: f32,
    /// At most, in N·m.
    pub(super) torque: f32,
}

/// Engines with joints, sensors and filters; bodies stay in the plane of `x` and `y`.
pub(super) trait OwnApi: Upright {
    /// A dynamic body of several boxes. A ghost passes through all but what stays where it is.
    fn compound(&mut self, centre: (f32, f32), parts: &[Part], ghost: bool) -> Result<Self::Handle, PhysicsError>;
    /// A dynamic ball.
    fn wheel(&mut self, centre: (f32, f32), radius: f32) -> Result<Self::Handle, PhysicsError>;
    /// Hinges two bodies, which are not turned yet, at a point of the world. They do not collide with each other.
    fn hinge(
        &mut self,
        first: Self::Handle,
        second: Self::Handle,
        at: (f32, f32),
        motor: Option<Motor>,
    ) -> Result<(), PhysicsError>;
    /// A box that tells who is in it, on no body of the world's.
    fn sensor(&mut self, centre: (f32, f32), half: (f32, f32)) -> Result<(), PhysicsError>;
}

#[cfg(feature = "box2d")]
mod box2d {
    use evenstep_physics::boxdd::{self, BodyId, BodyType, Filter, ShapeDef};
    use evenstep_physics::{Box2d, PhysicsError};

    use super::{Motor, OwnApi, Part};

    /// What stays where it is has Box2D's own default.
    const SCENERY: u64 = 1;
    const GHOST: u64 = 2;
    const SOLID: u64 = 4;

    fn refused(error: boxdd::Error) -> PhysicsError {
        PhysicsError::Engine {
            action: "build a scene",
            reason: error.to_string(),
        }
    }

    fn body(world: &mut boxdd::World, kind: BodyType, (x, y): (f32, f32)) -> boxdd::Result<BodyId> {
        let body = world.body_builder().body_type(kind).position([x, y]).build()?;
        world.create_body(body)
    }

    fn corners(&((x, y), (w, h)): &Part) -> [[f32; 2]; 4] {
        [[-w, -h], [w, -h], [w, h], [-w, h]].map(|[u, v]| [x + u, y + v])
    }

    fn shape(ghost: bool) -> boxdd::Result<ShapeDef> {
        let mut filter = Filter::new();
        filter.category_bits = if ghost { GHOST } else { SOLID };
        if ghost {
            filter.mask_bits = SCENERY;
        }
        let shape = ShapeDef::builder().density(1.0).filter(filter);
        shape.enable_contact_events(true).enable_sensor_events(true).build()
    }

    impl OwnApi for Box2d {
        fn compound(&mut self, centre: (f32, f32), parts: &[Part], ghost: bool) -> Result<BodyId, PhysicsError> {
            let world = self.world_mut();
            let mut create = || {
                let id = body(world, BodyType::Dynamic, centre)?;
                for part in parts {
                    world
                        .body(id)?
                        .create_polygon_from_points(&shape(ghost)?, corners(part), 0.0)?;
                }
                Ok(id)
            };
            create().map_err(refused)
        }

        fn wheel(&mut self, centre: (f32, f32), radius: f32) -> Result<BodyId, PhysicsError> {
            let world = self.world_mut();
            let mut create = || {
                let id = body(world, BodyType::Dynamic, centre)?;
                world.body(id)?.create_centered_circle(&shape(false)?, radius)?;
                Ok(id)
            };
            create().map_err(refused)
        }

        fn hinge(
            &mut self,
            first: BodyId,
            second: BodyId,
            (x, y): (f32, f32),
            motor: Option<Motor>,
        ) -> Result<(), PhysicsError> {
            let joint = self.world_mut().revolute(first, second).anchor_world([x, y]);
            let joint = match motor {
                Some(motor) => joint.motor(motor.torque, motor.speed),
                None => joint,
            };
            joint.build().map(|_| ()).map_err(refused)
        }

        fn sensor(&mut self, centre: (f32, f32), half: (f32, f32)) -> Result<(), PhysicsError> {
            let world = self.world_mut();
            let mut create = || {
                let id = body(world, BodyType::Static, centre)?;
                let sensor = ShapeDef::builder().sensor(true).enable_sensor_events(true).build()?;
                let corners = corners(&((0.0, 0.0), half));
                world.body(id)?.create_polygon_from_points(&sensor, corners, 0.0)?;
                Ok(())
            };
            create().map_err(refused)
        }
    }
}

/// The same for both of Rapier's crates: `$vector` makes a vector of theirs in the plane, `$cuboid` a box, `$wheel` a
/// disc or a roller, `$hinge` a joint about the axis that points out of the plane; `$flat` keeps a body in the plane, `$free` lets
/// it go again when a hinge keeps it there.
#[cfg(any(feature = "rapier2d", feature = "rapier3d"))]
macro_rules! own_api_of_rapier {
    ($name:ident, $engine:ident, $rapier:ident, $vector:expr, $cuboid:expr, $wheel:expr, $hinge:expr, $flat:expr, $free:expr) => {
        mod $name {
            use evenstep_physics::$rapier::prelude::{
                ActiveEvents, ColliderBuilder, Group, InteractionGroups, RevoluteJointBuilder, RigidBody,
                RigidBodyBuilder, RigidBodyHandle, Vector,
            };
            use evenstep_physics::{PhysicsError, $engine};

            use super::{Motor, OwnApi, Part};

            fn vector(at: (f32, f32)) -> Vector {
                $vector(at)
            }

            fn body(engine: &mut $engine, centre: (f32, f32)) -> RigidBodyHandle {
                let body: RigidBodyBuilder = $flat(RigidBodyBuilder::dynamic().translation(vector(centre)));
                engine.world_mut().bodies.insert(body)
            }

            fn attach(engine: &mut $engine, body: RigidBodyHandle, shape: ColliderBuilder, ghost: bool) {
                let (member, of) = if ghost {
                    (Group::GROUP_2, Group::GROUP_1)
                } else {
                    (Group::GROUP_3, Group::ALL)
                };
                let shape = shape
                    .density(1.0)
                    .friction(0.6)
                    .collision_groups(InteractionGroups::new(member, of, Default::default()))
                    .active_events(ActiveEvents::COLLISION_EVENTS);
                let world = engine.world_mut();
                world.colliders.insert_with_parent(shape, body, &mut world.bodies);
            }

            impl OwnApi for $engine {
                fn compound(
                    &mut self,
                    centre: (f32, f32),
                    parts: &[Part],
                    ghost: bool,
                ) -> Result<RigidBodyHandle, PhysicsError> {
                    let handle = body(self, centre);
                    for (at, half) in parts {
                        attach(self, handle, $cuboid(*half).translation(vector(*at)), ghost);
                    }
                    Ok(handle)
                }

                fn wheel(&mut self, centre: (f32, f32), radius: f32) -> Result<RigidBodyHandle, PhysicsError> {
                    let handle = body(self, centre);
                    attach(self, handle, $wheel(radius), false);
                    Ok(handle)
                }

                fn hinge(
                    &mut self,
                    first: RigidBodyHandle,
                    second: RigidBodyHandle,
                    at: (f32, f32),
                    motor: Option<Motor>,
                ) -> Result<(), PhysicsError> {
                    let world = self.world_mut();
                    for body in [first, second] {
                        let free: fn(&mut RigidBody) = $free;
                        free(&mut world.bodies[body]);
                    }
                    let anchor = |body: RigidBodyHandle| vector(at) - world.bodies[body].translation();
                    let joint: RevoluteJointBuilder = $hinge;
                    let joint = joint
                        .local_anchor1(anchor(first))
                        .local_anchor2(anchor(second))
                        .contacts_enabled(false);
                    let joint = match motor {
                        Some(motor) => joint
                            .motor_velocity(motor.speed, 1.0e3)
                            .motor_max_force(motor.torque),
                        None => joint,
                    };
                    world.impulse_joints.insert(first, second, joint, true);
                    Ok(())
                }

                fn sensor(&mut self, centre: (f32, f32), half: (f32, f32)) -> Result<(), PhysicsError> {
                    let sensor = $cuboid(half)
                        .translation(vector(centre))
                        .sensor(true)
                        .active_events(ActiveEvents::COLLISION_EVENTS);
                    self.world_mut().colliders.insert(sensor);
                    Ok(())
                }
            }
        }
    };
}

#[cfg(feature = "rapier2d")]
own_api_of_rapier!(
    plane,
    Rapier2d,
    rapier2d,
    |(x, y)| Vector::new(x, y),
    |(x, y): (f32, f32)| ColliderBuilder::cuboid(x, y),
    ColliderBuilder::ball,
    RevoluteJointBuilder::new(),
    |body| body,
    |_| ()
);

#[cfg(feature = "rapier3d")]
own_api_of_rapier!(
    space,
    Rapier3d,
    rapier3d,
    |(x, y)| Vector::new(x, y, 0.0),
    |(x, y): (f32, f32)| ColliderBuilder::cuboid(x, y, 1.0),
    // Its axis, along y, is turned to z.
    |radius| ColliderBuilder::cylinder(1.0, radius).rotation(Vector::X * std::f32::consts::FRAC_PI_2),
    RevoluteJointBuilder::new(Vector::Z),
    |body: RigidBodyBuilder| body
        .enabled_translations(true, true, false)
        .enabled_rotations(false, false, true),
    |body| {
        body.set_enabled_translations(true, true, true, true);
        body.lock_rotations(false, true);
    }
);
