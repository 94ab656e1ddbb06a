//! The loop of a game.

use std::time::Duration;

use pyo3::prelude::*;

use crate::arguments::{Ratio, Seconds, Time, Whole, time_or_now};
use crate::clock::FrameClock;
use crate::frame::Frame;
use crate::input::InputBuffer;
use crate::timestep::{Clock, FixedTimestep};

/// A game's loop: begin a frame, run its steps, draw. It has the clock time.perf_counter_ns(), the default filter and input.
///
///     game = GameLoop(60)
///     frame = game.begin_frame()
///     for step in frame:
///         simulate(step.dt)
///     draw(frame.alpha)
///
/// input is an InputBuffer of other settings. On a machine that is too slow for the steps it goes on drawing, about ten frames a second in
/// slow motion: unless set_max_delta sets another limit or a policy keeps time, a frame has the steps of 100 ms at most.
/// clock is a PlaybackClock or a RefreshClock, in place of the filter; the limit is then 250 ms.
#[pyclass(module = "evenstep", extends = FixedTimestep)]
pub(crate) struct GameLoop {
    /// Its input: input.press(key), and in a step input.controls(step).
    #[pyo3(get)]
    input: Py<InputBuffer>,
    /// When the last frame of `limit_fps` was due.
    due: Option<Duration>,
}

#[pymethods]
impl GameLoop {
    #[new]
    #[pyo3(signature = (rate, *, input=None, clock=None))]
    fn new(
        py: Python<'_>,
        rate: Ratio,
        input: Option<Py<InputBuffer>>,
        clock: Option<Clock>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let input = match input {
            Some(input) => input,
            None => Py::new(py, InputBuffer::new(Whole(1024), false)?)?,
        };
        let draws_on = clock.is_none();
        let clock = clock.map_or_else(|| Py::new(py, FrameClock::new()).map(Clock::Frame), Ok)?;
        let mut timestep = FixedTimestep::with_clock(rate.rate("GameLoop: rate")?, clock);
        if draws_on {
            timestep.set_drop_delta(Duration::from_millis(100));
        }
        Ok(PyClassInitializer::from(timestep).add_subclass(Self { input, due: None }))
    }

    /// Begins a frame now, or at a time of another clock; then times of events are of that clock, too. No time passes in the first frame,
    /// and of input before it only the keys that are held count.
    #[pyo3(signature = (now=None))]
    fn begin_frame(mut game: PyRefMut<'_, Self>, py: Python<'_>, now: Option<Time>) -> PyResult<Frame> {
        let now = time_or_now(py, now)?;
        let frame = game.as_super().begin(py, now);
        Self::begin_input(game, py).map(|()| frame)
    }

    /// Sleeps until the next of fps frames a second is due. Call it once a frame, before events are read, which then act in this frame: without
    /// it a loop draws as many frames as the machine can. After a late frame the next ones come earlier; time of more than a frame is not made
    /// up for.
    fn limit_fps(game: &Bound<'_, Self>, fps: Ratio) -> PyResult<()> {
        let py = game.py();
        let period = Duration::from_nanos(fps.rate("GameLoop.limit_fps: fps")?.period_nanos());
        let now = time_or_now(py, None)?;
        let due = match game.borrow().due {
            Some(due) if due + 2 * period > now => due + period,
            _ => now,
        };
        game.borrow_mut().due = Some(due);
        if due > now {
            py.import("time")?.call_method1("sleep", ((due - now).as_secs_f64(),))?;
        }
        Ok(())
    }

    /// Begins a frame this number of seconds, a float, after the last one.
    fn advance(mut game: PyRefMut<'_, Self>, py: Python<'_>, delta: Seconds) -> PyResult<Frame> {
        let frame = game.as_super().advance(py, delta)?;
        Self::begin_input(game, py).map(|()| frame)
    }
}

impl GameLoop {
    fn begin_input(mut game: PyRefMut<'_, Self>, py: Python<'_>) -> PyResult<()> {
        let input = game.input.clone_ref(py);
        input.borrow_mut(py).begin_frame(game.as_super())
    }
}
