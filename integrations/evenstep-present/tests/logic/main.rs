//! The grid, the clock and the pacer, without a display.

mod pacing;
mod pacing_laws;
mod present;
mod present_clock;
mod present_laws;
mod present_lead;
mod range_ends;
