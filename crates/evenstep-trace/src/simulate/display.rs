//! A simulated display: computes when the frames that a program presents are displayed.

use std::fmt;
use std::str::FromStr;

use evenstep::Rate;

/// A simulated display: takes the times at which frames are ready, and returns the times at which they are displayed.
///
/// A display at a fixed rate changes the frame only at its refreshes. A display with variable refresh waits for the frame within its range
/// of rates. A frame that is ready before it can be displayed waits. A newer frame that is ready meanwhile replaces it, and it is never
/// displayed. A frame that is ready too late misses its refresh, and the previous frame is displayed again.
///
/// ```
/// use evenstep::Rate;
/// use evenstep_trace::simulate::SimulatedDisplay;
///
/// let display = SimulatedDisplay::fixed(Rate::hz(50)); // a refresh every 20 ms; the first frame comes halfway between two
/// let shown = display.show(&[0.0, 0.020, 0.045, 0.060, 0.080]);
/// let millis: Vec<f64> = shown.iter().flatten().map(|at| (at * 1e3).round()).collect();
/// assert_eq!(millis, [10.0, 30.0, 50.0, 70.0, 90.0]);
/// let missed = display.show(&[0.0, 0.020, 0.055, 0.060]);
/// assert_eq!(missed[2], None); // the next one came before it could be shown
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SimulatedDisplay(Refresh);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Refresh {
    Fixed(Rate),
    Variable { least: Rate, most: Rate },
}

impl SimulatedDisplay {
    /// A display with a fixed refresh rate.
    #[must_use]
    pub fn fixed(rate: Rate) -> Self {
        Self(Refresh::Fixed(rate))
    }

    /// A display with variable refresh: it refreshes when a frame is ready, at a rate between `least` and `most`. If no frame is ready in
    /// time, the display shows the last one again, and a frame that becomes ready during that refresh waits until it ends.
    #[must_use]
    pub fn variable(least: Rate, most: Rate) -> Self {
        Self(Refresh::Variable { least, most })
    }

    /// The refresh interval in seconds; the shortest one with variable refresh.
    fn period(&self) -> f64 {
        match self.0 {
            Refresh::Fixed(rate) | Refresh::Variable { most: rate, .. } => rate.period_secs_f64(),
        }
    }

    /// The times at which frames that are ready at the times `ready` are displayed, in seconds; `None` for frames that are never
    /// displayed. A time that goes back or is NaN counts as the previous one. Leading NaNs count as the first time that is a number.
    #[must_use]
    pub fn show(&self, ready: &[f64]) -> Vec<Option<f64>> {
        let mut shown = vec![None; ready.len()];
        let mut latest = ready.iter().copied().find(|time| !time.is_nan()).unwrap_or_default();
        let ready: Vec<f64> = ready
            .iter()
            .map(|time| {
                latest = latest.max(*time);
                latest
            })
            .collect();
        let first = ready.first().copied().unwrap_or_default() + self.period() / 2.0;
        let (mut next, mut last) = (0, None);
        while next < ready.len() {
            let at = self.scan(ready[next], first, last);
            let newer = ready[next..].iter().take_while(|ready| **ready <= at).count();
            next += newer.max(1);
            shown[next - 1] = Some(at);
            last = Some(at);
        }
        shown
    }

    /// The time at which a frame that is ready at `ready` is displayed, after the previous frame at `last`. `first` is the time of a
    /// refresh.
    fn scan(&self, ready: f64, first: f64, last: Option<f64>) -> f64 {
        let period = self.period();
        match (self.0, last) {
            (Refresh::Fixed(_), _) => {
                // A frame that is ready within a billionth of a refresh of the deadline is in time.
                let next = ((ready - first) / period - 1e-9).ceil();
                let after = last.map_or(f64::NEG_INFINITY, |last| ((last - first) / period).round() + 1.0);
                (first + next.max(after) * period).max(ready)
            }
            (Refresh::Variable { .. }, None) => ready,
            (Refresh::Variable { least, .. }, Some(last)) => {
                let longest = least.period_secs_f64();
                let again = ((ready - last) / longest).floor().max(0.0);
                ready.max(last + again * longest + period)
            }
        }
    }

    /// How often a frame was displayed again, given the result of [`show`](Self::show). Saturates.
    #[must_use]
    pub fn repeats(&self, shown: &[Option<f64>]) -> u64 {
        let (Refresh::Fixed(rate) | Refresh::Variable { least: rate, .. }) = self.0;
        let interval = rate.period_secs_f64();
        let times: Vec<f64> = shown.iter().copied().flatten().collect();
        let again = |pair: &[f64]| {
            let intervals = (pair[1] - pair[0]) / interval;
            match self.0 {
                Refresh::Fixed(_) => (intervals.round() - 1.0).max(0.0) as u64,
                _ => (intervals + 1e-9).floor() as u64,
            }
        };
        times.windows(2).map(again).fold(0, u64::saturating_add)
    }
}

impl FromStr for SimulatedDisplay {
    type Err = String;

    /// Reads a rate; or `vrr`, a display with variable refresh from 40 to 240 Hz.
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "vrr" => Ok(Self::variable(Rate::hz(40), Rate::hz(240))),
            rate => match rate.parse() {
                Ok(rate) => Ok(Self::fixed(rate)),
                Err(error) => Err(format!("{error}; or give vrr")),
            },
        }
    }
}

impl fmt::Display for SimulatedDisplay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Refresh::Fixed(rate) => write!(f, "{rate}"),
            Refresh::Variable { least, most } => write!(f, "a variable {} to {most}", least.as_hz_f64()),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Times at an even rate.
    fn even(hertz: f64, count: usize) -> Vec<f64> {
        (0..count).map(|n| n as f64 / hertz).collect()
    }

    fn millis(shown: &[Option<f64>]) -> Vec<f64> {
        shown.iter().flatten().map(|at| (at * 1e4).round() / 10.0).collect()
    }

    #[test]
    fn at_its_own_rate_every_frame_is_displayed_once() {
        let display = SimulatedDisplay::fixed(Rate::hz(60));
        let shown = display.show(&even(60.0, 100));
        assert!(shown.iter().all(Option::is_some));
        assert_eq!(display.repeats(&shown), 0);
    }

    #[test]
    fn fewer_frames_than_refreshes_are_repeated_and_more_are_dropped() {
        let display = SimulatedDisplay::fixed(Rate::hz(60));
        let few = display.show(&even(30.0, 60));
        assert_eq!((few.iter().flatten().count(), display.repeats(&few)), (60, 59));
        let many = display.show(&even(120.0, 121));
        assert_eq!((many.iter().flatten().count(), display.repeats(&many)), (61, 0));
    }

    #[test]
    fn a_frame_that_misses_its_refresh_is_displayed_at_the_next() {
        let display = SimulatedDisplay::fixed(Rate::hz(50));
        let shown = display.show(&[0.0, 0.020, 0.052, 0.071]);
        assert_eq!(millis(&shown), [10.0, 30.0, 70.0, 90.0]);
        assert_eq!(display.repeats(&shown), 1);
    }

    #[test]
    fn a_frame_that_waits_is_replaced_by_a_newer_one() {
        let burst = [0.0, 0.021, 0.022, 0.023];
        let shown = SimulatedDisplay::fixed(Rate::hz(50)).show(&burst);
        assert_eq!(
            shown.iter().map(Option::is_some).collect::<Vec<_>>(),
            [true, false, false, true]
        );
    }

    #[test]
    fn a_variable_rate_follows_within_its_range() {
        let display = SimulatedDisplay::variable(Rate::hz(40), Rate::hz(100));
        let shown = display.show(&[0.0, 0.012, 0.015, 0.040, 0.091]);
        // The third frame waits until a refresh is over. The last frame is ready 51 ms after the fourth, which is repeated after 25 ms
        // and after 50 ms; the second repeat lasts 10 ms.
        assert_eq!(millis(&shown), [0.0, 12.0, 22.0, 40.0, 100.0]);
        assert_eq!(display.repeats(&shown), 2);
    }

    proptest! {
        #[test]
        fn no_frame_is_displayed_before_it_is_ready_or_out_of_order(
            gaps in prop::collection::vec(prop_oneof![9 => 0.0..0.05_f64, 1 => 0.0..1e7_f64], 1..200),
            hertz in 24_000..360_000_u32,
        ) {
            let ready: Vec<f64> = gaps.iter().scan(0.0, |time, gap| { *time += gap; Some(*time) }).collect();
            let (rate, half) = (Rate::new(hertz, 1000).unwrap(), Rate::new(hertz, 2000).unwrap());
            for display in [SimulatedDisplay::fixed(rate), SimulatedDisplay::variable(half, rate)] {
                let shown = display.show(&ready);
                prop_assert!(shown.last().is_some_and(Option::is_some), "the newest is always shown");
                let pairs = shown.iter().zip(&ready);
                prop_assert!(pairs.clone().all(|(at, ready)| at.is_none_or(|at| at >= *ready)));
                prop_assert!(shown.iter().flatten().is_sorted());
            }
        }
    }

    #[test]
    fn a_frame_is_in_time_at_the_deadline_and_up_to_a_billionth_of_a_refresh_after_it() {
        let display = SimulatedDisplay::fixed(Rate::hz(100));
        // The first frame is shown half a refresh later, at 5 ms.
        let second = |ready: f64| millis(&display.show(&[0.0, ready]))[1];
        assert_eq!([0.015, 0.015 + 5e-12, 0.015 + 5e-11].map(second), [15.0, 15.0, 25.0]);
    }
}
