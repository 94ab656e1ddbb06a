//! Fits the period and phase of a display to the times at which frames were presented.

use core::time::Duration;

use super::grid_fit::{GridFit, MAX_TIMESTAMPS, PERIODS};
use crate::numeric::round;

/// Times of frames that the grid is fitted to.
const WINDOW: usize = MAX_TIMESTAMPS;

/// Presented frames before a measured period replaces the announced one.
const MIN_FRAMES: usize = 8;

/// A frame farther from the grid than this share of a period is off it.
const ON_GRID: f64 = 0.125;

/// Consecutive frames off the grid that reveal another display.
const MAX_OFF_GRID: u8 = 4;

/// A gap of more nanoseconds says nothing about the display.
const MAX_GAP: f64 = 1e9;

/// Fits period and phase of a display to presentation times.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PresentTimesFit {
    /// The last frames, the newest last: their ids and times, in nanoseconds after the newest.
    ids: [u64; WINDOW],
    times: [f64; WINDOW],
    count: usize,
    /// Refreshes from the oldest to the newest.
    refreshes: f64,
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

impl PresentTimesFit {
    pub(super) const fn new() -> Self {
        Self {
            ids: [0; WINDOW],
            times: [0.0; WINDOW],
            count: 0,
            refreshes: 0.0,
            newest: Duration::ZERO,
            announced: None,
            measured: None,
            phase: 0.0,
            spread: 0.0,
            off_grid: 0,
        }
    }

    /// Forgets the frames, but not the period: after a pause, or when measured times replace predicted ones.
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
        if self.count == WINDOW {
            self.ids.copy_within(1.., 0);
            self.times.copy_within(1.., 0);
            self.count -= 1;
        }
        self.times[..self.count].iter_mut().for_each(|time| *time -= gap);
        (self.ids[self.count], self.times[self.count]) = (id, 0.0);
        self.count += 1;
    }

    /// Fits a grid of which most gaps are multiples: of the announced period, of the known one, or of the typical gap.
    fn fit(&mut self) {
        let times = &self.times[..self.count];
        let gaps = || times.windows(2).map(|pair| pair[1] - pair[0]);
        let count = self.count - 1;
        let fits = |period: &f64| {
            let near = gaps().filter(|gap| off_grid(*gap, *period).abs() <= ON_GRID * period);
            PERIODS.contains(period) && 4 * near.count() >= 3 * count
        };
        let known = [self.measured, self.announced].into_iter().flatten().find(fits);
        let period = known.or_else(|| {
            let mut sorted = [0.0; WINDOW];
            sorted.iter_mut().zip(gaps()).for_each(|(sorted, gap)| *sorted = gap);
            let (_, typical, _) = sorted[..count].select_nth_unstable_by(count / 4, f64::total_cmp);
            Some(*typical).filter(fits)
        });
        // Times in the window that are on no grid can lean a fit.
        let fit = period
            .and_then(|period| GridFit::near(times, period))
            .filter(|fit| fits(&fit.period));
        self.measured = fit.map(|fit| fit.period);
        self.phase = 0.0;
        if let Some(fit) = fit {
            self.phase = -fit.residuals()[count];
            self.spread = fit
                .residuals()
                .iter()
                .fold(0.0, |most: f64, residual| most.max(residual.abs()));
            self.refreshes = fit.indices()[count];
        }
    }

    /// The measured period in nanoseconds; the announced one until eight frames were presented; none where frames follow no grid.
    pub(super) fn period(&self) -> Option<f64> {
        let announced = self.announced.filter(|_| self.count > 0 && self.count < MIN_FRAMES);
        self.measured.or(announced)
    }

    /// The newest presented frame: its id, its time, and the refresh on the grid less that time in nanoseconds; none before the first.
    pub(super) fn newest(&self) -> Option<(u64, Duration, f64)> {
        (self.count > 0).then(|| (self.ids[self.count - 1], self.newest, self.phase))
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
        if self.count < MIN_FRAMES || self.measured.is_none() {
            return 1.0;
        }
        // Ids ascend.
        self.refreshes / (self.ids[self.count - 1] - self.ids[0]) as f64
    }
}

/// How far a time is from the nearest multiple of the period.
fn off_grid(time: f64, period: f64) -> f64 {
    time - round(time / period) * period
}
