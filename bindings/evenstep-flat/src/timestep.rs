//! The fixed timestep: it takes frame times and grants equal steps.

use core::mem::MaybeUninit;
use core::time::Duration;

use evenstep::{Backlog, FixedTimestep, Overrun, Rate, Smoothing};

use crate::clock::FrameClock;
use crate::error::Error;
use crate::exact::{Exact, duration, nanos};
use crate::filter::FilterSettings;
pub use crate::frame::Frame;
pub use crate::settings::{carry, stretch};
use crate::settings::{rate, scale};

/// A fixed timestep with filters, which takes absolute times.
#[derive(Clone, Debug)]
pub struct Timestep {
    core: FixedTimestep,
    clock: FrameClock,
    /// The last frame; none before the first.
    last: Option<evenstep::Frame>,
    dt: f64,
}

impl Timestep {
    /// A timestep at tick 0 that grants `numer / denom` steps a second.
    ///
    /// # Errors
    ///
    /// [`Error::Ratio`].
    pub fn new(numer: u32, denom: u32) -> Result<Self, Error> {
        let rate = rate(numer, denom)?;
        Ok(Self {
            core: FixedTimestep::new(rate),
            clock: FrameClock::default(),
            last: None,
            dt: rate.period_secs_f64(),
        })
    }

    /// Adds a filter.
    ///
    /// # Errors
    ///
    /// [`Error::Order`] after the first frame, [`Error::Full`] for a second filter, [`Error::Range`] for another kind.
    pub fn add_filter(&mut self, settings: &FilterSettings) -> Result<(), Error> {
        self.clock.add_filter(settings)
    }

    /// Begins a frame at a time of any clock, in nanoseconds. The first frame sets time zero and has no step. A time that is up to a
    /// second earlier than the last frame counts as the last frame's: no time passes.
    ///
    /// # Errors
    ///
    /// [`Error::Negative`], and [`Error::TimeWentBack`] if it is earlier by more than a second.
    #[inline]
    pub fn begin_frame(&mut self, now: i64) -> Result<Frame, Error> {
        let delta = self.clock.begin(now)?;
        Ok(self.granted(delta))
    }

    /// Begins a frame this number of nanoseconds after the last one.
    ///
    /// # Errors
    ///
    /// [`Error::Negative`], and [`Error::Range`] if the sum of all deltas exceeds 2^63 ns, 292 years.
    #[inline]
    pub fn advance(&mut self, delta: i64) -> Result<Frame, Error> {
        let delta = self.clock.advance(delta)?;
        Ok(self.granted(delta))
    }

    /// Like [`begin_frame`](Self::begin_frame), but writes the result to `frame`.
    ///
    /// # Errors
    ///
    /// As [`begin_frame`](Self::begin_frame); then nothing is written.
    #[inline(always)]
    pub fn begin_frame_into(&mut self, now: i64, frame: &mut MaybeUninit<Frame>) -> Result<(), Error> {
        let delta = self.clock.begin(now)?;
        frame.write(self.granted(delta));
        Ok(())
    }

    /// Like [`advance`](Self::advance), but writes the result to `frame`.
    ///
    /// # Errors
    ///
    /// As [`advance`](Self::advance); then nothing is written.
    #[inline(always)]
    pub fn advance_into(&mut self, delta: i64, frame: &mut MaybeUninit<Frame>) -> Result<(), Error> {
        let delta = self.clock.advance(delta)?;
        frame.write(self.granted(delta));
        Ok(())
    }

    #[inline]
    fn granted(&mut self, delta: u64) -> Frame {
        let frame = self.core.advance(Duration::from_nanos(delta));
        self.last = Some(frame);
        Frame::of(&frame, self.dt)
    }

    /// Takes back the last `unrun` steps of the last frame, for which the program had no time. Returns the resulting frame.
    ///
    /// # Errors
    ///
    /// [`Error::Order`] before the first frame, and [`Error::Range`] if it has fewer steps.
    pub fn give_back(&mut self, unrun: u32) -> Result<Frame, Error> {
        let frame = self.last()?;
        if unrun as usize > frame.steps().len() {
            return Err(Error::Range);
        }
        let frame = self.core.give_back(frame, unrun);
        self.last = Some(frame);
        Ok(Frame::of(&frame, self.dt))
    }

    /// Sets the longest delta that is accepted, in nanoseconds. Unless set, it is 250 ms where time that does not fit is dropped, and has no
    /// limit where it is kept.
    ///
    /// # Errors
    ///
    /// [`Error::Negative`].
    pub fn set_max_delta(&mut self, max_delta: i64) -> Result<(), Error> {
        self.core.set_max_delta(duration(max_delta)?);
        Ok(())
    }

    /// Sets the most steps in a frame. With none, the default, they are as many as fit into the longest
    /// accepted delta if that is set, or into 250 ms.
    pub fn set_max_steps(&mut self, max_steps: Option<u32>) {
        self.core.set_max_steps(max_steps);
    }

    /// The most steps in a frame.
    #[must_use]
    pub fn max_steps(&self) -> u32 {
        self.core.max_steps()
    }

    /// Sets the policy for steps that do not fit into a frame.
    pub fn set_overrun(&mut self, overrun: Overrun) {
        self.core.set_overrun(overrun);
    }

    /// Sets how fast simulated time runs: `numer / denom` seconds a second.
    ///
    /// # Errors
    ///
    /// [`Error::Ratio`].
    pub fn set_time_scale(&mut self, numer: u32, denom: u32) -> Result<(), Error> {
        self.core.set_time_scale(scale(numer, denom)?);
        Ok(())
    }

    /// Runs the simulation one step ahead, so that the blended state is the present.
    ///
    /// # Errors
    ///
    /// [`Error::Order`] after the first frame.
    pub fn set_lookahead(&mut self) -> Result<(), Error> {
        if self.clock.frames() > 0 {
            return Err(Error::Order);
        }
        self.core = self.core.clone().with_lookahead();
        Ok(())
    }

    /// Grants one more step in the next frame without using up any time.
    pub fn step_once(&mut self) {
        self.core.step_once();
    }

    /// Begins a known pause.
    pub fn pause(&mut self) {
        self.core.pause();
    }

    /// Ends a known pause. The next delta is its last.
    pub fn resume(&mut self) {
        self.core.resume(Backlog::Keep);
    }

    /// Whether there is a known pause.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.core.is_paused()
    }

    /// Drops the backlog, and counts the time until the next frame as paused.
    pub fn resync(&mut self) {
        self.core.resume(Backlog::Drop);
    }

    /// Starts over at tick 0 with the same settings, filters and clock.
    pub fn reset(&mut self) {
        self.core.reset();
        self.last = None;
    }

    /// The nanoseconds of real time until the next step is due; zero if the next frame ends a pause, none if no step will become due.
    #[must_use]
    pub fn until_next_step(&self) -> Option<i64> {
        self.core.until_next_step().map(nanos)
    }

    /// The tick of the next step.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.core.tick()
    }

    /// Nanoseconds between the last two frames, before filters.
    #[must_use]
    pub fn delta(&self) -> i64 {
        nanos(self.clock.last().unfiltered_delta)
    }

    /// The simulated time that has arrived and has not been stepped yet, after the last frame.
    ///
    /// # Errors
    ///
    /// [`Error::Order`] before the first frame.
    pub fn overstep(&self) -> Result<Exact, Error> {
        Ok(self.last()?.overstep().into())
    }

    /// The simulated time of the newest state.
    ///
    /// # Errors
    ///
    /// [`Error::Order`].
    pub fn current_time(&self) -> Result<Exact, Error> {
        Ok(self.last()?.shown_time(Smoothing::None).into())
    }

    /// The simulated time that the frame shows, blended at alpha.
    ///
    /// # Errors
    ///
    /// [`Error::Order`].
    pub fn drawn_time(&self) -> Result<Exact, Error> {
        Ok(self.last()?.shown_time(Smoothing::Interpolate).into())
    }

    /// The simulated time that the frame shows where it is extrapolated.
    ///
    /// # Errors
    ///
    /// [`Error::Order`].
    pub fn extrapolated_time(&self) -> Result<Exact, Error> {
        Ok(self
            .last()?
            .shown_time(Smoothing::Extrapolate { horizon: Duration::MAX })
            .into())
    }

    /// The core's last frame.
    pub(crate) fn last(&self) -> Result<evenstep::Frame, Error> {
        self.last.ok_or(Error::Order)
    }

    pub(crate) fn clock(&self) -> &FrameClock {
        &self.clock
    }

    /// The rate of its steps.
    #[must_use]
    pub fn rate(&self) -> Rate {
        self.core.rate()
    }
}
