//! Selects the better predictor of presentation times: feedback, or the display clock.

/// Frames whose feedback is outstanding, at most.
const PENDING: usize = 16;

/// Frames over which squared errors are averaged.
const AVERAGED_FRAMES: f64 = 64.0;

/// Presented frames before predictions from feedback are selected.
const MIN_FRAMES: u32 = 8;

/// Errors are clamped to this, in nanoseconds: larger ones are pauses. An error of one refresh has its full weight.
const MAX_ERROR: f64 = 1e8;

/// Feedback is selected when its mean squared error is below this share of the display clock's...
const SELECT_BELOW: f64 = 0.5;

/// ...and deselected when it is above this share: hysteresis.
const DESELECT_ABOVE: f64 = 0.8;

/// Compares two predictors of presentation times by their errors, which feedback reveals: predictions from earlier feedback, and the
/// display clock, which uses only frame timestamps.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PredictorSelector {
    pending: [Forecast; PENDING],
    next: usize,
    /// The last presented frame, and when it was presented, in nanoseconds.
    last: Option<(Forecast, i128)>,
    presented: u32,
    /// Mean squared errors of the time from frame to frame, in nanoseconds squared.
    predicted_error: f64,
    clock_error: f64,
    prefers_feedback: bool,
}

/// When both predictors expect a frame, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Forecast {
    frame: u64,
    predicted: Option<i128>,
    clock: i128,
}

impl PredictorSelector {
    pub(super) const fn new() -> Self {
        Self {
            pending: [Forecast {
                frame: 0,
                predicted: None,
                clock: 0,
            }; PENDING],
            next: 0,
            last: None,
            presented: 0,
            predicted_error: 0.0,
            clock_error: 0.0,
            prefers_feedback: false,
        }
    }

    /// Records the predictions for a frame that begins, in nanoseconds: that of feedback, if there is one, and that of the display clock,
    /// whose zero is arbitrary.
    pub(super) fn begin(&mut self, frame: u64, predicted: Option<i128>, clock: i128) {
        self.pending[self.next] = Forecast {
            frame,
            predicted,
            clock,
        };
        self.next = (self.next + 1) % PENDING;
    }

    /// Takes when a frame was presented, in nanoseconds on any clock.
    pub(super) fn observe(&mut self, frame: u64, presented: i128) {
        let known = self
            .pending
            .iter()
            .find(|known| known.frame == frame && frame > 0)
            .copied();
        let last = core::mem::replace(&mut self.last, known.map(|known| (known, presented)));
        let (Some(now), Some((last, last_presented))) = (known, last) else {
            return;
        };
        let apart = presented - last_presented;
        let square = |moved: i128| {
            let error = ((moved - apart) as f64).clamp(-MAX_ERROR, MAX_ERROR);
            error * error
        };
        let (Some(predicted), Some(last_predicted)) = (now.predicted, last.predicted) else {
            return;
        };
        self.presented = self.presented.saturating_add(1);
        let weight = 1.0 / f64::from(self.presented).min(AVERAGED_FRAMES);
        self.predicted_error += (square(predicted - last_predicted) - self.predicted_error) * weight;
        self.clock_error += (square(now.clock - last.clock) - self.clock_error) * weight;
        let limit = if self.prefers_feedback {
            DESELECT_ABOVE
        } else {
            SELECT_BELOW
        } * self.clock_error;
        self.prefers_feedback = self.presented >= MIN_FRAMES && self.predicted_error < limit;
    }

    /// Whether to follow predictions from feedback.
    pub(super) fn prefers_feedback(&self) -> bool {
        self.prefers_feedback
    }
}
