//! The game that a server runs and clients predict.

use evenstep::Inspect;
use evenstep::history::Rewind;

/// Identifies a player. It is what the program's transport calls its connection.
pub type PlayerId = u64;

/// A player's input in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TickInput<P> {
    /// The player.
    pub player: PlayerId,
    /// The player's input for this tick; where none arrived in time, its last one, or the default before its first.
    pub input: P,
    /// For how many ticks in a row, this one included, no input has arrived in time: 0 where `input` is real, and not repeated.
    ///
    /// A few in a row are lost packets. A game that releases the keys of a silent player compares this with the ticks after which it does:
    /// 15 are a quarter of a second at 60 Hz. A client predicts that inputs of a player that is not silent will be real.
    pub repeats: u32,
}

/// A game for several players that a [`Server`](crate::Server) runs and a [`Client`](crate::Client) predicts.
///
/// [`Rewind::Saved`] must contain the simulated state only, not presentation state such as corrections or what was drawn. A client
/// compares it with its prediction by the [hash](evenstep::inspect::hash) of its [`Inspect`]. Players come and go: a step lists the
/// players that take part in it, ordered by id, so a new player is one that the step before did not list.
pub trait PredictedGame: Rewind<Saved: Inspect> {
    /// One player's input for a tick. The default counts until the first input of a player arrives.
    type PlayerInput: Copy + Default + Inspect;

    /// The input of a step, from the inputs of its players, ordered by id.
    fn input(players: &[TickInput<Self::PlayerInput>]) -> Self::Input;

    /// Called on a client before its state is replaced by the server's. `alpha` is the last frame's: note what was drawn, for a
    /// [`Correction`](evenstep::history::Correction).
    fn before_correction(&mut self, _alpha: f64) {}

    /// Called on a client when the simulation has reached the same tick again from the server's state. Correct what was noted to what is
    /// drawn at `alpha` now.
    fn after_correction(&mut self, _alpha: f64) {}
}
