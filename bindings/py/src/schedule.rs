//! Tasks at different rates, stepped in one order.

use evenstep::schedule::TaskId;
use evenstep::{FrameTime, Lost, SimDuration};
use pyo3::prelude::*;

use crate::arguments::{Policy, Ratio, Seconds, Time, Whole};
use crate::clock::FrameClock;
use crate::errors::{Code, refused};
use crate::frame::{Step, fraction};

/// The most tasks.
const MAX_TASKS: usize = 1024;

/// Tasks at different rates, stepped from one clock.
///
///     physics, logic = schedule.add(120), schedule.add(30)
///     for task, step in schedule.begin_frame(time.perf_counter_ns()):
///         run(task, step.dt)
///
/// clock=FrameClock() smooths the times.
#[pyclass(module = "evenstep")]
pub(crate) struct Schedule {
    pub(crate) core: evenstep::schedule::Schedule,
    tasks: Vec<TaskId>,
    clock: Py<FrameClock>,
    /// The time of the last frame, and what it lost.
    pub(crate) time: FrameTime,
    lost: Lost<SimDuration>,
}

#[pymethods]
impl Schedule {
    #[new]
    #[pyo3(signature = (*, clock=None))]
    fn new(py: Python<'_>, clock: Option<Py<FrameClock>>) -> PyResult<Self> {
        Ok(Self {
            core: evenstep::schedule::Schedule::new(),
            tasks: Vec::new(),
            clock: clock.map_or_else(|| Py::new(py, FrameClock::unfiltered()), Ok)?,
            time: FrameTime::default(),
            lost: Lost::default(),
        })
    }

    /// Adds a task whose steps end later by phase. Returns its number.
    #[pyo3(signature = (rate, *, phase=None))]
    fn add(&mut self, rate: Ratio, phase: Option<Time>) -> PyResult<usize> {
        const CALL: &str = "Schedule.add";
        let (rate, phase) = (rate.rate("Schedule.add: rate")?, phase.map(|phase| phase.0));
        if self.tasks.len() >= MAX_TASKS {
            return Err(refused(Code::Full, CALL, "there are 1024 tasks already"));
        }
        let task = self.core.add_with_phase(rate, phase.unwrap_or_default());
        self.tasks.push(task);
        Ok(self.tasks.len() - 1)
    }

    /// Begins a frame at a time of any clock; then iterate over the steps. The first frame sets time zero.
    fn begin_frame(mut schedule: PyRefMut<'_, Self>, now: Time) -> PyRefMut<'_, Self> {
        let py = schedule.py();
        let time = schedule.clock.borrow_mut(py).begin(now.0);
        schedule.grant(time);
        schedule
    }

    /// The number of frames whose time was before an earlier frame's.
    #[getter]
    fn backward_frames(&self, py: Python<'_>) -> u64 {
        self.clock.borrow(py).backward_frames()
    }

    /// Begins a frame this number of seconds, a float, after the last one.
    fn advance(mut schedule: PyRefMut<'_, Self>, delta: Seconds) -> PyRefMut<'_, Self> {
        let py = schedule.py();
        let time = schedule.clock.borrow_mut(py).advance(delta.0);
        schedule.grant(time);
        schedule
    }

    fn __iter__(schedule: PyRef<'_, Self>) -> PyRef<'_, Self> {
        schedule
    }

    /// The next step that is due, with its task.
    fn __next__(&mut self) -> Option<(usize, Step)> {
        let (task, step) = self.core.next_step()?;
        let number = self.tasks.iter().position(|other| *other == task)?;
        Some((number, Step(step)))
    }

    /// Takes back the step that was returned last: it stays due.
    fn refuse(&mut self) -> PyResult<()> {
        let none = || refused(Code::Order, "Schedule.refuse", "no step has come since the frame began");
        self.core.refuse().then_some(()).ok_or_else(none)
    }

    /// Where to draw a task between its previous state and its current one.
    fn alpha(&self, task: Whole<u32>) -> PyResult<f64> {
        let task = self.find(task, "Schedule.alpha")?;
        Ok(self.core.alpha(task).unwrap_or_default())
    }

    /// The tick of a task's next step.
    fn tick(&self, task: Whole<u32>) -> PyResult<u64> {
        let task = self.find(task, "Schedule.tick")?;
        Ok(self.core.tick(task).unwrap_or_default())
    }

    /// Sets how fast simulated time runs.
    fn set_time_scale(&mut self, scale: Ratio) -> PyResult<()> {
        self.core.set_time_scale(scale.scale("time_scale")?);
        Ok(())
    }

    /// Sets the longest delta that is accepted; None lets the policy for time that does not fit decide.
    fn set_max_delta(&mut self, max_delta: Option<Time>) {
        self.core.set_max_delta(max_delta.map(|delta| delta.0));
    }

    /// Sets how long the oldest due step may wait, in simulated time; 0.25 seconds unless set.
    fn set_max_behind(&mut self, max_behind: Time) {
        self.core.set_max_behind(max_behind.0);
    }

    /// Sets the most simulated time of a frame.
    fn set_max_advance(&mut self, max_advance: Time) {
        self.core.set_max_advance(max_advance.0);
    }

    /// Sets the policy for time that does not fit, as FixedTimestep.set_overrun does.
    fn set_overrun(&mut self, overrun: Policy) {
        self.core.set_overrun(overrun.0);
    }

    /// Begins a known pause. Steps that are due stay due.
    fn pause(&mut self) {
        self.core.pause();
    }

    /// Ends a pause. The time until the next frame is its last.
    fn resume(&mut self) {
        self.core.resume();
    }

    /// Ends a pause and drops the time that was kept back before it.
    fn resume_dropping(&mut self) {
        self.core.resume_dropping();
    }

    /// Starts over at time zero with the same tasks, settings and clock.
    fn reset(&mut self) {
        self.core.reset();
    }

    /// Whether there is a known pause: from pause to resume.
    #[getter]
    fn is_paused(&self) -> bool {
        self.core.is_paused()
    }

    /// The simulated time that has arrived: exact seconds as a Fraction.
    #[getter]
    fn now<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let now = self.core.now();
        fraction(py, now.secs(), now.subsec())
    }

    /// What the last frame lost: nanoseconds that were clamped and of a pause, and the simulated seconds that no task will step, a Fraction.
    #[getter]
    fn lost<'py>(&self, py: Python<'py>) -> PyResult<(u128, u128, Bound<'py, PyAny>)> {
        let (lost, dropped) = (&self.lost, self.lost.dropped);
        let dropped = fraction(py, dropped.secs(), dropped.subsec())?;
        Ok((lost.clamped.as_nanos(), lost.paused.as_nanos(), dropped))
    }

    /// Whether time is kept back for later frames.
    #[getter]
    fn is_behind(&self) -> bool {
        self.core.is_behind()
    }

    /// Nanoseconds of real time until the next step is due; None if no step will become due. Zero after resume: the next frame ends
    /// the pause, and should begin at once.
    #[getter]
    fn until_next_step(&self) -> Option<u128> {
        self.core.until_next_step().map(|duration| duration.as_nanos())
    }
}

impl Schedule {
    pub(crate) fn find(&self, task: Whole<u32>, call: &str) -> PyResult<TaskId> {
        let task = self.tasks.get(task.0 as usize).copied();
        task.ok_or_else(|| refused(Code::Missing, call, "there is no such task"))
    }

    fn grant(&mut self, time: FrameTime) {
        self.lost = self.core.advance(time.delta);
        self.time = time;
    }
}
