//! Ticks in step with another machine's.

mod adjustment;
mod arrival_samples;
mod clock_gain;
mod line_fit;
mod pong;
mod report;
mod sent_inputs;
mod server_speed;
mod tick_sync;

pub use adjustment::{Adjustment, TickJump};
pub use pong::Pong;
pub use report::InputReport;
pub use tick_sync::TickSync;
