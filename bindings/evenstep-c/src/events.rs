//! Events from steps to the renderer.

use core::mem::MaybeUninit;

use evenstep_flat::events::Events;
use evenstep_flat::timestep::Timestep;

use crate::objects::{self, Object};
use crate::status::{Status, answer, carry_out};
use crate::timestep::TimestepId;

/// Sounds, flashes and the like, which steps emit and which are delivered once they are presented: an interpolated frame shows an
/// earlier moment than the simulation has reached.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventsId {
    /// 0 is no object.
    pub id: u64,
}

/// Creates a queue with room for `capacity` events, from 1 to 2^20. A full queue drops the event that has waited longest, or the
/// new one if drop_newest is not 0.
/// Errors: NULL, OBJECTS, RANGE.
#[unsafe(no_mangle)]
pub extern "C" fn es_events_create(
    capacity: u32,
    drop_newest: u32,
    events: Option<&mut MaybeUninit<EventsId>>,
) -> Status {
    answer(events, || {
        let queue = Events::new(capacity, drop_newest != 0)?;
        let id = objects::keep(Object::Events(Box::new(queue)))?;
        Ok(EventsId { id })
    })
}

/// Destroys a queue.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_events_destroy(events: EventsId) -> Status {
    carry_out(|| objects::destroy::<Events>(events.id))
}

/// Emits an event in the step of a tick of the timestep. The event is a number of the program's own. Emit in the order of
/// steps.
/// Errors: OBJECT, THREAD; FULL if an event had to be dropped, the oldest or this one as the queue was created.
#[unsafe(no_mangle)]
pub extern "C" fn es_events_emit(events: EventsId, timestep: TimestepId, tick: u64, event: u64) -> Status {
    carry_out(|| {
        objects::with(timestep.id, |timestep: &mut Timestep| {
            objects::with(events.id, |events: &mut Events| {
                let has_room = events.emit(timestep, tick, event);
                if has_room { Ok(()) } else { Err(Status::Full) }
            })
        })
    })
}

/// Returns the next event that the timestep's last frame shows, with the tick that emitted it. NONE if there is no more in
/// this frame. seen is ES_SEEN_BLENDED, ES_SEEN_EXTRAPOLATED or ES_SEEN_AT_ONCE: how the frame is drawn.
/// Errors: NULL, OBJECT, THREAD, RANGE; ORDER before the timestep's first frame.
#[unsafe(no_mangle)]
pub extern "C" fn es_events_next(
    events: EventsId,
    timestep: TimestepId,
    seen: u32,
    tick: Option<&mut MaybeUninit<u64>>,
    event: Option<&mut MaybeUninit<u64>>,
) -> Status {
    carry_out(|| {
        let (tick, event) = (tick.ok_or(Status::Null)?, event.ok_or(Status::Null)?);
        let next = objects::with(timestep.id, |timestep: &mut Timestep| {
            objects::with(events.id, |events: &mut Events| Ok(events.next(timestep, seen)?))
        })?;
        let (of_tick, number) = next.ok_or(Status::None)?;
        tick.write(of_tick);
        event.write(number);
        Ok(())
    })
}

/// Retracts the events of a tick and of all later ones, because these steps will be simulated again.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_events_retract_from(events: EventsId, tick: u64) -> Status {
    carry_out(|| {
        objects::with(events.id, |events: &mut Events| {
            events.retract_from(tick);
            Ok(())
        })
    })
}

/// Writes how many events wait, and how many were dropped so far.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_events_counts(
    events: EventsId,
    waiting: Option<&mut MaybeUninit<u64>>,
    dropped: Option<&mut MaybeUninit<u64>>,
) -> Status {
    carry_out(|| {
        let (waiting, dropped) = (waiting.ok_or(Status::Null)?, dropped.ok_or(Status::Null)?);
        objects::with(events.id, |events: &mut Events| {
            waiting.write(events.waiting());
            dropped.write(events.dropped());
            Ok(())
        })
    })
}
