//! The synchronization rule of lightyear, reimplemented from its description.

use std::time::Duration;

use evenstep::network::Pong;
use evenstep::{Frame, Rate, Tick, TimeScale};

use crate::network::rule::Rule;

/// The rule of lightyear 0.28 with its default settings, reimplemented from its description. It decides in frames in which a pong arrived.
///
/// Times are in seconds. The server's time is its last reported time plus half a round trip.
pub(super) struct Lightyear {
    period: f64,
    round_trip: Option<f64>,
    /// The mean deviation of the round trip.
    deviation: f64,
    pongs: u32,
    /// The server's simulated time minus the client's clock.
    server: f64,
    has_news: bool,
    errors: u32,
    was_ahead: bool,
    speed: f64,
    offset: i64,
    has_joined: bool,
}

/// The weights of the newest round trip and deviation in their exponential averages.
const OF_ROUND_TRIP: f64 = 1.0 / 12.0;
const OF_DEVIATION: f64 = 1.0 / 6.0;

const PONGS_TO_JOIN: u32 = 3;
const TIMES_JITTER: f64 = 4.0;
const MARGIN: f64 = 0.005;

/// Limits in ticks: below the first nothing is done, above the second the time is set.
const TOLERATED: f64 = 1.0;
const LARGEST: f64 = 10.0;

const SPEED_UP: f64 = 0.05;
const ERRORS_IN_A_ROW: u32 = 3;

impl Lightyear {
    pub(super) fn new(rate: Rate) -> Self {
        Self {
            period: rate.period_secs_f64(),
            round_trip: None,
            deviation: 0.0,
            pongs: 0,
            server: 0.0,
            has_news: false,
            errors: 0,
            was_ahead: false,
            speed: 1.0,
            offset: 0,
            has_joined: false,
        }
    }

    fn average(&mut self, sample: f64) -> f64 {
        let Some(average) = self.round_trip else {
            self.deviation = sample / 2.0;
            return sample;
        };
        // Outliers are cut off.
        let most = (average + 3.0 * self.deviation).min(3.0 * average).min(average + 0.5);
        let sample = if self.pongs > 2 {
            sample.min(most.max(1.2 * average))
        } else {
            sample
        };
        self.deviation += OF_DEVIATION * ((sample - average).abs() - self.deviation);
        average + OF_ROUND_TRIP * (sample - average)
    }

    fn correct(&mut self, ahead: f64) {
        let is_ahead = ahead > 0.0;
        let turned = is_ahead != self.was_ahead;
        self.was_ahead = is_ahead;
        if ahead.abs() > LARGEST || !self.has_joined {
            self.offset -= ahead.round() as i64;
            (self.errors, self.speed, self.has_joined) = (0, 1.0, true);
        } else if ahead.abs() <= TOLERATED {
            (self.errors, self.speed) = (0, 1.0);
        } else {
            self.errors += 1;
            if turned || self.errors < ERRORS_IN_A_ROW {
                self.speed = 1.0;
                return;
            }
            let faster = 1.0 + 2.0 * SPEED_UP * ahead.abs() / LARGEST;
            self.speed = if is_ahead { 1.0 / faster } else { faster };
        }
    }
}

impl Rule for Lightyear {
    fn pong(&mut self, pong: Pong) {
        self.pongs += 1;
        let at_the_server = pong.replied.saturating_sub(pong.received);
        let sample = (pong.arrived.saturating_sub(pong.sent)).saturating_sub(at_the_server);
        let average = self.average(sample.as_secs_f64());
        self.round_trip = Some(average);
        self.server = pong.simulated.as_secs_f64() + average / 2.0 - pong.arrived.as_secs_f64();
        self.has_news = true;
    }

    fn frame(&mut self, now: Duration, frame: &Frame) -> TimeScale {
        if let Some(round_trip) = self.round_trip.filter(|_| self.has_news && self.pongs >= PONGS_TO_JOIN) {
            let jitter = self.deviation / 2.0;
            let goal = now.as_secs_f64() + self.server + round_trip / 2.0 + TIMES_JITTER * jitter + MARGIN;
            let local = (frame.current_time() + frame.overstep()).as_secs_f64() + self.offset as f64 * self.period;
            self.correct((local - goal) / self.period);
        }
        self.has_news = false;
        TimeScale::new((1e5 * self.speed).round() as u32, 100_000).unwrap_or_default()
    }

    fn shared(&self, local: Tick) -> Option<Tick> {
        self.has_joined.then(|| local.saturating_add_signed(self.offset))
    }
}
