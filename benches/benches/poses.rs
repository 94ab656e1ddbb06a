//! The cost of blending and capturing many poses, compared with the speed of memory, with handwritten code, and with Bevy.

use std::hint::black_box;
use std::time::Duration;

use bevy::prelude::{App, FixedUpdate, Query, Res, ResMut, Resource, TaskPoolPlugin, Transform};
use bevy::time::{Fixed, Time, TimePlugin, TimeUpdateStrategy};
use bevy_transform_interpolation::prelude::{
    RotationInterpolation, TransformInterpolationPlugin, TranslationInterpolation,
};
use evenstep::poses::{Pose2, Pose3, Poses2, Poses3, Quat, Rot2};
use evenstep_benches::Comparison;
use evenstep_benches::bodies::{ALPHA, Roofline, pose2, pose3};
use glam::{Vec2, Vec3};

/// The number of bodies that are blended in one call of an entry, over all its turns.
const WORK: usize = 1 << 20;

/// The step of Bevy's fixed timestep.
const STEP: Duration = Duration::from_nanos(16_666_667);

fn main() {
    for bodies in [1_000, 10_000, 100_000, 1_000_000] {
        print!("{}", plane(bodies));
        print!("{}", space(bodies));
        print!("{}", in_bevy(bodies, false));
        print!("{}", in_bevy(bodies, true));
    }
    print!("{}", asleep());
    print!("{}", jumping());
}

#[derive(Clone, Copy)]
struct Body2 {
    previous: (Vec2, Vec2),
    current: (Vec2, Vec2),
}

#[derive(Clone, Copy)]
struct Body3 {
    previous: (Vec3, glam::Quat),
    current: (Vec3, glam::Quat),
}

/// A comparison with a number of bodies that have `N` numbers each. Each argument does one turn of an entry's work.
fn comparison(
    space: &str,
    bodies: usize,
    numbers: usize,
    [blended, handmade, captured]: [&str; 3],
    mut blend: impl FnMut(f64),
    mut by_hand: impl FnMut(f32),
    mut capture: impl FnMut(),
) -> String {
    let turns = (WORK / bodies).max(1);
    let mut roofline = Roofline::new(numbers * bodies);
    Comparison::new(&format!("{space}, {bodies} bodies, each"), turns * bodies)
        .entry("memory: read two, write one", || {
            (0..turns).for_each(|_| roofline.run())
        })
        .entry(blended, || (0..turns).for_each(|_| blend(black_box(ALPHA))))
        .entry(handmade, || (0..turns).for_each(|_| by_hand(black_box(ALPHA as f32))))
        .entry(captured, || (0..turns).for_each(|_| capture()))
        .run()
}

/// Compares in the plane; the handwritten code has angles.
fn plane(bodies: usize) -> String {
    let mut poses = Poses2::new();
    (0..bodies).for_each(|body| _ = poses.push(pose2(body, 0.0)));
    poses.begin_step();
    (0..bodies).for_each(|body| {
        poses.set(body, pose2(body, 1.0));
    });
    let mut out = vec![Pose2::IDENTITY; bodies];
    let after: Vec<Pose2> = (0..bodies).map(|body| pose2(body, 2.0)).collect();
    let mut captured = poses.clone();
    let by_hand = |pose: Pose2| {
        let Rot2 { cos, sin } = pose.rotation;
        (Vec2::from(pose.position), Vec2::new(cos, sin))
    };
    let body = |body| Body2 {
        previous: by_hand(pose2(body, 0.0)),
        current: by_hand(pose2(body, 1.0)),
    };
    let hand: Vec<Body2> = (0..bodies).map(body).collect();
    let mut drawn = vec![(Vec2::ZERO, 0.0_f32); bodies];
    comparison(
        "2D",
        bodies,
        4,
        [
            "Poses2::blend",
            "by hand: an array of bodies, angles",
            "Poses2: a step, all captured",
        ],
        |alpha| {
            poses.blend(alpha, &mut out);
            black_box(&out);
        },
        |t| {
            for (out, body) in drawn.iter_mut().zip(&hand) {
                let (from, to) = (body.previous.1, body.current.1);
                let angle = from.to_angle() + from.angle_to(to) * t;
                *out = (body.previous.0.lerp(body.current.0, t), angle);
            }
            black_box(&drawn);
        },
        || {
            captured.begin_step();
            captured.set_all(&after);
            black_box(&captured);
        },
    )
}

/// Compares in space; the handwritten code has slerp.
fn space(bodies: usize) -> String {
    let mut poses = Poses3::new();
    (0..bodies).for_each(|body| _ = poses.push(pose3(body, 0.0)));
    poses.begin_step();
    (0..bodies).for_each(|body| {
        poses.set(body, pose3(body, 1.0));
    });
    let mut out = vec![Pose3::IDENTITY; bodies];
    let after: Vec<Pose3> = (0..bodies).map(|body| pose3(body, 2.0)).collect();
    let mut captured = poses.clone();
    let by_hand = |pose: Pose3| {
        let Quat { x, y, z, w } = pose.rotation;
        (Vec3::from(pose.position), glam::Quat::from_xyzw(x, y, z, w))
    };
    let body = |body| Body3 {
        previous: by_hand(pose3(body, 0.0)),
        current: by_hand(pose3(body, 1.0)),
    };
    let hand: Vec<Body3> = (0..bodies).map(body).collect();
    let mut drawn = vec![(Vec3::ZERO, glam::Quat::IDENTITY); bodies];
    comparison(
        "3D",
        bodies,
        7,
        [
            "Poses3::blend",
            "by hand: an array of bodies, slerp",
            "Poses3: a step, all captured",
        ],
        |alpha| {
            poses.blend(alpha, &mut out);
            black_box(&out);
        },
        |t| {
            for (out, body) in drawn.iter_mut().zip(&hand) {
                let position = body.previous.0.lerp(body.current.0, t);
                *out = (position, body.previous.1.slerp(body.current.1, t));
            }
            black_box(&drawn);
        },
        || {
            captured.begin_step();
            captured.set_all(&after);
            black_box(&captured);
        },
    )
}

/// The transforms of the bodies after a step, for a system of the game.
#[derive(Resource)]
struct After(Vec<Transform>);

/// Whether the last step used the first half of [`After`]; the next step uses the other half.
#[derive(Resource, Default)]
struct Turn(bool);

/// Moves all bodies to and fro.
fn move_all(mut bodies: Query<&mut Transform>, after: Res<After>, mut turn: ResMut<Turn>) {
    turn.0 = !turn.0;
    let half = after.0.len() / 2;
    let after = if turn.0 { &after.0[..half] } else { &after.0[half..] };
    for (mut body, after) in bodies.iter_mut().zip(after) {
        *body = *after;
    }
}

fn transform(pose: Pose3) -> Transform {
    let Quat { x, y, z, w } = pose.rotation;
    Transform::from_translation(pose.position.into()).with_rotation(bevy::math::Quat::from_xyzw(x, y, z, w))
}

/// An app without a window whose bodies `bevy_transform_interpolation` smooths. It runs on one thread, like all entries here.
fn bevy_app(bodies: usize) -> App {
    let mut app = App::new();
    app.add_plugins((
        TaskPoolPlugin::default(),
        TimePlugin,
        TransformInterpolationPlugin::default(),
    ));
    app.insert_resource(Time::<Fixed>::from_hz(60.0));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(STEP));
    let steps = [1.0, 2.0].into_iter();
    let after = steps.flat_map(|step| (0..bodies).map(move |body| transform(pose3(body, step))));
    app.insert_resource(After(after.collect()));
    app.init_resource::<Turn>();
    app.add_systems(FixedUpdate, move_all);
    let body = |body| {
        (
            transform(pose3(body, 0.0)),
            TranslationInterpolation,
            RotationInterpolation,
        )
    };
    app.world_mut().spawn_batch((0..bodies).map(body).collect::<Vec<_>>());
    app.finish();
    app.cleanup();
    app
}

/// Compares whole frames, each with a step or between steps.
fn in_bevy(bodies: usize, steps: bool) -> String {
    let turns = (WORK / 8 / bodies).max(1);
    let mut app = bevy_app(bodies);
    // The first frame takes no time. After the other frames the accumulator holds the alpha that is blended here.
    (0..2).for_each(|_| app.update());
    app.insert_resource(TimeUpdateStrategy::ManualDuration(STEP.mul_f64(1.0 + ALPHA)));
    app.update();
    app.insert_resource(TimeUpdateStrategy::ManualDuration(if steps {
        STEP
    } else {
        Duration::from_nanos(1)
    }));
    app.update();
    let first = app
        .world_mut()
        .query::<&Transform>()
        .iter(app.world())
        .next()
        .map(|body| body.translation.x);
    assert!(
        first.is_some_and(|x| 1.3 < x && x < 1.7),
        "Bevy blends: {first:?} lies between 1 and 2"
    );
    let after = [1.0, 2.0].map(|step| (0..bodies).map(|body| pose3(body, step)).collect::<Vec<_>>());
    let mut poses = Poses3::new();
    (0..bodies).for_each(|body| _ = poses.push(pose3(body, 0.0)));
    let mut out = vec![Pose3::IDENTITY; bodies];
    let step = |poses: &mut Poses3, number: usize| {
        poses.begin_step();
        poses.set_all(&after[number % 2]);
    };
    step(&mut poses, 0);
    let kind = if steps { "with a step" } else { "between steps" };
    Comparison::new(&format!("3D, {bodies} bodies, each: a frame {kind}"), turns * bodies)
        .entry("Poses3", || {
            for turn in 0..turns {
                if steps {
                    step(&mut poses, turn);
                }
                poses.blend(black_box(ALPHA), &mut out);
                black_box(&out);
            }
        })
        .entry("Bevy 0.19, bevy_transform_interpolation 0.5", || {
            (0..turns).for_each(|_| app.update())
        })
        .run()
}

/// Compares whole frames with a step in which nothing moves.
fn asleep() -> String {
    const BODIES: usize = 100_000;
    let mut poses = Poses3::new();
    (0..BODIES).for_each(|body| _ = poses.push(pose3(body, 0.0)));
    let mut out = vec![Pose3::IDENTITY; BODIES];
    poses.blend(ALPHA, &mut out);
    let mut roofline = Roofline::new(7 * BODIES);
    Comparison::new("3D, 100 000 bodies that rest, each: a step and a frame", BODIES)
        .entry("memory: read two, write one", || roofline.run())
        .entry("Poses3", || {
            poses.begin_step();
            poses.blend(black_box(ALPHA), &mut out);
            black_box(&out);
        })
        .run()
}

/// Compares steps in which all bodies teleport, or are replaced.
fn jumping() -> String {
    const BODIES: usize = 100_000;
    let mut poses = Poses3::new();
    (0..BODIES).for_each(|body| _ = poses.push(pose3(body, 0.0)));
    let after: Vec<Pose3> = (0..BODIES).map(|body| pose3(body, 1.0)).collect();
    let mut reset = poses.clone();
    let mut roofline = Roofline::new(7 * BODIES);
    Comparison::new("3D, 100 000 bodies that jump, each: a step", BODIES)
        .entry("memory: read two, write one", || roofline.run())
        .entry("Poses3::teleport", || {
            poses.begin_step();
            for (body, pose) in after.iter().enumerate() {
                poses.teleport(body, *pose);
            }
            black_box(&poses);
        })
        .entry("Poses3::teleport, then reset", || {
            reset.begin_step();
            for (body, pose) in after.iter().enumerate() {
                reset.teleport(body, *pose);
                reset.reset(body, *pose);
            }
            black_box(&reset);
        })
        .run()
}
