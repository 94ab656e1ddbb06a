//! What holds of ticks that are kept in step with a server's, on any network.

mod exact;
mod hostile;
mod world;

use std::time::Duration;

use evenstep::schedule::Schedule;
use evenstep::{Rate, SimTime, Tick, TimeScale};
use evenstep_net::{Pong, TickJump, TickSync};
use proptest::prelude::*;

use world::{MS, Network, RATE, World, any_network};

/// What frames that are 7 ms apart and the grid of the world add to the spread.
const GRID_MS: f64 = 9.0;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn inputs_are_early_enough_and_no_earlier_on_slow_and_asymmetric_ways_and_drifting_clocks(network in any_network()) {
        let mut world = World::new(network);
        world.run_until(12_000);
        let (least, most) = world.early_since(8_000);
        let spread = network.jitter as f64 + GRID_MS;
        // A few in a thousand and a short burst may be late, each by no more than chance allows. The first pace that is a median of speeds, in
        // the fifth second, may be wrong by the jitter in a second, here 1 %, until the sixth. Inputs are sent earlier for it, which declines
        // slowly: after the eighth second by at most 6 ms on 20 000 random networks, where the least was -1 ms and 3 were late.
        prop_assert!(least > -3.0, "{} ms", least);
        prop_assert!(most < spread + 7.0, "{} ms", most);
        let late = world.early.iter().filter(|(at, early)| *at >= 8_000 && *early < 0.0).count();
        prop_assert!(late <= 6, "{} of 240 late", late);
        prop_assert_eq!(world.jumps.len(), 1, "{:?}", world.jumps);
    }

    #[test]
    fn slow_motion_keeps_inputs_as_early_as_they_were(network in any_network()) {
        let mut world = World::new(network);
        world.run_until(8_000);
        let slow = |tick| TimeScale::new(1, if (3_600..3_660).contains(&tick) { 4 } else { 1 }).unwrap();
        world.game = slow;
        world.run_until(18_000);
        prop_assert_eq!(world.jumps.len(), 1, "{:?}", world.jumps);
        let (least, most) = world.early_since(16_000);
        // -1.3 ms and no more than the spread on 8 000 random networks.
        prop_assert!(least > -3.0 && most < network.jitter as f64 + GRID_MS + 2.0, "{} to {} ms", least, most);
    }
}

type Scale = fn(Tick) -> TimeScale;

/// How many of 1000 inputs were late from one millisecond to another, on a network and with a time scale of the game.
fn late(network: Network, rate: u32, game: Scale, from: i64, until: i64) -> usize {
    let mut world = World::at(rate, network);
    world.game = game;
    world.run_until(from);
    let before = world.early.len();
    world.run_until(until);
    let early = &world.early[before..];
    1000 * early.iter().filter(|(_, early)| *early < 0.0).count() / early.len()
}

#[test]
fn a_clock_that_is_wrong_by_up_to_two_per_cent_costs_few_inputs_from_the_first_second_on() {
    for ppm in [-20_000, -5_000, 0, 10_000, 20_000] {
        for (there, back, jitter) in [(25, 25, 0), (60, 20, 1), (5, 90, 2), (40, 30, 8), (70, 70, 20)] {
            for rate in [20, 60, 144] {
                let network = Network {
                    there,
                    back,
                    jitter,
                    ppm,
                };
                let context = format!("{network:?}, {rate} Hz");
                let first = late(network, rate, |_| TimeScale::NORMAL, 0, 5_000);
                assert!(first <= 60, "{first} in 5 s: {context}");
                let later = late(network, rate, |_| TimeScale::NORMAL, 5_000, 15_000);
                assert!(later <= 40, "{later} later: {context}");
            }
        }
    }
}

/// Some change too often for a median of speeds.
#[test]
fn where_the_time_scale_changes_few_inputs_are_late_whatever_the_clock() {
    let scales: [(&str, Scale); 4] = [
        ("120 ticks", |tick| {
            TimeScale::new(if tick % 240 < 120 { 1 } else { 2 }, 2).unwrap()
        }),
        ("600 ticks", |tick| {
            TimeScale::new(if tick % 1200 < 600 { 1 } else { 2 }, 2).unwrap()
        }),
        ("90 ticks", |tick| {
            TimeScale::new([1, 3, 2, 8][(tick / 90 % 4) as usize], 4).unwrap()
        }),
        ("a quarter", |_| TimeScale::new(1, 4).unwrap()),
    ];
    for (name, game) in scales {
        for (there, back, jitter) in [(25, 25, 0), (60, 20, 1), (5, 90, 2), (40, 30, 8)] {
            for rate in [20, 60, 144] {
                for ppm in [-20_000, 0, 20_000] {
                    let network = Network {
                        there,
                        back,
                        jitter,
                        ppm,
                    };
                    let late = late(network, rate, game, 8_000, 30_000);
                    assert!(late <= 70, "{late} of 1000: {name}, {network:?}, {rate} Hz");
                }
            }
        }
    }
}

#[test]
fn a_pause_of_the_game_changes_nothing() {
    let network = Network {
        there: 30,
        back: 50,
        jitter: 5,
        ppm: 100,
    };
    let mut world = World::new(network);
    world.run_until(6_000);
    let speed = world.timestep.time_scale();
    assert_ne!(speed, TimeScale::PAUSED);
    world.game = |_| TimeScale::PAUSED;
    world.run_until(60_000);
    let paused = world.last_tick;
    assert_eq!(world.timestep.time_scale(), TimeScale::PAUSED);
    world.run_until(61_000);
    assert_eq!((world.last_tick, world.jumps.len()), (paused, 1));
}

#[test]
fn a_route_that_becomes_longer_or_shorter_is_followed_without_a_jump() {
    let mut world = World::new(Network {
        there: 30,
        back: 30,
        jitter: 4,
        ppm: -150,
    });
    for (there, until) in [(30, 8_000), (90, 20_000), (10, 36_000)] {
        world.network.there = there;
        world.run_until(until);
        let (least, most) = world.early_since(until - 2_000);
        assert!(
            least > -3.0 && most < 4.0 + GRID_MS + 5.0,
            "{least} to {most} ms at {there} ms"
        );
    }
    assert_eq!(world.jumps.len(), 1, "{:?}", world.jumps);
}

#[test]
fn a_hidden_tab_skips_ticks_and_for_a_server_that_stood_still_time_slows_down() {
    let mut world = World::new(Network {
        there: 20,
        back: 20,
        jitter: 2,
        ppm: 0,
    });
    world.run_until(6_000);
    world.timestep.pause();
    world.run_until(9_000);
    world.timestep.resume();
    world.run_until(15_000);
    assert!(
        matches!(world.jumps[1], (6_000..9_100, TickJump::Forward { ticks: 5.. })),
        "{:?}",
        world.jumps
    );
    assert!(world.early_since(13_000).0 > -3.0);
    world.server -= 500 * MS;
    world.run_until(30_000);
    let slowest = world.slews.iter().filter(|(at, _)| *at > 15_000).map(|(_, slew)| *slew);
    let slowest = slowest.fold(f64::MAX, f64::min);
    assert!((0.1..0.5).contains(&slowest), "{slowest}");
    assert!(world.jumps.iter().all(|(at, _)| *at < 9_100), "{:?}", world.jumps);
    let (least, most) = world.early_since(28_000);
    assert!(least > -3.0 && most < 2.0 + GRID_MS + 5.0, "{least} to {most} ms");
}

#[test]
fn reports_count_however_long_they_take_and_however_fast_ticks_follow_each_other() {
    for (rate, there, back) in [
        (60, 500, 500),
        (240, 1_000, 1_000),
        (1_000, 100, 300),
        (1_000, 700, 700),
    ] {
        let mut world = World::at(
            rate,
            Network {
                there,
                back,
                jitter: 12,
                ppm: 50,
            },
        );
        world.run_until(14_000);
        let (late, believed) = (world.early.len(), world.believed);
        world.run_until(20_000);
        let early = &world.early[late..];
        let late = early.iter().filter(|(_, early)| *early < 0.0).count();
        let believed = world.believed - believed;
        assert!(
            believed > 300,
            "{believed} reports counted in 6 s, at {rate} Hz and {there} ms"
        );
        assert!(
            100 * late < 2 * early.len(),
            "{late} of {} late, at {rate} Hz and {there} ms",
            early.len()
        );
    }
}

#[test]
fn steps_that_are_given_back_are_made_up_for() {
    let mut world = World::new(Network {
        there: 40,
        back: 40,
        jitter: 0,
        ppm: 0,
    });
    world.run_until(6_000);
    let before = world.sync.early().unwrap();
    let frame = world.timestep.advance(Duration::from_millis(50));
    let frame = world.timestep.give_back(frame, 3);
    let now = world.clock() + Duration::from_millis(50);
    let adjustment = world
        .sync
        .advance(now, frame.tick(), frame.overstep(), TimeScale::NORMAL);
    assert!(world.sync.early().unwrap() < before - 30_000_000);
    assert_eq!(adjustment.slew, TimeScale::new(102, 100).unwrap());
}

#[test]
fn a_task_of_a_schedule_is_kept_in_step_as_well() {
    let rate = Rate::hz(RATE);
    let mut schedule = Schedule::new();
    let (physics, _) = (schedule.add(rate), schedule.add(Rate::hz(7)));
    let mut sync = TickSync::new(rate);
    for frame in 1..600_u64 {
        let now = Duration::from_millis(10 * frame);
        let _ = schedule.advance(Duration::from_millis(10));
        while schedule.next_step().is_some() {}
        let tick = schedule.tick(physics).unwrap();
        let overstep = schedule.now() - SimTime::at_tick(tick, rate);
        schedule.set_time_scale(sync.advance(now, tick, overstep, TimeScale::NORMAL).speed);
        let far = Duration::from_millis(25);
        let (sent, server) = (now.saturating_sub(2 * far), now + Duration::from_secs(9));
        let pong = Pong {
            sent,
            received: server,
            replied: server,
            arrived: now,
            simulated: server - far,
        };
        // The pings of the first frames all bear the same time.
        assert_eq!(sync.observe_pong(pong), frame == 1 || frame > 5);
    }
    let ahead = SimTime::at_tick(sync.tick(schedule.tick(physics).unwrap()).unwrap(), rate).as_secs_f64() - 14.99;
    // The way there, a step that waits for its end, and the margin.
    assert!((0.02..0.05).contains(&ahead), "{ahead} s");
}

#[test]
fn a_server_that_cannot_keep_up_is_followed_at_its_pace_without_a_stop() {
    for per_cent in [54, 80, 90, 98] {
        let mut world = World::new(Network {
            there: 20,
            back: 25,
            jitter: 3,
            ppm: 0,
        });
        world.run_until(8_000);
        world.server_speed = per_cent;
        world.run_until(40_000);
        let slews = |since: i64| {
            world
                .slews
                .iter()
                .filter(move |(at, _)| *at > since)
                .map(|(_, slew)| *slew)
        };
        let slowest = slews(8_000).fold(f64::MAX, f64::min);
        assert!(slowest > 0.3 * per_cent as f64 / 100.0, "{per_cent} %: {slowest}");
        let spread = slews(30_000).fold((f64::MAX, f64::MIN), |(least, most), slew| {
            (least.min(slew), most.max(slew))
        });
        let speed = per_cent as f64 / 100.0;
        assert!(
            spread.0 > speed - 0.01 && spread.1 < speed + 0.01,
            "{per_cent} %: {spread:?}"
        );
        let (least, most) = world.early_since(30_000);
        assert!(
            least > -3.0 && most < 3.0 + 2.0 * GRID_MS + 5.0,
            "{per_cent} %: {least} to {most} ms"
        );
        assert_eq!(world.jumps.len(), 1, "{:?}", world.jumps);
    }
}
