//! Random calls in any order, also inside steps and contacts: nothing panics, and no stale key is accepted.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::common::{System, TestEngine, heap};
use evenstep::{Smoothing, Step};
use evenstep_physics::engine::{BodyMotion, PoseOf};
use evenstep_physics::{BodyKey, Contact, PhysicsError, SavedSystem, StepHandler, World, Wrench};
use proptest::prelude::*;

/// The number of keys above which contacts create no more bodies.
const MOST_KEYS: usize = 40;

#[derive(Clone, Debug)]
enum Action {
    Create(f32, f32),
    Remove(usize),
    Teleport(usize, f32, f32),
    Hold(usize, f32),
    Kick(usize, f32),
    Smooth(usize, Smoothing),
    Save,
    Restore(usize),
    Update(u64),
    UpdateInside(u64, Vec<Action>),
}

fn simple_action() -> impl Strategy<Value = Action> {
    let place = -20.0..20.0_f32;
    let smoothing = prop_oneof![
        Just(Smoothing::None),
        Just(Smoothing::Interpolate),
        Just(Smoothing::Hermite),
        (0..50_u64).prop_map(|millis| Smoothing::Extrapolate {
            horizon: Duration::from_millis(millis)
        }),
    ];
    prop_oneof![
        (0..20_usize, smoothing).prop_map(|(body, smoothing)| Action::Smooth(body, smoothing)),
        (place.clone(), 0.0..20.0_f32).prop_map(|(x, y)| Action::Create(x, y)),
        (0..20_usize).prop_map(Action::Remove),
        (0..20_usize, place, 0.0..20.0_f32).prop_map(|(body, x, y)| Action::Teleport(body, x, y)),
        (0..20_usize, -50.0..50.0_f32).prop_map(|(body, force)| Action::Hold(body, force)),
        (0..20_usize, -5.0..5.0_f32).prop_map(|(body, impulse)| Action::Kick(body, impulse)),
    ]
}

fn any_action() -> impl Strategy<Value = Action> {
    let inside = prop::collection::vec(simple_action(), 0..4);
    prop_oneof![
        5 => simple_action(),
        2 => Just(Action::Save),
        1 => (0..4_usize).prop_map(Action::Restore),
        4 => (0..120_u64).prop_map(Action::Update),
        3 => (0..120_u64, inside).prop_map(|(millis, actions)| Action::UpdateInside(millis, actions)),
    ]
}

/// A game that follows the script, and knows which keys must be valid.
struct Player {
    keys: Vec<BodyKey>,
    alive: BTreeSet<BodyKey>,
    inside: Vec<Action>,
}

impl Player {
    fn act<E: TestEngine<Motion: Default>>(&mut self, world: &mut World<E, u32>, action: &Action) {
        let key_of = |keys: &[BodyKey], index: &usize| keys[index % keys.len()];
        let (key, accepted) = match action {
            Action::Create(x, y) => {
                let key = world.create(&E::unit_box().at(E::pose(*x, *y)), 1).unwrap();
                assert!(!self.keys.contains(&key), "{key} was used before");
                self.keys.push(key);
                self.alive.insert(key);
                return;
            }
            Action::Remove(body) => {
                let key = key_of(&self.keys, body);
                let accepted = world.remove(key).is_ok();
                assert_eq!(accepted, self.alive.remove(&key));
                return;
            }
            Action::Teleport(body, x, y) => {
                let key = key_of(&self.keys, body);
                (key, world.teleport(key, E::Motion::at(E::pose(*x, *y))).is_ok())
            }
            Action::Hold(body, force) => {
                let key = key_of(&self.keys, body);
                (
                    key,
                    world
                        .apply_force_for_frame(key, Wrench::linear(E::vector(*force, 0.0)))
                        .is_ok(),
                )
            }
            Action::Kick(body, impulse) => {
                let key = key_of(&self.keys, body);
                (
                    key,
                    world
                        .apply_impulse(key, Wrench::linear(E::vector(0.0, *impulse)))
                        .is_ok(),
                )
            }
            Action::Smooth(body, smoothing) => {
                let key = key_of(&self.keys, body);
                (key, world.set_smoothing(key, *smoothing).is_ok())
            }
            _ => return,
        };
        assert_eq!(accepted, self.alive.contains(&key));
    }
}

impl<E: TestEngine<Motion: Default>> StepHandler<E, u32> for Player {
    type Error = PhysicsError;

    fn step(&mut self, world: &mut World<E, u32>, step: &Step) -> Result<(), PhysicsError> {
        if let Some(action) = self.inside.get(step.tick as usize % 3).cloned() {
            self.act(world, &action);
        }
        Ok(())
    }

    fn contact(&mut self, world: &mut World<E, u32>, contact: &Contact<E>) -> Result<(), PhysicsError> {
        assert!(contact.keys().iter().flatten().all(|key| self.alive.contains(key)));
        // Bodies that are created in contacts cause further contacts.
        if let Some(action) = self.inside.last().filter(|_| self.keys.len() < MOST_KEYS).cloned() {
            self.act(world, &action);
        }
        Ok(())
    }
}

/// Checks that `poses`, `moved_poses` and `pose` agree. `shown` has the poses of a program that uses only `moved_poses`.
fn check_drawing<E: TestEngine<Motion: Default>>(
    physics: &mut System<E>,
    alive: &BTreeSet<BodyKey>,
    shown: &mut BTreeMap<BodyKey, PoseOf<E>>,
) {
    physics.moved_poses(|body| {
        shown.insert(body.key, body.pose);
    });
    let drawn: BTreeMap<BodyKey, PoseOf<E>> = physics.poses().map(|body| (body.key, body.pose)).collect();
    assert_eq!(drawn.keys().copied().collect::<BTreeSet<_>>(), *alive);
    for (key, pose) in &drawn {
        let by_itself = physics.pose(*key).unwrap();
        assert!(
            is_near::<E>(pose, &by_itself),
            "{pose:?} among all, {by_itself:?} by itself"
        );
        assert!(is_near::<E>(pose, &shown[key]), "{pose:?} is shown at {:?}", shown[key]);
    }
}

/// Whether poses differ by no more than rounding errors: bodies at rest are blended together with moving ones.
fn is_near<E: TestEngine<Motion: Default>>(one: &PoseOf<E>, other: &PoseOf<E>) -> bool {
    let components = |pose: &PoseOf<E>| {
        let mut components = Vec::new();
        E::Motion::at(*pose).for_each_component(|component| components.push(component));
        components
    };
    let pairs = components(one).into_iter().zip(components(other));
    pairs
        .into_iter()
        .all(|(one, other)| (one - other).abs() <= 2.0 * f32::EPSILON * one.abs().max(1.0))
}

fn play<E: TestEngine<Motion: Default>>(actions: &[Action]) {
    let (mut physics, mut keys): (System<E>, _) = heap::<E>(6);
    keys.extend(
        physics
            .world()
            .keys()
            .filter(|key| !keys.contains(key))
            .collect::<Vec<_>>(),
    );
    let mut player = Player {
        alive: keys.iter().copied().collect(),
        keys,
        inside: Vec::new(),
    };
    let mut saved: Vec<(SavedSystem<E, u32>, BTreeSet<BodyKey>)> = Vec::new();
    let mut shown = BTreeMap::new();
    for action in actions {
        match action {
            Action::Save => saved.push((physics.save().unwrap(), player.alive.clone())),
            Action::Restore(back) => {
                if let Some((state, alive)) = saved.iter().nth_back(*back) {
                    physics.restore(state).unwrap();
                    player.alive.clone_from(alive);
                }
            }
            Action::Update(millis) => {
                let frame = physics.begin_frame(Duration::from_millis(*millis));
                physics.run(frame, &mut player).unwrap();
            }
            Action::UpdateInside(millis, inside) => {
                player.inside.clone_from(inside);
                let frame = physics.begin_frame(Duration::from_millis(*millis));
                physics.run(frame, &mut player).unwrap();
                player.inside.clear();
            }
            other => player.act(physics.world_mut(), other),
        }
        check_drawing(&mut physics, &player.alive, &mut shown);
        assert!(physics.world_mut().take_non_finite().is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(70))]

    #[test]
    fn no_script_breaks_box2d(actions in prop::collection::vec(any_action(), 1..30)) {
        play::<evenstep_physics::Box2d>(&actions);
    }

    #[test]
    fn no_script_breaks_rapier_in_the_plane(actions in prop::collection::vec(any_action(), 1..30)) {
        play::<evenstep_physics::Rapier2d>(&actions);
    }

    #[test]
    fn no_script_breaks_rapier_in_space(actions in prop::collection::vec(any_action(), 1..30)) {
        play::<evenstep_physics::Rapier3d>(&actions);
    }
}
