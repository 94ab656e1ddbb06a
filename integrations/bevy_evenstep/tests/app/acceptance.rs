//! The same game under Bevy's loop without the plugins, with them, and under the exact loop: what Bevy's users expect stays true.

use std::time::Duration;

use bevy_app::{App, FixedFirst, FixedLast, FixedMain, FixedUpdate, Last, PostUpdate, PreUpdate, Update};
use bevy_ecs::hierarchy::ChildOf;
use bevy_ecs::prelude::*;
use bevy_evenstep::{
    EvenstepPlugins, ExactLoopPlugin, LastFrame, NoSmoothTransform, SmoothTransform, SmoothTransformPlugin, Teleport,
};
use bevy_math::{Quat, Vec3};
use bevy_time::{Fixed, Time, TimePlugin, Timer, TimerMode, Virtual};
use bevy_transform::components::{GlobalTransform, Transform};
use bevy_transform::{TransformPlugin, TransformSystems};

use crate::frames::{begin, frame, frames};

const DISPLAYS: [u64; 4] = [30, 60, 144, 240];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Bevy's loop, without smoothing.
    Bevy,
    /// Bevy's loop with the plugins.
    Ours,
    /// The exact loop with the plugins.
    Exact,
}

const ALL: [Kind; 3] = [Kind::Bevy, Kind::Ours, Kind::Exact];
const SMOOTHED: [Kind; 2] = [Kind::Ours, Kind::Exact];

fn app_with(kind: Kind, hertz: u32, smooth: SmoothTransformPlugin) -> App {
    use bevy_app::PluginGroup;
    let mut app = App::new();
    app.add_plugins((TimePlugin, TransformPlugin));
    match kind {
        Kind::Bevy => _ = app.insert_resource(Time::<Fixed>::from_hz(f64::from(hertz))),
        Kind::Ours => {
            app.add_plugins(EvenstepPlugins.set(smooth));
            app.insert_resource(Time::<Fixed>::from_hz(f64::from(hertz)));
        }
        Kind::Exact => _ = app.add_plugins((EvenstepPlugins.set(smooth), ExactLoopPlugin::hz(hertz))),
    }
    app.init_resource::<Log>();
    app
}

/// 64 steps a second, which are whole nanoseconds.
fn app(kind: Kind) -> App {
    app_with(kind, 64, SmoothTransformPlugin::default())
}

fn play(app: &mut App, display: u64, seconds: u64) {
    begin(app);
    frames(display, seconds).for_each(|delta| frame(app, delta));
}

#[derive(Resource, Default)]
struct Log(Vec<f32>);

fn log(app: &App) -> &[f32] {
    &app.world().resource::<Log>().0
}

#[derive(Component)]
struct Ship;

#[derive(Component)]
struct Camera;

/// Moves by one a step.
fn fly(mut ships: Query<&mut Transform, With<Ship>>) {
    ships.iter_mut().for_each(|mut ship| ship.translation.x += 1.0);
}

/// Where the ship is drawn.
fn log_drawn(ship: Single<&GlobalTransform, With<Ship>>, mut log: ResMut<Log>) {
    log.0.push(ship.translation().x);
}

/// How far the ship is drawn from the camera.
fn log_from_camera(
    ship: Single<&GlobalTransform, With<Ship>>,
    camera: Single<&GlobalTransform, With<Camera>>,
    mut log: ResMut<Log>,
) {
    log.0.push(ship.translation().x - camera.translation().x);
}

fn spawn_ship(app: &mut App, kind: Kind) -> Entity {
    let ship = app.world_mut().spawn((Ship, Transform::default())).id();
    if kind != Kind::Bevy {
        app.world_mut().entity_mut(ship).insert(SmoothTransform);
    }
    ship
}

/// The simulated pose of a smoothed entity, which it has without the component.
fn simulated(app: &mut App, entity: Entity) -> Transform {
    app.world_mut().entity_mut(entity).remove::<SmoothTransform>();
    *app.world().get::<Transform>(entity).unwrap()
}

/// Small angles between rotations, which an arc cosine rounds to zero or to several thousandths.
fn angle(one: Quat, other: Quat) -> f32 {
    (one.normalize() * other.normalize().inverse()).xyz().length() * 2.0
}

fn on_screen(app: &App, entity: Entity) -> Vec3 {
    app.world().get::<GlobalTransform>(entity).unwrap().translation()
}

#[cfg(feature = "input")]
#[test]
fn each_press_is_seen_in_one_step() {
    use bevy_evenstep::StepInput;
    use bevy_input::ButtonState;
    use bevy_input::keyboard::{Key, KeyCode, KeyboardInput};
    for kind in SMOOTHED {
        for (display, pressed) in DISPLAYS.into_iter().zip([17.0, 34.0, 82.0, 137.0]) {
            let mut app = app(kind);
            app.add_systems(FixedUpdate, |input: Res<StepInput>, mut log: ResMut<Log>| {
                log.0.push(input.presses(KeyCode::Space) as f32);
            });
            begin(&mut app);
            let window = app.world_mut().spawn_empty().id();
            for (number, delta) in frames(display, 4).enumerate() {
                let state = match (number + 1) % 7 {
                    0 => Some(ButtonState::Pressed),
                    1 if number > 0 => Some(ButtonState::Released),
                    _ => None,
                };
                if let Some(state) = state {
                    app.world_mut().write_message(KeyboardInput {
                        key_code: KeyCode::Space,
                        logical_key: Key::Space,
                        state,
                        text: None,
                        repeat: false,
                        window,
                    });
                }
                frame(&mut app, delta);
            }
            // The last one may belong to the step that is still to come.
            frame(&mut app, Duration::from_millis(16));
            assert_eq!(log(&app).iter().sum::<f32>(), pressed, "{kind:?} at {display}");
        }
    }
}

/// The steps in which cooldowns are over, and how many steps there are.
fn shots(kind: Kind, hertz: u32) -> ([Vec<f32>; 3], f32) {
    let mut app = app_with(kind, hertz, SmoothTransformPlugin::default());
    #[derive(Resource, Default)]
    struct Shots([Vec<f32>; 3]);
    let mut timers = [0.05, 0.1, 0.25].map(|cooldown| Timer::from_seconds(cooldown, TimerMode::Once));
    app.init_resource::<Shots>().add_systems(
        FixedUpdate,
        move |time: Res<Time>, mut shots: ResMut<Shots>, mut steps: Local<f32>| {
            for (timer, shots) in timers.iter_mut().zip(&mut shots.0) {
                if timer.tick(time.delta()).is_finished() {
                    timer.reset();
                    shots.push(*steps);
                }
            }
            *steps += 1.0;
        },
    );
    play(&mut app, 30, 10);
    let fixed = app.world().resource::<Time<Fixed>>();
    let steps = fixed.elapsed().as_nanos() / fixed.timestep().as_nanos();
    (app.world_mut().remove_resource::<Shots>().unwrap().0, steps as f32)
}

#[test]
fn timers_fire_in_the_steps_of_bevys_loop_at_every_common_rate() {
    for hertz in [24, 30, 60, 64, 90, 120, 240] {
        let (expected, steps) = shots(Kind::Bevy, hertz);
        assert_eq!(shots(Kind::Ours, hertz), (expected.clone(), steps));
        // The exact loop is at most the one step ahead that Bevy's is behind after ten seconds.
        let (exact, exact_steps) = shots(Kind::Exact, hertz);
        assert!(
            (0.0..=1.0).contains(&(exact_steps - steps)),
            "{exact_steps} and {steps} steps at {hertz} Hz"
        );
        let until = exact.map(|shots| shots.into_iter().filter(|step| *step < steps).collect::<Vec<_>>());
        assert_eq!(until, expected, "{hertz} Hz");
    }
}

#[test]
fn the_rate_is_set_by_bevys_own_means_before_the_first_step_and_while_it_runs() {
    for kind in ALL {
        let mut app = app(kind);
        app.insert_resource(Time::<Fixed>::from_hz(128.0))
            .add_systems(FixedUpdate, |mut log: ResMut<Log>| log.0.push(1.0));
        play(&mut app, 60, 1);
        assert_eq!(log(&app).len(), 128, "{kind:?}");
        app.world_mut().resource_mut::<Time<Fixed>>().set_timestep_hz(20.0);
        frames(60, 2).for_each(|delta| frame(&mut app, delta));
        assert_eq!(log(&app).len(), 128 + 40, "{kind:?}");
    }
}

/// How much the target moves on the screen from frame to frame, where a camera in this schedule copies its `Transform`.
fn shake(kind: Kind, display: u64, by_global: bool, after_update: bool) -> f32 {
    let mut app = app(kind);
    let ship = spawn_ship(&mut app, kind);
    let camera = app.world_mut().spawn((Camera, Transform::default())).id();
    let copy = move |mut all: Query<(&mut Transform, &GlobalTransform)>| {
        let (local, global) = all.get(ship).unwrap();
        let place = if by_global {
            global.translation()
        } else {
            local.translation
        };
        all.get_mut(camera).unwrap().0.translation = place;
    };
    app.add_systems(FixedUpdate, fly);
    if after_update {
        app.add_systems(PostUpdate, copy.before(TransformSystems::Propagate));
    } else {
        app.add_systems(Update, copy);
    }
    app.add_systems(Last, log_from_camera);
    play(&mut app, display, 2);
    let settled = &log(&app)[50..];
    settled.windows(2).map(|pair| (pair[1] - pair[0]).abs()).sum::<f32>() / settled.len() as f32
}

#[test]
fn a_camera_that_copies_transforms_does_not_shake() {
    for display in DISPLAYS {
        for kind in ALL {
            for after_update in [false, true] {
                assert_eq!(shake(kind, display, false, after_update), 0.0, "{kind:?} at {display}");
            }
        }
        for kind in SMOOTHED {
            let bevys = shake(Kind::Bevy, display, true, false);
            let ours = shake(kind, display, true, false);
            assert!(
                ours <= bevys + 1e-4,
                "{kind:?} at {display}: {ours}, without plugins {bevys}"
            );
        }
    }
}

#[test]
fn a_muzzle_is_where_the_simulation_has_it_in_steps_if_that_is_asked_for() {
    for kind in SMOOTHED {
        for display in DISPLAYS {
            let mut app = app_with(kind, 64, SmoothTransformPlugin::default().with_globals_in_steps());
            let ship = spawn_ship(&mut app, kind);
            let muzzle = app
                .world_mut()
                .spawn((Transform::from_xyz(2.0, 0.0, 0.0), ChildOf(ship)))
                .id();
            let shoot = move |places: Query<(&Transform, &GlobalTransform)>, mut log: ResMut<Log>| {
                let muzzle = places.get(muzzle).unwrap().1.translation().x;
                log.0.push(muzzle - 2.0 - places.get(ship).unwrap().0.translation.x);
            };
            app.add_systems(FixedUpdate, (shoot, fly).chain());
            // And in `Update` it is where it is drawn in this frame.
            app.add_systems(Update, shoot);
            play(&mut app, display, 2);
            assert!(
                log(&app).len() > 128 && log(&app).iter().all(|off| off.abs() < 1e-4),
                "{kind:?} at {display}"
            );
        }
    }
}

#[test]
fn sorting_by_height_in_update_is_even() {
    for kind in ALL {
        for display in DISPLAYS {
            let mut app = app(kind);
            spawn_ship(&mut app, kind);
            app.add_systems(FixedUpdate, fly)
                .add_systems(Update, |mut ships: Query<&mut Transform, With<Ship>>| {
                    ships
                        .iter_mut()
                        .for_each(|mut ship| ship.translation.z = -ship.translation.x);
                })
                .add_systems(
                    Last,
                    |ship: Single<&GlobalTransform, With<Ship>>, mut log: ResMut<Log>| {
                        log.0.push(ship.translation().x + ship.translation().z);
                    },
                );
            play(&mut app, display, 2);
            assert!(log(&app).iter().all(|off| *off == 0.0), "{kind:?} at {display}");
        }
    }
}

#[test]
fn steps_and_additions_in_update_or_pre_update_both_count_in_full() {
    fn drift(mut ships: Query<&mut Transform, With<Ship>>, time: Res<Time>) {
        for mut ship in &mut ships {
            ship.translation.y += 10.0 * time.delta_secs();
            ship.translation.x += 10.0 * time.delta_secs();
        }
    }
    for kind in ALL {
        for display in DISPLAYS {
            for in_update in [true, false] {
                let mut app = app(kind);
                let ship = spawn_ship(&mut app, kind);
                app.add_systems(FixedUpdate, |mut ships: Query<&mut Transform, With<Ship>>| {
                    for mut ship in &mut ships {
                        ship.translation.x += 1.0;
                        ship.translation.z += 1.0;
                    }
                });
                if in_update {
                    app.add_systems(Update, drift);
                } else {
                    app.add_systems(PreUpdate, drift);
                }
                play(&mut app, display, 3);
                let Vec3 { x, y, z } = simulated(&mut app, ship).translation;
                assert_eq!(z, 192.0, "{kind:?} at {display}");
                assert!(
                    (y - 30.0).abs() < 1e-3 && (x - 222.0).abs() < 2e-3,
                    "{kind:?} at {display}: {x}, {y}"
                );
            }
        }
    }
}

#[test]
fn a_component_that_is_removed_leaves_the_simulated_pose_and_no_smoothed_frame() {
    for kind in SMOOTHED {
        for display in DISPLAYS {
            for by_opting_out in [false, true] {
                let mut app = app(kind);
                let ship = spawn_ship(&mut app, kind);
                app.add_systems(FixedUpdate, fly);
                app.add_systems(Update, move |mut commands: Commands, mut frames: Local<u32>| {
                    *frames += 1;
                    match (*frames == 41, by_opting_out) {
                        (true, true) => _ = commands.entity(ship).insert(NoSmoothTransform),
                        (true, false) => _ = commands.entity(ship).remove::<SmoothTransform>(),
                        _ => {}
                    }
                });
                app.add_systems(Last, log_drawn);
                play(&mut app, display, 2);
                assert!(
                    log(&app)[40..].iter().all(|x| x.fract() == 0.0),
                    "{kind:?} at {display}"
                );
                assert_eq!(log(&app).last(), Some(&128.0));
            }
        }
    }
}

#[test]
fn a_teleport_in_a_step_is_not_drawn_on_the_way() {
    for kind in SMOOTHED {
        for display in DISPLAYS {
            let mut app = app(kind);
            spawn_ship(&mut app, kind);
            let mut steps = 0;
            app.add_systems(
                FixedUpdate,
                move |ship: Single<(&mut Transform, &mut Teleport), With<Ship>>| {
                    let (mut ship, mut teleport) = ship.into_inner();
                    steps += 1;
                    if steps == 50 {
                        ship.translation.x += 1000.0;
                        teleport.mark();
                    } else {
                        ship.translation.x += 1.0;
                    }
                },
            )
            .add_systems(Last, log_drawn);
            play(&mut app, display, 2);
            assert!(
                log(&app).iter().all(|x| *x <= 49.0 || *x >= 1049.0),
                "{kind:?} at {display}"
            );
            assert!(log(&app).last().is_some_and(|x| *x > 1100.0));
        }
    }
}

#[test]
fn a_place_that_is_set_in_update_is_drawn_in_that_frame_and_a_step_off_at_most_or_with_a_teleport_exact() {
    for kind in SMOOTHED {
        for display in DISPLAYS {
            for by_teleport in [false, true] {
                let mut app = app(kind);
                let ship = spawn_ship(&mut app, kind);
                app.add_systems(FixedUpdate, fly);
                play(&mut app, display, 1);
                app.add_systems(
                    Update,
                    move |ship: Single<(&mut Transform, &mut Teleport), With<Ship>>, mut done: Local<bool>| {
                        let (mut ship, mut teleport) = ship.into_inner();
                        if !core::mem::replace(&mut *done, true) {
                            ship.translation = Vec3::new(500.25, 3.0, 0.0);
                            if by_teleport {
                                teleport.mark();
                            }
                        }
                    },
                );
                frame(&mut app, Duration::from_millis(7));
                assert_eq!(
                    on_screen(&app, ship),
                    Vec3::new(500.25, 3.0, 0.0),
                    "{kind:?} at {display}"
                );
                let simulated = simulated(&mut app, ship).translation;
                assert_eq!(simulated.y, 3.0);
                let off = simulated.x - 500.25;
                assert!(
                    if by_teleport { off == 0.0 } else { off.abs() <= 1.0 },
                    "{off}: {kind:?} at {display}"
                );
            }
        }
    }
}

#[test]
fn a_clamp_in_update_holds_to_the_motion_of_a_step() {
    for kind in SMOOTHED {
        for display in DISPLAYS {
            let mut app = app(kind);
            let ship = spawn_ship(&mut app, kind);
            app.add_systems(FixedUpdate, fly)
                .add_systems(Update, |mut ships: Query<&mut Transform, With<Ship>>| {
                    for mut ship in &mut ships {
                        ship.translation.x = ship.translation.x.min(50.0);
                    }
                })
                .add_systems(Last, log_drawn);
            play(&mut app, display, 3);
            assert!(log(&app).iter().all(|x| *x <= 50.0), "{kind:?} at {display}");
            let x = simulated(&mut app, ship).translation.x;
            assert!((50.0..=51.0).contains(&x), "{x}: {kind:?} at {display}");
        }
    }
}

#[test]
fn rotations_in_update_are_those_without_smoothing() {
    let turned = |kind, display, local: bool, by_steps: bool| {
        let mut app = app(kind);
        let ship = spawn_ship(&mut app, kind);
        if by_steps {
            app.add_systems(FixedUpdate, |mut ships: Query<&mut Transform, With<Ship>>| {
                ships.iter_mut().for_each(|mut ship| ship.rotate_x(0.03));
            });
        }
        app.add_systems(
            Update,
            move |mut ships: Query<&mut Transform, With<Ship>>, time: Res<Time>| {
                for mut ship in &mut ships {
                    let by = Quat::from_rotation_y(time.delta_secs()) * Quat::from_rotation_z(0.3 * time.delta_secs());
                    if local {
                        ship.rotate_local(by);
                    } else {
                        ship.rotate(by);
                    }
                }
            },
        );
        play(&mut app, display, 2);
        simulated(&mut app, ship).rotation
    };
    for display in DISPLAYS {
        for (local, by_steps) in [(false, true), (false, false), (true, false)] {
            let expected = turned(Kind::Bevy, display, local, by_steps);
            for kind in SMOOTHED {
                let turned = turned(kind, display, local, by_steps);
                // Without a rotation by steps the bits are those that are written.
                let is_right = if by_steps {
                    angle(turned, expected) < 1e-4
                } else {
                    turned == expected
                };
                assert!(is_right, "{turned} and {expected}: {kind:?} at {display}");
            }
        }
    }
}

/// How often transforms were found changed: of what rests and of what moves, in steps, and the same in `Update`.
fn changes(kind: Kind, display: u64) -> [u32; 4] {
    #[derive(Resource, Default)]
    struct Changes([u32; 4]);
    fn count<const WHERE: usize>(
        changed: Query<Has<Ship>, Changed<Transform>>,
        mut changes: ResMut<Changes>,
        mut is_first: Local<Option<()>>,
    ) {
        // A new system takes all for changed.
        if is_first.replace(()).is_some() {
            for moves in &changed {
                changes.0[WHERE + usize::from(moves)] += 1;
            }
        }
    }
    let mut app = app(kind);
    spawn_ship(&mut app, kind);
    let rests = app.world_mut().spawn(Transform::default()).id();
    if kind != Kind::Bevy {
        app.world_mut().entity_mut(rests).insert(SmoothTransform);
    }
    app.init_resource::<Changes>()
        .add_systems(FixedUpdate, (count::<0>, fly).chain())
        .add_systems(Update, count::<2>);
    play(&mut app, display, 2);
    app.world().resource::<Changes>().0
}

#[test]
fn what_rests_is_never_marked_as_changed_and_what_moves_in_the_same_steps_as_under_bevys_loop_and_in_each_frame() {
    for display in DISPLAYS {
        let [_, moves_in_steps, _, moves_in_frames] = changes(Kind::Bevy, display);
        for kind in SMOOTHED {
            let [rests_in_steps, moves, rests, drawn] = changes(kind, display);
            assert_eq!([rests_in_steps, rests], [0, 0], "{kind:?} at {display}");
            assert_eq!(moves, moves_in_steps, "{kind:?} at {display}");
            // In the frames before the first step it rests.
            let frames = 2 * display as u32;
            assert!(
                drawn >= moves_in_frames && (frames - 5..=frames).contains(&drawn),
                "{kind:?} at {display}: {drawn}, without smoothing {moves_in_frames}"
            );
        }
    }
}

#[test]
fn slow_frames_pauses_and_other_speeds_are_as_under_bevys_loop() {
    let played = |kind| {
        let mut app = app(kind);
        let ship = spawn_ship(&mut app, kind);
        app.add_systems(FixedUpdate, fly);
        play(&mut app, 60, 1);
        let mut states = vec![];
        frame(&mut app, Duration::from_millis(250));
        frame(&mut app, Duration::from_millis(700)); // Bevy accepts 250 ms
        app.world_mut().resource_mut::<Time<Virtual>>().pause();
        frames(60, 1).for_each(|delta| frame(&mut app, delta));
        let before = on_screen(&app, ship).x;
        frames(60, 1).for_each(|delta| frame(&mut app, delta));
        assert_eq!(on_screen(&app, ship).x, before, "it stands still");
        app.world_mut().resource_mut::<Time<Virtual>>().unpause();
        for speed in [0.25, 3.0] {
            app.world_mut()
                .resource_mut::<Time<Virtual>>()
                .set_relative_speed(speed);
            frames(144, 1).for_each(|delta| frame(&mut app, delta));
            states.push(app.world().resource::<Time<Fixed>>().elapsed());
        }
        (states, simulated(&mut app, ship).translation.x)
    };
    let bevys = played(Kind::Bevy);
    assert_eq!(played(Kind::Ours), bevys);
    assert_eq!(played(Kind::Exact), bevys);
}

#[test]
fn steps_see_the_same_bits_at_every_frame_rate() {
    let played = |kind, display| {
        let mut app = app(kind);
        spawn_ship(&mut app, kind);
        app.add_systems(
            FixedFirst,
            move |ship: Single<&Transform, With<Ship>>, mut log: ResMut<Log>| {
                log.0.extend(ship.translation.to_array());
                log.0.extend(ship.rotation.to_array());
            },
        );
        app.add_systems(FixedUpdate, |mut ships: Query<&mut Transform, With<Ship>>| {
            for mut ship in &mut ships {
                ship.rotate_y(0.1);
                ship.rotate_local_x(0.03);
                let ahead = ship.forward() * 0.1;
                ship.translation += ahead;
                ship.translation.y = -0.0;
            }
        });
        play(&mut app, display, 3);
        log(&app).iter().map(|number| number.to_bits()).collect::<Vec<u32>>()
    };
    let expected = played(Kind::Bevy, 60);
    for kind in SMOOTHED {
        for display in DISPLAYS {
            assert!(played(kind, display) == expected, "{kind:?} at {display}");
        }
    }
}

/// What is done to a child that a rotating parent carries, after a second.
#[derive(Clone, Copy, Debug)]
enum Change {
    Leave,
    Move,
    LeaveAndSet,
}

/// The pose of the child in each step, in the world.
fn hierarchy(kind: Kind, display: u64, change: Option<Change>, child_is_smoothed: bool) -> Vec<Transform> {
    let mut app = app(kind);
    let parent = spawn_ship(&mut app, kind);
    let other = spawn_ship(&mut app, kind);
    app.world_mut().get_mut::<Transform>(other).unwrap().translation.z = 7.0;
    let child = (Transform::from_xyz(3.0, 0.0, 0.0), ChildOf(parent), Camera);
    let child = app.world_mut().spawn(child).id();
    if kind != Kind::Bevy && child_is_smoothed {
        app.world_mut().entity_mut(child).insert(SmoothTransform);
    }
    #[derive(Resource, Default)]
    struct Poses(Vec<Transform>);
    app.init_resource::<Poses>();
    app.add_systems(FixedUpdate, |mut ships: Query<&mut Transform, Without<ChildOf>>| {
        for mut ship in &mut ships {
            ship.translation.x += 0.1;
            ship.rotate_y(0.02);
        }
    });
    app.add_systems(FixedUpdate, |mut children: Query<&mut Transform, With<ChildOf>>| {
        children.iter_mut().for_each(|mut child| child.translation.y += 0.1);
    });
    app.add_systems(
        FixedLast,
        move |parents: Query<&ChildOf>, locals: Query<&Transform>, mut poses: ResMut<Poses>| {
            let mut pose = *locals.get(child).unwrap();
            if let Ok(parent) = parents.get(child) {
                pose = locals.get(parent.parent()).unwrap().mul_transform(pose);
            }
            poses.0.push(pose);
        },
    );
    play(&mut app, display, 1);
    // In a frame without a step what `GlobalTransform` has is that of the last step without smoothing.
    frame(&mut app, Duration::from_millis(1));
    app.add_systems(Update, move |mut commands: Commands, mut done: Local<bool>| {
        if core::mem::replace(&mut *done, true) {
            return;
        }
        let mut child = commands.entity(child);
        match change {
            None => {}
            Some(Change::Leave) => _ = child.remove::<ChildOf>(),
            Some(Change::Move) => _ = child.insert(ChildOf(other)),
            Some(Change::LeaveAndSet) => _ = child.remove::<ChildOf>().insert(Transform::from_xyz(9.0, 9.0, 9.0)),
        }
    });
    frame(&mut app, Duration::from_millis(1));
    let some = display as usize / 5;
    frames(display, 1).take(some).for_each(|delta| frame(&mut app, delta));
    app.world().resource::<Poses>().0.clone()
}

#[test]
fn changes_of_parents_in_update_are_those_without_smoothing() {
    use Change::{Leave, LeaveAndSet, Move};
    for change in [Leave, Move, LeaveAndSet] {
        for display in DISPLAYS {
            let expected = hierarchy(Kind::Bevy, display, Some(change), false);
            for kind in SMOOTHED {
                for child_is_smoothed in [true, false] {
                    let ours = hierarchy(kind, display, Some(change), child_is_smoothed);
                    assert_eq!(ours.len(), expected.len());
                    for (step, (ours, expected)) in ours.iter().zip(&expected).enumerate() {
                        let off = ours.translation.distance(expected.translation);
                        let turned = angle(ours.rotation, expected.rotation);
                        assert!(
                            off < 1e-4 && turned < 1e-4,
                            "{change:?} under {kind:?} at {display}, smoothed: {child_is_smoothed}: {off} off in step {step}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn an_entity_with_the_index_of_a_despawned_one_is_smoothed_from_where_it_is_spawned() {
    for kind in SMOOTHED {
        for display in DISPLAYS {
            let mut app = app(kind);
            let gone = spawn_ship(&mut app, kind);
            app.add_systems(FixedUpdate, fly);
            play(&mut app, display, 1);
            let ship = app.world_mut().despawn_no_free(gone).unwrap();
            app.world_mut().spawn_at(ship, (Ship, SmoothTransform)).unwrap();
            assert_eq!(ship.index(), gone.index());
            frame(&mut app, Duration::from_millis(1));
            assert_eq!(on_screen(&app, ship), Vec3::ZERO, "{kind:?} at {display}");
            frames(display, 1).for_each(|delta| frame(&mut app, delta));
            assert_eq!(simulated(&mut app, ship).translation.x, 64.0, "{kind:?} at {display}");
        }
    }
}

/// Plugins for networks set their own states back in `PreUpdate`, and run `FixedMain` again from there.
#[test]
fn after_a_rollback_by_another_plugin_an_entity_is_drawn_between_its_last_two_states() {
    #[derive(Component)]
    struct Place(f32);
    fn walk(entity: Single<(&mut Place, &mut Transform)>, mut log: ResMut<Log>) {
        let (mut place, mut transform) = entity.into_inner();
        place.0 += 1.0;
        transform.translation.x = place.0;
        log.0.push(place.0);
    }
    fn roll_back(world: &mut World, mut frames: Local<u32>) {
        *frames += 1;
        if frames.is_multiple_of(20) {
            let mut places = world.query::<&mut Place>();
            places.single_mut(world).unwrap().0 += 9.0 - 3.0;
            let mut log = world.resource_mut::<Log>();
            let confirmed = log.0.len() - 3;
            log.0.truncate(confirmed);
            (0..3).for_each(|_| world.run_schedule(FixedMain));
        }
    }
    for kind in SMOOTHED {
        for display in DISPLAYS {
            let mut app = app(kind);
            let entity = app.world_mut().spawn((Place(0.0), SmoothTransform)).id();
            app.add_systems(FixedUpdate, walk).add_systems(PreUpdate, roll_back);
            begin(&mut app);
            for delta in frames(display, 2) {
                frame(&mut app, delta);
                if let [.., before, after] = *log(&app) {
                    let alpha = app.world().resource::<LastFrame>().alpha() as f32;
                    let (drawn, expected) = (on_screen(&app, entity).x, before + (after - before) * alpha);
                    assert!(
                        (drawn - expected).abs() < 1e-3,
                        "{drawn}, not {expected}: {kind:?} at {display}"
                    );
                }
            }
        }
    }
}

#[test]
fn an_origin_that_is_moved_in_update_moves_nothing_on_the_screen() {
    let seen = |kind, display, moves_origin: bool| {
        let mut app = app(kind);
        spawn_ship(&mut app, kind);
        app.world_mut().spawn((Camera, Transform::default()));
        app.add_systems(FixedUpdate, fly);
        app.add_systems(
            Update,
            move |mut all: Query<&mut Transform, Without<ChildOf>>, mut frames: Local<u32>| {
                *frames += 1;
                if moves_origin && frames.is_multiple_of(7) {
                    all.iter_mut()
                        .for_each(|mut transform| transform.translation.x -= 100.0);
                }
            },
        );
        app.add_systems(Last, log_from_camera);
        play(&mut app, display, 2);
        app.world_mut().remove_resource::<Log>().unwrap().0
    };
    for kind in SMOOTHED {
        for display in DISPLAYS {
            let pairs = seen(kind, display, false).into_iter().zip(seen(kind, display, true));
            let off = pairs.map(|(still, moved)| (still - moved).abs()).fold(0.0, f32::max);
            assert!(off < 0.01, "{off}: {kind:?} at {display}");
        }
    }
}

/// What `Update` does not write stays the simulation's, at any frame rate.
#[test]
fn a_ship_that_is_teleported_round_an_edge_keeps_its_height_and_heading() {
    #[derive(Resource, Clone, Copy, Debug, Default, PartialEq)]
    struct End(u32, f32, Quat);
    let end_of = |kind, display, wraps: bool| {
        let mut app = app(kind);
        spawn_ship(&mut app, kind);
        let sail = |mut ship: Single<&mut Transform, With<Ship>>| {
            ship.translation += Vec3::new(0.2, 0.14, 0.0);
            ship.rotate_z(0.02);
        };
        let wrap = move |ship: Single<(&mut Transform, Option<&mut Teleport>), With<Ship>>| {
            let (mut ship, teleport) = ship.into_inner();
            if wraps && ship.translation.x > 5.0 {
                ship.translation.x = -5.0;
                if let Some(mut teleport) = teleport {
                    teleport.mark();
                }
            }
        };
        let note = |ship: Single<&Transform, With<Ship>>, mut end: ResMut<End>| {
            end.0 += 1;
            if end.0 == 300 {
                *end = End(300, ship.translation.y, ship.rotation);
            }
        };
        app.init_resource::<End>()
            .add_systems(FixedUpdate, sail)
            .add_systems(Update, wrap)
            .add_systems(FixedLast, note);
        play(&mut app, display, 5);
        let End(_, height, heading) = *app.world().resource::<End>();
        (height, heading)
    };
    let (height, heading) = end_of(Kind::Bevy, 64, false);
    for kind in SMOOTHED {
        for display in DISPLAYS {
            let end = end_of(kind, display, true);
            assert_eq!(end, (height, heading), "{kind:?} at {display}");
        }
    }
}

/// A game that takes places from `GlobalTransform` in steps finds what it has without the plugins, and in `Update` what the last frame showed.
#[test]
fn globals_in_steps_are_those_of_bevy_alone() {
    #[derive(Resource, Default)]
    struct Globals(Vec<f32>);
    let muzzles = |kind, display, settings| {
        let mut app = app_with(kind, 64, settings);
        let ship = spawn_ship(&mut app, kind);
        let turret = app
            .world_mut()
            .spawn((Transform::from_xyz(2.0, 0.0, 0.0), ChildOf(ship)))
            .id();
        let muzzle = app
            .world_mut()
            .spawn((Transform::from_xyz(1.0, 0.0, 0.0), ChildOf(turret)))
            .id();
        let shoot = move |places: Query<&GlobalTransform>, mut globals: ResMut<Globals>| {
            globals.0.push(places.get(muzzle).unwrap().translation().x);
        };
        let see = move |places: Query<&GlobalTransform>, mut log: ResMut<Log>| {
            log.0.push(places.get(muzzle).unwrap().translation().x);
        };
        app.init_resource::<Globals>()
            .add_systems(FixedUpdate, (shoot, fly).chain())
            .add_systems(Update, see)
            .add_systems(Last, see);
        play(&mut app, display, 2);
        let seen = log(&app).to_vec();
        (app.world_mut().remove_resource::<Globals>().unwrap().0, seen)
    };
    for display in DISPLAYS {
        let (bevys, _) = muzzles(Kind::Bevy, display, SmoothTransformPlugin::default());
        for kind in SMOOTHED {
            let (ours, seen) = muzzles(kind, display, SmoothTransformPlugin::default());
            assert_eq!(ours, bevys, "{kind:?} at {display}");
            // In turn what `Update` and what the end of a frame sees.
            let of_frames = seen.windows(2).skip(1).step_by(2);
            assert!(
                of_frames.len() > 50 && of_frames.into_iter().all(|pair| pair[0] == pair[1]),
                "{kind:?} at {display}"
            );
            let (off, _) = muzzles(
                kind,
                display,
                SmoothTransformPlugin::default().without_globals_in_steps(),
            );
            assert_ne!(off, bevys, "{kind:?} at {display}");
        }
    }
}

#[test]
fn a_plugin_of_the_group_that_is_added_twice_says_how_to_set_it() {
    use bevy_app::PluginGroup;
    let message = |build: fn(&mut App)| {
        let mut app = App::new();
        app.add_plugins((TimePlugin, TransformPlugin));
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| build(&mut app)));
        result.err().map(|message| *message.downcast::<String>().unwrap())
    };
    let twice: [fn(&mut App); 3] = [
        |app| {
            _ = app.add_plugins((
                EvenstepPlugins,
                SmoothTransformPlugin::default().with_globals_in_steps(),
            ))
        },
        |app| {
            _ = app.add_plugins((
                SmoothTransformPlugin::default().with_globals_in_steps(),
                EvenstepPlugins,
            ))
        },
        |app| {
            _ = app.add_plugins((
                EvenstepPlugins,
                bevy_evenstep::compat::TransformInterpolationPlugin::interpolate_all(),
            ))
        },
    ];
    for twice in twice {
        let message = message(twice).expect("it is refused");
        assert!(
            message.contains("EvenstepPlugins.set(SmoothTransformPlugin::…)"),
            "{message}"
        );
    }
    let once = |app: &mut App| {
        app.add_plugins(EvenstepPlugins.set(SmoothTransformPlugin::default().with_globals_in_steps()));
    };
    assert_eq!(message(once), None);
}
