//! Bodies whose shapes are off-centre: forces act at the centre of mass.

use crate::common::{TestEngine, run, system};
use crate::stepped::{check, spin_of};
use evenstep::Vector as _;
use evenstep_physics::controller::Buoyancy;
use evenstep_physics::engine::{BodyMotion, PhysicsVector};
use evenstep_physics::{BodyKey, Box2d, PhysicsSystem, Shape, Wrench};

for_every_engine! {
    a_force_at_the_centre_of_mass_turns_nothing
    a_spin_about_the_centre_of_mass_is_drawn_about_it
    an_impulse_before_the_first_step_uses_the_final_mass_and_centre_of_mass
}

/// A body of two boxes, one at its origin and one beside it.
fn lopsided<E: TestEngine>(physics: &mut PhysicsSystem<E, u32>, at: (f32, f32), aside: (f32, f32)) -> BodyKey {
    let engine = physics.world_mut().engine_mut();
    let handle = engine.native_body(at.0, at.1);
    engine.native_box(Some(handle), 0.0, 0.0, false);
    engine.native_box(Some(handle), aside.0, aside.1, false);
    physics.world_mut().adopt(handle, 0).unwrap()
}

fn a_force_at_the_centre_of_mass_turns_nothing<E: TestEngine<Motion: Default>>() {
    let any = ((-2.0..2.0_f32, -2.0..2.0_f32), (-9.0..9.0_f32, -9.0..9.0_f32));
    check(12, &any, |(aside, push)| {
        let mut physics = system::<E>(0.0);
        let body = lopsided(&mut physics, (3.0, 4.0), aside);
        let center = physics.world().center_of_mass(body).unwrap();
        let expected = E::vector(3.0 + 0.5 * aside.0, 4.0 + 0.5 * aside.1);
        assert!(
            center.plus(expected, -1.0).length() < 1e-5,
            "{center:?} instead of {expected:?}"
        );
        let world = physics.world_mut();
        let force = world.at_point(body, E::vector(push.0, push.1), center).unwrap();
        world.apply_force(body, force).unwrap();
        world.apply_impulse(body, force).unwrap();
        run(&mut physics, 1);
        let motion = physics.world().motion(body).unwrap();
        assert!(spin_of(&motion).abs() < 1e-4);
        let share = (1.0 + 1.0 / 60.0) / 2.0;
        let expected = E::vector(share * push.0, share * push.1);
        assert!(
            motion.velocity().plus(expected, -1.0).length() < 1e-3,
            "{motion:?} by {expected:?}"
        );
    });
}

fn an_impulse_before_the_first_step_uses_the_final_mass_and_centre_of_mass<E: TestEngine<Motion: Default>>() {
    let mut physics = system::<E>(0.0);
    // A mass of 2 kg that belongs to no shape.
    let handle = physics.world_mut().engine_mut().native_point_mass(1.0, 2.0, true);
    let body = physics.world_mut().adopt(handle, 0).unwrap();
    physics
        .world_mut()
        .apply_impulse(body, Wrench::linear(E::vector(4.0, 0.0)))
        .unwrap();
    run(&mut physics, 1);
    let speed = physics.world().motion(body).unwrap().velocity().components()[0];
    assert!((speed - 2.0).abs() < 1e-4, "{speed}");
}

/// Checks where a body that flies freely and spins is drawn between two steps: its centre of mass is on a straight line.
fn a_spin_about_the_centre_of_mass_is_drawn_about_it<E: TestEngine<Motion: Default>>() {
    use evenstep::Smoothing;
    let mut physics = system::<E>(0.0);
    let body = lopsided(&mut physics, (0.0, 0.0), (2.0, 0.0));
    physics.world_mut().set_smoothing(body, Smoothing::Hermite).unwrap();
    // About an inertia of 2/6 + 2 kg·m².
    let turn = E::Motion::torque(E::vector(1.0, 0.0), E::vector(0.0, 6.0 * (2.0 / 6.0 + 2.0)));
    physics.world_mut().apply_impulse(body, Wrench::angular(turn)).unwrap();
    // Before the first step the body does not spin yet.
    run(&mut physics, 1);
    for _ in 0..60 {
        run(&mut physics, 1);
        for alpha in [0.25, 0.5, 0.75] {
            let drawn = physics.poses_at(alpha).find(|drawn| drawn.key == body).unwrap().pose;
            let from_center = E::Motion::at(drawn).position().plus(E::vector(1.0, 0.0), -1.0);
            // A chord instead of the curve would be off by (6 / 60)² / 8 m, and the velocity of another point would be off by more.
            assert!((from_center.length() - 1.0).abs() < 1e-4, "{drawn:?} at {alpha}");
        }
    }
}

/// A hull at the origin, half submerged, that forms a body together with a heavy box beside it.
fn lift_turns_a_body_about_its_centre_of_mass<E>()
where
    E: TestEngine<Motion = evenstep::poses::Motion2>,
{
    let any = ((-2.0..2.0_f32, -2.0..2.0_f32), -0.4..0.4_f32);
    check(12, &any, |(aside, height)| {
        let mut physics = system::<E>(0.0);
        let body = lopsided(&mut physics, (0.0, height), aside);
        let shape = Shape::Box([0.5, 0.5]);
        physics.attach(Buoyancy::new(shape, 0.0).with_density(1.0).with_gravity(10.0), &[body]);
        let mut other = system::<E>(0.0);
        let pushed = lopsided(&mut other, (0.0, height), aside);
        let depth = 0.5 - height;
        let lift = other
            .world()
            .at_point(pushed, [0.0, 10.0 * depth], [0.0, -0.5 + 0.5 * depth - height])
            .unwrap();
        assert!((lift.angular + 0.5 * aside.0 * 10.0 * depth).abs() < 1e-4);
        other.world_mut().apply_force(pushed, lift).unwrap();
        run(&mut physics, 1);
        run(&mut other, 1);
        let (motion, expected) = (
            physics.world().motion(body).unwrap(),
            other.world().motion(pushed).unwrap(),
        );
        assert!(
            (motion.angular_velocity - expected.angular_velocity).abs() < 1e-5,
            "{motion:?} {expected:?}"
        );
        assert!(motion.velocity.plus(expected.velocity, -1.0).length() < 1e-5);
    });
}

#[test]
fn lift_turns_a_body_about_its_centre_of_mass_on_every_engine_of_the_plane() {
    lift_turns_a_body_about_its_centre_of_mass::<Box2d>();
    #[cfg(feature = "rapier2d")]
    lift_turns_a_body_about_its_centre_of_mass::<evenstep_physics::Rapier2d>();
}
