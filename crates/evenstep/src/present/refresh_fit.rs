//! Fits the period and phase of a display to the times at which frames were presented.

use core::ops::RangeInclusive;
use core::time::Duration;

use crate::numeric::regression::Line;
use crate::numeric::rounding::round;
use crate::numeric::sorted_window::sort;

/// Times of frames that the grid is fitted to.
const WINDOW: usize = 64;

/// Presented frames before a measured period replaces the announced one.
const MIN_FRAMES: usize = 8;

/// Periods that a display can have, in nanoseconds: from 1 000 Hz to 10 Hz.
const PERIODS: RangeInclusive<f64> = 1e6..=1e8;

/// A frame farther from the grid than this share of a period is off it.
const ON_GRID: f64 = 0.125;

/// Consecutive frames off the grid that reveal another display.
const MAX_OFF_GRID: u8 = 4;

/// A gap of more nanoseconds says nothing about the display.
const MAX_GAP: f64 = 1e9;

/// A presented frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Presented {
    id: u64,
    /// In nanoseconds before the newest.
    before: f64,
    /// In refreshes before the newest.
    refreshes: f64,
}

/// Fits period and phase of a display to presentation times.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RefreshFit {
    /// The last frames, the newest first.
    frames: [Presented; WINDOW],
    count: usize,
    newest: Duration,
    /// As it is announced, in nanoseconds.
    announced: Option<f64>,
    /// As it is measured, in nanoseconds.
    measured: Option<f64>,
    /// The newest refresh on the grid less the newest time, in nanoseconds.
    phase: f64,
    /// The largest distance of a frame from the grid, in nanoseconds.
    spread: f64,
    off_grid: u8,
}

impl RefreshFit {
    pub(super) const fn new() -> Self {
        Self {
            frames: [Presented {
                id: 0,
                before: 0.0,
                refreshes: 0.0,
            }; WINDOW],
            count: 0,
            newest: Duration::ZERO,
            announced: None,
            measured: None,
            phase: 0.0,
            spread: 0.0,
            off_grid: 0,
        }
    }

    /// Forgets the frames, but not the period: after a pause or when the clock was set.
    pub(super) fn restart(&mut self) {
        self.count = 0;
        self.phase = 0.0;
        self.off_grid = 0;
    }

    /// Takes a presented frame; `announced` is the announced period, zero where there is none.
    pub(super) fn observe(&mut self, id: u64, at: Duration, announced: Duration) {
        let announced = announced.as_nanos() as f64;
        self.announced = PERIODS.contains(&announced).then_some(announced);
        let gap = at.as_nanos() as f64 - self.newest.as_nanos() as f64;
        if self.count > 0 && !(0.0..=MAX_GAP).contains(&gap) {
            self.restart();
        }
        if self.count > 0 && self.is_other_display(gap) {
            self.restart();
            self.measured = None;
        }
        self.push(id, if self.count == 0 { 0.0 } else { gap });
        self.newest = at;
        if self.count >= MIN_FRAMES {
            self.fit();
        }
    }

    fn is_other_display(&mut self, gap: f64) -> bool {
        let is_off = self
            .measured
            .is_some_and(|period| off_grid(gap - self.phase, period).abs() > ON_GRID * period);
        self.off_grid = if is_off { self.off_grid + 1 } else { 0 };
        self.off_grid >= MAX_OFF_GRID
    }

    fn push(&mut self, id: u64, gap: f64) {
        self.frames.copy_within(..WINDOW - 1, 1);
        self.count = (self.count + 1).min(WINDOW);
        for frame in &mut self.frames[1..self.count] {
            frame.before += gap;
        }
        self.frames[0] = Presented {
            id,
            before: 0.0,
            refreshes: 0.0,
        };
    }

    /// Finds a period that most gaps are multiples of: that announced, that known, or the typical gap. Then period and phase by
    /// least squares.
    fn fit(&mut self) {
        let mut gaps = [0.0; WINDOW];
        let count = self.count - 1;
        for (gap, pair) in gaps.iter_mut().zip(self.frames[..self.count].windows(2)) {
            *gap = pair[1].before - pair[0].before;
        }
        let gaps = &mut gaps[..count];
        let fits = |period: &f64| {
            let near = gaps
                .iter()
                .filter(|gap| off_grid(**gap, *period).abs() <= ON_GRID * period);
            PERIODS.contains(period) && 4 * near.count() >= 3 * count
        };
        let known = [self.measured, self.announced].into_iter().flatten().find(fits);
        let period = known.or_else(|| {
            let mut sorted = [0.0; WINDOW];
            sorted[..count].copy_from_slice(gaps);
            sort(&mut sorted[..count], f64::total_cmp);
            Some(sorted[count / 4]).filter(fits)
        });
        self.measured = None;
        self.phase = 0.0;
        if let Some(period) = period {
            self.fit_grid(period);
        }
    }

    fn fit_grid(&mut self, period: f64) {
        let mut refreshes = 0.0;
        for at in 1..self.count {
            let gap = self.frames[at].before - self.frames[at - 1].before;
            refreshes += round(gap / period).max(if gap > 0.5 * period { 1.0 } else { 0.0 });
            self.frames[at].refreshes = refreshes;
        }
        let frames = &self.frames[..self.count];
        let line = Line::fit(frames.iter().map(|frame| (frame.refreshes, frame.before)));
        let ((mean_index, mean_time), fitted) = (line.mean, line.slope.unwrap_or(period));
        // Times in the window that are no grid can lean a fit out of reason.
        let fitted = fitted.clamp(0.98 * period, 1.02 * period);
        let before_newest = mean_time - fitted * mean_index;
        self.phase = -before_newest;
        self.spread = frames.iter().fold(0.0, |most: f64, frame| {
            most.max((frame.before - before_newest - fitted * frame.refreshes).abs())
        });
        self.measured = Some(fitted);
    }

    /// The measured period in nanoseconds; the announced one until eight frames were presented; none where frames follow no grid.
    pub(super) fn period(&self) -> Option<f64> {
        let announced = self.announced.filter(|_| self.count > 0 && self.count < MIN_FRAMES);
        self.measured.or(announced)
    }

    pub(super) fn announced(&self) -> Option<f64> {
        self.announced
    }

    /// The newest presented frame: its id, its time, and the refresh on the grid less that time in nanoseconds; none before the first.
    pub(super) fn newest(&self) -> Option<(u64, Duration, f64)> {
        (self.count > 0).then_some((self.frames[0].id, self.newest, self.phase))
    }

    /// How far frames are from the grid, in nanoseconds: the largest distance; a quarter of a period while it is only announced.
    pub(super) fn spread(&self) -> f64 {
        match (self.measured, self.announced) {
            (None, Some(announced)) => 0.25 * announced,
            _ => self.spread,
        }
    }

    /// Refreshes from one frame to the next, over the last frames; one while there are too few.
    pub(super) fn refreshes_per_frame(&self) -> f64 {
        let oldest = self.frames[self.count.max(1) - 1];
        let frames = self.frames[0].id.saturating_sub(oldest.id);
        if self.count < MIN_FRAMES || self.measured.is_none() || frames == 0 {
            return 1.0;
        }
        oldest.refreshes / frames as f64
    }
}

/// How far a time is from the nearest multiple of the period.
fn off_grid(time: f64, period: f64) -> f64 {
    time - round(time / period) * period
}
