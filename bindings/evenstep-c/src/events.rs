//! Events from steps to the renderer.

use core::mem::MaybeUninit;

use evenstep_flat::events::Events;
use evenstep_flat::timestep::Timestep;

use crate::objects::{self, Object};
use crate::status::{Status, catch_panics, write_result};
use crate::timestep::TimestepId;

/// Sounds, flashes and other effects, which steps emit and which are delivered when their moment is presented: an interpolated frame
/// shows an earlier moment than the simulation has reached.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EventsId {
    /// 0 refers to no object.
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
    write_result(events, || {
        let queue = Events::new(capacity, drop_newest != 0)?;
        let id = objects::insert(Object::Events(Box::new(queue)))?;
        Ok(EventsId { id })
    })
}

/// Destroys a queue.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_events_destroy(events: EventsId) -> Status {
    catch_panics(|| objects::destroy::<Events>(events.id))
}

/// Emits an event in the step of a tick of the timestep. The event is any number of the program's choice. Emit events in the order
/// of their steps.
/// Errors: OBJECT, THREAD; FULL if an event had to be dropped, the oldest or this one as the queue was created.
#[unsafe(no_mangle)]
pub extern "C" fn es_events_emit(events: EventsId, timestep: TimestepId, tick: u64, event: u64) -> Status {
    catch_panics(|| {
        objects::with_object(timestep.id, |timestep: &mut Timestep| {
            objects::with_object(events.id, |events: &mut Events| {
                let has_room = events.emit(timestep, tick, event);
                if has_room { Ok(()) } else { Err(Status::Full) }
            })
        })
    })
}

/// Writes the next event that the timestep's last frame shows, with the tick that emitted it. NONE if this frame shows no more
/// events. seen is how the frame is drawn: ES_SEEN_BLENDED, ES_SEEN_EXTRAPOLATED or ES_SEEN_AT_ONCE.
/// Errors: NULL, OBJECT, THREAD, RANGE; ORDER before the timestep's first frame.
#[unsafe(no_mangle)]
pub extern "C" fn es_events_next(
    events: EventsId,
    timestep: TimestepId,
    seen: u32,
    tick: Option<&mut MaybeUninit<u64>>,
    event: Option<&mut MaybeUninit<u64>>,
) -> Status {
    catch_panics(|| {
        let (tick, event) = (tick.ok_or(Status::Null)?, event.ok_or(Status::Null)?);
        let next = objects::with_object(timestep.id, |timestep: &mut Timestep| {
            objects::with_object(events.id, |events: &mut Events| Ok(events.next(timestep, seen)?))
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
    catch_panics(|| {
        objects::with_object(events.id, |events: &mut Events| {
            events.retract_from(tick);
            Ok(())
        })
    })
}

/// Writes how many events wait to be presented, and how many were dropped so far.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_events_counts(
    events: EventsId,
    waiting: Option<&mut MaybeUninit<u64>>,
    dropped: Option<&mut MaybeUninit<u64>>,
) -> Status {
    catch_panics(|| {
        let (waiting, dropped) = (waiting.ok_or(Status::Null)?, dropped.ok_or(Status::Null)?);
        objects::with_object(events.id, |events: &mut Events| {
            waiting.write(events.waiting());
            dropped.write(events.dropped());
            Ok(())
        })
    })
}
