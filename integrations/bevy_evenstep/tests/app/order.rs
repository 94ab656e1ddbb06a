//! Where in a frame poses are drawn, in every order of plugins and systems.

use bevy_app::{App, FixedUpdate, Last, RunFixedMainLoop, RunFixedMainLoopSystems};
use bevy_ecs::prelude::*;
use bevy_evenstep::{EvenstepSystems, ExactLoopPlugin, SmoothTransform, SmoothTransformPlugin};
use bevy_time::{Fixed, Time, TimePlugin};
use bevy_transform::TransformPlugin;
use bevy_transform::components::{GlobalTransform, Transform};

use crate::frames::{begin, frame, frames};

#[derive(Component)]
struct Ship;

#[derive(Component)]
struct Camera;

/// What systems around the drawing of poses find in a frame, and where the ship is seen from the camera.
#[derive(Resource, Default)]
struct Seen {
    simulated: f32,
    before: f32,
    between: f32,
    from_camera: f32,
}

type Ships<'w, 's> = Single<'w, 's, &'static Transform, (With<Ship>, Without<Camera>)>;

fn add_systems(app: &mut App) {
    app.add_systems(
        FixedUpdate,
        |mut ship: Single<&mut Transform, With<Ship>>, mut seen: ResMut<Seen>| {
            ship.translation.x += 1.0;
            seen.simulated = ship.translation.x;
        },
    );
    // In the place where Bevy has `prepare_for_interpolation`, with a command, and one that is ordered by the set.
    let between = |ship: Ships, mut seen: ResMut<Seen>, mut commands: Commands| {
        seen.between = ship.translation.x;
        commands.queue(|_: &mut World| {});
    };
    let before = |ship: Ships, mut seen: ResMut<Seen>| seen.before = ship.translation.x;
    let follow = |ship: Ships, mut camera: Single<&mut Transform, With<Camera>>| camera.translation = ship.translation;
    app.add_systems(
        RunFixedMainLoop,
        (
            between
                .after(RunFixedMainLoopSystems::FixedMainLoop)
                .before(RunFixedMainLoopSystems::AfterFixedMainLoop),
            before
                .in_set(RunFixedMainLoopSystems::AfterFixedMainLoop)
                .before(EvenstepSystems::Ease),
            follow.in_set(RunFixedMainLoopSystems::AfterFixedMainLoop),
        ),
    );
    app.add_systems(
        Last,
        |ship: Single<&GlobalTransform, With<Ship>>,
         camera: Single<&GlobalTransform, With<Camera>>,
         mut seen: ResMut<Seen>| {
            seen.from_camera = ship.translation().x - camera.translation().x;
        },
    );
}

#[test]
fn poses_are_drawn_after_what_comes_between_and_before_a_camera_after_the_fixed_loop() {
    for (systems_first, is_exact) in [(false, false), (true, false), (false, true), (true, true)] {
        for display in [30, 60, 144, 240] {
            let mut app = App::new();
            app.add_plugins((TimePlugin, TransformPlugin)).init_resource::<Seen>();
            if systems_first {
                add_systems(&mut app);
            }
            let plugin = SmoothTransformPlugin::default();
            app.add_plugins(if systems_first {
                plugin.with_globals_in_steps()
            } else {
                plugin
            });
            if is_exact {
                app.add_plugins(ExactLoopPlugin::hz(50));
            }
            app.insert_resource(Time::<Fixed>::from_hz(50.0));
            if !systems_first {
                add_systems(&mut app);
            }
            app.world_mut().spawn((Ship, SmoothTransform));
            app.world_mut().spawn((Camera, Transform::default()));
            begin(&mut app);
            for delta in frames(display, 1) {
                let steps = app.world().resource::<Seen>().simulated;
                frame(&mut app, delta);
                let seen = app.world().resource::<Seen>();
                let what = format!("systems first: {systems_first}, exact: {is_exact}, at {display}");
                assert_eq!(seen.from_camera, 0.0, "{what}");
                assert_eq!(seen.between, seen.before, "{what}");
                if seen.simulated != steps {
                    assert_eq!(seen.before, seen.simulated, "{what}");
                }
            }
        }
    }
}

/// Also if they were inserted before the plugins were added, or while the game runs.
#[test]
fn schedules_of_others_within_a_step_see_and_move_the_simulation() {
    use bevy_app::{FixedFirst, FixedLast, FixedMainScheduleOrder, Startup};
    use bevy_ecs::schedule::ScheduleLabel;

    #[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
    struct Before;
    #[derive(ScheduleLabel, Clone, Debug, PartialEq, Eq, Hash)]
    struct After;
    #[derive(Resource, Default)]
    struct Found(Vec<f32>);

    fn insert(mut order: ResMut<FixedMainScheduleOrder>) {
        order.insert_before(FixedFirst, Before);
        order.insert_after(FixedLast, After);
    }
    for when in 0..3 {
        for is_exact in [false, true] {
            let mut app = App::new();
            app.add_plugins((TimePlugin, TransformPlugin))
                .init_schedule(Before)
                .init_schedule(After);
            if when == 0 {
                app.world_mut().run_system_cached(insert).unwrap();
            }
            app.add_plugins(SmoothTransformPlugin::default());
            if is_exact {
                app.add_plugins(ExactLoopPlugin::hz(50));
            }
            match when {
                0 => {}
                1 => app.world_mut().run_system_cached(insert).unwrap(),
                _ => _ = app.add_systems(Startup, insert),
            }
            let find =
                |ship: Single<&Transform, With<Ship>>, mut found: ResMut<Found>| found.0.push(ship.translation.x);
            let fly = |mut ship: Single<&mut Transform, With<Ship>>| ship.translation.x += 1.0;
            app.insert_resource(Time::<Fixed>::from_hz(50.0))
                .init_resource::<Found>()
                .add_systems(Before, find)
                .add_systems(After, fly);
            app.world_mut().spawn((Ship, SmoothTransform));
            begin(&mut app);
            frames(144, 1).for_each(|delta| frame(&mut app, delta));
            let found = &app.world().resource::<Found>().0;
            let whole: Vec<f32> = (0..found.len()).map(|step| step as f32).collect();
            assert!(
                found.len() > 40 && *found == whole,
                "{when}, exact: {is_exact}: {found:?}"
            );
        }
    }
}
