//! Converts the event times of servers and compositors to the program's clock.

use std::time::Duration;

use evenstep::MonotonicClock;
use evenstep::input::InputEvent;

use crate::clock::{Offset, PresentationClock};

const MILLI: u64 = 1_000_000;

/// Event times are milliseconds of 32 bits: they begin again after 49.7 days. In nanoseconds.
const WRAP: u64 = MILLI << 32;

/// If an event was once this young by `CLOCK_MONOTONIC`, in nanoseconds, event times are on that clock: any other age is as likely on
/// another one, so a coincidence has a probability of 2 × 10⁻⁸.
const SAME_CLOCK: u64 = 100 * MILLI;

/// An event that is delayed by more, in nanoseconds, has its time from elsewhere: the clock was set, or a virtual keyboard has its own.
const LONGEST_DELAY: u64 = 60_000 * MILLI;

/// By how much two clocks may drift apart: 100 ppm.
const DRIFT: u64 = 10_000;

/// A change of a key or button, and its time in milliseconds on the clock of the server. The loss of the focus has no time.
pub(crate) type Received = (Option<u32>, InputEvent<u32>);

/// Converts event times to the program's clock.
///
/// No event arrives before its time. The least age of all events therefore bounds the offset between the clocks, as one-way delays do
/// between machines of a network. Where the clocks may be the same, they are.
#[derive(Clone, Debug, Default)]
pub(crate) struct EventClock {
    /// The most accurate offset from `CLOCK_MONOTONIC` to the program's clock.
    best: Option<Offset>,
    /// The least age of an event by `CLOCK_MONOTONIC`, in nanoseconds. By another clock it increases by the drift.
    least: Option<u64>,
    /// When events were last converted, on the program's clock.
    converted: Duration,
    /// The time of the newest event.
    newest: Duration,
}

impl EventClock {
    /// Converts the times of the events that have arrived since the last call. Read them before: none is newer than the clock then.
    pub(crate) fn convert(
        &mut self,
        received: &[Received],
        clock: &MonotonicClock,
    ) -> Vec<(Duration, InputEvent<u32>)> {
        if !received.is_empty() {
            let read = Offset::read(PresentationClock::Monotonic, clock);
            let offsets = [self.best, read].into_iter().flatten();
            self.best = offsets.min_by_key(|offset| offset.error);
        }
        let now = clock.now();
        let monotonic = now.as_nanos() as i128 - self.best.map_or(0, |offset| offset.nanos);
        self.take(received, now, monotonic.rem_euclid(WRAP.into()) as u64)
    }

    /// The same, at a time of the program's clock and of `CLOCK_MONOTONIC`, in nanoseconds up to [`WRAP`].
    fn take(&mut self, received: &[Received], now: Duration, monotonic: u64) -> Vec<(Duration, InputEvent<u32>)> {
        let passed = now.saturating_sub(self.converted).as_nanos() as u64;
        self.least = self.least.map(|least| match least {
            0..SAME_CLOCK => least,
            _ => (least + passed / DRIFT) % WRAP,
        });
        let age = |millis: u32| since(monotonic, u64::from(millis) * MILLI);
        for millis in received.iter().filter_map(|(millis, _)| *millis) {
            let is_usual = |least: &u64| since(age(millis), *least) < LONGEST_DELAY;
            self.least = self.least.filter(is_usual).or(Some(age(millis)));
        }
        let mut events = Vec::new();
        for (millis, event) in received {
            // The focus was lost after the last call, and after the event before.
            let at = millis.map_or(self.converted, |millis| self.time(age(millis), now));
            self.newest = self.newest.max(at);
            events.push((self.newest, *event));
        }
        self.converted = now;
        events
    }

    /// The time of an event of this age.
    fn time(&self, age: u64, now: Duration) -> Duration {
        let least = self.least.unwrap_or(age);
        if least < SAME_CLOCK && age < LONGEST_DELAY {
            // The middle of the millisecond, of which the time is the beginning.
            return now.saturating_sub(Duration::from_nanos(age)) + Duration::from_nanos(MILLI / 2);
        }
        let delay = since(age, least);
        now.saturating_sub(Duration::from_nanos(if delay < LONGEST_DELAY { delay } else { 0 }))
    }
}

/// The nanoseconds from `earlier` to `later`, which both begin again at [`WRAP`].
const fn since(later: u64, earlier: u64) -> u64 {
    (later + WRAP - earlier) % WRAP
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    const MS: Duration = Duration::from_millis(1);

    /// A server whose clock shows `start` milliseconds when the program's shows zero, and `CLOCK_MONOTONIC` zero.
    #[derive(Clone, Copy, Debug)]
    struct Server {
        start: u32,
    }

    impl Server {
        fn millis(self, at: Duration) -> u32 {
            self.start.wrapping_add(at.as_millis() as u32)
        }
    }

    /// Converts events that happen after gaps, and arrive after delays, in order. Returns the time, the arrival and the converted time of
    /// each.
    fn convert(server: Server, monotonic: u64, events: &[(Duration, Duration)]) -> Vec<[Duration; 3]> {
        let mut clock = EventClock::default();
        let (mut at, mut arrived) = (Duration::ZERO, Duration::ZERO);
        let events = events.iter().map(|(gap, delay)| {
            at += *gap;
            arrived = arrived.max(at + *delay);
            let monotonic = (u128::from(monotonic) + arrived.as_nanos()) % u128::from(WRAP);
            let times = clock.take(&[pressed(server.millis(at))], arrived, monotonic as u64);
            [at, arrived, times[0].0]
        });
        events.collect()
    }

    const fn pressed(millis: u32) -> Received {
        (Some(millis), InputEvent::Press(0))
    }

    /// Converts events that arrive together, with a program's clock that is `CLOCK_MONOTONIC`. Returns their times.
    fn take(clock: &mut EventClock, now: u32, received: &[Received]) -> Vec<Duration> {
        let events = clock.take(received, now * MS, u64::from(now) * MILLI);
        events.into_iter().map(|(at, _)| at).collect()
    }

    fn events() -> impl Strategy<Value = Vec<(Duration, Duration)>> {
        let (gap, delay) = (0..3_000_000_u64, 0..90_000_u64);
        let micros = |(gap, delay)| (Duration::from_micros(gap), Duration::from_micros(delay));
        vec((gap, delay).prop_map(micros), 1..200)
    }

    proptest! {
        /// The server's clock is `CLOCK_MONOTONIC`, and wraps at any point.
        #[test]
        fn times_of_the_same_clock_are_exact_to_half_a_millisecond(start: u32, events in events()) {
            let monotonic = u64::from(start) * MILLI;
            for [at, _, time] in convert(Server { start }, monotonic, &events) {
                prop_assert!(time.abs_diff(at) <= MS / 2, "{at:?} {time:?}");
            }
        }

        #[test]
        fn times_of_another_clock_are_never_after_the_arrival_nor_before_the_event(
            start: u32,
            ahead in 1_000..u32::MAX - 200_000,
            events in events(),
        ) {
            let monotonic = u64::from(start) * MILLI;
            let server = Server { start: start.wrapping_add(ahead) };
            let mut last = Duration::ZERO;
            for [at, arrived, time] in convert(server, monotonic, &events) {
                prop_assert!(time <= arrived && time >= last, "{arrived:?} {time:?}");
                prop_assert!(time + MS >= at, "{at:?} {time:?}");
                last = time;
            }
        }

        /// After one event without a delay, by no more than the drift that is allowed for.
        #[test]
        fn times_of_another_clock_are_exact_once_an_event_was_not_delayed(start: u32, mut events in events()) {
            events.insert(0, (MS, Duration::ZERO));
            let server = Server { start: start.wrapping_add(1 << 31) };
            let converted = convert(server, u64::from(start) * MILLI, &events);
            for [at, arrived, time] in converted {
                prop_assert!(time.abs_diff(at) <= MS + arrived / DRIFT as u32, "{at:?} {time:?}");
            }
        }
    }

    #[test]
    fn an_event_from_elsewhere_is_at_its_arrival_and_the_next_ones_are_exact_again() {
        let mut clock = EventClock::default();
        let mut time = |now, millis| take(&mut clock, now, &[pressed(millis)])[0];
        assert_eq!(time(1_010, 1_000), 1_000 * MS + MS / 2);
        assert_eq!(time(1_100, 3_000_000_000), 1_100 * MS);
        assert_eq!(time(1_230, 1_200), 1_200 * MS + MS / 2);
        // A program that did not read for three seconds.
        assert_eq!(time(4_300, 1_300), 1_300 * MS + MS / 2);
    }

    #[test]
    fn events_of_another_clock_that_arrive_together_keep_their_distances() {
        let received = [2_000_000_000, 2_000_000_012, 2_000_000_020].map(pressed);
        let times = take(&mut EventClock::default(), 1_000, &received);
        assert_eq!(times, [980 * MS, 992 * MS, 1_000 * MS]);
    }

    #[test]
    fn the_loss_of_the_focus_is_after_all_events_before_it() {
        let mut clock = EventClock::default();
        let lost = (None, InputEvent::ReleaseAll);
        assert_eq!(take(&mut clock, 1_020, &[pressed(1_000)]), [1_000 * MS + MS / 2]);
        assert_eq!(
            take(&mut clock, 1_040, &[lost, pressed(1_030), lost]),
            [1_020 * MS, 1_030 * MS + MS / 2, 1_030 * MS + MS / 2]
        );
    }
}
