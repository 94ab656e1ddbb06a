//! The game that a server runs and clients predict, and the checks of whether it can be played over a network.

use evenstep::history::Rewind;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::delta::{Tree, TreeError, read};
use crate::message::MAX_PLAYER_BYTES;

/// Identifies a player: the client id of its connect token.
pub type PlayerId = u64;

/// A game for several players that a [`Server`](crate::Server) runs and a [`Client`](crate::Client) predicts.
///
/// [`Rewind::Saved`] must contain the simulated state only, not presentation state such as corrections or what was drawn. Players come and
/// go: a step lists the players that take part in it, ordered by id, so a new player is one that the step before did not list.
///
/// States are read field by field through `serde`, and predictions are compared with the server's states bit by bit. So equal states
/// must be serialized equally: use a `BTreeMap` or a sorted `Vec`, not a `HashMap` or a `HashSet`, whose order differs between programs
/// and makes each state a correction. The names of fields are not sent, so types with `#[serde(flatten)]`, `#[serde(untagged)]` or
/// `#[serde(skip_serializing_if)]` cannot be deserialized. A [`Server`](crate::Server) refuses a game whose initial state shows such a
/// problem.
///
/// Only what changed is sent, with each field compared to the same field before: the elements of a `Vec` by their index, the entries of a
/// `BTreeMap` by their key. Keep objects that come and go in a map. [`Quantized`](crate::Quantized) rounds fields that need fewer digits.
pub trait PredictedGame: Rewind<Saved: Serialize + DeserializeOwned> {
    /// One player's input for a tick. The default counts until the first input of a player arrives. It serializes to at most 64 bytes:
    /// clients do not send larger inputs. Inputs are compared by their bytes, so NaN equals itself.
    type PlayerInput: Copy + Default + Serialize + DeserializeOwned + Send + 'static;

    /// The input of a step, from the inputs of its players, ordered by id.
    fn input(players: &[(PlayerId, Self::PlayerInput)]) -> Self::Input;

    /// What a player may see of the server's game after a step with these inputs; `None` if everything, as by default.
    ///
    /// What is not in the view is not sent. The client predicts from the view as if it were the whole state, so what hidden objects do
    /// to visible ones is corrected when it has happened. Cost: one view for each player and tick.
    fn visible(&self, _player: PlayerId, _inputs: &[(PlayerId, Self::PlayerInput)]) -> Option<View<Self>>
    where
        Self: Sized,
    {
        None
    }

    /// Called on a client before its state is replaced by the server's. `alpha` is that of the last frame: note what was drawn, for a
    /// [`Correction`](evenstep::history::Correction).
    fn before_correction(&mut self, _alpha: f64) {}

    /// Called on a client when the simulation has reached the same tick again from the server's state. Correct what was noted to what is
    /// drawn at `alpha` now.
    fn after_correction(&mut self, _alpha: f64) {}
}

/// What a player may see of a game, see [`PredictedGame::visible`].
#[derive(Clone, Debug)]
pub struct View<G: PredictedGame> {
    /// The state without what is hidden.
    pub saved: G::Saved,
    /// The inputs of the players that are seen, the player's own included.
    pub inputs: Vec<(PlayerId, G::PlayerInput)>,
}

/// Why a game cannot be played over a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// The saved state cannot be serialized or deserialized.
    #[error(
        "the game's initial state (Rewind::Saved) cannot be sent: {0}; use neither #[serde(flatten)] nor untagged nor skip_serializing_if in it"
    )]
    State(String),
    /// The saved state serializes to other bytes after it was deserialized.
    #[error(
        "the game's initial state (Rewind::Saved) has other bytes after it was sent, so no prediction equals it; use BTreeMap or a \
         sorted Vec in it instead of HashMap and HashSet, and no skip_serializing_if"
    )]
    UnstableState,
    /// A player's input cannot be serialized or deserialized.
    #[error(
        "the default input (PredictedGame::PlayerInput) cannot be sent: {0}; use neither #[serde(flatten)] nor untagged nor skip_serializing_if in it"
    )]
    Input(String),
    /// A player's input serializes to too many bytes.
    #[error(
        "the default input (PredictedGame::PlayerInput) takes {0} bytes, but at most 64 are sent; leave out data that is not needed in each tick"
    )]
    LargeInput(usize),
}

impl GameError {
    /// Checks the initial state and the default input of a game.
    pub(crate) fn check<G: PredictedGame>(game: &G) -> Result<(), Self> {
        let player = reread(&G::PlayerInput::default()).map_err(|error| Self::Input(error.to_string()))?;
        if player.0.len() > MAX_PLAYER_BYTES {
            return Err(Self::LargeInput(player.0.len()));
        }
        let is_stable = || -> Result<bool, TreeError> {
            let tree = Tree::new(&game.save())?;
            Ok(Tree::new(&read::<G::Saved>(&tree)?)? == tree)
        };
        match is_stable() {
            Ok(true) => Ok(()),
            Ok(false) => Err(Self::UnstableState),
            Err(error) => Err(Self::State(error.to_string())),
        }
    }
}

/// The bytes of a value, and the bytes of the same value after deserialization.
fn reread<T: Serialize + DeserializeOwned>(value: &T) -> postcard::Result<(Vec<u8>, Vec<u8>)> {
    let bytes = postcard::to_allocvec(value)?;
    let (read, rest) = postcard::take_from_bytes::<T>(&bytes)?;
    let again = postcard::to_allocvec(&read)?;
    // Bytes that are left over were not deserialized.
    let is_whole = rest.is_empty();
    Ok((bytes, if is_whole { again } else { Vec::new() }))
}
