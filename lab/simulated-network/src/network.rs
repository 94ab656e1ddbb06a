//! The links between all machines, and the packets in flight.

use std::collections::BTreeMap;
use std::time::Duration;

use fastrand::Rng;

use crate::link::{Link, LinkConditions};

/// A network of machines with addresses of type `A`, which exchange packets of type `P`. Its clock is advanced by the caller.
#[derive(Clone, Debug)]
pub struct SimulatedNetwork<A, P> {
    now: Duration,
    /// Of links that carry their first packet from now on.
    conditions: LinkConditions,
    seeds: Rng,
    /// By sender and receiver.
    links: BTreeMap<(A, A), Link>,
    /// By arrival, then in the order in which they were sent.
    in_flight: BTreeMap<(Duration, u64), Packet<A, P>>,
    copies: u64,
}

#[derive(Clone, Debug)]
struct Packet<A, P> {
    from: A,
    to: A,
    payload: P,
}

impl<A: Copy + Ord, P: Clone> SimulatedNetwork<A, P> {
    /// A network whose links all have these conditions.
    #[must_use]
    pub fn new(seed: u64, conditions: LinkConditions) -> Self {
        Self {
            now: Duration::ZERO,
            conditions,
            seeds: Rng::with_seed(seed),
            links: BTreeMap::new(),
            in_flight: BTreeMap::new(),
            copies: 0,
        }
    }

    /// Changes the conditions of all links. Packets in flight are not affected.
    pub fn set_conditions(&mut self, conditions: LinkConditions) {
        self.conditions = conditions;
        self.links.values_mut().for_each(|link| link.conditions = conditions);
    }

    /// Changes the conditions of one direction between two machines.
    pub fn set_link(&mut self, from: A, to: A, conditions: LinkConditions) {
        self.link(from, to).conditions = conditions;
    }

    fn link(&mut self, from: A, to: A) -> &mut Link {
        let new = || Link::new(self.conditions, self.seeds.u64(..));
        self.links.entry((from, to)).or_insert_with(new)
    }

    /// The time on the network's clock, which begins at zero.
    #[must_use]
    pub const fn now(&self) -> Duration {
        self.now
    }

    /// Advances the clock.
    pub fn advance(&mut self, time: Duration) {
        self.now += time;
    }

    /// Sends a packet now. Returns the arrival times of its copies.
    pub fn send(&mut self, from: A, to: A, payload: P) -> Vec<Duration> {
        let now = self.now;
        let arrivals: Vec<_> = self.link(from, to).transmit(now).collect();
        for arrival in &arrivals {
            let payload = payload.clone();
            self.in_flight
                .insert((*arrival, self.copies), Packet { from, to, payload });
            self.copies += 1;
        }
        arrivals
    }

    /// Takes the next packet that has arrived at an address, with its sender.
    pub fn receive(&mut self, to: A) -> Option<(A, P)> {
        let mut arrived = self.in_flight.range(..=(self.now, u64::MAX));
        let key = *arrived.find(|(_, packet)| packet.to == to)?.0;
        let packet = self.in_flight.remove(&key)?;
        Some((packet.from, packet.payload))
    }

    /// Takes the next packet that has arrived anywhere, with its sender and its receiver.
    pub fn receive_any(&mut self) -> Option<(A, A, P)> {
        let first = self.in_flight.first_entry()?;
        let has_arrived = first.key().0 <= self.now;
        let packet = has_arrived.then(|| first.remove())?;
        Some((packet.from, packet.to, packet.payload))
    }

    /// The number of packets that have not been received.
    #[must_use]
    pub fn in_flight(&self) -> usize {
        self.in_flight.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link::Jitter;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn packets_arrive_in_the_order_of_their_arrival_times_at_the_machine_they_were_sent_to() {
        let conditions = LinkConditions {
            delay: 5 * MS,
            jitter: Jitter::Uniform(10 * MS),
            ..LinkConditions::default()
        };
        let mut network = SimulatedNetwork::new(3, conditions);
        let mut expected = [Vec::new(), Vec::new()];
        for number in 0..50 {
            let to = number % 2;
            let arrival = network.send(2, to, number)[0];
            expected[to].push((arrival, number));
            network.advance(MS);
        }
        network.advance(15 * MS);
        for (to, mut expected) in expected.into_iter().enumerate() {
            expected.sort_unstable();
            assert!(
                !expected.is_sorted_by_key(|(_, number)| *number),
                "nothing was reordered"
            );
            for (_, number) in expected {
                assert_eq!(network.receive(to), Some((2, number)));
            }
            assert_eq!(network.receive(to), None);
        }
        assert_eq!(network.in_flight(), 0);
    }

    #[test]
    fn each_direction_has_conditions_of_its_own() {
        let mut network = SimulatedNetwork::new(1, LinkConditions::default());
        let delay = 20 * MS;
        network.set_link(
            'b',
            'a',
            LinkConditions {
                delay,
                ..LinkConditions::default()
            },
        );
        network.send('a', 'b', ());
        network.send('b', 'a', ());
        assert_eq!(network.receive_any(), Some(('a', 'b', ())));
        assert_eq!(network.receive_any(), None);
        network.advance(delay);
        assert_eq!(network.receive_any(), Some(('b', 'a', ())));
        network.set_conditions(LinkConditions {
            loss_percent: 100.0,
            ..LinkConditions::default()
        });
        assert_eq!(network.send('b', 'a', ()), []);
        assert_eq!(network.in_flight(), 0);
    }
}
