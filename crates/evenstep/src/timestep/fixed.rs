use core::time::Duration;

use crate::frame::{Grid, Leftover};
use crate::time::NANOS_PER_SEC;
use crate::timestep::units::Units;
use crate::{Frame, Lost, Overrun, Rate, SimTime, Tick, TimeScale};

/// The most steps that one delta can be worth, and the most that are ever kept back.
const MOST_STEPS: u32 = u32::MAX;

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
    pub(super) max_steps: u32,
    pub(super) overrun: Overrun,
    pub(super) activity: Activity,
    pub(super) units: Units,
    /// `max_delta`, or what is worth [`MOST_STEPS`] if that is less.
    longest_delta: Duration,
    /// Steps granted so far.
    pub(super) tick: Tick,
    /// Time towards the next step, in units; less than a step.
    pub(super) fraction: u128,
    /// Time kept back by the overrun policy, in units.
    pub(super) debt: u128,
    pub(super) single_steps: u32,
    /// Steps dropped by a [`resync`](Self::resync); the next frame reports them.
    pub(super) resynced: u64,
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
    /// The longest delta that is believed unless set otherwise: 250 ms.
    pub const DEFAULT_MAX_DELTA: Duration = Duration::from_millis(250);

    /// The most steps in a frame unless set otherwise: 5.
    pub const DEFAULT_MAX_STEPS: u32 = 5;

    /// A timestep at tick 0 that grants steps at `rate`.
    #[must_use]
    pub fn new(rate: Rate) -> Self {
        let mut timestep = Self {
            rate,
            scale: TimeScale::NORMAL,
            max_delta: Self::DEFAULT_MAX_DELTA,
            max_steps: Self::DEFAULT_MAX_STEPS,
            overrun: Overrun::Drop,
            activity: Activity::Running,
            units: Units::new(rate, TimeScale::NORMAL, 1),
            longest_delta: Duration::ZERO,
            tick: 0,
            fraction: 0,
            debt: 0,
            single_steps: 0,
            resynced: 0,
        };
        timestep.bound_delta();
        timestep
    }

    /// The same with [`max_delta`](Self::max_delta) set.
    #[must_use]
    pub fn with_max_delta(mut self, max_delta: Duration) -> Self {
        self.set_max_delta(max_delta);
        self
    }

    /// The same with [`max_steps`](Self::max_steps) set.
    #[must_use]
    pub fn with_max_steps(mut self, max_steps: u32) -> Self {
        self.set_max_steps(max_steps);
        self
    }

    /// The same with the [`overrun`](Self::overrun) policy set.
    #[must_use]
    pub fn with_overrun(mut self, overrun: Overrun) -> Self {
        self.set_overrun(overrun);
        self
    }

    /// The same with the [`time_scale`](Self::time_scale) set.
    #[must_use]
    pub fn with_time_scale(mut self, scale: TimeScale) -> Self {
        self.set_time_scale(scale);
        self
    }

    /// The same, one step ahead: the first frame brings a step that is paid for by no time, so that what is blended is the
    /// present and not a step ago. The price is on the other side: input acts on a step that is already
    /// simulated only in the next one.
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
        self.step_once();
        self
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

    /// The longest delta that is believed; what exceeds it is cut off and reported as [clamped](Lost::clamped). It
    /// keeps a breakpoint or a stalled machine from turning into a flood of steps. A delta worth more than 2^32 steps
    /// is cut off there in any case.
    #[must_use]
    pub const fn max_delta(&self) -> Duration {
        self.max_delta
    }

    /// Sets [`max_delta`](Self::max_delta), from the next frame on.
    pub fn set_max_delta(&mut self, max_delta: Duration) {
        self.max_delta = max_delta;
        self.bound_delta();
    }

    /// The most steps in one frame. It keeps steps that cost more time than they simulate from piling up, the *spiral
    /// of death*. 0 grants no steps at all.
    #[must_use]
    pub const fn max_steps(&self) -> u32 {
        self.max_steps
    }

    /// Sets [`max_steps`](Self::max_steps), from the next frame on.
    pub fn set_max_steps(&mut self, max_steps: u32) {
        self.max_steps = max_steps;
    }

    /// What happens to steps beyond [`max_steps`](Self::max_steps).
    #[must_use]
    pub const fn overrun(&self) -> Overrun {
        self.overrun
    }

    /// Sets the [`overrun`](Self::overrun) policy. Time that the former policy kept back follows the new one.
    pub fn set_overrun(&mut self, overrun: Overrun) {
        self.overrun = overrun;
    }

    /// How fast simulated time runs.
    #[must_use]
    pub const fn time_scale(&self) -> TimeScale {
        self.scale
    }

    /// Sets the [`time_scale`](Self::time_scale) for deltas to come. Alpha does not jump: time that has arrived stays
    /// as it is.
    pub fn set_time_scale(&mut self, scale: TimeScale) {
        self.scale = scale;
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

    /// Lets go of the time behind, after a load or an alt-tab that was noticed too late to
    /// [`suspend`](Self::suspend): steps kept back are dropped, and the next delta counts as
    /// [suspended](Lost::suspended).
    pub fn resync(&mut self) {
        let behind = self.fraction + self.debt;
        let dropped = (behind / self.units.per_step) as u64;
        self.resynced = self.resynced.saturating_add(dropped);
        self.fraction = behind % self.units.per_step;
        self.debt = 0;
        if self.activity == Activity::Running {
            self.activity = Activity::Resuming;
        }
    }

    /// Starts over at tick 0 with the same settings.
    pub fn reset(&mut self) {
        *self = Self::new(self.rate)
            .with_max_delta(self.max_delta)
            .with_max_steps(self.max_steps)
            .with_overrun(self.overrun)
            .with_time_scale(self.scale);
    }

    /// Takes the real time since the last frame, and answers with what this frame must do. Integer arithmetic only;
    /// accepts any delta.
    #[inline]
    pub fn advance(&mut self, delta: Duration) -> Frame {
        let mut lost = Lost {
            dropped: core::mem::take(&mut self.resynced),
            ..Lost::default()
        };
        if self.units.scale != self.scale {
            lost.rounded = self.rescale();
        }
        let before = self.fraction + self.debt;
        let accepted = self.admit(delta, &mut lost);
        let released = self.release(accepted.as_nanos() * self.units.per_nano_of_delta);
        let (due, fraction) = div_rem(self.fraction + released, self.units.per_step);
        let due = due as u64;
        let granted = due.min(u64::from(self.max_steps)) as u32;
        self.fraction = fraction;
        if due > u64::from(granted) {
            lost.dropped += self.keep_back(due - u64::from(granted));
        }
        self.grant(granted, before, lost)
    }

    /// Takes back the last `unrun` steps of `frame`, the one just granted, which the caller had no time to run. They
    /// follow the [overrun policy](Self::overrun). Answers with the frame as it turned out; its alpha draws it.
    ///
    /// A frame that is not the last one granted is answered unchanged.
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
        if frame.tick() != self.tick || frame.grid != Grid::Even(self.rate) {
            return frame;
        }
        let unrun = unrun.min(frame.count);
        self.tick -= Tick::from(unrun);
        let mut lost = frame.lost;
        lost.dropped += self.keep_back(u64::from(unrun));
        Frame {
            count: frame.count - unrun,
            leftover: self.leftover(frame.progress().begin),
            lost,
            ..frame
        }
    }

    /// Counts in units that suit the time scale; answers with what had to be rounded away.
    #[cold]
    fn rescale(&mut self) -> SimTime {
        let resolution = self.units.resolution_for(self.scale, [self.fraction, self.debt]);
        let former = core::mem::replace(&mut self.units, Units::new(self.rate, self.scale, resolution));
        let residue = former.convert(&mut self.fraction, &self.units) + former.convert(&mut self.debt, &self.units);
        self.bound_delta();
        SimTime::new(residue, self.units.residue_per_nano(&former))
    }

    /// The part of `delta` that reaches the simulation.
    #[inline]
    fn admit(&mut self, delta: Duration, lost: &mut Lost) -> Duration {
        if self.activity != Activity::Running {
            if self.activity == Activity::Resuming {
                self.activity = Activity::Running;
            }
            lost.suspended = delta;
            return Duration::ZERO;
        }
        if delta > self.longest_delta {
            lost.clamped = delta - self.longest_delta;
            return self.longest_delta;
        }
        delta
    }

    /// How much of what has arrived and what was kept back may be stepped now.
    #[inline]
    fn release(&mut self, arrived: u128) -> u128 {
        let available = self.debt + arrived;
        let released = match self.overrun {
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
    fn keep_back(&mut self, steps: u64) -> u64 {
        let most = match self.overrun {
            Overrun::Drop => return steps,
            Overrun::Carry { max_backlog } => self.units.steps_in(max_backlog).min(u128::from(MOST_STEPS)),
            Overrun::Stretch { .. } => u128::from(MOST_STEPS),
        };
        let room = most.saturating_sub(self.debt.div_ceil(self.units.per_step)) as u64;
        let kept = steps.min(room);
        self.debt += u128::from(kept) * self.units.per_step;
        steps - kept
    }

    #[inline]
    fn grant(&mut self, granted: u32, before: u128, mut lost: Lost) -> Frame {
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
        Frame {
            first,
            count,
            single_steps: wanted - granted,
            grid: Grid::Even(self.rate),
            leftover: self.leftover(before),
            lost,
        }
    }

    fn leftover(&self, before: u128) -> Leftover {
        Leftover::Units {
            before,
            fraction: self.fraction,
            debt: self.debt,
            per_step: self.units.per_step,
            per_nano: self.units.per_nano,
        }
    }

    fn bound_delta(&mut self) {
        let worth = self.units.per_step * u128::from(MOST_STEPS);
        let longest = worth.checked_div(self.units.per_nano_of_delta).unwrap_or(u128::MAX);
        let secs = u64::try_from(longest / u128::from(NANOS_PER_SEC)).ok();
        let longest = secs.map(|secs| Duration::new(secs, (longest % u128::from(NANOS_PER_SEC)) as u32));
        self.longest_delta = longest.map_or(self.max_delta, |longest| longest.min(self.max_delta));
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
