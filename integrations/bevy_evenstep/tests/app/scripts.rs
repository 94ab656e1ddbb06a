//! Random apps: entities in trees, systems that write to their transforms in steps and in frames, and what happens to them.

use std::time::Duration;

use crate::frames::{begin, frame};
use bevy_app::{App, FixedUpdate, PreUpdate, Update};
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_evenstep::{
    EvenstepPlugin, NoTransformEasing, RateInterpolation, RatePlugin, Teleport, TransformExtrapolation,
    TransformHermite, TransformInterpolation, TransformVelocity,
};
use bevy_math::{Quat, Vec3};
use bevy_time::TimePlugin;
use bevy_transform::TransformPlugin;
use bevy_transform::components::{GlobalTransform, Transform};
use evenstep::Rate;
use proptest::prelude::*;

pub(crate) const DISPLAYS: [u64; 4] = [30, 60, 144, 240];

/// The number of an entity; it is the same in both worlds.
#[derive(Component, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Number(pub(crate) usize);

/// What a write changes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Write {
    Move(Vec3),
    Put(Vec3),
    Turn(f32),
    TurnTo(f32),
    Grow(f32),
    GrowTo(f32),
    Replace(Vec3, f32, f32),
    Look,
}

impl Write {
    fn apply(self, mut transform: Mut<Transform>) {
        match self {
            Self::Move(by) => transform.translation += by,
            Self::Put(to) => transform.translation = to,
            Self::Turn(by) => transform.rotate_y(by),
            Self::TurnTo(to) => transform.rotation = Quat::from_rotation_x(to),
            Self::Grow(by) => transform.scale += Vec3::splat(by),
            Self::GrowTo(to) => transform.scale = Vec3::splat(to),
            Self::Replace(to, turn, size) => {
                *transform = Transform::from_translation(to)
                    .with_rotation(Quat::from_rotation_z(turn))
                    .with_scale(Vec3::splat(size));
            }
            Self::Look => transform.set_changed(),
        }
    }
}

/// What a system does with one entity in every frame or step that its period divides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Habit {
    pub(crate) entity: usize,
    pub(crate) when: When,
    pub(crate) every: u64,
    pub(crate) write: Write,
}

/// A schedule with a rate of its own, in which nothing moves: entities that are interpolated between its steps are written outside of them.
#[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
struct Slow;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    Step,
    Update,
    PreUpdate,
}

/// What happens to an entity between two frames.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Act {
    Write(Write),
    Teleport(Write),
    Adopt(usize),
    Orphan,
    Kind(u8),
    Ease(bool),
    Despawn,
    /// Despawns it, if it is there, and spawns it again as it was in the beginning.
    Respawn,
}

#[derive(Clone, Debug)]
pub(crate) struct Script {
    pub(crate) hertz: u32,
    /// The kind of smoothing of each entity, and its parent, one of those before it.
    pub(crate) entities: Vec<(u8, Option<usize>)>,
    pub(crate) habits: Vec<Habit>,
    pub(crate) acts: Vec<(usize, usize, Act)>,
}

/// What steps and frames have read, as bits.
#[derive(Resource, Default, Debug, PartialEq)]
pub(crate) struct Log {
    pub(crate) steps: Vec<u32>,
    pub(crate) frames: Vec<u32>,
}

/// What happens in the current frame.
#[derive(Resource)]
pub(crate) struct Acts {
    pub(crate) all: Vec<(usize, Act)>,
    pub(crate) entities: Vec<Entity>,
    /// As [`Script::entities`].
    beginnings: Vec<(u8, Option<usize>)>,
    is_smoothed: bool,
}

impl Acts {
    fn spawn(&self, world: &mut World, number: usize) -> Entity {
        let (smoothing, parent) = self.beginnings[number];
        let place = Transform::from_xyz(number as f32, 0.0, 0.0);
        let velocity = TransformVelocity {
            linear: Vec3::X,
            angular: Vec3::Y,
        };
        let parent = parent.map(|parent| self.entities[parent]);
        let parent = parent.filter(|parent| world.get_entity(*parent).is_ok());
        let mut entity = world.spawn((Number(number), place, Teleport::default(), velocity));
        if let Some(parent) = parent {
            entity.insert(ChildOf(parent));
        }
        if self.is_smoothed {
            kind(&mut entity, smoothing);
        }
        entity.id()
    }
}

#[derive(Resource)]
pub(crate) struct Habits(Vec<Habit>);

pub(crate) fn kind(entity: &mut EntityWorldMut, kind: u8) {
    entity.remove::<(
        TransformInterpolation,
        TransformHermite,
        TransformExtrapolation,
        RateInterpolation,
    )>();
    match kind % 5 {
        0 => {}
        1 => _ = entity.insert(TransformHermite),
        2 => _ = entity.insert(TransformExtrapolation::default()),
        4 => _ = entity.insert(RateInterpolation::new(Slow)),
        _ => _ = entity.insert(TransformInterpolation),
    }
}

/// Does what is done at a time, in the order of the habits.
pub(crate) fn live(when: When) -> impl FnMut(Query<(&Number, &mut Transform)>, Res<Habits>, Local<u64>) {
    move |mut entities, habits, mut runs| {
        for habit in habits
            .0
            .iter()
            .filter(|habit| habit.when == when && runs.is_multiple_of(habit.every))
        {
            let found = entities.iter_mut().find(|(number, _)| number.0 == habit.entity);
            if let Some((_, transform)) = found {
                habit.write.apply(transform);
            }
        }
        *runs += 1;
    }
}

pub(crate) fn bits(parts: &[f32]) -> impl Iterator<Item = u32> {
    parts.iter().map(|part| part.to_bits())
}

pub(crate) fn local_bits(transform: &Ref<Transform>) -> Vec<u32> {
    let (translation, rotation, scale) = (transform.translation, transform.rotation, transform.scale);
    let mut all = vec![u32::from(transform.is_changed())];
    all.extend(bits(&translation.to_array()).chain(bits(&rotation.to_array())));
    all.extend(bits(&scale.to_array()));
    all
}

/// Notes what a system sees in a step. Muzzles are read from `GlobalTransform`.
pub(crate) fn note_step(
    entities: Query<(&Number, Ref<Transform>, Ref<GlobalTransform>)>,
    habits: Res<Habits>,
    mut log: ResMut<Log>,
) {
    // Bevy does not propagate between `PreUpdate` and a step.
    let are_propagated = habits.0.iter().all(|habit| habit.when != When::PreUpdate);
    for (number, transform, global) in entities.iter().sort::<&Number>() {
        log.steps.push(number.0 as u32);
        log.steps.extend(local_bits(&transform));
        if are_propagated {
            log.steps.extend(bits(&global.to_matrix().to_cols_array()));
        }
    }
}

/// Notes what a system sees in a frame: `GlobalTransform` is what is drawn.
pub(crate) fn note_frame(entities: Query<(&Number, Ref<Transform>)>, mut log: ResMut<Log>) {
    for (number, transform) in entities.iter().sort::<&Number>() {
        log.frames.push(number.0 as u32);
        log.frames.extend(local_bits(&transform));
    }
}

/// An app with the entities of a script, smoothed or not.
pub(crate) fn world(script: &Script, is_smoothed: bool) -> App {
    let mut app = App::new();
    app.add_plugins((TimePlugin, EvenstepPlugin::hz(script.hertz), TransformPlugin))
        .add_plugins(RatePlugin::new(Slow, Rate::hz(7)))
        .init_resource::<Log>()
        .insert_resource(Habits(script.habits.clone()))
        .add_systems(FixedUpdate, (note_step, live(When::Step), note_step).chain())
        .add_systems(PreUpdate, live(When::PreUpdate))
        .add_systems(Update, (note_frame, live(When::Update), act_all).chain());
    let mut acts = Acts {
        all: Vec::new(),
        entities: Vec::new(),
        beginnings: script.entities.clone(),
        is_smoothed,
    };
    for number in 0..script.entities.len() {
        let entity = acts.spawn(app.world_mut(), number);
        acts.entities.push(entity);
    }
    app.insert_resource(acts);
    begin(&mut app);
    app
}

/// A frame with what happens in it.
pub(crate) fn play(app: &mut App, script: &Script, number: usize, delta: Duration) {
    let acts = script.acts.iter().filter(|(at, ..)| *at == number);
    app.world_mut().resource_mut::<Acts>().all = acts.map(|(_, entity, act)| (*entity, *act)).collect();
    frame(app, delta);
}

pub(crate) fn act_all(world: &mut World) {
    world.resource_scope(|world, mut acts: Mut<Acts>| {
        for (number, one) in core::mem::take(&mut acts.all) {
            act(world, &mut acts, number, one);
        }
    });
}

pub(crate) fn act(world: &mut World, acts: &mut Acts, number: usize, act: Act) {
    if let Act::Respawn = act {
        let _is_gone_already = world.try_despawn(acts.entities[number]);
        acts.entities[number] = acts.spawn(world, number);
        return;
    }
    let Ok(mut entity) = world.get_entity_mut(acts.entities[number]) else {
        return;
    };
    match act {
        Act::Write(write) => write.apply(entity.get_mut::<Transform>().unwrap()),
        Act::Teleport(write) => {
            entity.get_mut::<Teleport>().unwrap().mark();
            write.apply(entity.get_mut::<Transform>().unwrap());
        }
        // Parents come before their children, so there are no circles.
        Act::Adopt(parent) if parent < number => {
            if world.get_entity(acts.entities[parent]).is_ok() {
                world
                    .entity_mut(acts.entities[number])
                    .insert(ChildOf(acts.entities[parent]));
            }
        }
        Act::Orphan => _ = entity.remove::<ChildOf>(),
        Act::Kind(smoothing) if acts.is_smoothed => kind(&mut entity, smoothing),
        Act::Ease(false) if acts.is_smoothed => _ = entity.insert(NoTransformEasing),
        Act::Ease(true) if acts.is_smoothed => _ = entity.remove::<NoTransformEasing>(),
        Act::Adopt(_) | Act::Kind(_) | Act::Ease(_) | Act::Respawn => {}
        Act::Despawn => entity.despawn(),
    }
}

pub(crate) fn any_vector(size: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-size..size).prop_map(Vec3::from_array)
}

pub(crate) fn any_write() -> impl Strategy<Value = Write> {
    prop_oneof![
        4 => any_vector(2.0).prop_map(Write::Move),
        2 => any_vector(100.0).prop_map(Write::Put),
        2 => (-0.5..0.5_f32).prop_map(Write::Turn),
        1 => (-3.0..3.0_f32).prop_map(Write::TurnTo),
        1 => (-0.1..0.1_f32).prop_map(Write::Grow),
        1 => (0.5..2.0_f32).prop_map(Write::GrowTo),
        1 => (any_vector(100.0), -3.0..3.0_f32, 0.5..2.0_f32).prop_map(|(to, turn, size)| Write::Replace(to, turn, size)),
        1 => Just(Write::Look),
    ]
}

pub(crate) fn any_habit(entities: usize, when: &'static [When]) -> impl Strategy<Value = Habit> {
    let when = prop::sample::select(when);
    (0..entities, when, 1..9_u64, any_write()).prop_map(|(entity, when, every, write)| Habit {
        entity,
        when,
        every,
        write,
    })
}

pub(crate) fn any_act(entities: usize) -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => any_write().prop_map(Act::Write),
        2 => any_write().prop_map(Act::Teleport),
        2 => (0..entities).prop_map(Act::Adopt),
        1 => Just(Act::Orphan),
        2 => any::<u8>().prop_map(Act::Kind),
        2 => any::<bool>().prop_map(Act::Ease),
        1 => Just(Act::Despawn),
        1 => Just(Act::Respawn),
    ]
}

pub(crate) fn any_script(when: &'static [When], acts: usize) -> impl Strategy<Value = Script> {
    let entities = (1..8_usize).prop_flat_map(|count| {
        let parents = (0..count).map(|number| (any::<u8>(), prop::option::of(0..number.max(1))));
        let entities = parents.enumerate().map(|(number, strategy)| {
            strategy.prop_map(move |(kind, parent)| (kind, parent.filter(|parent| *parent < number)))
        });
        entities.collect::<Vec<_>>()
    });
    (prop::sample::select(vec![20_u32, 60, 64]), entities).prop_flat_map(move |(hertz, entities)| {
        let count = entities.len();
        let habits = prop::collection::vec(any_habit(count, when), 0..10);
        let acts = prop::collection::vec((0..60_usize, 0..count, any_act(count)), 0..=acts);
        (Just(hertz), Just(entities), habits, acts).prop_map(|(hertz, entities, habits, acts)| Script {
            hertz,
            entities,
            habits,
            acts,
        })
    })
}

pub(crate) const EVER: &[When] = &[When::Step, When::Step, When::Update];
pub(crate) const EVER_AND_EARLY: &[When] = &[When::Step, When::Step, When::Update, When::PreUpdate];
