//! The accumulator of a [`FixedTimestep`].

use core::time::Duration;

use crate::step::frame::Leftover;
use crate::step::timestep::limits::{Limits, MAX_STEPS};
use crate::step::timestep::units::Units;
use crate::step::{Frame, Lost, Overrun};
use crate::time::{Rate, SimDuration, Tick, TimeScale};

/// The accumulator: the renderer's deltas go in, equal steps come out, exactly.
///
/// Use it for every simulation whose outcome must not depend on the display. It is a plain value that never reads a
/// clock: tell it how much time has passed and it answers with a [`Frame`], whose steps you run in a loop of your
/// own. After any sequence of deltas,
///
/// ```text
/// ticks × period + overstep + lost = Σ delta × time scale + single steps × period
/// ```
///
/// in exact arithmetic, where `lost` is [clamped](Lost::clamped) time × time scale, [dropped](Lost::dropped) steps ×
/// period and what was [rounded](Lost::rounded). [Suspended](Lost::suspended) deltas do not count.
///
/// The [drawn time](Frame::drawn_time) never goes back from one frame to the next, no matter what is called in between, except for
/// [`reset`](Self::reset). Where dropped steps would take it back, it stands still.
///
/// ```
/// use evenstep::{FixedTimestep, Rate};
/// use std::time::Duration;
///
/// let mut timestep = FixedTimestep::new(Rate::hz(60));
/// let mut ticks = 0;
/// for _ in 0..144 {
///     let frame = timestep.advance(Duration::from_nanos(6_944_444)); // a display at 144 Hz
///     for step in frame.steps() {
///         assert_eq!(step.tick, ticks);
///         ticks += 1;
///     }
/// }
/// assert_eq!(ticks, 59); // 64 ns short of a second
/// assert_eq!(timestep.advance(Duration::from_nanos(64)).steps().len(), 1);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(try_from = "super::saved::Saved", into = "super::saved::Saved")
)]
pub struct FixedTimestep {
    pub(super) rate: Rate,
    pub(super) scale: TimeScale,
    pub(super) max_delta: Duration,
    /// None where it follows from the other settings.
    pub(super) max_steps: Option<u32>,
    pub(super) limits: Limits,
    pub(super) overrun: Overrun,
    pub(super) activity: Activity,
    pub(super) units: Units,
    /// Steps granted so far.
    pub(super) tick: Tick,
    /// Time towards the next step, in units; less than a step.
    pub(super) fraction: u128,
    /// Time kept back by the overrun policy, in units.
    pub(super) debt: u128,
    /// The drawn time within the step under way, in units: `fraction`, or more while it stands still for time that was given up.
    pub(super) drawn: u128,
    pub(super) single_steps: u32,
    pub(super) lookahead: bool,
    /// Whether the next frame drops time that is kept back.
    pub(super) resync: bool,
    pub(super) last: LastFrame,
}

/// The part of the last frame that is needed to take its steps back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(super) struct LastFrame {
    /// Its steps that were not given back.
    pub(super) count: u32,
    /// Fraction and debt before it.
    pub(super) before: u128,
    /// `drawn` before it.
    pub(super) drawn: u128,
}

/// Whether deltas count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Activity {
    Running,
    Suspended,
    /// The next delta began before the simulation was resumed: it is the pause's last.
    Resuming,
}

impl FixedTimestep {
    /// A timestep at tick 0 that grants steps at `rate`.
    #[must_use]
    pub fn new(rate: Rate) -> Self {
        Self {
            rate,
            scale: TimeScale::NORMAL,
            max_delta: Self::DEFAULT_MAX_DELTA,
            max_steps: None,
            limits: Limits::new(rate, TimeScale::NORMAL, Self::DEFAULT_MAX_DELTA, None),
            overrun: Overrun::Drop,
            activity: Activity::Running,
            units: Units::new(rate, TimeScale::NORMAL, 1),
            tick: 0,
            fraction: 0,
            debt: 0,
            drawn: 0,
            single_steps: 0,
            lookahead: false,
            resync: false,
            last: LastFrame::default(),
        }
    }

    /// The same, one step ahead: the first frame, also after a [`reset`](Self::reset), brings one step more than its time is
    /// worth. The blended state is then the present and not a step ago, but input acts a step later.
    ///
    /// ```
    /// use evenstep::{FixedTimestep, Rate};
    /// use std::time::Duration;
    ///
    /// let mut timestep = FixedTimestep::new(Rate::hz(10)).with_lookahead();
    /// let frame = timestep.advance(Duration::from_millis(250));
    /// assert_eq!(frame.steps().len(), 3);
    /// assert_eq!(frame.drawn_time().to_duration(), Duration::from_millis(250));
    /// ```
    #[must_use]
    pub fn with_lookahead(mut self) -> Self {
        if !self.lookahead {
            self.lookahead = true;
            self.step_once();
        }
        self
    }

    /// An idle frame: no time, no steps, and drawn at the time where this timestep is. Use it to draw before the first
    /// [`advance`](Self::advance).
    ///
    /// ```
    /// use evenstep::{FixedTimestep, Rate};
    ///
    /// let timestep = FixedTimestep::new(Rate::hz(60)).with_lookahead();
    /// let frame = timestep.idle_frame();
    /// assert_eq!((frame.tick(), frame.steps().len()), (0, 0));
    /// ```
    pub fn idle_frame(&self) -> Frame {
        Frame {
            rate: self.rate,
            scale: self.time_scale(),
            first: self.tick,
            count: 0,
            single_steps: 0,
            leftover: Leftover {
                before: self.fraction + self.debt,
                ..self.leftover()
            },
            lost: Lost::default(),
        }
    }

    /// The rate at which steps are granted.
    #[must_use]
    pub const fn rate(&self) -> Rate {
        self.rate
    }

    /// How many steps have been granted; the index of the next.
    #[must_use]
    pub const fn tick(&self) -> Tick {
        self.tick
    }

    /// Grants one step with the next frame that is not paid for by any delta, for stepping through a pause.
    pub fn step_once(&mut self) {
        self.single_steps = self.single_steps.saturating_add(1);
    }

    /// Begins a known pause, such as a hidden tab or a level that loads: until [`resume`](Self::resume), deltas are
    /// reported as [suspended](Lost::suspended) and grant nothing. It is not a slow frame.
    pub fn suspend(&mut self) {
        self.activity = Activity::Suspended;
    }

    /// Ends a known pause. The next delta began within it, so it is the last to be reported as
    /// [suspended](Lost::suspended). Without a pause it does nothing.
    pub fn resume(&mut self) {
        if self.activity == Activity::Suspended {
            self.activity = Activity::Resuming;
        }
    }

    /// Whether deltas are being reported as [suspended](Lost::suspended) for now.
    #[must_use]
    pub fn is_suspended(&self) -> bool {
        self.activity != Activity::Running
    }

    /// Lets go of the time behind, after a load or an alt-tab that was noticed too late to [`suspend`](Self::suspend): the next
    /// frame drops the steps kept back, and its delta counts as [suspended](Lost::suspended).
    pub fn resync(&mut self) {
        self.resync = true;
        if self.activity == Activity::Running {
            self.activity = Activity::Resuming;
        }
    }

    /// Starts over at tick 0 with the same settings and lookahead. A known pause goes on. This alone sets time back:
    /// [take back](crate::input::EventQueue::retract_from) events that wait to be drawn.
    pub fn reset(&mut self) {
        *self = Self {
            units: Units::new(self.rate, self.scale, self.scale.denom()),
            tick: 0,
            fraction: 0,
            debt: 0,
            drawn: 0,
            single_steps: u32::from(self.lookahead),
            resync: false,
            last: LastFrame::default(),
            ..*self
        };
    }

    /// Takes the real time since the last frame, and answers with what this frame must do. Integer arithmetic only;
    /// accepts any delta.
    #[inline]
    pub fn advance(&mut self, delta: Duration) -> Frame {
        let mut lost = Lost::default();
        if self.resync {
            lost.dropped = self.let_go();
        }
        if self.units.scale != self.scale {
            lost.rounded = self.rescale();
        }
        self.last.before = self.fraction + self.debt;
        self.last.drawn = self.drawn;
        let accepted = self.admit(delta, &mut lost);
        let released = self.release(accepted.as_nanos() * self.units.per_nano_of_delta);
        let (due, fraction) = div_rem(self.fraction + released, self.units.per_step);
        let due = due as u64;
        let granted = due.min(u64::from(self.limits.max_steps)) as u32;
        self.fraction = fraction;
        if due > u64::from(granted) {
            lost.dropped += self.keep_back_steps(due - u64::from(granted));
        }
        self.grant(granted, lost)
    }

    /// Takes back the last `unrun` steps of `frame`, the one just granted, which the caller had no time to run. They
    /// follow the [overrun policy](Self::overrun). Answers with the frame as it turned out, which is the one to draw.
    ///
    /// A frame that is not the last one granted, or as it turned out, is answered unchanged.
    ///
    /// ```
    /// use evenstep::{FixedTimestep, Rate};
    /// use std::time::Duration;
    ///
    /// let mut timestep = FixedTimestep::new(Rate::hz(100));
    /// let frame = timestep.advance(Duration::from_millis(40));
    /// let mut steps = frame.steps();
    /// let ran_in_time = steps.next();
    /// let frame = timestep.give_back(frame, steps.len() as u32);
    /// assert_eq!((frame.tick(), frame.lost().dropped), (1, 3));
    /// ```
    pub fn give_back(&mut self, frame: Frame, unrun: u32) -> Frame {
        if !self.is_last(&frame) {
            return frame;
        }
        let unrun = unrun.min(frame.count);
        self.tick -= Tick::from(unrun);
        self.last.count -= unrun;
        if self.last.count == 0 {
            self.drawn = self.drawn.max(self.last.drawn);
        }
        let mut lost = frame.lost;
        lost.dropped += self.keep_back_steps(u64::from(unrun));
        Frame {
            count: self.last.count,
            leftover: self.leftover(),
            lost,
            ..frame
        }
    }

    fn is_last(&self, frame: &Frame) -> bool {
        frame.count == self.last.count
            && frame.tick() == self.tick
            && frame.rate == self.rate
            && frame.leftover == self.leftover()
    }

    /// Drops time that is kept back; answers with the number of steps.
    #[cold]
    fn let_go(&mut self) -> u64 {
        let (dropped, fraction) = div_rem(self.fraction + self.debt, self.units.per_step);
        (self.fraction, self.debt, self.resync) = (fraction, 0, false);
        self.drawn = self.drawn.max(fraction);
        dropped as u64
    }

    /// Counts in units that suit the time scale; answers with what had to be rounded away.
    #[cold]
    pub(super) fn rescale(&mut self) -> SimDuration {
        let resolution = self.units.resolution_for(self.scale, [self.fraction, self.debt]);
        let former = core::mem::replace(&mut self.units, Units::new(self.rate, self.scale, resolution));
        let residue = former.convert(&mut self.fraction, &self.units) + former.convert(&mut self.debt, &self.units);
        // Rounded up, so that the drawn time does not go back.
        let rounded = former.convert(&mut self.drawn, &self.units) > 0;
        self.drawn += u128::from(rounded);
        SimDuration::new(residue, self.units.residue_per_nano(&former))
    }

    /// The part of `delta` that reaches the simulation. While time stands still, nothing of it is lost.
    #[inline]
    pub(super) fn admit<D>(&mut self, delta: Duration, lost: &mut Lost<D>) -> Duration {
        if self.activity != Activity::Running {
            if self.activity == Activity::Resuming {
                self.activity = Activity::Running;
            }
            lost.suspended = delta;
            return Duration::ZERO;
        }
        if delta > self.limits.longest_delta && !self.scale.is_paused() {
            lost.clamped = delta - self.limits.longest_delta;
            return self.limits.longest_delta;
        }
        delta
    }

    /// How much of what has arrived and what was kept back may be stepped now. While no time arrives, nothing is.
    #[inline]
    pub(super) fn release(&mut self, arrived: u128) -> u128 {
        let available = self.debt + arrived;
        let released = match self.overrun {
            _ if arrived == 0 => 0,
            Overrun::Stretch { max_speed } if self.debt > 0 => {
                let speed = max_speed.max(TimeScale::NORMAL);
                let (numer, denom) = (u128::from(speed.numer()), u128::from(speed.denom()));
                let whole = (arrived / denom).saturating_mul(numer);
                available.min(whole.saturating_add(arrived % denom * numer / denom))
            }
            _ => available,
        };
        self.debt = available - released;
        released
    }

    /// Keeps `steps` for later as far as the policy has room; answers with the number that it has not.
    fn keep_back_steps(&mut self, steps: u64) -> u64 {
        let per_step = self.units.per_step;
        (self.keep_back(u128::from(steps) * per_step, per_step) / per_step) as u64
    }

    /// Keeps time for later as far as the policy has room, a multiple of `grain`; answers with the time for which it has not.
    pub(super) fn keep_back(&mut self, time: u128, grain: u128) -> u128 {
        let most = self.units.per_step * u128::from(MAX_STEPS);
        let most = match self.overrun {
            Overrun::Drop => return time,
            Overrun::Carry { max_backlog } => self.units.in_time(max_backlog).min(most),
            Overrun::Stretch { .. } => most,
        };
        let room = (most / grain).saturating_sub(self.debt.div_ceil(grain)) * grain;
        let kept = time.min(room);
        self.debt += kept;
        time - kept
    }

    #[inline]
    fn grant(&mut self, granted: u32, mut lost: Lost) -> Frame {
        let single_steps = if self.is_suspended() {
            0
        } else {
            core::mem::take(&mut self.single_steps)
        };
        let wanted = granted.saturating_add(single_steps);
        let count = u32::try_from(Tick::MAX - self.tick).map_or(wanted, |left| wanted.min(left));
        lost.dropped += u64::from(wanted - count);
        let first = self.tick;
        self.tick += Tick::from(count);
        self.last.count = count;
        self.drawn = if count == 0 {
            self.drawn.max(self.fraction)
        } else {
            self.fraction
        };
        Frame {
            rate: self.rate,
            scale: self.units.scale,
            first,
            count,
            single_steps: wanted - granted,
            leftover: self.leftover(),
            lost,
        }
    }

    pub(super) fn leftover(&self) -> Leftover {
        Leftover {
            before: self.last.before,
            drawn: self.drawn,
            fraction: self.fraction,
            debt: self.debt,
            per_step: self.units.per_step,
            per_nano: self.units.per_nano,
        }
    }
}

/// Division that takes the processor's own instruction where both numbers fit, which is nearly always.
#[inline]
fn div_rem(dividend: u128, divisor: u128) -> (u128, u128) {
    if dividend < divisor {
        return (0, dividend);
    }
    if dividend - divisor < divisor {
        return (1, dividend - divisor);
    }
    match (u64::try_from(dividend), u64::try_from(divisor)) {
        (Ok(dividend), Ok(divisor)) => (u128::from(dividend / divisor), u128::from(dividend % divisor)),
        _ => (dividend / divisor, dividend % divisor),
    }
}
