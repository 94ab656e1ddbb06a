//! How fast the server's simulated time runs by the clock of this machine.

use super::clock_gain::bounded;
use super::line_fit::LineFit;

/// Of each second, in nanoseconds, the quickest pong counts.
const SLOT_NANOS: i128 = 1_000_000_000;

/// The pongs that are kept, that of the present second first.
const MAX_POINTS: usize = 13;

/// Speeds are measured between pongs that are this many seconds apart, or fewer where there are not many yet. A change of the route
/// lies within a third of these spans, so it does not change the median.
const MAX_SPAN_SECS: usize = 3;

/// Fewer speeds are too few: their median is as uncertain as a clock is wrong.
const MIN_SPEEDS: usize = 4;

/// Speeds are differences from the normal speed in parts of this: ten-thousandths.
const PER_UNIT: i128 = 10_000;

/// A difference of less than 0.1 % is as likely to be noise, and need not be known: it is corrected like any other error.
const MIN_SPEED: i64 = 10;

/// By how much the time of a pong may be wrong, in ten-thousandths of a nanosecond.
const TIMING_ERROR: i128 = PER_UNIT * 500_000;

/// A server may be as slow as half the speed, and a clock wrong by 3 %.
const SLOWEST: i128 = -5_000;
const FASTEST: i128 = 300;

/// The speed of the server's simulated time by this machine's clock, from the pongs of the last twelve seconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ServerSpeed {
    slot: i128,
    points: [Option<Point>; MAX_POINTS],
    /// Until there are enough speeds: the first pong, and the lines through the leads and the times under way since then.
    first: Option<(Point, [LineFit; 2])>,
    /// The speed before these pongs.
    speed_before: i64,
    has_speeds: bool,
    /// In ten-thousandths, less the normal speed.
    speed: i64,
}

/// What is kept of a pong, in nanoseconds of real time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Point {
    arrived: i128,
    /// The server's simulated time then, less `arrived`.
    lead: i64,
    /// There and back.
    under_way: i64,
}

impl ServerSpeed {
    pub(super) const fn new() -> Self {
        Self {
            slot: 0,
            points: [None; MAX_POINTS],
            first: None,
            speed_before: 0,
            has_speeds: false,
            speed: 0,
        }
    }

    /// Forgets all pongs, and keeps the speed until there are enough new ones.
    pub(super) const fn forget(&mut self) {
        let speed = self.speed;
        *self = Self {
            speed,
            speed_before: speed,
            ..Self::new()
        };
    }

    /// Takes a pong that arrived at `now`, when the server's simulated time is `simulated` as far as known, and was under way for so long, there
    /// and back; all in nanoseconds of real time.
    pub(super) fn observe(&mut self, now: i128, simulated: i128, under_way: i64) {
        let slot = now / SLOT_NANOS;
        if slot > self.slot {
            let passed = (slot - self.slot).min(MAX_POINTS as i128) as usize;
            self.points.rotate_right(passed);
            self.points[..passed].fill(None);
            self.slot = slot;
            self.measure();
        }
        let point = Point {
            arrived: now,
            lead: bounded(simulated - now),
            under_way,
        };
        if !self.has_speeds {
            self.begin(point);
        }
        let best = &mut self.points[0];
        if best.is_none_or(|best| under_way < best.under_way) {
            *best = Some(point);
        }
    }

    /// The first speed is the slope of the leads, as far as it is certain. Jitter there and back is as likely to make a lead larger as smaller,
    /// and while the time under way grows, leads are wrong by half of that at most.
    fn begin(&mut self, point: Point) {
        let (first, [leads, ways]) = self.first.get_or_insert((point, [LineFit::default(); 2]));
        let since = point.arrived - first.arrived;
        leads.add(since, point.lead - first.lead);
        ways.add(since, point.under_way);
        let (Some((slope, error)), Some((growth, _))) = (leads.slope(), ways.slope()) else {
            return;
        };
        let uncertain = growth.abs() / 2 + 2 * error + TIMING_ERROR / since.max(1);
        let beyond = slope - i128::from(self.speed_before);
        let certain = (beyond.abs() - uncertain).max(0) * beyond.signum();
        self.speed = (i128::from(self.speed_before) + certain).clamp(SLOWEST, FASTEST) as i64;
    }

    /// The speed is the median of the speeds.
    fn measure(&mut self) {
        let count = self.points.iter().flatten().count();
        let span = (count / 3).clamp(1, MAX_SPAN_SECS);
        let mut speeds = [0; MAX_POINTS];
        let mut found = 0;
        for (newer, older) in self.points[1..].iter().zip(&self.points[1 + span..]) {
            if let (Some(newer), Some(older)) = (newer, older) {
                let gained = i128::from(newer.lead) - i128::from(older.lead);
                speeds[found] = PER_UNIT * gained / (newer.arrived - older.arrived).max(1);
                found += 1;
            }
        }
        if found >= MIN_SPEEDS {
            self.has_speeds = true;
            speeds[..found].sort_unstable();
            let speed = speeds[found / 2].clamp(SLOWEST, FASTEST) as i64;
            self.speed = if speed.abs() < MIN_SPEED { 0 } else { speed };
        }
    }

    /// By how many ten-thousandths the server's simulated time runs faster than this clock, or slower if negative.
    pub(super) const fn get(&self) -> i64 {
        self.speed
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeMap;
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use super::*;

    /// The same from the quickest pong of each second: the median of the speeds of the last twelve whole seconds, if there are enough.
    fn median_speed(quickest: &BTreeMap<i128, (i128, i128, i64)>, second: i128) -> Option<i64> {
        let last: BTreeMap<_, _> = quickest.range(second - 12..second).collect();
        let span = (last.len() as i128 / 3).clamp(1, 3);
        let pairs = last
            .iter()
            .filter_map(|(at, newer)| Some((newer, last.get(&(*at - span))?)));
        let mut speeds: Vec<i128> = pairs
            .map(|(newer, older)| 10_000 * (newer.1 - older.1) / (newer.0 - older.0))
            .collect();
        speeds.sort_unstable();
        let median = *speeds.get(speeds.len() / 2).filter(|_| speeds.len() >= 4)?;
        let speed = median.clamp(-5_000, 300) as i64;
        Some(if speed.abs() < 10 { 0 } else { speed })
    }

    proptest! {
        #[test]
        fn the_speed_is_the_median_of_the_speeds_between_the_quickest_pongs_of_seconds(
            speed in prop_oneof![-30..30_i128, -6_000..600_i128],
            // After how many milliseconds, and under way for how many, of which a share is an error.
            pongs in prop::collection::vec((prop_oneof![9 => 0..700_i128, 1 => 0..5_000_i128], 1..200_i64, -50..50_i64), 1..200),
        ) {
            let (mut observed, mut quickest, mut expected, mut now) = (ServerSpeed::new(), BTreeMap::new(), None, 0);
            for (after, way, error) in pongs {
                now += after * 1_000_000;
                let lead = now * speed / 10_000 + i128::from(way * error) * 10_000;
                observed.observe(now, now + lead, way);
                let second = now / 1_000_000_000;
                if !quickest.contains_key(&second) {
                    expected = median_speed(&quickest, second).or(expected);
                }
                let best = quickest.entry(second).or_insert((now, lead, way));
                if way < best.2 {
                    *best = (now, lead, way);
                }
                if let Some(expected) = expected {
                    prop_assert_eq!(observed.get(), expected);
                }
            }
        }
    }

    #[test]
    fn the_first_speed_is_the_slope_less_half_the_growth_two_errors_and_half_a_millisecond() {
        const EVERY: i128 = 50_000_000;
        for speed in [-150, 150] {
            for growth in [-40, 0, 40] {
                for scatter in [0, 1_000_000] {
                    for pongs in [11_i64, 21, 41] {
                        let mut observed = ServerSpeed::new();
                        for n in 0..pongs {
                            let since = EVERY * i128::from(n);
                            let now = 700_000_000 + since;
                            let error = if n % 2 == 0 { scatter } else { -scatter };
                            let under_way = 80_000_000 + since * growth / 10_000;
                            observed.observe(now, now + since * speed / 10_000 + error, under_way as i64);
                        }
                        // The standard error of a slope through points at equal distances whose residuals alternate.
                        let (count, every) = (pongs as f64, EVERY as f64);
                        let spread = every * every * count * (count * count - 1.0) / 12.0;
                        let residuals = (scatter as f64).powi(2) * (count - 1.0 / count);
                        let error = 1e4 * (residuals / (count - 2.0) / spread).sqrt();
                        let seconds = (count - 1.0) * every / 1e9;
                        let uncertain = growth.abs() as f64 / 2.0 + 2.0 * error + 5.0 / seconds;
                        let expected = (speed.abs() as f64 - uncertain).max(0.0) * speed.signum() as f64;
                        assert!(
                            (observed.get() as f64 - expected).abs() < 4.0,
                            "{} instead of {expected}: {speed}, {growth}, {scatter} ns, {pongs} pongs",
                            observed.get()
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_server_at_normal_speed_is_not_taken_for_slow_while_the_delay_grows() {
        let two_routes = |ms: i128| 30 + if ms > 20_000 { 100 } else { 0 } + if ms > 24_000 { 100 } else { 0 };
        let queue = |ms: i128| 30 + (ms - 20_000).clamp(0, 6_000) / 20;
        let delays: [fn(i128) -> i128; 2] = [two_routes, queue];
        for delay in delays {
            let mut observed = ServerSpeed::new();
            for replied in (0..45_000).step_by(16) {
                let way = delay(replied) * 1_000_000;
                let arrived = replied * 1_000_000 + way;
                observed.observe(arrived, arrived, 2 * way as i64);
                assert_eq!(observed.get(), 0, "at {replied} ms");
            }
        }
    }
}
