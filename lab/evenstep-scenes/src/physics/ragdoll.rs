//! Dolls of boxes that fall over steps: joints with limits, in space.

use evenstep::Rate;
use evenstep::poses::{Motion3, Pose3, Quat};
use evenstep_physics::{BodyDef, Shape};

use super::physics_scene::{PhysicsScene, Role};
use super::scene_engine::SceneEngine;
use super::{ENGINE_3D, GRAVITY, POSITION, build_on_engine, count};
use crate::{SceneError, SceneInfo, Settings};

pub(crate) const INFO: SceneInfo = SceneInfo {
    name: "ragdoll",
    summary: "Dolls whose limbs bend no further than they can fall down a flight of steps.",
    rate: Rate::hz(60),
    seconds: 8,
    settings: &[ENGINE_3D, count("count", "how many dolls", 3.0, 40.0)],
    channels: POSITION,
    path: Some((0, 1)),
    build: |settings| build_on_engine!(settings, build, three_d),
};

/// Centres and half sides in m, from the ground on which it would stand: head, chest, hips, upper and lower arms and legs.
const PARTS: [([f32; 3], [f32; 3]); 11] = [
    ([0.0, 1.7, 0.0], [0.12, 0.15, 0.12]),
    ([0.0, 1.3, 0.0], [0.2, 0.22, 0.12]),
    ([0.0, 0.95, 0.0], [0.18, 0.1, 0.12]),
    ([0.0, 1.45, 0.35], [0.06, 0.06, 0.14]),
    ([0.0, 1.45, 0.65], [0.05, 0.05, 0.14]),
    ([0.0, 1.45, -0.35], [0.06, 0.06, 0.14]),
    ([0.0, 1.45, -0.65], [0.05, 0.05, 0.14]),
    ([0.0, 0.64, 0.1], [0.08, 0.19, 0.08]),
    ([0.0, 0.22, 0.1], [0.07, 0.2, 0.07]),
    ([0.0, 0.64, -0.1], [0.08, 0.19, 0.08]),
    ([0.0, 0.22, -0.1], [0.07, 0.2, 0.07]),
];

/// Which parts are joined, where, and how far they bend in radians.
const JOINTS: [(usize, usize, [f32; 3], f32); 10] = [
    (1, 0, [0.0, 1.53, 0.0], 0.5),
    (2, 1, [0.0, 1.06, 0.0], 0.4),
    (1, 3, [0.0, 1.45, 0.2], 1.4),
    (3, 4, [0.0, 1.45, 0.5], 1.2),
    (1, 5, [0.0, 1.45, -0.2], 1.4),
    (5, 6, [0.0, 1.45, -0.5], 1.2),
    (2, 7, [0.0, 0.84, 0.1], 1.0),
    (7, 8, [0.0, 0.43, 0.1], 1.0),
    (2, 9, [0.0, 0.84, -0.1], 1.0),
    (9, 10, [0.0, 0.43, -0.1], 1.0),
];

/// Engines in space with joints that turn about all axes.
trait Limbs: SceneEngine<Motion = Motion3> {
    /// Joins two bodies, which are not turned yet, at a point of the world. They do not collide with each other.
    fn join(&mut self, first: Self::Handle, second: Self::Handle, at: [f32; 3], bend: f32);
}

#[cfg(feature = "rapier3d")]
impl Limbs for evenstep_physics::Rapier3d {
    fn join(&mut self, first: Self::Handle, second: Self::Handle, at: [f32; 3], bend: f32) {
        use evenstep_physics::rapier3d::prelude::{JointAxis, RigidBodyHandle, SphericalJointBuilder, Vector};

        let world = self.world_mut();
        let anchor = |body: RigidBodyHandle| Vector::new(at[0], at[1], at[2]) - world.bodies[body].translation();
        let mut joint = SphericalJointBuilder::new()
            .local_anchor1(anchor(first))
            .local_anchor2(anchor(second))
            .contacts_enabled(false);
        for axis in [JointAxis::AngX, JointAxis::AngY, JointAxis::AngZ] {
            joint = joint.limits(axis, [-bend, bend]);
        }
        world.impulse_joints.insert(first, second, joint, true);
    }
}

fn build<E: Limbs>(settings: &Settings) -> Result<PhysicsScene<E>, SceneError> {
    let mut scene = PhysicsScene::<E>::new(GRAVITY, INFO.rate)?;
    scene.add_wall((0.0, -5.0), (60.0, 1.0))?;
    for n in 0..8 {
        let height = 0.5 * (8 - n) as f32;
        scene.add_wall((1.2 * n as f32, -4.0 + 0.5 * height), (0.6, 0.5 * height))?;
    }
    for n in 0..settings.number("count") as u32 {
        let (dx, dy) = (0.3 * (n % 3) as f32, 1.0 + 2.2 * n as f32);
        let at = |[x, y, z]: [f32; 3]| [x + dx, y + dy, z];
        let mut parts = Vec::new();
        for (centre, half) in PARTS {
            let pose = Pose3::new(at(centre), Quat::IDENTITY);
            let motion = Motion3 {
                pose,
                velocity: [1.5, 0.0, 0.1 * (n % 2) as f32],
                angular_velocity: [0.0; 3],
            };
            let def = BodyDef::new(Shape::Box(half)).with_density(100.0).moving(motion);
            parts.push(scene.add(&def, Role::Block(half))?);
        }
        for (first, second, centre, bend) in JOINTS {
            let world = scene.system.world_mut();
            let (first, second) = (world.handle(parts[first])?, world.handle(parts[second])?);
            world.engine_mut().join(first, second, at(centre), bend);
        }
        if n == 0 {
            scene.follow(parts[0]);
        }
    }
    Ok(scene)
}
