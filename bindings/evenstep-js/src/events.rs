//! Events that are handed over when they are shown. They are numbers; JavaScript keeps what they stand for.

use evenstep_flat::Error;
use evenstep_flat::events::Events;

use crate::call::Call;
use crate::calls::events as calls;
use crate::object::{Object, timestep};
use crate::slots::Slots;

pub(crate) fn answer(events: &mut Events, call: &Call, others: &[Object], slots: &mut Slots) -> Result<(), Error> {
    match call.what {
        calls::EMIT => slots.is_none = !events.emit(&timestep(others, call)?.core, call.tick(1), call.tick(2)),
        calls::NEXT => match events.next(&timestep(others, call)?.core, call.count(1))? {
            None => slots.is_none = true,
            Some((tick, event)) => {
                slots.number(0, event as f64);
                slots.number(1, tick as f64);
            }
        },
        calls::RETRACT_FROM => events.retract_from(call.tick(0)),
        _ => {
            slots.number(0, events.waiting() as f64);
            slots.number(1, events.dropped() as f64);
        }
    }
    Ok(())
}
