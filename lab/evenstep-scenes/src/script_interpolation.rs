//! Interpolation as a script does it that cannot read its engine's accumulator.

use evenstep::Blend;

/// Interpolates with an accumulator of its own, as scripts of engines do that do not tell how far they are between two steps.
///
/// It lags twice as far as interpolation with the engine's accumulator, because scripts run before the step: the state that they sample in
/// a step is that of the step before. And if the engine drops time or starts at another moment, the two accumulators differ for good.
///
/// ```
/// use evenstep_scenes::ScriptInterpolation;
///
/// let mut drawn = ScriptInterpolation::new(0.0_f64, 0.25);
/// for state in [0.0, 1.0] {
///     drawn.fixed_update(state); // the engine's step, after which the state is 1.0 or 2.0, comes next
/// }
/// assert_eq!(drawn.update(0.625), 0.5); // the engine has drawn 1.5
/// ```
#[derive(Clone, Debug)]
pub struct ScriptInterpolation<T> {
    period: f64,
    accumulator: f64,
    previous: T,
    current: T,
}

impl<T: Blend + Clone> ScriptInterpolation<T> {
    /// An interpolation that starts with `state`, for steps of `period` seconds.
    #[must_use]
    pub fn new(state: T, period: f64) -> Self {
        Self {
            period,
            accumulator: 0.0,
            previous: state.clone(),
            current: state,
        }
    }

    /// The script's part of a step, which comes before the engine's: samples the state.
    pub fn fixed_update(&mut self, state: T) {
        self.previous = std::mem::replace(&mut self.current, state);
    }

    /// The script's part of a frame of `delta` seconds, which comes after the steps: returns the state to draw.
    pub fn update(&mut self, delta: f64) -> T {
        self.accumulator = (self.accumulator + delta) % self.period;
        self.previous.blend(&self.current, self.alpha())
    }

    /// How far it draws between its two states, by its own accumulator.
    #[must_use]
    pub fn alpha(&self) -> f64 {
        self.accumulator / self.period
    }
}
