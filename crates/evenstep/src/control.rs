//! Loops of controllers and simulators: their real-time factor and deadlines, cycles of an external clock, steps in slices.
//!
//! ```
//! use evenstep::control::{Cycle, LoopStats};
//! use evenstep::{FixedTimestep, Rate};
//! use std::time::Duration;
//!
//! let mut timestep = FixedTimestep::new(Rate::hz(1000));
//! let mut stats = LoopStats::<256>::new();
//! let (mut last, mut due) = (Duration::ZERO, Duration::from_millis(1));
//! for _ in 0..1000 {
//!     let begin = due + Duration::from_micros(40); // in a program: pace::StepTimer::wait_until
//!     let frame = timestep.advance(begin - last);
//!     for step in frame.steps() {
//!         // read sensors, simulate, write to actuators
//!     }
//!     stats.record_frame(begin - last, &frame);
//!     let next = begin + timestep.until_next_step().unwrap();
//!     let end = begin + Duration::from_micros(200); // in a program: MonotonicClock::now
//!     stats.record_cycle(Cycle { due, begin, end, deadline: next });
//!     (last, due) = (begin, next);
//! }
//! let report = stats.report();
//! assert_eq!(report.total.as_f64(), 1.0); // real-time factor
//! assert_eq!(report.deadline_misses, 0);
//! assert_eq!(report.lateness.p99, Duration::from_micros(40));
//! ```

mod cycle_lock;
mod loop_report;
mod loop_stats;
mod rolling;
mod slices;

pub use cycle_lock::{CycleArrival, CycleLock};
pub use loop_report::{LoopReport, RealTimeFactor, Timing};
pub use loop_stats::{Cycle, LoopStats};
pub use slices::{Slice, Slices, SlicesOfFrame};
