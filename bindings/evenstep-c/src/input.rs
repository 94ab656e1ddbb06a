//! Input.

use core::mem::MaybeUninit;

use evenstep_flat::Error;
use evenstep_flat::input::{Event, Input, InputCounts};
use evenstep_flat::schedule::Tasks;
use evenstep_flat::timestep::Timestep;

use crate::objects::{self, Object};
use crate::schedule::ScheduleId;
use crate::status::{Status, catch_panics, write_option, write_result};
use crate::timestep::TimestepId;

/// Keys, buttons, pointer and wheel with their times: each event reaches exactly one step, that of its time.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputId {
    /// 0 refers to no object.
    pub id: u64,
}

fn change(input: InputId, run: impl FnOnce(&mut Input) -> Result<(), Error>) -> Status {
    catch_panics(|| objects::with_object(input.id, |input| Ok(run(input)?)))
}

fn query<T>(input: InputId, out: Option<&mut MaybeUninit<T>>, run: impl FnOnce(&mut Input) -> T) -> Status {
    write_result(out, || objects::with_object(input.id, |input| Ok(run(input))))
}

/// Creates a buffer with room for `capacity` events between two steps, from 1 to 2^20. Presses, motion and turns of the wheel during
/// a pause, while simulated time stands still, reach no step. The states of keys are tracked during the pause: keys that were
/// released in it are up afterwards. Of events for which there is no room the states of keys are kept too, and motion is added up,
/// so no release is lost.
/// Errors: NULL, OBJECTS, RANGE.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_create(capacity: u32, input: Option<&mut MaybeUninit<InputId>>) -> Status {
    create(input, || Input::new(capacity))
}

/// Creates a buffer from which all events of a pause reach the first step after it. A full buffer accepts no event.
/// Errors: NULL, OBJECTS, RANGE.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_create_lossless(capacity: u32, input: Option<&mut MaybeUninit<InputId>>) -> Status {
    create(input, || Input::lossless(capacity))
}

fn create(out: Option<&mut MaybeUninit<InputId>>, make: impl FnOnce() -> Result<Input, Error>) -> Status {
    write_result(out, || {
        let id = objects::insert(Object::Input(Box::new(make()?)))?;
        Ok(InputId { id })
    })
}

/// Destroys a buffer.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_destroy(input: InputId) -> Status {
    catch_panics(|| objects::destroy::<Input>(input.id))
}

/// Records that a key or button went down. The program numbers its keys. Times are in nanoseconds on the same clock as those passed
/// to es_timestep_begin_frame. While a key is held, another press is a repetition and is ignored.
/// Errors: OBJECT, THREAD, NEGATIVE; FULL, like all events below, if a buffer of es_input_create_lossless is full, or if another
/// buffer is full and 1024 other keys have changed meanwhile.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_press(input: InputId, key: u32, time: i64) -> Status {
    change(input, |input| input.press(key, time))
}

/// Records that a key or button went up.
/// Errors: OBJECT, THREAD, NEGATIVE, FULL.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_release(input: InputId, key: u32, time: i64) -> Status {
    change(input, |input| input.release(key, time))
}

/// Records that all held keys and buttons went up, as when a window loses the focus and no longer receives their releases.
/// Errors: OBJECT, THREAD, NEGATIVE, FULL.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_release_all(input: InputId, time: i64) -> Status {
    change(input, |input| input.release_all(time))
}

/// Records that a pointer moved by x to the right and y down, in the device's units.
/// Errors: OBJECT, THREAD, NEGATIVE, NOT_FINITE, FULL.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_motion(input: InputId, x: f64, y: f64, time: i64) -> Status {
    change(input, |input| input.motion(x, y, time))
}

/// Records that the wheel was turned by x and y lines; the scrolled content moves to the right and down.
/// Errors: OBJECT, THREAD, NEGATIVE, NOT_FINITE, FULL.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_wheel(input: InputId, x: f64, y: f64, time: i64) -> Status {
    change(input, |input| input.wheel(x, y, time))
}

/// Assigns a step to each event up to the end of the timestep's last frame. Call it once a frame, between es_timestep_begin_frame
/// and the frame's steps. If a filter may lead the clock, events act later by its largest lead.
/// Errors: OBJECT, THREAD; ORDER before the timestep's first frame, and a second time for the same frame.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_begin_frame(input: InputId, timestep: TimestepId) -> Status {
    catch_panics(|| {
        objects::with_object(timestep.id, |timestep: &mut Timestep| {
            objects::with_object(input.id, |input: &mut Input| Ok(input.begin_frame(timestep)?))
        })
    })
}

/// Does the same for a task of a schedule. Each task that takes input needs a buffer of its own.
/// Errors: OBJECT, THREAD, MISSING; ORDER as of es_input_begin_frame.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_begin_task(input: InputId, schedule: ScheduleId, task: u32) -> Status {
    catch_panics(|| {
        objects::with_object(schedule.id, |schedule: &mut Tasks| {
            objects::with_object(input.id, |input: &mut Input| Ok(input.begin_task(schedule, task)?))
        })
    })
}

/// Begins a step and takes its events. The functions below then describe this step.
/// Errors: OBJECT, THREAD; ORDER before es_input_begin_frame.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_begin_step(input: InputId, tick: u64) -> Status {
    change(input, |input| input.begin_step(tick))
}

/// Writes an event of this step, from index 0, the oldest. NONE beyond the last.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_event_at(input: InputId, index: usize, event: Option<&mut MaybeUninit<Event>>) -> Status {
    write_option(event, || {
        objects::with_object(input.id, |input: &mut Input| Ok(input.event(index)))
    })
}

/// Writes whether a key is down at the end of the step.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_is_held(input: InputId, key: u32, held: Option<&mut MaybeUninit<bool>>) -> Status {
    query(input, held, |input| input.is_held(key))
}

/// Writes whether a key is down at the end of the step or went down in it. Use it for a control that acts as long as it is held: a tap
/// shorter than a step then acts in one step.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_is_down(input: InputId, key: u32, down: Option<&mut MaybeUninit<bool>>) -> Status {
    query(input, down, |input| input.is_down(key))
}

/// Writes how often a key went down in the step. A tap that is shorter than a step is counted exactly once.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_presses(input: InputId, key: u32, presses: Option<&mut MaybeUninit<u32>>) -> Status {
    query(input, presses, |input| input.presses(key))
}

/// Writes whether a key went up in the step, also if it is down again.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_was_released(input: InputId, key: u32, released: Option<&mut MaybeUninit<bool>>) -> Status {
    query(input, released, |input| input.was_released(key))
}

/// Writes by how much the pointer moved to the right and down in the step. The sum over all steps is the motion that arrived.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_moved(
    input: InputId,
    x: Option<&mut MaybeUninit<f64>>,
    y: Option<&mut MaybeUninit<f64>>,
) -> Status {
    write_pair(input, x, y, |input| input.moved())
}

/// Writes by how much the wheel turned in the step.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_turned(
    input: InputId,
    x: Option<&mut MaybeUninit<f64>>,
    y: Option<&mut MaybeUninit<f64>>,
) -> Status {
    write_pair(input, x, y, |input| input.turned())
}

fn write_pair(
    input: InputId,
    x: Option<&mut MaybeUninit<f64>>,
    y: Option<&mut MaybeUninit<f64>>,
    run: impl FnOnce(&Input) -> [f64; 2],
) -> Status {
    catch_panics(|| {
        let (x, y) = (x.ok_or(Status::Null)?, y.ok_or(Status::Null)?);
        let by = objects::with_object(input.id, |input: &mut Input| Ok(run(input)))?;
        x.write(by[0]);
        y.write(by[1]);
        Ok(())
    })
}

/// Writes how many events wait for their step, and how many were late, out of order or refused.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_counts(input: InputId, counts: Option<&mut MaybeUninit<InputCounts>>) -> Status {
    query(input, counts, |input| input.counts())
}
