//! `bevy_ggrs` 0.22 in the fixed updates of the plugin: one frame of GGRS in each step, and rolled-back entities are interpolated.

use std::time::Duration;

use bevy::platform::collections::HashMap;
use bevy::prelude::*;
use bevy_evenstep::{CurrentStep, LastFrame, SmoothTransform};
use bevy_ggrs::prelude::*;
use bevy_ggrs::{LocalInputs, LocalPlayers, RollbackFrameCount};

use crate::apps::{DISPLAYS, Loop, Number, app, heap};
use crate::frames::{begin, frame, frames};

type Config = GgrsConfig<u8, u8>;

/// Frames that GGRS simulates again in each frame of its own.
const CHECK_DISTANCE: usize = 4;

/// For each body and each frame of GGRS that was simulated for the first time: where the body was after it.
#[derive(Resource, Default)]
struct History(Vec<Vec<Vec3>>);

#[derive(Resource, Default)]
struct Mismatches(usize);

/// An app whose session rolls back and simulates again in each frame. All bodies go round in circles, faster while the button is held.
fn session(is_smoothed: bool) -> App {
    let session = SessionBuilder::<Config>::new()
        .with_num_players(1)
        .and_then(|builder| {
            builder
                .with_check_distance(CHECK_DISTANCE)
                .add_player(PlayerType::Local, 0)
        })
        .and_then(SessionBuilder::start_synctest_session)
        .unwrap();
    let mut app = app(Loop::Exact, 60);
    app.insert_resource(RollbackFrameRate(60))
        .insert_resource(Session::SyncTest(session))
        .init_resource::<History>()
        .init_resource::<Mismatches>()
        .add_plugins(GgrsPlugin::<Config>::new(FixedUpdate))
        .rollback_component_with_copy::<Transform>()
        .checksum_component::<Transform>(|transform| {
            let place = transform.translation;
            u64::from(place.x.to_bits()) << 32 | u64::from(place.y.to_bits())
        })
        .add_systems(
            ReadInputs,
            |mut commands: Commands, players: Res<LocalPlayers>, step: Res<CurrentStep>| {
                let held = u8::from(step.tick % 20 < 7);
                let inputs: HashMap<_, _> = players.0.iter().map(|player| (*player, held)).collect();
                commands.insert_resource(LocalInputs::<Config>(inputs));
            },
        )
        .add_systems(GgrsSchedule, go_round)
        .add_systems(FixedPostUpdate, remember)
        .add_observer(|_: On<SyncTestMismatch>, mut mismatches: ResMut<Mismatches>| mismatches.0 += 1);
    for (number, place) in heap() {
        let mut body = app.world_mut().spawn((number, place, Rollback));
        if is_smoothed {
            body.insert(SmoothTransform);
        }
    }
    app
}

fn go_round(mut bodies: Query<(&mut Transform, &Number)>, inputs: Res<PlayerInputs<Config>>, time: Res<Time>) {
    let speed = if inputs[0].0 == 0 { 1.0 } else { 3.0 };
    for (mut body, number) in &mut bodies {
        let turn = Quat::from_rotation_z(speed * time.delta_secs() * (1.0 + number.0 as f32));
        body.translation = turn * body.translation;
    }
}

fn remember(bodies: Query<(&Number, &Transform)>, mut history: ResMut<History>) {
    let mut bodies: Vec<_> = bodies.iter().collect();
    bodies.sort_unstable_by_key(|(number, _)| **number);
    history
        .0
        .push(bodies.iter().map(|(_, body)| body.translation).collect());
}

fn play(app: &mut App, per_second: u64, mut look: impl FnMut(&mut App)) {
    begin(app);
    for delta in frames(per_second, 2) {
        frame(app, delta);
        look(app);
    }
}

#[test]
fn each_step_is_one_frame_of_ggrs_and_the_frame_rate_changes_no_bit() {
    let histories = DISPLAYS.map(|display| {
        [true, false].map(|is_smoothed| {
            let mut app = session(is_smoothed);
            play(&mut app, display, |_| ());
            assert_eq!(app.world().resource::<Mismatches>().0, 0);
            assert_eq!(
                i64::from(app.world().resource::<RollbackFrameCount>().0),
                120,
                "at {display} Hz"
            );
            app.world_mut().remove_resource::<History>().unwrap().0
        })
    });
    assert_eq!(histories[0][0].len(), 120);
    assert!(
        histories
            .as_flattened()
            .iter()
            .all(|history| *history == histories[0][0])
    );
}

#[test]
fn after_a_rollback_a_body_is_drawn_between_its_last_two_confirmed_states() {
    let mut app = session(true);
    let mut compared = 0;
    play(&mut app, 144, |app| {
        let alpha = app.world().resource::<LastFrame>().alpha() as f32;
        let history = app.world().resource::<History>().0.clone();
        let [.., before, after] = history.as_slice() else {
            return;
        };
        let mut drawn: Vec<_> = app
            .world_mut()
            .query::<(&Number, &GlobalTransform)>()
            .iter(app.world())
            .collect();
        drawn.sort_unstable_by_key(|(number, _)| **number);
        for ((_, drawn), (before, after)) in drawn.iter().zip(before.iter().zip(after)) {
            assert!(drawn.translation().distance(before.lerp(*after, alpha)) < 1e-5);
            compared += 1;
        }
    });
    assert!(compared > 3000);
}

#[test]
fn beside_steps_of_the_plugin_ggrs_runs_at_its_own_rate() {
    // As its documentation has it, in `PreUpdate`: an accumulator of its own, from the time of frames.
    let mut app = app(Loop::Exact, 50);
    let session = SessionBuilder::<Config>::new()
        .with_num_players(1)
        .and_then(|builder| builder.add_player(PlayerType::Local, 0))
        .and_then(SessionBuilder::start_synctest_session)
        .unwrap();
    app.insert_resource(Session::SyncTest(session))
        .add_plugins(GgrsPlugin::<Config>::default())
        .add_systems(ReadInputs, |mut commands: Commands, players: Res<LocalPlayers>| {
            let inputs: HashMap<_, _> = players.0.iter().map(|player| (*player, 0)).collect();
            commands.insert_resource(LocalInputs::<Config>(inputs));
        });
    begin(&mut app);
    for _ in 0..200 {
        frame(&mut app, Duration::from_millis(10));
    }
    assert_eq!(app.world().resource::<CurrentStep>().tick, 99);
    assert_eq!(app.world().resource::<RollbackFrameCount>().0, 120);
}
