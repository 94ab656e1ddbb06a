//! `bevy_transform_interpolation` 0.5 beside ours, in one app: twins that are moved alike are drawn alike.
//!
//! Both mean the same for what is moved in steps. What is written outside of them means something else, and is not compared: theirs stops
//! there until the next step.

use std::time::Duration;

use bevy::prelude::*;
use bevy_transform_interpolation::prelude as theirs;
use proptest::prelude::*;

use crate::apps::{Loop, app};
use crate::frames::{begin, frame};

/// What an entity does in each step.
#[derive(Component, Clone, Copy, Debug)]
struct Moves {
    by: Vec3,
    axis: Vec3,
    turn: f32,
    grow: f32,
}

fn go(mut query: Query<(&mut Transform, &Moves)>) {
    for (mut transform, moves) in &mut query {
        if moves.turn == 0.0 && moves.grow == 0.0 && moves.by == Vec3::ZERO {
            continue;
        }
        transform.translation += moves.by;
        transform.rotation = (Quat::from_axis_angle(moves.axis, moves.turn) * transform.rotation).normalize();
        transform.scale += Vec3::splat(moves.grow);
    }
}

/// What happens between two frames, to pairs by their numbers.
#[derive(Clone, Debug)]
enum Act {
    Spawn(Transform, Moves),
    Despawn(usize),
    Move(usize, Moves),
}

fn any_vector(size: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-size..size).prop_map(Vec3::from_array)
}

fn any_transform() -> impl Strategy<Value = Transform> {
    (any_vector(100.0), any_vector(1.0), -3.0..3.0_f32, 0.5..2.0_f32).prop_map(|(translation, axis, turn, scale)| {
        let axis = axis.try_normalize().unwrap_or(Vec3::X);
        Transform {
            translation,
            rotation: Quat::from_axis_angle(axis, turn),
            scale: Vec3::splat(scale),
        }
    })
}

/// Less than half a turn in a step: beyond it both ways round are as short.
fn any_moves() -> impl Strategy<Value = Moves> {
    let moves = (any_vector(5.0), any_vector(1.0), -2.5..2.5_f32, -0.1..0.1_f32);
    let moves = moves.prop_map(|(by, axis, turn, grow)| (by, axis.try_normalize().unwrap_or(Vec3::X), turn, grow));
    (moves, 0..8_u8).prop_map(|((by, axis, turn, grow), parts)| {
        let part = |bit: u8, value: f32| if parts & bit == 0 { 0.0 } else { value };
        Moves {
            by: by * part(1, 1.0),
            axis,
            turn: part(2, turn),
            grow: part(4, grow),
        }
    })
}

fn any_act() -> impl Strategy<Value = Act> {
    prop_oneof![
        3 => (any_transform(), any_moves()).prop_map(|(place, moves)| Act::Spawn(place, moves)),
        1 => any::<usize>().prop_map(Act::Despawn),
        3 => (any::<usize>(), any_moves()).prop_map(|(pair, moves)| Act::Move(pair, moves)),
    ]
}

/// An app with both plugins.
fn both() -> App {
    let mut app = app(Loop::Smooth, 50);
    app.add_plugins(theirs::TransformInterpolationPlugin::default())
        .add_systems(FixedUpdate, go);
    begin(&mut app);
    app
}

fn act(app: &mut App, pairs: &mut Vec<[Entity; 2]>, act: &Act) {
    let world = app.world_mut();
    let chosen = |pair: usize| (!pairs.is_empty()).then(|| pair % pairs.len());
    match *act {
        Act::Spawn(place, moves) => {
            let ours = world.spawn((place, moves, bevy_evenstep::SmoothTransform)).id();
            pairs.push([ours, world.spawn((place, moves, theirs::TransformInterpolation)).id()]);
        }
        Act::Despawn(pair) => {
            if let Some(pair) = chosen(pair) {
                for twin in pairs.swap_remove(pair) {
                    world.despawn(twin);
                }
            }
        }
        Act::Move(pair, moves) => {
            if let Some(pair) = chosen(pair) {
                for twin in pairs[pair] {
                    *world.get_mut::<Moves>(twin).unwrap() = moves;
                }
            }
        }
    }
}

/// How far apart twins are drawn, in units of length, of angle and of scale.
fn apart(app: &App, [ours, theirs]: [Entity; 2]) -> [f32; 3] {
    let [ours, theirs] =
        [ours, theirs].map(|twin| app.world().get::<GlobalTransform>(twin).unwrap().compute_transform());
    [
        ours.translation.distance(theirs.translation),
        (ours.rotation * theirs.rotation.inverse()).xyz().length() * 2.0,
        ours.scale.distance(theirs.scale),
    ]
}

/// Theirs counts alpha in 32 bits, ours in 64: at 100 units a fraction of 2⁻²⁴ of a step of 10 units and the rounding of the sums make
/// some 10⁻⁵. Its slerp takes the arc cosine from a polynomial, which is good to 10⁻⁴ of an angle.
const MOST_APART: [f32; 3] = [1e-4, 1e-3, 1e-5];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn twins_are_drawn_alike_after_any_changes(
        script in prop::collection::vec((0..70_u64, prop::collection::vec(any_act(), 0..3)), 1..60),
    ) {
        let (mut app, mut pairs) = (both(), Vec::new());
        for (number, (millis, acts)) in script.iter().enumerate() {
            acts.iter().for_each(|one| act(&mut app, &mut pairs, one));
            frame(&mut app, Duration::from_millis(*millis));
            for pair in &pairs {
                let apart = apart(&app, *pair);
                let is_near = apart.iter().zip(MOST_APART).all(|(apart, most)| *apart <= most);
                prop_assert!(is_near, "{apart:?} after frame {number}");
            }
        }
    }
}

/// An entity with both would be written by both.
#[test]
fn an_entity_that_both_smooth_is_reported_as_a_warning() {
    use bevy::ecs::error::{FallbackErrorHandler, Severity};
    use std::sync::Mutex;
    static MESSAGES: Mutex<Vec<(Severity, String)>> = Mutex::new(Vec::new());
    let mut app = both();
    app.insert_resource(FallbackErrorHandler(|error, _| {
        MESSAGES.lock().unwrap().push((error.severity(), error.to_string()));
    }));
    let (ours, theirs) = (bevy_evenstep::SmoothTransform, theirs::TransformInterpolation);
    app.world_mut().spawn((Transform::default(), ours));
    app.world_mut().spawn((Transform::default(), theirs));
    (0..3).for_each(|_| frame(&mut app, Duration::from_millis(20)));
    assert_eq!(MESSAGES.lock().unwrap().len(), 0);
    let entity = app.world_mut().spawn((Transform::default(), theirs, ours)).id();
    (0..3).for_each(|_| frame(&mut app, Duration::from_millis(20)));
    let messages = MESSAGES.lock().unwrap();
    let [(Severity::Warning, message)] = &messages[..] else {
        panic!("{messages:?}");
    };
    assert!(
        message.contains(&format!(
            "{entity} has both SmoothTransform and bevy_transform_interpolation::"
        )),
        "{message}"
    );
}
