//! The game that a server runs and clients predict.

use evenstep::Snapshot;
use evenstep::history::Rewind;

/// Identifies a player. It is what the program's transport calls its connection.
pub type PlayerId = u64;

/// A game for several players that a [`Server`](crate::Server) runs and a [`Client`](crate::Client) predicts.
///
/// [`Rewind::Saved`] must contain the simulated state only, not presentation state such as corrections or what was drawn. A client
/// compares it with its prediction by the [hash](evenstep::snapshot::hash) of its [`Snapshot`]. Players come and go: a step lists the
/// players that take part in it, ordered by id, so a new player is one that the step before did not list.
pub trait PredictedGame: Rewind<Saved: Snapshot> {
    /// One player's input for a tick. The default counts until the first input of a player arrives.
    type PlayerInput: Copy + Default + Snapshot;

    /// The input of a step, from the inputs of its players, ordered by id.
    fn input(players: &[(PlayerId, Self::PlayerInput)]) -> Self::Input;

    /// Called on a client before its state is replaced by the server's. `alpha` is that of the last frame: note what was drawn, for a
    /// [`Correction`](evenstep::history::Correction).
    fn before_correction(&mut self, _alpha: f64) {}

    /// Called on a client when the simulation has reached the same tick again from the server's state. Correct what was noted to what is
    /// drawn at `alpha` now.
    fn after_correction(&mut self, _alpha: f64) {}
}
