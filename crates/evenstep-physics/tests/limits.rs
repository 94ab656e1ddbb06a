//! Limits: steps that are too expensive, engines that produce NaN, and memory in the steady state.

use std::time::Duration;

use crate::common::{self, TestEngine, frames, heap, system};
use crate::fake_engine::{FakeEngine, Fault};
use evenstep::{FixedTimestep, Rate, Smoothing, Step, TimeScale};
use evenstep_physics::engine::BodyMotion;
use evenstep_physics::{BodyDef, Engine, PhysicsError, PhysicsSystem, Shape, World, Wrench};

for_every_engine! {
    with_steps_that_cost_more_than_they_simulate_the_frame_rate_recovers
    a_non_finite_body_is_reported_and_others_continue
    the_largest_impulse_on_a_light_body_does_not_stop_the_simulation
}

fn with_steps_that_cost_more_than_they_simulate_the_frame_rate_recovers<E: TestEngine<Motion: Default>>() {
    let (mut physics, _) = heap::<E>(3);
    *physics.timestep_mut() = FixedTimestep::new(Rate::hz(60)).with_max_steps(4);
    // A virtual clock: a frame costs 2 ms, and a step 25 ms for one second, then 1 ms.
    let (mut delta, mut elapsed) = (Duration::from_millis(17), Duration::ZERO);
    let (mut longest, mut dropped, mut lengths) = (Duration::ZERO, 0, Vec::new());
    for _ in 0..100 {
        let cost = Duration::from_millis(if elapsed < Duration::from_secs(1) { 25 } else { 1 });
        let mut next = Duration::from_millis(2);
        physics
            .update(delta, |_: &mut World<E, u32>, step: &Step| {
                lengths.push(step.dt);
                next += cost;
            })
            .unwrap();
        elapsed += delta;
        longest = longest.max(delta);
        dropped += physics.frame().lost().dropped;
        delta = next;
    }
    assert!(longest <= Duration::from_millis(2 + 4 * 25), "{longest:?}");
    assert!(delta <= Duration::from_millis(2 + 2), "{delta:?} a frame in the end");
    assert!(dropped > 10, "{dropped} steps are reported as lost");
    assert!(lengths.iter().all(|dt| dt.to_bits() == RATE_DT.to_bits()));
}

fn the_largest_impulse_on_a_light_body_does_not_stop_the_simulation<E: TestEngine<Motion: Default>>() {
    let mut physics = system::<E>(-10.0);
    let feather = E::unit_box().with_density(1e-3);
    let light: Vec<_> = (0..3)
        .map(|place| {
            let at = E::pose(100.0 * place as f32, 5.0);
            physics.world_mut().create(&feather.clone().at(at), 1).unwrap()
        })
        .collect();
    let other = physics
        .world_mut()
        .create(&E::unit_box().at(E::pose(-100.0, 5.0)), 2)
        .unwrap();
    let (far, turn) = (
        E::vector(f32::MAX, -f32::MAX),
        E::Motion::torque(E::vector(0.0, 1.0), E::vector(f32::MAX, 0.0)),
    );
    let world = physics.world_mut();
    world.apply_impulse(light[0], Wrench::linear(far)).unwrap();
    world.apply_force_for_frame(light[1], Wrench::linear(far)).unwrap();
    world.apply_impulse(light[2], Wrench::angular(turn)).unwrap();
    for _ in 0..10 {
        physics.update(frames("60"), |_, _| {}).unwrap();
    }
    assert_eq!(physics.timestep().tick(), 10);
    assert!(physics.pose(other).is_ok(), "others go on");
}

const RATE_DT: f64 = 1.0 / 60.0;

fn a_non_finite_body_is_reported_and_others_continue<E: TestEngine<Motion: Default>>() {
    let mut physics = system::<E>(-10.0);
    let doomed = physics
        .world_mut()
        .create(&E::unit_box().at(E::pose(0.0, 5.0)), 1)
        .unwrap();
    let fine = physics
        .world_mut()
        .create(&E::unit_box().at(E::pose(50.0, 5.0)), 2)
        .unwrap();
    physics.update(frames("60"), |_, _| {}).unwrap();
    physics
        .world_mut()
        .apply_impulse(doomed, Wrench::linear(E::vector(f32::MAX, f32::MAX)))
        .unwrap();
    let handle = physics.world().handle(doomed).unwrap();
    let is_broken = physics.world_mut().engine_mut().break_body(handle);
    let mut broken = Vec::new();
    for _ in 0..30 {
        physics.update(frames("60"), |_, _| {}).unwrap();
        broken.extend(physics.world_mut().take_non_finite());
    }
    assert_eq!(broken, if is_broken { vec![doomed] } else { vec![] });
    for key in [doomed, fine] {
        assert!(physics.world().motion(key).unwrap().is_finite());
    }
    let fallen = common::y(&physics.world().motion(fine).unwrap());
    assert!(fallen < 4.0, "{fallen}");
}

#[test]
fn a_frame_of_moving_bodies_allocates_nothing_outside_the_engine() {
    use evenstep_physics::Box2d;
    let (mut physics, keys) = heap::<Box2d>(10);
    let push = |physics: &mut common::System<Box2d>| {
        for key in &keys {
            physics
                .world_mut()
                .apply_force_for_frame(*key, Wrench::linear([1.0, 30.0]))
                .unwrap();
        }
    };
    for _ in 0..100 {
        push(&mut physics);
        physics.update(frames("60"), |_, _| {}).unwrap();
    }
    let with_ours = allocation_counter::measure(|| {
        for _ in 0..30 {
            push(&mut physics);
            physics.update(frames("60"), |_, _| {}).unwrap();
            assert_eq!(physics.poses().count(), 11);
        }
    });
    // The allocations of boxdd itself, for stepping and for returning the events of a step.
    let engines_own = allocation_counter::measure(|| {
        let world = physics.world_mut().engine_mut().world_mut();
        for _ in 0..30 {
            let step = world.step(1.0 / 60.0, 4).unwrap();
            assert!(step.body_events().unwrap().len() <= 10);
            let _ = step.contact_events().unwrap().is_empty();
        }
    });
    assert!(
        with_ours.count_total <= engines_own.count_total,
        "{with_ours:?} {engines_own:?}"
    );
}

#[test]
fn bodies_that_are_created_and_removed_leave_no_memory_behind() {
    let mut physics = PhysicsSystem::<FakeEngine, ()>::new(FakeEngine::default(), FixedTimestep::new(Rate::hz(60)));
    let mut come_and_go = |times: u32, smoothing, is_paused| {
        let scale = if is_paused {
            TimeScale::PAUSED
        } else {
            TimeScale::NORMAL
        };
        physics.timestep_mut().set_time_scale(scale);
        for _ in 0..times {
            let world = physics.world_mut();
            let key = world.create(&BodyDef::new(Shape::Ball(1.0)), ()).unwrap();
            world.set_smoothing(key, smoothing).unwrap();
            physics.update(frames("60"), |_, _| {}).unwrap();
            assert_eq!(physics.poses().count(), 1);
            physics.world_mut().remove(key).unwrap();
        }
    };
    for smoothing in [Smoothing::Interpolate, Smoothing::Hermite] {
        for is_paused in [false, true] {
            come_and_go(10, smoothing, is_paused);
            let left = allocation_counter::measure(|| come_and_go(1000, smoothing, is_paused));
            assert_eq!(left.bytes_current, 0, "{smoothing:?}, paused: {is_paused}");
        }
    }
}

/// Reports arise in every part of a frame in which bodies can become non-finite or be found destroyed.
#[test]
fn unread_reports_last_a_frame_and_do_not_accumulate() {
    let mut physics = PhysicsSystem::<FakeEngine, u32>::new(FakeEngine::default(), FixedTimestep::new(Rate::hz(60)));
    let mut lose = |times: u32, ways: [bool; 3]| {
        let [is_paused, draws, steps_itself] = ways;
        let scale = if is_paused {
            TimeScale::PAUSED
        } else {
            TimeScale::NORMAL
        };
        physics.timestep_mut().set_time_scale(scale);
        for number in 0..times {
            let engine = physics.world_mut().engine_mut();
            let handle = engine.create(&BodyDef::new(Shape::Ball(1.0))).unwrap();
            let key = physics.world_mut().adopt(handle, number).unwrap();
            let engine = physics.world_mut().engine_mut();
            if number % 2 == 0 {
                engine.faults.push_back(Fault::NonFinite);
            }
            engine.destroy(handle);
            if draws {
                assert_eq!(physics.poses().count(), 0);
            }
            if steps_itself {
                let step = Step::new(u64::from(number), Rate::hz(60));
                let mut idle = |_: &mut World<FakeEngine, u32>, _: &Step| Ok::<_, PhysicsError>(());
                physics.run_step(&step, &mut idle).unwrap();
            } else {
                physics.update(frames("60"), |_, _| {}).unwrap();
            }
            if number + 1 == times {
                // The body may be found in this frame's update, or when its pose is read.
                let _ = physics.poses().count();
                let destroyed = physics.world_mut().take_destroyed();
                assert!(
                    destroyed.contains(&(key, number)) && destroyed.len() <= 3,
                    "{destroyed:?}"
                );
            }
        }
    };
    for ways in 0..8_u8 {
        let ways = [1, 2, 4].map(|bit| ways & bit != 0);
        lose(10, ways);
        let left = allocation_counter::measure(|| lose(1000, ways));
        assert!(left.bytes_current <= 4096, "{ways:?}: {left:?}");
    }
}

#[cfg(feature = "rapier2d")]
#[test]
fn a_fall_through_500_pixels_lasts_ten_seconds_unless_the_unit_is_stated() {
    use evenstep_physics::Rapier2d;
    let seconds = |engine: Rapier2d, rate: &str| {
        let mut physics = PhysicsSystem::<Rapier2d, ()>::new(engine, FixedTimestep::new(Rate::hz(60)));
        let ball = physics
            .world_mut()
            .create(&BodyDef::new(Shape::Ball(16.0)), ())
            .unwrap();
        let mut time = Duration::ZERO;
        while physics.world().motion(ball).unwrap().pose.position[1] > -500.0 {
            physics.update(frames(rate), |_, _| {}).unwrap();
            time += frames(rate);
        }
        time.as_secs_f64()
    };
    for rate in ["60", "2700"] {
        let metres = seconds(Rapier2d::new([0.0, -10.0]), rate);
        let pixels = seconds(Rapier2d::with_length_unit([0.0, -1000.0], 100.0), rate);
        assert!(
            (metres - 10.0).abs() < 0.05 && (pixels - 1.0).abs() < 0.05,
            "{metres} s, {pixels} s"
        );
    }
}

#[cfg(feature = "rapier2d")]
#[test]
fn a_world_in_pixels_behaves_as_one_in_metres() {
    use evenstep::poses::{Pose2, Rot2};
    use evenstep_physics::{BodyDef, BodyKind, PhysicsSystem, Rapier2d, Shape};
    let landed = |scale: f32| {
        let engine = Rapier2d::with_length_unit([0.0, -10.0 * scale], scale);
        let mut physics = PhysicsSystem::<Rapier2d, ()>::new(engine, FixedTimestep::new(Rate::hz(60)));
        let floor = BodyDef::new(Shape::Box([10.0 * scale, scale])).of_kind(BodyKind::Fixed);
        physics.world_mut().create(&floor, ()).unwrap();
        let pose = Pose2::new([0.2 * scale, 5.0 * scale], Rot2::from_radians(0.3));
        let def = BodyDef::new(Shape::Box([0.5 * scale, 0.5 * scale]))
            .with_restitution(0.3)
            .at(pose);
        let key = physics.world_mut().create(&def, ()).unwrap();
        for _ in 0..240 {
            physics.update(frames("60"), |_, _| {}).unwrap();
        }
        physics
            .world()
            .motion(key)
            .unwrap()
            .pose
            .position
            .map(|part| part / scale)
    };
    let (metres, pixels) = (landed(1.0), landed(100.0));
    for axis in 0..2 {
        assert!((metres[axis] - pixels[axis]).abs() < 0.02, "{metres:?} and {pixels:?}");
    }
}
