//! `lightyear` 0.30, with a client that predicts and is corrected, beside a server in the same process.

use std::collections::BTreeMap;
use std::time::Duration;

use bevy::prelude::*;
use bevy::state::app::StatesPlugin;
use bevy_evenstep::{LastFrame, SmoothTransform};
use lightyear::crossbeam::CrossbeamIo;
use lightyear::prelude::client::*;
use lightyear::prelude::server::*;
use lightyear::prelude::*;
use mock_instant::global::MockClock;
use serde::{Deserialize, Serialize};

use crate::apps::{Loop, app};
use crate::frames::{begin, frame, frames};

#[derive(Component, Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Place(f32);

/// The last place of each tick, and how often a tick was simulated again.
#[derive(Resource, Clone, Debug, Default, PartialEq)]
struct History {
    places: BTreeMap<u32, f32>,
    again: u32,
}

fn record(timeline: Res<LocalTimeline>, places: Query<&Place>, mut history: ResMut<History>) {
    for place in &places {
        let before = history.places.insert(timeline.tick().0, place.0);
        history.again += u32::from(before.is_some());
    }
}

/// In these ticks the server moves the entity by something that the client cannot predict.
const fn is_surprise(tick: u32) -> bool {
    tick % 40 == 17
}

fn move_on_server(timeline: Res<LocalTimeline>, mut commands: Commands, mut places: Query<&mut Place>) {
    let tick = timeline.tick().0;
    if tick == 30 {
        let all = NetworkTarget::All;
        let (sent, predicted) = (Replicate::to_clients(all.clone()), PredictionTarget::to_clients(all));
        commands.spawn((Place(0.0), sent, predicted));
    }
    for mut place in &mut places {
        place.0 += if is_surprise(tick) { 9.0 } else { 1.0 };
    }
}

fn predict(mut places: Query<(&mut Place, &mut Transform), With<Predicted>>) {
    for (mut place, mut transform) in &mut places {
        place.0 += 1.0;
        transform.translation.x = place.0;
    }
}

fn peer(fixed: Loop, hertz: u32, plugins: impl PluginGroup) -> App {
    let mut app = app(fixed, hertz);
    app.add_plugins((StatesPlugin, plugins))
        .init_resource::<History>()
        .add_systems(FixedLast, record);
    app.component::<Place>().replicate().predict();
    app
}

fn ping() -> PingManager {
    PingManager::new(PingConfig {
        ping_interval: Duration::ZERO,
    })
}

fn server_and_client(fixed: Loop, hertz: u32) -> [App; 2] {
    let tick_duration = Duration::from_secs(1) / hertz;
    let mut server = peer(fixed, hertz, ServerPlugins { tick_duration });
    server
        .add_systems(FixedUpdate, move_on_server)
        .add_observer(|link: On<Add, LinkOf>, mut commands: Commands| {
            commands.entity(link.entity).insert((ReplicationSender, ping()));
        });
    let mut client = peer(fixed, hertz, ClientPlugins { tick_duration });
    client
        .insert_resource(PredictionManager::default())
        .add_systems(FixedUpdate, predict);
    client.register_required_components::<Place, Transform>();
    if matches!(fixed, Loop::Exact) {
        client.register_required_components::<Place, SmoothTransform>();
    }
    begin(&mut server);
    begin(&mut client);
    let (of_client, of_server) = CrossbeamIo::new_pair();
    let world = client.world_mut();
    let link = (Client, RawClient, Link::default(), of_client);
    let entity = world.spawn((link, ReplicationReceiver, ping())).id();
    world.trigger(Connect { entity });
    let world = server.world_mut();
    let number = world.spawn((RawServer, Linked)).id();
    let entity = world
        .spawn((LinkOf { server: number }, Link::default(), of_server))
        .id();
    world.trigger(LinkStart { entity });
    [server, client]
}

/// Plays for four seconds. Returns the histories of the server and the client, and how fast the client's time went in each frame.
fn play(fixed: Loop, hertz: u32, display: u64) -> ([History; 2], Vec<f32>) {
    let [mut server, mut client] = server_and_client(fixed, hertz);
    let (mut speeds, mut compared) = (Vec::new(), 0);
    for delta in frames(display, 4) {
        MockClock::advance(delta);
        frame(&mut client, delta);
        frame(&mut server, delta);
        speeds.push(client.world().resource::<Time<Virtual>>().relative_speed());
        if matches!(fixed, Loop::Exact) {
            compared += u32::from(is_drawn_between_the_last_two_places(&mut client));
        }
    }
    assert!(matches!(fixed, Loop::Bevys) || compared > 60);
    let histories = [server, client].map(|peer| peer.world().resource::<History>().clone());
    (histories, speeds)
}

/// Checks what is drawn, once there are two places. The last steps may have been simulated again in this frame.
fn is_drawn_between_the_last_two_places(client: &mut App) -> bool {
    let mut drawn = client.world_mut().query_filtered::<&GlobalTransform, With<Place>>();
    let places = &client.world().resource::<History>().places;
    let newest: Vec<f32> = places.values().rev().take(2).copied().collect();
    // The first places are those of the tick in which it arrived.
    let (Ok(drawn), [after, before], 10..) = (drawn.single(client.world()), &newest[..], places.len()) else {
        return false;
    };
    let alpha = client.world().resource::<LastFrame>().alpha() as f32;
    let (drawn, expected) = (drawn.translation().x, before + (after - before) * alpha);
    assert!((drawn - expected).abs() < 1e-3, "{drawn}, not {expected}");
    true
}

/// One test, because lightyear's clock in tests is one for the whole process.
#[test]
fn a_client_predicts_is_corrected_and_paced_as_under_bevys_loop_and_drawn_between_its_last_two_states() {
    for display in [30, 64, 144] {
        let [bevys, ours] = [Loop::Bevys, Loop::Exact].map(|fixed| play(fixed, 64, display));
        assert!(bevys == ours, "at {display} Hz");
        assert_corrected(&ours.0);
        assert_corrected(&play(Loop::Exact, 60, display).0);
    }
}

/// After the first second, the client's last prediction of each tick is what the server had, but for the surprises themselves: the tick of a
/// surprise is received and not simulated again, and with two steps in a frame the next one as well.
fn assert_corrected([server, client]: &[History; 2]) {
    assert!(client.again > 10, "{} ticks were simulated again", client.again);
    let last = *client.places.keys().last().unwrap();
    let settled = client.places.range(100..last - 60);
    assert!(settled.clone().count() > 50);
    for (tick, place) in settled.filter(|(tick, _)| !is_surprise(**tick) && !is_surprise(**tick - 1)) {
        assert_eq!(Some(place), server.places.get(tick), "tick {tick}");
    }
}
