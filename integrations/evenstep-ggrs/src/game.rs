//! What a game implements to be run by a GGRS session.

use evenstep::Tick;
use evenstep::history::Rewind;
use evenstep::snapshot::Dump;
use ggrs::InputStatus;

/// A game that a [`Rollback`](crate::Rollback) drives: one that can go back, for several players.
///
/// What is not part of the state must not be in [`Rewind::Saved`]: events that wait to be [taken](Self::take_events), and how
/// pictures glide.
///
/// ```
/// use evenstep::history::Rewind;
/// use evenstep::Step;
/// use evenstep_ggrs::{RollbackGame, InputStatus};
///
/// /// Who pushes harder.
/// #[derive(Clone, Default)]
/// struct Comparison {
///     position: f64,
///     bumps: Vec<&'static str>,
/// }
///
/// impl Rewind for Comparison {
///     type Saved = f64;
///     type Input = f64;
///     fn save(&self) -> f64 {
///         self.position
///     }
///     fn restore(&mut self, saved: &f64) {
///         self.position = *saved;
///     }
///     fn step(&mut self, step: &Step, push: &f64) {
///         self.position += push * step.dt;
///         if self.position > 1.0 {
///             self.position = 0.0;
///             self.bumps.push("bump");
///         }
///     }
/// }
///
/// impl RollbackGame for Comparison {
///     type PlayerInput = i8;
///     type Event = &'static str;
///     fn input(players: &[(i8, InputStatus)]) -> f64 {
///         players.iter().map(|(push, _)| f64::from(*push)).sum()
///     }
///     fn checksum(&self) -> u64 {
///         self.position.to_bits()
///     }
///     fn take_events(&mut self, events: &mut Vec<&'static str>) {
///         events.append(&mut self.bumps);
///     }
/// }
/// ```
pub trait RollbackGame: Rewind {
    /// What one player does in a tick: the `Input` of the session's `Config`.
    type PlayerInput: Copy;
    /// What a step tells of that is not part of the state: sounds, flashes. `()` if it tells of nothing.
    type Event: Clone + PartialEq;

    /// The input of a step, from what the players do in it, in the order of their handles.
    fn input(players: &[(Self::PlayerInput, InputStatus)]) -> Self::Input;

    /// A hash of the bits of the state, by which peers notice that they have parted. It is asked for when a state is saved, in
    /// sync tests and where the session detects desyncs.
    ///
    /// Of a state that implements [`Snapshot`](evenstep::Snapshot) it is [`snapshot::hash`](evenstep::snapshot::hash).
    fn checksum(&self) -> u64;

    /// The values of a saved state, by which a failed sync test [names the field](crate::Rollback::desync): `Some(Dump::new(tick, saved))`
    /// if it implements [`Snapshot`](evenstep::Snapshot). It is asked for when checksums differ, and not before.
    fn dump(_tick: Tick, _saved: &Self::Saved) -> Option<Dump> {
        None
    }

    /// Appends the events since it was last called, and forgets them. It is called after each step.
    fn take_events(&mut self, _events: &mut Vec<Self::Event>) {}

    /// The present is about to be replaced by a restored state. `alpha` is that of the frame that was drawn last: note what was
    /// drawn, for a [`Correction`](evenstep::history::Correction).
    fn before_rollback(&mut self, _alpha: f64) {}

    /// The same tick is reached again, as it really was. Correct what was noted to what is drawn at `alpha` now.
    fn after_rollback(&mut self, _alpha: f64) {}
}
