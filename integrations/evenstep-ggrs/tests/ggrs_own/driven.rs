//! Replaces the games in GGRS's own integration tests: a [`Rollback`] carries out the requests of their sessions.

use std::marker::PhantomData;
use std::net::SocketAddr;

use evenstep::Step;
use evenstep::history::Rewind;
use evenstep_ggrs::{InputStatus, Rollback, RollbackGame};
use ggrs::{Config, GgrsRequest};

/// More ticks than any of these tests rolls back.
const WINDOW: usize = 16;

/// The rules of a game of these tests.
pub(crate) trait Rules: 'static {
    type PlayerInput: Copy;
    type Config: Config<Input = Self::PlayerInput, State = ()>;

    fn step(state: i32, players: &[Self::PlayerInput]) -> i32;

    fn checksum(frame: i32, state: i32) -> u64 {
        (u64::from(frame.cast_unsigned()) << 32) | u64::from(state.cast_unsigned())
    }
}

/// A game with the name and fields that the tests use.
pub(crate) struct GameStub<R: Rules> {
    pub(crate) gs: State<R>,
    rollback: Rollback<(i32, i32), R::PlayerInput, ()>,
}

/// Its state.
pub(crate) struct State<R> {
    pub(crate) frame: i32,
    pub(crate) state: i32,
    rules: PhantomData<R>,
}

impl<R: Rules> GameStub<R> {
    pub(crate) fn new() -> Self {
        Self {
            gs: State {
                frame: 0,
                state: 0,
                rules: PhantomData,
            },
            rollback: Rollback::new(),
        }
    }

    pub(crate) fn handle_requests(&mut self, requests: Vec<GgrsRequest<R::Config>>) {
        self.rollback
            .carry_out(&mut self.gs, requests, WINDOW)
            .expect("requests of one session");
        assert_eq!(self.rollback.tick(), self.gs.frame as u64);
    }
}

impl<R: Rules> Rewind for State<R> {
    type Saved = (i32, i32);
    type Input = Vec<R::PlayerInput>;

    fn save(&self) -> (i32, i32) {
        (self.frame, self.state)
    }

    fn restore(&mut self, saved: &(i32, i32)) {
        (self.frame, self.state) = *saved;
    }

    fn step(&mut self, step: &Step, players: &Vec<R::PlayerInput>) {
        assert_eq!(step.tick, self.frame as u64);
        self.state = R::step(self.state, players);
        self.frame += 1;
    }
}

impl<R: Rules> RollbackGame for State<R> {
    type PlayerInput = R::PlayerInput;
    type Event = ();

    fn input(players: &[(R::PlayerInput, InputStatus)]) -> Vec<R::PlayerInput> {
        players.iter().map(|(player, _)| *player).collect()
    }

    fn checksum(&self) -> u64 {
        R::checksum(self.frame, self.state)
    }
}

pub(crate) fn localhost(port: u16) -> SocketAddr {
    ([127, 0, 0, 1], port).into()
}
