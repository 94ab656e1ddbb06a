//! One direction of a network: latency, jitter and loss.

use std::time::Duration;

use fastrand::Rng;
use simulated_network::{Jitter, Link, LinkConditions};

/// The simulated duration of each run, in seconds.
pub(super) const SECONDS: f64 = 60.0;

/// One direction of a network: the delays of packets, and their losses.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Route {
    base_ms: f64,
    jitter_ms: f64,
    /// Whether a packet can overtake another one.
    overtakes: bool,
    /// The probability that a packet is lost where losses are independent, and how many are lost in a row on average.
    loss: f64,
    burst: f64,
    /// Latency spikes: the extra delay falls linearly from the spike's height to zero at its end.
    spikes: Vec<Spike>,
    /// Route changes: the time of each, and how much longer packets take from then on.
    steps: Vec<(f64, f64)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Spike {
    at: f64,
    height_ms: f64,
    seconds: f64,
}

impl Route {
    pub(super) fn random(random: &mut Rng, base_ms: f64) -> Self {
        let loses = random.bool();
        let has_spikes = random.u32(0..10) < 4;
        let has_steps = random.u32(0..10) < 4;
        let mut route = Self {
            base_ms,
            jitter_ms: between_ratios(random, 0.1, 12.0),
            overtakes: random.bool(),
            loss: if loses { between_ratios(random, 0.001, 0.2) } else { 0.0 },
            burst: if random.bool() { between(random, 1.5, 4.0) } else { 1.0 },
            spikes: Vec::new(),
            steps: Vec::new(),
        };
        if has_spikes {
            let apart = between_ratios(random, 3.0, 30.0);
            route.spikes = spikes(random, apart);
        }
        if has_steps {
            route.steps = route.any_steps(random);
        }
        route
    }

    /// The other direction of the same network. It is similar, but has its own latency, jitter, spikes and route changes.
    pub(super) fn sibling(&self, random: &mut Rng, base_ms: f64) -> Self {
        let mut back = Self {
            base_ms,
            jitter_ms: self.jitter_ms * between(random, 0.3, 2.0),
            ..self.clone()
        };
        if !self.spikes.is_empty() {
            let apart = between_ratios(random, 3.0, 30.0);
            back.spikes = spikes(random, apart);
        }
        if !self.steps.is_empty() {
            back.steps = back.any_steps(random);
        }
        back
    }

    /// The smallest delay, in milliseconds.
    pub(super) fn base_ms(&self) -> f64 {
        self.base_ms
    }

    /// The percentage of packets that are lost. Bursts begin less often, so that it is nearly the same as without them.
    fn loss_percent(&self) -> f64 {
        if self.burst == 1.0 {
            return 100.0 * self.loss;
        }
        let begins = self.loss / (self.burst * (1.0 - self.loss) + self.loss);
        100.0 * begins / (begins + 1.0 / self.burst)
    }

    fn any_steps(&self, random: &mut Rng) -> Vec<(f64, f64)> {
        let count = random.usize(0..3);
        let mut steps: Vec<_> = (0..count)
            .map(|_| {
                let at = between(random, 20.0, SECONDS - 10.0);
                (at, between(random, -0.6 * self.base_ms, 80.0))
            })
            .collect();
        steps.sort_by(|one, other| one.0.total_cmp(&other.0));
        steps
    }

    /// The change of the delay since the beginning, at a time in seconds.
    fn longer_ms(&self, at: f64) -> f64 {
        let step = self.steps.iter().rev().find(|(from, _)| *from <= at);
        let spike = self.spikes.iter().map(|spike| {
            let left = 1.0 - (at - spike.at) / spike.seconds;
            if (0.0..=1.0).contains(&left) {
                spike.height_ms * left
            } else {
                0.0
            }
        });
        step.map_or(0.0, |(_, longer)| *longer) + spike.fold(0.0, f64::max)
    }
}

fn spikes(random: &mut Rng, apart: f64) -> Vec<Spike> {
    let mut spikes = Vec::new();
    let mut at = 0.0;
    loop {
        at += apart * -(1.0 - random.f64()).ln();
        if at >= SECONDS {
            return spikes;
        }
        spikes.push(Spike {
            at,
            height_ms: between_ratios(random, 20.0, 300.0),
            seconds: between(random, 0.1, 0.8),
        });
    }
}

/// A route in use.
#[derive(Debug)]
pub(super) struct Traffic {
    route: Route,
    link: Link,
}

impl Traffic {
    pub(super) fn new(route: &Route, seed: u64) -> Self {
        let conditions = LinkConditions {
            jitter: Jitter::Exponential(milliseconds(route.jitter_ms)),
            loss_percent: route.loss_percent(),
            mean_burst: route.burst,
            keeps_order: !route.overtakes,
            ..LinkConditions::default()
        };
        Self {
            route: route.clone(),
            link: Link::new(conditions, seed),
        }
    }

    /// The arrival time of a packet that is sent at a time, in nanoseconds; `None` if it is lost.
    pub(super) fn arrival(&mut self, sent: u64) -> Option<u64> {
        let delay_ms = self.route.base_ms + self.route.longer_ms(sent as f64 / 1e9);
        self.link.conditions.delay = milliseconds(delay_ms.max(0.5));
        let arrival = self.link.transmit(Duration::from_nanos(sent)).next()?;
        Some(arrival.as_nanos() as u64)
    }
}

fn milliseconds(ms: f64) -> Duration {
    Duration::from_secs_f64(ms / 1e3)
}

/// A number from one to another.
pub(super) fn between(random: &mut Rng, least: f64, most: f64) -> f64 {
    least + (most - least) * random.f64()
}

/// A log-uniform number in a range: it is as often between one and two as between two and four.
pub(super) fn between_ratios(random: &mut Rng, least: f64, most: f64) -> f64 {
    least * (most / least).powf(random.f64())
}
