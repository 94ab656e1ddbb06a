//! [`FollowClock`]: a clock that follows a song, or the display.

use core::ops::Range;
use core::time::Duration;

use crate::filter::{DeltaFilter, DisplayClock, FrameTime};
use crate::time::{Rate, TimeScale, saturating_nanos};

mod display;
mod fixed;
mod song;

use display::Display;
use fixed::{ONE, product};
use song::Song;

/// A clock that follows another one: the position of a song, or the refreshes of the display.
///
/// A song's position is reported in blocks (128 to 4096 samples at a time), and the device that plays it is not as fast as the program's
/// clock. A game that takes the position for its time stands still between two blocks; one that takes its own clock drifts away. This
/// clock is as even as a [`DisplayClock`], and stays with the song.
///
/// Report the position once a frame, or whenever it is known. Give the times that it returns to a timestep that has no other filter.
///
/// ```
/// use evenstep::filter::FollowClock;
/// use evenstep::{FixedTimestep, Rate};
/// use std::time::Duration;
///
/// let (mut song, mut timestep) = (FollowClock::new(), FixedTimestep::new(Rate::hz(120)));
/// let mut off = Duration::ZERO;
/// for n in 0..7200 {
///     let now = Duration::from_nanos(n * 1_000_000_000 / 60); // in a game: MonotonicClock::now
///     let played = now.mul_f64(1.000_2); // 200 parts per million faster than the clock
///     let block = (played.as_secs_f64() * 48_000.0 / 2048.0).floor() * 2048.0 / 48_000.0;
///     song.report(now, Duration::from_secs_f64(block)); // what the audio library says
///     let frame = timestep.advance(song.begin_frame(now).delta);
///     for step in frame.steps() { /* simulate */ }
///     if n > 300 {
///         off = off.max(song.position().abs_diff(played));
///     }
/// }
/// assert!(off < Duration::from_millis(10)); // a block is 43 ms
/// ```
///
/// What holds:
///
/// - Its time never goes back, and never stands still while the clock advances, except in a [pause](Self::pause).
/// - A position that is off, after a stall or a seek of up to a quarter of a second, is caught up with at half to one and a half times the
///   speed: 0.1 s within half a second. A longer jump, such as a seek, moves the [position](Self::position) at once, and the time goes
///   on evenly. Both need two positions in a row that agree.
/// - In steady play it adds at most 0.4 % to the speed at which the song plays.
///
/// [`of_display`](Self::of_display) follows the display, whose period it measures: a picture of an emulator is then shown in the same
/// number of refreshes each time, or in a pattern of two.
///
/// It computes in integers, but for the choice of that pattern, and gives the same times in every language.
#[derive(Clone, Debug, PartialEq)]
pub struct FollowClock {
    filter: DisplayClock,
    source: Source,
    /// The time of the first frame on the program's clock; all others are counted from it.
    origin: Option<Duration>,
    /// Of the last frame, since the origin, in nanoseconds: its time on the program's clock, on this one, and the time on the program's
    /// clock that belongs to that; it is earlier by the lag of the filter and the most by which the filter leads.
    now: i64,
    time: i64,
    placed: i64,
    pause: Pause,
}

/// What is followed.
#[derive(Clone, Debug, PartialEq)]
enum Source {
    Song(Song),
    Display(Display),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Pause {
    Running,
    Paused,
    /// The next frame began in the pause.
    Resuming,
}

impl FollowClock {
    /// A clock that follows the positions that are [reported](Self::report). Before the first of them it is a [`DisplayClock`].
    #[must_use]
    pub const fn new() -> Self {
        Self::of(Source::Song(Song::new()))
    }

    /// A clock for steps at `rate` that follows the display, if that shows a frame in every refresh: each refresh brings the same part of
    /// a step, so that the steps of its frames make the most regular pattern that there is. 59.94 steps a second are one in each
    /// refresh at 60 Hz, in every second at 120 Hz, in four of eleven at 165 Hz.
    ///
    /// The simulation is then faster or slower: by up to 2 % for a pattern of at most 8 refreshes, or else by up to 0.5 % for one of at most
    /// 64. [`speed`](Self::speed) says by how much, for the sound. Without such a pattern, and where the times of frames are no multiples of a period, as on a display of
    /// variable refresh, it steps aside, and is a [`DisplayClock`]: [`is_following`](Self::is_following) says so. It needs 256 frames to
    /// know.
    #[must_use]
    pub const fn of_display(rate: Rate) -> Self {
        Self::of(Source::Display(Display::new(rate)))
    }

    const fn of(source: Source) -> Self {
        Self {
            filter: DisplayClock::new(),
            source,
            origin: None,
            now: 0,
            time: 0,
            placed: 0,
            pause: Pause::Running,
        }
    }

    /// Sets the constant latency of the output device, zero unless set: the position that is heard is earlier by it than the reported one.
    pub fn set_latency(&mut self, latency: Duration) {
        if let Source::Song(song) = &mut self.source {
            song.latency = nanos(latency);
        }
    }

    /// Sets the constant latency of the output device; see [`set_latency`](Self::set_latency).
    #[must_use]
    pub fn with_latency(mut self, latency: Duration) -> Self {
        self.set_latency(latency);
        self
    }

    /// Sets the speed at which the song is played, 1 unless set: of an `HTMLMediaElement`, its `playbackRate`. At least 1/16, at most 16.
    pub fn set_playback_rate(&mut self, rate: TimeScale) {
        if let Source::Song(song) = &mut self.source {
            song.set_playback_rate(rate);
        }
    }

    /// Sets the speed at which the song is played; see [`set_playback_rate`](Self::set_playback_rate).
    #[must_use]
    pub fn with_playback_rate(mut self, rate: TimeScale) -> Self {
        self.set_playback_rate(rate);
        self
    }

    /// Sets the loop points of the song, none unless set: from the end of the range its position goes back to the beginning, and time goes
    /// on. An empty range is none.
    pub fn set_loop_points(&mut self, points: impl Into<Option<Range<Duration>>>) {
        if let Source::Song(song) = &mut self.source {
            let points = points.into().map(|range| (nanos(range.start), nanos(range.end)));
            song.set_loop_points(points, self.time);
        }
    }

    /// Sets the loop points of the song; see [`set_loop_points`](Self::set_loop_points).
    #[must_use]
    pub fn with_loop_points(mut self, points: impl Into<Option<Range<Duration>>>) -> Self {
        self.set_loop_points(points);
        self
    }

    /// Takes first a time of the program's clock, then the position of the song at it: the time at which it was asked for, or which came with it. It may
    /// be reported as often as you like; only a position that changed is used. Before the first frame, in a pause, and of a
    /// display it has no effect.
    pub fn report(&mut self, at: Duration, position: Duration) {
        if self.origin.is_some() && self.pause == Pause::Running {
            let (since, time) = (self.since(at), self.time_since_origin(at));
            if let Source::Song(song) = &mut self.source {
                song.report(since, nanos(position), time);
            }
        }
    }

    /// Begins a frame at a time of the program's clock. Its delta is for the timestep, and its [`now`](FrameTime::now) is the time of
    /// this clock, for a loop that takes times: zero in the first frame. An earlier time is treated as the last frame's.
    pub fn begin_frame(&mut self, now: Duration) -> FrameTime {
        let Some(_) = self.origin else {
            self.origin = Some(now);
            self.placed = -nanos(self.filter.max_lead());
            return FrameTime::default();
        };
        let passed = (self.since(now) - self.now).max(0);
        self.now += passed;
        let even = nanos(self.filter.apply(Duration::from_nanos(passed.unsigned_abs())));
        self.placed = self.now - self.filter.residual() - nanos(self.filter.max_lead());
        let is_paused = self.pause != Pause::Running;
        let given = match &mut self.source {
            _ if self.pause == Pause::Paused => 0,
            _ if self.pause == Pause::Resuming => {
                self.pause = Pause::Running;
                0
            }
            Source::Song(song) => song.advance(even),
            Source::Display(display) => {
                let (given, lag) = display.advance(passed, even, self.time, &self.filter);
                self.placed = lag.map_or(self.placed, |lag| self.now - lag);
                given
            }
        };
        let given = given.min(fixed::MOST - self.time);
        self.time += given;
        let time = Duration::from_nanos(self.time.unsigned_abs());
        FrameTime {
            delta: Duration::from_nanos(given.unsigned_abs()),
            unfiltered_delta: Duration::from_nanos(passed.unsigned_abs()),
            unfiltered_now: time,
            filtered_now: time,
            max_lead: Duration::ZERO,
            is_paused,
        }
    }

    /// The time of this clock at a time of the program's clock: for input. An event that comes after a frame is never before the time of
    /// that frame. Zero before the first frame.
    #[must_use]
    pub fn time_at(&self, at: Duration) -> Duration {
        Duration::from_nanos(self.time_since_origin(at).max(0).unsigned_abs())
    }

    fn time_since_origin(&self, at: Duration) -> i64 {
        let rate = if self.pause == Pause::Running { self.rate() } else { 0 };
        (self.time + product(self.since(at) - self.placed, rate)).clamp(-fixed::MOST, fixed::MOST)
    }

    /// The position of the song that is heard in the last frame: for notes and other things that are drawn at it. Zero before the first
    /// report, and of a display.
    #[must_use]
    pub fn position(&self) -> Duration {
        // The frame is at the time of the program's clock that the filter has made even, but for the lead that it aims at.
        let ahead = product(nanos(self.filter.max_lead()) + DisplayClock::AIM, self.rate());
        self.heard(self.time + ahead)
    }

    /// The position of the song that is heard at a time of the program's clock: for judging a press.
    #[must_use]
    pub fn position_at(&self, at: Duration) -> Duration {
        self.heard(self.time_since_origin(at))
    }

    fn heard(&self, time: i64) -> Duration {
        match &self.source {
            Source::Song(song) => Duration::from_nanos(song.heard(time).unsigned_abs()),
            Source::Display(_) => Duration::ZERO,
        }
    }

    /// Begins a pause of the song: time stands still from the last frame on.
    pub fn pause(&mut self) {
        self.pause = Pause::Paused;
    }

    /// Ends a pause: time goes on from the next frame, which is the last of the pause.
    pub fn resume(&mut self) {
        if self.pause == Pause::Paused {
            self.pause = Pause::Resuming;
            if let Source::Song(song) = &mut self.source {
                song.begin_again();
            }
        }
    }

    /// Whether it follows: a position was reported that moved, since the last pause; or the display has a period that it knows.
    #[must_use]
    pub const fn is_following(&self) -> bool {
        match &self.source {
            Source::Song(song) => song.is_moving(),
            Source::Display(display) => display.is_locked(),
        }
    }

    /// Its seconds for each second of the program's clock: the playback rate with the difference between the two clocks, or the
    /// speed at which the display drives the simulation. Resample the sound of that simulation by it.
    #[must_use]
    pub fn speed(&self) -> f64 {
        self.rate() as f64 / ONE as f64
    }

    const fn rate(&self) -> i64 {
        match &self.source {
            Source::Song(song) => song.rate(),
            Source::Display(display) => display.rate(),
        }
    }

    /// Nanoseconds of the program's clock since the first frame.
    fn since(&self, at: Duration) -> i64 {
        let origin = self.origin.unwrap_or(at);
        nanos(at.saturating_sub(origin)) - nanos(origin.saturating_sub(at))
    }
}

impl Default for FollowClock {
    fn default() -> Self {
        Self::new()
    }
}

/// In nanoseconds, at most [`MOST`](fixed::MOST) of them.
fn nanos(time: Duration) -> i64 {
    saturating_nanos(time).min(fixed::MOST.unsigned_abs()) as i64
}
