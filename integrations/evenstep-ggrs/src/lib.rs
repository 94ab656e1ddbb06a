//! Rollback sessions of [`ggrs`] in exact fixed steps, for any game whose state can be saved and restored.
//!
//! Use it where peers predict each other's inputs. GGRS exchanges inputs and returns requests; a [`Rollback`] carries them out: it
//! saves, restores and steps the game, in order. No tick is lost when GGRS has to wait, machines synchronise by small exact time
//! scales instead of skipped frames, and re-simulated ticks do not replay events. After a rollback objects change position abruptly;
//! a [`Correction`](evenstep::history::Correction) blends that out.
//!
//! ```no_run
//! use std::net::SocketAddr;
//! use std::time::Duration;
//!
//! use evenstep::history::Rewind;
//! use evenstep::{FixedTimestep, FrameClock, MonotonicClock, Overrun, Rate, Smoothing, Step};
//! use evenstep_ggrs::{InputStatus, Notice, Rollback, RollbackGame};
//! use ggrs::{PlayerType, PredictRepeatLast, SessionBuilder, UdpNonBlockingSocket};
//!
//! /// How far both players have walked.
//! struct Duel(u64);
//!
//! impl Rewind for Duel {
//!     type Saved = u64;
//!     type Input = u64;
//!     fn save(&self) -> u64 { self.0 }
//!     fn restore(&mut self, saved: &u64) { self.0 = *saved }
//!     fn step(&mut self, _: &Step, input: &u64) { self.0 += input }
//! }
//!
//! impl RollbackGame for Duel {
//!     type PlayerInput = u8;
//!     type Event = &'static str;
//!     fn input(players: &[(u8, InputStatus)]) -> u64 { players.iter().map(|(input, _)| u64::from(*input)).sum() }
//!     fn checksum(&self) -> u64 { self.0 }
//! }
//!
//! struct Setup;
//!
//! impl ggrs::Config for Setup {
//!     type Input = u8;
//!     type InputPredictor = PredictRepeatLast;
//!     type State = ();
//!     type Address = SocketAddr;
//! }
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let mut session = SessionBuilder::<Setup>::new()
//!         .add_player(PlayerType::Local, 0)?
//!         .add_player(PlayerType::Remote(([127, 0, 0, 1], 7001).into()), 1)?
//!         .start_p2p_session(UdpNonBlockingSocket::bind_to_port(7000)?)?;
//!     let (clock, mut frames) = (MonotonicClock::new(), FrameClock::unfiltered()); // no filter
//!     let mut timestep = FixedTimestep::new(Rate::hz(60))
//!         .with_overrun(Overrun::Carry { max_backlog: Duration::from_millis(500) });
//!     let (mut rollback, mut game) = (Rollback::new(), Duel(0));
//!     loop {
//!         let frame = timestep.advance(frames.begin_frame(clock.now()).delta);
//!         let frame = rollback.run(&mut session, &mut game, &mut timestep, frame, |_step, _player| 1)?;
//!         while let Some(notice) = rollback.next_notice(frame.shown_time(Smoothing::Interpolate)) {
//!             match notice {
//!                 Notice::Happened { event, .. } => println!("play {event}"),
//!                 Notice::Retracted { event, .. } => println!("stop {event}"), // the prediction was wrong
//!             }
//!         }
//!         println!("{} at {}", game.0, frame.alpha()); // draw
//!     }
//! }
//! ```
//!
//! The session is one of GGRS's own: a `P2PSession`, a `SpectatorSession` or a `SyncTestSession`, with `State = ()` in its
//! `Config`, because a [`Rollback`] keeps the states. The game implements [`Rewind`](evenstep::history::Rewind) and [`RollbackGame`].
//!
//! GGRS 0.13 itself panics if `P2PSession::set_input_delay` raises a delay while there is a spectator. Set delays before the session
//! starts.

mod game;
mod rollback;
mod session;
mod slew;

pub use evenstep::history::Notice;
pub use evenstep_desync::DesyncMonitor;
pub use game::RollbackGame;
pub use ggrs::{self, InputStatus};
pub use rollback::{Rollback, RollbackStats};
pub use session::Session;
