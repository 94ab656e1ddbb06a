//! What is in the arena, and the ways of what moves by itself. Lengths in metres, times in seconds; y is up.

use evenstep::follow::LookAngles;
use evenstep::poses::{Pose3, Quat};
use glam::{Vec3, vec3};

/// The floor, walls and pillars.
pub(crate) const STILL: [([f32; 3], [f32; 3]); 9] = [
    ([0.0, -0.5, 0.0], [15.0, 0.5, 15.0]),
    ([0.0, 1.5, -15.5], [15.0, 1.5, 0.5]),
    ([0.0, 1.5, 15.5], [15.0, 1.5, 0.5]),
    ([-15.5, 1.5, 0.0], [0.5, 1.5, 15.0]),
    ([15.5, 1.5, 0.0], [0.5, 1.5, 15.0]),
    ([-7.0, 2.0, -7.0], [0.8, 2.0, 0.8]),
    ([7.0, 2.0, -7.0], [0.8, 2.0, 0.8]),
    ([-7.0, 2.0, 7.0], [0.8, 2.0, 0.8]),
    ([7.0, 2.0, 7.0], [0.8, 2.0, 0.8]),
];
pub(crate) const PLATFORM: Vec3 = vec3(1.6, 0.15, 1.6);
pub(crate) const PLATFORMS: usize = 3;
pub(crate) const TARGETS: usize = 6;
pub(crate) const SHOTS: usize = 16;
/// Where what is not in the game waits.
pub(crate) const AWAY: [f32; 3] = [0.0, -100.0, 0.0];

/// The first body of each kind.
pub(crate) const FIRST_PLATFORM: usize = STILL.len();
pub(crate) const FIRST_TARGET: usize = FIRST_PLATFORM + PLATFORMS;
pub(crate) const FIRST_SHOT: usize = FIRST_TARGET + TARGETS;
/// It is drawn where it hangs on what it stands on.
pub(crate) const PLAYER: usize = FIRST_SHOT + SHOTS;
pub(crate) const BODIES: usize = PLAYER + 1;

pub(crate) const PLAYER_HALF: Vec3 = vec3(0.35, 0.9, 0.35);
pub(crate) fn upright(place: [f32; 3]) -> Pose3 {
    Pose3::new(place, Quat::IDENTITY)
}

/// Half the size and the colour of each body.
pub(crate) fn looks() -> Vec<([f32; 3], [f32; 3])> {
    let still = STILL.iter().map(|(_, half)| (*half, [0.36, 0.39, 0.45]));
    let all = |count, half: Vec3, colour| std::iter::repeat_n((half.to_array(), colour), count);
    let platforms = all(PLATFORMS, PLATFORM, [0.29, 0.87, 0.5]);
    let targets = all(TARGETS, Vec3::splat(0.5), [0.98, 0.57, 0.24]);
    let shots = all(SHOTS, Vec3::splat(0.1), [0.98, 0.9, 0.6]);
    let player = all(1, PLAYER_HALF, [0.49, 0.67, 1.0]);
    still
        .chain(platforms)
        .chain(targets)
        .chain(shots)
        .chain(player)
        .collect()
}

/// Where a platform is at a time: one goes to and fro, one up and down, one around.
pub(crate) fn platform(index: usize, time: f32) -> Pose3 {
    match index {
        0 => upright([-3.0 + 4.0 * (0.8 * time).sin(), 0.15, 3.0]),
        1 => upright([4.0, 1.75 - 1.6 * (0.6 * time).cos(), -2.0]),
        _ => {
            let (sin, cos) = (0.5 * time).sin_cos();
            Pose3::new(
                [10.0 * cos, 3.0, 10.0 * sin],
                Quat::from_scaled_axis([0.0, -0.5 * time, 0.0]),
            )
        }
    }
}

/// Where a target is that was hit so often.
pub(crate) fn target(index: usize, hits: usize) -> Pose3 {
    let angle = 1.047 * index as f32 + 2.4 * hits as f32;
    let place = [9.0 * angle.sin(), 1.5 + (index % 3) as f32, -9.0 * angle.cos()];
    Pose3::new(place, Quat::from_scaled_axis([0.3, angle, 0.0]))
}

/// Where someone looks: ahead is to -z.
pub(crate) fn direction(look: LookAngles) -> Vec3 {
    let (sin, cos) = (look.yaw as f32).sin_cos();
    let (up, level) = (look.pitch as f32).sin_cos();
    vec3(sin * level, up, -cos * level)
}
