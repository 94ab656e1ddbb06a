//! When frames are presented: feedback from the system, and predictions for frames to come.
//!
//! A compositor or a driver can report when a frame was presented: `wp_presentation` on Wayland, `VK_EXT_present_timing`, DXGI frame
//! statistics, Metal's presented handler. Fill a [`PresentFeedback`] from this report. A [`RefreshGrid`] predicts from feedback when the
//! next frame will be presented, for a [`Pacer`](crate::pace::Pacer), and a [`PresentClock`](crate::filter::PresentClock) computes the
//! deltas of frames from it.
//!
//! [`FrameLog`] reports to a recorder which simulated time each presented frame shows.

mod clock_offset;
mod feedback;
#[cfg(feature = "std")]
mod frame_log;
mod latch_deadline;
mod prediction;
mod refresh_fit;
mod refresh_grid;

pub use feedback::PresentFeedback;
#[cfg(feature = "std")]
pub use frame_log::FrameLog;
pub use prediction::Prediction;
pub use refresh_grid::RefreshGrid;
