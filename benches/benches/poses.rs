//! The cost of blending many poses on one thread and on two, compared with copying as many bytes and with a plain loop.

use std::f32::consts::TAU;
use std::hint::black_box;

use evenstep::poses::{Pose2, Pose3, Poses2, Poses3, Quat};
use evenstep_benches::Comparison;
use evenstep_benches::bodies::{ALPHA, Memcpy, pose2, pose3};
use glam::{Vec2, Vec3};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

/// The number of bodies that are blended in one call of an entry, over all its turns.
const WORK: usize = 1 << 20;

fn main() {
    for bodies in [10_000, 1_000_000] {
        print!("{}", plane(bodies));
        print!("{}", space(bodies));
    }
    for bodies in [100_000, 1_000_000] {
        print!("{}", on_two_threads(bodies));
    }
    print!("{}", asleep());
}

/// Blending, copying as many bytes, and a plain loop; each body has `numbers` numbers. Each argument does one turn of an entry's work.
fn comparison(
    space: &str,
    bodies: usize,
    numbers: usize,
    [blended, handmade]: [&str; 2],
    mut blend: impl FnMut(f64),
    mut by_hand: impl FnMut(f32),
) -> String {
    let turns = (WORK / bodies).max(1);
    let mut memcpy = Memcpy::of_bodies(bodies, numbers);
    Comparison::new(&format!("{space}, {bodies} bodies, each"), turns * bodies)
        .entry("memcpy of as many bytes", || (0..turns).for_each(|_| memcpy.run()))
        .entry(blended, || (0..turns).for_each(|_| blend(black_box(ALPHA))))
        .entry(handmade, || (0..turns).for_each(|_| by_hand(black_box(ALPHA as f32))))
        .run()
}

/// Compares in the plane; the plain loop has angles.
fn plane(bodies: usize) -> String {
    let mut poses = Poses2::new();
    (0..bodies).for_each(|body| _ = poses.push(pose2(body, 0.0)));
    poses.begin_step();
    (0..bodies).for_each(|body| _ = poses.set(body, pose2(body, 1.0)));
    let mut out = vec![Pose2::IDENTITY; bodies];
    let by_hand = |pose: Pose2| (Vec2::from(pose.position), pose.rotation.radians());
    let hand: Vec<_> = (0..bodies)
        .map(|body| [0.0, 1.0].map(|step| by_hand(pose2(body, step))))
        .collect();
    let mut drawn = vec![(Vec2::ZERO, 0.0_f32); bodies];
    comparison(
        "2D",
        bodies,
        4,
        ["Poses2::blend", "a plain loop: lerp, the shorter way round"],
        |alpha| {
            poses.blend(alpha, &mut out);
            black_box(&out);
        },
        |t| {
            for (out, [(older, from), (newer, to)]) in drawn.iter_mut().zip(&hand) {
                let turn = to - from;
                *out = (older.lerp(*newer, t), from + (turn - TAU * (turn / TAU).round()) * t);
            }
            black_box(&drawn);
        },
    )
}

/// Bodies in space that have all moved.
fn moved_in_space(bodies: usize) -> Poses3 {
    let mut poses = Poses3::new();
    (0..bodies).for_each(|body| _ = poses.push(pose3(body, 0.0)));
    poses.begin_step();
    (0..bodies).for_each(|body| _ = poses.set(body, pose3(body, 1.0)));
    poses
}

/// Compares in space; the plain loop has slerp.
fn space(bodies: usize) -> String {
    let mut poses = moved_in_space(bodies);
    let mut out = vec![Pose3::IDENTITY; bodies];
    let by_hand = |pose: Pose3| {
        let Quat { x, y, z, w } = pose.rotation;
        (Vec3::from(pose.position), glam::Quat::from_xyzw(x, y, z, w))
    };
    let hand: Vec<_> = (0..bodies)
        .map(|body| [0.0, 1.0].map(|step| by_hand(pose3(body, step))))
        .collect();
    let mut drawn = vec![(Vec3::ZERO, glam::Quat::IDENTITY); bodies];
    comparison(
        "3D",
        bodies,
        7,
        ["Poses3::blend", "a plain loop: lerp, slerp"],
        |alpha| {
            poses.blend(alpha, &mut out);
            black_box(&out);
        },
        |t| {
            for (out, [(older, from), (newer, to)]) in drawn.iter_mut().zip(&hand) {
                *out = (older.lerp(*newer, t), from.slerp(*to, t));
            }
            black_box(&drawn);
        },
    )
}

/// Compares blending by ranges on the two threads of a pool, and copying as many bytes, with the same on one thread.
fn on_two_threads(bodies: usize) -> String {
    const PART: usize = 4096;
    let turns = (WORK / bodies).max(1);
    let poses = moved_in_space(bodies);
    let pool = ThreadPoolBuilder::new().num_threads(2).build().expect("a pool");
    let (mut of_two, mut of_one) = (vec![Pose3::IDENTITY; bodies], vec![Pose3::IDENTITY; bodies]);
    let mut memcpy = Memcpy::of_bodies(bodies, 7);
    let mut memcpy_by_parts = Memcpy::of_bodies(bodies, 7);
    Comparison::new(&format!("3D, {bodies} bodies, each: ranges"), turns * bodies)
        .entry("Poses3::blend_range, two threads of rayon", || {
            for _ in 0..turns {
                let alpha = black_box(ALPHA);
                let parts = of_two.par_chunks_mut(PART).enumerate();
                pool.install(|| parts.for_each(|(number, part)| poses.blend_range(number * PART, alpha, part)));
                black_box(&of_two);
            }
        })
        .entry("Poses3::blend_range, one thread", || {
            for _ in 0..turns {
                poses.blend_range(0, black_box(ALPHA), &mut of_one);
                black_box(&of_one);
            }
        })
        .entry("memcpy of as many bytes, two threads", || {
            (0..turns).for_each(|_| pool.install(|| memcpy_by_parts.run_on_two()));
        })
        .entry("memcpy of as many bytes, one thread", || {
            (0..turns).for_each(|_| memcpy.run())
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
    let mut memcpy = Memcpy::of_bodies(BODIES, 7);
    Comparison::new("3D, 100 000 bodies that rest, each: a step and a frame", BODIES)
        .entry("memcpy of as many bytes", || memcpy.run())
        .entry("Poses3", || {
            poses.begin_step();
            poses.blend(black_box(ALPHA), &mut out);
            black_box(&out);
        })
        .run()
}
