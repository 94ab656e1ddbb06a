//! Drag of any strength on bodies of any mass, at any rate, on every engine.

use crate::common::{self, TestEngine, frames, system, y};
use crate::stepped::{Stepped, any_rate, any_size, any_velocity, check, spin_of};
use evenstep::Step;
use evenstep::Vector as _;
use evenstep_physics::controller::{Buoyancy, Wind};
use evenstep_physics::engine::{BodyMotion, PhysicsVector, VectorOf};
use evenstep_physics::{BodyDef, BodyKey, BodyKind, Box2d, Drag, PhysicsError, Shape, World, Wrench};

for_every_engine! {
    wind_never_carries_a_body_beyond_its_own_speed_and_slows_it_as_the_closed_form_says
    drag_ends_a_step_at_the_velocity_that_it_resists
    drag_never_reverses_a_spin
    drag_beside_the_engines_own_damping_reverses_nothing
    still_air_lets_bodies_sleep_and_moving_air_wakes_them
    drag_does_not_affect_immovable_bodies
    invalid_drag_is_rejected
}

fn wind_never_carries_a_body_beyond_its_own_speed_and_slows_it_as_the_closed_form_says<E: TestEngine<Motion: Default>>()
where
    Wind<VectorOf<E>>: evenstep_physics::controller::Controller<E, ()> + 'static,
{
    let any = (any_size(), any_size(), any_rate(), any_velocity(), any_velocity());
    check(25, &any, |(mass, drag, rate, velocity, wind)| {
        let mut stepped = Stepped::<E>::new(0.0, rate);
        let body = stepped.body(mass, E::vector(velocity.0, velocity.1));
        let velocity = E::vector(wind.0, wind.1);
        let wind = Wind::new(velocity, drag);
        stepped.physics.attach(wind, &[body]);
        let against = |motion: E::Motion| velocity.plus(motion.velocity(), -1.0);
        let first = against(stepped.motion(body));
        for steps in 1..=10 {
            stepped.step(|_| {});
            let time = steps as f32 / rate as f32;
            // m·w′ = −k·w², so w = w₀ / (1 + w₀·k·t / m).
            let expected = first.times(f64::from(1.0 / (1.0 + first.length() * drag * time / mass)));
            let now = against(stepped.motion(body));
            let off = now.plus(expected, -1.0).length();
            assert!(off < 1e-3 * (1.0 + first.length()), "{now:?} instead of {expected:?}");
        }
    });
}

fn drag_ends_a_step_at_the_velocity_that_it_resists<E: TestEngine<Motion: Default>>() {
    let any = (
        any_size(),
        [any_size(), any_size()],
        any_rate(),
        any_velocity(),
        [any_velocity(), any_velocity()],
    );
    check(25, &any, |(mass, resistance, rate, velocity, media)| {
        let gravity = E::vector(0.0, -10.0);
        let mut stepped = Stepped::<E>::new(-10.0, rate);
        let body = stepped.body(mass, E::vector(velocity.0, velocity.1));
        let media = media.map(|(x, y)| E::vector(x, y));
        let (push, kick) = (E::vector(2.0 * mass, mass), E::vector(-mass, 3.0 * mass));
        for _ in 0..3 {
            let before = stepped.motion(body).velocity();
            stepped.step(|world| {
                for (linear, medium) in resistance.into_iter().zip(media) {
                    let angular = 0.0;
                    world.apply_drag(body, Drag::new(medium, linear, angular)).unwrap();
                }
                world.apply_force(body, Wrench::linear(push)).unwrap();
                world.apply_impulse(body, Wrench::linear(kick)).unwrap();
            });
            // v′ = v + (J + F·dt + Σ k·(u − v′)·dt) / m + g·dt.
            let dt = 1.0 / f64::from(rate);
            let by = resistance.map(|one| f64::from(one) * dt / f64::from(mass));
            let free = before
                .plus(kick, 1.0 / f64::from(mass))
                .plus(push, dt / f64::from(mass))
                .plus(gravity, dt);
            let driven = free.plus(media[0], by[0]).plus(media[1], by[1]);
            let expected = driven.times(1.0 / (1.0 + by[0] + by[1]));
            let now = stepped.motion(body).velocity();
            let off = now.plus(expected, -1.0).length();
            assert!(off < 1e-3 * (1.0 + free.length()), "{now:?} instead of {expected:?}");
        }
    });
}

fn drag_never_reverses_a_spin<E: TestEngine<Motion: Default>>() {
    let any = (any_size(), any_size(), any_rate(), -20.0..20.0_f32, -20.0..20.0_f32);
    check(25, &any, |(mass, angular, rate, spin, push)| {
        let mut stepped = Stepped::<E>::new(0.0, rate);
        let body = stepped.body(mass, E::vector(0.0, 0.0));
        let inertia = mass / 6.0;
        let turn = |by: f32| Wrench::angular(E::Motion::torque(E::vector(1.0, 0.0), E::vector(0.0, inertia * by)));
        stepped.physics.world_mut().apply_impulse(body, turn(spin)).unwrap();
        // No engine turns a body by more than 45° in a step.
        let most = std::f32::consts::FRAC_PI_4 * rate as f32;
        let is_fast = spin.abs() + 5.0 * push.abs() / rate as f32 > most;
        let push = if is_fast { 0.0 } else { push };
        let mut expected = spin;
        for _ in 0..5 {
            stepped.step(|world| {
                let (medium, linear) = (E::vector(0.0, 0.0), 0.0);
                world.apply_drag(body, Drag::new(medium, linear, angular)).unwrap();
                world.apply_force(body, turn(push)).unwrap();
            });
            if stepped.is_asleep(body) {
                break;
            }
            expected = (expected.clamp(-most, most) + push / rate as f32) / (1.0 + angular / inertia / rate as f32);
            let now = spin_of(&stepped.motion(body));
            if spin.abs() > most {
                assert!(now * spin > -1e-3 && now.abs() <= most + 1e-3, "{now} of {spin}");
                expected = now;
            }
            let off = (now - expected).abs();
            assert!(off < 1e-3 * (1.0 + spin.abs()), "{now} instead of {expected}");
        }
    });
}

fn drag_beside_the_engines_own_damping_reverses_nothing<E: TestEngine<Motion: Default>>() {
    let any = (
        any_size(),
        [any_size(), any_size()],
        [any_size(), any_size()],
        any_rate(),
        any_velocity(),
        any_velocity(),
    );
    check(25, &any, |(mass, [linear, angular], own, rate, velocity, spin)| {
        let velocity = E::vector(velocity.0, velocity.1);
        let turn = E::Motion::torque(E::vector(1.0, 0.0), E::vector(0.0, mass * spin.0));
        let spinning = || {
            let mut stepped = Stepped::<E>::new(0.0, rate);
            let body = stepped.body(mass, velocity);
            let handle = stepped.physics.world().handle(body).unwrap();
            let world = stepped.physics.world_mut();
            world.engine_mut().native_damping(handle, own[0], own[1]);
            world.apply_impulse(body, Wrench::angular(turn)).unwrap();
            (stepped, body)
        };
        // In the other, the force of the drag acts instead.
        let ((mut stepped, body), (mut other, pushed)) = (spinning(), spinning());
        let mut before = (velocity, 6.0 * spin.0);
        for _ in 0..5 {
            stepped.step(|world| {
                let medium = E::vector(0.0, 0.0);
                world.apply_drag(body, Drag::new(medium, linear, angular)).unwrap();
            });
            if stepped.is_asleep(body) {
                break;
            }
            let motion = stepped.motion(body);
            let now = (motion.velocity(), spin_of(&motion));
            assert!(
                now.0.dot(&before.0) > -1e-2 && now.0.length() <= before.0.length() + 1e-3,
                "{now:?} {before:?}"
            );
            assert!(
                now.1 * before.1 > -1e-2 && now.1.abs() <= before.1.abs() + 1e-3,
                "{now:?} {before:?}"
            );
            other.step(|world| {
                let force = Wrench {
                    linear: now.0.times(-f64::from(linear)),
                    angular: motion.angular_velocity().times(-f64::from(angular)),
                };
                world.apply_force(pushed, force).unwrap();
            });
            let by_force = other.motion(pushed);
            // The force of a strong drag magnifies the rounding error of the velocity from which it is computed.
            let is_weak = |gain: f32| gain / mass / (rate as f32) < 100.0;
            let off = by_force.velocity().plus(now.0, -1.0).length();
            assert!(
                !is_weak(linear) || off < 1e-3 * (1.0 + before.0.length()),
                "{now:?} by drag, {by_force:?} by its force"
            );
            // Engines limit faster spins, the one before the force and the one after it.
            let is_slow = before.1.abs() < std::f32::consts::FRAC_PI_4 * rate as f32;
            let off = (spin_of(&by_force) - now.1).abs();
            assert!(
                !(is_slow && is_weak(6.0 * angular)) || off < 1e-3 * (1.0 + before.1.abs()),
                "{now:?} by drag, {by_force:?} by its force"
            );
            other.physics.world_mut().teleport(pushed, motion).unwrap();
            before = now;
        }
    });
}

fn still_air_lets_bodies_sleep_and_moving_air_wakes_them<E: TestEngine<Motion: Default>>() {
    let (mut physics, keys) = common::heap::<E>(1);
    let handle = physics.world().handle(keys[0]).unwrap();
    let mut run = |count, wind: f32| {
        for _ in 0..count {
            let air = Drag::new(E::vector(wind, 0.0), 0.1, 0.1);
            physics
                .update(frames("60"), |world, _| world.apply_drag(keys[0], air).unwrap())
                .unwrap();
        }
        physics.world_mut().engine_mut().is_awake(handle)
    };
    assert!(!run(400, 0.0));
    assert!(run(2, 1.0));
}

fn drag_does_not_affect_immovable_bodies<E: TestEngine<Motion: Default>>() {
    let mut physics = system::<E>(0.0);
    let kinds = [BodyKind::Fixed, BodyKind::Kinematic];
    let mut keys: Vec<BodyKey> = Vec::new();
    for (place, kind) in (0..).zip(kinds) {
        let motion = E::Motion::at(E::pose(10.0 * place as f32, 0.0));
        let def = E::unit_box()
            .of_kind(kind)
            .moving(motion.with_velocity(E::vector(1.0, 0.0)));
        keys.push(physics.world_mut().create(&def, 0).unwrap());
    }
    let upright = physics.world_mut().engine_mut().native_point_mass(30.0, 0.0, true);
    keys.push(physics.world_mut().adopt(upright, 0).unwrap());
    let before: Vec<_> = keys
        .iter()
        .map(|key| physics.world().motion(*key).unwrap().velocity())
        .collect();
    let wind = Drag::new(E::vector(0.0, 5.0), 1e30, 1e30);
    for _ in 0..3 {
        let blow =
            |world: &mut World<E, u32>, _: &Step| keys.iter().for_each(|key| world.apply_drag(*key, wind).unwrap());
        physics.update(frames("60"), blow).unwrap();
    }
    for (key, before) in keys.iter().zip(before).take(2) {
        assert_eq!(physics.world().motion(*key).unwrap().velocity(), before);
    }
    // The body that is free to move but not to turn reaches the speed of the wind at once.
    let upright = physics.world().motion(keys[2]).unwrap();
    assert!(
        (upright.velocity().components()[1] - 5.0).abs() < 1e-3 && upright.is_finite(),
        "{upright:?}"
    );
    assert_eq!(physics.world_mut().take_non_finite(), []);
}

fn invalid_drag_is_rejected<E: TestEngine<Motion: Default>>() {
    let (mut physics, keys) = common::heap::<E>(1);
    let (still, world) = (E::vector(0.0, 0.0), physics.world_mut());
    for (medium, linear, angular, reason) in [
        (still, -1.0, 0.0, "negative"),
        (still, 0.0, -1e-30, "negative"),
        (still, f32::NAN, 0.0, "finite"),
        (still, 0.0, f32::INFINITY, "finite"),
        (E::vector(0.0, f32::NAN), 1.0, 0.0, "finite"),
    ] {
        let error = world
            .apply_drag(keys[0], Drag::new(medium, linear, angular))
            .unwrap_err();
        assert!(
            error.to_string().contains("drag") && error.to_string().contains(reason),
            "{error}"
        );
    }
    world.remove(keys[0]).unwrap();
    assert_eq!(
        world.apply_drag(keys[0], Drag::ZERO),
        Err(PhysicsError::StaleKey(keys[0]))
    );
}

/// Balls of any size and weight are released under water.
fn a_ball_under_water_rises_no_faster_than_its_drag_allows<E>()
where
    E: TestEngine<Motion = evenstep::poses::Motion2>,
{
    let any = (0.05..0.5_f32, any_size(), 500.0..5000.0_f32, any_rate(), 1.0..10.0_f32);
    check(15, &any, |(radius, density, drag, rate, depth)| {
        let mut stepped = Stepped::<E>::new(-10.0, rate);
        let def = BodyDef::new(Shape::Ball(radius))
            .with_density(density)
            .at(E::pose(0.0, -depth));
        let ball = stepped.physics.world_mut().create(&def, ()).unwrap();
        let water = Buoyancy::new(Shape::Ball(radius), 0.0)
            .with_gravity(10.0)
            .with_drag(drag);
        stepped.physics.attach(water, &[ball]);
        // The speed at which lift, weight and drag of a ball under water cancel out.
        let rise = (1000.0 - density) * 10.0 / drag;
        let (dt, mut fastest) = (1.0 / rate as f32, 0.0_f32);
        for _ in 0..rate.min(400) {
            stepped.step(|_| {});
            let motion = stepped.motion(ball);
            fastest = fastest.max(motion.velocity.length());
            let height = y(&motion);
            assert!(
                height < rise * dt + rise * rise / 20.0 + radius,
                "{height} m above the water"
            );
        }
        assert!(
            fastest < 1.01 * rise + 10.0 * dt + 0.01,
            "{fastest} instead of {rise} m/s"
        );
    });
}

#[test]
fn a_ball_under_water_rises_no_faster_than_its_drag_allows_on_every_2d_engine() {
    a_ball_under_water_rises_no_faster_than_its_drag_allows::<Box2d>();
    #[cfg(feature = "rapier2d")]
    a_ball_under_water_rises_no_faster_than_its_drag_allows::<evenstep_physics::Rapier2d>();
}

/// A spin about an axis that is not a principal axis, of a body with a different inertia about each axis.
#[cfg(feature = "rapier3d")]
#[test]
fn drag_in_space_slows_the_spin_about_each_axis_by_its_own_inertia() {
    use evenstep::poses::Motion3;
    use evenstep_physics::Rapier3d;
    check(25, &(any_size(), any_size(), any_rate()), |(mass, angular, rate)| {
        let mut stepped = Stepped::<Rapier3d>::new(0.0, rate);
        let def = BodyDef::<Motion3>::new(Shape::Box([0.1, 0.5, 1.0])).with_density(mass / 0.4);
        let motion = Motion3 {
            angular_velocity: [1.0, 2.0, 3.0],
            ..Motion3::default()
        };
        let body = stepped.physics.world_mut().create(&def.moving(motion), ()).unwrap();
        stepped.step(|world| {
            let (medium, linear) = ([0.0; 3], 0.0);
            world.apply_drag(body, Drag::new(medium, linear, angular)).unwrap();
        });
        let inertia = [1.25, 1.01, 0.26].map(|squares| mass / 3.0 * squares);
        let expected: [f32; 3] =
            std::array::from_fn(|axis| motion.angular_velocity[axis] / (1.0 + angular / inertia[axis] / rate as f32));
        let now = stepped.motion(body).angular_velocity;
        // The body also turns about its own axes, by more the longer the step is.
        let off = now.plus(expected, -1.0).length();
        assert!(off < 1e-3 + 8.0 / rate as f32, "{now:?} instead of {expected:?}");
    });
}
