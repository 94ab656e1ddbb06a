//! Loops of controllers and simulators: their deadlines, and cycles of an external clock.
//!
//! ```
//! use evenstep::control::{Cycle, LoopStats};
//! use evenstep::{FixedTimestep, FrameStats, Rate};
//! use std::time::Duration;
//!
//! let mut timestep = FixedTimestep::new(Rate::hz(1000));
//! let (mut frames, mut cycles) = (FrameStats::<256>::new(), LoopStats::<256>::new());
//! let (mut last, mut due) = (Duration::ZERO, Duration::from_millis(1));
//! for _ in 0..1000 {
//!     let begin = due + Duration::from_micros(40); // in a program: thread::StepTimer::wait_until
//!     let frame = timestep.advance(begin - last);
//!     for step in frame.steps() {
//!         // read sensors, simulate, write to actuators
//!     }
//!     frames.record(begin - last, &frame);
//!     let next = begin + timestep.until_next_step().unwrap();
//!     let end = begin + Duration::from_micros(200); // in a program: MonotonicClock::now
//!     cycles.record_cycle(Cycle { due, begin, end, deadline: next });
//!     (last, due) = (begin, next);
//! }
//! assert_eq!(frames.total_real_time_factor(), 1.0);
//! let report = cycles.report();
//! assert_eq!(report.deadline_misses, 0);
//! assert_eq!(report.lateness.p99, Duration::from_micros(40));
//! ```

mod cycle_lock;
mod loop_report;
mod loop_stats;
mod rolling;

pub use cycle_lock::{CycleArrival, CycleLock};
pub use loop_report::{LoopReport, Timing};
pub use loop_stats::{Cycle, LoopStats};
