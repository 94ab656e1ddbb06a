//! The synchronization rules of GGRS and `bevy_ggrs`, reimplemented from their descriptions.

use std::time::Duration;

use evenstep::network::Pong;
use evenstep::{Frame, Rate, Tick, TimeScale};

use crate::network::rule::Rule;

/// How a peer that is ahead slows down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pace {
    /// It leaves out ticks, as GGRS recommends.
    Waits,
    /// It runs 10 % slower, as `bevy_ggrs` does.
    RunsSlow,
}

/// A peer that keeps in step like GGRS 0.13, reimplemented from its description: each peer estimates how far the other
/// is ahead from the other's newest input and half a round trip, sends the estimate, and averages both numbers over 30 ticks. Half of
/// their difference is its own lead.
pub(super) struct Peer {
    pace: Pace,
    period: f64,
    /// Input delay: inputs are for the tick this many ticks later.
    delay: Tick,
    round_trip: f64,
    /// The other peer's tick, by its newest input.
    newest: Option<Tick>,
    reported_advantage: f64,
    tick: Tick,
    averaged: [(f64, f64); AVERAGED],
    last_wait: Tick,
    to_leave_out: u32,
    left_out: Tick,
}

const AVERAGED: usize = 30;
const TICKS_BETWEEN_WAITS: Tick = 60;
const LEAST_WAIT: f64 = 3.0;

impl Peer {
    pub(super) fn new(rate: Rate, pace: Pace, delay: Tick) -> Self {
        Self {
            pace,
            period: rate.period_secs_f64(),
            delay,
            round_trip: 0.0,
            newest: None,
            reported_advantage: 0.0,
            tick: 0,
            averaged: [(0.0, 0.0); AVERAGED],
            last_wait: 0,
            to_leave_out: 0,
            left_out: 0,
        }
    }

    /// The lead of this peer, in whole ticks.
    fn ahead(&self) -> f64 {
        let sum = |of: fn(&(f64, f64)) -> f64| self.averaged.iter().map(of).sum::<f64>();
        let difference = sum(|pair| pair.1) - sum(|pair| pair.0);
        (difference / AVERAGED as f64 / 2.0).trunc()
    }
}

impl Rule for Peer {
    fn pong(&mut self, pong: Pong) {
        self.round_trip = (pong.arrived.saturating_sub(pong.sent)).as_secs_f64();
    }

    fn input(&mut self, tick: Tick, advantage: f64) {
        self.newest = self.newest.max(Some(tick.saturating_sub(self.delay)));
        self.reported_advantage = advantage;
    }

    fn frame(&mut self, _now: Duration, frame: &Frame) -> TimeScale {
        let tick = frame.tick() - self.left_out;
        for tick in self.tick..tick {
            self.averaged[tick as usize % AVERAGED] = (self.advantage(), self.reported_advantage);
        }
        self.tick = tick;
        let ahead = self.ahead();
        if self.pace == Pace::Waits && ahead >= LEAST_WAIT && tick >= self.last_wait + TICKS_BETWEEN_WAITS {
            self.last_wait = tick;
            self.to_leave_out = ahead as u32;
        }
        let is_slow = self.pace == Pace::RunsSlow && ahead > 0.0;
        let slow = TimeScale::new(10, 11).unwrap_or_default();
        if is_slow { slow } else { TimeScale::NORMAL }
    }

    fn shared(&self, local: Tick) -> Option<Tick> {
        Some(local - self.left_out)
    }

    fn leaves_out(&mut self) -> bool {
        let does = self.to_leave_out > 0;
        self.to_leave_out -= u32::from(does);
        self.left_out += Tick::from(does);
        does
    }

    fn advantage(&self) -> f64 {
        let Some(newest) = self.newest else { return 0.0 };
        let other = newest as f64 + (self.round_trip / 2.0 / self.period).trunc();
        other - self.tick as f64
    }
}
