//! When frames are presented.

use evenstep_flat::Error;
use evenstep_flat::present::{Feedback, RefreshGrid};

use crate::call::Call;
use crate::calls::grid as calls;
use crate::slots::Slots;
use crate::time::nanoseconds;

pub(crate) fn call(grid: &mut RefreshGrid, call: &Call, slots: &mut Slots) -> Result<(), Error> {
    let refresh = match call.what {
        calls::SUBMIT => return grid.submit(call.tick(0), call.time(1)?),
        calls::OBSERVE => return grid.observe(&feedback(call, slots)?, call.time(2)?),
        // The first refresh that no frame in flight will use.
        calls::NEXT_REFRESH => grid.next_refresh(call.time(0)?)?,
        // When a frame that begins now will be presented.
        calls::PREDICT => grid.predict(call.time(0)?)?,
        _ => {
            slots.number(0, f64::from(grid.frames_in_flight()));
            return Ok(());
        }
    };
    match refresh {
        None => slots.is_none = true,
        Some(refresh) => {
            slots.integer(0, refresh.at);
            slots.integer(1, refresh.period);
            slots.integer(2, refresh.uncertainty);
        }
    }
    Ok(())
}

/// Reads a report. The arguments are the frame's number, and whether it was presented: 0 for never, 1 at a predicted time, 2 at a
/// measured time. The slots have the time at which it was presented and the time between refreshes.
pub(crate) fn feedback(call: &Call, slots: &Slots) -> Result<Feedback, Error> {
    let seen = call.count(1);
    let presented = if seen == 0 {
        -1
    } else {
        nanoseconds(slots.read(0), slots.read(1))?
    };
    Ok(Feedback {
        id: call.tick(0),
        presented,
        refresh: nanoseconds(slots.read(2), slots.read(3))?,
        reliable: seen > 1,
    })
}
