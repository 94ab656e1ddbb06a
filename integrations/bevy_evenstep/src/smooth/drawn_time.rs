//! Where between the last two states a frame is, also while the length of steps changes.

use super::state::{BELOW_ONE, BlendPoint};

/// A frame shows the simulation a step late. Where the length of steps changes, so does that delay: instead of a leap, the drawn time runs
/// faster or slower for a while.
///
/// Times are in seconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DrawnTime {
    /// The length of steps, and the overstep, of the frame that was drawn last.
    period: f32,
    overstep: f32,
    /// From the first of the two states to the second.
    span: f32,
    /// From the drawn time to the second state.
    behind: f32,
    /// How much later than by the length of steps a frame is; below zero, how much earlier.
    late: f32,
    /// How much of it goes in a second.
    hurry: f32,
    /// The steps since the last frame together.
    stepped: f32,
    /// Whether the first of the two states is the pose that was drawn last.
    pub(super) is_from_drawn: bool,
}

impl DrawnTime {
    /// Before the first step of a frame. Where the drawn time is late, what was drawn has to take the place of the first state.
    pub(super) fn begin_steps(&mut self, period: f32) {
        self.is_from_drawn = self.late > 0.0 || period < self.period;
        if self.is_from_drawn {
            self.span = self.behind;
        }
    }

    /// After a step. Returns whether the first of the two states stays.
    pub(super) fn step(&mut self, ended: f32, period: f32) -> bool {
        let stays = self.is_from_drawn;
        self.stepped += ended;
        self.span = if stays { self.span + ended } else { ended };
        self.is_from_drawn |= period < self.period; // the step has changed it
        stays
    }

    /// The moment to draw. `alpha` is the overstep in steps.
    pub(super) fn draw(&mut self, period: f32, alpha: f32) -> BlendPoint {
        let (overstep, stepped) = (alpha * period, core::mem::take(&mut self.stepped));
        let passed = (stepped + overstep - self.overstep).max(0.0);
        if period != self.period && self.period > 0.0 {
            self.late = self.behind + stepped - passed - (period - overstep);
            self.hurry = self.late / self.period;
        }
        self.behind = if self.late < 0.0 && stepped == 0.0 {
            self.behind * (period - overstep) / (period - self.overstep) // the drawn time reaches the state with the next step
        } else {
            self.late = if self.late > 0.0 {
                (self.late - self.hurry * passed).max(0.0)
            } else {
                0.0
            };
            period - overstep + self.late
        };
        (self.period, self.overstep) = (period, overstep);
        if self.late == 0.0 && (self.span == period || self.span == 0.0) {
            return BlendPoint {
                alpha,
                ahead: alpha,
                dt: period,
            };
        }
        BlendPoint {
            alpha: (1.0 - self.behind / self.span).clamp(0.0, BELOW_ONE),
            ahead: overstep / self.span,
            dt: self.span,
        }
    }
}
