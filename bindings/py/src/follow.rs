//! The clock that follows a song or the display.

use pyo3::prelude::*;

use crate::arguments::{Ratio, Time};

/// A clock that follows the position of a song, which is reported in blocks, or the refreshes of the display. Its frames are as even as those
/// of a FrameClock, and it stays with what it follows.
///
///     song = FollowClock()
///     timestep = FixedTimestep(120)  # without a clock of its own
///     now = time.perf_counter_ns()
///     song.report(now, max(pygame.mixer.music.get_pos(), 0) / 1000)  # -1 before it plays
///     frame = timestep.begin_frame(song.begin_frame(now))
///
/// Its time never goes back, and never stands still while the program's clock advances, except in a pause. A position that is off by up to a
/// quarter of a second, after a stall or a seek, is caught up with at half to one and a half times the speed; a longer jump moves the
/// position at once, and time goes on evenly. Both need two positions in a row that agree.
///
/// latency is the output device's, playback_rate the speed at which the song is played, loop_points where its loop begins and ends.
#[pyclass(module = "evenstep")]
pub(crate) struct FollowClock(evenstep::filter::FollowClock);

#[pymethods]
impl FollowClock {
    #[new]
    #[pyo3(signature = (*, latency=None, playback_rate=None, loop_points=None))]
    fn new(latency: Option<Time>, playback_rate: Option<Ratio>, loop_points: Option<(Time, Time)>) -> PyResult<Self> {
        let mut clock = Self(evenstep::filter::FollowClock::new());
        if let Some(latency) = latency {
            clock.set_latency(latency);
        }
        if let Some(rate) = playback_rate {
            clock.set_playback_rate(rate)?;
        }
        clock.set_loop_points(loop_points);
        Ok(clock)
    }

    /// A clock for steps at a rate that follows the display, if that shows a frame in every refresh: each refresh brings the same part of a
    /// step. The simulation is then faster or slower by up to 2 %, or by up to 0.5 % in a pattern of more than 8 refreshes. Without a
    /// period, or a pattern of at most 64 refreshes, it steps aside, and is a FrameClock; it needs 256 frames to know.
    #[staticmethod]
    fn of_display(rate: Ratio) -> PyResult<Self> {
        let rate = rate.rate("FollowClock.of_display: rate")?;
        Ok(Self(evenstep::filter::FollowClock::of_display(rate)))
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

    /// Takes the position of the song at a time of the program's clock. As often as you like; only a position that changed is used. Before
    /// the first frame, in a pause, and of a display it has no effect.
    fn report(&mut self, at: Time, position: Time) {
        self.0.report(at.0, position.0);
    }

    /// Begins a frame at a time of the program's clock. Returns the nanoseconds of this clock for begin_frame of a timestep: 0 in the first
    /// frame.
    fn begin_frame(&mut self, now: Time) -> u128 {
        self.0.begin_frame(now.0).now().as_nanos()
    }

    /// Its nanoseconds at a time of the program's clock: for input. An event after a frame is never before the time of that frame.
    fn time_at(&self, at: Time) -> u128 {
        self.0.time_at(at.0).as_nanos()
    }

    /// The nanoseconds of the song that are heard at a time of the program's clock: for judging a press.
    fn position_at(&self, at: Time) -> u128 {
        self.0.position_at(at.0).as_nanos()
    }

    /// The nanoseconds of the song that are heard in the last frame: for notes and other things that are drawn at it. 0 before the
    /// first report, and of a display.
    #[getter]
    fn position(&self) -> u128 {
        self.0.position().as_nanos()
    }

    /// Begins a pause of the song: time stands still from the last frame on.
    fn pause(&mut self) {
        self.0.pause();
    }

    /// Ends a pause: time goes on from the next frame, which is the last of the pause.
    fn resume(&mut self) {
        self.0.resume();
    }

    /// Whether a position was reported that moved, since the last pause; or the display has a period that is known.
    #[getter]
    fn is_following(&self) -> bool {
        self.0.is_following()
    }

    /// Its seconds for each second of the program's clock. Resample the sound of a simulation that follows the display by it.
    #[getter]
    fn speed(&self) -> f64 {
        self.0.speed()
    }

    fn __repr__(&self) -> String {
        format!("<evenstep.FollowClock at {:.3} s>", self.0.position().as_secs_f64())
    }
}
