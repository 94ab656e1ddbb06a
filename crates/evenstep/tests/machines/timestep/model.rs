//! A `FixedTimestep` as one would explain it: rational seconds, and nothing worked out before it is needed.
//!
//! A delta times the scale is cut to whole nanoseconds, and the rest is added to the next. At normal speed the rest is always zero.

use std::time::Duration;

use evenstep::{Overrun, Rate, TimeScale};
use num_bigint::BigInt;
use num_traits::{ToPrimitive, Zero};

use crate::exact::{Exact, period, secs, speed, whole};

/// The most steps that a delta may be worth, and the most that are kept back.
const MAX_STEPS: u32 = u32::MAX;
/// The same in units; the numerator of the rate is their number in a nanosecond.
const MAX_UNITS: u64 = 1 << 62;

#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) rate: Rate,
    pub(crate) scale: TimeScale,
    /// None if it follows from the overrun policy.
    pub(crate) max_delta: Option<Duration>,
    pub(crate) max_steps: Option<u32>,
    pub(crate) overrun: Overrun,
    pub(crate) pause: Pause,
    pub(crate) lookahead: bool,
    pub(crate) tick: u64,
    /// Less than a nanosecond.
    subnano: Exact,
    fraction: Exact,
    pub(crate) backlog: Exact,
    shown: Exact,
    single_steps: u32,
    drops_backlog: bool,
    pub(crate) last: ModelFrame,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Pause {
    No,
    Now,
    Ending,
}

/// The content of a frame, without lost time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ModelFrame {
    pub(crate) first: u64,
    pub(crate) count: u32,
    pub(crate) fraction: Exact,
    pub(crate) backlog: Exact,
    /// The drawn time after the last state but one.
    pub(crate) shown: Exact,
    pub(crate) begin: Exact,
    shown_before: Exact,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ModelLost {
    pub(crate) clamped: Duration,
    pub(crate) paused: Duration,
    pub(crate) dropped: u64,
}

impl ModelLost {
    fn none() -> Self {
        Self {
            clamped: Duration::ZERO,
            paused: Duration::ZERO,
            dropped: 0,
        }
    }
}

impl Model {
    pub(crate) fn new(rate: Rate, tick: u64) -> Self {
        let zero = Exact::zero;
        Self {
            rate,
            scale: TimeScale::NORMAL,
            max_delta: None,
            max_steps: None,
            overrun: Overrun::Drop,
            pause: Pause::No,
            lookahead: false,
            tick,
            subnano: zero(),
            fraction: zero(),
            backlog: zero(),
            shown: zero(),
            single_steps: 0,
            drops_backlog: false,
            last: ModelFrame {
                first: tick,
                count: 0,
                fraction: zero(),
                backlog: zero(),
                shown: zero(),
                begin: zero(),
                shown_before: zero(),
            },
        }
    }

    pub(crate) fn step_once(&mut self) {
        self.single_steps = self.single_steps.saturating_add(1);
    }

    pub(crate) fn with_lookahead(&mut self) {
        if !self.lookahead {
            self.lookahead = true;
            self.step_once();
        }
    }

    pub(crate) fn pause(&mut self) {
        self.pause = Pause::Now;
    }

    pub(crate) fn resume(&mut self) {
        if self.pause == Pause::Now {
            self.pause = Pause::Ending;
        }
    }

    pub(crate) fn resume_dropping(&mut self) {
        (self.drops_backlog, self.pause) = (true, Pause::Ending);
    }

    pub(crate) fn reset(&mut self) {
        let fresh = Self::new(self.rate, 0);
        *self = Self {
            scale: self.scale,
            max_delta: self.max_delta,
            max_steps: self.max_steps,
            overrun: self.overrun,
            pause: self.pause,
            lookahead: self.lookahead,
            single_steps: u32::from(self.lookahead),
            ..fresh
        };
    }

    pub(crate) fn set_time_scale(&mut self, scale: TimeScale) {
        if scale != self.scale {
            self.scale = scale;
            self.subnano = floor_to(&self.subnano, NANOS * u64::from(scale.denom()));
        }
    }

    /// The longest accepted delta.
    pub(crate) fn max_delta(&self) -> Duration {
        let by_policy = match self.overrun {
            Overrun::Drop => Duration::from_millis(250),
            _ => Duration::MAX,
        };
        self.max_delta.unwrap_or(by_policy)
    }

    /// The part of a delta that counts at a scale: what brings no more than the most time, whatever was left of the nanosecond before,
    /// and whose product with the scale fits into 64 bits.
    fn longest(&self, scale: TimeScale, max_delta: Duration) -> Duration {
        if scale.is_paused() {
            return max_delta;
        }
        let (numer, denom) = (u128::from(scale.numer()), u128::from(scale.denom()));
        let most_nanos = (self.most() * whole(NANOS)).to_integer().to_u128().unwrap();
        let nanos = (most_nanos * denom).min((1 << 64) - denom) / numer;
        Duration::from_nanos_u128(nanos).min(max_delta)
    }

    /// The most time that a delta may be worth.
    fn most(&self) -> Exact {
        let units = whole(MAX_UNITS) / (whole(NANOS) * whole(self.rate.numer()));
        units.min(whole(MAX_STEPS) * period(self.rate))
    }

    pub(crate) fn longest_delta(&self) -> Duration {
        self.longest(self.scale, self.max_delta())
    }

    /// The cap that is set, or as many steps as the longest delta that is set is worth, or 250 ms.
    pub(crate) fn cap(&self) -> u32 {
        let scale = self.scale.max(TimeScale::NORMAL);
        let longest = self.max_delta.unwrap_or(Duration::from_millis(250));
        let nanos = (secs(self.longest(scale, longest)) * speed(scale) * whole(NANOS)).ceil();
        let steps = (nanos / whole(NANOS) / period(self.rate)).ceil();
        let steps = steps.to_integer().to_u32().unwrap_or(MAX_STEPS);
        self.max_steps.unwrap_or(steps)
    }

    pub(crate) fn advance(&mut self, delta: Duration) -> ModelLost {
        let mut lost = ModelLost::none();
        let period = period(self.rate);
        if std::mem::take(&mut self.drops_backlog) {
            let overstep = &self.fraction + &self.backlog;
            let steps = (&overstep / &period).floor();
            lost.dropped = steps.to_integer().to_u64().unwrap();
            self.fraction = overstep - steps * &period;
            self.backlog = Exact::zero();
            self.shown = self.shown.clone().max(self.fraction.clone());
        }
        let begin = &self.fraction + &self.backlog;
        let shown_before = self.shown.clone();
        let single_steps = std::mem::take(&mut self.single_steps);
        let arrived = self.admit(delta, &mut lost);
        let released = self.release(arrived);
        self.fraction += released;
        let due = (&self.fraction / &period).floor();
        self.fraction -= &due * &period;
        let due = due.to_integer().to_u64().unwrap();
        let granted = due.min(u64::from(self.cap()));
        lost.dropped += self.keep_back(due - granted);

        let wanted = (granted + u64::from(single_steps)).min(u64::from(u32::MAX));
        let count = wanted.min(u64::MAX - self.tick);
        lost.dropped += wanted - count;
        if count == 0 {
            self.shown = self.shown.clone().max(self.fraction.clone());
        } else {
            self.shown = self.fraction.clone();
        }
        let first = self.tick;
        self.tick += count;
        self.last = ModelFrame {
            first,
            count: count as u32,
            fraction: self.fraction.clone(),
            backlog: self.backlog.clone(),
            shown: self.shown.clone(),
            begin,
            shown_before,
        };
        lost
    }

    /// The simulated time that a delta is worth.
    fn admit(&mut self, delta: Duration, lost: &mut ModelLost) -> Exact {
        match self.pause {
            Pause::No => {
                let accepted = if self.scale.is_paused() {
                    delta
                } else {
                    delta.min(self.longest_delta())
                };
                lost.clamped = delta - accepted;
                let arrived = secs(accepted) * speed(self.scale) + &self.subnano;
                let counted = floor_to(&arrived, NANOS);
                self.subnano = arrived - &counted;
                return counted;
            }
            Pause::Ending => self.pause = Pause::No,
            Pause::Now => {}
        }
        lost.paused = delta;
        Exact::zero()
    }

    /// For a clock: lets time come, up to `end` and no more than `most`. Returns the time that is dropped, too.
    pub(crate) fn advance_until(&mut self, delta: Duration, end: Option<Exact>, most: Exact) -> (ModelLost, Exact) {
        let mut lost = ModelLost::none();
        let mut forgiven = Exact::zero();
        if std::mem::take(&mut self.drops_backlog) {
            forgiven = std::mem::take(&mut self.backlog);
        }
        let arrived = self.admit(delta, &mut lost);
        let released = self.release(arrived);
        let room = end.map_or(released.clone(), |end| (end - self.now()).max(Exact::zero()));
        let comes = released.clone().min(room).min(most);
        let stays = released - &comes;
        let most_kept = match self.overrun {
            Overrun::Drop => Exact::zero(),
            Overrun::Carry { max_backlog } => secs(max_backlog).min(self.most()),
            _ => self.most(),
        };
        let kept = (most_kept - &self.backlog).max(Exact::zero()).min(stays.clone());
        self.backlog += &kept;
        let now = self.now() + comes;
        self.tick = now.floor().to_integer().to_u64().unwrap();
        self.fraction = now.fract();
        (lost, forgiven + stays - kept)
    }

    /// The part of the arriving and kept-back time that may be stepped now.
    fn release(&mut self, arrived: Exact) -> Exact {
        let available = &self.backlog + &arrived;
        let released = match self.overrun {
            _ if arrived.is_zero() => Exact::zero(),
            Overrun::Stretch { max_speed } if !self.backlog.is_zero() => {
                let stretched = arrived * speed(max_speed.max(TimeScale::NORMAL));
                let most = floor_to(&stretched, NANOS * u64::from(self.rate.numer()));
                most.min(available.clone())
            }
            _ => available.clone(),
        };
        self.backlog = available - &released;
        released
    }

    fn keep_back(&mut self, steps: u64) -> u64 {
        let period = period(self.rate);
        let most = match self.overrun {
            Overrun::Drop => return steps,
            Overrun::Carry { max_backlog } => secs(max_backlog).min(self.most()),
            _ => self.most(),
        };
        let room = ((most - &self.backlog) / &period).floor().max(Exact::zero());
        let kept = whole(steps).min(room);
        self.backlog += &kept * &period;
        steps - kept.to_integer().to_u64().unwrap()
    }

    /// Takes back steps of a frame; returns how many are dropped, or none if the frame is not the last.
    pub(crate) fn give_back(&mut self, frame: &ModelFrame, unrun: u32) -> Option<u64> {
        if *frame != self.last {
            return None;
        }
        let unrun = unrun.min(frame.count);
        self.tick -= u64::from(unrun);
        let dropped = self.keep_back(unrun.into());
        self.last.count -= unrun;
        if self.last.count == 0 {
            self.shown = self.shown.clone().max(self.last.shown_before.clone());
        }
        self.last.backlog = self.backlog.clone();
        self.last.shown = self.shown.clone();
        Some(dropped)
    }

    /// The simulated time that has arrived and is not kept back.
    pub(crate) fn now(&self) -> Exact {
        whole(self.tick) * period(self.rate) + &self.fraction
    }
}

const NANOS: u64 = 1_000_000_000;

/// Rounded down to a number of parts of a second.
fn floor_to(time: &Exact, parts: impl Into<BigInt>) -> Exact {
    let parts = whole(parts);
    (time * &parts).floor() / parts
}
