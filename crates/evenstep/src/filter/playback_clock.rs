//! [`PlaybackClock`]: a clock that follows the reported positions of a song.

use core::ops::Range;
use core::time::Duration;

use crate::filter::FrameTime;
use crate::filter::followed_time::{FollowedTime, ONE, Source, duration, nanos};
use crate::time::TimeScale;

mod song;

use song::Song;

/// A clock that follows a song, whose position is reported in blocks, or the reported time of another machine.
///
/// A position comes in blocks of 64 to 4410 samples, and the device does not play at exactly the speed of the program's clock. By the position
/// alone a game stands still between two blocks; by its own clock it drifts away. This clock is as even as a
/// [`DisplayClock`](crate::filter::DisplayClock), and stays with the song.
///
/// Report that the song was at `position` at the time `at`, once a frame or in a callback of the device. Pass the returned times to a timestep
/// that has no other filter.
///
/// ```
/// use evenstep::filter::{PlaybackClock, PlaybackReport};
/// use evenstep::{FixedTimestep, Rate};
/// use std::time::Duration;
///
/// let (mut song, mut timestep) = (PlaybackClock::new(), FixedTimestep::new(Rate::hz(120)));
/// let mut off = Duration::ZERO;
/// for n in 0..7200 {
///     let now = Duration::from_nanos(n * 1_000_000_000 / 60); // in a game: MonotonicClock::now
///     let played = now.mul_f64(1.000_2); // 200 parts per million faster than the clock
///     let block = (played.as_secs_f64() * 48_000.0 / 2048.0).floor() * 2048.0 / 48_000.0;
///     let position = Duration::from_secs_f64(block); // what the audio library says
///     song.report(PlaybackReport { at: now, position });
///     let frame = timestep.advance(song.begin_frame(now).delta);
///     for step in frame.steps() { /* simulate */ }
///     if n > 900 {
///         off = off.max(song.position_at(now).abs_diff(played));
///     }
/// }
/// assert!(off < Duration::from_millis(2)); // a block is 43 ms
/// ```
///
/// It gives three answers, each with a promise of its own:
///
/// - *What is drawn*: the time of its frames, and [`position`](Self::position). The time never goes back, stands still only while the song does, and
///   in steady play has the song's speed within 1 %. After a stall or a seek it catches up at half to one and a half times the speed; beyond a quarter
///   of a second the position is moved at once, and time goes on evenly.
/// - *What is judged*: [`position_at`](Self::position_at) is the best estimate at once, without a limit of speed.
/// - *Events*: [`time_at`](Self::time_at) never goes back from one event to a later one, so that no press or release is lost.
///
/// A report that is far off moves the judged position at once, and the drawn one only when the next report agrees. When the position no longer
/// changes, the clock comes to rest, and [`is_following`](Self::is_following) is false.
///
/// It computes in integers, and gives the same times in every language.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaybackClock {
    time: FollowedTime,
    song: Song,
}

/// Where a song is, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaybackReport {
    /// A time of the program's clock.
    pub at: Duration,
    /// The position of the song at it.
    pub position: Duration,
}

impl PlaybackClock {
    /// A clock before its first frame. Until the song moves it is a [`DisplayClock`](crate::filter::DisplayClock).
    #[must_use]
    pub const fn new() -> Self {
        Self {
            time: FollowedTime::new(),
            song: Song::new(),
        }
    }

    /// Sets the constant latency of the output device, zero unless set: the position that is heard is earlier by it than the reported one.
    pub fn set_latency(&mut self, latency: Duration) {
        self.song.latency = nanos(latency);
    }

    /// Sets the constant latency of the output device; see [`set_latency`](Self::set_latency).
    #[must_use]
    pub fn with_latency(mut self, latency: Duration) -> Self {
        self.set_latency(latency);
        self
    }

    /// Sets the speed at which the song is played, 1 unless set: of an `HTMLMediaElement`, its `playbackRate`. At least 1/16, at most 16. It is
    /// heard a latency later.
    pub fn set_playback_rate(&mut self, rate: TimeScale) {
        self.song.set_playback_rate(rate, self.time.now());
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
        let (start, end) = points
            .into()
            .map_or((0, 0), |range| (nanos(range.start), nanos(range.end)));
        self.song.set_loop_points(start, end);
    }

    /// Sets the loop points of the song; see [`set_loop_points`](Self::set_loop_points).
    #[must_use]
    pub fn with_loop_points(mut self, points: impl Into<Option<Range<Duration>>>) -> Self {
        self.set_loop_points(points);
        self
    }

    /// Takes a report, as often as you like, in the order of their times. Before the first frame and in a pause it has no effect.
    pub fn report(&mut self, report: PlaybackReport) {
        if self.time.is_running() {
            self.song.report(self.time.since(report.at), nanos(report.position));
        }
    }

    /// Begins a frame at a time of the program's clock. Its delta is for the timestep, and its [`now`](FrameTime::now) is the time of
    /// this clock: zero in the first frame. An earlier time is treated as the last frame's.
    pub fn begin_frame(&mut self, now: Duration) -> FrameTime {
        self.time.begin_frame(now, &mut self.song)
    }

    /// The time of this clock at a time of the program's clock: for input. It never goes back from one event to a later one, and that of an event after
    /// a frame is not before the frame's. Zero before the first frame.
    #[must_use]
    pub fn time_at(&self, at: Duration) -> Duration {
        self.time.time_at(at)
    }

    /// The position of the song that is heard in the last frame: for notes and other things that are drawn at it. Zero until the song has
    /// moved.
    #[must_use]
    pub fn position(&self) -> Duration {
        duration(self.song.drawn(self.time.time(), self.time.even_now()))
    }

    /// The best estimate of the position that is heard at a time of the program's clock: for judging a press. Zero until the song has moved.
    #[must_use]
    pub fn position_at(&self, at: Duration) -> Duration {
        duration(self.song.judged(self.time.since(at)))
    }

    /// Begins a pause of the song: time stands still from the last frame on. Presses of the pause reach no step.
    pub fn pause(&mut self) {
        if !self.time.is_paused() {
            self.song.pause(self.time.now());
        }
        self.time.pause();
    }

    /// Ends a pause: time goes on from the next frame, which is the last of the pause.
    pub fn resume(&mut self) {
        self.time.resume();
    }

    /// Whether the song moves: false before it has begun, in a pause, and while it waits for data or has ended.
    #[must_use]
    pub const fn is_following(&self) -> bool {
        self.song.moves
    }

    /// Its seconds for each second of the program's clock: the playback rate with the difference between the two clocks.
    #[must_use]
    pub fn speed(&self) -> f64 {
        self.song.rates().0 as f64 / ONE as f64
    }
}

impl Default for PlaybackClock {
    fn default() -> Self {
        Self::new()
    }
}
