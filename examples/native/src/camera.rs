//! Camera matrices.

use evenstep::Smoothed;
use evenstep::follow::LookAngles;
use evenstep::poses::{Pose3, Poses3, Quat};
use glam::camera::rh::{proj::directx::perspective, view::look_to_mat4};
use glam::{Mat4, Vec3};

/// The view-projection matrix of a camera at `eyes` that looks in the direction `ahead`, for a window whose height is `aspect` times its
/// width. Up is y.
#[must_use]
pub fn camera(aspect: f32, eyes: Vec3, ahead: Vec3) -> Mat4 {
    let lens = perspective(1.1, 1.0 / aspect, 0.05, 100.0);
    lens * look_to_mat4(eyes, ahead.normalize_or(Vec3::NEG_Z), Vec3::Y)
}

/// The view numbers for a shader: the matrix of a camera, the position and rotation of a body that is placed by the frame instead of a
/// step, and the camera's position `eyes`.
#[must_use]
pub fn view_of(camera: &Mat4, body: &Pose3, eyes: Vec3) -> [f32; 28] {
    let ([x, y, z], turn) = (body.position, body.rotation);
    let mut numbers = [0.0; 28];
    numbers[..16].copy_from_slice(&camera.to_cols_array());
    numbers[16..24].copy_from_slice(&[x, y, z, 0.0, turn.x, turn.y, turn.z, turn.w]);
    numbers[24..].copy_from_slice(&eyes.extend(1.0).to_array());
    numbers
}

/// The rotation of a player with these look angles. Without rotation the player looks along -z, with x to the right.
#[must_use]
pub fn turned(look: LookAngles) -> Quat {
    let yaw = Quat::from_scaled_axis([0.0, -look.yaw as f32, 0.0]);
    yaw.after(Quat::from_scaled_axis([look.pitch as f32, 0.0, 0.0]))
}

/// The last two states of a body; at the origin if there is no body with this number.
#[must_use]
pub fn states(poses: &Poses3, body: usize) -> Smoothed<Pose3> {
    let mut states = Smoothed::new(poses.previous(body).unwrap_or_default());
    states.begin_step();
    states.set(poses.current(body).unwrap_or_default());
    states
}
