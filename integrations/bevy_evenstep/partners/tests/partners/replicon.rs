//! `bevy_replicon` 0.45: its tick counts the steps, and each frame with steps sends the state after the last of them.

use bevy::prelude::*;
use bevy::state::app::StatesPlugin;
use bevy_evenstep::SmoothTransform;
use bevy_replicon::client::confirm_history::ConfirmHistory;
use bevy_replicon::prelude::*;
use bevy_replicon::server::server_tick::ServerTick;
use bevy_replicon::test_app::ServerTestAppExt;
use serde::{Deserialize, Serialize};

use crate::apps::{DISPLAYS, Loop, Steps, app};
use crate::frames::{begin, frame, frames};

/// How many steps an entity of the server has made.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Walked(u32);

/// A server, on which an entity walks in steps, and a client.
fn server_and_client(fixed: Loop, hertz: u32) -> [App; 2] {
    let [mut server, mut client] = [0, 1].map(|_| {
        let mut app = app(fixed, hertz);
        app.add_plugins((StatesPlugin, RepliconPlugins)).replicate::<Walked>();
        begin(&mut app);
        app
    });
    server.connect_client(&mut client);
    server.world_mut().spawn((Replicated, Walked::default()));
    server.add_systems(FixedUpdate, |mut walkers: Query<&mut Walked>| {
        walkers.iter_mut().for_each(|mut walker| walker.0 += 1);
    });
    [server, client]
}

/// A frame of the server and one of the client, which has all messages of the server in it.
fn play(server: &mut App, client: &mut App, delta: std::time::Duration) {
    frame(server, delta);
    server.exchange_with_client(client);
    frame(client, delta);
    server.exchange_with_client(client);
}

/// After each frame of two seconds, the tick that the client has received last, counted from the beginning, and the steps of the entity.
fn received(fixed: Loop, hertz: u32, display: u64) -> Vec<(u32, u32)> {
    let [mut server, mut client] = server_and_client(fixed, hertz);
    let first = server.world().resource::<ServerTick>().get();
    let mut all: Vec<(u32, u32)> = Vec::new();
    for delta in frames(display, 2) {
        play(&mut server, &mut client, delta);
        let steps = server.world().resource::<Steps>().0;
        let mut walkers = client.world_mut().query::<(&Walked, &ConfirmHistory)>();
        let Ok((walked, history)) = walkers.single(client.world()) else {
            assert_eq!(steps, 0, "an entity is sent with the first step");
            continue;
        };
        assert_eq!(u64::from(walked.0), steps, "the newest state");
        let tick = history.last_tick().get() - first;
        all.push((tick, walked.0));
        // Of two steps in a frame, the tick of the first was never sent.
        for back in 0..tick.min(60) {
            let is_sent = all.iter().any(|(sent, _)| *sent == tick - back);
            assert_eq!(
                history.contains(history.last_tick() - back),
                is_sent,
                "{back} before {tick}"
            );
        }
    }
    all
}

#[test]
fn each_step_is_a_tick_at_any_frame_rate_and_what_is_received_with_it_is_its_state() {
    for display in DISPLAYS {
        let all = received(Loop::Exact, 60, display);
        assert!(all.iter().all(|(tick, walked)| tick == walked), "at {display} Hz");
        assert_eq!(all.last(), Some(&(120, 120)));
    }
}

#[test]
fn at_the_64_hz_of_bevys_default_the_same_ticks_and_states_are_received_under_both_loops() {
    for display in DISPLAYS {
        let [bevys, ours] = [Loop::Bevys, Loop::Exact].map(|fixed| received(fixed, 64, display));
        assert!(bevys == ours && ours.last() == Some(&(128, 128)), "at {display} Hz");
    }
}

fn place(mut walkers: Query<(&Walked, &mut Transform)>) {
    walkers
        .iter_mut()
        .for_each(|(walked, mut place)| place.translation.x = walked.0 as f32);
}

/// A client receives in `PreUpdate`. What is written there, outside of steps, is drawn as it is. Two steps in one frame copy the same state,
/// so the displays are faster than the steps.
#[test]
fn what_was_received_is_drawn_between_steps_where_a_step_copies_it_and_as_it_comes_otherwise() {
    for display in [90, 144, 240] {
        let drawn = [false, true].map(|is_copied_in_steps| {
            let [mut server, mut client] = server_and_client(Loop::Exact, 60);
            if is_copied_in_steps {
                client.add_systems(FixedUpdate, place);
            } else {
                client.add_systems(PreUpdate, place.after(ClientSystems::Receive));
            }
            client.register_required_components::<Walked, SmoothTransform>();
            let drawn = frames(display, 2).map(|delta| {
                play(&mut server, &mut client, delta);
                let mut drawn = client.world_mut().query_filtered::<&GlobalTransform, With<Walked>>();
                drawn.single(client.world()).map_or(0.0, |place| place.translation().x)
            });
            drawn.collect::<Vec<_>>()
        });
        let per_frame = 60.0 / display as f32;
        let uneven = drawn.map(|drawn| {
            let ways = drawn
                .windows(2)
                .skip(10)
                .map(|pair| (pair[1] - pair[0] - per_frame).abs());
            ways.fold(0.0, f32::max)
        });
        assert!(uneven[1] < 1e-3, "{uneven:?} at {display} Hz");
        assert!(uneven[0] > 0.3, "{uneven:?} at {display} Hz");
    }
}
