//! Input.

use core::mem::MaybeUninit;

use evenstep_flat::Error;
use evenstep_flat::input::{Event, Input, InputCounts};
use evenstep_flat::schedule::Tasks;
use evenstep_flat::timestep::Timestep;

use crate::objects::{self, Object};
use crate::schedule::ScheduleId;
use crate::status::{Status, answer, answer_some, carry_out};
use crate::timestep::TimestepId;

/// Keys, buttons, pointer and wheel with their times: each event reaches exactly one step, that of its time.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputId {
    /// 0 is no object.
    pub id: u64,
}

fn change(input: InputId, run: impl FnOnce(&mut Input) -> Result<(), Error>) -> Status {
    carry_out(|| objects::with(input.id, |input| Ok(run(input)?)))
}

fn ask<T>(input: InputId, place: Option<&mut MaybeUninit<T>>, run: impl FnOnce(&mut Input) -> T) -> Status {
    answer(place, || objects::with(input.id, |input| Ok(run(input))))
}

/// Creates a buffer with room for `capacity` events between two steps, from 1 to 2^20. Presses, motion and turns of the wheel in a
/// pause, while simulated time stands still, reach no step. Held keys are known after it all the same: keys that were
/// released in the pause are up. The same is kept of events for which there is no room, and motion adds up, so that no release is lost.
/// Errors: NULL, OBJECTS, RANGE.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_create(capacity: u32, input: Option<&mut MaybeUninit<InputId>>) -> Status {
    create(input, || Input::new(capacity))
}

/// Creates a buffer from which all events of a pause reach the first step after it. A full one takes nothing.
/// Errors: NULL, OBJECTS, RANGE.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_create_lossless(capacity: u32, input: Option<&mut MaybeUninit<InputId>>) -> Status {
    create(input, || Input::lossless(capacity))
}

fn create(place: Option<&mut MaybeUninit<InputId>>, make: impl FnOnce() -> Result<Input, Error>) -> Status {
    answer(place, || {
        let id = objects::keep(Object::Input(Box::new(make()?)))?;
        Ok(InputId { id })
    })
}

/// Destroys a buffer.
/// Errors: OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_destroy(input: InputId) -> Status {
    carry_out(|| objects::destroy::<Input>(input.id))
}

/// A key or button went down. Keys are the program's own numbers; times are those of the clock that es_timestep_begin_frame is
/// told, in nanoseconds. While a key is held, another press is a repetition and is ignored.
/// Errors: OBJECT, THREAD, NEGATIVE; FULL, as of all events below, from es_input_create_lossless where there is no room, otherwise
/// only where 1024 other keys have changed since there was none.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_press(input: InputId, key: u32, time: i64) -> Status {
    change(input, |input| input.press(key, time))
}

/// A key or button went up.
/// Errors: OBJECT, THREAD, NEGATIVE, FULL.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_release(input: InputId, key: u32, time: i64) -> Status {
    change(input, |input| input.release(key, time))
}

/// Everything that is held went up, as when a window loses the focus: the releases would go elsewhere.
/// Errors: OBJECT, THREAD, NEGATIVE, FULL.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_release_all(input: InputId, time: i64) -> Status {
    change(input, |input| input.release_all(time))
}

/// A pointer moved by so much to the right and down, in the device's own units.
/// Errors: OBJECT, THREAD, NEGATIVE, NOT_FINITE, FULL.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_motion(input: InputId, x: f64, y: f64, time: i64) -> Status {
    change(input, |input| input.motion(x, y, time))
}

/// The wheel was turned, in lines; the scrolled content moves to the right and down.
/// Errors: OBJECT, THREAD, NEGATIVE, NOT_FINITE, FULL.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_wheel(input: InputId, x: f64, y: f64, time: i64) -> Status {
    change(input, |input| input.wheel(x, y, time))
}

/// Gives each event its step, up to where the timestep's last frame reaches. Call it once a frame, between
/// es_timestep_begin_frame and the frame's steps. Behind a filter that may run ahead of the clock, events act later by as much.
/// Errors: OBJECT, THREAD; ORDER before the timestep's first frame, and a second time for the same frame.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_begin_frame(input: InputId, timestep: TimestepId) -> Status {
    carry_out(|| {
        objects::with(timestep.id, |timestep: &mut Timestep| {
            objects::with(input.id, |input: &mut Input| Ok(input.begin_frame(timestep)?))
        })
    })
}

/// The same for a task of a schedule. Each task that takes input has a buffer of its own.
/// Errors: OBJECT, THREAD, MISSING; ORDER as of es_input_begin_frame.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_begin_task(input: InputId, schedule: ScheduleId, task: u32) -> Status {
    carry_out(|| {
        objects::with(schedule.id, |schedule: &mut Tasks| {
            objects::with(input.id, |input: &mut Input| Ok(input.begin_task(schedule, task)?))
        })
    })
}

/// Begins a step and takes its events. What the functions below answer is then that of this step.
/// Errors: OBJECT, THREAD; ORDER before es_input_begin_frame.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_begin_step(input: InputId, tick: u64) -> Status {
    change(input, |input| input.begin_step(tick))
}

/// Writes an event of this step, from index 0, the oldest. NONE beyond the last.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_event_at(input: InputId, index: usize, event: Option<&mut MaybeUninit<Event>>) -> Status {
    answer_some(event, || {
        objects::with(input.id, |input: &mut Input| Ok(input.event(index)))
    })
}

/// Writes whether a key is down at the end of the step.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_is_held(input: InputId, key: u32, answer: Option<&mut MaybeUninit<bool>>) -> Status {
    ask(input, answer, |input| input.is_held(key))
}

/// Writes whether a key is down at the end of the step or went down in it. Use it for a control that acts as long as it is held: a tap
/// shorter than a step then acts in one step.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_is_down(input: InputId, key: u32, answer: Option<&mut MaybeUninit<bool>>) -> Status {
    ask(input, answer, |input| input.is_down(key))
}

/// Writes how often a key went down in the step. A tap that is shorter than a step is counted exactly once.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_presses(input: InputId, key: u32, presses: Option<&mut MaybeUninit<u32>>) -> Status {
    ask(input, presses, |input| input.presses(key))
}

/// Writes whether a key went up in the step, also if it is down again.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_was_released(input: InputId, key: u32, answer: Option<&mut MaybeUninit<bool>>) -> Status {
    ask(input, answer, |input| input.was_released(key))
}

/// Writes by how much the pointer moved to the right and down in the step. Over all steps it adds up to the motion that arrived.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_moved(
    input: InputId,
    x: Option<&mut MaybeUninit<f64>>,
    y: Option<&mut MaybeUninit<f64>>,
) -> Status {
    both(input, x, y, |input| input.moved())
}

/// Writes by how much the wheel turned in the step.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_turned(
    input: InputId,
    x: Option<&mut MaybeUninit<f64>>,
    y: Option<&mut MaybeUninit<f64>>,
) -> Status {
    both(input, x, y, |input| input.turned())
}

fn both(
    input: InputId,
    x: Option<&mut MaybeUninit<f64>>,
    y: Option<&mut MaybeUninit<f64>>,
    run: impl FnOnce(&Input) -> [f64; 2],
) -> Status {
    carry_out(|| {
        let (x, y) = (x.ok_or(Status::Null)?, y.ok_or(Status::Null)?);
        let by = objects::with(input.id, |input: &mut Input| Ok(run(input)))?;
        x.write(by[0]);
        y.write(by[1]);
        Ok(())
    })
}

/// Writes how many events wait, and counts of those that were late, out of order or refused.
/// Errors: NULL, OBJECT, THREAD.
#[unsafe(no_mangle)]
pub extern "C" fn es_input_counts(input: InputId, counts: Option<&mut MaybeUninit<InputCounts>>) -> Status {
    ask(input, counts, |input| input.counts())
}
