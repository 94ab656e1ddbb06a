//! The native API of both Rapier crates.

/// Implements the API for one of Rapier's crates: `$vector` makes a vector in the plane, `$cuboid` a box, `$wheel` a
/// disc or a roller, `$hinge` a joint about the axis that points out of the plane, `$ground` terrain around its middle;
/// `$flat` keeps a body in the plane, `$free` lets it go again when a hinge keeps it there.
macro_rules! native_api_of_rapier {
    ($name:ident, $engine:ident, $rapier:ident, $vector:expr, $cuboid:expr, $wheel:expr, $hinge:expr, $ground:expr, $flat:expr, $free:expr) => {
        mod $name {
            use evenstep_physics::$rapier::prelude::{
                ActiveEvents, ColliderBuilder, Group, InteractionGroups, RevoluteJointBuilder, RigidBody,
                RigidBodyBuilder, RigidBodyHandle, Vector,
            };
            use evenstep_physics::{PhysicsError, $engine};

            use super::super::{Motor, NativeApi, Part};
            use crate::physics::character::CAPSULE;

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

            impl NativeApi for $engine {
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

                fn terrain(&mut self, (x, y): (f32, f32), spacing: f32, heights: &[f32]) -> Result<(), PhysicsError> {
                    let width = spacing * (heights.len() - 1) as f32;
                    let ground: ColliderBuilder = $ground(heights.to_vec(), width);
                    let ground = ground.translation(vector((x + 0.5 * width, y))).friction(0.6);
                    self.world_mut().colliders.insert(ground);
                    Ok(())
                }

                fn character(&mut self, centre: (f32, f32)) -> Result<RigidBodyHandle, PhysicsError> {
                    let (length, radius) = CAPSULE;
                    let body = RigidBodyBuilder::kinematic_velocity_based().translation(vector(centre));
                    Ok(self
                        .world_mut()
                        .insert(body, ColliderBuilder::capsule_y(length, radius))
                        .0)
                }
            }
        }
    };
}

#[cfg(feature = "rapier2d")]
native_api_of_rapier!(
    plane,
    Rapier2d,
    rapier2d,
    |(x, y)| Vector::new(x, y),
    |(x, y): (f32, f32)| ColliderBuilder::cuboid(x, y),
    ColliderBuilder::ball,
    RevoluteJointBuilder::new(),
    |heights, width| ColliderBuilder::heightfield(heights, Vector::new(width, 1.0)),
    |body| body,
    |_| ()
);

#[cfg(feature = "rapier3d")]
native_api_of_rapier!(
    space,
    Rapier3d,
    rapier3d,
    |(x, y)| Vector::new(x, y, 0.0),
    |(x, y): (f32, f32)| ColliderBuilder::cuboid(x, y, 1.0),
    // Its axis, along y, is turned to z.
    |radius| ColliderBuilder::cylinder(1.0, radius).rotation(Vector::X * std::f32::consts::FRAC_PI_2),
    RevoluteJointBuilder::new(Vector::Z),
    |heights: Vec<f32>, width| {
        // Two rows, in front and behind; each column is one place.
        let columns = heights.len();
        let both = heights.into_iter().flat_map(|height| [height; 2]).collect();
        let rows = evenstep_physics::rapier3d::parry::utils::Array2::new(2, columns, both);
        ColliderBuilder::heightfield(rows, Vector::new(width, 1.0, 4.0))
    },
    |body: RigidBodyBuilder| body
        .enabled_translations(true, true, false)
        .enabled_rotations(false, false, true),
    |body| {
        body.set_enabled_translations(true, true, true, true);
        body.lock_rotations(false, true);
    }
);
