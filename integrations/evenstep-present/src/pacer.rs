//! Decides when to begin the next frame.

use core::time::Duration;

use evenstep::Rate;

use crate::numeric::from_nanos;
use crate::prediction::Prediction;

mod costs;
mod limit;
mod plan;

use costs::Costs;
use limit::Limit;
pub use plan::FramePlan;

/// Frames whose costs are remembered.
const WINDOW: usize = 128;

/// A prediction of more refreshes ahead is not believed, nor that a frame of the past took a refresh so far ahead.
const FARTHEST: u32 = 8;

/// Decides when to begin the next frame: as late as possible while it is ready for its refresh, so that the presented frame is as recent as
/// possible.
///
/// A program that begins a frame right after the last one reads its input up to two refreshes before the frame is presented. Sleeping for
/// 1/60 s does not help, because the display has its own 1/60 s, at another phase. A pacer takes the time of the next refresh, which a
/// [`RefreshGrid`](crate::RefreshGrid) predicts, and the costs of frames. A frame begins early enough before its refresh that the
/// given [percentile](Self::with_percentile) of the last 128 costs fits in between, with the prediction's uncertainty and a
/// [margin](Self::with_margin).
///
/// Until eight frames are finished it allows a whole refresh for each. A frame that can no longer be in time begins at once, and so
/// does every frame without a display and a limit. Such a frame loses no refresh by pacing.
///
/// It takes the time and never sleeps; with feature `thread`, `wait` does.
///
/// ```
/// use evenstep::Rate;
/// use evenstep_present::{Pacer, Prediction};
/// use std::time::Duration;
///
/// let mut pacer = Pacer::new().with_limit(Rate::hz(120));
/// let mut now = Duration::ZERO; // in a game: MonotonicClock::now
/// for refresh in 1..=100 {
///     let next = Prediction::new(refresh * Duration::from_millis(10), Duration::from_millis(10), Duration::from_micros(50));
///     let plan = pacer.next_frame(now, Some(next));
///     now = plan.begin; // sleep until then; read input, simulate and draw
///     now += Duration::from_millis(3);
///     pacer.finish(plan, now);
///     assert!(now < next.at);
///     assert!(refresh < 10 || plan.wait() > Duration::from_millis(5)); // and the input is as much younger
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Pacer {
    costs: Costs<WINDOW>,
    percent: f64,
    margin: Duration,
    /// The margin above the shortest time between refreshes, if that is variable.
    variable: Option<Duration>,
    limit: Option<Limit>,
    saving: Option<Rate>,
    /// The time for which the last frame is planned, or for which it was late: a refresh, or without a display its beginning.
    last: Option<Duration>,
}

impl Pacer {
    /// The margin that [`with_variable_refresh`](Self::with_variable_refresh) usually gets: with it 144 Hz become 138 frames a second,
    /// 60 Hz 59.
    pub const VARIABLE_MARGIN: Duration = Duration::from_micros(300);

    /// A pacer without a limit that plans for the largest cost of the last 128 frames, with a margin of a millisecond. The book has a
    /// curve of these settings.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            costs: Costs::new(),
            percent: 100.0,
            margin: Duration::from_millis(1),
            variable: None,
            limit: None,
            saving: None,
            last: None,
        }
    }

    /// The same with a [percentile](Self::set_percentile).
    #[must_use]
    pub const fn with_percentile(mut self, percent: f64) -> Self {
        self.set_percentile(percent);
        self
    }

    /// The same with a [margin](Self::set_margin).
    #[must_use]
    pub const fn with_margin(mut self, margin: Duration) -> Self {
        self.set_margin(margin);
        self
    }

    /// The same with a [limit](Self::set_limit).
    #[must_use]
    pub fn with_limit(mut self, limit: impl Into<Option<Rate>>) -> Self {
        self.set_limit(limit);
        self
    }

    /// The same with [variable refresh](Self::set_variable_refresh).
    #[must_use]
    pub fn with_variable_refresh(mut self, margin: impl Into<Option<Duration>>) -> Self {
        self.set_variable_refresh(margin);
        self
    }

    /// The same with [saving](Self::set_saving).
    #[must_use]
    pub fn with_saving(mut self, most: impl Into<Option<Rate>>) -> Self {
        self.set_saving(most);
        self
    }

    /// Plans for this percentage of frames to be in time: higher percentages miss fewer refreshes, lower ones have less latency.
    /// Percentages are clamped to 0 and 100, and NaN counts as 0.
    pub const fn set_percentile(&mut self, percent: f64) {
        self.percent = percent.clamp(0.0, 100.0);
    }

    /// Sets how long before its refresh a frame is planned to be ready.
    pub const fn set_margin(&mut self, margin: Duration) {
        self.margin = margin;
    }

    /// Limits the frames per second; `None` for no limit. Frame `n` is due exactly `n / limit` seconds after the first, so rounding does
    /// not accumulate. A display shows it at the nearest refresh, so with a limit that does not divide the display's rate frames are shown
    /// for different times. Lateness of less than a period is made up for.
    pub fn set_limit(&mut self, limit: impl Into<Option<Rate>>) {
        let limit = limit.into();
        if self.limit.map(|limit| limit.rate()) != limit {
            self.limit = limit.map(Limit::new);
        }
    }

    /// Plans for a display that waits for the frame (variable refresh). The interval between frames is at least the shortest interval
    /// between its refreshes plus this margin, so that no frame has to wait for the display because the previous frame was late. `None`
    /// for a display with a fixed rate.
    pub fn set_variable_refresh(&mut self, margin: impl Into<Option<Duration>>) {
        self.variable = margin.into();
    }

    /// Saves power: limits the frames per second, and shows each for the same number of refreshes; `None` turns this off. 60 frames a
    /// second become 48 on a display at 144 Hz. `wait` then sleeps without spinning.
    pub fn set_saving(&mut self, most: impl Into<Option<Rate>>) {
        self.saving = most.into();
    }

    /// Whether it saves power.
    #[must_use]
    pub const fn is_saving(&self) -> bool {
        self.saving.is_some()
    }

    /// The cost of a frame for which the pacer plans; none before eight frames are finished.
    #[must_use]
    pub fn cost(&self) -> Option<Duration> {
        self.costs.percentile(self.percent)
    }

    /// Decides when to begin the next frame. `next` is the next refresh of the display, as by
    /// [`RefreshGrid::next_refresh`](crate::RefreshGrid::next_refresh); none if no display is known. Refreshes that earlier frames are planned
    /// for are passed over.
    pub fn next_frame(&mut self, now: Duration, next: Option<Prediction>) -> FramePlan {
        let next = next.filter(|next| !next.period.is_zero());
        let (target, begin) = match next {
            Some(next) => {
                let target = self.target(now, next);
                (target, self.in_time(target, next).max(now))
            }
            None => {
                let begin = self.free(now, Duration::ZERO).max(now);
                (begin, begin)
            }
        };
        if let Some(limit) = &mut self.limit {
            limit.take(now, target);
        }
        self.last = Some(target);
        FramePlan {
            begin,
            shown: next.map(|_| target),
            asked: now,
            period: next.map_or(Duration::ZERO, |next| next.period),
        }
    }

    /// Records that a frame is ready: drawn and submitted. Its cost is measured from the planned begin, so it includes the delay of a
    /// thread that wakes late.
    pub fn finish(&mut self, plan: FramePlan, ready: Duration) {
        self.costs.add(ready.saturating_sub(plan.begin));
        let Some(target) = plan.shown else { return };
        if self.variable.is_some() {
            self.last = self.last.max(Some(ready));
            return;
        }
        let period = nanos(plan.period).max(1);
        let late = (nanos(ready) - nanos(target)).max(0);
        let missed = (late + period - 1) / period;
        self.last = self.last.max(Some(from_nanos(nanos(target) + missed * period)));
    }

    /// When to begin so as to be ready for a refresh; it may be long ago.
    fn in_time(&self, target: Duration, next: Prediction) -> Duration {
        // With variable refresh the margin is in the target.
        let margin = if self.variable.is_some() {
            Duration::ZERO
        } else {
            self.margin
        };
        let before = self.cost().map_or(next.period, |cost| cost.saturating_add(margin));
        target.saturating_sub(before.saturating_add(next.uncertainty))
    }

    /// The refresh that a frame is for.
    fn target(&self, now: Duration, next: Prediction) -> Duration {
        let period = next.period;
        let farthest = now.saturating_add(period.saturating_mul(FARTHEST));
        let soonest = if next.at <= farthest { next.at } else { now };
        if let Some(margin) = self.variable {
            let free = self.free(now, period.saturating_add(margin));
            return soonest.saturating_add(margin).max(free).max(now);
        }
        // At the nearest refresh: a time half a refresh before it is meant for it.
        let free = self.free(now, period).saturating_sub(period / 2);
        let wanted = soonest.max(free).max(now.saturating_add(Duration::from_nanos(1)));
        let (at, period) = (nanos(next.at), nanos(period));
        from_nanos(at + (nanos(wanted) - at + period - 1).div_euclid(period) * period)
    }

    /// From when on limit, saving and the last frame allow another one, when that is `period` after the last at the least.
    fn free(&self, now: Duration, period: Duration) -> Duration {
        let saving = self
            .saving
            .map_or(Duration::ZERO, |rate| Duration::from_nanos(rate.period_nanos()));
        let stride = if self.variable.is_some() || period.is_zero() {
            saving.max(period)
        } else {
            // A rate that misses a whole number of refreshes by a hundredth is meant to be that.
            let refreshes = (nanos(saving) - nanos(period) / 100).max(1);
            from_nanos((refreshes + nanos(period) - 1) / nanos(period) * nanos(period))
        };
        let is_near = |last: &Duration| {
            *last
                <= now
                    .saturating_add(period.saturating_mul(FARTHEST))
                    .saturating_add(stride)
        };
        let last = self.last.filter(is_near).map(|last| last.saturating_add(stride));
        let due = self.limit.and_then(|limit| limit.due(now));
        last.max(due).unwrap_or(Duration::ZERO)
    }
}

#[cfg(feature = "thread")]
impl Pacer {
    /// Sleeps until the begin of a plan, whose times must be on this clock. The last stretch of the sleep spins, which is
    /// exact and costs power; a pacer that [saves power](Self::set_saving) does not spin.
    ///
    /// ```
    /// use evenstep::{MonotonicClock, Rate};
    /// use evenstep_present::Pacer;
    ///
    /// let (clock, mut pacer) = (MonotonicClock::new(), Pacer::new().with_limit(Rate::hz(500)));
    /// for _ in 0..5 {
    ///     let plan = pacer.next_frame(clock.now(), None);
    ///     pacer.wait(&clock, plan);
    ///     assert!(clock.now() >= plan.begin);
    ///     pacer.finish(plan, clock.now());
    /// }
    /// ```
    pub fn wait(&self, clock: &evenstep::MonotonicClock, plan: FramePlan) {
        if self.is_saving() {
            std::thread::sleep(plan.begin.saturating_sub(clock.now()));
        } else {
            evenstep::thread::StepTimer::new().wait_until(clock, plan.begin);
        }
    }
}

impl Default for Pacer {
    fn default() -> Self {
        Self::new()
    }
}

const fn nanos(time: Duration) -> i128 {
    time.as_nanos() as i128
}
