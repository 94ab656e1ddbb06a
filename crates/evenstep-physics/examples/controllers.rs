//! How to write a controller: a force by a law, and a controller with a state of its own, which is saved and restored with the system.
//!
//! `cargo run -p evenstep-physics --features box2d --example controllers`

use std::collections::BTreeMap;
use std::time::Duration;

use evenstep::poses::{Motion2, Pose2, Rot2};
use evenstep::{FixedTimestep, Rate, Smoothing, Step, Vector as _};
use evenstep_physics::controller::Controller;
use evenstep_physics::engine::{BodyMotion as _, PhysicsVector, VectorOf};
use evenstep_physics::{BodyDef, BodyKey, Box2d, Engine, PhysicsError, PhysicsSystem, Shape, World, Wrench};

/// Attraction to a point by the inverse square of the distance: `F = strength / max(r, softening)²`.
#[derive(Clone, Debug)]
pub(crate) struct Attraction<V> {
    /// The position of the attractor.
    pub(crate) point: V,
    /// The strength in N·m² (`G·M·m` for gravity).
    pub(crate) strength: f32,
    /// The distance in m within which the force is constant, so that it stays finite.
    pub(crate) softening: f32,
}

impl<E: Engine, U> Controller<E, U> for Attraction<VectorOf<E>> {
    fn control(&mut self, world: &mut World<E, U>, body: BodyKey, _: &Step) {
        let Ok(center) = world.center_of_mass(body) else { return };
        let towards = self.point.plus(center, -1.0);
        if let Some(direction) = direction(towards) {
            let distance = f64::from(towards.length().max(self.softening));
            let force = direction.times(f64::from(self.strength) / (distance * distance));
            // The world refuses a force that is not finite, and nothing acts.
            let _ = world.apply_force(body, Wrench::linear(force));
        }
    }
}

/// Steers missiles at a target by proportional navigation, at constant speed: the velocity turns `gain` times as fast as the line of sight,
/// which leads a moving target. A gain of 3 to 5 is usual (P. Zarchan, *Tactical and Strategic Missile Guidance*).
#[derive(Clone, Debug)]
pub(crate) struct Missile<V> {
    /// The target.
    pub(crate) target: BodyKey,
    /// The navigation constant.
    pub(crate) gain: f32,
    /// The fastest turn in radians per second.
    pub(crate) turn_rate: f32,
    /// The line of sight of each missile in the last step.
    pub(crate) lines_of_sight: BTreeMap<BodyKey, V>,
}

impl<E: Engine, U> Controller<E, U> for Missile<VectorOf<E>> {
    fn control(&mut self, world: &mut World<E, U>, body: BodyKey, step: &Step) {
        let (Ok(motion), Ok(from), Ok(to)) = (
            world.motion(body),
            world.center_of_mass(body),
            world.center_of_mass(self.target),
        ) else {
            return;
        };
        let velocity = motion.velocity();
        let (Some(heading), Some(sight)) = (direction(velocity), direction(to.plus(from, -1.0))) else {
            return;
        };
        self.lines_of_sight.retain(|missile, _| world.contains(*missile));
        let last = self.lines_of_sight.insert(body, sight).unwrap_or(sight);
        // The rotation of the line of sight since the last step, perpendicular to the heading.
        let turn = sight.plus(last, -1.0);
        let across = turn.plus(heading, -f64::from(turn.dot(&heading)));
        if let Some(side) = direction(across) {
            let angle = (self.gain * across.length()).min(self.turn_rate * step.dt_f32());
            let (sin, cos) = libm::sincosf(angle);
            let turned = heading.times(f64::from(cos)).plus(side, f64::from(sin));
            let _ = world.set_velocity(body, turned.times(f64::from(velocity.length())));
        }
    }
}

fn direction<V: PhysicsVector>(vector: V) -> Option<V> {
    let length = vector.length();
    (length > 0.0).then(|| vector.times(1.0 / f64::from(length)))
}

/// A missile steers at a target that orbits a star.
fn main() -> Result<(), PhysicsError> {
    let mut physics = PhysicsSystem::new(Box2d::new([0.0; 2])?, FixedTimestep::new(Rate::hz(120)));
    let [target, missile] = [([0.0, 40.0], [15.0, 0.0]), ([-20.0, -20.0], [0.0, 25.0])].map(|(position, velocity)| {
        let pose = Pose2::new(position, Rot2::IDENTITY);
        let motion = Motion2::at(pose).with_velocity(velocity);
        physics
            .world_mut()
            .create(&BodyDef::new(Shape::Ball(0.1)).moving(motion), ())
    });
    let (target, missile) = (target?, missile?);
    let steering = Missile {
        target,
        gain: 4.0,
        turn_rate: 2.0,
        lines_of_sight: BTreeMap::new(),
    };
    physics.attach(steering, &[missile]);
    // The centripetal force of a ball of this mass at 15 m/s on a circle of 20 m.
    let mass = std::f32::consts::PI * 0.1 * 0.1;
    let star = Attraction {
        point: [0.0, 20.0],
        strength: mass * 15.0 * 15.0 * 20.0,
        softening: 0.1,
    };
    physics.attach(star, &[target]);
    for _ in 0..30 {
        physics.update(Duration::from_millis(100), |_, _| {})?;
        let [from, to] = [physics.pose(missile)?.position, physics.pose(target)?.position];
        println!(
            "{:4.1} s  {:5.1} m",
            physics.frame().shown_time(Smoothing::Interpolate).as_secs_f64(),
            to.plus(from, -1.0).length()
        );
    }
    Ok(())
}
