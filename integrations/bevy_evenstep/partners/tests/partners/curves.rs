//! Cameras that follow Bevy's easing curves, in frames or in steps.

use bevy::prelude::*;
use bevy_evenstep::TransformInterpolation;

use crate::apps::{Loop, app};
use crate::frames::{begin, frame, frames};

const DISPLAYS: [u64; 4] = [30, 60, 144, 240];

#[derive(Component)]
struct Eye;

#[derive(Component)]
struct Target;

/// Where the camera is at a time in seconds.
fn curve(seconds: f32) -> Vec3 {
    let way = EasingCurve::new(Vec3::ZERO, Vec3::new(8.0, 3.0, 0.0), EaseFunction::SmoothStep);
    way.sample_clamped(seconds / 2.0)
}

fn drawn<T: Component>(app: &mut App) -> Vec3 {
    let mut query = app.world_mut().query_filtered::<&GlobalTransform, With<T>>();
    query.single(app.world()).unwrap().translation()
}

/// Calls `look` after each frame of two seconds, with the time in seconds.
fn play(app: &mut App, display: u64, mut look: impl FnMut(&mut App, f32)) {
    begin(app);
    for delta in frames(display, 2) {
        frame(app, delta);
        let seconds = app.world().resource::<Time<Virtual>>().elapsed_secs();
        look(app, seconds);
    }
}

#[test]
fn a_camera_on_a_curve_of_the_frames_time_is_drawn_on_the_curve() {
    for display in DISPLAYS {
        let mut app = app(Loop::Ours, 60);
        app.world_mut().spawn((Eye, Transform::default()));
        app.add_systems(Update, |mut eye: Single<&mut Transform, With<Eye>>, time: Res<Time>| {
            eye.translation = curve(time.elapsed_secs());
        });
        play(&mut app, display, |app, seconds| {
            assert_eq!(drawn::<Eye>(app), curve(seconds))
        });
    }
}

/// A step late, and off the curve by no more than a chord is: an eighth of the curvature by the period squared.
#[test]
fn a_camera_on_a_curve_of_the_steps_time_is_drawn_on_chords_of_the_curve_and_never_backwards() {
    for display in DISPLAYS {
        let mut app = app(Loop::Ours, 60);
        app.world_mut()
            .spawn((Eye, Transform::default(), TransformInterpolation));
        app.add_systems(
            FixedUpdate,
            |mut eye: Single<&mut Transform, With<Eye>>, time: Res<Time>| {
                eye.translation = curve(time.elapsed_secs());
            },
        );
        let curvature = 6.0 * Vec3::new(8.0, 3.0, 0.0).length() / (2.0 * 2.0);
        let chord = curvature / (60.0 * 60.0 * 8.0);
        let mut before = Vec3::ZERO;
        play(&mut app, display, |app, seconds| {
            let at = drawn::<Eye>(app);
            let expected = curve((seconds - 1.0 / 60.0).max(0.0));
            assert!(
                at.distance(expected) < chord + 1e-4,
                "{at} instead of {expected} at {seconds} s, {display} Hz"
            );
            assert!(at.x >= before.x, "{at} after {before}, {display} Hz");
            before = at;
        });
    }
}

#[test]
fn a_camera_on_a_curve_about_the_drawn_pose_of_its_target_does_not_shake_against_it() {
    for display in DISPLAYS {
        let mut app = app(Loop::Ours, 60);
        app.world_mut().spawn((Eye, Transform::default()));
        app.world_mut()
            .spawn((Target, Transform::default(), TransformInterpolation));
        app.add_systems(FixedUpdate, |mut target: Single<&mut Transform, With<Target>>| {
            target.translation.x += 0.1;
        });
        app.add_systems(
            Update,
            |mut eye: Single<&mut Transform, With<Eye>>,
             target: Single<&GlobalTransform, With<Target>>,
             time: Res<Time>| {
                eye.translation = target.translation() + curve(time.elapsed_secs());
            },
        );
        play(&mut app, display, |app, seconds| {
            assert_eq!(drawn::<Eye>(app), drawn::<Target>(app) + curve(seconds));
        });
    }
}
