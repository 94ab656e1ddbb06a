//! The Python module `evenstep`: equal steps by `evenstep`, recordings measured by `evenstep-trace`.
//!
//! `python/evenstep` has what Python's own operators and dicts do. Type checkers read `__init__.pyi` there; `help()` shows the doc comments in this
//! crate.
#![forbid(unsafe_code)]

mod arguments;
mod arrays;
mod clock;
mod columns;
mod errors;
mod events;
mod follow;
mod frame;
mod game_loop;
mod input;
mod interruptible;
mod mujoco;
mod poses;
mod report;
mod schedule;
mod simulated;
mod source;
mod stats;
mod timestep;

/// Runs games and simulations in equal steps, and diagnoses stutter in recordings of frame times.
///
/// GameLoop grants the equal steps of a game, FixedTimestep of a simulator or test. analyze() measures a recording; simulate() finds
/// settings that cure its stutter. A time is an int of nanoseconds, as from time.perf_counter_ns(), or a float of seconds, as from
/// time.perf_counter().
///
#[doc = include_str!("../../../crates/evenstep/which-call.md")]
#[pyo3::pymodule(name = "evenstep")]
mod module {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::{
        clock::FrameClock,
        columns::Table,
        errors::{Error, TraceError},
        events::EventQueue,
        follow::{PlaybackClock, PlaybackReport, RefreshClock},
        frame::{Frame, Lost, Step},
        game_loop::GameLoop,
        input::{Controls, InputBuffer, InputCounts, InputEvent},
        mujoco::blend_qpos,
        poses::{Poses, Poses2, Poses3},
        report::analyze,
        schedule::Schedule,
        simulated::simulate,
        stats::FrameStats,
        timestep::FixedTimestep,
    };

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
