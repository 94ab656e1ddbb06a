//! Carries out each call and checks its result.

use evenstep::{FixedTimestep, SimTime};
use evenstep_physics::controller::Wind;
use evenstep_physics::engine::{BodyMotion, PhysicsVector};
use evenstep_physics::{BodyKind, PhysicsSystem, World};

use super::reference::{Call, Life, Reference};
use super::subject::Subject;
use super::{CALLS, Machine, bits};
use crate::common::{self, System};

impl<E: Subject> Machine<E> {
    pub(crate) fn new() -> Self {
        let timestep = FixedTimestep::new(common::RATE);
        let mut machine = Self {
            physics: call!(PhysicsSystem::new(E::fresh(-10.0), timestep)),
            keys: Vec::new(),
            controllers: Vec::new(),
            saved: None,
            drawn: SimTime::ZERO,
        };
        machine.create(0.0, false, 0);
        machine
    }

    fn create(&mut self, x: f32, is_kinematic: bool, data: u32) {
        let kind = if is_kinematic {
            BodyKind::Kinematic
        } else {
            BodyKind::Dynamic
        };
        let def = E::unit_box().of_kind(kind).at(E::pose(x, 2.0));
        let world = self.physics.world_mut();
        match call!(world.create(&def, data)) {
            Ok(key) => {
                assert!(x.is_finite() && !self.keys.contains(&key), "{key} was used before");
                self.keys.push(key);
            }
            Err(_) => assert!(!x.is_finite()),
        }
    }

    fn adopt(&mut self, x: f32, is_kinematic: bool, data: u32) {
        let world = self.physics.world_mut();
        let engine = call!(world.engine_mut());
        let handle = if is_kinematic {
            engine.native_lift(x, 6.0)
        } else {
            engine.native_body(x, 6.0)
        };
        engine.native_box(Some(handle), 0.0, 0.0, false);
        assert_eq!(call!(world.key(handle)), None);
        let key = call!(world.adopt(handle, data)).unwrap();
        assert_eq!((world.key(handle), call!(world.handle(key))), (Some(key), Ok(handle)));
        assert!(world.adopt(handle, data).is_err(), "not twice");
        assert!(!self.keys.contains(&key));
        self.keys.push(key);
    }

    /// A hinge of the engine's own between two bodies, if both still exist.
    fn hinge(&mut self, first: usize, second: usize) {
        let keys = [self.key(first), self.key(second)];
        let world = self.physics.world_mut();
        if let ([Ok(first), Ok(second)], true) = (keys.map(|key| world.handle(key)), keys[0] != keys[1]) {
            world.engine_mut().native_hinge(first, second, 1.0);
        }
    }

    /// A kinematic body reaches its target after one step.
    fn ride(&mut self, body: usize, by: f32, reference: &Reference) {
        let (key, known) = (self.key(body), reference.body(body));
        if known.life == Life::Gone || !known.is_kinematic {
            return;
        }
        let place = |physics: &System<E>| physics.world().motion(key).unwrap().position();
        let [from_x, from_y] = [0, 1].map(|axis| place(&self.physics).components()[axis]);
        let target = E::pose(from_x + by, from_y - by);
        let world = self.physics.world_mut();
        call!(world.move_to(key, target)).unwrap();
        self.update(0, 2, false);
        let now = place(&self.physics);
        let off = (now.components()[0] - from_x - by).abs() + (now.components()[1] - from_y + by).abs();
        assert!(
            off < 1e-3 * (1.0 + from_x.abs() + from_y.abs()),
            "{off} m from its target"
        );
    }

    pub(crate) fn apply(&mut self, reference: &Reference, call: Call) {
        let machine = self;
        match call {
            Call::Create(x, is_kinematic) => machine.create(x, is_kinematic, reference.last_data()),
            Call::Adopt(x, is_kinematic) => machine.adopt(x, is_kinematic, reference.last_data()),
            Call::Hinge(first, second) => machine.hinge(first, second),
            Call::Ride(body, by) => machine.ride(body, by, reference),
            Call::Remove(body) | Call::Release(body) => {
                let key = machine.key(body);
                let world = machine_world(&mut machine.physics);
                let removed = match call {
                    Call::Remove(_) => call!(world.remove(key)),
                    _ => call!(world.release(key)).map(|(_, data)| data),
                };
                let known = reference.body(body);
                assert_eq!(removed.ok(), known.left_now.then_some(known.data));
            }
            Call::DestroyThroughEngine(body) => {
                let world = machine.physics.world_mut();
                if let Ok(handle) = world.handle(machine.keys[body % machine.keys.len()]) {
                    world.engine_mut().native_destroy(handle);
                }
                machine.physics.poses().for_each(drop);
                let world = machine.physics.world_mut();
                let known = reference.body(body);
                let destroyed: Vec<u32> = call!(world.take_destroyed()).iter().map(|(_, data)| *data).collect();
                assert_eq!(destroyed, if known.left_now { vec![known.data] } else { vec![] });
            }
            Call::MoveThroughEngine(body, x) => {
                let key = machine.key(body);
                let world = machine.physics.world_mut();
                if let Ok(handle) = world.handle(key) {
                    world.engine_mut().native_move(handle, x, 9.0);
                    let pose = machine.physics.pose(key).unwrap();
                    assert_eq!(bits::<E>(pose)[0], x.to_bits(), "drawn where it is");
                }
            }
            Call::Act(body, act, value) => machine.check_act(body, act, value, reference),
            Call::Smooth(body, smoothing) => {
                let key = machine.key(body);
                let world = machine.physics.world_mut();
                let accepted = call!(world.set_smoothing(key, smoothing)).is_ok();
                assert_eq!(accepted, reference.body(body).life == Life::Alive);
            }
            Call::Attach(body) => {
                let wind = Wind::new(E::vector(5.0, 0.0), 1.0);
                let (keys, physics) = ([machine.key(body)], &mut machine.physics);
                machine.controllers.push(call!(physics.attach(wind, &keys)));
            }
            Call::Detach => {
                let physics = &mut machine.physics;
                if let Some(controller) = machine.controllers.pop() {
                    // A restore may have removed the controller.
                    let _ = call!(physics.detach(controller));
                    assert!(!physics.detach(controller));
                }
            }
            Call::Update(millis, way, fails) => machine.update(millis, way, fails),
            Call::Fault(fault) => {
                let is_unharmed = machine.physics.world_mut().engine_mut().be_faulty(fault);
                machine.update(17, 0, false);
                let world = machine.physics.world_mut();
                let non_finite = call!(world.take_non_finite());
                assert!(non_finite.is_empty() || !is_unharmed);
                world.engine_mut().recover();
            }
            Call::Read(body) => machine.read(body, reference),
            Call::Save => machine.save(),
            Call::Restore => machine.restore(),
        }
        machine.check(reference);
    }
}

fn machine_world<E: Subject>(physics: &mut System<E>) -> &mut World<E, u32> {
    call!(physics.world_mut())
}
