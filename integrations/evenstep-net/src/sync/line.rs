//! The straight line through points, by least squares.

/// Fewer points say nothing of their scatter.
const MIN_POINTS: i128 = 5;

/// Nor do points within a shorter time, in microseconds.
const MIN_TIME: i128 = 250_000;

/// More points and later ones are left out, so that no sum overflows.
const MAX_POINTS: i128 = 1 << 16;
const MAX_TIME: i128 = 12_000_000;

/// Values are clamped to this, in microseconds.
const MAX_VALUE: i64 = 1 << 24;

/// The sums over points: a time, and the value at that time, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Line {
    points: i128,
    last: i128,
    times: i128,
    values: i128,
    squared_times: i128,
    squared_values: i128,
    products: i128,
}

impl Line {
    /// Adds a point, in nanoseconds.
    pub(super) fn add(&mut self, time: i128, value: i64) {
        let time = time / 1_000;
        if self.points >= MAX_POINTS || !(0..=MAX_TIME).contains(&time) {
            return;
        }
        let value = i128::from((value / 1_000).clamp(-MAX_VALUE, MAX_VALUE));
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
        if self.points < MIN_POINTS || self.last < MIN_TIME || times <= 0 {
            return None;
        }
        let millionths = 1_000_000 * products / times;
        let scatter = (values - products * millionths / 1_000_000).max(0);
        let squared_error = 100_000_000 * scatter / times / (self.points - 2);
        Some((millionths / 100, squared_error.isqrt()))
    }
}
