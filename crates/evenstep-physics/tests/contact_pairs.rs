//! Random scripts against a slow model: begins and ends of contacts pair for every body, and the pairs that have begun are those that touch.

use std::collections::{BTreeMap, BTreeSet};

use evenstep::Vector as _;
use evenstep_physics::engine::{BodyMotion, PhysicsVector};
use evenstep_physics::{
    BodyDef, BodyKey, BodyKind, Contact, ContactKind, PhysicsError, SavedSystem, Shape, StepHandler, World,
};
use proptest::prelude::*;

use crate::common::{System, TestEngine, frames, system};

#[derive(Clone, Debug)]
enum Action {
    /// A ball of a kind, at a place.
    Create(BodyKind, f32, f32),
    /// A sensor that can be moved, at a place.
    Sensor(f32, f32),
    Remove(usize),
    Release(usize),
    DestroyThroughEngine(usize),
    Teleport(usize, f32, f32),
    MoveTo(usize, f32, f32),
    /// At the next contact, the first or the second body is removed.
    RemoveAtContact(bool),
    /// At the next contact, the first or the second body is teleported to this place.
    TeleportAtContact(bool, f32, f32),
    /// Steps, of which 90 let bodies fall asleep.
    Run(u32),
    Save,
    Restore(usize),
}

fn any_action() -> impl Strategy<Value = Action> {
    let place = || (-2.5..2.5_f32, 0.5..4.0_f32);
    let body = || 0..16_usize;
    let kind = prop::sample::select(vec![
        BodyKind::Dynamic,
        BodyKind::Dynamic,
        BodyKind::Fixed,
        BodyKind::Kinematic,
    ]);
    prop_oneof![
        4 => (kind, place()).prop_map(|(kind, (x, y))| Action::Create(kind, x, y)),
        1 => place().prop_map(|(x, y)| Action::Sensor(x, y)),
        2 => body().prop_map(Action::Remove),
        1 => body().prop_map(Action::Release),
        1 => body().prop_map(Action::DestroyThroughEngine),
        3 => (body(), place()).prop_map(|(body, (x, y))| Action::Teleport(body, x, y)),
        1 => (body(), place()).prop_map(|(body, (x, y))| Action::MoveTo(body, x, y)),
        2 => any::<bool>().prop_map(Action::RemoveAtContact),
        1 => (any::<bool>(), place()).prop_map(|(first, (x, y))| Action::TeleportAtContact(first, x, y)),
        6 => prop_oneof![4 => 1..4_u32, 1 => Just(90)].prop_map(Action::Run),
        2 => Just(Action::Save),
        1 => (0..3_usize).prop_map(Action::Restore),
    ]
}

#[derive(Clone, Copy, Debug)]
struct Body {
    kind: BodyKind,
    is_sensor: bool,
}

/// What a body is to another that it touches. In Box2D two sensors visit each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Touching,
    Sensor,
    Visitor,
}

/// What a program knows from its calls and contacts. Bodies are numbered by their data.
#[derive(Clone, Debug, Default)]
struct Model {
    bodies: BTreeMap<u32, (BodyKey, Body)>,
    /// The bodies that touch each body, and what the body is to the other.
    touching: BTreeMap<u32, BTreeSet<(u32, Role)>>,
    /// The number of touches of each body with bodies without keys.
    anonymous: BTreeMap<u32, u32>,
    at_contact: Option<Action>,
    log: Vec<String>,
}

impl Model {
    /// The begin or the end of a contact of a body with another, which may be gone.
    fn change(&mut self, of: u32, other: Option<u32>, role: Role, begins: bool) {
        let bodies = &self.bodies;
        let partners = self.touching.entry(of).or_default();
        let context = format!("{of} with {other:?}, {role:?}; {:?}", self.log);
        match (begins, other) {
            (true, None) => *self.anonymous.entry(of).or_default() += 1,
            (true, Some(other)) => assert!(partners.insert((other, role)), "again: {context}"),
            (false, Some(other)) => assert!(partners.remove(&(other, role)), "never began: {context}"),
            (false, None) => {
                let gone = partners
                    .iter()
                    .find(|(other, as_what)| *as_what == role && !bodies.contains_key(other));
                if let Some(gone) = gone.copied() {
                    partners.remove(&gone);
                    return;
                }
                let anonymous = self.anonymous.entry(of).or_default();
                *anonymous = anonymous
                    .checked_sub(1)
                    .unwrap_or_else(|| panic!("never began: {context}"));
            }
        }
    }

    fn forget(&mut self, body: u32) {
        self.bodies.remove(&body);
        self.touching.remove(&body);
    }
}

impl<E: TestEngine<Motion: Default>> StepHandler<E, u32> for Model {
    type Error = PhysicsError;

    fn contact(&mut self, world: &mut World<E, u32>, contact: &Contact<E>) -> Result<(), PhysicsError> {
        let (begins, is_sensor) = match contact.kind {
            ContactKind::Begin => (true, false),
            ContactKind::End => (false, false),
            ContactKind::SensorBegin => (true, true),
            ContactKind::SensorEnd => (false, true),
            _ => return Ok(()),
        };
        let [first, second] = contact.keys().map(|key| key.map(|key| *world.data(key).unwrap()));
        self.log
            .push(format!("{} {begins} {is_sensor} {first:?} {second:?}", contact.tick));
        let roles = if is_sensor {
            [Role::Sensor, Role::Visitor]
        } else {
            [Role::Touching; 2]
        };
        for (of, other, role) in [(first, second, roles[0]), (second, first, roles[1])] {
            if let Some(of) = of {
                self.change(of, other, role, begins);
            }
        }
        let chosen = |is_first: bool| if is_first { first.or(second) } else { second.or(first) };
        match self.at_contact.take() {
            Some(Action::RemoveAtContact(is_first)) => {
                if let Some(body) = chosen(is_first).filter(|body| *body > 0) {
                    world.remove(self.bodies[&body].0)?;
                    self.forget(body);
                }
            }
            Some(Action::TeleportAtContact(is_first, x, y)) => {
                if let Some(body) = chosen(is_first).filter(|body| *body > 0) {
                    world.teleport(self.bodies[&body].0, E::Motion::at(E::pose(x, y)))?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}

struct Script<E: TestEngine> {
    physics: System<E>,
    model: Model,
    next: u32,
    saved: Vec<(SavedSystem<E, u32>, Model)>,
    /// Whether a shape may have been destroyed through the engine within the last two steps, so that Box2D cannot be saved.
    destroyed_at: Option<u64>,
}

impl<E: TestEngine<Motion: Default>> Script<E> {
    fn new() -> Self {
        let mut script = Self {
            physics: system::<E>(-10.0),
            model: Model::default(),
            next: 0,
            saved: Vec::new(),
            destroyed_at: None,
        };
        let floor = BodyDef::new(Shape::Box(E::half(20.0, 0.5)))
            .of_kind(BodyKind::Fixed)
            .at(E::pose(0.0, -0.5));
        let key = script.physics.world_mut().create(&floor, 0).unwrap();
        script.add(key, BodyKind::Fixed, false);
        script
    }

    /// Enters a body, whose data are the next number, into the model.
    fn add(&mut self, key: BodyKey, kind: BodyKind, is_sensor: bool) {
        self.model.bodies.insert(self.next, (key, Body { kind, is_sensor }));
        self.next += 1;
    }

    /// A body of the model other than the floor.
    fn body(&self, index: usize) -> Option<(u32, BodyKey, Body)> {
        let count = self.model.bodies.len() - 1;
        let (data, (key, body)) = self.model.bodies.iter().nth(1 + index.checked_rem(count)?)?;
        Some((*data, *key, *body))
    }

    fn run(&mut self, steps: u32) {
        for _ in 0..steps {
            let frame = self.physics.advance(frames("60"));
            self.physics.run(frame, &mut self.model).unwrap();
        }
    }

    fn apply(&mut self, action: &Action) {
        let world = self.physics.world_mut();
        match action {
            Action::Create(kind, x, y) => {
                let def = BodyDef::new(Shape::Ball(0.5)).of_kind(*kind).at(E::pose(*x, *y));
                let key = world.create(&def, self.next).unwrap();
                self.add(key, *kind, false);
            }
            Action::Sensor(x, y) => {
                let handle = world.engine_mut().native_lift(*x, *y);
                world.engine_mut().native_box(Some(handle), 0.0, 0.0, true);
                let key = world.adopt(handle, self.next).unwrap();
                self.add(key, BodyKind::Kinematic, true);
            }
            Action::Remove(body) | Action::Release(body) | Action::DestroyThroughEngine(body) => {
                let Some((data, key, _)) = self.body(*body) else { return };
                let world = self.physics.world_mut();
                match action {
                    Action::Remove(_) => assert_eq!(world.remove(key), Ok(data)),
                    Action::Release(_) => assert_eq!(world.release(key).unwrap().1, data),
                    _ => {
                        let handle = world.handle(key).unwrap();
                        world.engine_mut().native_destroy(handle);
                        let _ = self.physics.poses().count();
                        self.destroyed_at = Some(self.physics.timestep().tick());
                    }
                }
                self.model.forget(data);
            }
            Action::Teleport(body, x, y) => {
                let Some((_, key, _)) = self.body(*body) else { return };
                self.physics
                    .world_mut()
                    .teleport(key, E::Motion::at(E::pose(*x, *y)))
                    .unwrap();
            }
            Action::MoveTo(body, x, y) => {
                let Some((_, key, body)) = self.body(*body) else { return };
                let moved = self.physics.world_mut().move_to(key, E::pose(*x, *y));
                assert_eq!(moved.is_ok(), body.kind == BodyKind::Kinematic);
            }
            Action::RemoveAtContact(_) | Action::TeleportAtContact(..) => self.model.at_contact = Some(action.clone()),
            Action::Run(steps) => {
                let was_armed = self.model.at_contact.is_some();
                // The step after a target, or after a teleport at a contact, finds what touches there.
                self.run(*steps + 1);
                if was_armed && self.model.at_contact.is_none() {
                    self.run(1);
                }
                self.check();
            }
            Action::Save => self.save(),
            Action::Restore(back) => {
                if let Some((saved, model)) = self.saved.iter().nth_back(*back) {
                    self.physics.restore(saved).unwrap();
                    self.model = model.clone();
                }
            }
        }
    }

    /// Saves, and checks that the contacts of the next steps are the same after a restore.
    fn save(&mut self) {
        let tick = self.physics.timestep().tick();
        let saved = match self.physics.save() {
            Ok(saved) => saved,
            Err(error) => {
                let excused = self.destroyed_at.is_some_and(|destroyed| tick < destroyed + 2);
                assert!(excused, "{error}");
                return;
            }
        };
        let model = self.model.clone();
        let mut future = || {
            self.model.log.clear();
            self.run(4);
            let log = std::mem::take(&mut self.model.log);
            self.physics.restore(&saved).unwrap();
            self.model = model.clone();
            log
        };
        let lived = future();
        assert_eq!(future(), lived);
        self.saved.push((saved, model));
    }

    /// Compares the pairs that have begun with the places of the bodies. Contacts are those at the begin of a step. Box2D finds no contact of a
    /// sleeping body with a fixed one that is created where it lies.
    fn check(&self) {
        let world = self.physics.world();
        let place = |key| world.motion(key).unwrap().position();
        let velocity = |key| world.motion(key).unwrap().velocity();
        for (first, (key, body)) in self.model.bodies.iter().skip(1) {
            for (second, (other_key, other)) in self.model.bodies.iter().skip(1) {
                if first == second || body.is_sensor || body.kind != BodyKind::Dynamic {
                    continue;
                }
                let apart = place(*key).plus(place(*other_key), -1.0).length();
                if velocity(*key).plus(velocity(*other_key), -1.0).length() > 8.0 {
                    continue;
                }
                let role = if other.is_sensor { Role::Visitor } else { Role::Touching };
                let touches = self
                    .model
                    .touching
                    .get(first)
                    .is_some_and(|set| set.contains(&(*second, role)));
                let reach = if other.is_sensor { 1.21 } else { 1.0 };
                assert!(
                    !touches || apart < reach + 0.3,
                    "{first} and {second} are {apart} m apart; {:?}",
                    self.model.log
                );
                assert!(
                    touches || apart > 0.7 || other.kind == BodyKind::Fixed,
                    "{first} and {second} overlap at {apart} m; {:?}",
                    self.model.log
                );
            }
        }
    }

    /// At last only the floor is left.
    fn finish(&mut self) {
        while let Some((data, key, _)) = self.body(0) {
            self.physics.world_mut().remove(key).unwrap();
            self.model.forget(data);
        }
        self.model.at_contact = None;
        let released = self.model.touching.get(&0).map_or(0, BTreeSet::len);
        self.run(3);
        let left = self.model.touching.get(&0).map_or(0, BTreeSet::len);
        assert!(left <= released);
    }
}

fn play<E: TestEngine<Motion: Default>>(actions: Vec<Action>) {
    let mut script = Script::<E>::new();
    let releases = actions.iter().any(|action| matches!(action, Action::Release(_)));
    for action in &actions {
        script.apply(action);
    }
    script.finish();
    if !releases {
        let left = script.model.touching.get(&0);
        assert!(
            left.is_none_or(BTreeSet::is_empty),
            "{left:?}: nothing is left on the floor; {:?}",
            script.model.log
        );
    }
}

for_every_engine! {
    begins_and_ends_pair_for_every_body
}

fn begins_and_ends_pair_for_every_body<E: TestEngine<Motion: Default>>() {
    crate::stepped::check(cases(), &prop::collection::vec(any_action(), 1..40), play::<E>);
}

/// The number of scripts: `PROPTEST_CASES`, or 40.
fn cases() -> u32 {
    let cases = std::env::var("PROPTEST_CASES").ok();
    cases.and_then(|cases| cases.parse().ok()).unwrap_or(40)
}
