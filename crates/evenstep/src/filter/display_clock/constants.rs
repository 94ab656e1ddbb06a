//! All constants of the display clock, with their units and the reason for each value. Where the evaluation in random worlds and on
//! recordings determined a value, its comment says so.

use crate::filter::lead_limit::MAX_LEAD;

/// Frames: the memory of averages and of the gains. A display's period drifts by some ten parts per million.
pub(super) const MAX_WEIGHT: f64 = 2048.0;

/// Frames: a few seconds, in which a change of display becomes apparent. The memory of the mean absolute deviation, the largest weight
/// of a tracker after a frame off the grid, and the frames from which the phase of step ends is estimated.
pub(super) const DEVIATION_FRAMES: f64 = 256.0;

/// Decided frames whose jitter and skips are remembered: a minute or two.
pub(super) const REMEMBERED: u16 = 8192;

// Acquisition.

/// Frames that are collected before a grid is fitted: half a second at 60 Hz. A tracker of less weight is judged as if it had this:
/// fewer frames would rule out white noise.
pub(super) const ACQUIRE_FRAMES: usize = 32;

/// Nanoseconds. Longer deltas are pauses: they say nothing about the period, and the clock's resolution is not known exactly enough
/// to divide them.
pub(super) const MAX_FRAME: f64 = 5e8;

/// A finer grid fits any timestamps better. It must have less than this share of the other's deviation.
pub(super) const MUCH_BETTER: f64 = 0.5;

/// Periods. A finer grid must deviate by less: uniformly distributed timestamps deviate by 0.25.
pub(super) const RESOLVED_FIT: f64 = 0.15;

/// Nanoseconds. A finer grid with a smaller deviation is that of a coarse clock and not of a display.
pub(super) const CLOCK_GRID: f64 = 20.0;

// Tracking.

/// The tracker locks when (deviation / change)² is at most its weight over the first, and unlocks when it is above its weight over
/// the second. White noise locks after 128 frames. With 192, a recorded game that paces itself was taken for a display. After a long
/// lock a quarter of the first is enough: a program that was paced by a display most probably still is.
pub(super) const TO_LOCK: f64 = 256.0;
pub(super) const TO_UNLOCK: f64 = 28.0;

/// Frames. A longer lock is a long one: some seconds, over which a program that paces itself is found out.
pub(super) const LONG_LOCK_FRAMES: f64 = 400.0;

/// Frames. A tracker of more weight has a narrow bandwidth: a display whose period drifts deviates from it.
pub(super) const NARROW_BANDWIDTH_WEIGHT: f64 = 96.0;

/// Nanoseconds. A deviation counts by twice the bound of outliers and this at most, with which a mean deviation of zero can grow.
pub(super) const MIN_MAGNITUDE: f64 = 1000.0;

/// Frames. A tracker with less weight is given up: four phases off the grid in a row.
pub(super) const MIN_WEIGHT: f64 = 12.0;

/// Periods: the mean absolute deviation from which on refreshes cannot be counted. Uniformly distributed timestamps deviate by 0.25.
pub(super) const RESOLVED: f64 = 0.2;

/// Share of the clock's resolution: a deviation below it is explained by quantisation, which makes 0.25 in the mean.
/// That is also the share of timestamps, at least, that are uniformly distributed over the resolution.
pub(super) const EXPLAINED: f64 = 0.33;
pub(super) const QUANTISED: f64 = 0.25;

/// Nanoseconds: lower bound of the change of the deviation from frame to frame. Frames that change less do not wander, however
/// steadily they do it.
pub(super) const MIN_CHANGE: f64 = 10_000.0;

/// Periods that a single timestamp adds to averages at most.
pub(super) const MAX_PERIODS: f64 = 8.0;

/// Nanoseconds. Longer deltas, a quarter of an hour, are no frames.
pub(super) const MAX_DELTA: f64 = 1e12;

// False locks to a multiple of the display's rate.

/// Frames that are judged together: a few seconds, in which a display whose refreshes are missed shows it.
pub(super) const HARMONIC_FRAMES: f64 = 512.0;

/// Refreshes. Numbers of refreshes in a frame that differ by less are equal: skips are multiples of a half or a third.
pub(super) const SAME_REFRESHES: f64 = 0.25;

// Hypotheses.

/// Hypotheses that are kept, and the probability below which one is not. More of them change no world.
pub(super) const MAX_HYPOTHESES: usize = 3;
pub(super) const PRUNE_BELOW: f64 = 1e-5;

/// Frames after which the most probable path is taken as certain: as many as fit into the words of a hypothesis.
pub(super) const DECISION_DELAY: u8 = 8;

/// Periods. Hypotheses whose phases differ by less are merged: less than a timestamp's jitter.
pub(super) const MERGE_DISTANCE: f64 = 0.04;

/// Share of a skip of a fraction of a period by which a single frame must be longer for the skip to be abrupt.
pub(super) const ABRUPT: f64 = 0.5;

/// Periods: no timestamp is earlier than its refresh by more.
pub(super) const MAX_EARLY: f64 = 0.5;

/// Mean absolute innovations: the gate of fractional skips. No timestamp is earlier than a refresh off the grid by more.
pub(super) const GATE: f64 = 16.0;

/// The prior probability that the display is at no phase that follows from the grid: from one frame to the next, and in the frame
/// after one in which that was concluded.
pub(super) const OFF_GRID: f64 = 1e-6;
pub(super) const OFF_GRID_AFTER_RESET: f64 = 0.1;

/// Per period: the density of timestamps of such a display. It is below 1, because late timestamps of a kind that was never observed
/// are more frequent than exchanged displays.
pub(super) const OFF_GRID_DENSITY: f64 = 0.3;

// Prior of skips.

/// Counts of frames before the first one, without and with a recent skip, by kind: none, one, two or three refreshes, a half, three
/// halves, a third, two thirds, a pause. Refreshes are missed in bursts.
pub(super) const DROP_PRIOR: [[f64; 9]; 2] = [
    [50.0, 0.3, 0.1, 0.1, 0.01, 0.01, 0.005, 0.005, 0.05],
    [8.0, 1.0, 0.3, 0.3, 0.01, 0.01, 0.005, 0.005, 0.05],
];

/// The sums of these counts.
pub(super) const DROP_PRIOR_TOTAL: [f64; 2] = [50.58, 9.68];

/// Upper bounds of the share of each fractional kind, without and with a recent skip: more frequent, they would explain any timestamp.
pub(super) const MAX_FRACTIONAL_SHARE: [f64; 2] = [0.05, 0.5];

/// Refreshes over which the share of pauses is spread evenly.
pub(super) const PAUSE_LENGTHS: f64 = 64.0;

// Density of jitter.

/// Mean absolute innovations to either side of zero: the core of the histogram. Noise without a tail stays within; larger deviations
/// are outliers and do not persist.
pub(super) const CORE_WIDTH: f64 = 4.0;

/// Bins of the core, of half the mean absolute innovation each.
pub(super) const CORE: usize = 4 * CORE_WIDTH as usize;

/// Bins of the tail per period, and bins from one period early to four late.
pub(super) const PER_PERIOD: f64 = 8.0;
pub(super) const TAIL: usize = 5 * PER_PERIOD as usize;

/// Periods: lower bound of the mean absolute innovation. Rarer deviations than those of the first frames are to be expected.
pub(super) const MIN_INNOVATION: f64 = 1.0 / 64.0;

/// Counts of frames before the first one: in each bin of the core, and in the whole tail.
pub(super) const CORE_PRIOR: f64 = 0.5;
pub(super) const TAIL_PRIOR: f64 = 0.3;

/// Kernel of the tail: the shares with which a timestamp counts in its bin and in each adjacent bin. The rest is the heavy tail's.
pub(super) const KERNEL_CENTRE: f64 = 0.6;
pub(super) const KERNEL_ADJACENT: f64 = 0.1;

/// Periods. Beyond this deviation the heavy tail falls faster: longer delays are pauses.
pub(super) const MAX_USUAL: f64 = 2.0;

/// Periods: width of the outermost bins, at least.
pub(super) const OUTER_WIDTH: f64 = 8.0;

// Output.

/// Nanoseconds by which the output leads where step ends are far enough away: an error of the phase then moves no step end across
/// the output. With 250 000, recordings of loops that sleep, whose frames are even to 30 000, are over one percent worse than no filter.
pub(super) const PREFERRED_LEAD: f64 = 100_000.0;

/// Nanoseconds by which the output leads or lags the display at most.
pub(super) const FARTHEST: f64 = MAX_LEAD.as_nanos() as f64 - PREFERRED_LEAD;

/// Mean absolute deviations that step ends keep from the output, in lock and before: a few frames give too little evidence of correlated
/// noise.
pub(super) const GUARD: f64 = 2.4;
pub(super) const UNLOCKED_GUARD: f64 = 16.0;

/// Nanoseconds and periods: bounds of that interval. Output is exact to some microseconds; at half a period, the intervals around two
/// step ends meet.
pub(super) const MIN_GUARD: f64 = 175_000.0;
pub(super) const MAX_GUARD_PERIODS: f64 = 0.45;

/// Nanoseconds: upper bound of the time since the first timestamp, eleven days, below which it is exact.
pub(super) const MAX_TIME: f64 = 1e15;

/// Frames: time constant with which the lead of the output approaches its target in lock.
pub(super) const GLIDE_FRAMES: f64 = 16.0;

/// Nanoseconds: time constant with which the output approaches its target out of lock, which it reaches within a second. A smaller
/// difference than the second is made up at once.
pub(super) const REPAYMENT_TIME: i128 = 100_000_000;
pub(super) const MIN_RESIDUAL: i128 = 20_000;

// Resolution of the clock.

/// Nanoseconds. A finer resolution counts as none, and deltas may be off its multiples by the second: they are rounded.
pub(super) const MIN_RESOLUTION: f64 = 1e5;
pub(super) const TOLERANCE: f64 = 100.0;

/// Consecutive frames that must be whole multiples of the resolution.
pub(super) const REQUIRED_FRAMES: u8 = 16;
