//! Displays: when their frames come.

use std::time::Duration;

use evenstep::{Rate, SimTime};

/// The exact times of the refreshes of a display.
///
/// ```
/// use evenstep::Rate;
/// use evenstep_scenes::Refreshes;
///
/// let refreshes = Refreshes(Rate::hz(60));
/// assert_eq!(refreshes.at(60).as_nanos(), 1_000_000_000);
/// assert_eq!(refreshes.next_from(refreshes.at(7)), 7);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Refreshes(pub Rate);

impl Refreshes {
    /// The time of a refresh: the first nanosecond that is not too early, so that a display at the rate of the steps runs one step a frame.
    #[must_use]
    pub fn at(self, count: u64) -> Duration {
        let exact = SimTime::at_tick(count, self.0);
        let early = exact.to_duration();
        if SimTime::at(early) < exact {
            early.saturating_add(Duration::from_nanos(1))
        } else {
            early
        }
    }

    /// The first refresh that is not before a time.
    #[must_use]
    pub fn next_from(self, time: Duration) -> u64 {
        let (numer, denom) = (u128::from(self.0.numer()), u128::from(self.0.denom()));
        let before = time.as_nanos() * numer / (denom * 1_000_000_000);
        let before = u64::try_from(before).unwrap_or(u64::MAX);
        before + u64::from(self.at(before) < time)
    }
}

/// A display, as an endless sequence of frame times.
///
/// ```
/// use evenstep_scenes::Display;
///
/// let mut display = Display::by_name("50").expect("a rate names a display");
/// assert_eq!(display.next_delta().as_millis(), 20);
/// ```
#[derive(Clone, Debug)]
pub struct Display {
    kind: Kind,
    /// The smallest difference between two times that its program reads; zero is none.
    timer: Duration,
    /// The number of frames so far.
    count: u64,
}

#[derive(Clone, Debug)]
enum Kind {
    Even(Rate),
    /// The shortest and the longest frame, in nanoseconds.
    Fluctuating(u64, u64),
    Recorded(Vec<Duration>),
}

impl Display {
    /// The names of the displays that the lab offers: rates in hertz, rates that fluctuate, and two whose programs read a coarse timer.
    pub const NAMES: [&'static str; 18] = [
        "24",
        "30",
        "50",
        "55",
        "59.94",
        "60",
        "75",
        "85",
        "100",
        "120",
        "144",
        "200",
        "240",
        "2700",
        "40-60",
        "29-35",
        "29-35@16ms",
        "3000@1ms",
    ];

    /// The display of a name: one of [`NAMES`](Self::NAMES), or any rate in hertz. `None` if the text is no rate.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        match name {
            "40-60" => Some(Self::between(60, 40)),
            "29-35" => Some(Self::between(35, 29)),
            "29-35@16ms" => Some(Self::between(35, 29).with_timer(Duration::from_millis(16))),
            "3000@1ms" => Some(Self::even(Rate::hz(3000)).with_timer(Duration::from_millis(1))),
            // The broadcast rate, which is no decimal fraction.
            "59.94" => Rate::new(60_000, 1_001).ok().map(Self::even),
            _ => name.parse().ok().map(Self::even),
        }
    }

    /// Frames at an exact rate.
    #[must_use]
    pub const fn even(rate: Rate) -> Self {
        Self::new(Kind::Even(rate))
    }

    /// Frames whose times lie anywhere between those of two rates in hertz.
    const fn between(fastest: u32, slowest: u32) -> Self {
        Self::new(Kind::Fluctuating(
            Rate::hz(fastest).period_nanos(),
            Rate::hz(slowest).period_nanos(),
        ))
    }

    /// The same display for a program whose timer counts in units of `timer`.
    #[must_use]
    pub const fn with_timer(mut self, timer: Duration) -> Self {
        self.timer = timer;
        self
    }

    /// What the program's timer shows at a time.
    #[must_use]
    pub fn read_timer(&self, time: Duration) -> Duration {
        let rest = time.as_nanos().checked_rem(self.timer.as_nanos()).unwrap_or(0);
        time.saturating_sub(Duration::from_nanos(u64::try_from(rest).unwrap_or(0)))
    }

    /// Recorded frames, repeated. Without frames no time passes.
    #[must_use]
    pub const fn recorded(deltas: Vec<Duration>) -> Self {
        Self::new(Kind::Recorded(deltas))
    }

    const fn new(kind: Kind) -> Self {
        Self {
            kind,
            timer: Duration::ZERO,
            count: 0,
        }
    }

    /// The time from the last frame to the next one.
    pub fn next_delta(&mut self) -> Duration {
        let last = self.count;
        self.count += 1;
        match &self.kind {
            Kind::Even(rate) => Refreshes(*rate)
                .at(self.count)
                .saturating_sub(Refreshes(*rate).at(last)),
            Kind::Fluctuating(shortest, longest) => fluctuating(last, *shortest, *longest),
            Kind::Recorded(deltas) => {
                let index = last.checked_rem(deltas.len() as u64).unwrap_or(0);
                deltas.get(index as usize).copied().unwrap_or_default()
            }
        }
    }
}

/// The time of frame `count` of a display whose rate fluctuates. The multiples of the golden ratio, modulo 1, fill the range evenly.
const fn fluctuating(count: u64, shortest: u64, longest: u64) -> Duration {
    /// 2³² divided by the golden ratio.
    const GOLDEN: u64 = 2_654_435_769;
    let share = count.wrapping_mul(GOLDEN) & 0xffff_ffff;
    Duration::from_nanos(shortest + (((longest - shortest) * share) >> 32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_a_display_and_59_94_is_the_broadcast_rate() {
        for name in Display::NAMES {
            let mut display = Display::by_name(name).unwrap();
            let seconds: Duration = (0..10_000).map(|_| display.next_delta()).sum();
            let mean = 10_000.0 / seconds.as_secs_f64();
            let fluctuating = [
                ("40-60", 48.0),
                ("29-35", 31.7),
                ("29-35@16ms", 31.7),
                ("3000@1ms", 3000.0),
            ];
            let named = fluctuating.iter().find(|(display, _)| *display == name);
            let expected = named.map_or_else(|| name.parse().unwrap(), |(_, rate)| *rate);
            assert!((mean / expected - 1.0).abs() < 1e-3, "{name}: {mean}");
        }
        let mut display = Display::by_name("59.94").unwrap();
        let seconds: Duration = (0..60_000).map(|_| display.next_delta()).sum();
        assert_eq!(seconds, Duration::from_secs(1_001));
        assert!(Display::by_name("fast").is_none());
    }

    #[test]
    fn a_fluctuating_display_stays_between_its_rates_and_repeats_no_frame_time_at_once() {
        let mut display = Display::by_name("40-60").unwrap();
        let deltas: Vec<Duration> = (0..1000).map(|_| display.next_delta()).collect();
        let (shortest, longest) = (Duration::from_nanos(16_666_666), Duration::from_millis(25));
        assert!(deltas.iter().all(|delta| (shortest..=longest).contains(delta)));
        assert!(
            deltas
                .windows(2)
                .all(|pair| pair[0].abs_diff(pair[1]) > Duration::from_millis(3))
        );
    }

    #[test]
    fn a_recording_starts_over_and_an_empty_one_stands_still() {
        let [one, two] = [1, 2].map(Duration::from_millis);
        let mut display = Display::recorded(vec![one, two]);
        assert_eq!([(); 3].map(|()| display.next_delta()), [one, two, one]);
        assert_eq!(Display::recorded(Vec::new()).next_delta(), Duration::ZERO);
    }

    #[test]
    fn a_coarse_timer_counts_in_its_units_and_loses_no_time() {
        let mut display = Display::by_name("3000@1ms").unwrap();
        let (mut now, mut read, mut zeros) = (Duration::ZERO, Duration::ZERO, 0);
        for _ in 0..3000 {
            now += display.next_delta();
            let delta = display.read_timer(now) - read;
            assert!(delta.is_zero() || delta == Duration::from_millis(1));
            zeros += u32::from(delta.is_zero());
            read += delta;
        }
        assert_eq!((zeros, read), (2000, Duration::from_secs(1)));
    }

    #[test]
    fn refreshes_are_exact_and_the_next_one_is_found_at_any_time() {
        for rate in [
            Rate::hz(60),
            Rate::hz(144),
            Rate::new(60_000, 1_001).unwrap(),
            Rate::hz(2700),
        ] {
            let refreshes = Refreshes(rate);
            let second = refreshes.at(u64::from(rate.numer()));
            assert_eq!(second, Duration::from_secs(u64::from(rate.denom())), "{rate:?}");
            for count in (0..3000).chain([1_000_000_007]) {
                let at = refreshes.at(count);
                assert_eq!(refreshes.next_from(at), count, "{rate:?}");
                assert_eq!(refreshes.next_from(at + Duration::from_nanos(1)), count + 1, "{rate:?}");
            }
        }
    }
}
