/// Frames whose showing is still to be reported.
const WAITING: usize = 16;

/// Frames over which forecasts are judged.
const REMEMBERED: f64 = 64.0;

/// So many frames must have been seen before predictions are believed.
const LEAST: u32 = 8;

/// What is off by more nanoseconds counts as off by this: it is a pause. A prediction that is off by a refresh counts in full.
const MOST_OFF: f64 = 1e8;

/// Predictions are followed when the mean of their squared errors is below this share of the other's...
const BETTER: f64 = 0.5;

/// ...and left when it is above this.
const STILL_BETTER: f64 = 0.8;

/// Who forecasts better when frames are seen: predictions from feedback, or the display's clock from readings. Feedback itself
/// tells.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Forecasts {
    waiting: [Forecast; WAITING],
    next: usize,
    /// The last frame that was seen, and when, in nanoseconds.
    last: Option<(Forecast, i128)>,
    seen: u32,
    /// Mean squares of the errors from frame to frame, in nanoseconds squared, over the newest frames.
    predicted_error: f64,
    clock_error: f64,
    is_better: bool,
}

/// What was expected of a frame, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Forecast {
    frame: u64,
    predicted: Option<i128>,
    clock: i128,
}

impl Forecasts {
    pub(super) const fn new() -> Self {
        Self {
            waiting: [Forecast {
                frame: 0,
                predicted: None,
                clock: 0,
            }; WAITING],
            next: 0,
            last: None,
            seen: 0,
            predicted_error: 0.0,
            clock_error: 0.0,
            is_better: false,
        }
    }

    /// A frame begins, that is expected to be seen when it is `predicted`, and so long after others as the `clock` goes on.
    pub(super) fn begin(&mut self, frame: u64, predicted: Option<i128>, clock: i128) {
        self.waiting[self.next] = Forecast {
            frame,
            predicted,
            clock,
        };
        self.next = (self.next + 1) % WAITING;
    }

    /// A frame was seen, in nanoseconds on any clock.
    pub(super) fn see(&mut self, frame: u64, presented: i128) {
        let known = self
            .waiting
            .iter()
            .find(|known| known.frame == frame && frame > 0)
            .copied();
        let last = core::mem::replace(&mut self.last, known.map(|known| (known, presented)));
        let (Some(now), Some((last, last_presented))) = (known, last) else {
            return;
        };
        let apart = presented - last_presented;
        let square = |moved: i128| {
            let error = ((moved - apart) as f64).clamp(-MOST_OFF, MOST_OFF);
            error * error
        };
        let (Some(predicted), Some(last_predicted)) = (now.predicted, last.predicted) else {
            return;
        };
        self.seen = self.seen.saturating_add(1);
        let weight = 1.0 / f64::from(self.seen).min(REMEMBERED);
        self.predicted_error += (square(predicted - last_predicted) - self.predicted_error) * weight;
        self.clock_error += (square(now.clock - last.clock) - self.clock_error) * weight;
        let limit = if self.is_better { STILL_BETTER } else { BETTER } * self.clock_error;
        self.is_better = self.seen >= LEAST && self.predicted_error < limit;
    }

    pub(super) fn are_better(&self) -> bool {
        self.is_better
    }
}
