use evenstep::history::Rewind;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::message::MAX_PLAYER_BYTES;

/// Which player: the client id of its connect token.
pub type PlayerId = u64;

/// A game that a [`Server`](crate::Server) runs and a [`Client`](crate::Client) predicts: one that can go back, for several players.
///
/// What is not part of the state must not be in [`Rewind::Saved`]: how pictures glide, what was drawn. Players come and go: a step
/// lists those that take part in it, in the order of their ids, so a new one is one that was not listed before.
///
/// States and inputs travel as [postcard](https://docs.rs/postcard) writes them, and predictions are compared with what came of them by these
/// bytes. So equal states must have equal bytes: use a `BTreeMap` or a sorted `Vec`, not a `HashMap` or a `HashSet`, whose order is
/// another one in each program, and each state of which is a correction. postcard does not say what fields there are, so
/// `#[serde(flatten)]`, `#[serde(untagged)]` and `#[serde(skip_serializing_if)]` cannot be read. A [`Server`](crate::Server) refuses
/// a game whose first state shows it.
pub trait PredictedGame: Rewind<Saved: Serialize + DeserializeOwned> {
    /// What one player does in a tick. The default counts until the first input of a player arrives. It takes
    /// at most 64 bytes: clients do not send larger ones. NaN equals itself here, as inputs are compared by their bytes.
    type Player: Copy + Default + Serialize + DeserializeOwned + Send + 'static;

    /// The input of a step, from what the players do in it, in the order of their ids.
    fn input(players: &[(PlayerId, Self::Player)]) -> Self::Input;

    /// On a client: the present is about to be replaced by the server's. `alpha` is that of the picture that was drawn last: note
    /// what was drawn, for a [`Correction`](evenstep::history::Correction).
    fn before_correction(&mut self, _alpha: f64) {}

    /// The same tick is reached again, from the server's state. Correct what was noted to what is drawn at `alpha` now.
    fn after_correction(&mut self, _alpha: f64) {}
}

/// Why a game cannot be played over a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// The saved state cannot be written, or read again.
    #[error(
        "the game's first state (Rewind::Saved) cannot be sent: {0}; use neither #[serde(flatten)] nor untagged nor skip_serializing_if in it"
    )]
    State(String),
    /// The saved state has other bytes when it has been read.
    #[error(
        "the game's first state (Rewind::Saved) has other bytes once it was sent, so that no prediction equals it; use BTreeMap or a \
         sorted Vec in it instead of HashMap and HashSet, and no skip_serializing_if"
    )]
    UnstableState,
    /// What a player does in a tick cannot be written, or read again as it was.
    #[error(
        "the default input (PredictedGame::Player) cannot be sent: {0}; use neither #[serde(flatten)] nor untagged nor skip_serializing_if in it"
    )]
    Input(String),
    /// What a player does in a tick takes too many bytes.
    #[error(
        "the default input (PredictedGame::Player) takes {0} bytes, of which at most 64 are sent; leave out what is not needed in each tick"
    )]
    LargeInput(usize),
}

impl GameError {
    /// As far as the first state and the default input tell.
    pub(crate) fn check<G: PredictedGame>(game: &G) -> Result<(), Self> {
        let player = reread(&G::Player::default()).map_err(|error| Self::Input(error.to_string()))?;
        if player.0.len() > MAX_PLAYER_BYTES {
            return Err(Self::LargeInput(player.0.len()));
        }
        let (first, second) = reread(&game.save()).map_err(|error| Self::State(error.to_string()))?;
        if first == second {
            Ok(())
        } else {
            Err(Self::UnstableState)
        }
    }
}

/// A value as bytes, and once more after it was read from them.
fn reread<T: Serialize + DeserializeOwned>(value: &T) -> postcard::Result<(Vec<u8>, Vec<u8>)> {
    let bytes = postcard::to_allocvec(value)?;
    let (read, rest) = postcard::take_from_bytes::<T>(&bytes)?;
    let again = postcard::to_allocvec(&read)?;
    // What is left over has not been read.
    let is_whole = rest.is_empty();
    Ok((bytes, if is_whole { again } else { Vec::new() }))
}
