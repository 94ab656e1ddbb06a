//! When to begin a frame.

use evenstep_flat::Error;
use evenstep_flat::pace::{self, Plan};
use evenstep_flat::present::Refresh;

use crate::call::Call;
use crate::calls::pacer as calls;
use crate::slots::Slots;
use crate::time::nanoseconds;

/// A pacer and its last plan.
#[derive(Default)]
pub(crate) struct Pacer {
    core: pace::Pacer,
    plan: Plan,
    /// Whether the planned frame has not been finished yet.
    is_open: bool,
}

impl Pacer {
    pub(crate) fn call(&mut self, call: &Call, slots: &mut Slots) -> Result<(), Error> {
        let core = &mut self.core;
        match call.what {
            calls::SET_PERCENTILE => core.set_percentile(call.numbers[0])?,
            calls::SET_MARGIN => core.set_margin(call.time(0)?)?,
            calls::SET_VARIABLE_REFRESH => core.set_variable_refresh(call.time(0)?)?,
            // A numerator of 0 means no limit.
            calls::SET_LIMIT if call.is(0) => core.set_limit(call.count(0), call.count(1))?,
            calls::SET_LIMIT => core.unset_limit(),
            calls::SET_SAVING if call.is(0) => core.set_saving(call.count(0), call.count(1))?,
            calls::SET_SAVING => core.unset_saving(),
            calls::PLAN | calls::PLAN_FOR => {
                let next = refresh(call, slots)?;
                let next = (call.what == calls::PLAN_FOR).then_some(&next);
                self.plan = core.next_frame(call.time(0)?, next)?;
                self.is_open = true;
                self.write(slots);
            }
            calls::PLANNED => self.write(slots),
            calls::FINISH => {
                let ready = call.time(0)?;
                if !self.is_open {
                    return Err(Error::Order);
                }
                core.finish(&self.plan, ready)?;
                self.is_open = false;
            }
            calls::COST => match core.cost() {
                None => slots.is_none = true,
                Some(cost) => slots.integer(0, cost),
            },
            _ => self.report(slots),
        }
        Ok(())
    }

    fn write(&self, slots: &mut Slots) {
        slots.integer(0, self.plan.begin);
        slots.integer(1, self.plan.shown);
        slots.integer(2, self.plan.asked);
        slots.integer(3, self.plan.period);
    }

    fn report(&self, slots: &mut Slots) {
        let report = self.core.report();
        slots.integer(0, report.frames.cast_signed());
        slots.integer(1, report.waited);
        slots.integer(2, report.missed.cast_signed());
        slots.integer(3, report.missed_by_waiting.cast_signed());
        slots.integer(4, report.latency_saved);
    }
}

/// The next refresh, whose time and period are in the slots.
fn refresh(call: &Call, slots: &Slots) -> Result<Refresh, Error> {
    Ok(Refresh {
        at: nanoseconds(slots.read(0), slots.read(1))?,
        period: nanoseconds(slots.read(2), slots.read(3))?,
        uncertainty: call.time(2)?,
    })
}
