//! The tests of behaviour and the laws, in one program, which is linked once.

mod allocation;
mod conformance;
mod control_laws;
#[cfg(feature = "derive")]
mod desync;
mod display_clock;
#[cfg(feature = "derive")]
mod faulty;
mod first_loop;
mod follow_clock;
#[cfg(feature = "std")]
mod game_loop;
#[cfg(feature = "std")]
mod identities;
mod input_delay;
mod input_laws;
mod input_pauses;
mod input_room;
mod input_times;
#[cfg(feature = "derive")]
mod inspect_laws;
mod loop_questions;
mod poses_laws;
mod random_scripts;
#[cfg(feature = "std")]
mod range_ends;
mod spawning;
mod stats_laws;
#[cfg(feature = "serde")]
mod stored_states;
#[cfg(feature = "thread")]
mod thread;
mod timestep_behaviour;
mod timestep_laws;
#[cfg(feature = "thread")]
mod worker;
