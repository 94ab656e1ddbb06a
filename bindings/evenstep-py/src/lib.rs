//! The Python module `evenstep`: recordings measured by `evenstep-trace`, equal steps by `evenstep-flat`.
//!
//! Type checkers read `evenstep.pyi`; `help()` shows the doc comments in this crate.
#![forbid(unsafe_code)]

mod arguments;
mod columns;
mod errors;
mod events;
mod frame;
mod input;
mod interruptible;
mod mujoco;
mod poses;
mod report;
mod schedule;
mod settings;
mod simulated;
mod smoothed;
mod source;
mod stats;
mod timestep;

/// Diagnoses stutter in recordings of frame times, and runs simulations in equal steps.
///
/// analyze() measures a recording; simulate() finds settings that cure its stutter. FixedTimestep takes frame times and grants equal
/// steps. A time is an int of nanoseconds, as from time.perf_counter_ns(), or a float of seconds, as from time.perf_counter().
#[pyo3::pymodule(name = "evenstep")]
mod module {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::columns::Table;
    #[pymodule_export]
    use crate::errors::{Error, TraceError};
    #[pymodule_export]
    use crate::events::EventQueue;
    #[pymodule_export]
    use crate::frame::{Frame, Step, Steps};
    #[pymodule_export]
    use crate::input::{InputBuffer, InputEvent};
    #[pymodule_export]
    use crate::mujoco::blend_qpos;
    #[pymodule_export]
    use crate::poses::{Poses, Poses2, Poses3};
    #[pymodule_export]
    use crate::report::{Chain, Report, analyze};
    #[pymodule_export]
    use crate::schedule::{Schedule, TaskStep};
    #[pymodule_export]
    use crate::simulated::simulate;
    #[pymodule_export]
    use crate::smoothed::Smoothed;
    #[pymodule_export]
    use crate::stats::FrameStats;
    #[pymodule_export]
    use crate::timestep::FixedTimestep;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
