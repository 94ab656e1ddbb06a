//! Controllers against what they promise.

use std::collections::BTreeMap;
use std::time::Duration;

use evenstep::poses::{Motion2, Pose2, Rot2};
use evenstep::{FixedTimestep, Rate, Step};
use evenstep_physics::controller::{Buoyancy, Controller, Wind};
use evenstep_physics::engine::PhysicsVector;
use evenstep_physics::{BodyDef, BodyKey, Box2d, PhysicsSystem, Shape, World, Wrench};

use crate::own_controllers::Missile;

type Plane = PhysicsSystem<Box2d>;

fn plane(gravity: f32, rate: u32) -> Plane {
    let engine = Box2d::new([0.0, gravity]).unwrap().with_sub_steps(1);
    PhysicsSystem::new(engine, FixedTimestep::new(Rate::hz(rate)).with_max_steps(1000))
}

fn body(physics: &mut Plane, shape: Shape<[f32; 2]>, density: f32, position: [f32; 2], velocity: [f32; 2]) -> BodyKey {
    let motion = Motion2 {
        pose: Pose2::new(position, Rot2::IDENTITY),
        velocity,
        angular_velocity: 0.0,
    };
    physics
        .world_mut()
        .create(&BodyDef::new(shape).with_density(density).moving(motion), ())
        .unwrap()
}

fn run(physics: &mut Plane, seconds: f32) {
    for _ in 0..(seconds * 50.0).round() as u32 {
        physics.update(Duration::from_millis(20), |_, _| {}).unwrap();
    }
}

#[test]
fn a_box_half_as_dense_as_water_floats_half_under_it() {
    let mut physics = plane(-10.0, 120);
    let shape = Shape::Box([1.0, 1.0]);
    let floating = body(&mut physics, shape, 500.0, [0.0, 1.0], [0.0, 0.0]);
    let water = Buoyancy::new(shape, 0.0).with_gravity(10.0).with_drag(2000.0);
    physics.attach(water, &[floating]);
    run(&mut physics, 20.0);
    let motion = physics.world().motion(floating).unwrap();
    assert!(motion.pose.position[1].abs() < 0.01, "{motion:?}");
    assert!(motion.velocity.length() < 0.01);
}

#[test]
fn a_weak_wind_lets_bodies_sleep() {
    let mut physics = plane(-10.0, 60);
    let floor = BodyDef::new(Shape::Box([20.0, 1.0])).of_kind(evenstep_physics::BodyKind::Fixed);
    physics.world_mut().create(&floor, ()).unwrap();
    let resting = body(&mut physics, Shape::Box([0.5, 0.5]), 10.0, [0.0, 1.5], [0.0, 0.0]);
    let breeze = Wind::new([0.5, 0.0], 0.6).with_wakes_at(1.0);
    physics.attach(breeze, &[resting]);
    run(&mut physics, 5.0);
    let handle = physics.world().handle(resting).unwrap();
    assert!(
        !physics
            .world_mut()
            .engine_mut()
            .world_mut()
            .body(handle)
            .unwrap()
            .is_awake()
            .unwrap()
    );
}

#[test]
fn wind_acts_from_the_force_in_newtons_that_wakes() {
    // Of 0.6 kg/m: no two of the force, the speed and the coefficient are equal.
    for (speed, newtons) in [(0.5, 0.15), (1.5, 1.35), (10.0, 60.0)] {
        for (factor, acts) in [(0.999, true), (1.001, false)] {
            let mut physics = plane(0.0, 60);
            let resting = body(&mut physics, Shape::Box([0.5, 0.5]), 10.0, [0.0, 0.0], [0.0, 0.0]);
            physics.attach(Wind::new([speed, 0.0], 0.6).with_wakes_at(factor * newtons), &[resting]);
            run(&mut physics, 0.1);
            let moved = physics.world().motion(resting).unwrap().velocity.length() > 0.0;
            assert_eq!(moved, acts, "{newtons} N, {factor} of it");
        }
    }
}

/// The smallest distance of a missile to a target that crosses its path, and the fastest turn.
fn miss_distance() -> (f32, f32) {
    let mut physics = plane(0.0, 120);
    let target = body(&mut physics, Shape::Ball(0.1), 1.0, [0.0, 40.0], [15.0, 0.0]);
    let missile = body(&mut physics, Shape::Ball(0.1), 1.0, [0.0, 0.0], [0.0, 25.0]);
    let steering = Missile {
        target,
        gain: 4.0,
        turn_rate: 2.0,
        lines_of_sight: BTreeMap::new(),
    };
    physics.attach(steering, &[missile]);
    let (mut least, mut turned, mut last) = (f32::INFINITY, 0.0_f32, 0.0_f32);
    for _ in 0..400 {
        physics.update(Duration::from_nanos(8_333_334), |_, _| {}).unwrap();
        let own = physics.world().motion(missile).unwrap();
        let other = physics.world().motion(target).unwrap();
        assert!((own.velocity.length() - 25.0).abs() < 0.05 || least < 0.3);
        let away = [
            own.pose.position[0] - other.pose.position[0],
            own.pose.position[1] - other.pose.position[1],
        ];
        least = least.min(away.length());
        let heading = libm::atan2f(own.velocity[0], own.velocity[1]);
        turned = turned.max((heading - last).abs());
        last = heading;
        if least < 0.3 {
            break;
        }
    }
    (least, turned)
}

#[test]
fn a_missile_hits_and_never_turns_faster_than_the_limit() {
    let (least, turned) = miss_distance();
    assert!(least < 0.3, "misses by {least}");
    assert!(turned <= 2.0 / 120.0 + 1e-4, "turns by {turned} in a step");
}

/// Records the order in which controllers act.
#[derive(Clone)]
struct Note(u32, std::sync::Arc<std::sync::Mutex<Vec<u32>>>);

impl Controller<Box2d, ()> for Note {
    fn control(&mut self, world: &mut World<Box2d, ()>, body: BodyKey, _: &Step) {
        world.apply_force(body, Wrench::ZERO).unwrap();
        self.1.lock().unwrap().push(self.0);
    }
}

#[test]
fn controllers_act_once_a_step_in_the_order_in_which_they_were_attached() {
    let mut physics = plane(0.0, 60);
    let key = body(&mut physics, Shape::Ball(1.0), 1.0, [0.0; 2], [0.0; 2]);
    let notes = std::sync::Arc::default();
    for number in [3, 1, 2] {
        physics.attach(Note(number, std::sync::Arc::clone(&notes)), &[key]);
    }
    physics.update(Duration::from_millis(34), |_, _| {}).unwrap();
    assert_eq!(*notes.lock().unwrap(), [3, 1, 2, 3, 1, 2]);
}
