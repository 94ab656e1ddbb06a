//! A `FixedTimestep` as one would explain it: rational seconds, and nothing worked out before it is needed.

use std::time::Duration;

use evenstep::{Overrun, Rate, TimeScale};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{ToPrimitive, Zero};

use crate::exact::{Exact, period, secs, speed, whole};

/// The most steps that a delta may be worth, and the most that are kept back.
const MOST: u32 = u32::MAX;

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
    /// The scale at which time last arrived, and into how many parts a nanosecond is divided since.
    arrived_at: TimeScale,
    resolution: u32,
    fraction: Exact,
    pub(crate) debt: Exact,
    drawn: Exact,
    single_steps: u32,
    resync: bool,
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
    pub(crate) debt: Exact,
    /// The drawn time after the last state but one.
    pub(crate) drawn: Exact,
    behind_before: Exact,
    drawn_before: Exact,
    resolution: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ModelLost {
    pub(crate) clamped: Duration,
    pub(crate) suspended: Duration,
    pub(crate) dropped: u64,
    pub(crate) rounded: Exact,
}

impl ModelLost {
    fn none() -> Self {
        Self {
            clamped: Duration::ZERO,
            suspended: Duration::ZERO,
            dropped: 0,
            rounded: Exact::zero(),
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
            arrived_at: TimeScale::NORMAL,
            resolution: 1,
            fraction: zero(),
            debt: zero(),
            drawn: zero(),
            single_steps: 0,
            resync: false,
            last: ModelFrame {
                first: tick,
                count: 0,
                fraction: zero(),
                debt: zero(),
                drawn: zero(),
                behind_before: zero(),
                drawn_before: zero(),
                resolution: 1,
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

    pub(crate) fn suspend(&mut self) {
        self.pause = Pause::Now;
    }

    pub(crate) fn resume(&mut self) {
        if self.pause == Pause::Now {
            self.pause = Pause::Ending;
        }
    }

    pub(crate) fn resync(&mut self) {
        self.resync = true;
        if self.pause == Pause::No {
            self.pause = Pause::Ending;
        }
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
            arrived_at: self.scale,
            resolution: self.scale.denom(),
            last: ModelFrame {
                resolution: self.scale.denom(),
                ..fresh.last.clone()
            },
            ..fresh
        };
    }

    /// The longest accepted delta.
    pub(crate) fn max_delta(&self) -> Duration {
        let by_policy = match self.overrun {
            Overrun::Drop => Duration::from_millis(250),
            _ => Duration::MAX,
        };
        self.max_delta.unwrap_or(by_policy)
    }

    /// The part of a delta that counts at a scale.
    fn longest(&self, scale: TimeScale, max_delta: Duration) -> Duration {
        if scale.is_paused() {
            return max_delta;
        }
        let worth = whole(MOST) * period(self.rate) / speed(scale) * whole(1_000_000_000);
        let nanos = worth.floor().to_integer();
        nanos.to_u128().map_or(max_delta, |nanos| {
            let secs = u64::try_from(nanos / 1_000_000_000);
            let longest = secs.map_or(Duration::MAX, |secs| {
                Duration::new(secs, (nanos % 1_000_000_000) as u32)
            });
            longest.min(max_delta)
        })
    }

    pub(crate) fn longest_delta(&self) -> Duration {
        self.longest(self.scale, self.max_delta())
    }

    /// The cap that is set, or as many steps as the longest delta that is set is worth, or 250 ms.
    pub(crate) fn cap(&self) -> u32 {
        let scale = self.scale.max(TimeScale::NORMAL);
        let longest = self.max_delta.unwrap_or(Duration::from_millis(250));
        let worth = secs(self.longest(scale, longest)) * speed(scale) / period(self.rate);
        let steps = worth.ceil().to_integer().to_u32().unwrap_or(MOST);
        self.max_steps.unwrap_or(steps)
    }

    pub(crate) fn advance(&mut self, delta: Duration) -> ModelLost {
        let mut lost = ModelLost::none();
        let period = period(self.rate);
        if std::mem::take(&mut self.resync) {
            let behind = &self.fraction + &self.debt;
            let steps = (&behind / &period).floor();
            lost.dropped = steps.to_integer().to_u64().unwrap();
            self.fraction = behind - steps * &period;
            self.debt = Exact::zero();
            self.drawn = self.drawn.clone().max(self.fraction.clone());
        }
        if self.arrived_at != self.scale {
            lost.rounded = self.change_units();
        }
        let behind_before = &self.fraction + &self.debt;
        let drawn_before = self.drawn.clone();
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
            self.drawn = self.drawn.clone().max(self.fraction.clone());
        } else {
            self.drawn = self.fraction.clone();
        }
        let first = self.tick;
        self.tick += count;
        self.last = ModelFrame {
            first,
            count: count as u32,
            fraction: self.fraction.clone(),
            debt: self.debt.clone(),
            drawn: self.drawn.clone(),
            behind_before,
            drawn_before,
            resolution: self.resolution,
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
                return secs(accepted) * speed(self.scale);
            }
            Pause::Ending => self.pause = Pause::No,
            Pause::Now => {}
        }
        lost.suspended = delta;
        Exact::zero()
    }

    /// For a clock: lets time come, up to `end` and no more than `most`. Returns the time that is dropped, too.
    pub(crate) fn advance_until(&mut self, delta: Duration, end: Option<Exact>, most: Exact) -> (ModelLost, Exact) {
        let mut lost = ModelLost::none();
        if self.arrived_at != self.scale {
            lost.rounded = self.change_units();
        }
        let mut let_go = Exact::zero();
        if std::mem::take(&mut self.resync) {
            let_go = std::mem::take(&mut self.debt);
        }
        let arrived = self.admit(delta, &mut lost);
        let released = self.release(arrived);
        let room = end.map_or(released.clone(), |end| (end - self.now()).max(Exact::zero()));
        let comes = released.clone().min(room).min(most);
        let stays = released - &comes;
        let most_kept = match self.overrun {
            Overrun::Drop => Exact::zero(),
            Overrun::Carry { max_backlog } => secs(max_backlog).min(whole(MOST)),
            _ => whole(MOST),
        };
        let kept = (most_kept - &self.debt).max(Exact::zero()).min(stays.clone());
        self.debt += &kept;
        let now = self.now() + comes;
        self.tick = now.floor().to_integer().to_u64().unwrap();
        self.fraction = now.fract();
        (lost, let_go + stays - kept)
    }

    /// The part of the arriving and kept-back time that may be stepped now.
    fn release(&mut self, arrived: Exact) -> Exact {
        let available = &self.debt + &arrived;
        let released = match self.overrun {
            _ if arrived.is_zero() => Exact::zero(),
            Overrun::Stretch { max_speed } if !self.debt.is_zero() => {
                let most = self.whole_units(arrived * speed(max_speed.max(TimeScale::NORMAL)));
                most.min(available.clone())
            }
            _ => available.clone(),
        };
        self.debt = available - &released;
        released
    }

    fn keep_back(&mut self, steps: u64) -> u64 {
        let period = period(self.rate);
        let most = match self.overrun {
            Overrun::Drop => return steps,
            Overrun::Carry { max_backlog } => (secs(max_backlog) / &period).floor().min(whole(MOST)),
            _ => whole(MOST),
        };
        let room = (most - (&self.debt / &period).ceil()).max(Exact::zero());
        let kept = whole(steps).min(room);
        self.debt += &kept * &period;
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
            self.drawn = self.drawn.clone().max(self.last.drawn_before.clone());
        }
        self.last.debt = self.debt.clone();
        self.last.drawn = self.drawn.clone();
        Some(dropped)
    }

    /// The simulated time that has arrived and is not kept back.
    pub(crate) fn now(&self) -> Exact {
        whole(self.tick) * period(self.rate) + &self.fraction
    }

    /// The unit of counting, in seconds.
    fn unit(&self) -> Exact {
        Exact::new(
            1.into(),
            BigInt::from(1_000_000_000) * self.rate.numer() * self.resolution,
        )
    }

    fn whole_units(&self, amount: Exact) -> Exact {
        (amount / self.unit()).floor() * self.unit()
    }

    /// Tells as many parts of a nanosecond apart as what is there and the new scale need; only the new scale's where that
    /// exceeds 32 bits. Returns what is rounded down.
    fn change_units(&mut self) -> Exact {
        self.arrived_at = self.scale;
        self.resolution = 1;
        let own = BigInt::from(self.scale.denom());
        let needed = [&self.fraction, &self.debt]
            .into_iter()
            .fold(own, |needed, amount| needed.lcm((amount / self.unit()).denom()));
        self.resolution = needed.to_u32().unwrap_or(self.scale.denom());
        let before = &self.fraction + &self.debt;
        self.fraction = self.whole_units(self.fraction.clone());
        self.debt = self.whole_units(self.debt.clone());
        self.drawn = (&self.drawn / self.unit()).ceil() * self.unit();
        before - &self.fraction - &self.debt
    }
}
