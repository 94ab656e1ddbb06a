//! Random sequences of every public call of `PhysicsSystem` and `World`, on every engine and on a fake engine
//! with injected faults, compared with a reference model.

mod calls;
mod reference;
mod subject;

use std::collections::HashSet;
use std::time::Duration;

use crate::common::{System, frames, system};
use crate::coverage::Calls;
use evenstep::{FixedTimestep, SimTime, Smoothing, Step};
use evenstep_physics::controller::ControllerKey;
use evenstep_physics::engine::{BodyMotion, PoseOf};
use evenstep_physics::{BodyKey, Contact, Drag, PhysicsError, SavedSystem, StepHandler, World, Wrench};
use proptest::test_runner::{Config, TestRunner};
use reference::{Act, Life, Reference, any_call};
use subject::Subject;

static CALLS: Calls = Calls::new();

struct Machine<E: Subject> {
    physics: System<E>,
    /// The keys by index of the body in the reference model.
    keys: Vec<BodyKey>,
    controllers: Vec<ControllerKey>,
    saved: Option<(SavedSystem<E, u32>, Digest)>,
    drawn: SimTime,
}

/// The observable state of a system.
#[derive(Clone, Debug, PartialEq)]
struct Digest {
    hash: u64,
    timestep: FixedTimestep,
    bodies: Vec<(BodyKey, u32, Vec<u32>)>,
}

fn bits<E: Subject>(pose: PoseOf<E>) -> Vec<u32> {
    E::Motion::at(pose).components().map(f32::to_bits).collect()
}

/// A game that checks its inputs, and fails in a step when it is told to.
struct Watch {
    fails: bool,
    tick: Option<u64>,
}

impl<E: Subject> StepHandler<E, u32> for Watch {
    type Error = PhysicsError;

    fn step(&mut self, _: &mut World<E, u32>, step: &Step) -> Result<(), PhysicsError> {
        assert_ne!(
            self.tick.replace(step.tick),
            Some(step.tick),
            "a tick is run once a frame"
        );
        if self.fails {
            Err(PhysicsError::ForeignState)
        } else {
            Ok(())
        }
    }

    fn contact(&mut self, world: &mut World<E, u32>, contact: &Contact<E>) -> Result<(), PhysicsError> {
        assert!(contact.keys().into_iter().flatten().all(|key| world.contains(key)));
        Ok(())
    }
}

impl<E: Subject> Machine<E> {
    fn key(&self, body: usize) -> BodyKey {
        self.keys[body % self.keys.len()]
    }

    fn digest(&mut self) -> Digest {
        let physics = &mut self.physics;
        let bodies = call!(physics.poses()).map(|body| (body.key, *body.data, bits::<E>(body.pose)));
        let bodies = bodies.collect();
        Digest {
            hash: call!(physics.hash()),
            timestep: call!(physics.timestep()).clone(),
            bodies,
        }
    }

    /// Makes one call on a body. Returns whether it was accepted.
    fn act(world: &mut World<E, u32>, key: BodyKey, act: Act, value: f32) -> Result<(), PhysicsError> {
        let wrench = Wrench::linear(E::vector(value, 1.0));
        match act {
            Act::ForceForFrame => call!(world.apply_force_for_frame(key, wrench)),
            Act::Force => call!(world.apply_force(key, wrench)),
            Act::Impulse => call!(world.apply_impulse(key, wrench)),
            Act::Constant => call!(world.set_constant_force(key, wrench)),
            Act::Drag => {
                let (medium, linear) = (E::vector(value, 0.0), value.abs());
                call!(world.apply_drag(key, Drag::new(medium, linear, linear)))
            }
            Act::AtPoint => call!(world.at_point(key, E::vector(value, 0.0), E::vector(1.0, value))).map(|_| ()),
            Act::SetPrevious => call!(world.set_previous(key, E::pose(value, 2.0))),
            Act::Teleport => call!(world.teleport(key, E::Motion::at(E::pose(value, 3.0)))),
            Act::Velocity => call!(world.set_velocity(key, E::vector(value, 0.0))),
            Act::GravityScale => call!(world.set_gravity_scale(key, value)),
            Act::MoveTo => call!(world.move_to(key, E::pose(value, 0.0))),
        }
    }

    fn check_act(&mut self, body: usize, act: Act, value: f32, reference: &Reference) {
        let key = self.key(body);
        let known = reference.body(body);
        let before = self.digest();
        let accepted = Self::act(self.physics.world_mut(), key, act, value);
        let is_right_kind = act != Act::MoveTo || known.is_kinematic;
        let expected = known.life == Life::Alive && value.is_finite() && is_right_kind;
        assert_eq!(accepted.is_ok(), expected, "{act:?} {accepted:?}");
        if accepted.is_err() {
            assert_eq!(self.digest(), before, "an error changes nothing");
        }
    }

    fn update(&mut self, millis: u64, way: u8, fails: bool) {
        let (delta, before) = (Duration::from_millis(millis), self.digest());
        let tick = self.physics.timestep().tick();
        let mut watch = Watch { fails, tick: None };
        let physics = &mut self.physics;
        let ran = match way {
            0 => call!(physics.update(delta, |_, _| {})).map(|frame| {
                assert_eq!(
                    (frame.tick(), frame.alpha()),
                    (physics.frame().tick(), physics.frame().alpha())
                );
            }),
            1 => {
                let frame = call!(physics.advance(delta));
                call!(physics.run(frame, &mut watch))
            }
            2 => {
                let step = Step::new(tick, physics.timestep().rate());
                let ran = call!(physics.run_step(&step, &mut watch));
                physics.timestep_mut().step_once();
                ran
            }
            _ => {
                let frame = call!(physics.advance(delta));
                let frame = call!(physics.timestep_mut()).give_back(frame, u32::from(way - 3));
                let ran = call!(physics.run(frame, &mut watch));
                assert_eq!(call!(physics.run(frame, &mut watch)), Err(PhysicsError::ForeignFrame));
                ran
            }
        };
        if ran.is_err() && self.physics.timestep().tick() == tick {
            let after = self.digest();
            assert_eq!(after.hash, before.hash, "a refused step leaves bodies where they are");
        }
        let physics = &self.physics;
        let drawn = call!(physics.frame()).shown_time(Smoothing::Interpolate);
        assert!(
            drawn >= self.drawn,
            "the drawn state went back from {:?} to {drawn:?}",
            self.drawn
        );
        self.drawn = drawn;
    }

    fn save(&mut self) {
        let digest = self.digest();
        let physics = &self.physics;
        self.saved = Some(match self.saved.take() {
            Some((mut saved, _)) => {
                call!(physics.save_into(&mut saved)).unwrap();
                (saved, digest)
            }
            None => (call!(physics.save()).unwrap(), digest),
        });
    }

    /// Checks that a restored state equals the saved one, and that it continues twice in the same way.
    fn restore(&mut self) {
        let Some((saved, digest)) = self.saved.take() else {
            return;
        };
        let futures = [0, 1].map(|_| {
            let physics = &mut self.physics;
            call!(physics.restore(&saved)).unwrap();
            assert_eq!(self.digest(), digest, "a restored state equals the saved one");
            (0..8)
                .map(|_| (self.run_quietly(), self.physics.hash()).1)
                .collect::<Vec<u64>>()
        });
        assert_eq!(futures[0], futures[1]);
        self.physics.restore(&saved).unwrap();
        self.drawn = self.physics.frame().shown_time(Smoothing::Interpolate);
        self.saved = Some((saved, digest));
        let mut other = system::<E>(0.0);
        assert_eq!(
            other.restore(&self.saved.as_ref().unwrap().0),
            Err(PhysicsError::ForeignState)
        );
    }

    fn run_quietly(&mut self) {
        self.physics.update(frames("75"), |_, _| {}).unwrap();
    }

    fn read(&mut self, body: usize, reference: &Reference) {
        let (key, known) = (self.key(body), reference.body(body));
        let expected = (known.life == Life::Alive).then_some(known.data);
        let world = self.physics.world_mut();
        assert_eq!(call!(world.contains(key)), expected.is_some());
        assert_eq!(call!(world.data(key)).ok().copied(), expected);
        assert_eq!(call!(world.data_mut(key)).ok().copied(), expected);
        assert_eq!(call!(world.motion(key)).is_ok(), expected.is_some());
        assert_eq!(call!(world.handle(key)).is_ok(), expected.is_some());
        assert_eq!(call!(world.center_of_mass(key)).is_ok(), expected.is_some());
        let _ = call!(world.engine());
        let physics = &mut self.physics;
        assert_eq!(call!(physics.pose(key)).is_ok(), expected.is_some());
        for alpha in [0.0, 0.3, 1.0] {
            let drawn: Vec<_> = call!(physics.poses_at(alpha))
                .map(|body| bits::<E>(body.pose))
                .collect();
            assert!(drawn.iter().flatten().all(|bits| f32::from_bits(*bits).is_finite()));
        }
    }

    /// Checks that keys, data and drawn poses are those of the live bodies.
    fn check(&mut self, reference: &Reference) {
        let physics = &mut self.physics;
        let alive: Vec<(BodyKey, u32)> = {
            let bodies = self.keys.iter().zip(&reference.bodies);
            let alive = bodies.filter(|(_, body)| body.life == Life::Alive);
            alive.map(|(key, body)| (*key, body.data)).collect()
        };
        let world = call!(physics.world());
        assert_eq!(call!(world.len()), alive.len());
        assert_eq!(call!(world.is_empty()), alive.is_empty());
        let keys: HashSet<BodyKey> = call!(world.keys()).collect();
        assert_eq!(keys, alive.iter().map(|(key, _)| *key).collect());
        for (key, data, pose) in call!(world.iter()) {
            assert!(alive.contains(&(key, *data)));
            assert_eq!(world.motion(key).map(|motion| motion.pose()), Ok(pose));
        }
        let drawn: Vec<(BodyKey, PoseOf<E>)> = physics.poses().map(|body| (body.key, body.pose)).collect();
        assert!(drawn.iter().all(|(key, pose)| physics.pose(*key).as_ref() == Ok(pose)));
        assert_eq!(drawn.into_iter().map(|(key, _)| key).collect::<HashSet<_>>(), keys);
    }
}

/// Runs as many scripts as `PROPTEST_CASES` says, or `scripts`. A failure shrinks to a short script.
fn run<E: Subject>(scripts: u32) {
    let cases = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok());
    let config = Config {
        cases: cases.unwrap_or(scripts),
        failure_persistence: None,
        ..Config::default()
    };
    let scripts = proptest::collection::vec(any_call(), 1..60);
    let ran = TestRunner::new(config).run(&scripts, |calls| {
        let (mut machine, mut reference) = (Machine::<E>::new(), Reference::new());
        for call in calls {
            reference.apply(&call);
            machine.apply(&reference, call);
        }
        Ok(())
    });
    ran.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn every_call_satisfies_its_contract_on_every_engine() {
    run::<crate::fake_engine::FakeEngine>(100);
    run::<evenstep_physics::Box2d>(30);
    #[cfg(feature = "rapier2d")]
    run::<evenstep_physics::Rapier2d>(30);
    #[cfg(feature = "rapier3d")]
    run::<evenstep_physics::Rapier3d>(30);
    CALLS.assert_complete(
        "PhysicsSystem",
        &[
            include_str!("../../src/system.rs"),
            include_str!("../../src/system/saved.rs"),
        ],
        &[],
    );
    CALLS.assert_complete(
        "World",
        &[
            include_str!("../../src/world.rs"),
            include_str!("../../src/world/commands.rs"),
            include_str!("../../src/world/bodies.rs"),
        ],
        &[],
    );
}
