//! The clocks that follow a song or the display.

use pyo3::prelude::*;

use crate::arguments::{Ratio, Time};

/// Where a song is, and when: its position at a time of the program's clock.
///
///     report = PlaybackReport(at=time.perf_counter_ns(), position=max(pygame.mixer.music.get_pos(), 0) / 1000)
///     PlaybackClock().report(report)
#[pyclass(module = "evenstep", frozen)]
pub(crate) struct PlaybackReport(evenstep::filter::PlaybackReport);

#[pymethods]
impl PlaybackReport {
    #[new]
    #[pyo3(signature = (*, at, position))]
    fn new(at: Time, position: Time) -> Self {
        Self(evenstep::filter::PlaybackReport {
            at: at.0,
            position: position.0,
        })
    }

    /// The nanoseconds of the program's clock.
    #[getter]
    fn at(&self) -> u128 {
        self.0.at.as_nanos()
    }

    /// The nanoseconds of the song.
    #[getter]
    fn position(&self) -> u128 {
        self.0.position.as_nanos()
    }

    fn __repr__(&self) -> String {
        format!("PlaybackReport(at={}, position={})", self.at(), self.position())
    }
}

/// A clock that follows the reported positions of a song, or of another machine. Positions come in blocks, and the device that plays is not as
/// fast as the program's clock; this clock is as even as a FrameClock, and stays with the song.
///
///     song = PlaybackClock()
///     timestep = FixedTimestep(120, clock=song)
///     now = time.perf_counter_ns()
///     song.report(PlaybackReport(at=now, position=max(pygame.mixer.music.get_pos(), 0) / 1000))  # -1 before it plays
///     frame = timestep.begin_frame(now)
///
/// Its time is even, never goes back, and stands still only while the song does. position belongs to it, for what is drawn; position_at is the
/// best estimate at once, for judging a press; time_at keeps the order of events.
///
/// latency is the output device's, playback_rate the speed at which the song is played, loop_points where its loop begins and ends.
#[pyclass(module = "evenstep")]
pub(crate) struct PlaybackClock(pub(crate) evenstep::filter::PlaybackClock);

#[pymethods]
impl PlaybackClock {
    #[new]
    #[pyo3(signature = (*, latency=None, playback_rate=None, loop_points=None))]
    fn new(latency: Option<Time>, playback_rate: Option<Ratio>, loop_points: Option<(Time, Time)>) -> PyResult<Self> {
        let mut clock = Self(evenstep::filter::PlaybackClock::new());
        if let Some(latency) = latency {
            clock.set_latency(latency);
        }
        if let Some(rate) = playback_rate {
            clock.set_playback_rate(rate)?;
        }
        clock.set_loop_points(loop_points);
        Ok(clock)
    }

    /// Sets the constant latency of the output device: the position that is heard is earlier by it than the reported one.
    fn set_latency(&mut self, latency: Time) {
        self.0.set_latency(latency.0);
    }

    /// Sets the speed at which the song is played: at least 1/16, at most 16.
    fn set_playback_rate(&mut self, rate: Ratio) -> PyResult<()> {
        self.0.set_playback_rate(rate.scale("playback_rate")?);
        Ok(())
    }

    /// Sets where the song's loop begins and ends, or None: from the end its position goes back to the beginning, and time goes on.
    fn set_loop_points(&mut self, loop_points: Option<(Time, Time)>) {
        self.0.set_loop_points(loop_points.map(|(start, end)| start.0..end.0));
    }

    /// Takes a report, as often as you like. Before the first frame and in a pause it has no effect.
    fn report(&mut self, report: &PlaybackReport) {
        self.0.report(report.0);
    }

    /// Begins a frame at a time of the program's clock, unless a timestep does that has the clock. Returns the nanoseconds of this clock: 0 in the
    /// first frame.
    fn begin_frame(&mut self, now: Time) -> u128 {
        self.0.begin_frame(now.0).now().as_nanos()
    }

    /// Its nanoseconds at a time of the program's clock: for input. They never go back from one event to a later one.
    fn time_at(&self, at: Time) -> u128 {
        self.0.time_at(at.0).as_nanos()
    }

    /// The best estimate of the nanoseconds of the song that are heard at a time of the program's clock: for judging a press.
    fn position_at(&self, at: Time) -> u128 {
        self.0.position_at(at.0).as_nanos()
    }

    /// The nanoseconds of the song that are heard in the last frame: for notes and other things that are drawn at it. 0 until the song has
    /// moved.
    #[getter]
    fn position(&self) -> u128 {
        self.0.position().as_nanos()
    }

    /// Begins a pause of the song: time stands still from the last frame on, and presses reach no step of the timestep that has the clock.
    fn pause(&mut self) {
        self.0.pause();
    }

    /// Ends a pause: time goes on from the next frame, which is its last.
    fn resume(&mut self) {
        self.0.resume();
    }

    /// Whether the song moves: False before it has begun, in a pause, and while it waits for data or has ended.
    #[getter]
    fn is_following(&self) -> bool {
        self.0.is_following()
    }

    /// Its seconds for each second of the program's clock.
    #[getter]
    fn speed(&self) -> f64 {
        self.0.speed()
    }

    fn __repr__(&self) -> String {
        format!("<evenstep.PlaybackClock at {:.3} s>", self.0.position().as_secs_f64())
    }
}

/// A clock for steps at a rate that follows the display, if that shows a frame in every refresh: each refresh brings the same part of a step.
/// The simulation is then faster or slower by up to 2 %, or by up to 0.5 % in a pattern of more than 8 refreshes. Without a period, or a
/// pattern of at most 64 refreshes, it steps aside, and is a FrameClock; it needs 256 frames to know.
#[pyclass(module = "evenstep")]
pub(crate) struct RefreshClock(pub(crate) evenstep::filter::RefreshClock);

#[pymethods]
impl RefreshClock {
    #[new]
    fn new(rate: Ratio) -> PyResult<Self> {
        Ok(Self(evenstep::filter::RefreshClock::new(
            rate.rate("RefreshClock: rate")?,
        )))
    }

    /// As of a PlaybackClock.
    fn begin_frame(&mut self, now: Time) -> u128 {
        self.0.begin_frame(now.0).now().as_nanos()
    }

    /// As of a PlaybackClock.
    fn time_at(&self, at: Time) -> u128 {
        self.0.time_at(at.0).as_nanos()
    }

    /// As of a PlaybackClock.
    fn pause(&mut self) {
        self.0.pause();
    }

    /// As of a PlaybackClock.
    fn resume(&mut self) {
        self.0.resume();
    }

    /// Whether the display has a period that is known, and a pattern.
    #[getter]
    fn is_following(&self) -> bool {
        self.0.is_following()
    }

    /// Its seconds for each second of the program's clock. Resample the sound of the simulation by it.
    #[getter]
    fn speed(&self) -> f64 {
        self.0.speed()
    }

    fn __repr__(&self) -> String {
        format!("<evenstep.RefreshClock at speed {:.4}>", self.0.speed())
    }
}
