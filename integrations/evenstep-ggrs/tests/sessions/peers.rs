//! Two and more machines with players.

use std::time::Duration;

use evenstep::TimeScale;
use evenstep_ggrs::ggrs::{DesyncDetection, GgrsEvent, P2PSession, PlayerType};
use simulated_network::{GgrsNetwork, Jitter, LinkConditions};

use crate::machine::{Builder, Machine, PATIENCE, Setup, alone, pair, peer, until};

const FRAME: Duration = Duration::from_nanos(16_666_667);

fn both(machines: &mut [Machine<P2PSession<Setup>>], network: &GgrsNetwork, frames: u32) {
    for _ in 0..frames {
        network.advance(FRAME);
        machines.iter_mut().for_each(|machine| machine.frame(FRAME).unwrap());
    }
}

#[test]
fn until_all_are_connected_no_time_passes() {
    let network = GgrsNetwork::new(1);
    let mut lonely = peer(&network, 0, 2, Builder::new());
    for _ in 0..100 {
        lonely.frame(FRAME).unwrap();
    }
    assert_eq!(lonely.timestep.time_scale(), TimeScale::PAUSED);
    assert_eq!((lonely.timestep.tick(), lonely.rollback.tick()), (0, 0));
    assert!(lonely.reads.is_empty() && lonely.rollback.stats().given_back <= 1);
    let mut other = peer(&network, 1, 2, Builder::new());
    until("they are connected", || {
        lonely.frame(Duration::ZERO).unwrap();
        other.frame(Duration::ZERO).unwrap();
        !lonely.timestep.time_scale().is_paused()
    });
    assert_eq!(lonely.timestep.tick(), 0);
    lonely.frame(FRAME * 2).unwrap();
    assert_eq!(lonely.rollback.tick(), lonely.timestep.tick());
    assert!((1..=3).contains(&lonely.rollback.tick()));
}

#[test]
fn a_machine_that_receives_nothing_waits_and_catches_up_the_steps_given_back() {
    let network = GgrsNetwork::new(1);
    let mut machines = pair(&network, Builder::new);
    both(&mut machines, &network, 60);
    let cut = LinkConditions {
        loss_percent: 100.0,
        ..LinkConditions::default()
    };
    network.set_conditions(cut);
    both(&mut machines, &network, 20);
    for machine in &machines {
        assert!(
            (66..70).contains(&machine.rollback.tick()),
            "{}",
            machine.rollback.tick()
        );
        assert_eq!(machine.timestep.tick(), machine.rollback.tick());
        let stats = machine.rollback.stats();
        assert!(stats.given_back >= 10, "{stats:?}");
        assert_eq!(machine.frame.lost().dropped, 0, "they are kept");
    }
    network.set_conditions(LinkConditions::default());
    until("they hear each other again", || {
        both(&mut machines, &network, 1);
        machines.iter().all(|machine| machine.rollback.tick() > 70)
    });
    both(&mut machines, &network, 30);
    // The backlog is caught up: no frame is behind any more.
    assert!(machines.iter().all(|machine| !machine.frame.is_behind()));
    let (hashes, _) = alone(1, 2, 0, machines[0].rollback.confirmed());
    assert_eq!(machines[0].game.hashes[..hashes.len()], hashes[..]);
}

#[test]
fn in_lockstep_ticks_wait_for_all_inputs_and_nothing_is_ever_saved() {
    for delay in [0, 3] {
        let network = GgrsNetwork::new(1);
        let builder = || Builder::new().with_max_prediction_window(0).with_input_delay(delay);
        let mut machines = pair(&network, builder);
        for _ in 0..20 {
            machines[0].frame(FRAME).unwrap(); // alone
        }
        assert!(machines[0].rollback.tick() <= delay as u64 && machines[0].rollback.stats().given_back > 10);
        both(&mut machines, &network, 300);
        for machine in &machines {
            let ticks = machine.rollback.tick();
            assert!(ticks > 250, "{ticks}");
            assert_eq!(machine.rollback.confirmed(), ticks);
            assert_eq!(machine.game.hashes, alone(1, 2, delay as u64, ticks).0);
            assert_eq!((machine.game.fresh_saves.get(), machine.retracted), (0, 0));
        }
    }
}

#[test]
fn desyncs_are_detected_without_false_positives() {
    for (wrong_from, is_sparse) in [(150, false), (150, true), (u64::MAX, false), (u64::MAX, true)] {
        let network = GgrsNetwork::new(5);
        let builder = || {
            Builder::new()
                .with_sparse_saving_mode(is_sparse)
                .with_desync_detection_mode(DesyncDetection::On { interval: 20 })
        };
        let mut machines = pair(&network, builder);
        network.set_conditions(LinkConditions {
            delay: Duration::from_millis(40),
            jitter: Jitter::Uniform(Duration::from_millis(10)),
            ..LinkConditions::default()
        });
        machines[1].game.wrong_from = wrong_from;
        both(&mut machines, &network, 400);
        for machine in &mut machines {
            let desyncs = machine.session.events().filter_map(|event| match event {
                GgrsEvent::DesyncDetected { frame, .. } => Some(frame),
                _ => None,
            });
            let desyncs: Vec<_> = desyncs.collect();
            assert_eq!(desyncs.is_empty(), wrong_from == u64::MAX, "{desyncs:?}");
            assert!(desyncs.iter().all(|frame| *frame > 150), "{desyncs:?}");
        }
    }
}

#[test]
fn the_delay_of_inputs_may_change_during_the_game() {
    let network = GgrsNetwork::new(2);
    let mut machines = pair(&network, Builder::new);
    network.set_conditions(LinkConditions {
        delay: Duration::from_millis(25),
        ..LinkConditions::default()
    });
    for delay in [0, 4, 1, 2] {
        for (player, machine) in machines.iter_mut().enumerate() {
            machine.session.set_input_delay(player, delay).unwrap();
        }
        let before = machines[0].rollback.tick();
        both(&mut machines, &network, 60);
        assert!(machines[0].rollback.tick() > before + 50);
    }
    let end = machines
        .iter()
        .map(|machine| machine.rollback.confirmed())
        .min()
        .unwrap() as usize;
    assert!(end > 200);
    assert_eq!(machines[0].game.hashes[..end], machines[1].game.hashes[..end]);
}

#[test]
fn a_player_leaves_in_the_same_tick_on_all_machines() {
    let network = GgrsNetwork::new(2);
    let mut machines = [0, 1, 2].map(|own| peer(&network, own, 3, Builder::new()));
    until("all are connected", || {
        machines
            .iter_mut()
            .for_each(|machine| machine.frame(Duration::ZERO).unwrap());
        machines
            .iter()
            .all(|machine| !machine.timestep.time_scale().is_paused())
    });
    // Without jitter: GGRS 0.13 may panic if machines have received different last inputs of a player that leaves.
    network.set_conditions(LinkConditions {
        delay: Duration::from_millis(30),
        ..LinkConditions::default()
    });
    both(&mut machines, &network, 100);
    for machine in &mut machines[..2] {
        machine.session.disconnect_player(2).unwrap();
    }
    both(&mut machines[..2], &network, 100);
    let end = machines[..2]
        .iter()
        .map(|machine| machine.rollback.confirmed())
        .min()
        .unwrap();
    assert!(end > 150, "{end}");
    assert_eq!(
        machines[0].game.hashes[..end as usize],
        machines[1].game.hashes[..end as usize]
    );
    assert!(machines[0].game.state.gone > 50);
    assert_eq!(machines[0].told_before(end - 12), machines[1].told_before(end - 12));
}

#[test]
fn several_players_on_a_machine_are_read_in_the_order_of_their_handles() {
    let network = GgrsNetwork::new(2);
    let session = |own: [usize; 2], other: usize, address| {
        let mut builder = Builder::new()
            .with_num_players(4)
            .unwrap()
            .with_disconnect_timeout(PATIENCE);
        for player in 0..4 {
            let kind = if own.contains(&player) {
                PlayerType::Local
            } else {
                PlayerType::Remote(other)
            };
            builder = builder.add_player(kind, player).unwrap();
        }
        Machine::new(builder.start_p2p_session(network.socket(address)).unwrap(), 4)
    };
    let mut machines = [session([0, 2], 1, 0), session([1, 3], 0, 1)];
    until("both are connected", || {
        machines
            .iter_mut()
            .for_each(|machine| machine.frame(Duration::ZERO).unwrap());
        machines
            .iter()
            .all(|machine| !machine.timestep.time_scale().is_paused())
    });
    both(&mut machines, &network, 100);
    let players: Vec<_> = machines[1].reads.iter().map(|(player, _)| *player).collect();
    assert!(players.len() > 190 && players.chunks(2).all(|pair| pair == [1, 3]));
    let end = machines[0].rollback.confirmed();
    assert_eq!(machines[0].game.hashes[..end as usize], alone(1, 4, 0, end).0[..]);
}

#[test]
fn a_machine_ahead_runs_slower_and_the_others_faster_until_they_synchronise() {
    let network = GgrsNetwork::new(1);
    let mut machines = pair(&network, Builder::new);
    // Six ticks before the other machine starts.
    for _ in 0..6 {
        machines[0].frame(FRAME).unwrap();
    }
    let speed = |machine: &Machine<P2PSession<Setup>>| machine.timestep.time_scale().as_f64();
    let [mut slowest, mut fastest] = [1.0_f64; 2];
    for _ in 0..400 {
        both(&mut machines, &network, 1);
        slowest = slowest.min(speed(&machines[0]));
        fastest = fastest.max(speed(&machines[1]));
    }
    assert!(
        (0.98..=0.99).contains(&slowest) && fastest >= 1.0,
        "{slowest} and {fastest}"
    );
    let apart = machines[0].rollback.tick().abs_diff(machines[1].rollback.tick());
    assert!(apart <= 3, "{apart} ticks apart");
    assert!(machines.iter().all(|machine| machine.frame.lost().dropped == 0));

    let slow_motion = TimeScale::new(1, 2).unwrap();
    machines
        .iter_mut()
        .for_each(|machine| machine.rollback.set_time_scale(slow_motion));
    both(&mut machines, &network, 1);
    assert!(machines.iter().all(|machine| (speed(machine) - 0.5).abs() <= 0.01));
}
