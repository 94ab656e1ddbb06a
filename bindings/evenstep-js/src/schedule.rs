//! Several rates in one order.

use evenstep_flat::filter::Given;
use evenstep_flat::schedule::{ScheduleLost, Tasks};
use evenstep_flat::timestep::{carry, stretch};
use evenstep_flat::{Error, Overrun};

use crate::call::Call;
use crate::calls::schedule as calls;
use crate::slots::Slots;
use crate::timestep::given;

/// A schedule, and what its last frame gave up.
pub(crate) struct Schedule {
    pub(crate) core: Tasks<Given>,
    lost: ScheduleLost,
}

impl Default for Schedule {
    fn default() -> Self {
        Self {
            core: Tasks::given(),
            lost: ScheduleLost::default(),
        }
    }
}

impl Schedule {
    pub(crate) fn answer(&mut self, call: &Call, slots: &mut Slots) -> Result<(), Error> {
        let core = &mut self.core;
        self.lost = match call.what {
            calls::BEGIN_FRAME => core.begin_frame(call.time(0)?)?,
            calls::ADVANCE => core.advance(call.time(0)?)?,
            calls::ADVANCE_GIVEN => {
                let passed = call.time(0)?;
                core.advance_given(passed, given(passed, call, slots))?
            }
            calls::NEXT_STEP..=calls::UNTIL_NEXT_STEP => return self.tell(call, slots),
            _ => return self.set(call, slots),
        };
        Ok(())
    }

    fn tell(&mut self, call: &Call, slots: &mut Slots) -> Result<(), Error> {
        let core = &mut self.core;
        match call.what {
            calls::NEXT_STEP => match core.next_step() {
                None => slots.is_none = true,
                Some(step) => {
                    slots.number(0, f64::from(step.task));
                    slots.number(1, step.tick as f64);
                    slots.number(2, step.dt);
                }
            },
            calls::REFUSE => core.refuse()?,
            calls::LOST => {
                slots.exact(0, &self.lost.dropped);
                slots.exact(5, &self.lost.rounded);
                slots.integer(10, self.lost.clamped);
                slots.integer(11, self.lost.suspended);
            }
            calls::ALPHA => slots.number(0, core.alpha(call.count(0))?),
            calls::TICK => slots.number(0, core.tick(call.count(0))? as f64),
            calls::NOW => slots.exact(0, &core.now()),
            calls::IS_BEHIND => slots.flag(0, core.is_behind()),
            _ => slots.whole(core.until_next_step()),
        }
        Ok(())
    }

    fn set(&mut self, call: &Call, slots: &mut Slots) -> Result<(), Error> {
        let core = &mut self.core;
        match call.what {
            calls::ADD => {
                let task = core.add(call.count(0), call.count(1), call.time(2)?)?;
                slots.number(0, f64::from(task));
            }
            calls::SET_MAX_DELTA => core.set_max_delta(call.time(0)?)?,
            calls::SET_MAX_BEHIND => core.set_max_behind(call.time(0)?)?,
            calls::SET_MAX_ADVANCE => core.set_max_advance(call.time(0)?)?,
            calls::DROP => core.set_overrun(Overrun::Drop),
            calls::CARRY => core.set_overrun(carry(call.time(0)?)?),
            calls::STRETCH => core.set_overrun(stretch(call.count(0), call.count(1))?),
            calls::SET_TIME_SCALE => core.set_time_scale(call.count(0), call.count(1))?,
            calls::SUSPEND => core.suspend(),
            calls::RESUME => core.resume(),
            calls::RESET => core.reset(),
            _ => return Err(Error::Missing),
        }
        Ok(())
    }
}
