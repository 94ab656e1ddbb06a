//! Delta filters of other projects, reimplemented from their published descriptions.

use std::time::Duration;

use evenstep::filter::DeltaFilter;

/// A rule that takes a delta in milliseconds and returns the filtered delta.
struct Rule<F> {
    rule: F,
    residual: i128,
}

impl<F: FnMut(f64) -> f64> DeltaFilter for Rule<F> {
    fn apply(&mut self, delta: Duration) -> Duration {
        let given = (self.rule)(delta.as_secs_f64() * 1e3).max(0.0);
        let given = Duration::from_nanos((given * 1e6).round() as u64);
        self.residual += delta.as_nanos() as i128 - given.as_nanos() as i128;
        given
    }

    fn residual(&self) -> i128 {
        self.residual
    }

    /// None of these filters has a bound.
    fn max_lead(&self) -> Duration {
        Duration::MAX
    }
}

fn rule(rule: impl FnMut(f64) -> f64 + 'static) -> Box<dyn DeltaFilter> {
    Box::new(Rule { rule, residual: 0 })
}

/// Deltas within 0.2 ms of a multiple of the refresh interval, in whole hertz, are rounded to it; then the mean of four is taken.
/// T. Glaiel, *How to make your game run at 60fps* (2018).
pub(super) fn snap_and_mean(hertz: f64) -> Box<dyn DeltaFilter> {
    let period = 1e3 / hertz.round();
    let mut last = [period; 4];
    rule(move |delta| {
        let multiple = (delta / period).round() * period;
        let is_near = multiple > 0.0 && multiple < 8.5 * period && (delta - multiple).abs() < 0.2;
        last.rotate_left(1);
        last[3] = if is_near { multiple } else { delta };
        last.iter().sum::<f64>() / 4.0
    })
}

/// Whole refresh intervals, at least one, at a rate in whole hertz; the remainder is carried to the next frame. Godot Engine,
/// `application/run/delta_smoothing` (since 3.4).
pub(super) fn whole_refreshes(hertz: f64) -> Box<dyn DeltaFilter> {
    let period = 1e3 / hertz.round();
    let mut left = 0.0;
    rule(move |delta| {
        left += delta;
        let whole = (left / period).round().max(1.0) * period;
        left -= whole;
        whole
    })
}

/// An exponential moving average: a tenth of the newest delta plus nine tenths of the previous mean.
pub(super) fn forgetting_mean(hertz: f64) -> Box<dyn DeltaFilter> {
    let mut mean = 1e3 / hertz;
    rule(move |delta| {
        mean += 0.1 * (delta - mean);
        mean
    })
}

/// A phase-locked loop at the display's true rate, which it is given: it moves a fiftieth of the way to each
/// timestamp.
pub(super) fn phase_lock(hertz: f64) -> Box<dyn DeltaFilter> {
    let period = 1e3 / hertz;
    let mut behind = 0.0;
    rule(move |delta| {
        behind += delta - period;
        let moved = 0.02 * behind;
        behind -= moved;
        period + moved
    })
}
