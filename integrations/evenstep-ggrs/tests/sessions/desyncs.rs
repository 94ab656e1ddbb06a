//! Peers whose programs differ: both name the tick and the value.

use std::collections::VecDeque;
use std::time::Duration;

use evenstep::inspect::{self, Desync, Dump};
use evenstep::{FixedTimestep, Overrun, Rate, Tick};
use evenstep_ggrs::ggrs::{P2PSession, PlayerType};
use evenstep_ggrs::{DesyncMonitor, Rollback};
use simulated_network::{GgrsNetwork, LinkConditions};

use crate::faulty::{Fault, Faulty, State};
use crate::machine::{Builder, PATIENCE, Setup, until};
use crate::tag::script;

const FRAME: Duration = Duration::from_nanos(16_666_667);

/// A machine, and its monitor of the other one.
struct Machine {
    session: P2PSession<Setup>,
    rollback: Rollback<State, u8, ()>,
    monitor: DesyncMonitor<State>,
    timestep: FixedTimestep,
    game: Faulty,
    seed: u64,
}

impl Machine {
    fn new(session: P2PSession<Setup>, seed: u64, fault: Option<(Fault, Tick)>) -> Self {
        let max_backlog = Duration::from_millis(500);
        Self {
            session,
            monitor: DesyncMonitor::new(120),
            rollback: Rollback::new(),
            timestep: FixedTimestep::new(Rate::hz(60)).with_overrun(Overrun::Carry { max_backlog }),
            game: Faulty::new(seed, fault),
            seed,
        }
    }

    /// Runs a frame, and returns the messages for the peer.
    fn frame(&mut self, delta: Duration) -> Vec<Vec<u8>> {
        let (seed, frame) = (self.seed, self.timestep.advance(delta));
        let read = |step: &evenstep::Step, player| script(seed, player, step.tick);
        let run = self
            .rollback
            .run(&mut self.session, &mut self.game, &mut self.timestep, frame, read);
        let _frame = run.expect("a session");
        self.game.draw();
        self.rollback.record(&mut self.monitor);
        std::iter::from_fn(|| self.monitor.message()).collect()
    }

    fn desync(&self) -> Option<&Desync> {
        self.monitor.desync()
    }

    fn is_connected(&self) -> bool {
        !self.timestep.time_scale().is_paused()
    }
}

/// The same report with the sides exchanged.
fn mirrored(desync: &Desync) -> Desync {
    let mut mirrored = desync.clone();
    for difference in &mut mirrored.differences {
        std::mem::swap(&mut difference.here, &mut difference.there);
    }
    mirrored
}

/// The first tick before which the states of two games that share their inputs differed.
fn first_difference(here: &Faulty, there: &Faulty) -> Option<Tick> {
    let both = here.hashes.iter().zip(&there.hashes);
    both.into_iter()
        .position(|(here, there)| here != there)
        .map(|tick| tick as Tick)
}

/// The delay of a message between two machines.
const DELAY: Duration = Duration::from_millis(40);

/// Two machines on a simulated network, of which the second has a fault.
fn pair(seed: u64, fault: Option<(Fault, Tick)>, is_sparse: bool) -> (GgrsNetwork, [Machine; 2]) {
    let network = GgrsNetwork::new(seed);
    let mut machines = [0, 1].map(|own| {
        let session = Builder::new()
            .with_disconnect_timeout(PATIENCE)
            .with_sparse_saving_mode(is_sparse)
            .add_player(PlayerType::Local, own)
            .and_then(|builder| builder.add_player(PlayerType::Remote(1 - own), 1 - own))
            .and_then(|builder| builder.start_p2p_session(network.socket(own)));
        Machine::new(session.expect("a session"), seed, fault.filter(|_| own == 1))
    });
    until("both machines are connected", || {
        for machine in &mut machines {
            machine.frame(Duration::ZERO);
        }
        network.advance(Duration::from_millis(1));
        machines.iter().all(Machine::is_connected)
    });
    network.set_conditions(LinkConditions {
        delay: DELAY,
        ..LinkConditions::default()
    });
    (network, machines)
}

/// Runs a frame of both. Of the monitors' messages each that `is_lost` chooses does not arrive.
fn both(network: &GgrsNetwork, machines: &mut [Machine; 2], is_lost: &mut impl FnMut() -> bool) {
    network.advance(FRAME);
    for own in [0, 1] {
        for message in machines[own].frame(FRAME) {
            if !is_lost() {
                machines[1 - own]
                    .monitor
                    .receive(&message)
                    .expect("a message of a peer");
            }
        }
    }
}

#[test]
fn a_hundred_faults_of_ten_kinds_are_named_by_both_peers() {
    let mut named = 0;
    for fault in Fault::ALL {
        for seed in 0..10 {
            let begin = 30 + 7 * seed;
            let (network, mut machines) = pair(seed, Some((fault, begin)), false);
            let mut sent = seed;
            // A third of the messages is lost.
            let mut is_lost = || {
                sent += 1;
                inspect::hash(&sent).is_multiple_of(3)
            };
            let mut frames = 0;
            until("both machines name the fault", || {
                // GGRS measures how far one is ahead by the real time. At one delay it may be that each step is simulated again before it is
                // final, and that a fault of a step's first run leaves nothing.
                if frames % 100 == 0 {
                    let delay = [DELAY, Duration::from_millis(5)][frames / 100 % 2];
                    network.set_conditions(LinkConditions {
                        delay,
                        ..LinkConditions::default()
                    });
                }
                frames += 1;
                both(&network, &mut machines, &mut is_lost);
                machines.iter().all(|machine| machine.desync().is_some())
            });
            let reports = machines.each_ref().map(|machine| machine.desync().cloned());
            let [Some(here), Some(there)] = reports else {
                panic!("{fault:?}, {seed}: {reports:?}");
            };
            assert_eq!(mirrored(&here), there, "{fault:?}, {seed}");
            let first = first_difference(&machines[0].game, &machines[1].game).expect("a fault");
            // A state that is restored without a field was saved with it: the next one that is saved lacks it.
            let first = first + Tick::from(fault == Fault::FieldForgottenInRestore);
            assert_eq!(here.tick, first, "{fault:?}, {seed}: {here}");
            assert!(here.tick > begin - 8, "{fault:?}, {seed}: {here}");
            let path = &here.differences[0].path;
            let paths = fault.paths((seed % 2) as usize);
            assert!(paths.contains(path), "{fault:?}, {seed}: {here}");
            named += 1;
        }
    }
    assert_eq!(named, 100);
}

#[test]
fn peers_without_a_fault_agree() {
    for is_sparse in [false, true] {
        let (network, mut machines) = pair(3, None, is_sparse);
        let mut messages = 0;
        for _ in 0..400 {
            both(&network, &mut machines, &mut || {
                messages += 1;
                false
            });
        }
        assert!(machines.iter().all(|machine| machine.rollback.confirmed() > 350));
        assert!(machines.iter().all(|machine| machine.desync().is_none()));
        assert!((2..60).contains(&messages), "{messages} messages");
    }
}

#[test]
fn with_sparse_saving_a_tick_that_both_saved_is_named() {
    let (network, mut machines) = pair(1, Some((Fault::SystemOrder, 60)), true);
    for _ in 0..1000 {
        both(&network, &mut machines, &mut || false);
    }
    let reports = machines.each_ref().map(|machine| machine.desync());
    let [Some(here), Some(there)] = reports else {
        panic!("{reports:?}");
    };
    assert_eq!(mirrored(here), *there);
    assert!(
        here.tick > 60 && here.differences[0].path.ends_with("position[0]"),
        "{here}"
    );
}

#[test]
fn the_dumps_of_both_machines_have_the_state_and_the_inputs_since_they_agreed() {
    let (network, mut machines) = pair(4, Some((Fault::TimeReadInAStep, 90)), false);
    for _ in 0..1000 {
        both(&network, &mut machines, &mut || false);
    }
    let dumps = [0, 1].map(|own: usize| machines[own].monitor.dump().expect("a desync").to_string());
    let [here, there] = dumps.map(|text| text.parse::<Dump>().expect("a dump"));
    let desync = here.compare(&there).expect("a desync");
    assert_eq!((desync.tick, desync.differences.len()), (91, 1), "{desync}");
    assert_eq!(Some(&desync), machines[0].desync());
    let inputs = here.values().filter(|(path, _)| path.starts_with("player_inputs"));
    let inputs: Vec<_> = inputs
        .map(|(path, value)| (path.to_owned(), value.to_owned()))
        .collect();
    let input = |player| {
        let value = script(4, player, 90).to_string();
        (format!("player_inputs[90][{player}]"), value)
    };
    assert_eq!(inputs, [input(0), input(1)]);
}

#[test]
fn a_new_session_with_the_same_monitors_is_compared_whatever_the_length_of_the_last() {
    for (length, delay) in [(1, 0), (2, 3), (9, 0), (9, 6), (40, 2), (90, 12), (200, 0), (200, 12)] {
        let (network, mut machines) = pair(length, None, false);
        let mut under_way = VecDeque::new();
        let mut play = |network: &GgrsNetwork, machines: &mut [Machine; 2], frames| {
            for _ in 0..frames {
                network.advance(FRAME);
                let sent = [0, 1].map(|own| machines[own].frame(FRAME));
                under_way.push_back(sent);
                if under_way.len() > delay {
                    let [from_first, from_second] = under_way.pop_front().expect("messages");
                    for (own, messages) in [(1, from_first), (0, from_second)] {
                        for message in messages {
                            machines[own].monitor.receive(&message).expect("a message of a peer");
                        }
                    }
                }
            }
        };
        play(&network, &mut machines, length);
        assert!(machines.iter().all(|machine| machine.desync().is_none()), "{length}");
        let (network, mut second) = pair(length + 1, Some((Fault::SystemOrder, 70)), false);
        for (new, last) in second.iter_mut().zip(machines) {
            new.monitor = last.monitor;
        }
        play(&network, &mut second, 400);
        let [Some(here), Some(there)] = second.each_ref().map(Machine::desync) else {
            panic!("{length}, {delay}");
        };
        assert_eq!(mirrored(here), *there, "{length}, {delay}");
        let first = first_difference(&second[0].game, &second[1].game);
        assert_eq!(Some(here.tick), first, "{length}, {delay}: {here}");
    }
}
