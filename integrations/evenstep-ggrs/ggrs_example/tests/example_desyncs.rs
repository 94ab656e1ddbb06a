//! Faults in GGRS's own example game, between two peers that GGRS alone drives: `cargo ci --only GGRS` runs it beside the file of the example,
//! `ex_game.rs`. Of evenstep there is only the monitor.

use std::time::Duration;

use evenstep::Tick;
use evenstep_desync::DesyncMonitor;
use ggrs::{Config, GgrsRequest, P2PSession, PlayerType, PredictRepeatLast, SessionBuilder, SessionState};
use simulated_network::{GgrsNetwork, LinkConditions};

use example::{Fault, Faulty, Input, State};

/// The example game, unchanged, and its faults.
#[allow(dead_code)]
mod example {
    use evenstep::inspect::{hash, Visitor};
    use evenstep::{Inspect, Tick};

    /// What the example draws with and reads keys from: nothing is drawn, and the space bar is held where a test asks for it.
    mod macroquad {
        pub(super) mod prelude {
            use std::cell::Cell;

            thread_local! {
                pub(crate) static IS_SPACE_HELD: Cell<bool> = const { Cell::new(false) };
            }

            #[derive(Clone, Copy)]
            pub(crate) struct Color;
            pub(crate) const BLACK: Color = Color;
            pub(crate) const GOLD: Color = Color;
            pub(crate) const BLUE: Color = Color;
            pub(crate) const GREEN: Color = Color;
            pub(crate) const RED: Color = Color;
            pub(crate) const WHITE: Color = Color;

            #[derive(PartialEq)]
            pub(crate) enum KeyCode {
                Space,
                W,
                A,
                S,
                D,
                Up,
                Down,
                Left,
                Right,
            }

            pub(crate) struct Vec2;

            impl Vec2 {
                pub(crate) fn new(_: f32, _: f32) -> Self {
                    Self
                }
            }

            pub(crate) fn clear_background(_: Color) {}
            pub(crate) fn draw_triangle(_: Vec2, _: Vec2, _: Vec2, _: Color) {}
            pub(crate) fn draw_text(_: &str, _: f32, _: f32, _: f32, _: Color) {}

            pub(crate) fn is_key_down(_: KeyCode) -> bool {
                false
            }

            pub(crate) fn is_key_pressed(key: KeyCode) -> bool {
                key == KeyCode::Space && IS_SPACE_HELD.get()
            }
        }
    }

    include!("ex_game.rs");

    impl Inspect for State {
        fn visit(&self, visitor: &mut impl Visitor) {
            visitor.field("frame", &self.frame);
            visitor.field("positions", &self.positions);
            visitor.field("velocities", &self.velocities);
            visitor.field("rotations", &self.rotations);
        }
    }

    #[derive(Clone, Copy, Debug, PartialEq)]
    pub(crate) enum Fault {
        /// The example's own: the space bar moves the ship past all inputs.
        SpaceBar,
        LostInput,
        FieldForgottenInRestore,
        StepInRendering,
    }

    /// The game, and the fault that it has from a tick on.
    pub(crate) struct Faulty {
        game: Game,
        fault: Option<(Fault, Tick)>,
        /// The hash of the state before each tick, from its last simulation.
        pub(crate) hashes: Vec<u64>,
    }

    impl Faulty {
        pub(crate) fn new(own: usize, fault: Option<(Fault, Tick)>) -> Self {
            let mut game = Game::new(2);
            game.register_local_handles(vec![own]);
            let hashes = Vec::new();
            Self { game, fault, hashes }
        }

        fn has(&self, fault: Fault) -> bool {
            let tick = self.hashes.len() as Tick;
            self.fault.is_some_and(|(own, from)| own == fault && tick >= from)
        }

        /// Reads the keys of the player at this machine as the example does. Only the space bar may be held.
        pub(crate) fn read_keys(&mut self) {
            IS_SPACE_HELD.set(self.has(Fault::SpaceBar));
            let own = self.game.local_handles[0];
            let _ = self.game.local_input(own);
        }

        pub(crate) fn draw(&mut self) {
            self.game.render();
            if self.has(Fault::StepInRendering) {
                let still = (Input::default(), InputStatus::Confirmed);
                self.game.game_state.advance(vec![still; 2]);
            }
        }
    }

    impl Faulty {
        pub(crate) fn save(&self) -> State {
            self.game.game_state.clone()
        }

        pub(crate) fn restore(&mut self, saved: State) {
            let rotations = self.game.game_state.rotations.clone();
            self.hashes.truncate(saved.frame as usize);
            self.game.game_state = saved;
            if self.has(Fault::FieldForgottenInRestore) {
                self.game.game_state.rotations = rotations;
            }
        }

        pub(crate) fn step(&mut self, mut inputs: Vec<(Input, InputStatus)>) {
            self.hashes.push(hash(&self.game.game_state));
            if self.has(Fault::LostInput) {
                inputs[0].0 = Input::default();
            }
            self.game.advance_frame(inputs);
        }
    }
}

#[derive(Debug)]
struct Setup;

impl Config for Setup {
    type Input = Input;
    type InputPredictor = PredictRepeatLast;
    type State = State;
    type Address = usize;
}

/// The keys of a player: others in every eighth tick.
fn keys(seed: u64, player: usize, tick: Tick) -> u8 {
    let number = (seed * 31 + player as u64 * 7 + tick / 8).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (number >> 60) as u8
}

struct Machine {
    session: P2PSession<Setup>,
    monitor: DesyncMonitor<State>,
    game: Faulty,
    own: usize,
    seed: u64,
    tick: Tick,
}

impl Machine {
    fn new(network: &GgrsNetwork, own: usize, seed: u64, fault: Option<(Fault, Tick)>) -> Self {
        let session = SessionBuilder::<Setup>::new()
            .add_player(PlayerType::Local, own)
            .and_then(|builder| builder.add_player(PlayerType::Remote(1 - own), 1 - own))
            .and_then(|builder| builder.start_p2p_session(network.socket(own)))
            .expect("a session");
        Self {
            monitor: DesyncMonitor::new(120).with_rollback(session.max_prediction() as Tick + 2),
            session,
            game: Faulty::new(own, fault),
            own,
            seed,
            tick: 0,
        }
    }

    /// Runs a frame, and returns the messages for the other.
    fn frame(&mut self) -> Vec<Vec<u8>> {
        self.session.poll_remote_clients();
        if self.session.current_state() == SessionState::Running {
            self.game.read_keys();
            let input = Input {
                inp: keys(self.seed, self.own, self.tick),
            };
            self.session.add_local_input(self.own, input).expect("a local player");
            // An error: it waits for the other machine.
            for request in self.session.advance_frame().unwrap_or_default() {
                match request {
                    GgrsRequest::SaveGameState { cell, frame } => {
                        let state = self.game.save();
                        self.monitor.record(frame as Tick, &state);
                        cell.save(frame, Some(state), None);
                    }
                    GgrsRequest::LoadGameState { cell, .. } => self.game.restore(cell.load().expect("a saved state")),
                    GgrsRequest::AdvanceFrame { inputs } => self.game.step(inputs),
                }
            }
            self.tick = self.game.hashes.len() as Tick;
            self.game.draw();
        }
        std::iter::from_fn(|| self.monitor.message()).collect()
    }
}

#[test]
fn a_hundred_faults_in_the_example_game_are_named_by_both_peers() {
    let mut named = 0;
    for fault in [
        Fault::SpaceBar,
        Fault::LostInput,
        Fault::FieldForgottenInRestore,
        Fault::StepInRendering,
    ] {
        for seed in 0..25 {
            let begin = 30 + 3 * seed;
            let network = GgrsNetwork::new(seed);
            let mut machines =
                [0, 1].map(|own| Machine::new(&network, own, seed, (own == 1).then_some((fault, begin))));
            while machines.iter().any(|machine| machine.session.current_state() != SessionState::Running) {
                for machine in &mut machines {
                    machine.session.poll_remote_clients();
                }
                network.advance(Duration::from_millis(1));
            }
            let delay = Duration::from_millis(40);
            network.set_conditions(LinkConditions {
                delay,
                ..LinkConditions::default()
            });
            for _ in 0..1000 {
                network.advance(Duration::from_nanos(16_666_667));
                for own in [0, 1] {
                    for message in machines[own].frame() {
                        machines[1 - own].monitor.receive(&message).expect("a message of a monitor");
                    }
                }
                if machines.iter().all(|machine| machine.monitor.desync().is_some()) {
                    break;
                }
            }
            let [Some(here), Some(there)] = [machines[0].monitor.desync(), machines[1].monitor.desync()] else {
                panic!("{fault:?}, {seed}: nothing differs");
            };
            let mut mirrored = there.clone();
            for difference in &mut mirrored.differences {
                std::mem::swap(&mut difference.here, &mut difference.there);
            }
            assert_eq!(*here, mirrored, "{fault:?}, {seed}");
            let mut hashes = machines[0].game.hashes.iter().zip(&machines[1].game.hashes);
            let first = hashes.position(|(here, there)| here != there).expect("a fault") as Tick;
            // A state that is restored without a field was saved with it: the next one that is saved lacks it.
            let first = first + Tick::from(fault == Fault::FieldForgottenInRestore);
            assert_eq!(here.tick, first, "{fault:?}, {seed}: {here}");
            // The ship of the player with the fault; what is forgotten is that of whoever turned meanwhile.
            let ship = |path: &str| path.split_once('[').map(|(_, rest)| rest.starts_with("0]"));
            let paths: Vec<&str> = here.differences.iter().map(|one| one.path.as_str()).collect();
            let is_expected = match fault {
                Fault::SpaceBar => {
                    paths.iter().all(|path| ship(path) == Some(false)) && paths[0].starts_with("positions")
                }
                Fault::LostInput => paths.iter().all(|path| ship(path) == Some(true)),
                Fault::FieldForgottenInRestore => paths.iter().any(|path| path.starts_with("rotations")),
                Fault::StepInRendering => paths[0] == "frame",
            };
            assert!(is_expected, "{fault:?}, {seed}: {here}");
            named += 1;
        }
    }
    assert_eq!(named, 100);
}
