//! What is spawned moving: a shot is drawn at its gun, wherever it is spawned.

use bevy_app::{
    App, FixedFirst, FixedLast, FixedPostUpdate, FixedPreUpdate, FixedUpdate, PostUpdate, PreUpdate, RunFixedMainLoop,
    RunFixedMainLoopSystems, Update,
};
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::ScheduleConfigs;
use bevy_ecs::system::ScheduleSystem;
use bevy_evenstep::{ExactLoopPlugin, PreviousTransform, SmoothTransform, SmoothTransformPlugin};
use bevy_math::Vec3;
use bevy_time::{Fixed, Time, TimePlugin};
use bevy_transform::components::{GlobalTransform, Transform};
use bevy_transform::{TransformPlugin, TransformSystems};

use crate::frames::{begin, frame, frames};

/// Flies with 30 a second.
#[derive(Component)]
struct Flies;

#[derive(Component)]
struct Gun;

#[derive(Component)]
struct Shot;

#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Flight;

const VELOCITY: f32 = 30.0;
const MUZZLE: f32 = 2.0;

fn fly(mut all: Query<&mut Transform, With<Flies>>, time: Res<Time>) {
    all.iter_mut()
        .for_each(|mut transform| transform.translation.x += VELOCITY * time.delta_secs());
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum How {
    Plain,
    Previous,
    /// The shot hung below the gun, in an own space, and is dropped.
    Dropped,
}

/// Shoots once, after 0.4 s.
fn shoot(
    how: How,
) -> impl FnMut(Query<&Transform, With<Gun>>, Query<Entity, With<Shot>>, Res<Time<Fixed>>, Local<bool>, Commands) {
    move |gun, shots, time, mut has_shot, mut commands| {
        if time.elapsed_secs() < 0.4 || core::mem::replace(&mut *has_shot, true) {
            return;
        }
        let at = |x| Transform::from_xyz(x, 0.0, 0.0);
        let muzzle = gun.single().unwrap().translation.x + MUZZLE;
        let previous = PreviousTransform(at(muzzle - VELOCITY * time.timestep().as_secs_f32()));
        match how {
            How::Plain => _ = commands.spawn((Shot, Flies, SmoothTransform, at(muzzle))),
            How::Previous => _ = commands.spawn((Shot, Flies, at(muzzle), previous)),
            How::Dropped => {
                let mut shot = commands.entity(shots.single().unwrap());
                shot.insert((Flies, at(muzzle), previous)).remove::<ChildOf>();
            }
        }
    }
}

type Add = fn(&mut App, ScheduleConfigs<ScheduleSystem>);

const SCHEDULES: [(&str, Add); 11] = [
    ("PreUpdate", |app, system| _ = app.add_systems(PreUpdate, system)),
    ("FixedFirst", |app, system| _ = app.add_systems(FixedFirst, system)),
    ("FixedPreUpdate", |app, system| {
        _ = app.add_systems(FixedPreUpdate, system)
    }),
    ("FixedUpdate, before what moves", |app, system| {
        _ = app.add_systems(FixedUpdate, system.before(Flight))
    }),
    ("FixedUpdate, after what moves", |app, system| {
        _ = app.add_systems(FixedUpdate, system.after(Flight))
    }),
    ("FixedPostUpdate", |app, system| {
        _ = app.add_systems(FixedPostUpdate, system)
    }),
    ("FixedLast", |app, system| _ = app.add_systems(FixedLast, system)),
    ("between", |app, system| {
        let system = system.after(RunFixedMainLoopSystems::FixedMainLoop);
        app.add_systems(
            RunFixedMainLoop,
            system.before(RunFixedMainLoopSystems::AfterFixedMainLoop),
        );
    }),
    ("after the fixed loop", |app, system| {
        app.add_systems(
            RunFixedMainLoop,
            system.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
        );
    }),
    ("Update", |app, system| _ = app.add_systems(Update, system)),
    ("PostUpdate", |app, system| {
        _ = app.add_systems(PostUpdate, system.before(TransformSystems::Propagate))
    }),
];

/// How far the shot is drawn from the gun, in each frame in which it is there.
fn distances(how: How, schedule: usize, hertz: u32, display: u64, is_exact: bool) -> Vec<f32> {
    let mut app = App::new();
    app.add_plugins((TimePlugin, TransformPlugin, SmoothTransformPlugin::default()));
    if is_exact {
        app.add_plugins(ExactLoopPlugin::hz(hertz));
    }
    app.insert_resource(Time::<Fixed>::from_hz(f64::from(hertz)))
        .add_systems(FixedUpdate, fly.in_set(Flight));
    SCHEDULES[schedule].1(&mut app, shoot(how).into_configs());
    let gun = app.world_mut().spawn((Gun, Flies, SmoothTransform)).id();
    if how == How::Dropped {
        app.world_mut().spawn((
            Shot,
            Transform::from_xyz(MUZZLE, 0.0, 0.0),
            SmoothTransform,
            ChildOf(gun),
        ));
    }
    begin(&mut app);
    let mut distances = vec![];
    for delta in frames(display, 1) {
        frame(&mut app, delta);
        let mut shots = app.world_mut().query_filtered::<&GlobalTransform, With<Shot>>();
        if let Some(shot) = shots.iter(app.world()).next() {
            let gun = app.world().get::<GlobalTransform>(gun).unwrap();
            distances.push((shot.translation() - gun.translation()).dot(Vec3::X));
        }
    }
    distances
}

fn off(distances: &[f32]) -> f32 {
    distances
        .iter()
        .map(|distance| (distance - MUZZLE).abs())
        .fold(0.0, f32::max)
}

#[test]
fn a_shot_is_drawn_at_its_gun_wherever_it_is_spawned_with_its_previous_pose() {
    for (schedule, (name, _)) in SCHEDULES.iter().enumerate() {
        for (hertz, display, is_exact) in [
            (20, 60, false),
            (20, 240, true),
            (60, 60, false),
            (60, 144, true),
            (144, 60, true),
            (144, 144, false),
        ] {
            for how in [How::Previous, How::Dropped] {
                let distances = distances(how, schedule, hertz, display, is_exact);
                assert!(distances.len() > 20);
                let off = off(&distances);
                assert!(off < 2e-4, "{how:?} in {name} at {hertz} and {display} Hz: {off}");
            }
        }
    }
}

#[test]
fn without_it_a_shot_has_to_be_spawned_before_what_moves_it() {
    for (schedule, (name, _)) in SCHEDULES.iter().enumerate() {
        for (hertz, display) in [(20, 60), (60, 144), (144, 240)] {
            let off = off(&distances(How::Plain, schedule, hertz, display, false));
            let step = VELOCITY / hertz as f32;
            assert!(off < step * 1.01, "{name} at {hertz} and {display} Hz: {off} of {step}");
            let is_before = ["FixedFirst", "FixedPreUpdate", "FixedUpdate, before what moves"].contains(name);
            assert_eq!(
                off < 2e-4,
                is_before,
                "{name} at {hertz} and {display} Hz: {off} of {step}"
            );
        }
    }
}
