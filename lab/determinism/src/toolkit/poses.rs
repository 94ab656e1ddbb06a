//! `Poses2`, `Poses3` and bodies with velocities, drawn at fixed alphas in every way.

use std::time::Duration;

use evenstep::Smoothing;
use evenstep::poses::{Motion2, Motion3, Motions2, Motions3, Pose2, Pose3, Poses2, Poses3, Quat, Rot2};
use fastrand::Rng;

use crate::bits::Bits;

/// The number of bodies: more than one block, and not a whole number of blocks.
const BODIES: usize = 75;

/// Poses take one step per this number of frames, because each step blends all bodies several times.
const FRAMES_PER_STEP: u32 = 100;

const ALPHAS: [f64; 5] = [0.0, 0.125, 0.3, 0.75, 0.999];

const SMOOTHINGS: [Smoothing; 4] = [
    Smoothing::None,
    Smoothing::Interpolate,
    Smoothing::Hermite,
    Smoothing::Extrapolate {
        horizon: Duration::from_millis(30),
    },
];

pub(super) fn run(frames: u32) -> u64 {
    let (mut random, mut bits) = (Rng::with_seed(51), Bits::default());
    let (mut plane, mut space) = (Poses2::new(), Poses3::new());
    let (mut slides, mut spins) = (Motions2::new(), Motions3::new());
    for _ in 0..BODIES {
        plane.push(pose2(&mut random));
        space.push(pose3(&mut random));
        slides.push(motion2(&mut random));
        spins.push(motion3(&mut random));
    }
    let (mut flat, mut deep) = (vec![Pose2::IDENTITY; BODIES], vec![Pose3::IDENTITY; BODIES]);
    let (mut flat_matrices, mut deep_matrices) = (vec![Default::default(); BODIES], vec![Default::default(); BODIES]);
    for step in 0..frames / FRAMES_PER_STEP {
        move_some(&mut random, &mut plane, &mut space, &mut slides, &mut spins);
        let alpha = ALPHAS[step as usize % ALPHAS.len()];
        plane.blend(alpha, &mut flat);
        space.blend(alpha, &mut deep);
        take(&mut bits, &flat, &deep);
        plane.blend_all_matrices(alpha, &mut flat_matrices);
        space.blend_all_matrices(alpha, &mut deep_matrices);
        flat_matrices
            .iter()
            .for_each(|matrix: &[[f32; 2]; 3]| bits.floats(matrix.as_flattened()));
        deep_matrices
            .iter()
            .for_each(|matrix: &[[f32; 4]; 4]| bits.floats(matrix.as_flattened()));
        let smoothing = SMOOTHINGS[step as usize % SMOOTHINGS.len()];
        slides.blend_with(smoothing, alpha, 1.0 / 60.0, &mut flat);
        spins.blend_with(smoothing, alpha, 1.0 / 60.0, &mut deep);
        take(&mut bits, &flat, &deep);
    }
    bits.finish()
}

/// A step in which most bodies turn a little, some a lot, one jumps and some rest.
fn move_some(random: &mut Rng, plane: &mut Poses2, space: &mut Poses3, slides: &mut Motions2, spins: &mut Motions3) {
    plane.begin_step();
    space.begin_step();
    slides.begin_step();
    spins.begin_step();
    for body in 0..BODIES {
        let by = if random.u32(0..20) == 0 { 2.0 } else { 0.03 };
        match random.u32(0..100) {
            0 => {
                plane.teleport(body, pose2(random));
            }
            1..20 => {}
            _ => {
                let pose = plane.current(body).unwrap_or_default();
                plane.set(
                    body,
                    Pose2::new(pose.position.map(|x| x + by), pose.rotation.turned(by)),
                );
                let pose = space.current(body).unwrap_or_default();
                let turn = Quat::from_scaled_axis([by, -0.5 * by, 0.2]);
                space.set(
                    body,
                    Pose3::new(pose.position.map(|x| x - by), turn.after(pose.rotation)),
                );
                slides.set(body, motion2(random));
                spins.set(body, motion3(random));
            }
        }
    }
}

/// A random number from −10 to 10.
fn number(random: &mut Rng) -> f32 {
    random.i32(-30_000..=30_000) as f32 / 3_000.0
}

fn numbers<const N: usize>(random: &mut Rng) -> [f32; N] {
    std::array::from_fn(|_| number(random))
}

fn pose2(random: &mut Rng) -> Pose2 {
    Pose2::new(numbers(random), Rot2::from_radians(number(random)))
}

fn pose3(random: &mut Rng) -> Pose3 {
    Pose3::new(numbers(random), Quat::from_scaled_axis(numbers(random)))
}

fn motion2(random: &mut Rng) -> Motion2 {
    Motion2 {
        pose: pose2(random),
        velocity: numbers(random),
        angular_velocity: number(random),
    }
}

fn motion3(random: &mut Rng) -> Motion3 {
    Motion3 {
        pose: pose3(random),
        velocity: numbers(random),
        angular_velocity: numbers(random),
    }
}

/// Positions, rotations, and their angles, which come from sines and their inverses.
fn take(bits: &mut Bits, flat: &[Pose2], deep: &[Pose3]) {
    for Pose2 { position, rotation } in flat {
        bits.floats(position);
        bits.floats(&[rotation.cos, rotation.sin, rotation.radians()]);
    }
    for Pose3 { position, rotation } in deep {
        bits.floats(position);
        bits.floats(&[rotation.x, rotation.y, rotation.z, rotation.w]);
        bits.floats(&rotation.to_scaled_axis());
    }
}
