//! The cost of whole frames of Bevy apps without a window, with Bevy's propagation to `GlobalTransform`: transforms are smoothed by
//! `bevy_evenstep`, by `bevy_transform_interpolation`, by two handwritten loops, and not at all.

use std::time::Duration;

use bevy::ecs::bundle::{Bundle, NoBundleEffect};
use bevy::prelude::{
    App, Changed, Component, FixedFirst, FixedUpdate, GlobalTransform, IntoScheduleConfigs, PostUpdate, Quat, Query,
    Res, ResMut, Resource, TaskPoolPlugin, Transform, TransformPlugin, TransformSystems,
};
use bevy::time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_evenstep::{SmoothTransform, SmoothTransformPlugin};
use bevy_transform_interpolation::prelude as theirs;
use evenstep_benches::Comparison;
use evenstep_benches::bodies::{ALPHA, pose3};

/// The number of entities that are drawn in one call of an entry, over all its turns. It is small, so that a call ends before the
/// operating system switches to another program.
const WORK: usize = 1 << 14;

const STEP: Duration = Duration::from_nanos(16_666_667);

fn main() {
    for (entities, moves) in [(1_000, true), (10_000, true), (100_000, true), (100_000, false)] {
        for frames in [Frames::WithStep, Frames::BetweenSteps] {
            print!("{}", comparison(entities, frames, moves));
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Frames {
    WithStep,
    BetweenSteps,
}

#[derive(Clone, Copy)]
enum Smoothing {
    None,
    /// None, but a system queries `Changed<Transform>` in each step: the lower bound for detecting changes with Bevy's own means.
    Look,
    Ours(SmoothTransformPlugin),
    Theirs,
    /// By two loops over all entities: the lower bound for reading and writing if all of them move.
    Loops,
}

/// The transform of an entity before the step.
#[derive(Component)]
struct Before(Transform);

fn keep(mut entities: Query<(&Transform, &mut Before)>) {
    for (transform, mut before) in &mut entities {
        before.0 = *transform;
    }
}

fn blend(mut entities: Query<(&Before, &Transform, &mut GlobalTransform)>, time: Res<Time<Fixed>>) {
    let alpha = time.overstep_fraction();
    for (Before(before), after, mut drawn) in &mut entities {
        let blended = Transform {
            translation: before.translation.lerp(after.translation, alpha),
            rotation: before.rotation.lerp(after.rotation, alpha),
            scale: before.scale.lerp(after.scale, alpha),
        };
        *drawn = blended.into();
    }
}

/// The transforms of the entities after every other step, for a system of the game.
#[derive(Resource)]
struct Places(Vec<Transform>);

#[derive(Resource, Default)]
struct Turn(bool);

/// Moves all entities to and fro.
fn move_all(mut entities: Query<&mut Transform>, places: Res<Places>, mut turn: ResMut<Turn>) {
    turn.0 = !turn.0;
    let half = places.0.len() / 2;
    let places = if turn.0 { &places.0[..half] } else { &places.0[half..] };
    for (mut entity, place) in entities.iter_mut().zip(places) {
        *entity = *place;
    }
}

/// The number of transforms that were found to have changed.
#[derive(Resource, Default)]
struct Changes(usize);

fn look(changed: Query<(), Changed<Transform>>, mut changes: ResMut<Changes>) {
    changes.0 += changed.iter().count();
}

fn place(entity: usize, step: f32) -> Transform {
    let pose = pose3(entity, step);
    let rotation = Quat::from_xyzw(pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w);
    Transform::from_translation(pose.position.into()).with_rotation(rotation)
}

fn spawn(app: &mut App, bundles: impl Iterator<Item: Bundle<Effect: NoBundleEffect>>) {
    app.world_mut().spawn_batch(bundles.collect::<Vec<_>>());
}

/// An app on one thread, after a step, at `ALPHA`.
fn app(smoothing: Smoothing, entities: usize, frames: Frames, moves: bool) -> App {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin));
    app.insert_resource(Time::<Fixed>::from_hz(60.0));
    let places = (0..entities).map(|entity| place(entity, 0.0));
    match smoothing {
        Smoothing::None => spawn(&mut app, places),
        Smoothing::Look => {
            app.init_resource::<Changes>().add_systems(FixedUpdate, look);
            spawn(&mut app, places);
        }
        Smoothing::Ours(plugin) => {
            app.add_plugins(plugin);
            spawn(&mut app, places.map(|place| (place, SmoothTransform)));
        }
        Smoothing::Loops => {
            app.add_systems(FixedFirst, keep)
                .add_systems(PostUpdate, blend.after(TransformSystems::Propagate));
            spawn(&mut app, places.map(|place| (place, Before(place))));
        }
        Smoothing::Theirs => {
            app.add_plugins(theirs::TransformInterpolationPlugin::default());
            let all = (
                theirs::TranslationInterpolation,
                theirs::RotationInterpolation,
                theirs::ScaleInterpolation,
            );
            spawn(&mut app, places.map(|place| (place, all)));
        }
    }
    let steps = [1.0, 2.0].into_iter();
    app.insert_resource(Places(
        steps
            .flat_map(|step| (0..entities).map(move |entity| place(entity, step)))
            .collect(),
    ));
    app.init_resource::<Turn>();
    if moves {
        app.add_systems(FixedUpdate, move_all);
    }
    app.finish();
    app.cleanup();
    let delta = |frames| {
        if frames == Frames::WithStep {
            STEP
        } else {
            Duration::from_nanos(1)
        }
    };
    for delta in [Duration::ZERO, STEP, STEP, STEP.mul_f64(ALPHA), delta(frames)] {
        app.insert_resource(TimeUpdateStrategy::ManualDuration(delta));
        app.update();
    }
    app
}

fn first_x(app: &mut App) -> f32 {
    let mut query = app.world_mut().query::<&GlobalTransform>();
    query
        .iter(app.world())
        .next()
        .map_or(0.0, |entity| entity.translation().x)
}

fn comparison(entities: usize, frames: Frames, moves: bool) -> String {
    let turns = (WORK / entities).max(1);
    let app = |smoothing| app(smoothing, entities, frames, moves);
    let plugin = SmoothTransformPlugin::default();
    let (mut ours, mut theirs) = (app(Smoothing::Ours(plugin)), app(Smoothing::Theirs));
    let mut without_globals = app(Smoothing::Ours(plugin.without_globals_in_steps()));
    let mut with_globals = app(Smoothing::Ours(plugin.with_globals_in_steps()));
    // The lower bound: two loops for moving bodies, and one query of `Changed<Transform>` for bodies at rest.
    let mut least = app(if moves { Smoothing::Loops } else { Smoothing::Look });
    let mut none = app(Smoothing::None);
    let (one, other) = (first_x(&mut ours), first_x(&mut theirs));
    assert!((one - other).abs() < 1e-3, "both draw the same: {one} and {other}");
    let other = first_x(&mut least);
    assert!((one - other).abs() < 1e-3, "so do the loops: {one} and {other}");
    let kind = if frames == Frames::WithStep {
        "a frame with a step"
    } else {
        "a frame between steps"
    };
    let state = if moves { "that move" } else { "that rest" };
    let run = |app: &mut App| (0..turns).for_each(|_| app.update());
    let title = format!("{entities} entities {state}, each: {kind}");
    let least_by = if moves {
        "two loops by hand"
    } else {
        "the same and a look at Changed<Transform>"
    };
    Comparison::new(&title, turns * entities)
        .entry("bevy_evenstep", || run(&mut ours))
        .entry("the same without globals in steps", || run(&mut without_globals))
        .entry("the same with globals in steps", || run(&mut with_globals))
        .entry("bevy_transform_interpolation 0.6", || run(&mut theirs))
        .entry("Bevy 0.20 without smoothing", || run(&mut none))
        .entry(least_by, || run(&mut least))
        .run()
}
