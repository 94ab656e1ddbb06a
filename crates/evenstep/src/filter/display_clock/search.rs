use core::time::Duration;

use super::lock::{LONGEST, LOOK, Lock};
use crate::filter::{DeltaFilter as _, MovingAverage};

/// Frames over which it is judged whether a mean forecasts them.
const FORECASTS: f64 = 128.0;

/// A mean of four does so if its squared errors are less than this share of those of the frames before. It is two fifths where
/// an even display is read with noise, and above a half where frames really differ by chance.
const MUCH_BETTER: f64 = 0.5;

/// A forecast that is off by more than this counts as off by this, in nanoseconds: a hitch is nobody's fault.
const MOST_OFF: f64 = 1_500_000.0;

/// What is done while there is no display to follow: frames are gathered, and averaged where that helps.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Search {
    /// When the last frames were, in nanoseconds after the first of them.
    times: [f64; LOOK],
    count: usize,
    average: MovingAverage<4>,
    forecast: Forecast,
}

impl Search {
    pub(super) const fn new() -> Self {
        Self {
            times: [0.0; LOOK],
            count: 0,
            average: MovingAverage::new(),
            forecast: Forecast::new(),
        }
    }

    /// Averages, as long as the mean forecasts frames much better than the frames before them do: then these are read with
    /// noise. Answers with what to hand on, and how much of that the average itself will repay, in nanoseconds.
    pub(super) fn average(&mut self, delta: Duration) -> (i128, i128) {
        let is_noise = self.forecast.takes(delta.as_nanos() as f64);
        let even = self.average.apply(delta);
        self.forecast.even = even.as_nanos() as f64;
        if is_noise {
            (even.as_nanos() as i128, self.average.residual())
        } else {
            (delta.as_nanos() as i128, 0)
        }
    }

    /// Takes a frame, and looks for a display when there are enough.
    pub(super) fn look(&mut self, delta: f64) -> Option<Lock> {
        if delta > LONGEST {
            self.count = 0;
        }
        if self.count == LOOK {
            let first = self.times[1];
            self.times.rotate_left(1);
            self.times.iter_mut().for_each(|time| *time -= first);
            self.count -= 1;
        }
        let last = self.count.checked_sub(1).map(|last| self.times[last]);
        self.times[self.count] = last.map_or(0.0, |last| last + delta);
        self.count += 1;
        (self.count == LOOK).then(|| Lock::find(&self.times)).flatten()
    }
}

/// How well a frame is forecast by the one before, and by the mean of four.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Forecast {
    raw: f64,
    even: f64,
    /// Mean squares of what they were off, over the newest frames.
    raw_error: f64,
    even_error: f64,
}

impl Forecast {
    const fn new() -> Self {
        Self {
            raw: 0.0,
            even: 0.0,
            raw_error: 0.0,
            even_error: 0.0,
        }
    }

    /// Takes a frame that both have forecast. Answers with whether the mean is much better.
    fn takes(&mut self, delta: f64) -> bool {
        let square = |forecast: f64| {
            let error = (delta - forecast).clamp(-MOST_OFF, MOST_OFF);
            error * error
        };
        self.raw_error += (square(self.raw) - self.raw_error) / FORECASTS;
        self.even_error += (square(self.even) - self.even_error) / FORECASTS;
        self.raw = delta;
        self.even_error < MUCH_BETTER * self.raw_error
    }
}
