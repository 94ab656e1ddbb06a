//! Tasks at different rates, stepped in one order.

use evenstep_flat::schedule::Tasks;
use pyo3::prelude::*;

use crate::arguments::{Ratio, Seconds, Time, Whole};
use crate::errors::Named as _;
use crate::frame::fraction;
use crate::settings::{Filters, OverrunChoice};

/// Tasks at different rates, stepped from one clock.
///
///     physics, logic = schedule.add(120), schedule.add(30)
///     schedule.begin_frame(time.perf_counter_ns())
///     for step in schedule:
///         run(step.task, step.dt)
#[pyclass(module = "evenstep")]
#[derive(Debug)]
pub(crate) struct Schedule {
    pub(crate) flat: Tasks,
}

/// A step of a task.
#[pyclass(module = "evenstep", frozen, get_all)]
#[derive(Clone, Debug)]
pub(crate) struct TaskStep {
    /// The task.
    task: u32,
    /// Its tick.
    tick: u64,
    /// Its length in seconds.
    dt: f64,
}

#[pymethods]
impl TaskStep {
    fn __repr__(&self) -> String {
        format!("<evenstep.TaskStep {} of task {}>", self.tick, self.task)
    }
}

#[pymethods]
impl Schedule {
    #[new]
    #[pyo3(signature = (*, filters=Filters(vec![]), max_delta=None, max_behind=None, overrun=None))]
    fn new(
        py: Python<'_>,
        filters: Filters,
        max_delta: Option<Time>,
        max_behind: Option<Time>,
        overrun: Option<OverrunChoice>,
    ) -> PyResult<Self> {
        let mut flat = Tasks::new();
        for filter in filters.0 {
            flat.add_filter(&filter).named("Schedule: filters")?;
        }
        if let Some(Time(delta)) = max_delta {
            flat.set_max_delta(delta).named("Schedule: max_delta")?;
        }
        if let Some(Time(behind)) = max_behind {
            flat.set_max_behind(behind).named("Schedule: max_behind")?;
        }
        if let Some(overrun) = overrun {
            flat.set_overrun(overrun.overrun(py)?);
        }
        Ok(Self { flat })
    }

    /// Adds a task whose steps end later by phase. Returns its number.
    #[pyo3(signature = (rate, *, phase=Time(0)))]
    fn add(&mut self, rate: Ratio, phase: Time) -> PyResult<u32> {
        let rate = rate.rate("Schedule.add: rate")?;
        self.flat.add(rate.numer(), rate.denom(), phase.0).named("Schedule.add")
    }

    /// Begins a frame at a time of any clock; then iterate over the steps. The first frame sets time zero.
    fn begin_frame(&mut self, now: Time) -> PyResult<()> {
        self.flat.begin_frame(now.0).named("Schedule.begin_frame").map(drop)
    }

    /// Begins a frame this number of seconds, a float, after the last one.
    fn advance(&mut self, delta: Seconds) -> PyResult<()> {
        self.flat.advance(delta.0).named("Schedule.advance").map(drop)
    }

    fn __iter__(schedule: PyRef<'_, Self>) -> PyRef<'_, Self> {
        schedule
    }

    /// The next step that is due.
    fn __next__(&mut self) -> Option<TaskStep> {
        let step = self.flat.next_step()?;
        let (task, tick, dt) = (step.task, step.tick, step.dt);
        Some(TaskStep { task, tick, dt })
    }

    /// Takes back the step that was returned last: it stays due.
    fn refuse(&mut self) -> PyResult<()> {
        self.flat.refuse().named("Schedule.refuse")
    }

    /// Where to draw a task between its previous state and its current one.
    fn alpha(&self, task: Whole<u32>) -> PyResult<f64> {
        self.flat.alpha(task.0).named("Schedule.alpha")
    }

    /// The tick of a task's next step.
    fn tick(&self, task: Whole<u32>) -> PyResult<u64> {
        self.flat.tick(task.0).named("Schedule.tick")
    }

    /// Sets how fast simulated time runs.
    fn set_time_scale(&mut self, scale: Ratio) -> PyResult<()> {
        let (numer, denom) = scale.speed("Schedule: time_scale")?;
        self.flat.set_time_scale(numer, denom).named("Schedule: time_scale")
    }

    /// Begins a known pause.
    fn suspend(&mut self) {
        self.flat.pause();
    }

    /// Sets the longest delta that is accepted. Unless set, it is 0.25 seconds where time that does not fit is dropped, and has no limit
    /// where it is kept.
    fn set_max_delta(&mut self, max_delta: Time) -> PyResult<()> {
        self.flat.set_max_delta(max_delta.0).named("Schedule: max_delta")
    }

    /// Sets how long the oldest due step may wait, in simulated time; 0.25 seconds unless set.
    fn set_max_behind(&mut self, max_behind: Time) -> PyResult<()> {
        self.flat.set_max_behind(max_behind.0).named("Schedule: max_behind")
    }

    /// Sets the most simulated time of a frame.
    fn set_max_advance(&mut self, max_advance: Time) -> PyResult<()> {
        self.flat.set_max_advance(max_advance.0).named("Schedule: max_advance")
    }

    /// Sets the policy for time that does not fit: "drop", ("carry", longest backlog) or ("stretch", highest speed).
    fn set_overrun(&mut self, py: Python<'_>, overrun: OverrunChoice) -> PyResult<()> {
        self.flat.set_overrun(overrun.overrun(py)?);
        Ok(())
    }

    /// Ends a known pause. The next delta is its last.
    fn resume(&mut self) {
        self.flat.resume();
    }

    /// Starts over at time zero with the same tasks, settings and clock.
    fn reset(&mut self) {
        self.flat.reset();
    }

    /// The simulated time that has arrived: exact seconds as a Fraction.
    #[getter]
    fn now<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        fraction(py, &self.flat.now())
    }

    /// Whether time is kept back for later frames.
    #[getter]
    fn is_behind(&self) -> bool {
        self.flat.is_behind()
    }

    /// Nanoseconds of real time until the next step is due; None if no step will become due. Zero after resume: the next frame ends
    /// the pause, and should begin at once.
    #[getter]
    fn until_next_step(&self) -> Option<i64> {
        self.flat.until_next_step()
    }
}
