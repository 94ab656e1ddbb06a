use evenstep::history::Rewind;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Which player: the client id of its connect token.
pub type PlayerId = u64;

/// A game that a [`Server`](crate::Server) runs and a [`Client`](crate::Client) predicts: one that can go back, for several players.
///
/// What is not part of the state must not be in [`Rewind::Saved`]: how pictures glide, what was drawn. Players come and go: a step
/// lists those that take part in it, in the order of their ids, so a new one is one that was not listed before.
pub trait Game: Rewind<Saved: Serialize + DeserializeOwned> {
    /// What one player does in a tick. The default counts until the first input of a player arrives. It takes
    /// at most 64 bytes: clients do not send larger ones.
    type Player: Copy + Default + PartialEq + Serialize + DeserializeOwned + Send + 'static;

    /// The input of a step, from what the players do in it, in the order of their ids.
    fn input(players: &[(PlayerId, Self::Player)]) -> Self::Input;

    /// On a client: the present is about to be replaced by the server's. `alpha` is that of the picture that was drawn last: note
    /// what was drawn, for a [`Correction`](evenstep::history::Correction).
    fn before_correction(&mut self, _alpha: f64) {}

    /// The same tick is reached again, from the server's state. Correct what was noted to what is drawn at `alpha` now.
    fn after_correction(&mut self, _alpha: f64) {}
}
