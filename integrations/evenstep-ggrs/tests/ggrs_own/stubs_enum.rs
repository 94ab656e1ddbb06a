//! The game of GGRS's tests with an enum as input.

#![allow(dead_code)] // not every file of tests uses everything

#[path = "driven.rs"]
mod driven;

use std::net::SocketAddr;

use ggrs::{Config, PredictRepeatLast};
use serde::{Deserialize, Serialize};

#[allow(unused_imports)] // GGRS's own tests use it
pub(crate) use driven::localhost;

pub(crate) type GameStubEnum = driven::GameStub<Alike>;

#[derive(Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) enum EnumInput {
    #[default]
    Val1,
    Val2,
}

pub(crate) struct StubEnumConfig;

impl Config for StubEnumConfig {
    type Input = EnumInput;
    type InputPredictor = PredictRepeatLast;
    type State = ();
    type Address = SocketAddr;
}

/// Whether both players chose the same.
pub(crate) struct Alike;

impl driven::Rules for Alike {
    type PlayerInput = EnumInput;
    type Config = StubEnumConfig;

    fn step(state: i32, players: &[EnumInput]) -> i32 {
        3 * state.wrapping_mul(5) % 1009 + i32::from(players[0] == players[1])
    }
}
