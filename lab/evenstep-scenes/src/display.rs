//! Displays: when their frames come.

use std::time::Duration;

use evenstep::{Rate, SimTime};

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
    /// The number of frames so far.
    count: u64,
}

#[derive(Clone, Debug)]
enum Kind {
    Even(Rate),
    Fluctuating,
    Recorded(Vec<Duration>),
}

impl Display {
    /// The name of the display that fluctuates.
    pub const FLUCTUATING: &'static str = "40-60";

    /// The names of the displays that the lab offers: rates in hertz, and a rate that fluctuates.
    pub const NAMES: [&'static str; 15] = [
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
        Self::FLUCTUATING,
    ];

    /// The display of a name: one of [`NAMES`](Self::NAMES), or any rate in hertz. `None` if the text is no rate.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        match name {
            Self::FLUCTUATING => Some(Self::fluctuating()),
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

    /// Frames whose times lie anywhere between those of 40 and of 60 Hz.
    #[must_use]
    pub const fn fluctuating() -> Self {
        Self::new(Kind::Fluctuating)
    }

    /// Recorded frames, repeated. Without frames no time passes.
    #[must_use]
    pub const fn recorded(deltas: Vec<Duration>) -> Self {
        Self::new(Kind::Recorded(deltas))
    }

    const fn new(kind: Kind) -> Self {
        Self { kind, count: 0 }
    }

    /// The rate, if it is constant.
    #[must_use]
    pub const fn rate(&self) -> Option<Rate> {
        match self.kind {
            Kind::Even(rate) => Some(rate),
            _ => None,
        }
    }

    /// The time from the last frame to the next one.
    pub fn next_delta(&mut self) -> Duration {
        let last = self.count;
        self.count += 1;
        match &self.kind {
            Kind::Even(rate) => shown_at(self.count, *rate).saturating_sub(shown_at(last, *rate)),
            Kind::Fluctuating => fluctuating(last),
            Kind::Recorded(deltas) => {
                let index = last.checked_rem(deltas.len() as u64).unwrap_or(0);
                deltas.get(index as usize).copied().unwrap_or_default()
            }
        }
    }
}

/// When a display at `rate` shows its frame `count`: in the first nanosecond that is not too early, so that a display
/// at the rate of the steps runs one step a frame.
fn shown_at(count: u64, rate: Rate) -> Duration {
    let exact = SimTime::at_tick(count, rate);
    let early = exact.to_duration();
    if SimTime::at(early) < exact {
        early.saturating_add(Duration::from_nanos(1))
    } else {
        early
    }
}

/// The time of frame `count` of a display whose rate fluctuates. The multiples of the golden ratio, modulo 1, fill the range evenly.
const fn fluctuating(count: u64) -> Duration {
    const SHORTEST: u64 = 1_000_000_000 / 60;
    const LONGEST: u64 = 1_000_000_000 / 40;
    /// 2³² divided by the golden ratio.
    const GOLDEN: u64 = 2_654_435_769;
    let share = count.wrapping_mul(GOLDEN) & 0xffff_ffff;
    Duration::from_nanos(SHORTEST + (((LONGEST - SHORTEST) * share) >> 32))
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
            let expected = name.parse().unwrap_or(48.0);
            assert!((mean / expected - 1.0).abs() < 1e-3, "{name}: {mean}");
        }
        assert_eq!(
            Display::by_name("59.94").unwrap().rate(),
            Some(Rate::new(60_000, 1_001).unwrap())
        );
        assert!(Display::by_name("fast").is_none());
    }

    #[test]
    fn a_fluctuating_display_stays_between_its_rates_and_repeats_no_frame_time_at_once() {
        let mut display = Display::fluctuating();
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
}
