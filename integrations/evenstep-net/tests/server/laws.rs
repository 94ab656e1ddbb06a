//! Properties on random networks: the server equals the model, and clients agree with the server in the end.

use std::time::Duration;

use evenstep::{Rate, SimTime, Tick};
use evenstep_net::{ClientMessage, Inbox, PlayerId};
use fastrand::Rng;
use proptest::prelude::*;
use simulated_network::{Jitter, LinkConditions};

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
fn no_client_is_corrected_while_all_players_repeat_their_inputs() {
    let mut world = World::new(2, good(), steady);
    [1, 2, 3].into_iter().for_each(|id| world.join(id));
    world.until("all are in", 20, |world| world.server.tick() > 120);
    let before: Vec<_> = world
        .machines
        .values()
        .map(|machine| machine.client.stats().corrections)
        .collect();
    world.until("five seconds have passed", 20, |world| world.server.tick() > 420);
    let after: Vec<_> = world
        .machines
        .values()
        .map(|machine| machine.client.stats().corrections)
        .collect();
    assert_eq!(before, after);
    assert_eq!(
        world
            .machines
            .keys()
            .map(|id| world.differences(*id, 130))
            .collect::<Vec<_>>(),
        [[0; 0]; 3]
    );
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
                let message = ClientMessage { first, inputs, ..ClientMessage::default() };
                inbox.receive(0, first, &message.inputs, SimTime::at_tick(tick, RATE));
                log.push((tick, model::Event::Message(0, message)));
            }
            prop_assert_eq!(inbox.take(tick), model::players(&log, 1, tick));
        }
        prop_assert_eq!(inbox.counts(0), Some(model::counts(&log, 0, 200 + steps.len() as u64)));
        prop_assert_eq!(inbox.counts(0), Some(inbox.total()));
    }
}
