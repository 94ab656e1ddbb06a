//! The straight line through points, by least squares.

/// Fewer points say nothing of their scatter.
const MIN_POINTS: i128 = 5;

/// Nor do points within a shorter time, in microseconds.
const MIN_MICROS: i128 = 250_000;

/// More points and later ones are left out, so that no sum overflows.
const MAX_POINTS: i128 = 1 << 16;
const MAX_MICROS: i128 = 12_000_000;

/// Values are clamped to this, in microseconds.
const MAX_VALUE_MICROS: i64 = 1 << 24;

/// The sums over points: a time, and the value at that time, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LineFit {
    points: i128,
    last: i128,
    times: i128,
    values: i128,
    squared_times: i128,
    squared_values: i128,
    products: i128,
}

impl LineFit {
    /// Adds a point, in nanoseconds.
    pub(super) fn add(&mut self, time: i128, value: i64) {
        let time = time / 1_000;
        if self.points >= MAX_POINTS || !(0..=MAX_MICROS).contains(&time) {
            return;
        }
        let value = i128::from((value / 1_000).clamp(-MAX_VALUE_MICROS, MAX_VALUE_MICROS));
        self.points += 1;
        self.last = time;
        self.times += time;
        self.values += value;
        self.squared_times += time * time;
        self.squared_values += value * value;
        self.products += time * value;
    }

    /// The slope and its standard error, in ten-thousandths. None as long as the points are few or close together.
    pub(super) fn slope(&self) -> Option<(i128, i128)> {
        // Each is the number of points times a sum of squares or products of deviations; less than 2^80.
        let times = self.points * self.squared_times - self.times * self.times;
        let values = self.points * self.squared_values - self.values * self.values;
        let products = self.points * self.products - self.times * self.values;
        if self.points < MIN_POINTS || self.last < MIN_MICROS || times <= 0 {
            return None;
        }
        let millionths = 1_000_000 * products / times;
        let scatter = (values - products * millionths / 1_000_000).max(0);
        let squared_error = 100_000_000 * scatter / times / (self.points - 2);
        Some((millionths / 100, squared_error.isqrt()))
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use super::*;

    const MS: i128 = 1_000_000;

    fn line(points: &[(i128, i64)]) -> LineFit {
        let mut line = LineFit::default();
        points.iter().for_each(|(time, value)| line.add(*time, *value));
        line
    }

    /// The slope and its standard error, in ten-thousandths, by deviations from the means.
    fn least_squares(points: &[(i128, i64)]) -> (f64, f64) {
        let count = points.len() as f64;
        let points: Vec<(f64, f64)> = points
            .iter()
            .map(|(time, value)| (*time as f64, *value as f64))
            .collect();
        let sum = |part: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(part).sum::<f64>();
        let (time, value) = (sum(&|point| point.0) / count, sum(&|point| point.1) / count);
        let times = sum(&|point| (point.0 - time) * (point.0 - time));
        let slope = sum(&|point| (point.0 - time) * (point.1 - value)) / times;
        let residual = |point: &(f64, f64)| point.1 - value - slope * (point.0 - time);
        let scatter = sum(&|point| residual(point) * residual(point));
        (1e4 * slope, 1e4 * (scatter / (count - 2.0) / times).sqrt())
    }

    proptest! {
        #[test]
        fn the_slope_and_its_error_are_those_of_least_squares(
            slope in -5_000..5_000_i64,
            // After how many milliseconds, and an error of the value in microseconds.
            steps in prop::collection::vec((1..300_i128, -20_000..20_000_i64), 5..40),
        ) {
            let mut now = 0;
            let points: Vec<_> = steps.iter().map(|(after, error)| {
                now += after * MS;
                (now, (now as i64 / 10_000) * slope + 1_000 * error)
            }).collect();
            prop_assume!((250 * MS..=12_000 * MS).contains(&now));
            let (slope, error) = least_squares(&points);
            let (found, uncertain) = line(&points).slope().unwrap();
            // Both are truncated to whole numbers, and values to microseconds, which is at most a tenth over the shortest time.
            prop_assert!((found as f64 - slope).abs() < 1.2, "{found}, not {slope}");
            prop_assert!((uncertain as f64 - error).abs() < 1.2 + 0.001 * error, "{uncertain}, not {error}");
        }
    }

    #[test]
    fn few_points_and_points_close_together_have_no_slope() {
        let points: Vec<_> = (0..5).map(|n| (n * 100 * MS, n as i64 * 1_000)).collect();
        assert_eq!(
            (line(&points[..4]).slope(), line(&points).slope()),
            (None, Some((0, 0)))
        );
        for (last, has_slope) in [(249_999, false), (250_000, true)] {
            let points: Vec<_> = (0..5).map(|n| (n * last * 250, 0)).collect();
            assert_eq!(line(&points).slope().is_some(), has_slope, "{last} us");
        }
        assert_eq!(line(&[(300 * MS, 7); 9]).slope(), None);
    }

    #[test]
    fn points_out_of_range_are_left_out_and_values_are_clamped() {
        let points: Vec<_> = (0..6).map(|n| (n * 100 * MS, n as i64 * 10_000_000)).collect();
        let inside = line(&points);
        for (time, is_taken) in [
            (-MS, false),
            (0, true),
            (12_000 * MS, true),
            (12_000 * MS + 1_000, false),
        ] {
            let mut with = inside;
            with.add(time, 1_000);
            assert_eq!(with != inside, is_taken, "{time} ns");
        }
        let (mut most, mut clamped) = (inside, inside);
        most.add(MS, (1 << 24) * 1_000);
        clamped.add(MS, i64::MAX);
        assert_eq!(most, clamped);
        let mut many = line(&[(MS, 1); 1 << 16]);
        let full = many;
        many.add(MS, 1);
        assert_eq!((many, full.points), (full, 1 << 16));
    }
}
