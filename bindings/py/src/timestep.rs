//! The fixed timestep.

use std::time::Duration;

use evenstep::{FrameTime, Overrun, Rate};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::arguments::{Policy, Ratio, Seconds, Time, Whole};
use crate::clock::FrameClock;
use crate::errors::{Code, refused};
use crate::follow::{PlaybackClock, RefreshClock};
use crate::frame::Frame;

/// Takes the times of frames and grants equal steps, for loops, simulators and tests with times of their own.
///
///     timestep = FixedTimestep(60)
///     frame = timestep.begin_frame(time.perf_counter_ns())
///     for step in frame:
///         simulate(step.dt)
///     draw(frame.alpha)
///
/// clock=FrameClock() smooths the times; a PlaybackClock or RefreshClock takes them from a song or the display, and its pause is one of the
/// timestep. Each clock serves one timestep. max_delta is the longest accepted time between two frames: unless set, 0.25 seconds where time
/// that does not fit is dropped, and without limit where it is kept. max_steps are the most steps in a frame. overrun is the policy for
/// steps that do not fit: "drop", ("carry", longest backlog) or ("stretch", highest speed). With lookahead the simulation is one step
/// ahead, and what is drawn is the present.
#[pyclass(module = "evenstep", subclass)]
pub(crate) struct FixedTimestep {
    core: evenstep::FixedTimestep,
    /// The longest delta, if it is set, and the one of a loop otherwise.
    max_delta: Option<Duration>,
    drop_delta: Option<Duration>,
    clock: Clock,
    /// The time of the last frame.
    pub(crate) time: FrameTime,
    /// The last frame.
    last: Option<evenstep::Frame>,
}

/// A timestep's clock.
pub(crate) enum Clock {
    Frame(Py<FrameClock>),
    Playback(Py<PlaybackClock>),
    Refresh(Py<RefreshClock>),
}

impl<'py> FromPyObject<'_, 'py> for Clock {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(clock) = object.extract() {
            return Ok(Self::Frame(clock));
        }
        if let Ok(clock) = object.extract() {
            return Ok(Self::Playback(clock));
        }
        if let Ok(clock) = object.extract() {
            return Ok(Self::Refresh(clock));
        }
        let name = object.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "a clock is a FrameClock, a PlaybackClock or a RefreshClock, not {name}"
        )))
    }
}

#[pymethods]
impl FixedTimestep {
    #[new]
    #[pyo3(signature = (
        rate, *, clock=None, max_delta=None, max_steps=None, overrun=None, time_scale=None, lookahead=false
    ))]
    #[expect(clippy::too_many_arguments, reason = "Python names them")]
    fn new(
        py: Python<'_>,
        rate: Ratio,
        clock: Option<Clock>,
        max_delta: Option<Time>,
        max_steps: Option<Whole<u32>>,
        overrun: Option<Policy>,
        time_scale: Option<Ratio>,
        lookahead: bool,
    ) -> PyResult<Self> {
        let clock = clock.map_or_else(|| Py::new(py, FrameClock::unfiltered()).map(Clock::Frame), Ok)?;
        let mut timestep = Self::with_clock(rate.rate("FixedTimestep: rate")?, clock);
        timestep.set_max_delta(max_delta);
        timestep.set_max_steps(max_steps);
        timestep.set_overrun(overrun.unwrap_or(Policy(Overrun::Drop)));
        if let Some(scale) = time_scale {
            timestep.set_time_scale(scale)?;
        }
        if lookahead {
            timestep.core = timestep.core.with_lookahead();
        }
        Ok(timestep)
    }

    /// Begins a frame at a time of any clock. The first frame sets time zero and has no step. If the clock goes back, time stands still until
    /// it has caught up.
    fn begin_frame(&mut self, py: Python<'_>, now: Time) -> Frame {
        self.begin(py, now.0)
    }

    /// The number of frames whose time was before an earlier frame's. If it grows in each frame, the clock was set back, or times are
    /// from two clocks.
    #[getter]
    fn backward_frames(&self, py: Python<'_>) -> u64 {
        match &self.clock {
            Clock::Frame(clock) => clock.borrow(py).backward_frames(),
            Clock::Playback(_) | Clock::Refresh(_) => 0,
        }
    }

    /// Begins a frame this number of seconds, a float, after the last one.
    pub(crate) fn advance(&mut self, py: Python<'_>, delta: Seconds) -> PyResult<Frame> {
        let Clock::Frame(clock) = &self.clock else {
            let why = "a clock that follows needs the times of begin_frame";
            return Err(refused(Code::Order, "FixedTimestep.advance", why));
        };
        let time = clock.borrow_mut(py).advance(delta.0);
        Ok(self.grant(time))
    }

    /// Takes back the last unrun steps of the last frame, for which the program had no time. Returns the resulting frame.
    fn give_back(&mut self, unrun: Whole<u32>) -> PyResult<Frame> {
        const CALL: &str = "FixedTimestep.give_back";
        let last = self.last(CALL)?;
        let steps = last.step_count();
        if unrun.0 > steps {
            let why = format!("the last frame has {steps} steps, not {}", unrun.0);
            return Err(refused(Code::Range, CALL, why));
        }
        let frame = self.core.give_back(last, unrun.0);
        self.last = Some(frame);
        Ok(Frame(frame))
    }

    /// Sets the longest delta that is accepted; None lets the policy for steps that do not fit decide.
    fn set_max_delta(&mut self, max_delta: Option<Time>) {
        self.max_delta = max_delta.map(|delta| delta.0);
        self.settle();
    }

    /// Sets the most steps in a frame; None for as many as fit into the longest accepted delta if that is set, or into
    /// 0.25 seconds.
    fn set_max_steps(&mut self, max_steps: Option<Whole<u32>>) {
        self.core.set_max_steps(max_steps.map(|steps| steps.0));
    }

    /// Sets the policy for steps that do not fit: "drop", ("carry", longest backlog) or ("stretch", highest speed).
    fn set_overrun(&mut self, overrun: Policy) {
        self.core.set_overrun(overrun.0);
        self.settle();
    }

    /// Sets how fast simulated time runs: 1 as real time, 0.5 for slow motion, 0 to freeze.
    fn set_time_scale(&mut self, scale: Ratio) -> PyResult<()> {
        self.core.set_time_scale(scale.scale("time_scale")?);
        Ok(())
    }

    /// Grants one more step in the next frame without using up any time, also in a pause.
    fn step_once(&mut self) {
        self.core.step_once();
    }

    /// Begins a known pause with the next frame; the steps of the present one still run. Until resume, frames have no steps but single ones.
    fn pause(&mut self) {
        self.core.pause();
    }

    /// Ends a pause. The time until the next frame is its last. Steps that were kept back before it are run.
    fn resume(&mut self) {
        self.core.resume();
    }

    /// Ends a pause and drops the steps that were kept back before it. Without a pause, for a load that was noticed too late: it also drops
    /// the time since the last frame.
    fn resume_dropping(&mut self) {
        self.core.resume_dropping();
    }

    /// Starts over at tick 0 with the same settings and clock. To remove events that have not been presented yet, call
    /// retract_from(0) of their queue.
    fn reset(&mut self) {
        self.core.reset();
        self.last = None;
    }

    /// Whether there is a known pause: from pause to resume.
    #[getter]
    fn is_paused(&self) -> bool {
        self.core.is_paused()
    }

    /// The tick of the next step.
    #[getter]
    fn tick(&self) -> u64 {
        self.core.tick()
    }

    /// Nanoseconds of real time until the next step is due; None if no step will become due. Zero after resume: the next frame ends the
    /// pause, and should begin at once.
    #[getter]
    fn until_next_step(&self) -> Option<u128> {
        self.core.until_next_step().map(|duration| duration.as_nanos())
    }

    fn __repr__(timestep: &Bound<'_, Self>) -> PyResult<String> {
        let (name, tick) = (timestep.get_type().name()?, timestep.borrow().tick());
        Ok(format!("<evenstep.{name} at tick {tick}>"))
    }
}

impl FixedTimestep {
    /// The longest delta where time is dropped and none is set. A loop that draws has a short one, so that it goes on drawing on a machine
    /// that is too slow for its steps.
    pub(crate) fn set_drop_delta(&mut self, drop_delta: Duration) {
        self.drop_delta = Some(drop_delta);
        self.settle();
    }

    fn settle(&mut self) {
        let drops = !self.core.overrun().keeps_time();
        let own = self.drop_delta.filter(|_| drops);
        self.core.set_max_delta(self.max_delta.or(own));
    }

    pub(crate) fn with_clock(rate: Rate, clock: Clock) -> Self {
        Self {
            core: evenstep::FixedTimestep::new(rate),
            max_delta: None,
            drop_delta: None,
            clock,
            time: FrameTime::default(),
            last: None,
        }
    }

    pub(crate) fn begin(&mut self, py: Python<'_>, now: Duration) -> Frame {
        let time = match &self.clock {
            Clock::Frame(clock) => clock.borrow_mut(py).begin(now),
            Clock::Playback(clock) => clock.borrow_mut(py).0.begin_frame(now),
            Clock::Refresh(clock) => clock.borrow_mut(py).0.begin_frame(now),
        };
        self.grant(time)
    }

    fn grant(&mut self, time: FrameTime) -> Frame {
        let frame = self.core.advance(time.delta);
        self.time = time;
        self.last = Some(frame);
        Frame(frame)
    }

    /// The last frame.
    pub(crate) fn last(&self, call: &str) -> PyResult<evenstep::Frame> {
        let none = || refused(Code::Order, call, "there was no frame yet; call begin_frame first");
        self.last.ok_or_else(none)
    }
}
