//! When to begin a frame, and when frames are presented.

use evenstep_flat::pace::{Pacer as Flat, Plan};
use evenstep_flat::present::{Refresh, RefreshGrid as FlatGrid};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::arguments::{Ratio, Time};
use crate::errors::{Named as _, refused};
use crate::timestep::feedback;

/// Decides when to begin the next frame: as late as possible for it to be ready for its refresh.
#[pyclass(module = "evenstep")]
#[derive(Debug)]
pub(crate) struct Pacer {
    flat: Flat,
    plan: Option<Plan>,
}

/// When to begin a frame, and the refresh for which it is planned, in nanoseconds of the program's clock.
#[pyclass(module = "evenstep", frozen, get_all)]
#[derive(Clone, Debug)]
pub(crate) struct FramePlan {
    /// When to begin reading input, simulating and drawing.
    begin: i64,
    /// The refresh for which the frame should be ready; None if no display is known.
    shown: Option<i64>,
    /// When the plan was requested.
    asked: i64,
    /// The time between refreshes; 0 if no display is known.
    period: i64,
}

#[pymethods]
impl Pacer {
    #[new]
    fn new() -> Self {
        Self {
            flat: Flat::new(),
            plan: None,
        }
    }

    /// Sets the percentage of frames planned to be in time; 100 unless set.
    fn set_percentile(&mut self, percent: f64) -> PyResult<()> {
        self.flat.set_percentile(percent).named("Pacer.set_percentile")
    }

    /// Sets how long before its refresh a frame is planned to be ready; a millisecond unless set.
    fn set_margin(&mut self, margin: Time) -> PyResult<()> {
        self.flat.set_margin(margin.0).named("Pacer.set_margin")
    }

    /// Plans for a display that waits for the frame (variable refresh). The interval between frames is at least its shortest interval
    /// between refreshes plus margin.
    fn set_variable_refresh(&mut self, margin: Time) -> PyResult<()> {
        self.flat
            .set_variable_refresh(margin.0)
            .named("Pacer.set_variable_refresh")
    }

    /// Sets the most frames a second; None for no limit.
    fn set_limit(&mut self, rate: Option<Ratio>) -> PyResult<()> {
        let Some(rate) = rate else {
            self.flat.unset_limit();
            return Ok(());
        };
        let rate = rate.rate("Pacer.set_limit")?;
        self.flat.set_limit(rate.numer(), rate.denom()).named("Pacer.set_limit")
    }

    /// Saves power: limits the frames a second, and shows each for the same number of refreshes. None for no limit.
    fn set_saving(&mut self, rate: Option<Ratio>) -> PyResult<()> {
        let Some(rate) = rate else {
            self.flat.unset_saving();
            return Ok(());
        };
        let rate = rate.rate("Pacer.set_saving")?;
        self.flat
            .set_saving(rate.numer(), rate.denom())
            .named("Pacer.set_saving")
    }

    /// Decides when to begin the next frame. refresh is the next refresh of the display: its time, the time between refreshes, and the
    /// uncertainty; None if no display is known.
    #[pyo3(signature = (now, refresh=None))]
    fn next_frame(&mut self, now: Time, refresh: Option<(Time, Time, Time)>) -> PyResult<FramePlan> {
        let next = refresh.map(|(at, period, uncertainty)| Refresh {
            at: at.0,
            period: period.0,
            uncertainty: uncertainty.0,
        });
        let plan = self.flat.next_frame(now.0, next.as_ref()).named("Pacer.next_frame")?;
        self.plan = Some(plan);
        Ok(FramePlan {
            begin: plan.begin,
            shown: (plan.shown != -1).then_some(plan.shown),
            asked: plan.asked,
            period: plan.period,
        })
    }

    /// Records that the frame planned last is ready: drawn and submitted.
    fn finish(&mut self, ready: Time) -> PyResult<()> {
        let Some(plan) = self.plan else {
            return Err(refused("Pacer.finish", "no frame is planned; call next_frame first"));
        };
        self.flat.finish(&plan, ready.0).named("Pacer.finish")?;
        self.plan = None;
        Ok(())
    }

    /// The cost of a frame for which the pacer plans, in nanoseconds; None before eight frames are finished.
    #[getter]
    fn cost(&self) -> Option<i64> {
        self.flat.cost()
    }

    /// The latency that pacing saved and the refreshes that frames missed: frames, waited, missed, missed_by_waiting and latency_saved. Times are
    /// nanoseconds.
    fn report<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (report, dict) = (self.flat.report(), PyDict::new(py));
        dict.set_item("frames", report.frames)?;
        dict.set_item("waited", report.waited)?;
        dict.set_item("missed", report.missed)?;
        dict.set_item("missed_by_waiting", report.missed_by_waiting)?;
        dict.set_item("latency_saved", report.latency_saved)?;
        Ok(dict)
    }
}

/// The refreshes of a display, estimated from reports of presented frames.
#[pyclass(module = "evenstep")]
#[derive(Debug)]
pub(crate) struct RefreshGrid {
    flat: FlatGrid,
}

#[pymethods]
impl RefreshGrid {
    #[new]
    fn new() -> Self {
        let flat = FlatGrid::new();
        Self { flat }
    }

    /// Records that a frame is submitted, at a time before it is presented. Ids of frames begin at 1 and increase.
    fn submit(&mut self, frame_id: u64, at: Time) -> PyResult<()> {
        self.flat.submit(frame_id, at.0).named("RefreshGrid.submit")
    }

    /// Takes the report of a frame: when it was presented (None if never), and when the report arrived.
    #[pyo3(signature = (frame_id, presented, arrived, *, refresh=None, reliable=true))]
    fn observe(
        &mut self,
        frame_id: u64,
        presented: Option<Time>,
        arrived: Time,
        refresh: Option<Time>,
        reliable: bool,
    ) -> PyResult<()> {
        let feedback = feedback(frame_id, presented, refresh, reliable);
        self.flat.observe(&feedback, arrived.0).named("RefreshGrid.observe")
    }

    /// The first refresh after a time that no frame in flight will use, for Pacer.next_frame; None if it is not known.
    fn next_refresh(&self, now: Time) -> PyResult<Option<(i64, i64, i64)>> {
        let next = self.flat.next_refresh(now.0).named("RefreshGrid.next_refresh")?;
        Ok(next.map(|next| (next.at, next.period, next.uncertainty)))
    }

    /// When a frame that begins now, and is submitted after the frames in flight, will be presented; None if it is not known.
    fn predict(&self, now: Time) -> PyResult<Option<(i64, i64, i64)>> {
        let next = self.flat.predict(now.0).named("RefreshGrid.predict")?;
        Ok(next.map(|next| (next.at, next.period, next.uncertainty)))
    }

    /// The number of frames that were submitted after the newest presented one.
    #[getter]
    fn frames_in_flight(&self) -> u32 {
        self.flat.frames_in_flight()
    }
}
