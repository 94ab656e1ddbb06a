//! Programs from Box2D's samples: a car on springs, and a bridge of planks that it drives over.

use boxdd::{BodyId, BodyType, ChainDef, Foundation, JointId, ShapeDef, World};
use evenstep_physics::Box2d;

use super::program::{Program, Tick, check};

/// The number of sub-steps in Box2D's samples.
const SUB_STEPS: i32 = 4;

fn body(world: &mut World, kind: BodyType, at: [f32; 2]) -> boxdd::Result<BodyId> {
    let body = world.body_builder().body_type(kind).position(at).build()?;
    world.create_body(body)
}

/// A car with two wheels on springs, driven by motors.
struct Car {
    bodies: Vec<BodyId>,
    motors: [JointId; 2],
}

impl Car {
    fn create() -> boxdd::Result<(World, Self)> {
        let foundation = Foundation::initialize_default()?;
        let world = foundation.world_builder().gravity([0.0, -10.0]).build()?;
        let mut world = foundation.create_world(world)?;
        let mut bodies = vec![ground(&mut world)?];
        bridge(&mut world, &mut bodies)?;
        let shape = ShapeDef::builder().density(1.0).build()?;
        let chassis = body(&mut world, BodyType::Dynamic, [0.0, 1.3])?;
        let outline = [[-1.4, -0.3], [1.4, -0.3], [1.2, 0.3], [-0.8, 0.5]];
        world.body(chassis)?.create_polygon_from_points(&shape, outline, 0.0)?;
        bodies.push(chassis);
        let mut wheel = |x: f32| {
            let wheel = body(&mut world, BodyType::Dynamic, [x, 0.7])?;
            let tyre = boxdd::SurfaceMaterial::new().with_friction(1.5)?;
            let tyre = ShapeDef::builder().density(2.0).material(tyre).build()?;
            world.body(wheel)?.create_centered_circle(&tyre, 0.4)?;
            bodies.push(wheel);
            let joint = world.wheel(chassis, wheel).anchors_world([x, 0.7], [x, 0.7]);
            let joint = joint.axis_world([0.0, 1.0]).limit(-0.2, 0.2).spring(4.0, 0.8);
            joint.motor(6.0, 0.0).build()
        };
        let motors = [wheel(-1.0)?, wheel(1.0)?];
        Ok((world, Self { bodies, motors }))
    }

    /// Drives forward at full speed, stops, and drives back.
    fn drive(&self, world: &mut World, tick: u64) -> boxdd::Result<()> {
        let speed = match tick {
            0..120 => -25.0,
            120..150 => 0.0,
            _ => 15.0,
        };
        for motor in self.motors {
            world.joint(motor)?.into_wheel()?.set_motor_speed(speed)?;
            world.joint(motor)?.wake_bodies()?;
        }
        Ok(())
    }
}

/// Bumps on both sides of a gap. A chain is solid on the right-hand side of its direction.
fn ground(world: &mut World) -> boxdd::Result<BodyId> {
    let ground = body(world, BodyType::Static, [0.0, 0.0])?;
    let height = |n: u32| if n % 4 == 1 { 0.35 } else { 0.2 };
    let left = (0..=20).rev().map(|n| [n as f32 - 15.0, height(n)]);
    let right = (0..=20).rev().map(|n| [n as f32 + 11.0, height(n)]);
    for points in [left.collect::<Vec<_>>(), right.collect()] {
        let chain = ChainDef::builder().points(points).build()?;
        world.body(ground)?.create_chain(&chain)?;
    }
    Ok(ground)
}

/// Planks across the gap, hinged to each other and to the ground.
fn bridge(world: &mut World, bodies: &mut Vec<BodyId>) -> boxdd::Result<()> {
    let shape = ShapeDef::builder().density(1.0).build()?;
    let ground = bodies[0];
    let mut last = ground;
    for n in 0..6 {
        let plank = body(world, BodyType::Dynamic, [5.5 + n as f32, 0.2])?;
        world.body(plank)?.create_box(&shape, 0.5, 0.125)?;
        world.create_revolute_joint_world(last, plank, [5.0 + n as f32, 0.2])?;
        bodies.push(plank);
        last = plank;
    }
    world.create_revolute_joint_world(last, ground, [11.0, 0.2])?;
    Ok(())
}

impl Program for Car {
    type World = World;
    type Engine = Box2d;

    fn build() -> (World, Self) {
        Self::create().unwrap()
    }

    fn before_step(&mut self, world: &mut World, tick: u64) {
        self.drive(world, tick).unwrap();
    }

    fn own_step(world: &mut World) {
        drop(world.step(1.0 / 60.0, SUB_STEPS).unwrap());
    }

    fn bodies(&self) -> &[BodyId] {
        &self.bodies
    }

    fn world(engine: &mut Box2d) -> &mut World {
        engine.world_mut()
    }
}

#[test]
fn a_car_on_box2ds_wheel_joints_drives_over_a_bridge_bit_identically_at_every_frame_rate() {
    let run = check::<Car>();
    let x = |tick: &Tick| tick[7 * 7];
    let furthest = run.iter().map(x).fold(0.0, f32::max);
    assert!(furthest > 6.0, "it drives onto the bridge: {furthest}");
    assert!(x(&run[239]) < furthest - 0.5, "and back: {}", x(&run[239]));
    assert!(run.iter().all(|tick| tick[7 * 7 + 1] > -1.0), "and falls nowhere");
}
