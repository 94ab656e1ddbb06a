//! When to begin a frame.

use evenstep_flat::pace::{Pacer, Plan};
use evenstep_flat::present::Refresh;
use evenstep_flat::{Error, pace};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::slots::{Slots, status, take};
use crate::time::nanoseconds;

/// A pacer. It keeps its last plan. Its slots: integers for begin, shown, asked and period of the plan; then those of the report.
#[wasm_bindgen]
pub struct RawPacer {
    core: Pacer,
    plan: Option<Plan>,
    slots: Slots<9>,
}

#[wasm_bindgen]
impl RawPacer {
    /// Without a limit.
    pub fn create() -> Self {
        Self {
            core: Pacer::new(),
            plan: None,
            slots: Slots::new(),
        }
    }

    /// Where its slots are.
    pub fn slots(&self) -> usize {
        self.slots.address()
    }

    /// Plans for so many percent of frames to be in time.
    pub fn set_percentile(&mut self, percent: f64) -> u32 {
        status(self.core.set_percentile(percent))
    }

    /// Plans for frames to be ready so much before their refresh.
    pub fn set_margin(&mut self, nanos: i64) -> u32 {
        status(self.core.set_margin(nanos))
    }

    /// For a display that waits for the frame.
    pub fn set_variable_refresh(&mut self, nanos: i64) -> u32 {
        status(self.core.set_variable_refresh(nanos))
    }

    /// At most so many frames a second; as many as there can be for 0.
    pub fn set_limit(&mut self, numer: u32, denom: u32) -> u32 {
        if numer == 0 {
            self.core.unset_limit();
            return status(Ok(()));
        }
        status(self.core.set_limit(numer, denom))
    }

    /// Saves power with at most so many frames a second; no more for 0.
    pub fn set_saving(&mut self, numer: u32, denom: u32) -> u32 {
        if numer == 0 {
            self.core.unset_saving();
            return status(Ok(()));
        }
        status(self.core.set_saving(numer, denom))
    }

    /// Plans a frame where no display is known.
    pub fn plan(&mut self, millis: f64, nanos: f64) -> u32 {
        let plan = nanoseconds(millis, nanos).and_then(|now| self.core.next_frame(now, None));
        self.write(plan)
    }

    /// Plans a frame for a display. All are times as whole milliseconds and nanoseconds beyond.
    #[expect(clippy::too_many_arguments, reason = "four times of two numbers each")]
    pub fn plan_for(
        &mut self,
        millis: f64,
        nanos: f64,
        at_millis: f64,
        at_nanos: f64,
        period_millis: f64,
        period_nanos: f64,
        uncertainty_millis: f64,
        uncertainty_nanos: f64,
    ) -> u32 {
        let mut plan = || {
            let next = Refresh {
                at: nanoseconds(at_millis, at_nanos)?,
                period: nanoseconds(period_millis, period_nanos)?,
                uncertainty: nanoseconds(uncertainty_millis, uncertainty_nanos)?,
            };
            self.core.next_frame(nanoseconds(millis, nanos)?, Some(&next))
        };
        let plan = plan();
        self.write(plan)
    }

    fn write(&mut self, plan: Result<Plan, Error>) -> u32 {
        take(plan, |plan| {
            for (at, time) in [plan.begin, plan.shown, plan.asked, plan.period]
                .into_iter()
                .enumerate()
            {
                self.slots.integer(at, time);
            }
            self.plan = Some(plan);
        })
    }

    /// The frame that was planned last is ready.
    pub fn finish(&mut self, millis: f64, nanos: f64) -> u32 {
        status(nanoseconds(millis, nanos).and_then(|ready| {
            let plan = self.plan.ok_or(Error::Order)?;
            self.core.finish(&plan, ready)?;
            self.plan = None;
            Ok(())
        }))
    }

    /// The cost that it plans for, in nanoseconds; none before eight frames are finished.
    pub fn cost(&self) -> Option<i64> {
        self.core.cost()
    }

    /// Writes frames, waited, missed, missed by waiting, latency won.
    pub fn report(&mut self) {
        let pace::PacerReport {
            frames,
            waited,
            missed,
            missed_by_waiting,
            latency_won,
        } = self.core.report();
        let integers = [
            frames.cast_signed(),
            waited,
            missed.cast_signed(),
            missed_by_waiting.cast_signed(),
            latency_won,
        ];
        for (at, integer) in integers.into_iter().enumerate() {
            self.slots.integer(4 + at, integer);
        }
    }
}
