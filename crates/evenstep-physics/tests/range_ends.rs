//! Calls with arguments at the ends of their ranges, as documented: zero, the largest number, infinity and NaN.

use std::time::Duration;

use evenstep::poses::Pose2;
use evenstep::{FixedTimestep, Rate};
use evenstep_physics::controller::Wind;
use evenstep_physics::{
    BodyDef, Drag, PhysicsError, PhysicsSystem, Rapier2d, Rapier3d, SavedSystem, Shape, World, Wrench,
};

use crate::common::{TestEngine, frames, system};

for_every_engine! {
    a_body_is_refused_by_the_name_of_the_field_that_is_out_of_range
    frames_of_any_length_run
}

const NOT_FINITE: [f32; 3] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];

fn a_body_is_refused_by_the_name_of_the_field_that_is_out_of_range<E: TestEngine<Motion: Default>>() {
    let mut physics = system::<E>(-10.0);
    let mut refused = |def: &BodyDef<E::Motion>| match physics.world_mut().create(def, 0) {
        Err(PhysicsError::InvalidValue { body: None, field, .. }) => field,
        other => panic!("{other:?}"),
    };
    for wrong in NOT_FINITE.into_iter().chain([-1.0]) {
        assert_eq!(refused(&BodyDef::new(Shape::Ball(wrong))), "shape", "{wrong}");
        assert_eq!(refused(&E::unit_box().with_density(wrong)), "density", "{wrong}");
        assert_eq!(refused(&E::unit_box().with_friction(wrong)), "friction", "{wrong}");
        assert_eq!(
            refused(&E::unit_box().with_restitution(wrong)),
            "restitution",
            "{wrong}"
        );
    }
    assert_eq!(refused(&BodyDef::new(Shape::Ball(0.0))), "shape");
    assert_eq!(refused(&E::unit_box().with_density(0.0)), "density");
    assert_eq!(refused(&E::unit_box().with_restitution(1.1)), "restitution");
    assert_eq!(refused(&E::unit_box().at(E::pose(f32::NAN, 0.0))), "motion");
    assert_eq!(physics.world().len(), 0);
    let smooth = E::unit_box().with_friction(0.0).with_restitution(1.0);
    assert!(physics.world_mut().create(&smooth, 0).is_ok());
}

fn frames_of_any_length_run<E: TestEngine<Motion: Default>>() {
    let mut physics = system::<E>(-10.0);
    let key = physics.world_mut().create(&E::unit_box(), 0).unwrap();
    physics.update(Duration::MAX, |_, _| {}).unwrap();
    assert_eq!(
        physics.frame().lost().clamped,
        Duration::MAX - FixedTimestep::DEFAULT_MAX_DELTA
    );
    let tick = physics.timestep().tick();
    physics.update(Duration::ZERO, |_, _| {}).unwrap();
    assert_eq!(physics.timestep().tick(), tick);
    let bits = |physics: &mut crate::common::System<E>, alpha| {
        let mut poses = physics.poses_at(alpha).map(|body| format!("{:?}", body.pose));
        poses.next()
    };
    for (alpha, same) in [
        (f64::NAN, 0.0),
        (f64::NEG_INFINITY, 0.0),
        (-1.0, 0.0),
        (2.0, 1.0),
        (f64::INFINITY, 1.0),
    ] {
        assert_eq!(bits(&mut physics, alpha), bits(&mut physics, same), "{alpha}");
    }
    assert!(physics.pose(key).is_ok());
}

/// The pose of a ball after ten steps in a wind, without gravity, from `x` = 2 at 1 m/s upwards.
fn blown(wind: Option<Wind<[f32; 2]>>) -> Pose2 {
    let mut physics = system::<Rapier2d>(0.0);
    let ball = BodyDef::new(Shape::Ball(0.1)).at(Rapier2d::pose(2.0, 0.0));
    let body = physics.world_mut().create(&ball, 0).unwrap();
    physics.world_mut().set_velocity(body, [0.0, 1.0]).unwrap();
    if let Some(wind) = wind {
        physics.attach(wind, &[body]);
    }
    for _ in 0..10 {
        physics.update(frames("60"), |_, _| {}).unwrap();
    }
    physics.world().motion(body).unwrap().pose
}

#[test]
fn a_wind_whose_settings_are_out_of_range_leaves_bodies_alone() {
    let alone = blown(None);
    for number in NOT_FINITE {
        assert_eq!(blown(Some(Wind::new([number, 0.0], 1.0))), alone, "{number}");
        assert_eq!(blown(Some(Wind::new([9.0, 0.0], number))), alone, "{number}");
    }
    assert_eq!(blown(Some(Wind::new([9.0, 0.0], -1.0))), alone);
    assert_ne!(blown(Some(Wind::new([9.0, 0.0], 1.0))), alone);
}

#[test]
fn the_largest_drag_is_finite() {
    let mut physics = system::<Rapier2d>(0.0);
    let body = physics.world_mut().create(&Rapier2d::unit_box(), 0).unwrap();
    let most = Drag::new([f32::MAX, 0.0], f32::MAX, f32::MAX);
    physics.world_mut().apply_drag(body, most).unwrap();
    physics.world_mut().apply_drag(body, most).unwrap();
    let far = Wrench::linear([f32::MAX, f32::MAX]);
    physics.world_mut().apply_force_for_frame(body, far).unwrap();
    physics.update(frames("60"), |_, _| {}).unwrap();
    assert_eq!(physics.timestep().tick(), 1);
    assert_eq!(
        Drag::new([0.0; 2], 0.0, 0.0).force([f32::MAX, 0.0], f32::MAX),
        [0.0, 0.0]
    );
    assert_eq!(
        Drag::new([0.0; 2], f32::MAX, 0.0).force([3.0, 0.0], 0.0),
        [0.0, 0.0],
        "nothing can move it"
    );
}

#[test]
fn steps_at_the_highest_and_the_lowest_rate_run() {
    for rate in [Rate::hz(u32::MAX), Rate::new(1, u32::MAX).unwrap()] {
        let timestep = FixedTimestep::new(rate).with_max_delta(Duration::MAX).with_max_steps(2);
        let mut physics = PhysicsSystem::<Rapier2d, u32>::new(Rapier2d::new([0.0, -10.0]), timestep);
        let body = physics.world_mut().create(&Rapier2d::unit_box(), 0).unwrap();
        let period = Duration::from_secs_f64(rate.period_secs_f64().max(1e-9));
        physics.update(period, |_, _| {}).unwrap();
        physics.update(period, |_, _| {}).unwrap();
        assert!(physics.timestep().tick() >= 2, "{rate}");
        let _reported = physics.world_mut().take_non_finite();
        assert!(physics.pose(body).is_ok());
    }
}

#[test]
fn systems_without_thread_affinity_can_be_sent_to_another_thread() {
    fn both<T: Send + Sync>() {}
    both::<PhysicsSystem<Rapier2d, u32>>();
    both::<PhysicsSystem<Rapier3d, u32>>();
    both::<World<Rapier3d, u32>>();
    both::<SavedSystem<Rapier2d, u32>>();
    both::<BodyDef<evenstep::poses::Motion2>>();
    both::<PhysicsError>();
}
