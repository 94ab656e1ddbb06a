//! Random networks, delays and machines, against the same game on one machine that knows all inputs.

use std::time::Duration;

use proptest::prelude::*;
use simulated_network::{GgrsNetwork, Jitter, LinkConditions};

use crate::machine::{Builder, alone, pair, until};

#[derive(Clone, Debug)]
struct World {
    seed: u64,
    link: LinkConditions,
    /// The frame time of each machine, in microseconds.
    frames: [u64; 2],
    window: usize,
    delay: usize,
    is_sparse: bool,
}

fn any_world() -> impl Strategy<Value = World> {
    let link =
        (0..90_u64, 0..40_u64, 0..25_u8, 0..20_u8).prop_map(|(delay_ms, jitter_ms, loss, duplicates)| LinkConditions {
            delay: Duration::from_millis(delay_ms),
            jitter: Jitter::Uniform(Duration::from_millis(jitter_ms)),
            loss_percent: loss.into(),
            duplicate_percent: duplicates.into(),
            ..LinkConditions::default()
        });
    let frames = [4_000..40_000_u64, 4_000..40_000_u64];
    (any::<u64>(), link, frames, 1..12_usize, 0..4_usize, any::<bool>()).prop_map(
        |(seed, link, frames, window, delay, is_sparse)| World {
            seed,
            link,
            frames,
            window,
            delay,
            is_sparse,
        },
    )
}

/// Plays on two machines until the given number of ticks is confirmed on both, and compares every tick and every event with a reference
/// game that knows all inputs. Returns the number of re-simulated ticks and of retracted events.
fn play(world: &World, ticks: u64) -> Result<(u64, u32), TestCaseError> {
    let network = GgrsNetwork::new(world.seed);
    let builder = || {
        Builder::new()
            .with_max_prediction_window(world.window)
            .with_input_delay(world.delay)
            .with_sparse_saving_mode(world.is_sparse)
    };
    let mut machines = pair(&network, builder);
    machines.iter_mut().for_each(|machine| machine.seed = world.seed);
    network.set_conditions(world.link);
    let mut due = [0; 2];
    let mut now = 0;
    // Events are reported one tick after their step.
    let end = ticks + 2;
    until("all ticks are confirmed", || {
        now += 1_000;
        network.advance(Duration::from_millis(1));
        for (machine, (due, frame)) in machines.iter_mut().zip(due.iter_mut().zip(world.frames)) {
            if *due <= now {
                machine.frame(Duration::from_micros(frame)).unwrap();
                *due += frame;
            }
        }
        if network.in_flight() == 0 {
            // Both wait for lost packets: GGRS repeats them after some real time.
            std::thread::yield_now();
        }
        machines.iter().all(|machine| machine.rollback.confirmed() > end)
    });
    let (hashes, events) = alone(world.seed, 2, world.delay as u64, ticks + 1);
    for machine in &machines {
        prop_assert_eq!(&machine.game.hashes[..=ticks as usize], &hashes[..]);
        let events: Vec<_> = events.iter().copied().filter(|(tick, _)| *tick < ticks).collect();
        prop_assert_eq!(machine.told_before(ticks), events);
        prop_assert_eq!(machine.rollback.stats().dropped_events, 0);
        let reads: Vec<_> = machine.reads.iter().map(|(_, tick)| *tick).collect();
        prop_assert!(
            reads.windows(2).all(|pair| pair[1] == pair[0] + 1),
            "each tick is read for once"
        );
    }
    let resimulated = machines
        .iter()
        .map(|machine| machine.rollback.stats().resimulated)
        .sum();
    let retracted = machines.iter().map(|machine| machine.retracted).sum();
    Ok((resimulated, retracted))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn on_any_network_both_machines_come_to_every_state_and_event_of_one_who_knows_all_inputs(world in any_world()) {
        play(&world, 240)?;
    }
}

#[test]
fn on_a_bad_network_ticks_are_simulated_again_and_events_retracted() {
    let link = LinkConditions {
        delay: Duration::from_millis(60),
        jitter: Jitter::Uniform(Duration::from_millis(20)),
        loss_percent: 10.0,
        duplicate_percent: 5.0,
        ..LinkConditions::default()
    };
    for is_sparse in [false, true] {
        let world = World {
            seed: 7,
            link,
            frames: [16_667, 6_944],
            window: 8,
            delay: 0,
            is_sparse,
        };
        let (resimulated, retracted) = play(&world, 900).unwrap();
        assert!(resimulated > 900 && retracted > 3, "{resimulated} and {retracted}");
    }
}
