//! One direction of a connection: when each packet arrives, or that it is lost.

use std::time::Duration;

use fastrand::Rng;

/// The conditions of a [`Link`]. By default every packet arrives at once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkConditions {
    /// The one-way delay without jitter.
    pub delay: Duration,
    /// The random extra delay.
    pub jitter: Jitter,
    /// The percentage of packets that are lost.
    pub loss_percent: f64,
    /// The mean number of consecutive packets that are lost. Up to `1 / (1 - loss)`, losses are independent.
    pub mean_burst: f64,
    /// The percentage of packets that are sent twice; each copy has its own delay and may be lost.
    pub duplicate_percent: f64,
    /// Whether a packet never arrives before one that was sent earlier.
    pub keeps_order: bool,
}

/// The distribution of a random extra delay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Jitter {
    /// Evenly distributed, up to and including this delay.
    Uniform(Duration),
    /// Exponentially distributed, with this mean.
    Exponential(Duration),
}

impl Default for LinkConditions {
    fn default() -> Self {
        Self {
            delay: Duration::ZERO,
            jitter: Jitter::Uniform(Duration::ZERO),
            loss_percent: 0.0,
            mean_burst: 1.0,
            duplicate_percent: 0.0,
            keeps_order: false,
        }
    }
}

/// One direction of a connection. The seed and the number of packets sent before decide what happens to a packet.
#[derive(Clone, Debug)]
pub struct Link {
    /// The conditions of the packets that are sent from now on.
    pub conditions: LinkConditions,
    random: Rng,
    /// The latest arrival so far, for links that keep the order.
    latest: Duration,
    is_in_burst: bool,
}

impl Link {
    /// A link over which nothing has been sent.
    #[must_use]
    pub fn new(conditions: LinkConditions, seed: u64) -> Self {
        Self {
            conditions,
            random: Rng::with_seed(seed),
            latest: Duration::ZERO,
            is_in_burst: false,
        }
    }

    /// The arrival times of the copies of a packet that is sent at `now`: one, two if it is duplicated, none if it is lost.
    pub fn transmit(&mut self, now: Duration) -> impl Iterator<Item = Duration> + use<> {
        let percent = self.conditions.duplicate_percent;
        // A random number is drawn only if it can matter, so that links without duplicates lose the same packets with and without this.
        let is_duplicated = percent > 0.0 && 100.0 * self.random.f64() < percent;
        let first = self.transmit_copy(now);
        let second = is_duplicated.then(|| self.transmit_copy(now)).flatten();
        first.into_iter().chain(second)
    }

    fn transmit_copy(&mut self, now: Duration) -> Option<Duration> {
        self.is_in_burst = self.random.f64() < self.loss_probability();
        let delay = self.conditions.delay.saturating_add(self.jitter());
        let mut arrival = now.saturating_add(delay);
        if self.conditions.keeps_order {
            arrival = arrival.max(self.latest);
            self.latest = arrival;
        }
        (!self.is_in_burst).then_some(arrival)
    }

    /// The probability that the next packet is lost: two states, within a burst of losses and outside of one (E. N. Gilbert,
    /// *Capacity of a burst-noise channel*, 1960), with the given share of losses in the long run.
    fn loss_probability(&self) -> f64 {
        let loss = self.conditions.loss_percent / 100.0;
        // Independent losses have this mean burst; bursts are not shorter.
        let burst = self.conditions.mean_burst.max(1.0 / (1.0 - loss));
        if loss >= 1.0 {
            1.0
        } else if self.is_in_burst {
            1.0 - 1.0 / burst
        } else {
            loss / (burst * (1.0 - loss))
        }
    }

    fn jitter(&mut self) -> Duration {
        match self.conditions.jitter {
            Jitter::Uniform(most) => {
                let most = u64::try_from(most.as_nanos()).unwrap_or(u64::MAX);
                Duration::from_nanos(self.random.u64(..=most))
            }
            Jitter::Exponential(mean) => mean.mul_f64(-(1.0 - self.random.f64()).ln()),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn any_conditions() -> impl Strategy<Value = LinkConditions> {
        let percent = || 0..=100_u32;
        let times = (1..500_u32, 0..500_u32, any::<bool>());
        (times, percent(), percent(), any::<bool>()).prop_map(
            |((delay, jitter, is_uniform), loss, duplicate, keeps_order)| LinkConditions {
                delay: MS * delay,
                jitter: if is_uniform {
                    Jitter::Uniform(MS * jitter)
                } else {
                    Jitter::Exponential(MS * jitter)
                },
                loss_percent: loss.into(),
                mean_burst: 1.0,
                duplicate_percent: duplicate.into(),
                keeps_order,
            },
        )
    }

    proptest! {
        #[test]
        fn a_copy_is_lost_or_arrives_within_its_delay_and_equal_seeds_agree(
            conditions in any_conditions(),
            seed in any::<u64>(),
        ) {
            let (mut link, mut same) = (Link::new(conditions, seed), Link::new(conditions, seed));
            let mut latest = Duration::ZERO;
            for packet in 0..100 {
                let now = packet * MS;
                let arrivals: Vec<_> = link.transmit(now).collect();
                prop_assert_eq!(&arrivals, &same.transmit(now).collect::<Vec<_>>());
                prop_assert!(arrivals.len() <= 1 + usize::from(conditions.duplicate_percent > 0.0));
                for arrival in arrivals {
                    prop_assert!(conditions.loss_percent < 100.0);
                    if conditions.keeps_order {
                        prop_assert!(arrival >= latest);
                        latest = arrival;
                    } else {
                        let delay = arrival - now;
                        let is_in_time = delay >= conditions.delay && match conditions.jitter {
                            Jitter::Uniform(most) => delay <= conditions.delay + most,
                            Jitter::Exponential(_) => true,
                        };
                        prop_assert!(is_in_time);
                    }
                }
            }
        }

        #[test]
        fn the_shares_of_lost_and_duplicated_packets_are_as_set(
            conditions in any_conditions(),
            mean_burst in 1.0..3.0,
            seed in any::<u64>(),
        ) {
            const COUNT: u32 = 4_000;
            let conditions = LinkConditions { mean_burst, keeps_order: false, ..conditions };
            let mut link = Link::new(conditions, seed);
            let arrived: usize = (0..COUNT).map(|_| link.transmit(Duration::ZERO).count()).sum();
            let sent = f64::from(COUNT) * (1.0 + conditions.duplicate_percent / 100.0);
            let expected = sent * (1.0 - conditions.loss_percent / 100.0);
            // At least five standard deviations, also of losses in bursts.
            prop_assert!((arrived as f64 - expected).abs() <= 6.0 * (sent.sqrt() + 1.0), "{arrived} of {sent} arrived");
        }
    }

    #[test]
    fn losses_occur_in_bursts_of_the_set_mean_length() {
        for mean_burst in [1.0, 2.0, 4.0] {
            let conditions = LinkConditions {
                loss_percent: 5.0,
                mean_burst,
                ..LinkConditions::default()
            };
            let mut link = Link::new(conditions, 1);
            let lost: Vec<bool> = (0..200_000)
                .map(|_| link.transmit(Duration::ZERO).next().is_none())
                .collect();
            let bursts = lost
                .chunk_by(|one, other| one == other)
                .filter(|burst| burst[0])
                .count();
            let count = lost.iter().filter(|is_lost| **is_lost).count();
            let mean = count as f64 / bursts as f64;
            // Where losses are independent, a twentieth of them follow another.
            assert!(
                (mean - mean_burst.max(1.0 / 0.95)).abs() < 0.1,
                "{mean} for {mean_burst}"
            );
        }
    }

    #[test]
    fn seeds_are_independent() {
        let conditions = LinkConditions {
            loss_percent: 50.0,
            ..LinkConditions::default()
        };
        let lost = |seed| {
            let mut link = Link::new(conditions, seed);
            let lost = (0..64).map(|_| link.transmit(Duration::ZERO).next().is_none());
            lost.collect::<Vec<_>>()
        };
        assert_ne!(lost(1), lost(2));
    }
}
