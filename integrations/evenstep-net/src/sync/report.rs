//! A server's report of how early an input arrived.

use evenstep::{Rate, SimTime, Tick, TimeScale};

use crate::sync::pong::nanos;

/// A server's report of how early the input of a tick arrived. It goes back to the client that sent the input.
///
/// Report each tick when its input arrives for the first time, and put the last reports into every packet: a report that comes
/// twice counts once.
///
/// Exhaustive: no field will be added, because programs put it into packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct InputReport {
    /// The tick that the input is for.
    pub tick: Tick,
    /// How long before the server runs that tick its input arrived, in nanoseconds of real time; negative if it was too late.
    pub early: i64,
}

impl InputReport {
    /// The report of an input that arrives now, when the server's simulated time is `simulated`: the time of its newest state and what
    /// has [arrived since](evenstep::Frame::overstep). None while the server is paused, because the length of the pause is
    /// unknown. Times beyond 2^63 ns are cut to that.
    ///
    /// ```
    /// use evenstep_net::InputReport;
    /// use evenstep::{Rate, SimTime, TimeScale};
    /// use std::time::Duration;
    ///
    /// let simulated = SimTime::at(Duration::from_millis(95));
    /// let report = InputReport::on_arrival(9, Rate::hz(100), simulated, TimeScale::NORMAL).unwrap();
    /// assert_eq!(report.early, 5_000_000); // the step of tick 9 runs at 100 ms
    /// let slow_motion = TimeScale::new(1, 10)?;
    /// let report = InputReport::on_arrival(9, Rate::hz(100), simulated, slow_motion).unwrap();
    /// assert_eq!(report.early, 50_000_000);
    /// # Ok::<(), evenstep::RatioError>(())
    /// ```
    #[must_use]
    pub fn on_arrival(tick: Tick, rate: Rate, simulated: SimTime, scale: TimeScale) -> Option<Self> {
        if scale.is_paused() {
            return None;
        }
        let due = SimTime::at_tick(tick.saturating_add(1), rate);
        let early = nanos(due.to_duration()) - nanos(simulated.to_duration());
        // Less than 2^95 × 2^32.
        let early = early * i128::from(scale.denom()) / i128::from(scale.numer());
        let early = early.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        Some(Self { tick, early })
    }
}
