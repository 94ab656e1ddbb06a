//! Properties on random networks: the server equals the model, and clients agree with the server in the end.

use std::time::Duration;

use evenstep::FixedTimestep;
use evenstep::{Rate, SimTime, Tick};
use evenstep_net::{Client, ClientMessage, Hello, Inbox, PlayerId, Server};
use fastrand::Rng;
use proptest::prelude::*;
use simulated_network::{Jitter, LinkConditions};

use crate::balls::{Balls, SILENCE};
use crate::model;
use crate::world::{RATE, World};

/// Players hold a direction for a while and release everything after five seconds.
fn busy_for_a_while(id: PlayerId, tick: Tick) -> i8 {
    if tick > 300 {
        return 0;
    }
    Rng::with_seed(id + tick / (7 + id)).i8(-20..=20)
}

/// Players hold the same direction forever.
fn steady(id: PlayerId, _: Tick) -> i8 {
    5 + id as i8
}

/// Players change direction in each tick.
fn restless(id: PlayerId, tick: Tick) -> i8 {
    Rng::with_seed(id * 1000 + tick).i8(-20..=20)
}

fn conditions(delay_ms: u64, jitter_ms: u64, loss_percent: u8, duplicate_percent: u8) -> LinkConditions {
    LinkConditions {
        delay: Duration::from_millis(delay_ms),
        jitter: Jitter::Uniform(Duration::from_millis(jitter_ms)),
        loss_percent: loss_percent.into(),
        duplicate_percent: duplicate_percent.into(),
        ..LinkConditions::default()
    }
}

fn good() -> LinkConditions {
    conditions(30, 0, 0, 0)
}

fn any_conditions() -> impl Strategy<Value = LinkConditions> {
    (2_u64..80, 0_u64..40, 0_u8..25, 0_u8..10)
        .prop_map(|(delay, jitter, loss, duplicates)| conditions(delay, jitter, loss, duplicates))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn the_servers_states_equal_those_of_the_model(
        seed in any::<u64>(),
        conditions in any_conditions(),
        visits in prop::collection::vec((0_u64..4, 1_u64..700), 1..12),
    ) {
        let mut world = World::new(seed, conditions, restless);
        world.join(0);
        for (id, ms) in visits {
            if world.machines.contains_key(&id) {
                world.leave(id);
            } else {
                world.join(id);
            }
            (0..ms).for_each(|_| world.pass());
        }
        let ticks = world.server.tick();
        prop_assert_eq!(&world.states, &model::states(&world.log, 4, RATE, ticks));
    }

    #[test]
    fn when_inputs_stop_all_clients_are_bit_identical_with_the_server_on_any_network(
        seed in any::<u64>(),
        conditions in any_conditions(),
        late in 1_u64..5000,
    ) {
        let mut world = World::new(seed, conditions, busy_for_a_while);
        [1, 2].into_iter().for_each(|id| world.join(id));
        (0..late).for_each(|_| world.pass());
        world.join(3);
        world.until("inputs are over", 20, |world| world.server.tick() > 300);
        // All clients have received the last inputs and the last state.
        let all_know = |world: &World| world.machines.values().all(|machine| machine.client.confirmed() > Some(380));
        world.until("the last inputs are known", 20, all_know);
        let from = world.machines.values().map(|machine| machine.client.tick()).max().unwrap() + 1;
        let corrections = |world: &World| -> Vec<u64> {
            world.machines.values().map(|machine| machine.client.stats().corrections).collect()
        };
        let before = corrections(&world);
        world.until("a second has passed", 20, |world| world.server.tick() > from + 60);
        prop_assert_eq!(corrections(&world), before);
        for id in [1, 2, 3] {
            prop_assert_eq!(world.differences(id, from), Vec::<Tick>::new());
            prop_assert!(world.machines[&id].states.range(from..).count() > 20);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn no_input_that_arrives_in_time_is_lost_at_any_tick_rate_and_frame_rate(
        seed in any::<u64>(),
        hertz in 5_u32..=128,
        (fps, jitter, loss) in (10_u32..=1000, 0_u64..60, 0_u8..25),
        is_good in any::<bool>(),
    ) {
        let conditions = if is_good { good() } else { conditions(30, jitter, loss, 5) };
        let mut world = World::at(Rate::hz(hertz), seed, conditions, restless);
        // Frames end on whole milliseconds of the virtual clock.
        world.frame_length = Some(Duration::from_millis(u64::from(1000 / fps)));
        world.join(1);
        let missing = |world: &World| world.server.inbox().counts(1).map_or(0, |counts| counts.missing);
        let settled = |world: &World| world.network.now() > Duration::from_secs(7);
        let (mut first, mut absent, mut before) = (None, 0, 0);
        while world.network.now() < Duration::from_secs(12) {
            let tick = world.server.tick();
            world.pass();
            for tick in tick..world.server.tick() {
                let is_there = world.received.contains(&(1, tick));
                first = first.or(is_there.then_some(tick));
                absent += u64::from(first.is_some() && !is_there);
            }
            if !settled(&world) {
                before = missing(&world);
            }
        }
        prop_assert!(first.is_some());
        prop_assert_eq!(missing(&world), absent, "what came in time counts");
        if is_good {
            let late = missing(&world) - before;
            // Where there are few frames per tick, frames beat with ticks, and a `TickSync` ignores the worst sixth.
            let most = if fps >= 4 * hertz { 0 } else { u64::from(hertz) * 5 / 6 + 1 };
            prop_assert!(late <= most, "{late} of {} inputs come late", hertz * 5);
        }
    }
}

#[test]
fn a_single_player_on_a_network_without_loss_is_never_corrected() {
    let mut world = World::new(1, good(), restless);
    world.join(1);
    world.until("ten seconds have passed", 20, |world| world.server.tick() > 600);
    let machine = &world.machines[&1];
    let stats = machine.client.stats();
    assert!(stats.states > 500, "{stats:?}");
    assert_eq!((stats.corrections, stats.resimulated), (0, 0));
    assert_eq!(world.server.inbox().total().late, 0);
    assert_eq!(world.differences(1, 0), [0; 0]);
    let ahead = machine.client.tick() - world.server.tick();
    assert!((1..8).contains(&ahead), "{ahead} ticks ahead on 30 ms");
}

#[test]
fn a_wrong_prediction_is_corrected_without_a_jump_of_the_drawn_state() {
    let mut world = World::new(3, good(), restless);
    [1, 2].into_iter().for_each(|id| world.join(id));
    world.until("five seconds have passed", 20, |world| world.server.tick() > 300);
    for machine in world.machines.values() {
        let stats = machine.client.stats();
        assert!(
            stats.corrections > 100 && stats.resimulated > stats.corrections,
            "{stats:?}"
        );
        let game = &machine.game;
        assert!(game.farthest_correction > 1e-3, "{game:?}");
        assert!(game.farthest_jump < 1e-9, "{game:?}");
    }
}

#[test]
fn a_client_recovers_after_receiving_nothing_for_a_while() {
    let mut world = World::new(4, good(), steady);
    [1, 2].into_iter().for_each(|id| world.join(id));
    world.until("two seconds have passed", 20, |world| world.server.tick() > 120);
    world.network.set_conditions(conditions(30, 0, 100, 0));
    world.until("ten seconds have passed", 20, |world| world.server.tick() > 720);
    let newest = world.machines[&1].client.confirmed();
    world.network.set_conditions(good());
    let is_back = |world: &World| {
        let client = &world.machines[&1].client;
        client.confirmed() > newest && client.tick() > world.server.tick()
    };
    world.until("it predicts again", 20, is_back);
    let from = world.machines[&1].client.tick() + 20;
    world.until("a second has passed", 20, |world| world.server.tick() > from + 60);
    assert_eq!(world.differences(1, from), [0; 0]);
}

proptest! {
    #[test]
    fn late_early_repeated_and_missing_inputs_are_counted_as_the_model_does(
        steps in prop::collection::vec(prop::collection::vec((-90_i64..90, 0_usize..14), 0..3), 1..150),
    ) {
        let mut inbox = Inbox::new(RATE);
        let mut log = model::Log::new();
        inbox.take(199);
        inbox.join(0);
        log.push((200, model::Event::Joined(0)));
        for (tick, messages) in (200_u64..).zip(&steps) {
            for (offset, count) in messages {
                let first = tick.saturating_add_signed(*offset);
                let inputs = (0..*count).map(|index| offset.wrapping_mul(31).wrapping_add(index as i64) as i8).collect();
                let hello = Hello { player: 0, rate: RATE };
                let message = ClientMessage { hello, sent: Duration::ZERO, confirmed: None, first, inputs };
                inbox.receive(0, first, &message.inputs, SimTime::at_tick(tick, RATE));
                log.push((tick, model::Event::Message(0, message)));
            }
            prop_assert_eq!(inbox.take(tick), model::players(&log, 1, tick));
        }
        prop_assert_eq!(inbox.counts(0), Some(model::counts(&log, 0, 200 + steps.len() as u64)));
        prop_assert_eq!(inbox.counts(0), Some(inbox.total()));
    }
}

#[test]
fn a_client_of_another_rate_or_player_is_refused() {
    let mut server = Server::new(Balls::default(), FixedTimestep::new(RATE));
    server.join(1);
    let first = |id, rate| Client::<Balls>::new(id, rate).message().expect("the first message");
    let now = Duration::from_millis(5);
    for (refused, text) in [
        (
            first(1, Rate::hz(64)),
            "the client is player 1 at 64 Hz, for the server player 1 at 60 Hz",
        ),
        (
            first(2, RATE),
            "the client is player 2 at 60 Hz, for the server player 1 at 60 Hz",
        ),
    ] {
        let error = server.receive(now, 1, &refused).unwrap_err();
        assert!(error.to_string().starts_with(text), "{error}");
    }
    assert!(server.message(now, 1).is_none(), "it is sent no states");
    assert_eq!(server.receive(now, 1, &first(1, RATE)), Ok(()));
    assert!(server.message(now, 1).is_some());
}

#[test]
fn a_player_that_leaves_and_joins_again_with_its_client_plays_on() {
    let mut world = World::new(8, good(), steady);
    world.join(1);
    world.until("a second has passed", 20, |world| world.server.tick() > 60);
    world.server.leave(1);
    world.until("another second has passed", 20, |world| world.server.tick() > 120);
    world.server.join(1);
    let confirmed = |world: &World| world.machines[&1].client.confirmed();
    world.until("states arrive", 20, |world| confirmed(world) > Some(180));
}

#[test]
fn a_player_whose_cable_is_pulled_releases_its_keys_when_the_game_says_on_all_machines() {
    let mut world = World::new(7, good(), steady);
    [1, 2].into_iter().for_each(|id| world.join(id));
    world.until("two seconds have passed", 20, |world| world.server.tick() > 120);
    let cut = LinkConditions {
        loss_percent: 100.0,
        ..good()
    };
    world.network.set_link(1, crate::world::SERVER, cut);
    let repeats = |world: &World| world.server.inbox().taken()[0].repeats;
    world.until("the game has released the keys", 20, |world| repeats(world) > SILENCE);
    // The other client has heard of it, and predicts the release from then on.
    let from = world.machines[&2].client.tick() + 20;
    world.until("a second has passed", 20, |world| world.server.tick() > from + 60);
    let at_rest = world.server.tick();
    world.until("the ball is at rest", 60, |world| world.server.tick() > at_rest + 1_200);
    assert_eq!(world.differences(2, from), [0; 0]);
    let balls = &world.server.game().state;
    let held = |id: PlayerId| {
        balls[&id].position.current() - 0.1 / 4.0 * balls.values().map(|ball| ball.position.current()).sum::<f64>()
    };
    assert!(held(1).abs() < 1e-3 && held(2) > 1.0, "{balls:?}");
}

#[test]
fn a_client_follows_at_five_frames_a_second_and_one_in_twelve_ticks() {
    for (hertz, frame_ms) in [(60, 200), (60, 100), (30, 200), (128, 90)] {
        let mut world = World::at(Rate::hz(hertz), 11, good(), restless);
        world.frame_length = Some(Duration::from_millis(frame_ms));
        world.join(1);
        let seconds = |seconds: u64| move |world: &World| world.network.now() > Duration::from_secs(seconds);
        world.until("ten seconds have passed", 20, seconds(10));
        let before = world.server.inbox().total().missing;
        world.until("thirty seconds have passed", 30, seconds(30));
        let missing = world.server.inbox().total().missing - before;
        assert!(
            missing <= u64::from(hertz) / 10,
            "{missing} of {} inputs, frames of {frame_ms} ms",
            hertz * 20
        );
        assert!(world.machines[&1].client.tick() > world.server.tick());
    }
}

#[test]
fn clients_whose_clocks_are_wrong_by_two_percent_lose_no_input_after_ten_seconds() {
    for (ppm, frame_ms) in [
        (-20_000, 7),
        (-20_000, 16),
        (-10_000, 7),
        (-5_000, 16),
        (-5_000, 7),
        (-2_000, 16),
        (0, 7),
        (10_000, 7),
        (20_000, 16),
    ] {
        let mut world = World::new(5, good(), restless);
        world.frame_length = Some(Duration::from_millis(frame_ms));
        world.join(1);
        let machine = world.machines.get_mut(&1).expect("it has joined");
        machine.clock = 1.0 + f64::from(ppm) / 1e6;
        let seconds = |seconds: u64| move |world: &World| world.network.now() > Duration::from_secs(seconds);
        world.until("ten seconds have passed", 20, seconds(10));
        let before = world.server.inbox().total().missing;
        world.until("a minute has passed", 60, seconds(60));
        let missing = world.server.inbox().total().missing - before;
        assert_eq!(missing, 0, "{ppm} ppm, frames of {frame_ms} ms");
        let ahead = world.machines[&1].client.tick() - world.server.tick();
        assert!(ahead < 8, "{ppm} ppm: {ahead} ticks ahead on 30 ms");
    }
}
