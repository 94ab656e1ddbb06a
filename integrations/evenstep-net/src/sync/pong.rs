//! A server's reply to a ping.

use core::time::Duration;

/// A server's reply to a ping: the four times of NTP (RFC 5905), and the simulated time of the server.
///
/// Client and server each read their own clock, and the clocks may differ in zero and speed. The client sends `sent` along or
/// remembers it; the server returns its three times.
///
/// Exhaustive: no field will be added, because programs put it into packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pong {
    /// When the client sent the ping, on the client's clock.
    pub sent: Duration,
    /// When the server received it, on the server's clock.
    pub received: Duration,
    /// When the server replied, on the server's clock.
    pub replied: Duration,
    /// When the reply arrived, on the client's clock.
    pub arrived: Duration,
    /// The server's simulated time when it replied: the time of its newest state and what has [arrived since](evenstep::Frame::overstep).
    pub simulated: Duration,
}

/// A reply that took longer carries no information.
const MAX_ROUND_TRIP_NANOS: i128 = 10_000_000_000;

impl Pong {
    /// The round trip in nanoseconds, without the server's time; none if its times are impossible.
    pub(super) fn under_way(&self) -> Option<i64> {
        let there_and_back = nanos(self.arrived) - nanos(self.sent);
        let at_the_server = nanos(self.replied) - nanos(self.received);
        let under_way = there_and_back - at_the_server;
        let is_possible = at_the_server >= 0 && under_way >= 0 && there_and_back <= MAX_ROUND_TRIP_NANOS;
        is_possible.then_some(under_way as i64)
    }
}

pub(super) const fn nanos(time: Duration) -> i128 {
    time.as_nanos() as i128
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_servers_time_is_no_part_of_the_round_trip_and_impossible_times_have_none() {
        let longest = MAX_ROUND_TRIP_NANOS as u64;
        for ([sent, received, replied, arrived], expected) in [
            ([5, 100, 100, 25], Some(20)),
            ([5, 100, 107, 25], Some(13)),
            ([5, 100, 120, 25], Some(0)),
            ([5, 100, 121, 25], None),
            ([5, 100, 99, 25], None),
            ([25, 100, 100, 24], None),
            ([5, 100, 100, 5 + longest], Some(MAX_ROUND_TRIP_NANOS as i64)),
            ([5, 100, 100, 6 + longest], None),
            ([5, 100, 100 + longest, 6 + longest], None),
        ] {
            let [sent, received, replied, arrived] = [sent, received, replied, arrived].map(Duration::from_nanos);
            let simulated = Duration::ZERO;
            let pong = Pong {
                sent,
                received,
                replied,
                arrived,
                simulated,
            };
            assert_eq!(pong.under_way(), expected, "{pong:?}");
        }
    }
}
