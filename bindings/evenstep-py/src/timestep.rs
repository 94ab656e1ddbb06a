//! The fixed timestep.

use evenstep_flat::timestep::Timestep;
use pyo3::prelude::*;

use crate::arguments::{Ratio, Seconds, Time, Whole};
use crate::errors::Named as _;
use crate::frame::{Frame, fraction};
use crate::settings::{Filters, OverrunChoice};

/// A fixed timestep: it takes frame times and grants equal steps.
///
///     timestep = FixedTimestep(60)
///     frame = timestep.begin_frame(time.perf_counter_ns())
///     for step in frame:
///         simulate(step.dt)
///     draw(frame.alpha)
#[pyclass(module = "evenstep")]
#[derive(Debug)]
pub(crate) struct FixedTimestep {
    pub(crate) flat: Timestep,
}

#[pymethods]
impl FixedTimestep {
    #[new]
    #[pyo3(signature = (
        rate, *, filters=Filters(vec![]), max_delta=None, max_steps=None, overrun=None, time_scale=None, lookahead=false
    ))]
    #[expect(clippy::too_many_arguments, reason = "Python names them")]
    fn new(
        py: Python<'_>,
        rate: Ratio,
        filters: Filters,
        max_delta: Option<Time>,
        max_steps: Option<Whole<u32>>,
        overrun: Option<OverrunChoice>,
        time_scale: Option<Ratio>,
        lookahead: bool,
    ) -> PyResult<Self> {
        let rate = rate.rate("FixedTimestep: rate")?;
        let flat = Timestep::new(rate.numer(), rate.denom()).named("FixedTimestep: rate")?;
        let mut timestep = Self { flat };
        for filter in filters.0 {
            timestep.flat.add_filter(&filter).named("FixedTimestep: filters")?;
        }
        if let Some(delta) = max_delta {
            timestep.set_max_delta(delta)?;
        }
        timestep.set_max_steps(max_steps);
        if let Some(overrun) = overrun {
            timestep.set_overrun(py, overrun)?;
        }
        if let Some(scale) = time_scale {
            timestep.set_time_scale(scale)?;
        }
        if lookahead {
            timestep.flat.set_lookahead().named("FixedTimestep: lookahead")?;
        }
        Ok(timestep)
    }

    /// Begins a frame at a time of any clock. The first frame sets time zero and has no step.
    fn begin_frame(&mut self, now: Time) -> PyResult<Frame> {
        let frame = self.flat.begin_frame(now.0).named("FixedTimestep.begin_frame")?;
        Ok(frame.into())
    }

    /// Begins a frame this number of seconds, a float, after the last one.
    fn advance(&mut self, delta: Seconds) -> PyResult<Frame> {
        let frame = self.flat.advance(delta.0).named("FixedTimestep.advance")?;
        Ok(frame.into())
    }

    /// Takes back the last unrun steps of the last frame, for which the program had no time. Returns the resulting frame.
    fn give_back(&mut self, unrun: Whole<u32>) -> PyResult<Frame> {
        let frame = self.flat.give_back(unrun.0).named("FixedTimestep.give_back")?;
        Ok(frame.into())
    }

    /// Sets the longest delta that is accepted. Unless set, it is 0.25 seconds where time that does not fit is dropped, and has no limit
    /// where it is kept.
    fn set_max_delta(&mut self, max_delta: Time) -> PyResult<()> {
        self.flat.set_max_delta(max_delta.0).named("FixedTimestep: max_delta")
    }

    /// Sets the most steps in a frame; None for as many as fit into the longest accepted delta if that is set, or into
    /// 0.25 seconds.
    fn set_max_steps(&mut self, max_steps: Option<Whole<u32>>) {
        self.flat.set_max_steps(max_steps.map(|steps| steps.0));
    }

    /// Sets the policy for steps that do not fit: "drop", ("carry", longest backlog) or ("stretch", highest speed).
    fn set_overrun(&mut self, py: Python<'_>, overrun: OverrunChoice) -> PyResult<()> {
        self.flat.set_overrun(overrun.overrun(py)?);
        Ok(())
    }

    /// Sets how fast simulated time runs: 1 as real time, 0.5 for slow motion, 0 to freeze.
    fn set_time_scale(&mut self, scale: Ratio) -> PyResult<()> {
        let (numer, denom) = scale.speed("FixedTimestep: time_scale")?;
        self.flat
            .set_time_scale(numer, denom)
            .named("FixedTimestep: time_scale")
    }

    /// Grants one more step in the next frame without using up any time.
    fn step_once(&mut self) {
        self.flat.step_once();
    }

    /// Begins a known pause.
    fn suspend(&mut self) {
        self.flat.pause();
    }

    /// Ends a known pause. The next delta is its last.
    fn resume(&mut self) {
        self.flat.resume();
    }

    /// Drops the backlog, and counts the time until the next frame as suspended.
    fn resync(&mut self) {
        self.flat.resync();
    }

    /// Starts over at tick 0 with the same settings, filters and clock. To remove events that have not been presented yet, call
    /// retract_from(0) of their queue.
    fn reset(&mut self) {
        self.flat.reset();
    }

    /// Whether there is a known pause.
    #[getter]
    fn is_suspended(&self) -> bool {
        self.flat.is_paused()
    }

    /// The tick of the next step.
    #[getter]
    fn tick(&self) -> u64 {
        self.flat.tick()
    }

    /// The most steps in a frame.
    #[getter]
    fn max_steps(&self) -> u32 {
        self.flat.max_steps()
    }

    /// Nanoseconds between the last two frames, before filters.
    #[getter]
    fn delta(&self) -> i64 {
        self.flat.delta()
    }

    /// Nanoseconds of real time until the next step is due; None if no step will become due. Zero after resume or resync: the next
    /// frame ends the pause, and should begin at once.
    #[getter]
    fn until_next_step(&self) -> Option<i64> {
        self.flat.until_next_step()
    }

    /// Simulated time that has arrived and has not been stepped yet, after the last frame: exact seconds as a Fraction.
    #[getter]
    fn overstep<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        fraction(py, &self.flat.overstep().named("FixedTimestep.overstep")?)
    }

    /// The simulated time of the newest state, exact.
    #[getter]
    fn current_time<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        fraction(py, &self.flat.current_time().named("FixedTimestep.current_time")?)
    }

    /// The simulated time that the frame shows, blended at alpha; exact.
    #[getter]
    fn drawn_time<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        fraction(py, &self.flat.drawn_time().named("FixedTimestep.drawn_time")?)
    }

    /// The simulated time that the frame shows if it is extrapolated; exact.
    #[getter]
    fn extrapolated_time<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        fraction(
            py,
            &self.flat.extrapolated_time().named("FixedTimestep.extrapolated_time")?,
        )
    }

    fn __repr__(&self) -> String {
        format!("<evenstep.FixedTimestep at tick {}>", self.flat.tick())
    }
}
