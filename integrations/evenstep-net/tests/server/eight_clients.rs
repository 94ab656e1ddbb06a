//! A server with eight clients in good and bad circumstances: the table of the book.

use std::time::Duration;

use evenstep_net::{ClientMessage, Hello, PlayerId};
use fastrand::Rng;
use simulated_network::{Jitter, LinkConditions};

use crate::world::{RATE, World};

const MS: Duration = Duration::from_millis(1);

/// What differs from a good network, good clocks and 60 frames a second.
#[derive(Clone, Copy, Default)]
struct Circumstances {
    conditions: LinkConditions,
    frame_ms: u32,
    /// By how much the clocks of the clients are wrong, four of them fast and four slow.
    clock_error: f64,
    /// The first client sleeps from the fifteenth second to the 45th.
    sleeps: bool,
    /// The first client sends 3000 messages a second, with random ticks, inputs and acknowledgements.
    is_hostile: bool,
}

/// Figures of the honest clients that did not sleep, after ten seconds of a minute, and of one that slept, after the 50th second.
#[derive(Debug)]
struct Figures {
    /// Ticks of a thousand that the server ran without the client's input: the mean, and of the client with the most.
    lost: [f64; 2],
    /// How early inputs arrived, in milliseconds, on average.
    early_ms: f64,
    /// How many states a second differed from the prediction, and how many ticks were simulated again, for each client.
    corrections: f64,
    resimulated: f64,
    /// The longest time for which a client's tick stood still, in milliseconds.
    stood_still_ms: u32,
}

/// Players hold a direction for a while.
fn script(id: PlayerId, tick: u64) -> i8 {
    Rng::with_seed(id + 64 * (tick / (40 + 7 * id))).i8(-20..=20)
}

fn play(circumstances: Circumstances) -> Figures {
    let Circumstances {
        conditions,
        frame_ms,
        clock_error,
        sleeps,
        is_hostile,
    } = circumstances;
    let mut world = World::new(1, conditions, script);
    world.frame_length = Some(MS * frame_ms);
    for id in 1..=8 {
        world.join(id);
        let error = if id % 2 == 0 { clock_error } else { -clock_error };
        world.machines.get_mut(&id).unwrap().clock = 1.0 + error;
    }
    if is_hostile {
        world.machines.remove(&1);
    }
    let mut random = Rng::with_seed(2);
    let (mut early, mut reports) = (0.0, 0.0);
    let (mut before, mut stood) = (Vec::new(), vec![(0, 0, 0_u32); 9]);
    let counts = |world: &World, id: &PlayerId| {
        let stats = world.machines[id].client.stats();
        let missing = world.server.inbox().counts(*id).unwrap().missing;
        [missing, stats.corrections, stats.resimulated]
    };
    // Of the client that sleeps only what follows counts.
    let (from, ids) = match sleeps {
        true => (50_000, vec![1]),
        false => (10_000, world.machines.keys().copied().collect::<Vec<_>>()),
    };
    for ms in 0..60_000_u32 {
        let sleeper = world.machines.get_mut(&1).filter(|_| sleeps);
        sleeper
            .into_iter()
            .for_each(|machine| machine.is_asleep = (15_000..45_000).contains(&ms));
        for _ in 0..if is_hostile { 3 } else { 0 } {
            let near = world.server.tick().wrapping_add(random.u64(0..200)).wrapping_sub(100);
            let message = ClientMessage {
                hello: Hello { player: 1, rate: RATE },
                sent: Duration::from_nanos(random.u64(..)),
                confirmed: Some(random.u64(..)),
                first: if random.bool() { near } else { random.u64(..) },
                inputs: vec![random.i8(..); random.usize(0..200)],
            };
            world.server.receive(world.network.now(), 1, &message).unwrap();
        }
        world.pass();
        if ms == from {
            before = ids.iter().map(|id| counts(&world, id)).collect();
        }
        if ms > from {
            for id in &ids {
                for report in world.server.inbox().reports(*id).rev().take(1) {
                    early += report.early as f64 / 1e6;
                    reports += 1.0;
                }
                let (tick, since, longest) = &mut stood[*id as usize];
                let now = world.machines[id].client.tick();
                if now != *tick {
                    (*tick, *since) = (now, ms);
                }
                *longest = (*longest).max(ms - (*since).max(from));
            }
        }
    }
    let after: Vec<[u64; 3]> = ids.iter().map(|id| counts(&world, id)).collect();
    let (seconds, count) = (f64::from(60_000 - from) / 1e3, ids.len() as f64);
    let each = |figure: usize| {
        after
            .iter()
            .zip(&before)
            .map(move |(after, before)| (after[figure] - before[figure]) as f64)
    };
    let of_1000 = 1e3 / (60.0 * seconds);
    Figures {
        lost: [
            each(0).sum::<f64>() / count * of_1000,
            each(0).fold(0.0, f64::max) * of_1000,
        ],
        early_ms: early / reports,
        corrections: each(1).sum::<f64>() / count / seconds,
        resimulated: each(2).sum::<f64>() / count / seconds,
        stood_still_ms: stood.iter().map(|stood| stood.2).max().unwrap(),
    }
}

#[test]
fn eight_clients_lose_few_inputs_in_good_and_bad_circumstances() {
    let good = Circumstances {
        conditions: LinkConditions {
            delay: 20 * MS,
            ..LinkConditions::default()
        },
        frame_ms: 16,
        ..Circumstances::default()
    };
    let bad = LinkConditions {
        delay: 200 * MS,
        jitter: Jitter::Uniform(200 * MS),
        loss_percent: 10.0,
        ..LinkConditions::default()
    };
    let rows = [
        ("20 ms", good, [1.0, 15.0]),
        (
            "300 ± 100 ms, 10 % lost",
            Circumstances {
                conditions: bad,
                ..good
            },
            [25.0, 125.0],
        ),
        (
            "clocks ± 1 %",
            Circumstances {
                clock_error: 0.01,
                ..good
            },
            [1.0, 15.0],
        ),
        ("asleep for 30 s", Circumstances { sleeps: true, ..good }, [1.0, 15.0]),
        (
            "30 frames a second",
            Circumstances { frame_ms: 33, ..good },
            [1.0, 35.0],
        ),
        (
            "one is hostile",
            Circumstances {
                is_hostile: true,
                ..good
            },
            [1.0, 15.0],
        ),
    ];
    println!(
        "| eight clients | lost, of 1000: mean, most | early, ms | corrections a second | ticks again a second | stood still, ms |"
    );
    for (name, circumstances, [most_lost, most_early]) in rows {
        let figures = play(circumstances);
        let [mean, worst] = figures.lost;
        println!(
            "| {name} | {mean:.1}, {worst:.1} | {:.0} | {:.1} | {:.0} | {} |",
            figures.early_ms, figures.corrections, figures.resimulated, figures.stood_still_ms
        );
        assert!(
            worst <= most_lost && figures.early_ms <= most_early,
            "{name}: {figures:?}"
        );
        assert!(
            figures.stood_still_ms <= 2 * circumstances.frame_ms,
            "{name}: {figures:?}"
        );
    }
}
