//! [`GameLoop`]: the clock, the filter, the timestep and the input of a game, called in their order.

use core::convert::Infallible;
use core::time::Duration;

use crate::filter::{FrameClock, FrameTime, PlaybackClock, RefreshClock};
use crate::input::{Controls, InputBuffer, InputEvent};
use crate::step::{FixedTimestep, Frame, Step};
#[cfg(feature = "std")]
use crate::time::MonotonicClock;
use crate::time::{Rate, TimeScale};

/// A game's loop: begin a frame, run its steps, draw.
///
/// It reads the clock, smooths the deltas by the default filter, divides them into steps and assigns input to the steps, in the right order.
///
/// ```
/// use evenstep::{GameLoop, Rate, Smoothed, input::InputEvent};
/// fn main() {
///     let (mut game, mut x) = (GameLoop::new(Rate::hz(60)).with_input(), Smoothed::new(0.0));
///     game.push(InputEvent::Press("right")); // as the window reports it
///     while *x.current() < 0.1 {
///         let frame = game.begin_frame();
///         for step in frame.steps() {
///             x.step(|x| *x += 2.0 * step.dt * f64::from(game.input(&step).is_down(&"right")));
///         }
///         println!("{}", x.at(frame.alpha())); // draw
///     }
/// }
/// ```
///
/// It consists of a [`MonotonicClock`](crate::MonotonicClock), a [`FrameClock`] with the default filter, a [`FixedTimestep`] and an
/// [`InputBuffer`](crate::input::InputBuffer). Use these parts yourself for another filter, several timesteps, or input of several players. To
/// set up the timestep, convert it to a loop by [`From`]:
///
/// ```
/// use evenstep::{FixedTimestep, GameLoop, Overrun, Rate};
/// use std::time::Duration;
///
/// let carry = Overrun::Carry { max_backlog: Duration::from_secs(1) };
/// let mut game = GameLoop::from(FixedTimestep::new(Rate::hz(50)).with_overrun(carry));
/// let _ = game.begin_frame_at(Duration::from_secs(7)); // the first frame: no time has passed
/// assert_eq!(game.begin_frame_at(Duration::from_secs(8)).step_count(), 13);
/// assert!(game.timestep().idle_frame().is_behind());
/// ```
///
/// A frame has the steps of 100 ms at most, so that a machine that is too slow for the steps plays in slow motion and goes on drawing;
/// [`Frame::lost`] reports the lost time. For another limit set the [longest delta](FixedTimestep::with_max_delta) of the timestep.
///
/// `K` names a key or button; without input it is [`Infallible`], which has no values.
#[derive(Clone, Debug)]
pub struct GameLoop<K = Infallible> {
    #[cfg(feature = "std")]
    clock: MonotonicClock,
    frames: FrameClock,
    followed: Option<Followed>,
    timestep: FixedTimestep,
    time: FrameTime,
    input: InputBuffer<K>,
}

/// The clock that its time is taken from, if it follows another one.
#[derive(Clone, Debug)]
enum Followed {
    Playback(PlaybackClock),
    Refresh(RefreshClock),
}

impl GameLoop {
    /// A loop at tick 0 whose steps come at `rate`. Its clock shows zero now.
    #[must_use]
    pub fn new(rate: Rate) -> Self {
        Self::from(FixedTimestep::new(rate))
    }

    /// The same with input, for keys and buttons of any type: [`push`](GameLoop::push) events, and ask for the [`input`](GameLoop::input)
    /// of each step. Between two steps 256 events have room; see [`InputBuffer`].
    ///
    /// ```
    /// use evenstep::input::InputEvent;
    /// use evenstep::{GameLoop, Rate};
    /// use std::time::Duration;
    ///
    /// let ms = Duration::from_millis;
    /// let mut game = GameLoop::new(Rate::hz(100)).with_input();
    /// let _ = game.begin_frame_at(ms(0)); // the first frame
    /// game.push_at(ms(5), InputEvent::Press("jump"));
    /// game.push_at(ms(6), InputEvent::Release("jump"));
    /// let mut jumps = 0;
    /// for now in [7, 14, 21, 28] {
    ///     let frame = game.begin_frame_at(ms(now));
    ///     for step in frame.steps() {
    ///         jumps += game.input(&step).presses(&"jump");
    ///     }
    /// }
    /// assert_eq!(jumps, 1);
    /// ```
    #[must_use]
    pub fn with_input<K: PartialEq + Clone>(self) -> GameLoop<K> {
        GameLoop {
            #[cfg(feature = "std")]
            clock: self.clock,
            frames: self.frames,
            followed: self.followed,
            timestep: self.timestep,
            time: self.time,
            input: InputBuffer::new(256),
        }
    }
}

/// The longest delta of a loop that drops time: a machine that is too slow for the steps then draws about ten frames a second, in slow
/// motion, and not four. `tests/slow_machine.rs` has the table that it was chosen by.
const MAX_DELTA: Duration = Duration::from_millis(100);

impl From<FixedTimestep> for GameLoop {
    /// A timestep that drops time and has no [longest delta](FixedTimestep::max_delta) of its own gets one of 100 ms.
    fn from(mut timestep: FixedTimestep) -> Self {
        if !timestep.overrun().keeps_time() && !timestep.has_max_delta() {
            timestep.set_max_delta(MAX_DELTA);
        }
        Self {
            #[cfg(feature = "std")]
            clock: MonotonicClock::new(),
            frames: FrameClock::new(),
            followed: None,
            timestep,
            time: FrameTime::default(),
            input: InputBuffer::new(0),
        }
    }
}

impl<K: PartialEq + Clone> GameLoop<K> {
    /// Begins a frame now, by the loop's clock. Run its steps, then draw at its alpha. No time passes in the first frame, and input that was
    /// pushed before it counts as input of a [pause](Self::pause).
    #[cfg(feature = "std")]
    #[must_use = "the steps of a frame are the simulation's due; a frame that is dropped loses them"]
    pub fn begin_frame(&mut self) -> Frame {
        self.begin_frame_at(self.clock.now())
    }

    /// The same at a time of your own clock, whose origin is arbitrary: the timestamp of `requestAnimationFrame`, a virtual clock in a test, a
    /// timer without an operating system. Times of events are then of that clock too, and [`begin_frame`](Self::begin_frame) and
    /// [`push`](Self::push) are left alone. An earlier time than the last frame's is treated as the last frame's.
    #[must_use = "the steps of a frame are the simulation's due; a frame that is dropped loses them"]
    pub fn begin_frame_at(&mut self, now: Duration) -> Frame {
        self.time = match &mut self.followed {
            None => self.frames.begin_frame(now),
            Some(Followed::Playback(clock)) => clock.begin_frame(now),
            Some(Followed::Refresh(clock)) => clock.begin_frame(now),
        };
        let frame = self.timestep.advance(self.time.delta);
        self.input.begin_frame(&self.time, &frame);
        frame
    }

    /// Takes its time from a song in place of the filter, and the steps of events, whose times stay those of the program's clock.
    ///
    /// ```
    /// use evenstep::filter::{PlaybackClock, PlaybackReport};
    /// use evenstep::{GameLoop, Rate};
    /// use std::time::Duration;
    ///
    /// let mut game = GameLoop::new(Rate::hz(120)).with_playback(PlaybackClock::new());
    /// for n in 0..600 {
    ///     let at = Duration::from_millis(n * 16);
    ///     if let Some(song) = game.playback_mut() {
    ///         song.report(PlaybackReport { at, position: Duration::from_millis(n * 16 / 21 * 21) });
    ///     }
    ///     for step in game.begin_frame_at(at).steps() { /* simulate */ }
    /// }
    /// assert!(game.playback_mut().is_some_and(|song| song.is_following()));
    /// ```
    #[must_use]
    pub fn with_playback(mut self, clock: PlaybackClock) -> Self {
        self.follow(Followed::Playback(clock));
        self
    }

    /// Takes its time from the refreshes of the display in place of the filter, for pictures that are not blended.
    #[must_use]
    pub fn with_refresh(mut self, clock: RefreshClock) -> Self {
        self.follow(Followed::Refresh(clock));
        self
    }

    /// A song or a display goes on while the program stands still: the loop's own limit is lifted.
    fn follow(&mut self, clock: Followed) {
        if self.timestep.max_delta() == MAX_DELTA {
            self.timestep.set_max_delta(None);
        }
        self.followed = Some(clock);
    }

    /// The clock of [`with_playback`](Self::with_playback): to report positions, and to ask for them. A pause of it is one of the loop.
    pub const fn playback_mut(&mut self) -> Option<&mut PlaybackClock> {
        match &mut self.followed {
            Some(Followed::Playback(clock)) => Some(clock),
            _ => None,
        }
    }

    /// Takes back the last `unrun` steps of the last frame, for which there was no time, and returns the frame to draw. See
    /// [`FixedTimestep::give_back`].
    pub fn give_back(&mut self, frame: Frame, unrun: u32) -> Frame {
        self.timestep.give_back(frame, unrun)
    }

    /// Takes an event without a time: it acts in the next step that runs. For libraries that do not say when a key went down. Motion is
    /// spread evenly over the steps of its frame. Before the first frame and in a pause only the state of keys is kept.
    pub fn push(&mut self, event: InputEvent<K>) {
        self.input.push(event);
    }

    /// Takes an event with its time on the frames' clock; [`now`](Self::now) reads the loop's own clock. It reaches the step whose
    /// interval contains the time, or the next step if that has run.
    pub fn push_at(&mut self, at: Duration, event: InputEvent<K>) {
        let at = match &self.followed {
            None => at,
            Some(Followed::Playback(clock)) => clock.time_at(at),
            Some(Followed::Refresh(clock)) => clock.time_at(at),
        };
        self.input.push_at(at, event);
    }

    /// The controls of a step of this frame: what is held, and what was pressed, released and moved in it. A step that is asked for out of
    /// order gets an answer of its own: [the table](InputBuffer#which-step-is-asked-for) says which.
    pub fn input(&mut self, step: &Step) -> &Controls<K> {
        self.input.controls(step)
    }

    /// The buffer of its input, which counts events that were late, refused or of a pause.
    #[must_use]
    pub const fn input_buffer(&self) -> &InputBuffer<K> {
        &self.input
    }

    /// Begins a known pause, such as a hidden window, a menu or a level that loads. It takes effect at the next
    /// [`begin_frame`](Self::begin_frame), wherever it is called: the steps of the present frame still run, and from the next frame on there are
    /// none but [single ones](Self::step_once). Begin frames in it to go on drawing, or none.
    pub fn pause(&mut self) {
        self.timestep.pause();
    }

    /// Ends a pause with the next frame, which is its last. Its time is reported as lost and not simulated.
    ///
    /// ```
    /// use evenstep::{GameLoop, Rate};
    /// use std::time::Duration;
    ///
    /// let secs = Duration::from_secs;
    /// let mut game = GameLoop::new(Rate::hz(60));
    /// let _ = game.begin_frame_at(secs(0));
    /// game.pause();
    /// game.step_once();
    /// assert_eq!(game.begin_frame_at(secs(1)).step_count(), 1);
    /// game.resume();
    /// assert_eq!(game.begin_frame_at(secs(9)).step_count(), 0);
    /// ```
    pub fn resume(&mut self) {
        self.timestep.resume();
    }

    /// As [`resume`](Self::resume), and the steps that were kept back before the pause are dropped. Without a pause, for a load or an alt-tab
    /// that was noticed too late to [`pause`](Self::pause): the time since the last frame is dropped too.
    pub fn resume_dropping(&mut self) {
        self.timestep.resume_dropping();
    }

    /// Whether the loop is paused: from [`pause`](Self::pause) to [`resume`](Self::resume).
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.timestep.is_paused()
    }

    /// Grants one more step in the next frame without using up any time, also in a pause.
    pub fn step_once(&mut self) {
        self.timestep.step_once();
    }

    /// How fast simulated time runs from the next frame on: slow motion has fewer steps, not shorter ones.
    pub fn set_time_scale(&mut self, scale: TimeScale) {
        self.timestep.set_time_scale(scale);
    }

    /// Starts over at tick 0, in the same pause and at the same scale. Keys that are held stay held.
    pub fn reset(&mut self) {
        self.timestep.reset();
    }

    /// The time on the loop's clock: when an event happens that arrives now.
    #[cfg(feature = "std")]
    #[must_use]
    pub fn now(&self) -> Duration {
        self.clock.now()
    }

    /// The clock of its frames, whose filter has estimates of the display.
    #[must_use]
    pub const fn frame_clock(&self) -> &FrameClock {
        &self.frames
    }

    /// When the last frame began: for [`FrameStats`](crate::FrameStats), for [`Frame::due`] and for other buffers of input.
    #[must_use]
    pub const fn frame_time(&self) -> &FrameTime {
        &self.time
    }

    /// Its timestep: the rate, the tick and the settings.
    #[must_use]
    pub const fn timestep(&self) -> &FixedTimestep {
        &self.timestep
    }
}
