//! The conditions of a simulated link: delay, jitter, loss and reordering.

use std::time::Duration;

/// The conditions of a link. The same seed delays and loses the same packets in every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LinkConditions {
    /// The one-way delay of a packet.
    pub(crate) delay: Duration,
    /// The largest random extra delay.
    pub(crate) jitter: Duration,
    /// The percentage of packets that are lost.
    pub(crate) loss: u64,
    /// The percentage of packets that are not delayed, and so overtake the others.
    pub(crate) reorder: u64,
    pub(crate) seed: u64,
}

impl LinkConditions {
    /// The one-way delay of a peer's packet with this number, counted from 0; none if it is lost.
    pub(crate) fn delivery_delay(&self, from: usize, number: u64) -> Option<Duration> {
        let mut random = Random(mix(self.seed ^ mix(number ^ mix(from as u64))));
        if random.below(100) < self.loss {
            return None;
        }
        if random.below(100) < self.reorder {
            return Some(Duration::ZERO);
        }
        let jitter = u64::try_from(self.jitter.as_nanos()).unwrap_or(u64::MAX);
        let longer = Duration::from_nanos(random.below(jitter.saturating_add(1)));
        Some(self.delay.saturating_add(longer))
    }
}

/// SplitMix64, by G. L. Steele, D. Lea and C. H. Flood (2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// A number below a bound, which is above 0.
    pub(crate) const fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        ((mix(self.0) as u128 * bound as u128) >> 64) as u64
    }
}

/// The last step of SplitMix64: all bits depend on all.
const fn mix(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_link() -> impl Strategy<Value = LinkConditions> {
        let times = (0..500_u64, 0..500_u64).prop_map(|times| <[u64; 2]>::from(times).map(Duration::from_millis));
        (times, 0..=100_u64, 0..=100_u64, any::<u64>()).prop_map(|([delay, jitter], loss, reorder, seed)| {
            LinkConditions {
                delay,
                jitter,
                loss,
                reorder,
                seed,
            }
        })
    }

    proptest! {
        #[test]
        fn a_packet_is_lost_or_overtakes_or_arrives_in_its_time_and_always_the_same(
            link in any_link(),
            from in 0..2_usize,
            number in any::<u64>(),
        ) {
            let fate = link.delivery_delay(from, number);
            prop_assert_eq!(fate, link.delivery_delay(from, number));
            let in_time = |time| time >= link.delay && time <= link.delay + link.jitter;
            match fate {
                None => prop_assert!(link.loss > 0),
                Some(time) => prop_assert!(link.loss < 100 && (in_time(time) || link.reorder > 0 && time.is_zero())),
            }
        }

        #[test]
        fn the_shares_of_lost_and_overtaking_packets_are_as_set(link in any_link(), from in 0..2_usize, first in 0..u64::MAX / 2) {
            const COUNT: u64 = 4_000;
            let link = LinkConditions { delay: Duration::from_millis(1), ..link };
            let fates: Vec<_> = (first..first + COUNT).map(|number| link.delivery_delay(from, number)).collect();
            let lost = fates.iter().filter(|fate| fate.is_none()).count() as f64;
            let overtook = fates.iter().filter(|fate| fate.is_some_and(|time| time.is_zero())).count() as f64;
            // At least six standard deviations.
            let close = |count: f64, of: f64, percent: u64| (count - of * percent as f64 / 100.0).abs() <= 3.0 * (of.sqrt() + 1.0);
            prop_assert!(close(lost, COUNT as f64, link.loss), "{} lost", lost);
            prop_assert!(close(overtook, COUNT as f64 - lost, link.reorder), "{} overtook", overtook);
        }
    }

    #[test]
    fn directions_and_seeds_are_independent() {
        let link = |seed| LinkConditions {
            delay: Duration::ZERO,
            jitter: Duration::ZERO,
            loss: 50,
            reorder: 0,
            seed,
        };
        let lost = |seed, from| {
            (0..64)
                .map(|number| link(seed).delivery_delay(from, number).is_none())
                .collect::<Vec<_>>()
        };
        assert_ne!(lost(1, 0), lost(1, 1));
        assert_ne!(lost(1, 0), lost(2, 0));
    }
}
