//! Programs from Rapier's examples: a chain of joints, sensors, a character and one-way platforms.

use std::sync::Mutex;

use evenstep_physics::rapier2d::control::{CharacterAutostep, CharacterLength, KinematicCharacterController};
use evenstep_physics::rapier2d::prelude::{
    ActiveEvents, ActiveHooks, ColliderBuilder, ColliderHandle, ColliderSet, CollisionEvent,
    ContactModificationContext, ContactPair, EventHandler, PhysicsHooks, PhysicsWorld, Pose, QueryFilter, Real,
    RevoluteJointBuilder, RigidBodyBuilder, RigidBodyHandle, RigidBodySet, SoftBodySet, SoftBodyTearEvent, Vector,
};
use evenstep_physics::{Contact, ContactKind, Rapier2d};

use super::program::{Program, Tick, check};

/// A program around Rapier's world.
trait OnRapier: Sized {
    fn build() -> (PhysicsWorld, Self);
    fn before_step(&mut self, world: &mut PhysicsWorld, tick: u64);
    fn hooks() -> impl PhysicsHooks + Send + Sync + 'static {}
}

struct OnPlane<P>(P);

impl<P: OnRapier> Program for OnPlane<P> {
    type World = PhysicsWorld;
    type Engine = Rapier2d;

    fn build() -> (PhysicsWorld, Self) {
        let (world, program) = P::build();
        (world, Self(program))
    }

    fn before_step(&mut self, world: &mut PhysicsWorld, tick: u64) {
        self.0.before_step(world, tick);
    }

    fn own_step(&mut self, world: &mut PhysicsWorld) -> Vec<String> {
        let events = Listener::default();
        world.step_with_events(&P::hooks(), &events);
        events.0.into_inner().unwrap()
    }

    fn bodies(&self, world: &mut PhysicsWorld) -> Vec<(RigidBodyHandle, Vec<u32>)> {
        let bodies = world.bodies.iter();
        bodies
            .map(|(handle, body)| {
                let (at, velocity) = (body.position(), body.linvel());
                let state = [
                    at.translation.x,
                    at.translation.y,
                    at.rotation.cos(),
                    at.rotation.sin(),
                    velocity.x,
                    velocity.y,
                    body.angvel(),
                ];
                (handle, state.map(f32::to_bits).to_vec())
            })
            .collect()
    }

    fn adopted(world: PhysicsWorld) -> Rapier2d {
        Rapier2d::from(world).with_hooks(P::hooks())
    }

    fn world(engine: &mut Rapier2d) -> &mut PhysicsWorld {
        engine.world_mut()
    }

    fn event(&self, contact: &Contact<Rapier2d>) -> Option<String> {
        let begins = match contact.kind {
            ContactKind::Begin | ContactKind::SensorBegin => true,
            ContactKind::End | ContactKind::SensorEnd => false,
            _ => return None,
        };
        Some(event(begins, [contact.first.shape, contact.second.shape]))
    }
}

fn event(begins: bool, mut colliders: [ColliderHandle; 2]) -> String {
    colliders.sort_by_key(|collider| collider.into_raw_parts());
    format!("{begins} {colliders:?}")
}

/// Records Rapier's own events.
#[derive(Default)]
struct Listener(Mutex<Vec<String>>);

impl EventHandler for Listener {
    fn handle_collision_event(
        &self,
        _: &RigidBodySet,
        _: &ColliderSet,
        happened: CollisionEvent,
        _: Option<&ContactPair>,
    ) {
        let colliders = [happened.collider1(), happened.collider2()];
        self.0.lock().unwrap().push(event(happened.started(), colliders));
    }

    fn handle_contact_force_event(&self, _: Real, _: &RigidBodySet, _: &ColliderSet, _: &ContactPair, _: Real) {}

    fn handle_soft_body_tear_event(&self, _: &SoftBodySet, _: &SoftBodyTearEvent) {}
}

/// The number at index `place` in the state of the body at index `body`.
fn number(tick: &Tick, body: usize, place: usize) -> f32 {
    f32::from_bits(tick.bits[7 * body + place])
}

/// A chain of capsules that hangs from a fixed body.
struct Chain;

impl OnRapier for Chain {
    fn build() -> (PhysicsWorld, Self) {
        let mut world = PhysicsWorld::new();
        let mut last = world.bodies.insert(RigidBodyBuilder::fixed());
        for n in 1..10 {
            let link = RigidBodyBuilder::dynamic().translation(Vector::new(n as f32, 0.0));
            let (link, _) = world.insert(link, ColliderBuilder::capsule_x(0.3, 0.1));
            let joint = RevoluteJointBuilder::new()
                .local_anchor1(Vector::new(0.5, 0.0))
                .local_anchor2(Vector::new(-0.5, 0.0));
            world.impulse_joints.insert(last, link, joint, true);
            last = link;
        }
        (world, Self)
    }

    fn before_step(&mut self, _: &mut PhysicsWorld, _: u64) {}
}

/// Balls fall through a sensor, which reports the balls that enter and leave, and are thrown up inside the sensor.
struct Sensor(ColliderHandle);

impl OnRapier for Sensor {
    fn build() -> (PhysicsWorld, Self) {
        let mut world = PhysicsWorld::new();
        world.colliders.insert(ColliderBuilder::cuboid(20.0, 0.5));
        for n in 0..8 {
            let ball = RigidBodyBuilder::dynamic().translation(Vector::new(n as f32 - 4.0, 4.0 + n as f32));
            world.insert(
                ball,
                ColliderBuilder::ball(0.3).active_events(ActiveEvents::COLLISION_EVENTS),
            );
        }
        let sensor = ColliderBuilder::cuboid(2.0, 0.5)
            .translation(Vector::new(0.0, 2.0))
            .sensor(true)
            .active_events(ActiveEvents::COLLISION_EVENTS);
        let sensor = world.colliders.insert(sensor);
        (world, Self(sensor))
    }

    fn before_step(&mut self, world: &mut PhysicsWorld, _: u64) {
        let pairs = world.narrow_phase.intersection_pairs_with(self.0);
        let inside = pairs.filter(|(_, _, is_inside)| *is_inside);
        let others: Vec<ColliderHandle> = inside
            .map(|(one, other, _)| if one == self.0 { other } else { one })
            .collect();
        for other in others {
            let body = world.colliders[other].parent().unwrap();
            world.bodies[body].apply_impulse(Vector::new(0.0, 0.1), true);
        }
    }
}

/// A character that is moved over ground, stairs, a slope and loose boxes by Rapier's own controller.
struct Character(RigidBodyHandle);

impl OnRapier for Character {
    fn build() -> (PhysicsWorld, Self) {
        let mut world = PhysicsWorld::new();
        let fixed = |x: f32, y: f32| RigidBodyBuilder::fixed().translation(Vector::new(x, y));
        world.insert(fixed(0.0, -0.5), ColliderBuilder::cuboid(30.0, 0.5));
        for n in 0..5 {
            let (x, height) = (4.0 + 0.8 * n as f32, 0.1 * (n + 1) as f32);
            world.insert(fixed(x, height), ColliderBuilder::cuboid(0.4, height));
        }
        world.insert(fixed(-6.0, 0.0).rotation(-0.4), ColliderBuilder::cuboid(3.0, 0.2));
        for n in 0..3 {
            let place = RigidBodyBuilder::dynamic().translation(Vector::new(2.0, 0.3 + 0.6 * n as f32));
            world.insert(place, ColliderBuilder::cuboid(0.3, 0.3));
        }
        let start = RigidBodyBuilder::kinematic_position_based().translation(Vector::new(0.0, 1.5));
        let (character, _) = world.insert(start, ColliderBuilder::capsule_y(0.3, 0.2));
        (world, Self(character))
    }

    fn before_step(&mut self, world: &mut PhysicsWorld, tick: u64) {
        let controller = KinematicCharacterController {
            autostep: Some(CharacterAutostep {
                max_height: CharacterLength::Absolute(0.3),
                min_width: CharacterLength::Absolute(0.2),
                include_dynamic_bodies: true,
            }),
            ..KinematicCharacterController::default()
        };
        let speed = if tick < 150 { 3.0 } else { -5.0 };
        let way = Vector::new(speed, -4.0) * world.integration_parameters.dt;
        let (shape, at) = shape_of(world, self.0);
        let others = world.query_pipeline_with_filter(QueryFilter::default().exclude_rigid_body(self.0));
        let shape = world.colliders[shape].shape();
        let gone = controller.move_shape(world.integration_parameters.dt, &others, shape, &at, way, |_| {});
        let target = at.translation + gone.translation;
        world.bodies[self.0].set_next_kinematic_translation(target);
    }
}

fn shape_of(world: &PhysicsWorld, body: RigidBodyHandle) -> (ColliderHandle, Pose) {
    let body = &world.bodies[body];
    (body.colliders()[0], *body.position())
}

/// Platforms that bodies can pass from below, by Rapier's own hooks. Boxes are thrown at the platforms.
struct OneWay(ColliderHandle);

struct OneWayHooks;

impl PhysicsHooks for OneWayHooks {
    fn modify_solver_contacts(&self, context: &mut ContactModificationContext<'_>) {
        let is_platform = |collider: ColliderHandle| context.colliders[collider].user_data == 1;
        let allowed = if is_platform(context.collider1) {
            Vector::Y
        } else {
            -Vector::Y
        };
        context.update_as_oneway_platform(allowed, 0.1);
    }
}

impl OnRapier for OneWay {
    fn build() -> (PhysicsWorld, Self) {
        let mut world = PhysicsWorld::new();
        let ground = world.bodies.insert(RigidBodyBuilder::fixed());
        let mut platform = |x: f32, y: f32| {
            let shape = ColliderBuilder::cuboid(5.0, 0.3)
                .translation(Vector::new(x, y))
                .user_data(1)
                .active_hooks(ActiveHooks::MODIFY_SOLVER_CONTACTS);
            world.colliders.insert_with_parent(shape, ground, &mut world.bodies)
        };
        let upper = platform(0.0, 4.0);
        platform(3.0, -2.0);
        (world, Self(upper))
    }

    fn before_step(&mut self, world: &mut PhysicsWorld, tick: u64) {
        assert!(world.colliders.contains(self.0));
        if tick.is_multiple_of(40) {
            let thrown = RigidBodyBuilder::dynamic()
                .translation(Vector::new(-3.0 + 0.02 * tick as f32, -1.0))
                .linvel(Vector::new(0.5, 12.0));
            world.insert(thrown, ColliderBuilder::cuboid(0.4, 0.4));
        }
    }

    fn hooks() -> impl PhysicsHooks + Send + Sync + 'static {
        OneWayHooks
    }
}

#[test]
fn a_chain_of_rapiers_joints_swings_bit_identically_at_four_frame_rates() {
    let run = check::<OnPlane<Chain>>();
    let end = |tick: usize| [0, 1].map(|axis| number(&run[tick], 9, axis));
    assert!(end(239)[1] < -3.0, "it hangs: {:?}", end(239));
    let length = end(239).map(|way| way * way).iter().sum::<f32>().sqrt();
    assert!((length - 9.0).abs() < 4.0, "and holds: {length}");
}

#[test]
fn a_rapier_sensor_reports_the_same_events_at_four_frame_rates() {
    let run = check::<OnPlane<Sensor>>();
    let events: Vec<&String> = run.iter().flat_map(|tick| &tick.events).collect();
    let begun = events.iter().filter(|event| event.starts_with("true")).count();
    assert!(begun >= 8 && events.len() > begun, "{events:?}");
}

#[test]
fn a_character_with_rapiers_own_controller_walks_bit_identically_at_four_frame_rates() {
    let run = check::<OnPlane<Character>>();
    let last = run[0].bits.len() / 7 - 1;
    let x = |tick: usize| number(&run[tick], last, 0);
    assert!(x(140) > 1.0 && x(239) < x(140) - 0.5, "it walks: {} {}", x(140), x(239));
}

#[test]
fn boxes_thrown_through_rapiers_own_one_way_platforms_land_bit_identically_at_four_frame_rates() {
    let run = check::<OnPlane<OneWay>>();
    let height = number(&run[239], 1, 1);
    assert!(
        (height - 4.7).abs() < 0.05,
        "the first box came through and lies on top: {height}"
    );
}
