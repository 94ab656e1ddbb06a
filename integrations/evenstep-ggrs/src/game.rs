//! The trait of a game that a GGRS session runs.

use evenstep::Tick;
use evenstep::history::Rewind;
use evenstep::inspect::Dump;
use ggrs::InputStatus;

/// A game for several players that a [`Rollback`](crate::Rollback) drives: its state can be restored.
///
/// [`Rewind::Saved`] must contain the simulated state only: not events that wait to be [taken](Self::take_events), nor the smoothing of
/// drawn states.
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
    /// The input of one player in a tick: the `Input` of the session's `Config`.
    type PlayerInput: Copy;
    /// An event of a step that is not part of the state: sounds, flashes. `()` if there are none.
    type Event: Clone + PartialEq;

    /// The input of a step, made of the inputs of the players in the order of their handles.
    fn input(players: &[(Self::PlayerInput, InputStatus)]) -> Self::Input;

    /// A hash of the bits of the state, by which peers notice that they have parted. It is asked for when a state is saved, in
    /// sync tests and where the session detects desyncs.
    ///
    /// Of a state that implements [`Inspect`](evenstep::Inspect) it is [`inspect::hash`](evenstep::inspect::hash).
    fn checksum(&self) -> u64;

    /// The values of a saved state, by which a failed sync test [names the field](crate::Rollback::desync): `Some(Dump::new(tick, saved))`
    /// if it implements [`Inspect`](evenstep::Inspect). It is asked for when checksums differ, and not before.
    fn dump(_tick: Tick, _saved: &Self::Saved) -> Option<Dump> {
        None
    }

    /// Appends the events since it was last called, and forgets them. It is called after each step.
    fn take_events(&mut self, _events: &mut Vec<Self::Event>) {}

    /// Called before the present state is replaced by a restored one. `alpha` is the last frame's: record the drawn state, for a
    /// [`Correction`](evenstep::history::Correction).
    fn before_rollback(&mut self, _alpha: f64) {}

    /// Called when the same tick has been reached again with the right inputs. Correct the recorded state to the one drawn at `alpha` now.
    fn after_rollback(&mut self, _alpha: f64) {}
}
