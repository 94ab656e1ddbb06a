//! The accumulator.

use evenstep_flat::filter::Given;
use evenstep_flat::timestep::{self, Frame, carry, stretch};
use evenstep_flat::{Error, Overrun};

use crate::call::Call;
use crate::calls::timestep as calls;
use crate::slots::Slots;

/// A fixed timestep and its last frame.
pub(crate) struct Timestep {
    pub(crate) core: timestep::Timestep<Given>,
    frame: Frame,
}

impl Timestep {
    /// With a rate by numerator and denominator; their ratio is written as the length of a step.
    pub(crate) fn new(call: &Call) -> Result<Self, Error> {
        Ok(Self {
            core: timestep::Timestep::given(call.count(0), call.count(1))?,
            frame: Frame::default(),
        })
    }

    pub(crate) fn answer(&mut self, call: &Call, slots: &mut Slots) -> Result<(), Error> {
        let core = &mut self.core;
        self.frame = match call.what {
            calls::BEGIN_FRAME => core.begin_frame(call.time(0)?)?,
            calls::ADVANCE => core.advance(call.time(0)?)?,
            calls::ADVANCE_GIVEN => {
                let passed = call.time(0)?;
                core.advance_given(passed, given(passed, call, slots))?
            }
            calls::GIVE_BACK => core.give_back(call.count(0))?,
            calls::EXACT..=calls::IS_SUSPENDED | calls::LOST => return self.tell(call, slots),
            _ => return self.set(call),
        };
        let frame = &self.frame;
        slots.number(0, frame.first_tick as f64);
        slots.number(1, frame.tick as f64);
        slots.number(2, frame.alpha);
        slots.number(3, frame.dt);
        slots.number(4, f64::from(frame.steps));
        slots.number(5, f64::from(frame.single_steps));
        slots.flag(6, frame.is_behind);
        slots.flag(7, frame.is_rounded);
        Ok(())
    }

    fn tell(&self, call: &Call, slots: &mut Slots) -> Result<(), Error> {
        let core = &self.core;
        match call.what {
            calls::LOST => {
                slots.integer(0, self.frame.clamped);
                slots.integer(1, self.frame.suspended);
                slots.integer(2, self.frame.dropped.cast_signed());
            }
            calls::EXACT => {
                let time = match call.count(0) {
                    0 => core.overstep(),
                    1 => core.current_time(),
                    2 => core.drawn_time(),
                    3 => core.extrapolated_time(),
                    _ => core.rounded(),
                };
                slots.exact(0, &time?);
            }
            calls::TICK => slots.number(0, core.tick() as f64),
            calls::DELTA => slots.number(0, core.delta() as f64),
            calls::UNTIL_NEXT_STEP => slots.whole(core.until_next_step()),
            calls::MAX_STEPS => slots.number(0, f64::from(core.max_steps())),
            _ => slots.flag(0, core.is_suspended()),
        }
        Ok(())
    }

    fn set(&mut self, call: &Call) -> Result<(), Error> {
        let core = &mut self.core;
        match call.what {
            calls::SET_MAX_DELTA => core.set_max_delta(call.time(0)?)?,
            calls::SET_MAX_STEPS => core.set_max_steps(Some(call.count(0))),
            calls::UNSET_MAX_STEPS => core.set_max_steps(None),
            calls::DROP => core.set_overrun(Overrun::Drop),
            calls::CARRY => core.set_overrun(carry(call.time(0)?)?),
            calls::STRETCH => core.set_overrun(stretch(call.count(0), call.count(1))?),
            calls::SET_TIME_SCALE => core.set_time_scale(call.count(0), call.count(1))?,
            calls::SET_LOOKAHEAD => core.set_lookahead()?,
            calls::STEP_ONCE => core.step_once(),
            calls::SUSPEND => core.suspend(),
            calls::RESUME => core.resume(),
            calls::RESYNC => core.resync(),
            calls::RESET => core.reset(),
            _ => return Err(Error::Missing),
        }
        Ok(())
    }
}

/// What a filter of the program's made of what passed: whole nanoseconds below 2^53, 104 days. More than that goes past it. The
/// delta and the residual are in the call, the longest lead in a slot.
pub(crate) fn given(passed: i64, call: &Call, slots: &Slots) -> Given {
    let past = (passed - MOST_FILTERED).max(0);
    Given {
        delta: (call.numbers[2] as i64).saturating_add(past),
        residual: call.numbers[3] as i64,
        max_lead: slots.read(0) as i64,
    }
}

/// The longest delta that a filter sees, JavaScript's `Number.MAX_SAFE_INTEGER`.
const MOST_FILTERED: i64 = (1 << 53) - 1;
